package import CordonCore

/// A test whether positions lie in an area, built once and queried for every fix.
///
/// The boundary is inside, holes are outside, and edges are straight in (longitude, latitude). The answers are exact:
/// they equal those of ``GeoMultiPolygon/contains(_:)``. With a tolerance, positions within that distance of the
/// boundary are inside as well. That distance is measured in a plane that touches the ellipsoid at the position. It is
/// exact to rounding, and to some millimetres at a tolerance of a kilometre.
///
/// A raster over the bounding box answers most queries with one table lookup. Cells on the boundary contain the few
/// edges to test. A query never allocates memory.
package struct Gate: Sendable {
  /// The distance outside the boundary that still counts as inside, in metres.
  package let tolerance: Double
  private let table: GateTable?

  /// Prepares an area. Rings with an invalid vertex are left out.
  /// - Parameters:
  ///   - area: the area.
  ///   - tolerance: the distance outside the boundary that still counts as inside, in metres. A negative or infinite
  ///     tolerance, or NaN, counts as 0.
  package init(_ area: GeoMultiPolygon, tolerance: Double = 0) {
    let usable = tolerance.isFinite ? max(tolerance, 0) : 0
    self.tolerance = usable
    table = GateTable(area, tolerance: usable, largestShift: 10)
  }

  /// Creates a gate that takes a few kilobytes, for areas that are queried less often.
  init(compact area: GeoMultiPolygon) {
    tolerance = 0
    table = GateTable(area, tolerance: 0, largestShift: 6)
  }

  /// Checks whether a position is inside. An invalid coordinate is outside.
  package func contains(_ position: Coordinate) -> Bool {
    guard let table else { return false }
    return table.contains(position)
  }

  /// Checks many positions, and returns the answers in order.
  package func contains(_ positions: [Coordinate]) -> [Bool] {
    Array(unsafeUninitializedCapacity: positions.count) { answers, count in
      positions.withUnsafeBufferPointer { contains($0, into: answers) }
      count = positions.count
    }
  }

  /// Checks many positions, and writes the answers to the beginning of a buffer, in order.
  ///
  /// The number of answers is the smaller one of the two counts.
  package func contains(_ positions: UnsafeBufferPointer<Coordinate>, into answers: UnsafeMutableBufferPointer<Bool>) {
    let count = min(positions.count, answers.count)
    guard count > 0, let base = answers.baseAddress else { return }
    if let table {
      table.contains(UnsafeBufferPointer(rebasing: positions[..<count]), into: base)
    } else {
      base.initialize(repeating: false, count: count)
    }
  }
}
