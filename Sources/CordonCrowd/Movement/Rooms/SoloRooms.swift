/// The spaces with a limit during a run of people without bodies.
struct SoloRooms {
  private var admissions: [RoomAdmission]
  /// The space in front of which a person is, by the number of the person.
  private var approached: [Int: Int] = [:]
  /// The spaces that a person leaves, in order of time, by the number of the person.
  private var left: [Int: [Int]] = [:]
  /// The spaces in which somebody may have to be admitted.
  private var freed: [Int] = []
  /// The number of waits for room.
  private(set) var waits = 0
  /// The number of stops that were given up after a wait.
  private(set) var givenUp = 0

  /// - Parameter limits: the spaces; `nil` if there are none.
  init(_ limits: LimitedSpaces?) {
    admissions = (limits?.limits ?? []).map { RoomAdmission(limit: $0) }
  }

  /// The people who wait, by number.
  var waiting: [Int] { admissions.flatMap(\.waiting).sorted() }

  /// Checks whether a person waits for room.
  func isWaiting(_ person: Int) -> Bool {
    approached[person].map { admissions[$0].waiting.contains(person) } ?? false
  }

  /// Notes that a person will be in front of a space.
  mutating func approach(_ person: Int, _ space: Int) { approached[person] = space }

  /// Notes that a person will leave a space.
  mutating func leave(_ person: Int, _ space: Int) { left[person, default: []].append(space) }

  /// Admits a person to the space in front of them, if there is room; otherwise the person waits.
  mutating func request(_ person: Int) -> Bool {
    guard let space = approached[person] else { return true }
    if admissions[space].request(person) { return true }
    waits += 1
    return false
  }

  /// Removes a person who left the first of the noted spaces.
  mutating func remove(_ person: Int) {
    guard var spaces = left.removeValue(forKey: person), !spaces.isEmpty else { return }
    let space = spaces.removeFirst()
    if !spaces.isEmpty { left[person] = spaces }
    admissions[space].remove(person)
    freed.append(space)
  }

  /// Removes a person who no longer waits.
  mutating func giveUp(_ person: Int) {
    guard let space = approached[person] else { return }
    admissions[space].remove(person)
    givenUp += 1
  }

  /// Admits the next person to a space that somebody left; returns `nil` when there is none.
  mutating func admitNext() -> Int? {
    while let space = freed.last {
      if let person = admissions[space].admitNext() { return person }
      freed.removeLast()
    }
    return nil
  }
}
