public import CordonCore

/// The runtime's source of random numbers, for the back-off and the pseudonyms of new devices.
public enum RandomSource: RandomNumberGenerator, Sendable {
  /// The operating system's.
  case system
  /// A repeatable stream.
  case stream(RandomStream)

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    switch self {
    case .system:
      var generator = SystemRandomNumberGenerator()
      return generator.next()
    case .stream(var stream):
      let value = stream.next()
      self = .stream(stream)
      return value
    }
  }

  /// A number in 0 ..< 1.
  package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a source for another purpose, whose use does not change the numbers of this one.
  package func branch(_ stream: UInt32) -> RandomSource {
    switch self {
    case .system: .system
    case .stream(let own): .stream(own.branch(stream))
    }
  }

  /// Returns a new pseudonym: a random UUID (RFC 9562, version 4).
  public mutating func nextDeviceID() -> DeviceID {
    let high = next() & 0xffff_ffff_ffff_0fff | 0x4000
    let low = next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    // A UUID's text is always a valid identifier.
    return DeviceID(FixID(high: high, low: low).description) ?? nextDeviceID()
  }
}
