import CordonCore

/// Makes a forest of the categories of a map: whoever follows parents upwards comes to an end.
enum CategoryTree {
  /// Takes away parents that are absent, and one parent of every circle. Linear.
  static func mend(_ categories: inout [PointOfInterestCategory], file: String, findings: inout FindingLog) {
    let places = Dictionary(categories.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    /// The walk that came by a category first; 0 where none has been.
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
