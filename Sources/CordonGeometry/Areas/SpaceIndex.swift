public import CordonCore

/// Which of a floor's spaces a position lies in: built once, asked for every fix.
///
/// Spaces may overlap: the smallest wins (by area), then the earlier one. Boundaries are inside, holes are
/// outside, edges are straight in (longitude, latitude), and answers are exact.
public struct SpaceIndex: Sendable {
  /// The frame in which plane points are taken.
  public let frame: LocalFrame
  /// How many spaces there are.
  public let count: Int
  private let outlines: [GeoMultiPolygon]
  private let order: [Int]

  /// Prepares the outlines of spaces; answers are positions in this array. Without a frame, one in the middle of them is used.
  public init(_ outlines: [GeoMultiPolygon], frame: LocalFrame? = nil) {
    let bounds = GeoBounds(outlines.flatMap(\.vertices))
    let used = frame ?? LocalFrame(origin: bounds?.center ?? Coordinate(longitude: 0, latitude: 0))
    self.frame = used
    self.outlines = outlines
    count = outlines.count
    let areas = outlines.map { $0.area(in: used) }
    order = outlines.indices.sorted { (areas[$0], $0) < (areas[$1], $1) }
  }

  /// The index of the space at a position, `nil` when there is none.
  public func space(at position: Coordinate) -> Int? {
    order.first { outlines[$0].contains(position) }
  }

  /// The index of the space at a point of ``frame``, `nil` when there is none.
  public func space(at point: PlanePoint) -> Int? {
    space(at: frame.unproject(point))
  }

  /// The indices of all spaces at a position, the smallest first.
  public func spaces(at position: Coordinate) -> [Int] {
    order.filter { outlines[$0].contains(position) }
  }
}
