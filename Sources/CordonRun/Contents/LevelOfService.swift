/// A level of service for people who stand or queue, from `A` (free) to `F` (packed).
///
/// Source: J. J. Fruin, Pedestrian Planning and Design, 1971, levels of service for queueing.
package enum LevelOfService: String, Hashable, Sendable, CaseIterable {
  case a = "A", b = "B", c = "C", d = "D", e = "E", f = "F"

  /// Creates the level for a floor area per person in square metres.
  package init(areaPerPerson area: Double) {
    self =
      area >= 1.21 ? .a : area >= 0.93 ? .b : area >= 0.65 ? .c : area >= 0.28 ? .d : area >= 0.19 ? .e : .f
  }

  /// The minimum floor area per person in square metres.
  package var minimumArea: Double {
    switch self {
    case .a: 1.21
    case .b: 0.93
    case .c: 0.65
    case .d: 0.28
    case .e: 0.19
    case .f: 0
    }
  }

  /// The number of the level, 0 for `A`.
  package var index: Int { LevelOfService.allCases.firstIndex(of: self) ?? 0 }
}

/// The minutes that a place spent at each level of service, counted by bins of time with people in it.
///
/// The level of a bin is that of its fullest moment.
package struct LevelMinutes: Hashable, Sendable {
  /// The minutes by level, `A` first.
  package private(set) var values = [Double](repeating: 0, count: LevelOfService.allCases.count)

  /// Creates a count without minutes.
  package init() {}

  /// The minutes at one level.
  package subscript(level: LevelOfService) -> Double { values[level.index] }

  /// Adds a bin of a length in minutes.
  package mutating func add(_ minutes: Double, at level: LevelOfService) { values[level.index] += minutes }
}
