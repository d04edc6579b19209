import CordonCore
import CordonGeometry
import CordonNavigation
import Testing

@testable import CordonVenueTools
@testable import CordonVenues

/// One generated venue.
struct DrawnCase: CustomTestStringConvertible, Sendable {
  var kind: VenueGenerator.Kind
  var floors: Int
  var area: Double
  var seed: UInt64

  var testDescription: String { "\(kind) of \(floors) floors, \(Int(area)) m2, seed \(seed)" }

  func draw() throws -> Venue {
    try VenueGenerator.generate(kind: kind, floors: floors, area: area, seed: seed)
  }

  /// Small, medium and large venues of every kind.
  static let all: [DrawnCase] = VenueGenerator.Kind.allCases.flatMap { kind in
    let range = kind.areaRange
    return [
      DrawnCase(kind: kind, floors: 1, area: range.lowerBound, seed: 1),
      DrawnCase(kind: kind, floors: 2, area: range.lowerBound * 1.3, seed: 2),
      DrawnCase(kind: kind, floors: 3, area: kind.defaultArea, seed: 3),
      DrawnCase(kind: kind, floors: 4, area: kind.defaultArea * 1.7, seed: 4),
      DrawnCase(kind: kind, floors: 2, area: range.upperBound / 3, seed: 5),
    ]
  }
}

@Suite struct VenueGeneratorTests {
  @Test(arguments: DrawnCase.all)
  func spacesDoNotOverlapAndFillTheFloor(drawn: DrawnCase) throws {
    let venue = try drawn.draw()
    let geos = try #require(GeosContext())
    for floor in venue.floors {
      let outline = try #require(floor.outline)
      let frame = try #require(LocalFrame(around: outline.vertices))
      let plane = outline.polygons.map { PlanePolygon($0, in: frame) }
      let spaces = venue.spaces.filter { $0.floor == floor.id }.flatMap(\.outline.polygons)
        .map { PlanePolygon($0, in: frame) }
      for space in spaces { #expect(try geos.invalidity(of: space) == nil) }
      let sum = try spaces.reduce(0.0) { try $0 + geos.area(of: [$1]) }
      let united = try geos.area(of: try geos.union(spaces, gridSize: 1e-4))
      let whole = try geos.area(of: plane)
      // A millimetre along every wall.
      let slack = 0.002 * Double(spaces.count) * 20
      #expect(abs(sum - united) < slack, "\(floor.id): \(sum - united) m2 overlap")
      #expect(try geos.area(of: try geos.union(spaces + plane, gridSize: 1e-4)) < whole + slack)
      if !floor.isOutdoor { #expect(abs(united - whole) < slack, "\(floor.id) has \(whole - united) m2 of nothing") }
    }
  }

  @Test(arguments: DrawnCase.all)
  func everyRoomIsReachedFromAnEntrance(drawn: DrawnCase) throws {
    let venue = try drawn.draw()
    let graph = try #require(venue.graph)
    var groups = Groups(graph.nodes.count)
    for edge in graph.edges {
      groups.join(Int(edge.from), Int(edge.to))
      #expect(graph.nodes[Int(edge.from)].floor == graph.nodes[Int(edge.to)].floor)
    }
    let nodeAt = Dictionary(
      graph.nodes.enumerated().map { (PlacedKey($1.floor, $1.position), $0) }, uniquingKeysWith: { first, _ in first })
    for connection in venue.connections {
      let nodes = connection.landings.compactMap { nodeAt[PlacedKey($0.floor, $0.position)] }
      #expect(nodes.count == connection.landings.count, "\(connection.id) is not on the graph")
      for node in nodes.dropFirst() { groups.join(nodes[0], node) }
    }
    // Nodes at the two halves of a door that two floors share lie a rounding apart.
    var halves: [String: [Int]] = [:]
    var reached: Set<SpaceID> = []
    var entrances = 0
    for opening in venue.openings {
      let node = try #require(nearest(to: middle(opening.line), on: opening.floor, in: graph))
      halves[MVF3Writer.doorID(of: opening), default: []].append(node)
      reached.formUnion(opening.spaces)
      if opening.isEntrance { entrances += 1 }
      #expect((1...2).contains(opening.spaces.count))
      #expect(opening.spaces.count == 2 || opening.isEntrance)
    }
    for nodes in halves.values { for node in nodes.dropFirst() { groups.join(nodes[0], node) } }
    #expect(entrances > 0)
    #expect(Set((0..<graph.nodes.count).map { groups.root(of: $0) }).count == 1, "the graph is in pieces")
    for space in venue.spaces where space.kind.isWalkable {
      #expect(reached.contains(space.id), "\(space.id) \(space.kind) has no door")
    }
    for building in venue.buildings {
      let ground = venue.floors.filter { building.floors.contains($0.id) && $0.ordinal == FloorOrdinal(0) }.map(\.id)
      #expect(venue.openings.contains { $0.isEntrance && ground.contains($0.floor) }, "\(building.id) has no way in")
    }
  }

  @Test(arguments: DrawnCase.all)
  func graphEdgesCrossWallsOnlyAtOpenings(drawn: DrawnCase) throws {
    let venue = try drawn.draw()
    let graph = try #require(venue.graph)
    let frame = try #require(LocalFrame(around: graph.nodes.map(\.position)))
    for floor in venue.floors {
      let walls = venue.walls.filter { $0.floor == floor.id }.flatMap { wall -> [[PlanePoint]] in
        guard case .lines(let lines) = wall.shape else { return [] }
        return lines.map { $0.map { frame.project($0) } }
      }
      let doors = venue.openings.filter { $0.floor == floor.id }.map { $0.line.map { frame.project($0) } }
      for edge in graph.edges where edge.from < edge.to && graph.nodes[Int(edge.from)].floor == floor.id {
        let a = frame.project(graph.nodes[Int(edge.from)].position)
        let b = frame.project(graph.nodes[Int(edge.to)].position)
        for wall in walls {
          guard let crossing = Crossing.point(a, b, wall[0], wall[1]) else { continue }
          let isAtDoor = doors.contains { Crossing.distance(from: crossing, to: $0[0], $0[1]) < 0.01 }
          #expect(isAtDoor, "an edge of \(floor.id) crosses a wall at \(crossing)")
        }
      }
    }
  }

  @Test(arguments: DrawnCase.all)
  func roomsAreEnclosedByWalls(drawn: DrawnCase) throws {
    let venue = try drawn.draw()
    for floor in venue.floors where !floor.isOutdoor {
      let origin = try #require(floor.outline?.polygons.first?.outer.first)
      let frame = LocalFrame(origin: origin)
      let walls = venue.walls.filter { $0.floor == floor.id }.flatMap { wall -> [[PlanePoint]] in
        guard case .lines(let lines) = wall.shape else { return [] }
        return lines.map { $0.map { frame.project($0) } }
      }
      for space in venue.spaces where space.floor == floor.id {
        // Voids are looked across, and trains come and go.
        if [.openToBelow, .platform].contains(space.kind) || space.name.text() == "Tracks" { continue }
        let ring = space.outline.polygons[0].outer.map { frame.project($0) }
        for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
          for share in stride(from: 0.05, through: 0.95, by: 0.15) {
            let point = PlanePoint(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y))
            let isWalled = walls.contains { Crossing.distance(from: point, to: $0[0], $0[1]) < 0.01 }
            if !isWalled { Issue.record("\(space.id) has no wall at \(point)") }
          }
        }
      }
    }
  }

