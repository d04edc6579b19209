import CordonCore
import CordonGeometry
import CordonSupport

/// The files of a map from a folder, a zip file, a single file or bytes in memory.
///
/// Names use forward slashes, and a folder that contains everything is stripped. Only JSON and GeoJSON files are kept.
/// A reader opens one file after the other and frees each one with `discard(_:)`. A large map is therefore never
/// completely in memory.
package final class VenueBundle {
  /// The name of the bundle in messages: the path or name by which it was opened.
  package let name: String
  /// SHA-256 over the sorted files (length and name, length and bytes), as 64 hexadecimal digits.
  ///
  /// A zip file and a folder with the same files have the same hash.
  package let contentHash: String
  package let limits: VenueLimits
  /// Names of the files, sorted by their bytes.
  package let names: [String]
  private var contents: [String: [UInt8]]
  private var documents: [String: JSONDocument] = [:]
  /// The names by their lower-case form, for maps that were packed by hand.
  private let nameByLowercase: [String: String]

  init(name: String, files: [(name: String, bytes: [UInt8])], limits: VenueLimits) {
    self.name = name
    self.limits = limits
    let folder = BundleName.commonFolder(of: files.map(\.name))
    var contents: [String: [UInt8]] = [:]
    for file in files { contents[String(file.name.dropFirst(folder.count))] = file.bytes }
    names = contents.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var digest = SHA256()
    for name in names {
      let bytes = contents[name] ?? []
      digest.update("\(name.utf8.count) \(name) \(bytes.count) ")
      digest.update(bytes)
    }
    contentHash = digest.finalizeHex()
    self.contents = contents
    nameByLowercase = Dictionary(names.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Checks whether the bundle has a file; the case of the name does not matter.
  package func contains(_ name: String) -> Bool { resolve(name) != nil }

  /// Returns the name with the case of the bundle; `nil` if there is no such file.
  func resolve(_ name: String) -> String? {
    nameByLowercase[name] ?? nameByLowercase[name.lowercased()]
  }

  /// Returns the files below a folder, sorted.
  package func files(in folder: String) -> [String] {
    let prefix = folder.lowercased() + "/"
    return names.filter { $0.lowercased().hasPrefix(prefix) }
  }

  /// Returns the parsed file, which is kept until it is discarded.
  /// - Throws: `VenueError` with the code `missing-file`, or an error of the parser.
  package func document(_ name: String) throws(VenueError) -> JSONDocument {
    guard let actual = resolve(name) else {
      throw VenueError(code: "missing-file", file: name, message: "the bundle has no such file")
    }
    if let document = documents[actual] { return document }
    guard contents[actual]?.starts(with: PackedVenue.signature) != true else {
      throw VenueError(
        code: "packed-venue", file: self.name,
        message: "is a packed venue, which holds less than a map; give the map it was packed from "
          + "(cordon venue info, locate and geofence read it)")
    }
    let document = try JSONDocument(contents[actual] ?? [], file: actual, limits: limits)
    documents[actual] = document
    return document
  }

  /// Frees a file that is not read again.
  func discard(_ name: String) {
    guard let actual = resolve(name) else { return }
    documents[actual] = nil
    contents[actual] = nil
  }
}
