/// The identity of a fix: a UUID in version-7 layout.
///
/// The first 48 bits are the time of the fix in milliseconds, so identifiers sort by time. The other 74 free bits are
/// a keyed SipHash-128 of the contents. A fix that is delivered twice, or sent by a client without identifiers, has
/// the same identity.
public struct FixID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first eight bytes, big-endian.
  public let high: UInt64
  /// The last eight bytes, big-endian.
  public let low: UInt64

  /// The common hash key of devices and servers. It is not a secret: it makes the identities of equal fixes equal
  /// everywhere.
  public static let commonKey: (UInt64, UInt64) = (0x636f_7264_6f6e_2e66, 0x6978_2e69_642e_7631)

  /// Makes an identifier of its halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Computes the identity of a fix of one device.
  ///
  /// Coordinates count as whole 1e-7 degrees and accuracy as whole millimetres, so that a number that went through a
  /// text format keeps its identity.
  /// - Parameters:
  ///   - accuracy: the radius at 68 % in metres, or `nil` when unknown.
  ///   - time: the time of the measurement.
  ///   - device: the device that measured.
  ///   - coordinate: the position, as it is stored.
  ///   - key: the key of the hash; equal identities need equal keys.
  ///   - floor: the floor; `nil` when unknown.
  public init(
    device: DeviceID, time: Instant, coordinate: Coordinate, accuracy: Double?, floor: FloorOrdinal?,
    key: (UInt64, UInt64) = FixID.commonKey
  ) {
    var hash = SipHash128(key: key)
    hash.combine(word: UInt64(bitPattern: time.milliseconds))
    hash.combine(word: FixID.scaled(coordinate.longitude, by: 1e7))
    hash.combine(word: FixID.scaled(coordinate.latitude, by: 1e7))
    hash.combine(word: accuracy.map { FixID.scaled($0, by: 1e3) } ?? UInt64.max)
    hash.combine(word: floor.map { UInt64(bitPattern: Int64($0.thousandths)) } ?? UInt64.max)
    hash.combine(bytes: device.rawValue.utf8)
    let digest = hash.finalize()
    let clamped = UInt64(min(max(time.milliseconds, 0), 0xffff_ffff_ffff))
    high = clamped << 16 | 0x7000 | digest.high & 0x0fff
    low = 0x8000_0000_0000_0000 | digest.low & 0x3fff_ffff_ffff_ffff
  }

  /// Reads the 36-character form; `nil` for anything else. Letters may be upper or lower case.
  public init?(_ text: String) {
    guard text.utf8.count == 36 else { return nil }
    var halves: (UInt64, UInt64) = (0, 0)
    var digits = 0
    for (position, byte) in text.utf8.enumerated() {
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let value: UInt64
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = UInt64(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = UInt64(byte - UInt8(ascii: "A") + 10)
      default: return nil
      }
      if digits < 16 { halves.0 = halves.0 << 4 | value } else { halves.1 = halves.1 << 4 | value }
      digits += 1
    }
    self.init(high: halves.0, low: halves.1)
  }

  /// The time of the fix, for times from 1970 to the year 10889.
  public var time: Instant { Instant(milliseconds: Int64(high >> 16)) }

  /// The order of the bytes, which is that of time for different milliseconds.
  public static func < (lhs: FixID, rhs: FixID) -> Bool {
    lhs.high == rhs.high ? lhs.low < rhs.low : lhs.high < rhs.high
  }

  /// The 36 characters of a UUID, lower case.
  public var description: String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      var position = 0
      for index in 0..<32 {
        if index == 8 || index == 12 || index == 16 || index == 20 {
          buffer[position] = UInt8(ascii: "-")
          position += 1
        }
        let half = index < 16 ? high : low
        let digit = UInt8(truncatingIfNeeded: half >> UInt64(4 * (15 - index & 15))) & 15
        buffer[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        position += 1
      }
      return 36
    }
  }

  private static func scaled(_ value: Double, by factor: Double) -> UInt64 {
    let rounded = (value * factor).rounded()
    guard abs(rounded) < 9e18 else { return 0x8000_0000_0000_0000 }  // also NaN and infinities
    return UInt64(bitPattern: Int64(rounded))
  }
}
