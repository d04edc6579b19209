import CordonCore
import CordonGeometry
import Testing

@Suite("Bounding circle")
struct BoundingCircleTests {
  @Test(arguments: CircleFixture.all)
  func theCircleIsTheSmallest(fixture: CircleFixture) throws {
    let circle = try #require(BoundingCircle(enclosing: fixture.places))
    #expect(circle.radius >= fixture.radius - 1e-6)
    #expect(circle.radius <= fixture.radius + 0.001 + 1e-6)
    for place in fixture.places {
      #expect(Geodesic.distance(from: circle.center, to: place) <= circle.radius)
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func manyPlacesAreEnclosedInAnyOrder(seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    let center = Coordinate(longitude: [179.999, 8, -80][Int(seed) % 3], latitude: [0.0, 55, 80][Int(seed) % 3])
    var places = (0..<1_500).map { _ in
      Geodesic.destination(
        from: center, azimuth: random.double(in: -180...180), distance: random.double(in: 0...1).squareRoot() * 2_500)
    }
    let circle = try #require(BoundingCircle(enclosing: places))
    for place in places { #expect(Geodesic.distance(from: circle.center, to: place) <= circle.radius) }
    // Not larger than the circle they were drawn from, and touched by at least two of them.
    #expect(circle.radius <= 2_500.001)
    #expect(places.count { Geodesic.distance(from: circle.center, to: $0) > circle.radius - 0.0011 } >= 2)
    places.shuffle(using: &random)
    let again = try #require(BoundingCircle(enclosing: places))
    #expect(abs(again.radius - circle.radius) < 0.0011)
    #expect(Geodesic.distance(from: again.center, to: circle.center) < 0.01)
  }

  @Test func manyPlacesOnOneCircleAreEnclosed() throws {
    let center = Coordinate(longitude: 24, latitude: 60)
    let places = (0..<3_000).map {
      Geodesic.destination(from: center, azimuth: Double($0) * 0.12 - 180, distance: 1_000)
    }
    let circle = try #require(BoundingCircle(enclosing: places))
    #expect(abs(circle.radius - 1_000) < 0.0021)
    for place in places { #expect(Geodesic.distance(from: circle.center, to: place) <= circle.radius) }
  }

  @Test func fewPlacesAreEnclosed() throws {
    let a = Coordinate(longitude: 8, latitude: 47)
    #expect(BoundingCircle(enclosing: []) == nil)
    #expect(BoundingCircle(enclosing: [a, Coordinate(longitude: 200, latitude: 47)]) == nil)
    #expect(BoundingCircle(enclosing: [Coordinate(longitude: .nan, latitude: 47)]) == nil)
    let one = try #require(BoundingCircle(enclosing: [a, a, a]))
    #expect(one.radius <= 0.001)
    let b = Coordinate(longitude: 8.001, latitude: 47.001)
    let two = try #require(BoundingCircle(enclosing: [a, b]))
    #expect(abs(two.radius - Geodesic.distance(from: a, to: b) / 2) < 0.0011)
    // On both sides of a pole, and around the world: the circle contains them, but need not be the smallest.
    for places in [
      [
        Coordinate(longitude: 0, latitude: 89.9), Coordinate(longitude: 120, latitude: 89.95),
        Coordinate(longitude: -170, latitude: 89.9),
      ],
      [
        Coordinate(longitude: 0, latitude: 0), Coordinate(longitude: 120, latitude: 10),
        Coordinate(longitude: -120, latitude: -5),
      ],
    ] {
      let circle = try #require(BoundingCircle(enclosing: places))
      for place in places { #expect(Geodesic.distance(from: circle.center, to: place) <= circle.radius) }
    }
  }

  @Test func policyAddsPaddingMinimumAndHysteresis() throws {
    let circle = BoundingCircle(enclosing: [
      Coordinate(longitude: 8, latitude: 47), Coordinate(longitude: 8, latitude: 47.01),
    ])
    let found = try #require(circle)
    let geofence = try GeofencePolicy().geofence(around: found)
    #expect(geofence.radius == found.radius + 50)
    #expect(geofence.exitRadius == geofence.radius + 100)
    let small = try GeofencePolicy().geofence(around: PackedVenueGateTests.square(8, 47, 0.0001))
    #expect(small.radius == 200 && small.exitRadius == 300)
    #expect(throws: GeofenceError.tooLarge(radius: found.radius + 50, maximum: 500)) {
      try GeofencePolicy(maximumRadius: 500).geofence(around: found)
    }
    #expect(throws: GeofenceError.emptyBoundary) { try GeofencePolicy().geofence(around: GeoMultiPolygon()) }
    #expect(throws: GeofenceError.invalidCoordinate) {
      try GeofencePolicy().geofence(
        around: GeoMultiPolygon([GeoPolygon(outer: [Coordinate(longitude: .nan, latitude: 0)])]))
    }
    #expect(throws: GeofenceError.self) { try GeofencePolicy(maximumRadius: .nan).geofence(around: found) }
    #expect(
      "\(GeofenceError.tooLarge(radius: .infinity, maximum: .nan))"
        == "the geofence would have a radius of inf m, more than the nan m allowed")
  }

  @Test(arguments: [0.0, 47, 79.9, 85, -60])
  func containmentAgreesWithTheGeodesic(latitude: Double) {
    var random = TestRandom(seed: 8)
    for radius in [0.0, 35, 200, 5_000, 30_000, 300_000] {
      let geofence = Geofence(
        center: Coordinate(longitude: 179.99, latitude: latitude), radius: radius, exitRadius: radius + 100)
      for _ in 0..<150 {
        let position = Geodesic.destination(
          from: geofence.center, azimuth: random.double(in: -180...180),
          distance: (random.int(below: 2) == 0 ? radius : radius + 50)
            * [0.5, 1, 1 + random.double(in: -1e-6...1e-6), 3][random.int(below: 4)])
        let distance = Geodesic.distance(from: geofence.center, to: position)
        #expect(geofence.contains(position) == (distance <= radius))
        #expect(geofence.containsExit(position) == (distance <= radius + 100))
      }
    }
    let geofence = Geofence(center: Coordinate(longitude: 0, latitude: 0), radius: 100, exitRadius: .nan)
    #expect(!geofence.contains(Coordinate(longitude: .nan, latitude: 0)))
    #expect(!geofence.containsExit(geofence.center))
  }

  @Test func theNearestGeofencesAreRankedByTheirEdge() {
    func geofence(_ x: Double, _ radius: Double) -> Geofence {
      Geofence(center: Coordinate(longitude: x, latitude: 0), radius: radius, exitRadius: radius)
    }
    let list = [geofence(1, 100), geofence(0.5, 100), geofence(-0.5, 100), geofence(2, 1_900_000), geofence(.nan, 5)]
    let here = Coordinate(longitude: 0, latitude: 0)
    #expect(GeofenceSelection.nearest(to: here, among: list) == [3, 1, 2, 0])
    #expect(GeofenceSelection.nearest(to: here, among: list, limit: 2) == [3, 1])
    #expect(GeofenceSelection.nearest(to: here, among: list, limit: -1) == [])
    #expect(GeofenceSelection.nearest(to: Coordinate(longitude: 0, latitude: .nan), among: list) == [])
    #expect(GeofenceSelection.nearest(to: here, among: Array(repeating: list[0], count: 50)) == Array(0..<20))
  }
}
