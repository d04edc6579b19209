/// Names of files inside a bundle.
enum BundleName {
  /// The interpretation of a name in an archive.
  enum Verdict: Equatable {
    /// A file of the map, by its path with forward slashes.
    case file(String)
    /// A folder, or a file that an operating system left behind.
    case ignored
    /// A name that leads out of the bundle.
    case unsafe
  }

  /// Classifies a name as it appears in an archive.
  static func judge(_ name: String) -> Verdict {
    let slashed = String(name.map { $0 == "\\" ? "/" : $0 })
    let scalars = slashed.unicodeScalars
    if scalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) { return .unsafe }
    if slashed.hasPrefix("/") { return .unsafe }
    if slashed.utf8.count >= 2, slashed.utf8.dropFirst().first == 0x3A { return .unsafe }
    var parts: [Substring] = []
    for part in slashed.split(separator: "/", omittingEmptySubsequences: true) {
      if part == ".." { return .unsafe }
      if part != "." { parts.append(part) }
    }
    guard let last = parts.last, !slashed.hasSuffix("/") else { return .ignored }
    if parts.contains("__MACOSX") || last.hasPrefix("._") || last.hasPrefix(".") { return .ignored }
    return .file(parts.joined(separator: "/"))
  }

  /// Checks by the extension whether a file can be part of a map: JSON or GeoJSON.
  static func isMapFile(_ name: String) -> Bool {
    let lower = name.lowercased()
    return lower.hasSuffix(".json") || lower.hasSuffix(".geojson")
  }

  /// Returns the leading folders that all names share, with the last slash; empty if there are none.
  static func commonFolder(of names: [String]) -> String {
    guard let first = names.first, names.allSatisfy({ $0.contains("/") }) else { return "" }
    var folder = ""
    var rest = first[...]
    while let slash = rest.firstIndex(of: "/") {
      let longer = folder + rest[...slash]
      guard names.allSatisfy({ $0.hasPrefix(longer) }) else { break }
      folder = longer
      rest = rest[rest.index(after: slash)...]
    }
    return folder
  }
}
