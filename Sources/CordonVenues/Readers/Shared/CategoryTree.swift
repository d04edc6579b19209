import CordonCore

/// Turns the categories of a map into a forest, so that following parents always ends.
enum CategoryTree {
  /// Removes missing parents, and one parent of every cycle. Complexity: linear.
  static func mend(_ categories: inout [PointOfInterestCategory], file: String, findings: inout FindingLog) {
    let places = Dictionary(categories.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    /// The walk that first visited a category; 0 for an unvisited one.
    var walks = [Int](repeating: 0, count: categories.count)
    for start in categories.indices {
      var place = start
      while walks[place] == 0 {
        walks[place] = start + 1
        guard let parent = categories[place].parent else { break }
        guard let next = places[parent] else {
          findings.add(
            .warning, "dangling-reference", file: file, object: categories[place].id, action: .ignored,
            "the category names \(parent) as its parent, which is absent")
          categories[place].parent = nil
          break
        }
        if walks[next] == start + 1 {
          findings.add(
            .warning, "reference-cycle", file: file, object: categories[place].id, action: .repaired,
            "the parents of the category lead back to itself; it is put at the top")
          categories[place].parent = nil
          break
        }
        place = next
      }
    }
  }
}
