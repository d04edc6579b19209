import CordonSupport
package import CordonVenues
import CordonYAML

/// Which overlay a venue gets.
package enum OverlayChoice: Hashable, Sendable {
  /// The file `NAME.overlay.yaml` beside the map, if there is one.
  case besideMap
  /// A file by its path.
  case file(String)
  /// None, even if there is one beside the map.
  case none
}

/// A venue with its overlay.
package struct OverlaidVenue: Sendable {
  /// The file of an overlay.
  package struct File: Hashable, Sendable {
    /// The path.
    package var path: String
    /// SHA-256 of its bytes, as 64 hexadecimal digits.
    package var sha256: String
  }

  /// The venue with the changes of the overlay. Its `contentHash` covers the map and the overlay.
  package var venue: Venue
  /// The findings of the map's reader.
  package var findings: [VenueFinding]
  /// The overlay; `nil` for none.
  package var overlay: File?
  /// The venue without the overlay.
  package var map: Venue
  /// The changes of the overlay; empty without one.
  package var changes = VenueOverlay()
  /// The text of the overlay; empty without one.
  package var text = ""

  /// The venue without the changes of the overlay, except that its floors are moved.
  ///
  /// Positions in an overlay are those after the moves.
  package var movedMap: Venue {
    var moves = VenueOverlay()
    moves.moves = changes.moves
    // The moves were applied once already, so they cannot fail.
    return (try? moves.applied(to: map)) ?? map
  }

  /// The suffix of an overlay beside its map.
  package static let suffix = ".overlay.yaml"
  /// A suffix that people write instead. Such a file is an error, because an overlay must not be left out by mistake.
  private static let wrongSuffix = ".overlay.yml"

  /// Whether a file is an overlay, by its name, even if its suffix is written in another way.
  package static func isOverlay(_ path: String) -> Bool {
    let path = path.lowercased()
    return path.hasSuffix(suffix) || path.hasSuffix(wrongSuffix)
  }

  /// Loads a map and its overlay.
  /// - Throws: `VenueError` for a map that cannot be used. The code is `overlay` for an overlay that cannot be read, or that
  ///   names a part that the map does not have; the message begins with the line. Nothing of it is applied then.
  package static func load(
    path: String, overlay: OverlayChoice = .besideMap, options: VenueReadOptions = VenueReadOptions()
  ) throws(VenueError) -> OverlaidVenue {
    let loaded = try VenueLoader.load(path: path, options: options)
    guard let file = try file(of: path, choice: overlay) else {
      return OverlaidVenue(venue: loaded.venue, findings: loaded.findings, map: loaded.venue)
    }
    let bytes = try FileAccess.read(file, atMost: YAMLNode.maximumTextLength)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw VenueError(code: "overlay", file: file, message: "the overlay is not text in UTF-8")
    }
    let (venue, changes) = try changed(loaded.venue, text: text, file: file)
    var result = OverlaidVenue(
      venue: venue, findings: loaded.findings, overlay: File(path: file, sha256: SHA256.hexDigest(of: bytes)),
      map: loaded.venue, changes: changes, text: text)
    result.venue.contentHash = hash(map: loaded.venue.contentHash, overlay: result.overlay?.sha256 ?? "")
    return result
  }

  /// Applies the text of an overlay.
  package static func overlaid(_ venue: Venue, text: String, file: String) throws(VenueError) -> Venue {
    try changed(venue, text: text, file: file).venue
  }

  private static func changed(
    _ venue: Venue, text: String, file: String
  ) throws(VenueError) -> (venue: Venue, changes: VenueOverlay) {
    do {
      let changes = try VenueOverlay(parsing: text)
      return (try changes.applied(to: venue), changes)
    } catch let fault as YAMLFault {
      let place = [fault.line > 0 ? "line \(fault.line)" : "", fault.path].filter { !$0.isEmpty }
      throw VenueError(code: "overlay", file: file, message: (place + [fault.message]).joined(separator: ": "))
    } catch {
      throw VenueError(code: "overlay", file: file, message: "the overlay cannot be read")
    }
  }

  private static func hash(map: String, overlay: String) -> String {
    SHA256.hexDigest(of: Array("cordon map \(map) overlay \(overlay)".utf8))
  }

  /// Returns the path of the overlay that a map gets; `nil` for none.
  package static func file(of map: String, choice: OverlayChoice) throws(VenueError) -> String? {
    switch choice {
    case .none: return nil
    case .file(let file): return file
    case .besideMap:
      let base = baseName(of: map)
      let wrong = base + wrongSuffix
      guard FileAccess.kind(of: wrong, followingLinks: false) == nil else {
        throw VenueError(
          code: "overlay", file: wrong, message: "an overlay beside a map ends in \(suffix); rename it")
      }
      // A link to a missing file counts: reading it fails, and the map is not used without its overlay.
      return FileAccess.kind(of: base + suffix, followingLinks: false) == nil ? nil : base + suffix
    }
  }

  /// Extensions that are not part of the name of a map.
  private static let extensions = ["zip", "json", "geojson", "mvf", "imdf"]

  /// The path at which the overlay of a map is found: `maps/office.overlay.yaml` for `maps/office.mvf.zip` and `maps/office/`.
  package static func overlayPath(of map: String) -> String { baseName(of: map) + suffix }

  private static func baseName(of map: String) -> String {
    var base = map
    while base.count > 1, base.hasSuffix("/") { base.removeLast() }
    while let dot = base.lastIndex(of: "."), extensions.contains(base[base.index(after: dot)...].lowercased()),
      dot != base.startIndex, base[base.index(before: dot)] != "/"
    {
      base = String(base[..<dot])
    }
    return base
  }
}
