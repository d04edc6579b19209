import CordonCore
import CordonGeometry
import Testing

/// Areas for tests of gates, and positions that often lie on their edges.
enum AreaSamples {
  /// Polygons of a few sizes near a place; a third with holes. Coarse ones have their vertices on a grid, so that
  /// edges are level, vertices meet and positions hit them.
  static func area(_ random: inout TestRandom, at center: Coordinate, size: Double, isFloorOnly: Bool)
    -> GeoMultiPolygon
  {
    GeoMultiPolygon(
      (0...random.int(below: 4)).map { _ in
        let middle = place(&random, center, size, isFloorOnly)
        let outer = star(&random, around: middle, size / 3, isFloorOnly, center, size)
        let holes = (0..<random.int(below: 3)).map { _ in
          star(&random, around: middle, size / 9, isFloorOnly, center, size)
        }
        return GeoPolygon(outer: outer, holes: holes)
      })
  }

  static func star(
    _ random: inout TestRandom, around middle: Coordinate, _ radius: Double, _ isFloorOnly: Bool, _ center: Coordinate,
    _ size: Double
  ) -> [Coordinate] {
    let count = 3 + random.int(below: 14)
    return (0..<count).map { index in
      let angle = Double(index) / Double(count) * 2 * Double.pi
      let (s, c) = PortableMath.sincos(angle)
      let r = radius * random.double(in: 0.3...1)
      return snapped(
        Coordinate(longitude: middle.longitude + r * c, latitude: middle.latitude + r * s), isFloorOnly, center, size)
    }
  }

  static func place(_ random: inout TestRandom, _ center: Coordinate, _ size: Double, _ isFloorOnly: Bool) -> Coordinate
  {
    snapped(
      Coordinate(
        longitude: center.longitude + random.double(in: -0.6...0.6) * size,
        latitude: center.latitude + random.double(in: -0.6...0.6) * size), isFloorOnly, center, size)
  }

  private static func snapped(
    _ c: Coordinate, _ isFloorOnly: Bool, _ center: Coordinate, _ size: Double
  ) -> Coordinate {
    var c = c
    if isFloorOnly {
      let step = size / 16
      c.longitude = center.longitude + ((c.longitude - center.longitude) / step).rounded() * step
      c.latitude = center.latitude + ((c.latitude - center.latitude) / step).rounded() * step
    }
    if c.longitude > 180 { c.longitude -= 360 }
    if c.longitude < -180 { c.longitude += 360 }
    c.latitude = min(max(c.latitude, -90), 90)
    return c
  }

  /// Positions anywhere near, on vertices, and on edges as nearly as doubles allow.
  static func positions(
    _ random: inout TestRandom, _ area: GeoMultiPolygon, at center: Coordinate, size: Double, isFloorOnly: Bool,
    count: Int
  ) -> [Coordinate] {
    let rings = area.polygons.flatMap(\.rings).filter { !$0.isEmpty }
    return (0..<count).map { index in
      if index % 4 != 0 || rings.isEmpty { return place(&random, center, size, isFloorOnly && index % 8 < 6) }
      let ring = rings[random.int(below: rings.count)]
      let a = ring[random.int(below: ring.count)]
      let b = ring[((ring.firstIndex(of: a) ?? 0) + 1) % ring.count]
      if abs(a.longitude - b.longitude) > 180 { return a }
      let t = [0, 0.5, 0.25, random.double(in: 0...1)][random.int(below: 4)]
      return Coordinate(
        longitude: a.longitude + t * (b.longitude - a.longitude), latitude: a.latitude + t * (b.latitude - a.latitude))
    }
  }
}

@Suite("Gate")
struct GateTests {
  static let centers = [
    Coordinate(longitude: -80.5357, latitude: 43.4827), Coordinate(longitude: 180, latitude: -17),
    Coordinate(longitude: -179.9999, latitude: 65), Coordinate(longitude: 0, latitude: 0),
    Coordinate(longitude: 12, latitude: 89.9995), Coordinate(longitude: 33, latitude: -90),
  ]

