import CordonCore

// Written with every stored location, so it is short: one version byte, then LEB128 numbers and counted text.
extension MonitorState {
  /// The bytes that ``init(decoding:)`` reads.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(96)
    bytes.append(1)
    var flags: UInt64 = 0
    if isStarted { flags |= 1 }
    if consent != nil { flags |= 2 }
    if isPaused { flags |= 4 }
    if pausedUntil != nil { flags |= 8 }
    if isActivated { flags |= 16 }
    bytes.put(flags)
    if let consent {
      bytes.put(text: consent.version)
      bytes.put(UInt64(consent.purposes.rawValue))
      bytes.put(signed: consent.time.milliseconds)
    }
    if let pausedUntil { bytes.put(signed: pausedUntil.milliseconds) }
    let a = accounting
    bytes.put(a.fixes)
    bytes.put(a.thinned)
    bytes.put(a.held)
    bytes.put(a.stored)
    bytes.put(a.acknowledged)
    bytes.put(a.quarantined)
    bytes.put(a.expiredByAge)
    bytes.put(a.expiredByRows)
    bytes.put(a.expiredByBytes)
    bytes.put(a.erased)
    bytes.put(UInt64(RefusalReason.allCases.count))
    for reason in RefusalReason.allCases { bytes.put(a[reason]) }
    bytes.put(UInt64(erasures.count))
    for erasure in erasures {
      bytes.put(text: erasure.device.rawValue)
      bytes.put(text: erasure.secret ?? "")
      bytes.put(UInt64(erasure.attempts))
    }
    return bytes
  }

  /// `nil` when the bytes are not a state of a version that is known.
  public init?(decoding bytes: [UInt8]) {
    var reader = StateReader(bytes: bytes)
    guard reader.byte() == 1, let flags = reader.number() else { return nil }
    isStarted = flags & 1 != 0
    isPaused = flags & 4 != 0
    isActivated = flags & 16 != 0
    if flags & 2 != 0 {
      guard let version = reader.text(), let purposes = reader.number(), let time = reader.signed() else { return nil }
      consent = Consent(
        version: version, purposes: Consent.Purposes(rawValue: UInt8(truncatingIfNeeded: purposes)),
        time: Instant(milliseconds: time))
    }
    if flags & 8 != 0 {
      guard let until = reader.signed() else { return nil }
      pausedUntil = Instant(milliseconds: until)
    }
    var numbers: [UInt64] = []
    for _ in 0..<11 {
      guard let number = reader.number() else { return nil }
      numbers.append(number)
    }
    accounting.fixes = numbers[0]
    accounting.thinned = numbers[1]
    accounting.held = numbers[2]
    accounting.stored = numbers[3]
    accounting.acknowledged = numbers[4]
    accounting.quarantined = numbers[5]
    accounting.expiredByAge = numbers[6]
    accounting.expiredByRows = numbers[7]
    accounting.expiredByBytes = numbers[8]
    accounting.erased = numbers[9]
    // The reasons are written in their order, and new ones are added at the end.
    guard numbers[10] <= UInt64(RefusalReason.allCases.count) else { return nil }
    for reason in RefusalReason.allCases.prefix(Int(numbers[10])) {
      guard let count = reader.number() else { return nil }
      accounting[reason] = count
    }
    guard let count = reader.number(), count <= 1_000 else { return nil }
    for _ in 0..<count {
      guard let device = reader.text().flatMap(DeviceID.init), let secret = reader.text(),
        let attempts = reader.number()
      else { return nil }
      var erasure = Erasure(device: device, secret: secret.isEmpty ? nil : secret)
      erasure.attempts = Int(min(attempts, 1_000_000))
      erasures.append(erasure)
    }
    guard reader.isAtEnd else { return nil }
  }
}

extension [UInt8] {
  fileprivate mutating func put(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  fileprivate mutating func put(signed number: Int64) {
    put(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  fileprivate mutating func put(text: String) {
    put(UInt64(text.utf8.count))
    append(contentsOf: text.utf8)
  }
}

private struct StateReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func byte() -> UInt8? {
    guard position < bytes.count else { return nil }
    position += 1
    return bytes[position - 1]
  }

  mutating func number() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = byte() else { return nil }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  mutating func signed() -> Int64? {
    number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
  }

  mutating func text() -> String? {
    guard let count = number(), count <= UInt64(bytes.count - position) else { return nil }
    defer { position += Int(count) }
    return String(validating: bytes[position..<position + Int(count)], as: UTF8.self)
  }
}
