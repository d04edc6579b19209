/// Several files in one text, for tests and fuzzing. Each file begins with a line `=== NAME`.
package enum BundleText {
  /// Returns the files, or the whole text as one file if there is no such line.
  package static func files(_ bytes: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    let mark = Array("=== ".utf8)
    var files: [(name: String, bytes: [UInt8])] = []
    var current: (name: String, bytes: [UInt8])?
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: mark) {
        if let current { files.append(current) }
        current = (String(decoding: line.dropFirst(mark.count), as: UTF8.self), [])
      } else if current != nil {
        current?.bytes += line
        current?.bytes.append(0x0A)
      }
    }
    if let current { files.append(current) }
    return files.isEmpty ? [("venue.geojson", bytes)] : files
  }
}
