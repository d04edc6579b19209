/// The people who wait outside the entrances of a building, in order of arrival.
struct EntranceQueues {
  private var waiting: [[Int]]

  init(entrances: Int) { waiting = Array(repeating: [], count: entrances) }

  /// Adds a person, and returns whether that person is the first in front of the entrance.
  mutating func join(_ person: Int, at entrance: Int) -> Bool {
    waiting[entrance].append(person)
    return waiting[entrance].count == 1
  }

  /// Returns the first person in front of an entrance.
  func first(at entrance: Int) -> Int? { waiting[entrance].first }

  /// Removes the first person in front of an entrance, and returns whether others still wait there.
  mutating func admitFirst(at entrance: Int) -> Bool {
    if !waiting[entrance].isEmpty { waiting[entrance].removeFirst() }
    return !waiting[entrance].isEmpty
  }
}
