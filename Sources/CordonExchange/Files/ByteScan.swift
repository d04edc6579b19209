/// Searches and comparisons of bytes, eight at a time.
enum ByteScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// The high bit of every byte that is 0; above the lowest of them also of others.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & 0x8080_8080_8080_8080 }

  @inline(__always)
  private static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }

  /// Goes on to the next byte that is one of two, or to the end.
  /// - Returns: whether a backslash lies before it.
  @inline(__always)
  static func next(
    _ first: UInt8, or second: UInt8, in bytes: UnsafePointer<UInt8>, from k: inout Int, before end: Int
  ) -> Bool {
    let (firsts, seconds) = (ones &* UInt64(first), ones &* UInt64(second))
    var hasBackslash = false
    while k &+ 8 <= end {
      let word = word(bytes + k)
      let found = zeros(word ^ firsts) | zeros(word ^ seconds)
      let backslashes = zeros(word ^ (ones &* 0x5C))
      if found == 0 {
        hasBackslash = hasBackslash || backslashes != 0
        k &+= 8
        continue
      }
      // The bits below the lowest one that was found.
      let before = (found & (0 &- found)) &- 1
      k &+= found.trailingZeroBitCount &>> 3
      return hasBackslash || backslashes & before != 0
    }
    while k < end, bytes[k] != first, bytes[k] != second {
      hasBackslash = hasBackslash || bytes[k] == 0x5C
      k &+= 1
    }
    return hasBackslash
  }

  /// Whether two stretches of memory hold the same bytes.
  @inline(__always)
  static func isEqual(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, count: Int) -> Bool {
    guard count >= 8 else {
      for k in 0..<count where a[k] != b[k] { return false }
      return true
    }
    var k = 0
    while k &+ 8 <= count {
      if word(a + k) != word(b + k) { return false }
      k &+= 8
    }
    // The last eight bytes, some of which were compared already.
    return word(a + (count &- 8)) == word(b + (count &- 8))
  }
}
