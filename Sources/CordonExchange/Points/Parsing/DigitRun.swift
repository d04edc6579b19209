/// Runs of decimal digits, eight bytes at a time.
///
/// Numbers of one column have different lengths, so a loop over bytes ends at a place that the processor cannot foresee. Here the
/// place of the first other byte is computed. Source: Lemire, "Number Parsing at a Gigabyte per Second" (2021), section 3.
enum DigitRun {
  private static let zeros: UInt64 = 0x3030_3030_3030_3030
  private static let high: UInt64 = 0x8080_8080_8080_8080

  /// Appends digits to a number, and goes on to the byte after them. Numbers of 20 digits or more are taken modulo 2^64.
  @inline(__always)
  static func read(_ bytes: UnsafePointer<UInt8>, at k: inout Int, before end: Int, into value: inout UInt64) {
    while k &+ 8 <= end {
      let word = UInt64(littleEndian: UnsafeRawPointer(bytes + k).loadUnaligned(as: UInt64.self)) ^ zeros
      // The high bit of a byte that is not a digit; a sum carries into the bytes behind the first of them only.
      let others = ((word &+ 0x7676_7676_7676_7676) | word) & high
      guard others != 0 else {
        value = value &* 100_000_000 &+ number(word)
        k &+= 8
        continue
      }
      let count = others.trailingZeroBitCount &>> 3
      guard count > 0 else { return }
      // The digits move to the end, with zeros before them.
      value = value &* power(count) &+ number(word &<< UInt64(truncatingIfNeeded: 64 &- count &* 8))
      k &+= count
      return
    }
    while k < end {
      let digit = bytes[k] &- 0x30
      guard digit < 10 else { return }
      value = value &* 10 &+ UInt64(digit)
      k &+= 1
    }
  }

  /// The number of eight digits, the first one in the lowest byte.
  @inline(__always)
  private static func number(_ digits: UInt64) -> UInt64 {
    let pairs = digits &* 10 &+ digits &>> 8
    let mask: UInt64 = 0x0000_00FF_0000_00FF
    let upper = (pairs & mask) &* 0x000F_4240_0000_0064
    let lower = (pairs &>> 16 & mask) &* 0x0000_2710_0000_0001
    return (upper &+ lower) &>> 32
  }

  /// Ten to the power of 1 to 7.
  @inline(__always)
  private static func power(_ count: Int) -> UInt64 {
    // Seven and six digits share a factor with three and two: no table, no branch.
    let low: UInt64 = count & 1 == 0 ? 1 : 10
    let middle: UInt64 = count & 2 == 0 ? 1 : 100
    let top: UInt64 = count & 4 == 0 ? 1 : 10_000
    return low &* middle &* top
  }
}
