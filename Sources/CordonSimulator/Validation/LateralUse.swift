import CordonCore

/// Positions of people over the width of a straight corridor.
package struct LateralUse: Hashable, Sendable {
  /// The width of the corridor, in metres.
  package let width: Double
  /// The distances from the wall on the right of the walking direction, in metres.
  package private(set) var offsets: [Double] = []

  /// Creates an empty collection for a corridor of a width in metres.
  package init(width: Double) { self.width = width }

  /// Merges collections of corridors of one width.
  package init(merging uses: [LateralUse]) {
    width = uses.first?.width ?? 0
    offsets = uses.flatMap(\.offsets)
  }

  /// Adds a position by its distance from the wall on the right, in metres.
  package mutating func add(_ offset: Double) { offsets.append(offset) }

  /// Returns the share of positions nearer to one of the walls than a distance in metres; NaN without positions.
  package func share(within distance: Double) -> Double {
    Double(offsets.count { min($0, width - $0) < distance }) / Double(offsets.count)
  }

  /// The share of positions in the right half; NaN without positions.
  package var rightShare: Double { Double(offsets.count { $0 < width / 2 }) / Double(offsets.count) }

  /// The standard deviation of the positions, in metres; NaN without positions.
  package var deviation: Double {
    let mean = offsets.reduce(0, +) / Double(offsets.count)
    return (offsets.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(offsets.count)).squareRoot()
  }

  /// Returns the share of positions in each tenth of a metre, as points of a curve.
  package var curve: [MovementStudy.Point] {
    let bins = Int((width / 0.1).rounded(.up))
    var counts = [Int](repeating: 0, count: bins)
    for offset in offsets { counts[min(max(Int(offset / 0.1), 0), bins - 1)] += 1 }
    return counts.enumerated().map {
      MovementStudy.Point(x: (Double($0.offset) + 0.5) * 0.1, y: Double($0.element) / Double(max(offsets.count, 1)))
    }
  }
}
