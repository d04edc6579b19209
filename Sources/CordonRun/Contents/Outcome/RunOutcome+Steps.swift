extension RunOutcome {
  /// A sentence with the invalid steps of people: outside the walkable area, into walls, or into other people.
  ///
  /// `nil` if there are none, or if the steps were not checked.
  package var invalidSteps: String? {
    let kinds = [
      ("outside_steps", "outside what can be walked on"), ("wall_crossings", "in a wall"),
      ("overlaps", "in somebody else"),
    ]
    let found = kinds.compactMap { name, words -> String? in
      guard let value = figures.first(where: { $0.name == name })?.value, value > 0 else { return nil }
      return "\(Int(min(value, 1e15))) \(words)"
    }
    return found.isEmpty ? nil : "steps that ended where nobody may be: " + found.joined(separator: ", ")
  }
}
