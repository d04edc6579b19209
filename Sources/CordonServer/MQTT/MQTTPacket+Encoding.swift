extension MQTTPacket {
  /// The bytes of the packet.
  ///
  /// Texts beyond 65 535 bytes are cut there; the settings allow none.
  var encoded: [UInt8] {
    var body: [UInt8] = []
    let head: UInt8
    switch self {
    case .connect(let connect):
      head = 0x10
      body = Self.body(of: connect)
    case .connectAcknowledgement(let hasSession, let code):
      head = 0x20
      body = [hasSession ? 1 : 0, code]
    case .publish(let message, let number, let isRepeated, _):
      head = 0x30 | (isRepeated ? 8 : 0) | message.quality << 1 | (message.isRetained ? 1 : 0)
      Self.append(message.topic, to: &body)
      if message.quality > 0 { Self.append(number, to: &body) }
      body += message.payload
    case .publishAcknowledgement(let number):
      head = 0x40
      Self.append(number, to: &body)
    case .subscribe(let number, let filters):
      // Bit 1 is reserved and set.
      head = 0x82
      Self.append(number, to: &body)
      for filter in filters {
        Self.append(filter.topic, to: &body)
        body.append(filter.quality)
      }
    case .subscribeAcknowledgement(let number, let qualities):
      head = 0x90
      Self.append(number, to: &body)
      body += qualities
    case .ping: head = 0xc0
    case .pingAnswer: head = 0xd0
    case .disconnect: head = 0xe0
    }
    return [head] + Self.length(body.count) + body
  }

  private static func body(of connect: Connect) -> [UInt8] {
    var body: [UInt8] = []
    append("MQTT", to: &body)
    var flags: UInt8 = connect.isClean ? 0x02 : 0
    if let will = connect.will { flags |= 0x04 | will.quality << 3 | (will.isRetained ? 0x20 : 0) }
    if connect.user != nil { flags |= 0x80 }
    // A password without a user is not allowed.
    if connect.user != nil, connect.password != nil { flags |= 0x40 }
    body += [4, flags]
    append(connect.keepAlive, to: &body)
    append(connect.client, to: &body)
    if let will = connect.will {
      append(will.topic, to: &body)
      append(UInt16(clamping: will.payload.count), to: &body)
      body += will.payload.prefix(65_535)
    }
    if let user = connect.user {
      append(user, to: &body)
      if let password = connect.password { append(password, to: &body) }
    }
    return body
  }

  private static func append(_ number: UInt16, to bytes: inout [UInt8]) {
    bytes += [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let part = Array(text.utf8.prefix(65_535))
    append(UInt16(part.count), to: &bytes)
    bytes += part
  }

  /// The remaining length: 7 bits a byte, the lowest first; the highest bit of a byte says that another follows.
  static func length(_ count: Int) -> [UInt8] {
    var (bytes, rest) = ([UInt8](), count)
    repeat {
      let digit = UInt8(rest & 0x7f)
      rest >>= 7
      bytes.append(rest > 0 ? digit | 0x80 : digit)
    } while rest > 0
    return bytes
  }
}
