import CordonCore

// Written with every stored location, so it is short: one version byte, then LEB128 numbers and counted text.
extension MonitorState {
  /// The reasons, in the order of their counts in the bytes.
  private static let reasons = RefusalReason.allCases

  /// Returns the bytes that ``init(decoding:)`` reads. They hold no secrets.
  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(96)
    // The fifth version has the consent for places outside of venues. Older programs read all other states.
    bytes.append(consent?.everywhere == nil ? 4 : 5)
    var flags: UInt64 = 0
    if isStarted { flags |= 1 }
    if consent != nil { flags |= 2 }
    if isPaused { flags |= 4 }
    if pausedUntil != nil { flags |= 8 }
    if isActivated { flags |= 16 }
    if isConsentUnsent { flags |= 32 }
    if isConsentKnown { flags |= 64 }
    if wasActivated { flags |= 128 }
    bytes.put(flags)
    if let consent {
      bytes.put(UInt64(consent.purposes.rawValue))
      for grant in [consent.record, consent.share, consent.everywhere] {
        guard let grant else { continue }
        bytes.put(text: grant.version)
        bytes.put(signed: grant.time.milliseconds)
      }
    }
    if let pausedUntil { bytes.put(signed: pausedUntil.milliseconds) }
    let a = accounting
    let reasons = MonitorState.reasons
    // A number takes at most ten bytes.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 10 * (14 + reasons.count)) { room in
      var end = 0
      func put(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
          room[end] = UInt8(truncatingIfNeeded: rest) | 0x80
          end &+= 1
          rest >>= 7
        }
        room[end] = UInt8(truncatingIfNeeded: rest)
        end &+= 1
      }
      put(a.fixes)
      put(a.thinned)
      put(a.held)
      put(a.stored)
      put(a.acknowledged)
      put(a.quarantined)
      put(a.expiredByAge)
      put(a.expiredByRows)
      put(a.expiredByBytes)
      put(a.expiredByKey)
      put(a.erased)
      put(a.mocked)
      put(UInt64(reasons.count))
      for reason in reasons { put(a[reason]) }
      put(UInt64(erasures.count))
      bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: room[..<end]))
    }
    for erasure in erasures {
      bytes.put(text: erasure.device.rawValue)
      bytes.put(UInt64(erasure.attempts))
      bytes.put(erasure.mayHaveRows ? 1 : 0)
      bytes.append(erasure.sink.number)
    }
    return bytes
  }

  /// Decodes a state; `nil` when the bytes are not a state of a known version.
  package init?(decoding bytes: [UInt8]) {
    var reader = StateReader(bytes: bytes)
    guard let format = reader.byte(), (1...5).contains(format), let flags = reader.number() else { return nil }
    isStarted = flags & 1 != 0
    isPaused = flags & 4 != 0
    isActivated = flags & 16 != 0
    isConsentUnsent = flags & 32 != 0
    isConsentKnown = flags & 64 != 0
    if flags & 2 != 0 {
      guard let consent = format == 1 ? reader.oldConsent() : reader.consent() else { return nil }
      self.consent = consent
    }
    if flags & 8 != 0 {
      guard let until = reader.signed() else { return nil }
      pausedUntil = Instant(milliseconds: until)
    }
    var numbers: [UInt64] = []
    for _ in 0..<(format == 1 ? 11 : 13) {
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
    if format == 1 {
      accounting.erased = numbers[9]
    } else {
      accounting.expiredByKey = numbers[9]
      accounting.erased = numbers[10]
      accounting.mocked = numbers[11]
    }
    // The counts follow the order of the reasons; new reasons are added at the end.
    guard let reasons = numbers.last, reasons <= UInt64(RefusalReason.allCases.count) else { return nil }
    for reason in RefusalReason.allCases.prefix(Int(reasons)) {
      guard let count = reader.number() else { return nil }
      accounting[reason] = count
    }
    guard let count = reader.number(), count <= 1_000 else { return nil }
    for _ in 0..<count {
      guard let device = reader.text().flatMap(DeviceID.init) else { return nil }
      var secret: String?
      if format == 1 {
        guard let text = reader.text() else { return nil }
        secret = text.isEmpty ? nil : text
      }
      guard let attempts = reader.number() else { return nil }
      var erasure = Erasure(device: device, secret: secret)
      erasure.attempts = Int(min(attempts, 1_000_000))
      if format < 3 {
        erasure.mayHaveRows = accounting.acknowledged > 0
      } else {
        guard let mayHaveRows = reader.number(), mayHaveRows <= 1 else { return nil }
        erasure.mayHaveRows = mayHaveRows == 1
      }
      if format >= 4 {
        guard let sink = reader.byte() else { return nil }
        erasure.sink = SinkID(number: sink)
      }
      erasures.append(erasure)
    }
    // Where older formats lack a field, it gets the value that promises least.
    wasActivated = format < 3 ? isActivated || accounting.acknowledged > 0 : flags & 128 != 0
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

  /// Decodes a consent of the format in which all purposes share one version.
  mutating func oldConsent() -> Consent? {
    guard let version = text(), let purposes = number(), let time = signed() else { return nil }
    return Consent(
      version: version, purposes: Consent.Purposes(rawValue: UInt8(truncatingIfNeeded: purposes)),
      time: Instant(milliseconds: time))
  }

  mutating func consent() -> Consent? {
    guard let bits = number() else { return nil }
    let purposes = Consent.Purposes(rawValue: UInt8(truncatingIfNeeded: bits))
    var consent = Consent(record: nil, share: nil)
    for purpose in [Consent.Purposes.record, .share, .everywhere] where purposes.contains(purpose) {
      guard let version = text(), let time = signed() else { return nil }
      let grant = Consent.Grant(version: version, time: Instant(milliseconds: time))
      switch purpose {
      case .record: consent.record = grant
      case .share: consent.share = grant
      default: consent.everywhere = grant
      }
    }
    return consent
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
