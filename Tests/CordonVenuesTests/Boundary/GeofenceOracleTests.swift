import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenues

/// Our smallest circle against that of GEOS, on points projected azimuthal-equidistant round our centre.
@Suite struct GeofenceOracleTests {
  @Test(arguments: [0.0, 23, 48, 60, 70, 80, -41], [8.0, 60, 400, 1_500, 5_000])
  func theCircleIsAsSmallAsThatOfGEOS(latitude: Double, size: Double) throws {
    let geos = try #require(GeosContext())
    for seed in UInt64(1)...3 {
      var random = RandomStream(seed: seed, stream: 0x7465_7374, entity: UInt64(size))
      // The last one lies across the antimeridian.
      let frame = LocalFrame(origin: Coordinate(longitude: seed == 3 ? 179.999 : 11.5, latitude: latitude))
      let places = (0..<40).map { _ in
        frame.unproject(
          PlanePoint(x: (random.nextUnit() - 0.5) * size, y: (random.nextUnit() - 0.5) * size * 0.6))
      }
      let ours = try #require(BoundingCircle(enclosing: places))
      let projected = places.map { place -> PlanePoint in
        let line = Geodesic(from: ours.center, to: place)
        let (sine, cosine) = PortableMath.sincos(line.azimuth * Double.pi / 180)
        return PlanePoint(x: line.distance * sine, y: line.distance * cosine)
      }
      let theirs = try geos.minimumBoundingCircle(of: projected)
      #expect(abs(ours.radius - theirs.radius) < 1e-3, "seed \(seed): \(ours.radius) and \(theirs.radius)")
      #expect(ours.radius >= theirs.radius - 1e-9)
      for place in places { #expect(Geodesic.distance(from: ours.center, to: place) <= ours.radius) }
    }
  }
}
