import CordonCore
import CordonCrowd

/// The events of a run that begin for many people at the same time, such as meetings, lectures and tours.
struct CollectiveEvents {
  struct Event {
    var activity: Int
    var destination: Int
    var start: Int64
    var end: Int64
    var seats: Int
  }

  /// The events, ordered by start.
  private(set) var events: [Event] = []

  /// Draws all events, and books their seats in places with a limit.
  init(
    _ scenario: Scenario, places: ScenarioPlaces, world: World, replica: UInt32, presence: inout PresenceBook
  ) {
    for (index, activity) in scenario.activities.enumerated() {
      guard let collective = activity.collective else { continue }
      let destinations = places.places[index].keys.sorted().flatMap { places.places[index][$0] ?? [] }
      let choice = WeightedChoice(destinations.map { ($0, Double(presence.room(of: $0))) })
      for day in scenario.clock.days(from: scenario.start, to: scenario.end) {
        var random = RandomStream(
          seed: scenario.seed, replica: replica, stream: Stream.events, entity: UInt64(index),
          index: UInt64(max(day.number, 0)) << 16)
        for start in CollectiveEvents.starts(activity, collective, day, scenario.clock, &random) {
          let end = start + activity.duration.draw(&random)
          guard start >= scenario.start.milliseconds, start < scenario.end.milliseconds else { continue }
          // Prefers a room without other events at that time, and among those one that is large enough.
          var best = (place: destinations[0], seats: -1)
          for _ in 0..<12 where best.seats < collective.capacity {
            guard let place = choice.pick(&random) else { break }
            let isTaken = events.contains { $0.destination == place && $0.start < end && $0.end > start }
            let isFree = !isTaken && presence.room(at: place, start..<end) >= 1
            let seats = isFree ? min(presence.room(of: place), collective.capacity) : 0
            if seats > best.seats { best = (place, seats) }
          }
          let place = best.place
          let room = max(min(presence.room(at: place, start..<end), world.destinations[place].spots.count), 0)
          let seats = min(collective.capacity, room)
          presence.add(seats, at: place, start..<end)
          events.append(Event(activity: index, destination: place, start: start, end: end, seats: seats))
        }
      }
    }
    events.sort { ($0.start, $0.activity, $0.destination) < ($1.start, $1.activity, $1.destination) }
  }

  private static func starts(
    _ activity: Activity, _ collective: Activity.Collective, _ day: CalendarDay, _ clock: ScenarioClock,
    _ random: inout RandomStream
  ) -> [Int64] {
    guard collective.starts.isEmpty else { return collective.starts.map { clock.instant(day, $0).milliseconds } }
    return (0..<collective.events).map { _ in
      let window = activity.windows[random.nextIndex(below: activity.windows.count)]
      // Events begin on the quarter hour.
      let quarters = max((window.to.seconds - window.from.seconds) / 900, 1)
      let seconds = window.from.seconds + 900 * random.nextIndex(below: quarters)
      return clock.instant(day, ClockTime(seconds: seconds)).milliseconds
    }.sorted()
  }

  /// Reserves seats for a visit, and returns the indices of the events, ordered by start.
  ///
  /// The visit gets a random number of events of each activity, within the limits of the activity. Its events do not
  /// overlap.
  mutating func join(
    from arrival: Int64, until leave: Int64, activities: Set<Int>, rules: [Activity], group: Set<Int>,
    seats: Int = 1, _ random: inout RandomStream
  ) -> [Int] {
    var taken: [Int] = []
    var wanted: [Int: Int] = [:]
    for activity in activities.sorted() where rules[activity].collective != nil {
      let minimum = rules[activity].minimum
      let maximum = rules[activity].maximum ?? max(minimum, 1)
      wanted[activity] = minimum + random.nextIndex(below: maximum - minimum + 1)
    }
    guard !wanted.isEmpty else { return [] }
    var open = events.indices.filter { index in
      let event = events[index]
      return event.seats >= seats && event.start > arrival + 60_000 && event.start < leave - 60_000
        && wanted[event.activity] != nil && group.contains(event.destination)
    }
    while !open.isEmpty {
      let index = open.remove(at: random.nextIndex(below: open.count))
      let event = events[index]
      guard let left = wanted[event.activity], left > 0,
        taken.allSatisfy({ events[$0].end <= event.start || events[$0].start >= event.end })
      else { continue }
      wanted[event.activity] = left - 1
      events[index].seats -= seats
      taken.append(index)
    }
    return taken.sorted { events[$0].start < events[$1].start }
  }
}
