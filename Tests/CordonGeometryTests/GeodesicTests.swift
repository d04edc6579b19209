import CordonCore
import CordonGeometry
import Testing

@Suite("Geodesics")
struct GeodesicTests {
  static func difference(_ a: Double, _ b: Double) -> Double { abs((a - b).remainder(dividingBy: 360)) }

  @Test func distancesMatchGeographicLib() {
    for f in GeodesicFixtures.inverse {
      let line = Geodesic(from: f.start, to: f.end)
      #expect(abs(line.distance - f.distance) < 1e-6, "\(f)")
      #expect(Geodesic.distance(from: f.start, to: f.end) == line.distance)
      #expect(abs(Geodesic.distance(from: f.end, to: f.start) - f.distance) < 1e-6, "\(f)")
    }
  }

  @Test func azimuthsMatchGeographicLib() {
    for f in GeodesicFixtures.inverse where f.distance < 19_000_000 && abs(f.start.latitude) < 90 {
      let line = Geodesic(from: f.start, to: f.end)
      // A hundredth of a micrometre across the line, however short it is.
      let allowed = 1e-9 + 1e-8 / f.distance * 180 / Double.pi
      #expect(Self.difference(line.azimuth, f.azimuth) < allowed, "\(f) \(line)")
      #expect(Self.difference(line.finalAzimuth, f.finalAzimuth) < allowed, "\(f) \(line)")
    }
  }

  @Test func destinationsMatchGeographicLib() {
    for f in GeodesicFixtures.direct {
      let end = Geodesic.destination(from: f.start, azimuth: f.azimuth, distance: f.distance)
      #expect(Geodesic.distance(from: end, to: f.end) < 1e-6, "\(f) \(end)")
      #expect(end.isValid)
    }
  }

  @Test func destinationAndInverseAgree() {
    var random = TestRandom(seed: 4)
    for _ in 0..<2_000 {
      let start = Coordinate(longitude: random.double(in: -180...180), latitude: random.double(in: -90...90))
      let azimuth = random.double(in: -180...180)
      let distance = random.double(in: 0...1) * [1, 100, 20_000, 5e6, 1.9e7][random.int(below: 5)]
      let end = Geodesic.destination(from: start, azimuth: azimuth, distance: distance)
      #expect(abs(Geodesic.distance(from: start, to: end) - distance) < 1e-6, "\(start) \(azimuth) \(distance)")
    }
  }

  @Test func unusualPlacesHaveAnswers() {
    let place = Coordinate(longitude: 10, latitude: 20)
    #expect(Geodesic(from: place, to: place).distance == 0)
    #expect(
      Geodesic.distance(from: Coordinate(longitude: 180, latitude: 5), to: Coordinate(longitude: -180, latitude: 5))
        == 0)
    #expect(Geodesic.distance(from: place, to: Coordinate(longitude: .nan, latitude: 0)).isNaN)
    #expect(Geodesic(from: Coordinate(longitude: 0, latitude: 91), to: place).azimuth.isNaN)
    #expect(Geodesic.destination(from: place, azimuth: .infinity, distance: 1).latitude.isNaN)
    let pole = Coordinate(longitude: 77, latitude: 90)
    #expect(Geodesic.distance(from: pole, to: Coordinate(longitude: -12, latitude: 90)) < 1e-6)
    #expect(abs(Geodesic.destination(from: pole, azimuth: 180, distance: 111.694).latitude - 89.999) < 1e-6)
  }
}
