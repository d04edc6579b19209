/// Reads packets from bytes as they arrive, with bounded memory.
struct MQTTDecoder: Sendable {
  private var bytes: [UInt8] = []
  /// The place of the next unread byte.
  private var place = 0
  /// The bytes of a cut message that are still to come.
  private var skipped = 0

  /// The maximum size of a packet that is kept; a larger message is cut, any other larger packet is a fault.
  static let maximumBody = 128 << 10

  /// Adds bytes.
  mutating func feed(_ new: some Sequence<UInt8>) {
    if place > 0 {
      bytes.removeFirst(place)
      place = 0
    }
    bytes.append(contentsOf: new)
  }

  /// Returns the next packet; `nil` while it is not complete.
  /// - Throws: a fault for bytes that are not MQTT; the connection is then of no further use.
  mutating func next() throws(MQTTFault) -> MQTTPacket? {
    if skipped > 0 {
      let count = min(skipped, bytes.count - place)
      place += count
      skipped -= count
      if skipped > 0 { return nil }
    }
    guard place < bytes.count, let (length, start) = try remainingLength() else { return nil }
    let head = bytes[place]
    let isCut = length > Self.maximumBody
    let end = start + (isCut ? Self.maximumBody : length)
    guard end <= bytes.count else { return nil }
    if isCut {
      guard head >> 4 == 3 else { throw MQTTFault("a packet of \(length) bytes") }
      skipped = length - Self.maximumBody
    }
    let packet = try Self.packet(head, bytes[start..<end], isCut: isCut)
    place = end
    return packet
  }

  /// The length of the body and the place where it begins; `nil` while that is not known.
  private func remainingLength() throws(MQTTFault) -> (length: Int, start: Int)? {
    var length = 0
    for index in 0..<4 {
      let at = place + 1 + index
      guard at < bytes.count else { return nil }
      length |= Int(bytes[at] & 0x7f) << (7 * index)
      if bytes[at] & 0x80 == 0 { return (length, at + 1) }
    }
    throw MQTTFault("a length of more than four bytes")
  }

  private static func packet(_ head: UInt8, _ body: ArraySlice<UInt8>, isCut: Bool) throws(MQTTFault) -> MQTTPacket {
    var reader = Reader(body: body)
    let packet: MQTTPacket
    switch (head >> 4, head & 0x0f) {
    case (1, 0): packet = .connect(try reader.connect())
    case (2, 0):
      let flags = try reader.byte()
      packet = .connectAcknowledgement(hasSession: flags & 1 == 1, code: try reader.byte())
    case (3, let flags):
      let quality = flags >> 1 & 3
      guard quality < 2 else { throw MQTTFault("a message of quality \(quality)") }
      let topic = try reader.text()
      guard !topic.isEmpty, !topic.contains(where: { $0 == "+" || $0 == "#" }) else {
        throw MQTTFault("a message without a topic")
      }
      let number = quality > 0 ? try reader.number() : 0
      guard quality == 0 || number > 0 else { throw MQTTFault("a message of quality 1 without a number") }
      let message = MQTTMessage(
        topic, isCut ? [] : Array(reader.body), isRetained: flags & 1 == 1, quality: quality)
      return .publish(message, number: number, isRepeated: flags & 8 != 0, isCut: isCut)
    case (4, 0): packet = .publishAcknowledgement(number: try reader.number())
    case (8, 2):
      let number = try reader.number()
      var filters: [MQTTPacket.Filter] = []
      while !reader.body.isEmpty { filters.append(.init(topic: try reader.text(), quality: try reader.byte())) }
      packet = .subscribe(number: number, filters)
    case (9, 0):
      let number = try reader.number()
      packet = .subscribeAcknowledgement(number: number, Array(reader.body))
      reader.body = []
    case (12, 0): packet = .ping
    case (13, 0): packet = .pingAnswer
    case (14, 0): packet = .disconnect
    default: throw MQTTFault("a packet of type \(head >> 4) with flags \(head & 0x0f)")
    }
    guard reader.body.isEmpty else { throw MQTTFault("a packet with \(reader.body.count) bytes too many") }
    return packet
  }

  private struct Reader {
    var body: ArraySlice<UInt8>

    mutating func byte() throws(MQTTFault) -> UInt8 {
      guard let byte = body.popFirst() else { throw MQTTFault("a packet that is cut short") }
      return byte
    }

    mutating func number() throws(MQTTFault) -> UInt16 {
      let high = try byte()
      return UInt16(high) << 8 | UInt16(try byte())
    }

    mutating func bytes() throws(MQTTFault) -> [UInt8] {
      let count = Int(try number())
      guard count <= body.count else { throw MQTTFault("a packet that is cut short") }
      defer { body.removeFirst(count) }
      return Array(body.prefix(count))
    }

    mutating func text() throws(MQTTFault) -> String {
      guard let text = String(validating: try bytes(), as: UTF8.self), !text.utf8.contains(0) else {
        throw MQTTFault("a text that is not UTF-8")
      }
      return text
    }

    mutating func connect() throws(MQTTFault) -> MQTTPacket.Connect {
      guard try text() == "MQTT", try byte() == 4 else { throw MQTTFault("another version of MQTT") }
      let flags = try byte()
      let keepAlive = try number()
      var connect = MQTTPacket.Connect(
        client: try text(), isClean: flags & 2 != 0, keepAlive: keepAlive, user: nil, password: nil, will: nil)
      if flags & 4 != 0 {
        let topic = try text()
        connect.will = MQTTMessage(topic, try bytes(), isRetained: flags & 0x20 != 0, quality: flags >> 3 & 3)
      }
      if flags & 0x80 != 0 { connect.user = try text() }
      if flags & 0x40 != 0 { connect.password = try text() }
      return connect
    }
  }
}
