import CordonCore

/// Looks for 64-bit patterns, and for two of them side by side, big-endian as SQLite writes them, at every byte of a file.
struct ByteScanner {
  private var likely = [Bool](repeating: false, count: 1 << 16)
  private var patterns: Set<UInt64> = []
  /// What follows a first half.
  private var pairs: [UInt64: Set<UInt64>] = [:]

  mutating func add(_ pattern: UInt64) {
    patterns.insert(pattern)
    likely[Int(pattern & 0xffff)] = true
  }

  /// Looks for `first` with `second` right behind it.
  mutating func add(_ first: UInt64, _ second: UInt64) {
    pairs[first, default: []].insert(second)
    likely[Int(first & 0xffff)] = true
  }

  var isEmpty: Bool { patterns.isEmpty && pairs.isEmpty }

  /// How often patterns are there, and how often pairs.
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

/// How a place lies in the files: longitude and latitude are columns side by side, on the phone as numbers of eight bytes, on
/// the server as numbers of four. Either alone is also that of many other places.
struct PlacePattern: Hashable {
  let longitude: UInt64
  let latitude: UInt64
  /// As the server writes it: degrees times 1e7.
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
