import CordonCore

/// An index of the elements of a growing list by identifier; the first of several equal ones is found.
///
/// It adds the elements that were appended since the last query, so the list remains an ordinary array.
struct AppendIndex {
  private var places: [String: Int] = [:]
  private var known = 0

  /// Returns the index of the element with an identifier, in constant time on average; `nil` if there is none.
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
  /// Returns the index of a floor in ``floors``; `nil` if there is none.
  mutating func floorPlace(_ id: FloorID) -> Int? { floorIndex.place(of: id.rawValue, in: floors) { $0.id.rawValue } }
  /// Returns the index of a space in ``spaces``; `nil` if there is none.
  mutating func spacePlace(_ id: String) -> Int? { spaceIndex.place(of: id, in: spaces) { $0.id.rawValue } }
  /// Returns the index of an opening in ``openings``; `nil` if there is none.
  mutating func openingPlace(_ id: String) -> Int? { openingIndex.place(of: id, in: openings) { $0.id } }
  /// Returns the index of a building in ``buildings``; `nil` if there is none.
  mutating func buildingPlace(_ id: String) -> Int? { buildingIndex.place(of: id, in: buildings) { $0.id } }
}
