/// The part of a building that a figure describes. Each part has a table of its own in a comparison.
package enum FigurePart: String, Hashable, Sendable, CaseIterable {
  /// The whole building.
  case building
  /// A group of spaces.
  case group
  /// A space.
  case space
  /// A desk with servers.
  case desk
  /// Another queue: at stairs, an elevator, or a full room.
  case queue

  /// The heading of the table.
  package var title: String {
    switch self {
    case .building: "Building"
    case .group: "Groups"
    case .space: "Spaces"
    case .desk: "Desks"
    case .queue: "Other queues"
    }
  }
}

/// The words for a difference of a figure.
package enum FigureWording: Hashable, Sendable {
  /// Countable things: `5 more`, `5 fewer`.
  case count
  /// Quantities: `0.5 more`, `0.5 less`.
  case amount
  /// Times: `12 longer`, `12 shorter`.
  case duration

  /// The verb before a difference.
  var verb: String { self == .duration ? "is" : "has" }

  /// Returns a difference without its sign: `6.95 fewer`, `3 more`.
  func text(of difference: Double) -> String {
    "\(PairedDifference.plain(abs(difference))) \(difference < 0 ? less : more)"
  }

  var more: String { self == .duration ? "longer" : "more" }

  var less: String {
    switch self {
    case .count: "fewer"
    case .amount: "less"
    case .duration: "shorter"
    }
  }
}

/// One figure in several scenarios or runs, with the differences from the first one.
package struct ComparedFigure: Hashable, Sendable {
  /// A stable name that includes the unit, and the place in brackets: `peak_people[r12]`. Unique in its part.
  package var name: String
  /// A title for readers.
  package var title: String
  /// The part of the building.
  package var part: FigurePart
  /// The mean of each side, in order; `nil` for a side without a value.
  package var means: [Double?]
  /// The differences of the other sides from the first, in order.
  package var differences: [PairedDifference]

  /// Whether any difference is clear.
  package var isClear: Bool { differences.contains(where: \.isSignificant) }

  /// A sentence with all means and differences.
  package var sentence: String {
    let letters = means.indices.map(ComparisonSide.letter)
    if differences.allSatisfy(\.isConstant), let first = means.first, let value = first {
      return "\(title): the same in \(means.count == 2 ? "both" : "all") (\(PairedDifference.plain(value)))."
    }
    let values = zip(means, letters).map { "\($0.map(PairedDifference.plain) ?? "-") in \($1)" }
    return "\(title): \(values.joined(separator: ", ")). \(differences.map(\.finding).joined(separator: " "))"
  }
}

/// One side of a comparison.
package struct ComparisonSide: Hashable, Sendable {
  /// The name for readers: the file, and the values that differ from it.
  package var name: String

  /// Creates a side from its name.
  package init(name: String) { self.name = name }

  /// The maximum number of sides.
  package static let maximum = 26

  /// Returns the letter of a side: `A` for 0.
  package static func letter(_ index: Int) -> String {
    String(UnicodeScalar(UInt8(65 + min(max(index, 0), maximum - 1))))
  }
}