  @Test(arguments: DrawnCase.all)
  func openingsLieOnWallsAndJoinBothSides(drawn: DrawnCase) throws {
    let venue = try drawn.draw()
    for floor in venue.floors where !floor.isOutdoor {
      let spaces = venue.spaces.filter { $0.floor == floor.id }
      let origin = try #require(floor.outline?.polygons.first?.outer.first)
      let frame = LocalFrame(origin: origin)
      let join = OpeningJoin(
        spaces: spaces.map { ($0.id, $0.outline) }, outline: floor.outline, frame: frame)
      for opening in venue.openings where opening.floor == floor.id {
        #expect(join.sides(of: opening.line).spaces.sorted() == opening.spaces)
        let line = opening.line.map { frame.project($0) }
        let width = Crossing.length(line[0], line[1])
        #expect((0.85...6.5).contains(width), "\(opening.id) is \(width) m wide")
      }
    }
  }

  @Test(arguments: DrawnCase.all)
  func shaftsAreStacked(drawn: DrawnCase) throws {
    let venue = try drawn.draw()
    let ordinals = Dictionary(venue.floors.map { ($0.id, $0.ordinal) }, uniquingKeysWith: { first, _ in first })
    for building in venue.buildings where building.floors.count > 1 {
      let kinds = venue.connections.filter { $0.landings.contains { building.floors.contains($0.floor) } }.map(\.kind)
      #expect(kinds.contains(.stairs) && kinds.contains(.elevator))
    }
    for connection in venue.connections {
      let spaces = connection.landings.compactMap { landing in venue.spaces.first { $0.id == landing.space } }
      #expect(spaces.count == connection.landings.count)
      #expect(Set(spaces.map(\.outline)).count == 1 || connection.kind != .elevator)
      #expect(Set(connection.landings.map { ordinals[$0.floor]?.thousandths }).count == connection.landings.count)
      #expect(connection.landings.contains(where: \.isEntry) && connection.landings.contains(where: \.isExit))
    }
  }

