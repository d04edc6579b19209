import CordonCore

/// Searches a file for 64-bit patterns, and for adjacent pairs of them, big-endian as SQLite writes them, at every
/// byte.
struct ByteScanner {
  private var likely = [Bool](repeating: false, count: 1 << 16)
  private var patterns: Set<UInt64> = []
  /// The second patterns by their first ones.
  private var pairs: [UInt64: Set<UInt64>] = [:]

  mutating func add(_ pattern: UInt64) {
    patterns.insert(pattern)
    likely[Int(pattern & 0xffff)] = true
  }

  /// Searches for `first` directly followed by `second`.
  mutating func add(_ first: UInt64, _ second: UInt64) {
    pairs[first, default: []].insert(second)
    likely[Int(first & 0xffff)] = true
  }

  var isEmpty: Bool { patterns.isEmpty && pairs.isEmpty }

  /// Returns the numbers of patterns and pairs in the bytes.
  func found(in bytes: UnsafeBufferPointer<UInt8>) -> (patterns: Int, pairs: Int) {
    var result = (patterns: 0, pairs: 0)
    guard !isEmpty, bytes.count >= 8 else { return result }
    var window: UInt64 = 0
    for index in 0..<bytes.count {
      window = window << 8 | UInt64(bytes[index])
      guard index >= 7, likely[Int(window & 0xffff)] else { continue }
      if patterns.contains(window) { result.patterns += 1 }
      guard let seconds = pairs[window], index + 8 < bytes.count else { continue }
      if seconds.contains(bytes[(index + 1)...(index + 8)].reduce(0) { $0 << 8 | UInt64($1) }) { result.pairs += 1 }
    }
    return result
  }
}

/// The bytes of a place in the files. Longitude and latitude are adjacent columns, of eight bytes on the phone and of
/// four on the server. Either number alone also occurs in many other places.
struct PlacePattern: Hashable {
  let longitude: UInt64
  let latitude: UInt64
  /// The server's pattern: degrees times 1e7.
  let ofServer: UInt64

  init(_ coordinate: Coordinate) {
    longitude = coordinate.longitude.bitPattern
    latitude = coordinate.latitude.bitPattern
    func scaled(_ degrees: Double) -> UInt64 {
      UInt64(UInt32(bitPattern: Int32((min(max(degrees, -180), 180) * 1e7).rounded())))
    }
    ofServer = scaled(coordinate.longitude) << 32 | scaled(coordinate.latitude)
  }
}
