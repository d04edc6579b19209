/// Random numbers that are a pure function of (seed, replica, stream, entity, index).
///
/// The generator is Philox-4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
/// SC11). Any number of a stream can be computed without the earlier ones, so results do not depend on the number of
/// threads or the order of work.
public struct RandomStream: RandomNumberGenerator, Sendable {
  private var key: (UInt32, UInt32)
  private let entity: UInt64
  private var index: UInt64
  private var spare: UInt64?

  /// Starts a stream.
  /// - Parameters:
  ///   - seed: the user's seed.
  ///   - replica: the number of the repetition, from 0.
  ///   - stream: the purpose of the numbers; two purposes must not share a number.
  ///   - entity: the person or device that the numbers belong to.
  ///   - index: the start in the stream, in pairs of 64-bit numbers.
  public init(seed: UInt64, replica: UInt32 = 0, stream: UInt32, entity: UInt64 = 0, index: UInt64 = 0) {
    var mixed = seed &+ 0x9e37_79b9_7f4a_7c15
    for word in [UInt64(replica), UInt64(stream)] {
      mixed = RandomStream.mix(mixed ^ word &* 0xd6e8_feb8_6659_fd93)
    }
    key = (UInt32(truncatingIfNeeded: mixed), UInt32(truncatingIfNeeded: mixed >> 32))
    self.entity = entity
    self.index = index
  }

  /// Returns another stream at the same position. Its numbers are independent of this stream's, and do not advance
  /// it.
  /// - Parameter stream: the purpose of the numbers.
  package func branch(_ stream: UInt32) -> RandomStream {
    var branch = self
    let word = UInt64(key.0) | UInt64(key.1) << 32
    let mixed = RandomStream.mix(word ^ UInt64(stream) &* 0xd6e8_feb8_6659_fd93)
    branch.key = (UInt32(truncatingIfNeeded: mixed), UInt32(truncatingIfNeeded: mixed >> 32))
    branch.spare = nil
    return branch
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    if let value = spare {
      spare = nil
      return value
    }
    let pair = block(at: index)
    index &+= 1
    spare = pair.1
    return pair.0
  }

  /// The pair of 64-bit numbers at a position of the stream.
  public func block(at index: UInt64) -> (UInt64, UInt64) {
    let words = Philox.block(
      counter: (
        UInt32(truncatingIfNeeded: index), UInt32(truncatingIfNeeded: index >> 32),
        UInt32(truncatingIfNeeded: entity), UInt32(truncatingIfNeeded: entity >> 32)
      ), key: key)
    return (UInt64(words.0) | UInt64(words.1) << 32, UInt64(words.2) | UInt64(words.3) << 32)
  }

  /// A number in 0 ..< 1 with 53 random bits.
  public mutating func nextUnit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A number in `range`, uniformly.
  public mutating func nextUniform(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * nextUnit()
  }

  /// A whole number in 0 ..< `bound`; 0 when the bound is less than 1.
  public mutating func nextIndex(below bound: Int) -> Int {
    guard bound > 1 else { return 0 }
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A standard normal number (Box and Muller 1958, the cosine half), from portable arithmetic.
  public mutating func nextNormal() -> Double {
    let radius = (-2 * PortableMath.log(1 - nextUnit())).squareRoot()
    return radius * PortableMath.cos(2 * Double.pi * nextUnit())
  }

  /// An exponential number with the given mean.
  public mutating func nextExponential(mean: Double) -> Double {
    -mean * PortableMath.log(1 - nextUnit())
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}

enum Philox {
  /// Ten rounds of Philox-4x32.
  static func block(
    counter: (UInt32, UInt32, UInt32, UInt32), key: (UInt32, UInt32)
  ) -> (UInt32, UInt32, UInt32, UInt32) {
    var (c0, c1, c2, c3) = counter
    var (k0, k1) = key
    for _ in 0..<10 {
      let first = c0.multipliedFullWidth(by: 0xD251_1F53)
      let second = c2.multipliedFullWidth(by: 0xCD9E_8D57)
      (c0, c1, c2, c3) = (second.high ^ c1 ^ k0, second.low, first.high ^ c3 ^ k1, first.low)
      k0 = k0 &+ 0x9E37_79B9
      k1 = k1 &+ 0xBB67_AE85
    }
    return (c0, c1, c2, c3)
  }
}
