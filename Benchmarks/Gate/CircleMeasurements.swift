import CordonCore
import CordonGeometry
import Measuring

/// Smallest circles.
func measureCircles(into table: inout Table) {
  var random = BenchRandom(seed: 3)
  // The smallest circle of 100 000 places.
  for (name, spread) in [("in a 5 km square", 0), ("on a circle", 1)] {
    let places: [Coordinate] = (0..<100_000).map { index in
      if spread == 0 {
        return Coordinate(longitude: 8 + random.unit() * 0.06, latitude: 47 + random.unit() * 0.045)
      }
      let angle = 2 * Double.pi * random.unit()
      return Geodesic.destination(
        from: Coordinate(longitude: 8, latitude: 60), azimuth: angle * 180 / Double.pi, distance: 2_500)
    }
    var radius = 0.0
    let time = measure(runs: 5) { radius = BoundingCircle(enclosing: places)?.radius ?? 0 }
    table.add("circle, 100000 places \(name)", time, per: 1e-3, unit: "ms", limit: 20, note: "radius \(radius) m")
  }
}
