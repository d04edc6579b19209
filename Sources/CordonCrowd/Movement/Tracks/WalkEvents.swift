/// A queue of future events, ordered by time, then by kind and number.
struct WalkEvents {
  private var items: [Event] = []

  /// A future event.
  struct Event: Hashable, Comparable {
    var time: Int64
    var kind: Kind
    var number: Int

    static func < (a: Event, b: Event) -> Bool {
      (a.time, a.kind.rawValue, a.number) < (b.time, b.kind.rawValue, b.number)
    }
  }

  /// The kind of an event; `number` refers to a person, an entrance or a car.
  enum Kind: UInt8 {
    /// A person arrives at the door of the venue.
    case arrival
    /// The first person in front of an entrance tries to enter.
    case admission
    /// A stay ends.
    case departure
    /// A person half-way on stairs tries to reach the other floor, or a person in a car tries to leave it.
    case alight
    /// A person who was called into a car may have reached it.
    case board
    /// A car is half-way between two stops.
    case carMidway
    /// A service ends.
    case served
    /// A car reaches a stop and opens.
    case carOpens
    /// A car closes its doors.
    case carCloses
    /// A person who stepped aside walks on.
    case resume
    /// A person has waited for room in a space as long as planned.
    case roomCheck
    /// A server begins or ends work; `number` is that of the station.
    case desk
    /// A person in an exit has passed it.
    case exit
    /// A person without a body has left a space with a limit.
    case roomLeft
    /// A person without a body is in front of a space with a limit.
    case roomRequest
  }

  /// The time of the next event, in milliseconds since 1970.
  var nextTime: Int64? { items.first?.time }

  mutating func add(_ kind: Kind, _ number: Int, at time: Int64) {
    items.append(Event(time: time, kind: kind, number: number))
    var child = items.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard items[child] < items[parent] else { break }
      items.swapAt(child, parent)
      child = parent
    }
  }

  /// Removes and returns the next event at `time` or earlier.
  mutating func next(until time: Int64) -> Event? {
    guard let first = items.first, first.time <= time else { return nil }
    let last = items.removeLast()
    guard !items.isEmpty else { return first }
    items[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < items.count else { break }
      if child + 1 < items.count, items[child + 1] < items[child] { child += 1 }
      guard items[child] < items[parent] else { break }
      items.swapAt(child, parent)
      parent = child
    }
    return first
  }
}
