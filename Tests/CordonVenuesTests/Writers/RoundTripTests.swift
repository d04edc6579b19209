import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenues

/// What every format that we write must keep, in a form that can be compared.
struct VenueEssence: Equatable {
  var floors: [String]
  var buildings: [String]
  var spaces: [String]
  var barriers: [String]
  var openings: [String]
  var connections: [String]
  var points: [String]
  var categories: [String]
  var graph: [String]

  /// - Parameter id: what the format makes of an identifier.
  init(_ venue: Venue, id: (String) -> String = { $0 }) {
    floors = venue.floors.map {
      "\(id($0.id.rawValue)) \($0.ordinal) \(Self.text($0.name)) \(Self.text($0.shortName)) \($0.isOutdoor) "
        + "\($0.building.map(id) ?? "-") \($0.outline.map(Self.area) ?? "-")"
    }.sorted()
    buildings = venue.buildings.map {
      "\(id($0.id)) \(Self.text($0.name)) \($0.floors.map { id($0.rawValue) }.sorted())"
    }.sorted()
    spaces = venue.spaces.map {
      "\(id($0.id.rawValue)) \(id($0.floor.rawValue)) \($0.kind) \(Self.text($0.name)) \(Self.area($0.outline))"
    }.sorted()
    barriers = [("wall", venue.walls), ("obstruction", venue.obstructions), ("furniture", venue.furniture)].flatMap {
      role, list in
      list.map { "\(role) \(id($0.id)) \(id($0.floor.rawValue)) \(Self.shape($0.shape))" }
    }.sorted()
    openings = venue.openings.map {
      "\(id($0.id)) \(id($0.floor.rawValue)) \($0.line.map(Self.place)) \($0.spaces.map { id($0.rawValue) }.sorted()) "
        + "\($0.isEntrance) \($0.isTwoWay)"
    }.sorted()
    connections = venue.connections.map { connection in
      let landings = connection.landings.map {
        "\(id($0.floor.rawValue)) \(Self.place($0.position)) \($0.space.map { id($0.rawValue) } ?? "-") \($0.isEntry) \($0.isExit)"
      }
      return "\(id(connection.id)) \(connection.kind) \(Self.text(connection.name)) \(connection.isAccessible) "
        + "\(connection.isTwoWay) \(landings.sorted())"
    }.sorted()
    points = venue.pointsOfInterest.map {
      "\(id($0.id)) \(Self.text($0.name)) \($0.categories.map(id).sorted()) \($0.spaces.map { id($0.rawValue) }.sorted())"
    }.sorted()
    categories = venue.categories.map { "\(id($0.id)) \(Self.text($0.name))" }.sorted()
    let nodes = venue.graph?.nodes ?? []
    graph = (venue.graph?.edges ?? []).map {
      let (from, to) = (nodes[Int($0.from)], nodes[Int($0.to)])
      return "\(from.id) \(from.floor) \(Self.place(from.position)) -> \(to.id) \(to.floor)"
    }.sorted()
  }

  private static func text(_ text: LocalizedText) -> String {
    text.values.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: "|")
  }

  /// Equal to 1e-8 degrees.
  private static func place(_ place: Coordinate) -> String {
    "\(Int64((place.longitude * 1e8).rounded())),\(Int64((place.latitude * 1e8).rounded()))"
  }

  /// Rings begin anywhere and run either way.
  private static func ring(_ ring: [Coordinate]) -> String {
    let places = ring.map(place)
    let turned = [places, places.reversed()].map { places in
      places.indices.map { Array(places[$0...] + places[..<$0]).joined(separator: " ") }.min() ?? ""
    }
    return "(\(turned.min() ?? ""))"
  }

  private static func area(_ area: GeoMultiPolygon) -> String {
    area.polygons.map { ring($0.outer) + $0.holes.map(ring).sorted().joined() }.sorted().joined(separator: ";")
  }

  private static func shape(_ shape: Barrier.Shape) -> String {
    switch shape {
    case .lines(let lines): lines.map { $0.map(place).joined(separator: " ") }.sorted().joined(separator: ";")
    case .area(let area): self.area(area)
    }
  }
}

/// Lists that differ, shortly.
func differences(_ a: VenueEssence, _ b: VenueEssence) -> [String] {
  func missing(_ name: String, _ a: [String], _ b: [String]) -> [String] {
    let (x, y) = (Set(a), Set(b))
    return x.subtracting(y).sorted().prefix(3).map { "\(name) lost: \($0)" }
      + y.subtracting(x).sorted().prefix(3).map { "\(name) new: \($0)" }
  }
  return missing("floor", a.floors, b.floors) + missing("building", a.buildings, b.buildings)
    + missing("space", a.spaces, b.spaces) + missing("barrier", a.barriers, b.barriers)
    + missing("opening", a.openings, b.openings) + missing("connection", a.connections, b.connections)
    + missing("point", a.points, b.points) + missing("category", a.categories, b.categories)
    + missing("graph", a.graph, b.graph)
}

@Suite struct RoundTripTests {
  static let cases: [(VenueGenerator.Kind, Int, UInt64)] = VenueGenerator.Kind.allCases.flatMap { kind in
    [(kind, 1, 1), (kind, 3, 2)]
  }

  @Test(arguments: cases)
  func mvf3ReadsBackEqual(kind: VenueGenerator.Kind, floors: Int, seed: UInt64) throws {
    let venue = try VenueGenerator.generate(
      kind: kind, floors: floors, area: kind.areaRange.lowerBound * 2, seed: seed)
    let bytes = try VenueWriter.bytes(of: venue, as: .mvf3)
    let loaded = try VenueLoader.load(bytes: bytes, name: "round trip")
    #expect(loaded.venue.format == .mvf3)
    #expect(loaded.venue.id == venue.id)
    #expect(differences(VenueEssence(venue), VenueEssence(loaded.venue)) == [])
    #expect(loaded.findings.filter { $0.severity != .info } == [])
    #expect(try VenueWriter.bytes(of: venue, as: .mvf3) == bytes)
  }

  @Test(arguments: cases)
  func geoJSONReadsBackEqual(kind: VenueGenerator.Kind, floors: Int, seed: UInt64) throws {
    let venue = try VenueGenerator.generate(
      kind: kind, floors: floors, area: kind.areaRange.lowerBound * 2, seed: seed)
    let loaded = try VenueLoader.load(bytes: VenueWriter.bytes(of: venue, as: .geojson), name: "round trip")
    #expect(loaded.findings == [])
    // This format keeps everything, to the last bit.
    var read = loaded.venue
    (read.format, read.formatVersion, read.contentHash) = (venue.format, venue.formatVersion, venue.contentHash)
    #expect(differences(VenueEssence(venue), VenueEssence(read)) == [])
    #expect(read.pointsOfInterest == venue.pointsOfInterest && read.graph == venue.graph)
    #expect(read == venue)
  }
}
