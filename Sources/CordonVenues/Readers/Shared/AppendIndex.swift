import CordonCore

/// Finds elements of a growing list by identifier; the first of several wins.
///
/// Catches up with what was appended since it was last asked, so the list stays an ordinary array.
struct AppendIndex {
  private var places: [String: Int] = [:]
  private var known = 0

  /// The place of the element with an identifier, in constant time on average.
  mutating func place<Element>(of id: String, in list: [Element], by key: (Element) -> String) -> Int? {
    while known < list.count {
      let key = key(list[known])
      if places[key] == nil { places[key] = known }
      known += 1
    }
    return places[id]
  }
}

extension VenueDraft {
  /// The place of a floor in ``floors``.
  mutating func floorPlace(_ id: FloorID) -> Int? { floorIndex.place(of: id.rawValue, in: floors) { $0.id.rawValue } }
  /// The place of a space in ``spaces``.
  mutating func spacePlace(_ id: String) -> Int? { spaceIndex.place(of: id, in: spaces) { $0.id.rawValue } }
  /// The place of an opening in ``openings``.
  mutating func openingPlace(_ id: String) -> Int? { openingIndex.place(of: id, in: openings) { $0.id } }
  /// The place of a building in ``buildings``.
  mutating func buildingPlace(_ id: String) -> Int? { buildingIndex.place(of: id, in: buildings) { $0.id } }
}
