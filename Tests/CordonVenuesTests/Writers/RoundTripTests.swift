import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenueTools
@testable import CordonVenues

/// The parts of a venue that every written format must keep, in a comparable form.
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

  init(_ venue: Venue) {
    floors = venue.floors.map {
      "\($0.id.rawValue) \($0.ordinal) \(Self.text($0.name)) \(Self.text($0.shortName)) \($0.isOutdoor) "
        + "\($0.building ?? "-") \($0.outline.map(Self.area) ?? "-")"
    }.sorted()
    buildings = venue.buildings.map {
      "\($0.id) \(Self.text($0.name)) \($0.floors.map(\.rawValue).sorted())"
    }.sorted()
    spaces = venue.spaces.map {
      "\($0.id.rawValue) \($0.floor.rawValue) \($0.kind) \(Self.text($0.name)) \(Self.area($0.outline))"
    }.sorted()
    barriers = [("wall", venue.walls), ("obstruction", venue.obstructions), ("furniture", venue.furniture)].flatMap {
      role, list in
      list.map { "\(role) \($0.id) \($0.floor.rawValue) \(Self.shape($0.shape))" }
    }.sorted()
    openings = venue.openings.map {
      "\($0.id) \($0.floor.rawValue) \($0.line.map(Self.place)) \($0.spaces.map(\.rawValue).sorted()) "
        + "\($0.isEntrance) \($0.isTwoWay) \(Self.text($0.name))"
    }.sorted()
    connections = venue.connections.map { connection in
      let landings = connection.landings.map {
        "\($0.floor.rawValue) \(Self.place($0.position)) \($0.space.map(\.rawValue) ?? "-") \($0.isEntry) \($0.isExit)"
      }
      return "\(connection.id) \(connection.kind) \(Self.text(connection.name)) \(connection.isAccessible) "
        + "\(connection.isTwoWay) \(landings.sorted())"
    }.sorted()
    points = venue.pointsOfInterest.map {
      "\($0.id) \(Self.text($0.name)) \($0.categories.sorted()) \($0.spaces.map(\.rawValue).sorted())"
    }.sorted()
    categories = venue.categories.map { "\($0.id) \(Self.text($0.name))" }.sorted()
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

/// Returns the differing lists in short.
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
  @Test(arguments: [VenueWriter.Format.mvf3, .imdf, .geojson])
  func namesOfDoorsAreKept(format: VenueWriter.Format) throws {
    var venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 600, seed: 1)
    for index in venue.openings.indices.prefix(2) {
      venue.openings[index].name = LocalizedText(["en": "Door \(index) & \"more\""])
    }
    let loaded = try VenueLoader.load(bytes: try VenueWriter.bytes(of: venue, as: format), name: "round trip").venue
    #expect(loaded.openings.count == venue.openings.count)
    #expect(
      loaded.openings.compactMap { $0.name.text() }.sorted() == ["Door 0 & \"more\"", "Door 1 & \"more\""])
  }

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
    #expect(loaded.findings == [])
    var read = loaded.venue
    (read.format, read.formatVersion, read.contentHash) = (venue.format, venue.formatVersion, venue.contentHash)
    let isEqual = read == venue
    #expect(isEqual, "to the last bit")
    #expect(try VenueWriter.bytes(of: venue, as: .mvf3) == bytes)
  }

  /// Maps of other programs, with parts that the generator never makes: zones, annotations, opening hours of several
  /// formats, names in several languages, one-way doors, edges between floors.
  static let others: [(name: String, load: @Sendable () throws -> Venue)] = [
    ("mvf-3", { try Drawing.load(MVF3Fixture().files).venue }),
    ("imdf", { try Drawing.load(IMDFTests.zoned).venue }),
    ("rich", { try richVenue() }),
  ]

  private static func richVenue() throws -> Venue {
    var venue = try VenueGenerator.generate(kind: .office, floors: 2, area: 1_200, seed: 3)
    let floors = venue.floors.map(\.id)
    for (index, hours) in [#"[{"opens":"09:00","dayOfWeek":["Mo"]}]"#, "Mo-Fr 09:00-17:00", "[1,", #"{"a":1}"#, "[]"]
      .enumerated()
    {
      venue.pointsOfInterest.append(
        PointOfInterest(
          id: "zz-poi-\(index)", name: LocalizedText(["de": "Ort \(index)", "en": "Place"]), sourceKind: "amenity",
          spaces: [venue.spaces[index].id].sorted(), openingHours: hours))
    }
    venue.pointsOfInterest.append(
      PointOfInterest(
        id: "zz-point", name: LocalizedText("Printer"), position: venue.spaces[0].outline.vertices[0],
        floor: venue.spaces[0].floor))
    venue.zones = [
      Zone(
        id: "z1", floors: [floors[0]], sourceKind: "ward", name: LocalizedText(["de": "Ost"]),
        outline: venue.spaces[0].outline),
      Zone(id: "z2", floors: [], sourceKind: "", outline: venue.spaces[1].outline),
      Zone(
        id: "z3", floors: floors, sourceKind: "paidarea", name: LocalizedText("All"), outline: venue.spaces[1].outline),
    ]
    let corner = venue.spaces[0].outline.vertices
    venue.annotations = [
      Annotation(id: "an1", floor: floors[0], symbol: "exit", lines: [[corner[0]]]),
      Annotation(id: "an2", floor: floors[1], lines: [[corner[0], corner[1]], [corner[1], corner[2]]]),
    ]
    for index in venue.openings.indices.prefix(3) { venue.openings[index].isTwoWay = false }
    let nodes = venue.graph?.nodes ?? []
    if let upper = nodes.firstIndex(where: { $0.floor == floors[1] }) {
      venue.graph?.edges.insert(NavigationGraph.Edge(from: 0, to: Int32(upper), extraCost: 12.5), at: 0)
    }
    venue.sort()
    return venue
  }

  @Test(arguments: others.map(\.name), [VenueWriter.Format.mvf3, .geojson])
  func foreignVenuesReadBackEqual(name: String, format: VenueWriter.Format) throws {
    let venue = try #require(Self.others.first { $0.name == name }).load()
    let loaded = try VenueLoader.load(bytes: VenueWriter.bytes(of: venue, as: format), name: "round trip")
    var read = loaded.venue
    (read.format, read.formatVersion, read.contentHash) = (venue.format, venue.formatVersion, venue.contentHash)
    #expect(differences(VenueEssence(venue), VenueEssence(read)) == [])
    #expect(read.zones == venue.zones && read.annotations == venue.annotations)
    for (one, other) in zip(read.pointsOfInterest, venue.pointsOfInterest) { #expect(one == other) }
    for (one, other) in zip(read.openings, venue.openings) { #expect(one == other) }
    for (one, other) in zip(read.connections, venue.connections) { #expect(one == other) }
    let isEqual = read == venue
    #expect(isEqual, "to the last bit")
  }

  @Test func zonesAnnotationsAndHoursSurviveIMDF() throws {
    let venue = try Self.richVenue()
    let read = try VenueLoader.load(bytes: VenueWriter.bytes(of: venue, as: .imdf), name: "round trip").venue
    #expect(read.zones.map(\.sourceKind).sorted() == ["", "paidarea", "ward"])
    #expect(read.zones.map(\.floors.count).sorted() == [0, 1, 2])
    #expect(read.zones.first { $0.sourceKind == "ward" }?.name == LocalizedText(["de": "Ost"]))
    #expect(read.annotations.map { $0.lines.count } == [2])
    let hours = Set(read.pointsOfInterest.compactMap(\.openingHours))
    #expect(hours.isSuperset(of: ["Mo-Fr 09:00-17:00", #"[{"opens":"09:00","dayOfWeek":["Mo"]}]"#, #"{"a":1}"#]))
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

  /// Metres on foot from the first space to all others, in both.
  private func expectEqualWays(_ venue: Venue, _ read: Venue) throws {
    let plans = try [venue, read].map { PlanNavigation(try VenuePlan($0)) }
    func table(_ walking: PlanNavigation, _ name: (SpaceID) -> String) throws -> [String: Double] {
      let spaces = walking.plan.spaces
      let names = spaces.map { name($0.id) }
      let first = try #require(names.indices.min { names[$0] < names[$1] })
      let metres = walking.walkingTable(from: first)
      return Dictionary(
        uniqueKeysWithValues: names.indices.compactMap { index in metres[index].map { (names[index], $0) } })
    }
    let before = try table(plans[0]) { StableUUID.text(.space, $0.rawValue, in: venue.id) }
    let after = try table(plans[1]) { $0.rawValue }
    #expect(before.count > 5 && Set(before.keys) == Set(after.keys))
    for (space, metres) in before { #expect(abs(metres - (after[space] ?? -1)) < 2, "\(space)") }
  }

  /// IMDF has no graph and no categories of ours, and leaves stairs in their centre; everything else is kept.
  @Test(arguments: cases)
  func imdfReadsBackEqual(kind: VenueGenerator.Kind, floors: Int, seed: UInt64) throws {
    let venue = try VenueGenerator.generate(
      kind: kind, floors: floors, area: kind.areaRange.lowerBound * 2, seed: seed)
    let bytes = try VenueWriter.bytes(of: venue, as: .imdf)
    let loaded = try VenueLoader.load(bytes: bytes, name: "round trip")
    #expect(loaded.venue.format == .imdf)
    #expect(loaded.venue.id == venue.id)
    #expect(loaded.venue.timeZone == venue.timeZone && venue.timeZone != nil)
    #expect(loaded.findings.filter { $0.severity != .info } == [])
    // Without the graph the walking distances are equal: they derive from the kept parts.
    if kind == .office || kind == .museum { try expectEqualWays(venue, loaded.venue) }
    var original = venue
    var read = loaded.venue
    original.dropWhatIMDFDrops()
    read.dropWhatIMDFDrops()
    #expect(differences(VenueEssence(original.renamed()), VenueEssence(read)) == [])
    // A venue that was read can be written again, with the same places under the same identifiers.
    let again = try VenueLoader.load(bytes: VenueWriter.bytes(of: loaded.venue, as: .imdf), name: "again").venue
    #expect(again.spaces == loaded.venue.spaces && again.openings == loaded.venue.openings)
    #expect(again.connections == loaded.venue.connections)
  }
}

extension Venue {
  fileprivate mutating func dropWhatIMDFDrops() {
    graph = nil
    categories = []
    for index in pointsOfInterest.indices { pointsOfInterest[index].categories = [] }
    for index in connections.indices {
      for landing in connections[index].landings.indices {
        connections[index].landings[landing].position = Coordinate(longitude: 0, latitude: 0)
      }
    }
    for index in spaces.indices { spaces[index].name = spaces[index].name.plain }
    for index in floors.indices {
      (floors[index].name, floors[index].shortName) = (floors[index].name.plain, floors[index].shortName.plain)
    }
    for index in buildings.indices { buildings[index].name = buildings[index].name.plain }
    for index in connections.indices { connections[index].name = connections[index].name.plain }
    for index in pointsOfInterest.indices { pointsOfInterest[index].name = pointsOfInterest[index].name.plain }
  }

  /// The same venue under the identifiers that the format gives it.
  fileprivate func renamed() -> Venue {
    var venue = self
    func uuid(_ kind: StableUUID.Kind, _ id: String) -> String { StableUUID.text(kind, id, in: self.id) }
    for index in venue.buildings.indices {
      venue.buildings[index].id = uuid(.building, buildings[index].id)
      venue.buildings[index].floors = buildings[index].floors.map { FloorID(uuid(.floor, $0.rawValue)) }
    }
    for index in venue.floors.indices {
      venue.floors[index].id = FloorID(uuid(.floor, floors[index].id.rawValue))
      venue.floors[index].building = floors[index].building.map { uuid(.building, $0) }
    }
    for index in venue.spaces.indices {
      venue.spaces[index].id = SpaceID(uuid(.space, spaces[index].id.rawValue))
      venue.spaces[index].floor = FloorID(uuid(.floor, spaces[index].floor.rawValue))
    }
    for path in [\Venue.walls, \.obstructions, \.furniture] {
      for index in venue[keyPath: path].indices {
        venue[keyPath: path][index].id = uuid(.barrier, self[keyPath: path][index].id)
        venue[keyPath: path][index].floor = FloorID(uuid(.floor, self[keyPath: path][index].floor.rawValue))
      }
    }
    for index in venue.openings.indices {
      venue.openings[index].id = uuid(.opening, openings[index].id)
      venue.openings[index].floor = FloorID(uuid(.floor, openings[index].floor.rawValue))
      venue.openings[index].spaces = openings[index].spaces.map { SpaceID(uuid(.space, $0.rawValue)) }
    }
    for index in venue.connections.indices {
      venue.connections[index].id = uuid(.connection, connections[index].id)
      for landing in connections[index].landings.indices {
        let place = connections[index].landings[landing]
        venue.connections[index].landings[landing].floor = FloorID(uuid(.floor, place.floor.rawValue))
        venue.connections[index].landings[landing].space = place.space.map { SpaceID(uuid(.space, $0.rawValue)) }
      }
    }
    for index in venue.pointsOfInterest.indices {
      venue.pointsOfInterest[index].id = uuid(.point, pointsOfInterest[index].id)
      venue.pointsOfInterest[index].spaces = pointsOfInterest[index].spaces.map { SpaceID(uuid(.space, $0.rawValue)) }
    }
    return venue
  }
}

extension LocalizedText {
  /// The archive's language replaces an unknown one.
  fileprivate var plain: LocalizedText { LocalizedText(text() ?? "") }
}
