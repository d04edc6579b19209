package import CordonCore
internal import CordonGeometry
import CordonOverlays
import CordonSupport
package import CordonVenues

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The venues that a server serves.
package struct VenueCatalog: Sendable {
  /// By identifier.
  package private(set) var venues: [VenueID: ServedVenue]
  /// Which file or folder a venue was read from.
  private var sources: [String: VenueID] = [:]

  /// Bundles with the same identifier; the server cannot know which of them is right.
  package private(set) var conflicts: [Conflict] = []

  /// Two bundles of one folder with one identifier.
  package struct Conflict: Error, Hashable, Sendable, CustomStringConvertible {
    /// The identifier.
    package var venue: VenueID
    /// The files, in order.
    package var paths: [String]
    /// Names all files.
    package var description: String {
      "\(paths.joined(separator: ", ")): all are the venue \(venue); leave one of them in the folder"
    }
  }

  /// What kept a bundle of a folder from being served.
  package struct Refused: Hashable, Sendable {
    /// The file or folder.
    package var path: String
    /// Why.
    package var reason: String
  }

  /// Venues; of two with one identifier the first counts.
  package init(_ venues: [ServedVenue] = []) {
    self.venues = Dictionary(venues.map { ($0.id, $0) }) { first, _ in first }
  }

  /// The identifiers, in order.
  package var ids: [VenueID] { venues.keys.sorted() }

  subscript(id: VenueID) -> ServedVenue? { venues[id] }

  /// Loads every bundle of a folder with its overlay, in order of their names. One that cannot be read costs only itself;
  /// where a former catalogue has the venue that was in it, that one is served on. Where several have one identifier, the
  /// catalogue names them as ``conflicts``. An overlay without a map is refused, because its map may have another name.
  package static func load(
    folder: String, recording: RecordingPolicy = RecordingPolicy(), boundary: BoundaryChoice = .buildings,
    keeping former: VenueCatalog = VenueCatalog()
  ) -> (catalog: VenueCatalog, refused: [Refused]) {
    guard let names = entries(of: folder) else { return (VenueCatalog(), [Refused(path: folder, reason: "no folder")]) }
    var venues: [ServedVenue] = []
    var paths: [VenueID: [String]] = [:]
    var sources: [String: VenueID] = [:]
    var kept: [ServedVenue] = []
    var refused: [Refused] = []
    let maps = names.filter { !OverlaidVenue.isOverlay($0) }
    let expected = Set(maps.map(OverlaidVenue.overlayPath))
    for name in names where OverlaidVenue.isOverlay(name) && !expected.contains(name) {
      refused.append(
        Refused(path: folder + "/" + name, reason: "this overlay belongs to no map of the folder: NAME.overlay.yaml"))
    }
    for name in maps {
      let path = folder + "/" + name
      do {
        let loaded = try OverlaidVenue.load(path: path)
        // An app that packs the map itself would not know the rules of the overlay.
        let bundle = loaded.overlay == nil ? path : nil
        let served = try serve(loaded.venue, path: bundle, recording: recording, boundary: boundary)
        venues.append(served)
        paths[served.id, default: []].append(path)
        sources[path] = served.id
      } catch {
        let before = former.sources[path].flatMap { former[$0] }
        refused.append(Refused(path: path, reason: "\(error)" + (before == nil ? "" : "; the former one is served on")))
        guard let before else { continue }
        kept.append(before)
        sources[path] = before.id
      }
    }
    // After those that were read: what stands in another file by now counts.
    var catalog = VenueCatalog(venues + kept)
    catalog.sources = sources
    catalog.conflicts = paths.filter { $0.value.count > 1 }.map { Conflict(venue: $0.key, paths: $0.value) }
      .sorted { $0.venue < $1.venue }
    return (catalog, refused)
  }

  /// A venue that was made or read elsewhere.
  /// - Parameters:
  ///   - path: the bundle that is handed out, if it is a file.
  ///   - boundary: what counts as in the venue; a map without buildings falls back to its floors, then its spaces.
  ///   - recording: how closely spaces are kept.
  ///   - venue: the venue.
  package static func serve(
    _ venue: Venue, path: String? = nil, recording: RecordingPolicy = RecordingPolicy(),
    boundary: BoundaryChoice = .buildings
  ) throws -> ServedVenue {
    var packing: VenuePacking?
    if boundary == .buildings {
      for choice in [BoundaryChoice.buildings, .floors] where packing == nil {
        packing = try? venue.packing(boundary: choice, recording: recording)
      }
      if packing == nil { packing = try venue.packing(boundary: .spaces, recording: recording) }
    }
    let chosen = try packing ?? venue.packing(boundary: boundary, recording: recording)
    var served = try ServedVenue(
      packed: chosen.venue, name: venue.name.text() ?? venue.id.rawValue, bundle: path.flatMap(bundle(at:)))
    served.findings = chosen.findings
    served.document = PlanDocument(venue, packed: chosen.venue)
    return served
  }

  private static func entries(of folder: String) -> [String]? {
    guard let handle = opendir(folder) else { return nil }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
          String(cString: $0)
        }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func bundle(at path: String) -> ServedVenue.Bundle? {
    let lower = path.lowercased()
    let mediaType =
      lower.hasSuffix(".zip") ? "application/zip" : lower.hasSuffix("json") ? "application/geo+json" : nil
    guard let mediaType, let bytes = FileReader.read(path) else { return nil }
    return ServedVenue.Bundle(bytes: bytes, mediaType: mediaType, hash: SHA256.hexDigest(of: bytes))
  }
}
