import CordonCore
import CordonGeometry
import Testing

@Suite("Boundary index")
struct BoundaryIndexTests {
  /// A square of 40 m with a hole of 20 m in its middle, and a second one 10 m east of it.
  static let frame = LocalFrame(origin: Coordinate(longitude: 24.9, latitude: 60.2))
  static func ring(_ x: Double, _ y: Double, _ size: Double) -> [Coordinate] {
    [(x, y), (x + size, y), (x + size, y + size), (x, y + size)].map {
      frame.unproject(PlanePoint(x: $0.0, y: $0.1))
    }
  }
  static let area = GeoMultiPolygon([
    GeoPolygon(outer: ring(0, 0, 40), holes: [ring(10, 10, 20)]), GeoPolygon(outer: ring(50, 0, 40).reversed()),
  ])
  static func place(_ x: Double, _ y: Double) -> Coordinate { frame.unproject(PlanePoint(x: x, y: y)) }

  @Test func distanceIsNegativeInside() throws {
    let index = BoundaryIndex(Self.area)
    for (x, y, expected) in [
      (5.0, 20.0, -5.0), (20, 20, 10), (-3, 20, 3), (-3, -4, 5), (45, 20, 5), (70, 20, -20), (40, 20, 0), (10, 10, 0),
    ] {
      let distance = try #require(index.signedDistance(from: Self.place(x, y)))
      #expect(abs(distance - expected) < 1e-3, "\(x) \(y)")
    }
    #expect(BoundaryIndex(GeoMultiPolygon()).signedDistance(from: Self.place(0, 0)) == nil)
    #expect(index.signedDistance(from: Coordinate(longitude: .nan, latitude: 0)) == nil)
  }

  @Test(arguments: GateTests.centers.prefix(4))
  func distanceAgreesWithMeasuringEveryEdge(center: Coordinate) throws {
    for seed in UInt64(1)...4 {
      var random = TestRandom(seed: seed)
      let area = AreaSamples.area(&random, at: center, size: 0.001, isFloorOnly: seed % 2 == 0)
      let index = BoundaryIndex(area)
      for position in AreaSamples.positions(&random, area, at: center, size: 0.002, isFloorOnly: false, count: 200) {
        let distance = try #require(index.signedDistance(from: position))
        #expect(abs(abs(distance) - PlainDistance.metres(from: position, to: area)) < 1e-6)
        if distance != 0 { #expect((distance < 0) == area.contains(position)) }
      }
    }
  }

  /// Box-Muller.
  static func normal(_ random: inout TestRandom) -> (Double, Double) {
    let radius = (-2 * PortableMath.log(1 - random.double(in: 0...1))).squareRoot()
    let (s, c) = PortableMath.sincos(2 * Double.pi * random.double(in: 0...1))
    return (radius * c, radius * s)
  }

  @Test(arguments: [
    (20.0, 20.0, 15.0), (5, 20, 5), (40, 20, 8), (10, 10, 3), (-5, -5, 20), (45, 20, 10), (45, 20, 300), (70, 20, 50),
    (0, 0, 6), (70, 20, 1),
  ])
  func probabilityAgreesWithRandomSampling(x: Double, y: Double, accuracy: Double) {
    var random = TestRandom(seed: 12)
    let gate = Gate(Self.area)
    let deviation = accuracy / 1.5096
    let throwCount = 100_000
    let places = (0..<throwCount).map { _ in
      let (dx, dy) = Self.normal(&random)
      return Self.place(x + deviation * dx, y + deviation * dy)
    }
    let share = Double(gate.contains(places).count { $0 }) / Double(throwCount)
    let probability = BoundaryIndex(Self.area).probabilityInside(at: Self.place(x, y), accuracy: accuracy)
    // Four standard deviations of the sampling itself.
    #expect(abs(probability - share) < 0.0065, "\(probability) \(share)")
  }

  @Test func probabilityAgreesWithTheClosedForm() {
    // A square seen from its middle: erf(a / (deviation sqrt 2))^2.
    let square = BoundaryIndex(GeoMultiPolygon([GeoPolygon(outer: Self.ring(0, 0, 20))]))
    let accuracy = 10 / BoundaryIndex.deviationPerAccuracy
    #expect(abs(square.probabilityInside(at: Self.place(10, 10), accuracy: accuracy) - 0.4660649) < 1e-4)
    #expect(abs(square.probabilityInside(at: Self.place(0, 0), accuracy: 1) - 0.25) < 1e-3)
    #expect(abs(square.probabilityInside(at: Self.place(20, 10), accuracy: 1) - 0.5) < 1e-3)
    // 68 % of the displacements are within the accuracy that belongs to the deviation.
    #expect(abs(BoundaryIndex.deviationPerAccuracy * (-2 * PortableMath.log(0.32)).squareRoot() - 1) < 1e-9)
  }

  @Test func zeroErrorIsCertainAndInvalidErrorsProveNothing() {
    let index = BoundaryIndex(Self.area)
    #expect(index.probabilityInside(at: Self.place(5, 5), accuracy: 0) == 1)
    #expect(index.probabilityInside(at: Self.place(20, 20), accuracy: 0) == 0)
    #expect(index.probabilityInside(at: Self.place(5, 5), accuracy: -1) == 0)
    #expect(index.probabilityInside(at: Self.place(5, 5), accuracy: .nan) == 0)
    #expect(index.probabilityInside(at: Self.place(5, 5), accuracy: .infinity) == 0)
    #expect(index.probabilityInside(at: Self.place(5, 5), accuracy: 1e12) < 1e-6)
    #expect(index.probabilityInside(at: Coordinate(longitude: .nan, latitude: 5), accuracy: 5) == 0)
    #expect(BoundaryIndex(GeoMultiPolygon()).probabilityInside(at: Self.place(5, 5), accuracy: 5) == 0)
  }
}
