extension RunOutcome {
  /// What the check of every step found, as one sentence: steps outside what can be walked on, in walls, and in other people;
  /// `nil` when there was none, or nobody looked.
  public var brokenSteps: String? {
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
