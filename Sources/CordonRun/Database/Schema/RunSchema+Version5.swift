extension RunSchema {
  /// The minutes above the capacity of spaces and groups: of people who stay, and of people who pass.
  static let version5 = ["places", "group_figures"].flatMap { table in
    ["staying", "passing"].map { "ALTER TABLE \(table) ADD COLUMN minutes_over_capacity_\($0) REAL" }
  }
}
