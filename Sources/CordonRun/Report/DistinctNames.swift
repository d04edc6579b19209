/// Names that are distinct: equal ones get numbers.
package enum DistinctNames {
  /// Returns the names in their order; names that occur more than once get numbers: `Door (1)`, `Door (2)`.
  package static func numbered(_ names: [String]) -> [String] {
    var uses: [String: Int] = [:]
    for name in names { uses[name, default: 0] += 1 }
    var numbers: [String: Int] = [:]
    return names.map { name in
      guard uses[name] ?? 0 > 1 else { return name }
      numbers[name, default: 0] += 1
      return "\(name) (\(numbers[name] ?? 1))"
    }
  }
}

extension RunVenue {
  /// A distinct title for every space: its name or kind, its storey if there are several, and a number if that is not
  /// enough. All pages and comparisons use these titles.
  package var distinctTitles: [String] { ReportStoreys(venue: self).titles }
}

extension RunOutcome.Queue {
  /// Returns the name of the place with the title of its space.
  ///
  /// - Parameters:
  ///   - venue: the venue of the run.
  ///   - titles: the distinct titles of its spaces.
  package func title(in venue: RunVenue, titles: [String]) -> String {
    let given = name.isEmpty ? place : name
    guard titles.indices.contains(Int(space)), venue.spaces.indices.contains(Int(space)) else { return given }
    let plain = venue.spaces[Int(space)].title
    return given.hasPrefix(plain) ? titles[Int(space)] + given.dropFirst(plain.count) : given
  }
}
