import CordonCore
import CordonGeometry
import CordonVenues
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The public bundles beside the package.
enum SampleVenues {
  /// The folder above the package that holds them, from the place of this file.
  static let folder: String = {
    let parts = #filePath.split(separator: "/").dropLast(4)
    return "/" + parts.joined(separator: "/") + "/shared/venues"
  }()

  static let isPresent = access(folder, R_OK) == 0

  static let albert = folder + "/410-albert-mvf1"
  static let school = folder + "/mappedin-school-mvf3/school-demo-multifloor-mvfv3.zip"
  static let office = folder + "/mappedin-office-mvf3/office-demo_mvf-v3.zip"
  static let gare = folder + "/gare-de-l-est-osm/gare-de-l-est.geojson"
  static let westport = folder + "/westport-house-wrld"
}

@Suite(.enabled(if: SampleVenues.isPresent, "the public bundles are not beside the package"))
struct SampleVenueTests {
  @Test(arguments: [
    SampleVenues.albert, SampleVenues.school, SampleVenues.office, SampleVenues.gare, SampleVenues.westport,
  ])
  func everySampleLoads(path: String) throws {
    let loaded = try VenueLoader.load(path: path)
    let venue = loaded.venue
    print(venue.id, venue.format, venue.formatVersion ?? "-", venue.contentHash)
    print(
      "floors", venue.floors.map { "\($0.id) \($0.ordinal) \($0.name.text() ?? "") out=\($0.outline != nil)" })
    print("buildings", venue.buildings.map { "\($0.id) \($0.floors.count) \($0.outline != nil)" })
    print(
      "spaces", venue.spaces.count, "walls", venue.walls.count, "obstructions", venue.obstructions.count, "furniture",
      venue.furniture.count, "openings", venue.openings.count, "connections", venue.connections.count, "poi",
      venue.pointsOfInterest.count, "nodes", venue.graph?.nodes.count ?? -1, "edges", venue.graph?.edges.count ?? -1)
    var sides: [String: Int] = [:]
    for opening in venue.openings { sides["\(opening.spaces.count) entrance=\(opening.isEntrance)", default: 0] += 1 }
    print("sides", sides.sorted { $0.key < $1.key })
    var kinds: [String: Int] = [:]
    for space in venue.spaces { kinds[space.kind.rawValue, default: 0] += 1 }
    print("kinds", kinds.sorted { $0.key < $1.key })
    var codes: [String: Int] = [:]
    for finding in loaded.findings { codes["\(finding.severity) \(finding.code)", default: 0] += 1 }
    print("findings", codes.sorted { $0.key < $1.key })
    for connection in venue.connections.prefix(3) { print(connection) }
    #expect(!venue.spaces.isEmpty)
  }
}
