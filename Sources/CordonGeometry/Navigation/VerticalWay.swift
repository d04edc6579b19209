/// A way between floors as routing sees it: stairs, an elevator, a ramp.
public struct VerticalWay: Hashable, Sendable {
  /// Where it can be entered or left.
  public var stops: [Stop]
  /// What entering it costs, in metres of walking that take as long.
  public var entryCost: Double
  /// What each level of difference costs, in metres of walking that take as long.
  public var costPerLevel: Double

  /// A landing on one floor.
  public struct Stop: Hashable, Sendable {
    /// Index of the floor.
    public var floor: Int
    /// Number of the walkable cell on that floor.
    public var cell: Int
    /// The floor's number in its building; halves are allowed.
    public var level: Double
    /// Whether one can get on here.
    public var isEntry: Bool
    /// Whether one can get off here.
    public var isExit: Bool

    /// Takes the values as they are.
    public init(floor: Int, cell: Int, level: Double, isEntry: Bool = true, isExit: Bool = true) {
      self.floor = floor
      self.cell = cell
      self.level = level
      self.isEntry = isEntry
      self.isExit = isExit
    }
  }

  /// Takes the values as they are.
  public init(stops: [Stop], entryCost: Double, costPerLevel: Double) {
    self.stops = stops
    self.entryCost = entryCost
    self.costPerLevel = costPerLevel
  }

  /// What riding from one stop to another costs; `nil` when it cannot be done.
  func cost(from a: Int, to b: Int) -> Double? {
    guard a != b, stops[a].isEntry, stops[b].isExit else { return nil }
    return entryCost + costPerLevel * abs(stops[a].level - stops[b].level)
  }
}

/// A walkable cell of one floor.
public struct Place: Hashable, Sendable {
  /// Index of the floor.
  public var floor: Int
  /// Number of the cell.
  public var cell: Int

  /// A cell of a floor.
  public init(floor: Int, cell: Int) {
    self.floor = floor
    self.cell = cell
  }
}

/// A part of a way: a walk on one floor, or a ride between two.
public enum RouteLeg: Hashable, Sendable {
  /// Corners of a walk on one floor, first and last included; straight and free in between.
  case walk(floor: Int, points: [PlanePoint])
  /// A ride on a vertical way, between two of its stops.
  case ride(way: Int, from: Int, to: Int)
}
