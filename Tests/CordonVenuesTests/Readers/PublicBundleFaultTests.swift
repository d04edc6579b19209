import CordonCore
import CordonGeometry
import CordonVenues
import Testing

/// The faults that the public bundles are known to have are found, all of them.
@Suite(.enabled(if: SampleVenues.isPresent, "the public bundles are not beside the package"))
struct PublicBundleFaultTests {
  @Test func albert() throws {
    let loaded = try VenueLoader.load(path: SampleVenues.albert)
    let venue = loaded.venue
    #expect(
      venue.format == .mvf1 && venue.formatVersion == "1.0.0" && venue.id.rawValue == "mappedin-office-410-albert")
    // 296 spaces: 176 chairs, one Point, the rest rooms and desks.
    #expect(venue.spaces.count == 119 && venue.furniture.count == 176)
    #expect(venue.walls.count + venue.obstructions.count == 104)
    #expect(venue.walls.count == 32)
    #expect(venue.graph?.nodes.count == 250 && venue.graph?.edges.count == 545)
    #expect(loaded.count("dangling-reference") == 25)
    #expect(loaded.findings("dangling-reference").allSatisfy { $0.file == "location.geojson" })
    #expect(loaded.count("space-without-area") == 1 && loaded.count("space-outside-floor") == 1)
    #expect(loaded.count("node-outside-floor") == 6)
    let wound = loaded.findings("ring-winding")
    #expect(wound.count { $0.file.hasPrefix("space/") } == 208)
    #expect(wound.count { $0.file.hasPrefix("obstruction/") } == 79)
    #expect(wound.count { $0.file.hasPrefix("building") || $0.file.hasPrefix("level/") } == 2)
    #expect(loaded.findings("zero-area").count { $0.file.hasPrefix("space/") } == 1)
    #expect(loaded.findings("zero-area").count { $0.file.hasPrefix("obstruction/") } == 6)
    // All 77 entrances resolve once the prefix is added.
    #expect(venue.openings.filter { $0.sourceKind == "entrance" }.flatMap(\.spaces).count >= 75)
    #expect(venue.openings.contains { $0.isEntrance })
    #expect(venue.spaces.contains { $0.kind == .restroom } && venue.spaces.contains { $0.kind == .kitchen })
    #expect(venue.pointsOfInterest.count == 73)
  }

  @Test func school() throws {
    let loaded = try VenueLoader.load(path: SampleVenues.school)
    let venue = loaded.venue
    #expect(venue.format == .mvf3 && venue.timeZone == "America/New_York")
    #expect(venue.floors.map(\.ordinal.description) == ["0", "1", "2", "3"])
    #expect(venue.spaces.count == 223 && venue.walls.count == 936 && venue.openings.count == 240)
    #expect(venue.connections.map(\.landings.count).sorted() == [2, 4, 4])
    #expect(venue.graph?.nodes.count == 23_468)
    // 46 500 of the source, and each door and flight of stairs both ways.
    let joined = 240 * 2 + 2 * 4 * 3 + 2
    #expect(venue.graph?.edges.count == 46_500 + joined)
    #expect(loaded.count("node-outside-floor") == 5_027)
    #expect(loaded.count("index-lists-absent-file") == 3)
    // Doors join two rooms, but for five that lead out.
    #expect(venue.openings.count { $0.spaces.count == 2 } == 235)
    #expect(venue.openings.count { $0.isEntrance } == 5)
    let kinds = Dictionary(grouping: venue.spaces, by: \.kind)
    #expect(kinds[.restroom]?.count == 20 && kinds[.library]?.count == 1 && kinds[.sports]?.count == 1)
    #expect(GraphParts.count(venue.graph) == 4)
  }

  @Test func office() throws {
    let loaded = try VenueLoader.load(path: SampleVenues.office)
    let venue = loaded.venue
    #expect(loaded.count("ring-winding") == 256)
    #expect(loaded.count("door-without-exits") == 98 && venue.openings.count == 98)
    #expect(venue.furniture.count == 599 && venue.spaces.count == 93)
    #expect(venue.spaces.count { $0.kind == .corridor } == 2)
    #expect(venue.spaces.count { $0.kind == .meetingRoom } >= 10)
    #expect(
      venue.connections.count { $0.kind == .elevator } == 4 && venue.connections.count { $0.kind == .stairs } == 3)
    #expect(venue.connections.filter { $0.kind == .elevator }.allSatisfy { $0.isAccessible })
    #expect(venue.connections.filter { $0.kind == .stairs }.allSatisfy { !$0.isAccessible })
    let absent = loaded.findings("index-lists-absent-file").compactMap(\.object)
    #expect(absent.contains("location.json") && absent.contains("floor.geojson") && absent.contains("outdoors.json"))
    #expect(absent.count { $0.hasPrefix("nodes/") } == 2)
    #expect(venue.pointsOfInterest.count == 133)
    #expect(venue.pointsOfInterest.contains { $0.name.text() == "Desk 167" && $0.spaces.isEmpty && $0.position != nil })
  }

  @Test func gareDeLEst() throws {
    let loaded = try VenueLoader.load(path: SampleVenues.gare)
    let venue = loaded.venue
    #expect(venue.format == .osmIndoor && venue.floors.map(\.id.rawValue) == ["-1", "0"])
    #expect(loaded.count("level-missing") == 90)
    #expect(loaded.count("ring-crosses-itself") == 1)
    #expect(venue.spaces.flatMap { $0.outline.polygons }.reduce(0) { $0 + $1.holes.count } > 70)
    // The one building of the file is a kiosk in a hall, tagged as indoor too; the station has no outline.
    #expect(venue.buildings.isEmpty && venue.floors.allSatisfy { $0.outline == nil })
    #expect(venue.openings.count == 16 && venue.openings.allSatisfy { $0.isEntrance })
    #expect(venue.spaces.count { $0.kind == .shop } > 30 && venue.spaces.count { $0.kind == .restaurant } == 15)
    #expect(venue.spaces.contains { $0.id.rawValue == "relation/-228132" && $0.name.text() == "Hall Central" })
  }

  @Test func westportHouse() throws {
    let loaded = try VenueLoader.load(path: SampleVenues.westport)
    let venue = loaded.venue
    #expect(venue.format == .wrld && venue.floors.count == 7 && venue.floors.allSatisfy { $0.outline != nil })
    // Every ring of the source is clockwise.
    #expect(loaded.count("ring-winding") == 828)
    #expect(loaded.count("crs-member") == 11)
    #expect(venue.openings.count { $0.sourceKind == "door" } == 333)
    #expect(venue.openings.filter { $0.sourceKind == "door" }.allSatisfy { $0.line.count == 2 })
    #expect(venue.connections.contains { $0.id == "paths/603" && $0.kind == .elevator && $0.landings.count == 3 })
    #expect(loaded.count("connections-derived") == 1)
  }
}

/// Counts the parts of a graph that hang together.
enum GraphParts {
  static func count(_ graph: NavigationGraph?) -> Int {
    guard let graph else { return 0 }
    var parent = Array(graph.nodes.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while parent[index] != index {
        parent[index] = parent[parent[index]]
        index = parent[index]
      }
      return index
    }
    for edge in graph.edges { parent[root(Int(edge.from))] = root(Int(edge.to)) }
    return graph.nodes.indices.count { root($0) == $0 }
  }
}
