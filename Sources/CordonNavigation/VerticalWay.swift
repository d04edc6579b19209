package import CordonGeometry

/// A connection between floors for routing: stairs, an elevator, a ramp.
package struct VerticalWay: Hashable, Sendable {
  /// The landings where people can enter or leave.
  package var stops: [Stop]
  /// The cost of entering, in metres of walking that take the same time.
  package var entryCost: Double
  /// The cost of each level of difference, in metres of walking that take the same time.
  package var costPerLevel: Double

  /// A landing on one floor.
  package struct Stop: Hashable, Sendable {
    /// The index of the floor.
    package var floor: Int
    /// The number of the walkable cell on that floor.
    package var cell: Int
    /// The floor's number in its building; halves are allowed.
    package var level: Double
    /// Whether people can get on here.
    package var isEntry: Bool
    /// Whether people can get off here.
    package var isExit: Bool

    /// Creates a stop from its parts.
    package init(floor: Int, cell: Int, level: Double, isEntry: Bool = true, isExit: Bool = true) {
      self.floor = floor
      self.cell = cell
      self.level = level
      self.isEntry = isEntry
      self.isExit = isExit
    }
  }

  /// Creates a connection from its parts.
  package init(stops: [Stop], entryCost: Double, costPerLevel: Double) {
    self.stops = stops
    self.entryCost = entryCost
    self.costPerLevel = costPerLevel
  }

  /// Returns the cost of a ride from one stop to another; `nil` if it is impossible.
  func cost(from a: Int, to b: Int) -> Double? {
    guard a != b, stops[a].isEntry, stops[b].isExit else { return nil }
    return entryCost + costPerLevel * abs(stops[a].level - stops[b].level)
  }
}

/// A walkable cell of one floor.
package struct Place: Hashable, Sendable {
  /// The index of the floor.
  package var floor: Int
  /// The number of the cell.
  package var cell: Int

  /// Creates a place from its parts.
  package init(floor: Int, cell: Int) {
    self.floor = floor
    self.cell = cell
  }
}

/// A part of a route: a walk on one floor, or a ride between two.
package enum RouteLeg: Hashable, Sendable {
  /// A walk on one floor: its corners, including the first and the last, joined by free straight lines.
  case walk(floor: Int, points: [PlanePoint])
  /// A ride on a vertical way, from one of its stops to another, by index.
  case ride(way: Int, from: Int, to: Int)
}
