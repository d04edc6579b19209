package import Foundation

extension Data {
  /// Whether a sequence of bytes occurs, such as one that must be erased; `false` for an empty one.
  ///
  /// `range(of:)` compares byte by byte through Swift's collections: searching a store for thousands of sequences takes minutes.
  package func contains(bytes sought: some Sequence<UInt8>) -> Bool {
    let sought = [UInt8](sought)
    guard let first = sought.first else { return false }
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      var at = 0
      // The places of the first byte, one after the other.
      while at + sought.count <= bytes.count,
        let found = memchr(base + at, Int32(first), bytes.count - at - sought.count + 1)
      {
        if memcmp(found, sought, sought.count) == 0 { return true }
        at = UnsafeRawPointer(found) - base + 1
      }
      return false
    }
  }
}
