/// Names of devices for files that name none: the name of the file, numbered when another device is called so.
struct TraceNames {
  private var taken: Set<String> = []

  /// Keeps a name for a device that has it from its file.
  mutating func reserve(_ name: String) { taken.insert(name) }

  /// The name for one more input.
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

  /// The name of a file without `.gz` and without its last ending: other dots belong to the name.
  static func stem(of file: String) -> String {
    var stem = Substring(file)
    if stem.lowercased().hasSuffix(".gz") { stem = stem.dropLast(3) }
    if let dot = stem.lastIndex(of: ".") { stem = stem[..<dot] }
    return stem.isEmpty ? "trace" : String(stem)
  }
}