  @Test(arguments: centers, [0.001, 0.1])
  func gateAgreesWithThePlainTest(center: Coordinate, size: Double) {
    for seed in UInt64(1)...6 {
      var random = TestRandom(seed: seed)
      let isFloorOnly = seed % 2 == 0
      let area = AreaSamples.area(&random, at: center, size: size, isFloorOnly: isFloorOnly)
      let gate = Gate(area)
      let positions = AreaSamples.positions(
        &random, area, at: center, size: size, isFloorOnly: isFloorOnly, count: 300)
      let expected = positions.map(area.contains)
      #expect(positions.map(gate.contains) == expected, "seed \(seed)")
      #expect(gate.contains(positions) == expected, "seed \(seed)")
      for vertex in area.vertices { #expect(gate.contains(vertex), "seed \(seed) \(vertex)") }
    }
  }

  @Test func manyHolesAndPartsAreExact() {
    var random = TestRandom(seed: 77)
    let center = Coordinate(longitude: 8, latitude: 47)
    var polygons: [GeoPolygon] = []
    for part in 0..<12 {
      let x = 8 + Double(part % 4) * 0.001
      let y = 47 + Double(part / 4) * 0.001
      func square(_ x: Double, _ y: Double, _ size: Double) -> [Coordinate] {
        [
          Coordinate(longitude: x, latitude: y), Coordinate(longitude: x + size, latitude: y),
          Coordinate(longitude: x + size, latitude: y + size), Coordinate(longitude: x, latitude: y + size),
        ]
      }
      let holes = (0..<7).map { square(x + 0.0001 + Double($0) * 0.0001, y + 0.0003, 0.00005) }
      polygons.append(GeoPolygon(outer: square(x, y, 0.001), holes: holes))
    }
    let area = GeoMultiPolygon(polygons)
    let gate = Gate(area)
    let positions = AreaSamples.positions(&random, area, at: center, size: 0.01, isFloorOnly: false, count: 3_000)
    #expect(gate.contains(positions) == positions.map(area.contains))
  }

  @Test(arguments: centers.prefix(4), [0.5, 15])
  func toleranceIsInMetres(center: Coordinate, tolerance: Double) {
    for seed in UInt64(1)...3 {
      var random = TestRandom(seed: seed)
      let area = AreaSamples.area(&random, at: center, size: 0.001, isFloorOnly: seed == 2)
      let gate = Gate(area, tolerance: tolerance)
      let positions = AreaSamples.positions(&random, area, at: center, size: 0.0016, isFloorOnly: false, count: 500)
      let expected = positions.map { position in
        area.contains(position) || PlainDistance.metres(from: position, to: area) <= tolerance
      }
      #expect(positions.map(gate.contains) == expected, "seed \(seed)")
      #expect(gate.contains(positions) == expected, "seed \(seed)")
    }
  }

  @Test func areasOnTheAntimeridianAreOneArea() {
    let area = GeoMultiPolygon([
      GeoPolygon(outer: [
        Coordinate(longitude: 179.99, latitude: -17), Coordinate(longitude: -179.99, latitude: -17),
        Coordinate(longitude: -179.99, latitude: -16.99), Coordinate(longitude: 179.99, latitude: -16.99),
      ])
    ])
    let gate = Gate(area)
    for longitude in [179.995, 180, -180, -179.995, -179.99, 179.99] {
      #expect(gate.contains(Coordinate(longitude: longitude, latitude: -16.995)))
    }
    for longitude in [179.98, -179.98, 0] {
      #expect(!gate.contains(Coordinate(longitude: longitude, latitude: -16.995)))
    }
    // An area that only touches it is found from both sides.
    let touching = GeoMultiPolygon([
      GeoPolygon(outer: [
        Coordinate(longitude: 179.99, latitude: 0), Coordinate(longitude: 180, latitude: 0),
        Coordinate(longitude: 180, latitude: 0.01),
      ])
    ])
    #expect(Gate(touching).contains(Coordinate(longitude: -180, latitude: 0.005)))
    #expect(!Gate(touching).contains(Coordinate(longitude: -179.9999, latitude: 0.005)))
    #expect(Gate(touching, tolerance: 20).contains(Coordinate(longitude: -179.9999, latitude: 0.005)))
  }

  /// Outlines that would fill any raster: a comb and a saw, upright and lying. The gate stays exact and fast.
  @Test(arguments: [4_000, 12_000])
  func combsAndSawsStaySmall(teeth: Int) {
    for isLying in [false, true] {
      func place(_ along: Double, _ across: Double) -> Coordinate {
        isLying
          ? Coordinate(longitude: 8 + across, latitude: 47 + along)
          : Coordinate(longitude: 8 + along, latitude: 47 + across)
      }
      let comb = (0..<teeth).flatMap { tooth -> [Coordinate] in
        let x = Double(tooth) / Double(teeth) * 0.01
        return [
          place(x, 0.001), place(x, 0.01), place(x + 0.004 / Double(teeth), 0.01),
          place(x + 0.004 / Double(teeth), 0.001),
        ]
      }
      let area = GeoMultiPolygon([GeoPolygon(outer: comb + [place(0.01, 0), place(0, 0)])])
      let gate = Gate(area, tolerance: teeth == 4_000 ? 1 : 0)
      var random = TestRandom(seed: 6)
      for _ in 0..<6 {
        let position = place(random.double(in: 0...0.01), random.double(in: 0...0.01))
        let isNear = gate.tolerance > 0 && PlainDistance.metres(from: position, to: area) <= gate.tolerance
        #expect(gate.contains(position) == (area.contains(position) || isNear))
      }
      #expect(gate.contains(place(0.005, 0.0005)))
      #expect(!gate.contains(place(0.005, 0.011)))
    }
  }

  @Test func unusualInputsHaveAnswers() {
    let somewhere = Coordinate(longitude: 1, latitude: 1)
    #expect(!Gate(GeoMultiPolygon()).contains(somewhere))
    #expect(Gate(GeoMultiPolygon()).contains([somewhere, somewhere]) == [false, false])
    #expect(!Gate(GeoMultiPolygon([GeoPolygon(outer: [])])).contains(somewhere))
    // A single point or line consists of its boundary only.
    let point = Gate(GeoMultiPolygon([GeoPolygon(outer: [somewhere])]))
    #expect(point.contains(somewhere))
    #expect(!point.contains(Coordinate(longitude: 1, latitude: 1.0000001)))
    let bad = Coordinate(longitude: .nan, latitude: 0)
    let broken = Gate(GeoMultiPolygon([GeoPolygon(outer: [somewhere, bad, Coordinate(longitude: 2, latitude: 1)])]))
    #expect(!broken.contains(somewhere))
    let gate = Gate(PackedVenueGateTests.square(8, 47, 1), tolerance: -5)
    #expect(gate.tolerance == 0)
    let odd = [
      bad, Coordinate(longitude: 8.5, latitude: .infinity), Coordinate(longitude: -.infinity, latitude: 47.5),
      Coordinate(longitude: 368.5, latitude: 47.5), Coordinate(longitude: 1e300, latitude: -1e300),
      Coordinate(longitude: 8.5, latitude: 47.5),
    ]
    #expect(gate.contains(odd) == [false, false, false, false, false, true])
    #expect(odd.map(gate.contains) == [false, false, false, false, false, true])
  }

  /// Coordinates are as aligned as their numbers; two of them at once are not.
  @Test func positionsCanLieAnywhere() throws {
    let gate = Gate(PackedVenueGateTests.square(8, 47, 1))
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 * 16 + 8, alignment: 16)
    defer { memory.deallocate() }
    let positions = (0..<8).map { Coordinate(longitude: 7.75 + Double($0) / 4, latitude: 47.5) }
    for shift in [0, 8] {
      let room = UnsafeMutableRawBufferPointer(rebasing: memory[shift..<shift + 8 * 16]).bindMemory(to: Coordinate.self)
      _ = room.initialize(from: positions)
      var answers = Array(repeating: false, count: 8)
      answers.withUnsafeMutableBufferPointer { gate.contains(UnsafeBufferPointer(room), into: $0) }
      #expect(answers == positions.map(gate.contains))
      #expect(answers.contains(true) && answers.contains(false))
    }
  }
}

/// Metres to an area's boundary in a plane that touches the ellipsoid at the position, edge by edge.
enum PlainDistance {
  static func metres(from position: Coordinate, to area: GeoMultiPolygon) -> Double {
    let frame = LocalFrame(origin: position)
    var best = Double.infinity
    for ring in area.polygons.flatMap(\.rings) {
      guard var a = ring.last.map(frame.project) else { continue }
      for b in ring.map(frame.project) {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = dx * dx + dy * dy
        let t = length > 0 ? min(max(-(a.x * dx + a.y * dy) / length, 0), 1) : 0
        let (x, y) = (a.x + t * dx, a.y + t * dy)
        best = min(best, (x * x + y * y).squareRoot())
        a = b
      }
    }
    return best
  }
}
