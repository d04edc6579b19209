import CordonCore
import CordonGeometry
import Measuring

/// Elementary functions and geodesics.
func measureFunctions(into table: inout Table) {
  var random = BenchRandom(seed: 6)
  let angles = (0..<1_000_000).map { _ in random.unit() * 6 - 3 }
  var sum = 0.0
  func add(_ name: String, _ function: @escaping (Double) -> Double) {
    table.add(name, measure(runs: 5) { for x in angles { sum += function(x) } }, per: 1e-3, unit: "ns")
  }
  add("PortableMath.sincos") { PortableMath.sincos($0).sin }
  add("PortableMath.exp", PortableMath.exp)
  add("PortableMath.log") { PortableMath.log($0 + 4) }
  add("PortableMath.atan2") { PortableMath.atan2($0, 1.5) }
  let here = Coordinate(longitude: 8, latitude: 47)
  let places = angles.prefix(100_000).map { Coordinate(longitude: 8 + $0 * 0.01, latitude: 47 - $0 * 0.02) }
  table.add(
    "geodesic, inverse, anywhere",
    measure(runs: 3) {
      for (one, other) in zip(angles, angles.dropFirst()).prefix(100_000) {
        sum += Geodesic.distance(
          from: Coordinate(longitude: one * 60, latitude: other * 30),
          to: Coordinate(longitude: other * 60, latitude: one * 30))
      }
    }, per: 1e-4, unit: "ns")
  table.add(
    "geodesic, inverse, to 7 km",
    measure(runs: 5) { for place in places { sum += Geodesic.distance(from: here, to: place) } }, per: 1e-4, unit: "ns",
    note: sum.isFinite ? "" : "not finite")
}
