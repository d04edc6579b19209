public import CordonCore

/// Whether positions lie in an area: built once, asked for every fix.
///
/// The boundary is inside, holes are outside, edges are straight in (longitude, latitude), and answers are
/// exact: those of ``GeoMultiPolygon/contains(_:)``. With a tolerance, positions that are no
/// farther than that from the boundary are inside too, measured in a plane that touches the ellipsoid at the position
/// (exact to rounding; some millimetres at a tolerance of a kilometre).
///
/// A raster over the bounding box answers for most positions with one look into a table; cells on the boundary
/// hold the few edges that decide. Asking never allocates.
public struct Gate: Sendable {
  /// Metres outside of the boundary that still count as inside.
  public let tolerance: Double
  private let table: GateTable?

  /// Prepares an area. A tolerance that is negative or not finite counts as 0. Rings with a vertex that is not a
  /// valid coordinate are left out.
  public init(_ area: GeoMultiPolygon, tolerance: Double = 0) {
    let usable = tolerance.isFinite ? max(tolerance, 0) : 0
    self.tolerance = usable
    table = GateTable(area, tolerance: usable, largestShift: 10)
  }

  /// A gate that takes a few kilobytes, for areas that are asked about less often.
  init(compact area: GeoMultiPolygon) {
    tolerance = 0
    table = GateTable(area, tolerance: 0, largestShift: 6)
  }

  /// Whether the position is inside. What is not a valid coordinate is outside.
  public func contains(_ position: Coordinate) -> Bool {
    guard let table else { return false }
    return table.contains(position)
  }

  /// Answers for many positions, in order.
  public func contains(_ positions: [Coordinate]) -> [Bool] {
    Array(unsafeUninitializedCapacity: positions.count) { answers, count in
      positions.withUnsafeBufferPointer { contains($0, into: answers) }
      count = positions.count
    }
  }

  /// Answers for many positions, in order, written to the beginning of `answers`; as many as both have room for.
  public func contains(_ positions: UnsafeBufferPointer<Coordinate>, into answers: UnsafeMutableBufferPointer<Bool>) {
    let count = min(positions.count, answers.count)
    guard count > 0, let base = answers.baseAddress else { return }
    if let table {
      table.contains(UnsafeBufferPointer(rebasing: positions[..<count]), into: base)
    } else {
      base.initialize(repeating: false, count: count)
    }
  }
}
