/// Names for devices of files without device names: the name of the file, with a number if another device has that
/// name.
struct TraceNames {
  private var taken: Set<String> = []

  /// Reserves a name that a device has from its file.
  mutating func reserve(_ name: String) { taken.insert(name) }

  /// Returns the name for another input.
  mutating func name(for file: String) -> (name: String, isNumbered: Bool) {
    let stem = TraceNames.stem(of: file)
    var name = stem
    var number = 1
    while !taken.insert(name).inserted {
      number += 1
      name = "\(stem)-\(number)"
    }
    return (name, number > 1)
  }

  /// Returns the name of a file without `.gz` and without its last extension; other dots belong to the name.
  static func stem(of file: String) -> String {
    var stem = Substring(file)
    if stem.lowercased().hasSuffix(".gz") { stem = stem.dropLast(3) }
    if let dot = stem.lastIndex(of: ".") { stem = stem[..<dot] }
    return stem.isEmpty ? "trace" : String(stem)
  }
}
