import CordonGeometry

/// One elevator car and those who wait for it: who may board where, and where it goes next.
///
/// A value without people's positions: the walk tells it who came and who stepped in, and does what it says.
/// It serves calls in one direction until none is left ahead, then turns round (collective control).
struct ElevatorCar {
  /// Index of the vertical way.
  let way: Int
  /// Floor numbers of the stops, as the way lists them.
  let levels: [Double]
  /// The stop it is at, or goes to.
  private(set) var stop = 0
  private(set) var phase = Phase.idle
  /// 1 up, -1 down.
  private(set) var direction = 1
  private(set) var riders: [Rider] = []
  /// Those who wait, by stop, first come first.
  private(set) var waiting: [[Rider]]
  /// Those who were asked in and are on their way to the door.
  private(set) var called: [Rider] = []
  /// Those who are getting off: nobody is asked in before they are out.
  private var leaving: Set<Int> = []

  /// Milliseconds when its doors close, unless somebody is asked in later.
  var closesAt: Int64 = 0

  /// Somebody and the stop they want to.
  struct Rider: Hashable {
    var person: Int
    var from: Int
    var to: Int
    /// Milliseconds when they began to wait.
    var since: Int64
  }

  enum Phase: Hashable {
    case idle, moving, open
  }

  /// People that fit into the commonest size: 630 kg at 75 kg each.
  static let capacity = 8
  /// People that fit into this one.
  let capacity: Int
  /// Milliseconds for a door to open or to close.
  static let doorTime: Int64 = 2_500
  /// Milliseconds that each takes to step out.
  static let stepTime: Int64 = 1_000
  /// Milliseconds that the doors wait for those who find no room in front of them.
  static let longestLeaving: Int64 = 20_000
  /// Milliseconds that the doors wait for those who were asked in, and more for each of them.
  static let patience: Int64 = 6_000
  /// Milliseconds for speeding up and slowing down, and for each level (3 m at 1.2 m/s).
  static let startTime: Int64 = 1_500
  static let levelTime: Int64 = 2_500

  init(way: Int, levels: [Double], capacity: Int = ElevatorCar.capacity) {
    self.way = way
    self.levels = levels
    self.capacity = capacity
    waiting = Array(repeating: [], count: levels.count)
  }

  /// Whether nobody needs it.
  var isUnused: Bool { riders.isEmpty && called.isEmpty && waiting.allSatisfy(\.isEmpty) }

  /// Somebody waits.
  mutating func wait(_ rider: Rider) { waiting[rider.from].append(rider) }

  /// Somebody does not wait any longer.
  mutating func giveUp(_ person: Int) {
    for stop in waiting.indices { waiting[stop].removeAll { $0.person == person } }
  }

  /// How many come before somebody at a stop: those who were asked in, and those who wait and came before them.
  func ahead(of person: Int, at stop: Int) -> Int {
    (stop == self.stop ? called.count : 0) + waiting[stop].prefix { $0.person != person }.count
  }

  /// Milliseconds from one departure to the next one the same way, when the car goes to and fro between two stops with
  /// everybody that it takes.
  func round(from: Int, to: Int) -> Int64 {
    let travel = ElevatorCar.startTime + Int64(abs(levels[to] - levels[from]) * Double(ElevatorCar.levelTime))
    let stand = ElevatorCar.patience + Int64(capacity) * ElevatorCar.stepTime
    return 2 * (travel + 2 * ElevatorCar.doorTime + stand)
  }

  /// Whether the car is going somebody's way.
  func goes(_ rider: Rider) -> Bool { (levels[rider.to] - levels[stop]) * Double(direction) > 0 }

  /// Opens at the present stop and says who gets off.
  mutating func open() -> [Rider] {
    phase = .open
    let off = riders.filter { $0.to == stop }
    riders.removeAll { $0.to == stop }
    leaving = Set(off.map(\.person))
    return off
  }

  /// Whether somebody is still getting off.
  var isBeingLeft: Bool { !leaving.isEmpty }

  /// Somebody got off; says whether that was the last one.
  mutating func leave(_ person: Int) -> Bool { leaving.remove(person) != nil && leaving.isEmpty }

  /// Asks those in who have room and whose way it is. An empty car takes the direction of the first.
  /// - Parameter distance: metres from somebody who waits to the door. The nearest go first: with others in front of
  ///   them, those who came first may not get to it.
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

  /// Somebody who was asked stepped in; says whether they still could.
  mutating func board(_ person: Int) -> Rider? {
    guard phase == .open, let index = called.firstIndex(where: { $0.person == person }) else { return nil }
    let rider = called.remove(at: index)
    riders.append(rider)
    return rider
  }

  /// Somebody who had stepped in stands outside when the doors close: they wait on, before the others.
  mutating func leaveBehind(_ person: Int) -> Bool {
    guard let index = riders.firstIndex(where: { $0.person == person }) else { return false }
    let rider = riders.remove(at: index)
    waiting[stop].insert(
      Rider(person: person, from: stop, to: rider.to, since: rider.since), at: 0)
    return true
  }

  /// Closes the doors: who did not make it waits on, before the others. Says whom that concerns.
  mutating func close() -> [Rider] {
    let late = called
    called = []
    leaving = []
    waiting[stop].insert(contentsOf: late, at: 0)
    return late
  }

  /// Stays where it is, to open again.
  mutating func hold() { phase = .moving }

  /// Chooses the next stop and says how many milliseconds it takes to get there, doors included; `nil` when
  /// nobody needs the car, or only somebody at this stop.
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