  @Test func equalArgumentsGiveEqualVenues() throws {
    let one = try VenueGenerator.generate(kind: .office, floors: 3, area: 2_400, seed: 7)
    #expect(one == (try VenueGenerator.generate(kind: .office, floors: 3, area: 2_400, seed: 7)))
    #expect(one.spaces != (try VenueGenerator.generate(kind: .office, floors: 3, area: 2_400, seed: 8)).spaces)
    var sorted = one
    sorted.sort()
    #expect(sorted == one)
  }

  @Test func theVenueHasTheRequestedSizeAndPlace() throws {
    let origin = Coordinate(longitude: -79.38, latitude: 43.64)
    let venue = try VenueGenerator.generate(kind: .hospital, floors: 4, area: 4_000, seed: 1, origin: origin)
    #expect(venue.floors.map(\.ordinal.value) == [0, 1, 2, 3])
    #expect(abs(try venue.boundary().squareMetres - 4_000) < 40)
    let corner = try #require(venue.floors[0].outline?.vertices.first)
    #expect(abs(corner.longitude - origin.longitude) < 1e-8 && abs(corner.latitude - origin.latitude) < 1e-8)
    let station = try VenueGenerator.generate(kind: .station, floors: 3, area: 5_000, seed: 1)
    #expect(station.floors.map(\.ordinal.value) == [-1, 0, 1])
  }

  @Test(arguments: [(0, 2_400.0), (41, 2_400), (3, 10), (3, .nan), (3, .infinity), (3, -5)])
  func impossibleVenuesAreRefused(floors: Int, area: Double) {
    #expect {
      try VenueGenerator.generate(kind: .office, floors: floors, area: area, seed: 1)
    } throws: {
      ($0 as? VenueError)?.code == "invalid-argument"
    }
  }

  private func middle(_ line: [Coordinate]) -> Coordinate {
    Coordinate(
      longitude: (line[0].longitude + line[1].longitude) / 2, latitude: (line[0].latitude + line[1].latitude) / 2)
  }

  /// The node within 2 cm of a place.
  private func nearest(to place: Coordinate, on floor: FloorID, in graph: NavigationGraph) -> Int? {
    let frame = LocalFrame(origin: place)
    return graph.nodes.indices.first {
      graph.nodes[$0].floor == floor
        && Crossing.length(frame.project(graph.nodes[$0].position), PlanePoint(x: 0, y: 0)) < 0.02
    }
  }
}

private struct PlacedKey: Hashable {
  var floor: FloorID
  var place: Coordinate
  init(_ floor: FloorID, _ place: Coordinate) { (self.floor, self.place) = (floor, place) }
}

/// Union-find.
private struct Groups {
  private var parents: [Int]
  init(_ count: Int) { parents = Array(0..<count) }

  mutating func root(of index: Int) -> Int {
    var index = index
    while parents[index] != index {
      parents[index] = parents[parents[index]]
      index = parents[index]
    }
    return index
  }

  mutating func join(_ a: Int, _ b: Int) { parents[root(of: a)] = root(of: b) }
}

private enum Crossing {
  static func length(_ a: PlanePoint, _ b: PlanePoint) -> Double {
    ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
  }

  /// Where two segments cross or touch, if they are not parallel.
  static func point(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, _ d: PlanePoint) -> PlanePoint? {
    let (rx, ry, sx, sy) = (b.x - a.x, b.y - a.y, d.x - c.x, d.y - c.y)
    let cross = rx * sy - ry * sx
    guard abs(cross) > 1e-9 else { return nil }
    let t = ((c.x - a.x) * sy - (c.y - a.y) * sx) / cross
    let u = ((c.x - a.x) * ry - (c.y - a.y) * rx) / cross
    guard (0...1).contains(t), (0...1).contains(u) else { return nil }
    return PlanePoint(x: a.x + t * rx, y: a.y + t * ry)
  }

  static func distance(from point: PlanePoint, to a: PlanePoint, _ b: PlanePoint) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let t = min(max(((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy), 0), 1)
    return length(point, PlanePoint(x: a.x + t * dx, y: a.y + t * dy))
  }
}
