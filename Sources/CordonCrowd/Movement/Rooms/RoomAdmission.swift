/// The people who may be in a space with a limit, and those who wait for room, in order of arrival.
///
/// A person is admitted before entering, and counts until after leaving. So the people who stay in the space are never
/// more than the limit, and neither are those on their way to a spot or out of the space.
struct RoomAdmission {
  /// The maximum number of admitted people.
  let limit: Int
  /// The admitted people, in order of admission.
  private(set) var admitted: [Int] = []
  /// The people who wait for room, in order of arrival.
  private(set) var waiting: [Int] = []

  /// Creates an empty space.
  init(limit: Int) { self.limit = limit }

  /// Checks whether a person is admitted.
  func isAdmitted(_ person: Int) -> Bool { admitted.contains(person) }

  /// Admits a person if there is room and nobody else waits; otherwise the person joins the end of the queue.
  /// - Returns: whether the person is admitted.
  mutating func request(_ person: Int) -> Bool {
    if isAdmitted(person) { return true }
    if admitted.count < limit, waiting.isEmpty || waiting == [person] {
      waiting = []
      admitted.append(person)
      return true
    }
    if !waiting.contains(person) { waiting.append(person) }
    return false
  }

  /// Admits the next person who waits; returns `nil` if there is no room or nobody waits.
  mutating func admitNext() -> Int? {
    guard admitted.count < limit, !waiting.isEmpty else { return nil }
    let next = waiting.removeFirst()
    admitted.append(next)
    return next
  }

  /// Removes a person who left, or who no longer waits.
  mutating func remove(_ person: Int) {
    admitted.removeAll { $0 == person }
    waiting.removeAll { $0 == person }
  }
}
