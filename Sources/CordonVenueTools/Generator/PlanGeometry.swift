/// A point of a draft, in whole centimetres.
///
/// Drafts use integers so that walls meet exactly.
struct PlanPoint: Hashable, Comparable {
  var x: Int
  var y: Int

  static func < (lhs: PlanPoint, rhs: PlanPoint) -> Bool { (lhs.x, lhs.y) < (rhs.x, rhs.y) }
}

/// A side of a rectangle; north is up.
enum PlanSide {
  case south, north, west, east

  /// Whether the side runs from west to east.
  var isHorizontal: Bool { self == .south || self == .north }
}

/// A rectangle of a draft, in whole centimetres.
struct PlanRect: Hashable {
  var minX: Int
  var minY: Int
  var maxX: Int
  var maxY: Int

  var width: Int { maxX - minX }
  var height: Int { maxY - minY }
  var center: PlanPoint { PlanPoint(x: (minX + maxX) / 2, y: (minY + maxY) / 2) }

  /// The corners counter-clockwise, from the south-west.
  var corners: [PlanPoint] {
    [
      PlanPoint(x: minX, y: minY), PlanPoint(x: maxX, y: minY), PlanPoint(x: maxX, y: maxY),
      PlanPoint(x: minX, y: maxY),
    ]
  }

  /// Returns the coordinate of a side: y for a horizontal side, x otherwise.
  func coordinate(of side: PlanSide) -> Int {
    switch side {
    case .south: minY
    case .north: maxY
    case .west: minX
    case .east: maxX
    }
  }

  /// Returns the range of the rectangle along a side.
  func extent(along side: PlanSide) -> PlanRange {
    side.isHorizontal ? PlanRange(minX, maxX) : PlanRange(minY, maxY)
  }

  /// Returns the point of a side at a position along its axis.
  func point(on side: PlanSide, at position: Int) -> PlanPoint {
    side.isHorizontal
      ? PlanPoint(x: position, y: coordinate(of: side)) : PlanPoint(x: coordinate(of: side), y: position)
  }
}

/// A range of an axis, in whole centimetres.
struct PlanRange: Hashable {
  var lower: Int
  var upper: Int

  init(_ lower: Int, _ upper: Int) {
    self.lower = lower
    self.upper = upper
  }

  var length: Int { upper - lower }
  var middle: Int { (lower + upper) / 2 }

  func intersection(_ other: PlanRange) -> PlanRange? {
    let low = max(lower, other.lower)
    let high = min(upper, other.upper)
    return low < high ? PlanRange(low, high) : nil
  }
}
