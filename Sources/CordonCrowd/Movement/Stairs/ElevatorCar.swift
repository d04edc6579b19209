import CordonGeometry

/// One elevator car and its queues.
///
/// The type decides which people may board and where the car goes next. It knows no positions: the walk reports
/// arrivals and boardings, and carries out the decisions. The car serves calls in one direction until none is left
/// ahead, and then reverses (collective control).
struct ElevatorCar {
  /// Index of the vertical way.
  let way: Int
  /// Levels of the stops, in the order of the vertical way.
  let levels: [Double]
  /// The stop where the car is, or the one to which it travels.
  private(set) var stop = 0
  private(set) var phase = Phase.idle
  /// The direction of travel: 1 up, -1 down.
  private(set) var direction = 1
  private(set) var riders: [Rider] = []
  /// Waiting people by stop, in order of arrival.
  private(set) var waiting: [[Rider]]
  /// People who were called in and are on their way to the door.
  private(set) var called: [Rider] = []
  /// People who are alighting; others are called in only after they have left.
  private var leaving: Set<Int> = []

  /// Time at which the doors close, in milliseconds, unless a person is called in later.
  var closesAt: Int64 = 0

  /// A person and the stop to which the person travels.
  struct Rider: Hashable {
    var person: Int
    var from: Int
    var to: Int
    /// Time at which the wait began, in milliseconds.
    var since: Int64
  }

  enum Phase: Hashable {
    case idle, moving, open
  }

  /// Capacity of the most common car: 630 kg at 75 kg per person.
  static let capacity = 8
  /// Capacity of this car, in people.
  let capacity: Int
  /// Time for the doors to open or to close, in milliseconds.
  static let doorTime: Int64 = 2_500
  /// Time that each person takes to step out, in milliseconds.
  static let stepTime: Int64 = 1_000
  /// Maximum time for which the doors wait for people who find no room in front of them, in milliseconds.
  static let maximumAlighting: Int64 = 20_000
  /// Time for which the doors wait for called people, in milliseconds; `stepTime` is added for each of them.
  static let patience: Int64 = 6_000
  /// Time for acceleration and braking, and for each level (3 m at 1.2 m/s), in milliseconds.
  static let startTime: Int64 = 1_500
  static let levelTime: Int64 = 2_500

  init(way: Int, levels: [Double], capacity: Int = ElevatorCar.capacity) {
    self.way = way
    self.levels = levels
    self.capacity = capacity
    waiting = Array(repeating: [], count: levels.count)
  }

  /// Whether the car has no riders and no waiting or called people.
  var isUnused: Bool { riders.isEmpty && called.isEmpty && waiting.allSatisfy(\.isEmpty) }

  /// Adds a waiting person.
  mutating func wait(_ rider: Rider) { waiting[rider.from].append(rider) }

  /// Removes a person who does not wait any longer.
  mutating func withdraw(_ person: Int) {
    for stop in waiting.indices { waiting[stop].removeAll { $0.person == person } }
  }

  /// Returns the number of people ahead of a person at a stop: called people, and people who arrived earlier.
  func ahead(of person: Int, at stop: Int) -> Int {
    (stop == self.stop ? called.count : 0) + waiting[stop].prefix { $0.person != person }.count
  }

  /// Returns the time between two departures in the same direction, in milliseconds.
  ///
  /// The car is assumed to travel to and fro between two stops with a full load.
  func round(from: Int, to: Int) -> Int64 {
    let travel = ElevatorCar.startTime + Int64(abs(levels[to] - levels[from]) * Double(ElevatorCar.levelTime))
    let stand = ElevatorCar.patience + Int64(capacity) * ElevatorCar.stepTime
    return 2 * (travel + 2 * ElevatorCar.doorTime + stand)
  }

  /// Checks whether the car travels in a person's direction.
  func isGoing(towards rider: Rider) -> Bool { (levels[rider.to] - levels[stop]) * Double(direction) > 0 }

  /// Opens at the current stop, and returns the people who alight.
  mutating func open() -> [Rider] {
    phase = .open
    let off = riders.filter { $0.to == stop }
    riders.removeAll { $0.to == stop }
    leaving = Set(off.map(\.person))
    return off
  }

  /// Whether people are still alighting.
  var isBeingLeft: Bool { !leaving.isEmpty }

  /// Records that a person alighted, and returns whether that was the last one.
  mutating func leave(_ person: Int) -> Bool { leaving.remove(person) != nil && leaving.isEmpty }

  /// Calls in the waiting people who have room and whose direction it is. An empty car takes the direction of the first
  /// one.
  /// - Parameter distance: returns the distance from a waiting person to the door in metres. The nearest people are
  ///   called first, because they may block the way of people who arrived earlier.
  mutating func call(distance: (_ person: Int) -> Double = { _ in 0 }) -> [Rider] {
    let distances = waiting[stop].map { distance($0.person) }
    let queue = waiting[stop].indices.sorted { (distances[$0], $0) < (distances[$1], $1) }.map { waiting[stop][$0] }
    if riders.isEmpty, let first = queue.first { direction = levels[first.to] >= levels[stop] ? 1 : -1 }
    var asked: [Rider] = []
    for rider in queue where riders.count + called.count + asked.count < capacity {
      if (levels[rider.to] - levels[stop]) * Double(direction) > 0 || levels[rider.to] == levels[stop] {
        asked.append(rider)
      }
    }
    waiting[stop].removeAll { asked.contains($0) }
    called += asked
    return asked
  }

  /// Makes a called person a rider; returns `nil` for a person who arrived too late.
  mutating func board(_ person: Int) -> Rider? {
    guard phase == .open, let index = called.firstIndex(where: { $0.person == person }) else { return nil }
    let rider = called.remove(at: index)
    riders.append(rider)
    return rider
  }

  /// Returns a rider who stands outside when the doors close to the head of the queue.
  mutating func leaveBehind(_ person: Int) -> Bool {
    guard let index = riders.firstIndex(where: { $0.person == person }) else { return false }
    let rider = riders.remove(at: index)
    waiting[stop].insert(
      Rider(person: person, from: stop, to: rider.to, since: rider.since), at: 0)
    return true
  }

  /// Closes the doors. Called people who did not board return to the head of the queue and are returned.
  mutating func close() -> [Rider] {
    let late = called
    called = []
    leaving = []
    waiting[stop].insert(contentsOf: late, at: 0)
    return late
  }

  /// Stays at the stop with closed doors, so that the car can open again for people who arrived too late.
  mutating func prepareToReopen() { phase = .moving }

  /// Chooses the next stop, and returns the time to get there in milliseconds, doors included.
  ///
  /// Returns `nil` if no other stop has a call.
  mutating func depart() -> Int64? {
    let wanted = levels.indices.filter { index in
      index != stop && (riders.contains { $0.to == index } || !waiting[index].isEmpty)
    }
    func nearest(_ side: Int) -> Int? {
      wanted.filter { (levels[$0] - levels[stop]) * Double(side) > 0 || (levels[$0] == levels[stop] && side > 0) }
        .min { (abs(levels[$0] - levels[stop]), $0) < (abs(levels[$1] - levels[stop]), $1) }
    }
    guard let next = nearest(direction) ?? nearest(-direction) else {
      phase = .idle
      return nil
    }
    if levels[next] != levels[stop] { direction = levels[next] > levels[stop] ? 1 : -1 }
    let travel = Double(ElevatorCar.startTime) + abs(levels[next] - levels[stop]) * Double(ElevatorCar.levelTime)
    stop = next
    phase = .moving
    return Int64(travel) + 2 * ElevatorCar.doorTime
  }
}
