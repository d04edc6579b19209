import CordonCore
import CordonCrowd
import CordonNavigation

/// Services, and visits that consist of steps in a fixed order.
extension ScenarioPlanner {
  /// The maximum time that people wait for room for a required activity beyond their visit, in milliseconds.
  private static let maximumOvertime = TimeSpan.hours(2).milliseconds

  // MARK: Services

  /// Plans the service of every member of the party, with the expected wait for it.
  mutating func serve(
    _ activity: Int, in day: inout DayInPlanning, at planned: Int, appointment: Instant? = nil,
    _ random: inout RandomStream
  ) {
    guard let station = stations.index(of: activity, at: planned) else { return }
    let duration = max(scenario.activities[activity].duration.draw(&random), Self.minimumStay)
    let arrival = day.time + walk(day, to: planned)
    var (end, destination) = (arrival, planned)
    for _ in 0..<day.served {
      let booked = stations.book(station, arrival: arrival, duration: duration)
      (end, destination) = (max(end, booked.start + duration), booked.destination)
    }
    day.counts[activity, default: 0] += 1
    stay(&day, at: destination, until: end, spot: nil, near: nil, &random)
    day.changeLastStops {
      $0.service = TimeSpan(milliseconds: duration)
      $0.station = station
      $0.appointment = appointment
    }
  }

  /// Plans a wait for the call of a server, and the service.
  /// - Returns: `false` if no place to wait has room.
  private mutating func waitAndServe(
    _ wait: Int, then activity: Int, in day: inout DayInPlanning, appointment: Instant?, _ random: inout RandomStream
  ) -> Bool {
    guard let desk = places.places[activity][day.group]?.first, let station = stations.index(of: activity, at: desk)
    else { return false }
    let duration = max(scenario.activities[activity].duration.draw(&random), Self.minimumStay)
    // People wait in the place that is nearest to the desk where they are expected to be served.
    let likely = stations.expectedDestination(at: station, arrival: day.time, duration: duration)
    let anchor = world.destinations[likely].anchor
    let ways = (places.places[wait][day.group] ?? []).map { index in
      (way: Self.walkingTime(from: anchor, to: index, speed: day.speed, in: world), index: index)
    }.sorted { $0 < $1 }
    for (way, hall) in ways {
      let arrival = day.time + walk(day, to: hall)
      let expected = max(stations.expectedStart(at: station, arrival: arrival, duration: way + duration), arrival + 1)
      guard presence.room(at: hall, arrival..<expected) >= day.party else { continue }
      var (start, end, destination) = (arrival, arrival, likely)
      for _ in 0..<day.served {
        // The server is busy from the call on.
        let booked = stations.book(station, arrival: arrival, duration: way + duration)
        (start, end) = (max(start, booked.start), max(end, booked.start + way + duration))
        destination = booked.destination
      }
      day.counts[activity, default: 0] += 1
      stay(&day, at: hall, until: start, spot: nil, near: nil, &random)
      day.changeLastStops {
        $0.station = station
        $0.isUntilCalled = true
        $0.appointment = appointment
      }
      stay(&day, at: destination, until: end, spot: nil, near: nil, &random)
      day.changeLastStops {
        $0.service = TimeSpan(milliseconds: duration)
        $0.station = station
      }
      return true
    }
    return false
  }

  /// Returns the place where a service is expected to begin first; `nil` if the activity has no place.
  private func firstFreePlace(for activity: Int, in day: DayInPlanning) -> Int? {
    let expected = Int64(scenario.activities[activity].duration.middle * 1_000)
    var best: (start: Int64, index: Int)?
    for index in places.places[activity][day.group] ?? [] {
      guard let station = stations.index(of: activity, at: index) else { continue }
      let arrival = day.time + walk(day, to: index)
      let start = stations.expectedStart(at: station, arrival: arrival, duration: expected)
      if start < best?.start ?? .max { best = (start, index) }
    }
    return best?.index
  }

  // MARK: Steps

  /// Plans the steps of a visit, which ends after the last one.
  mutating func follow(
    _ steps: [VisitStep], in day: inout DayInPlanning, visit: PlannedVisit, allowed: Set<Int>,
    _ random: inout RandomStream
  ) {
    day.leave = scenario.end.milliseconds
    let drawn = steps.draw(including: visit.appointment?.activity, &random).compactMap { step in
      indices[step.name].map { (activity: $0, step: step) }
    }
    var wait: Int?
    for (activity, step) in drawn {
      guard day.time < day.leave else { return }
      let rule = scenario.activities[activity]
      if rule.isUntilCalled {
        wait = activity
        continue
      }
      let appointment = visit.appointment.flatMap {
        $0.activity == rule.name ? Instant(milliseconds: $0.time) : nil
      }
      var isDone = allowed.contains(activity) && waitForOpening(of: activity, step, in: &day, allowed: allowed, &random)
      if isDone {
        isDone =
          rule.isServed
          ? serveStep(activity, after: wait, in: &day, appointment: appointment, &random)
          : stayForStep(activity, step, in: &day, person: visit.person, allowed: allowed, &random)
      }
      if !isDone, !step.isOptional { leftOut[activity, default: 0] += day.party }
      wait = nil
    }
  }

  private mutating func serveStep(
    _ activity: Int, after wait: Int?, in day: inout DayInPlanning, appointment: Instant?, _ random: inout RandomStream
  ) -> Bool {
    if let wait, waitAndServe(wait, then: activity, in: &day, appointment: appointment, &random) { return true }
    guard let place = firstFreePlace(for: activity, in: day) else { return false }
    serve(activity, in: &day, at: place, appointment: appointment, &random)
    return true
  }

  /// Plans a stay of a drawn length; people who find no room wait for it.
  private mutating func stayForStep(
    _ activity: Int, _ step: VisitStep.Activity, in day: inout DayInPlanning, person: Int, allowed: Set<Int>,
    _ random: inout RandomStream
  ) -> Bool {
    let limit = day.time + Self.maximumOvertime
    while day.time < min(limit, day.leave) {
      let (time, here) = (day.time, day.here)
      if begin(activity, in: &day, until: day.leave, isBeforeEvent: false, person: person, &random) {
        guard let last = day.stops[0].last else { return false }
        let way = Self.walkingTime(from: here, to: last.destination, speed: day.speed, in: world)
        let length = max(last.leave.milliseconds - time - way, Self.minimumStay)
        day.changeLastStops { $0.length = TimeSpan(milliseconds: length) }
        return true
      }
      turnedAway += day.party
      guard !step.isOptional, waitInHall(&day, until: day.time + Self.waitingTime, &random) else { return false }
    }
    return false
  }

  /// Waits until an activity may begin; returns `false` if it does not open during the run, or if the step is optional.
  private mutating func waitForOpening(
    of activity: Int, _ step: VisitStep.Activity, in day: inout DayInPlanning, allowed: Set<Int>,
    _ random: inout RandomStream
  ) -> Bool {
    let rule = scenario.activities[activity]
    let seconds = secondsOfDay(day.time)
    if rule.windows.contains(where: { $0.from.seconds <= seconds && seconds < $0.to.seconds }) { return true }
    guard !step.isOptional, let next = rule.windows.map(\.from.seconds).filter({ $0 > seconds }).min() else {
      return false
    }
    let opening = day.time + Int64(next - seconds) * 1_000
    return opening < day.leave && waitInHall(&day, until: opening, &random)
  }

  /// Plans a wait in a hall; returns `false` if the venue has none.
  private mutating func waitInHall(
    _ day: inout DayInPlanning, until time: Int64, _ random: inout RandomStream
  ) -> Bool {
    guard let hall = waitingPlace(near: day) else { return false }
    if let last = day.stops[0].indices.last, day.stops[0][last].destination == hall, day.stops[0][last].length == nil,
      !day.stops[0][last].hasQueue
    {
      day.changeLastStops { $0.leave = Instant(milliseconds: time) }
      day.time = time
    } else {
      stay(&day, at: hall, until: time, spot: nil, near: nil, &random)
    }
    return true
  }

  // MARK: Required activities

  /// Plans the activities that a visit must include and lacks at its end, beyond the time at which people meant to leave.
  mutating func finish(
    _ day: inout DayInPlanning, person: Int, allowed: Set<Int>, _ random: inout RandomStream
  ) {
    for activity in allowed.sorted() {
      let rule = scenario.activities[activity]
      guard rule.collective == nil, !rule.isUntilCalled else { continue }
      let limit = min(day.time + Self.maximumOvertime, scenario.end.milliseconds)
      while (day.counts[activity] ?? 0) < rule.minimum, day.time < limit {
        let seconds = secondsOfDay(day.time)
        guard rule.windows.contains(where: { $0.from.seconds <= seconds && seconds < $0.to.seconds }) else { break }
        day.leave = scenario.end.milliseconds
        if begin(activity, in: &day, until: day.leave, isBeforeEvent: false, person: person, &random) { continue }
        turnedAway += day.party
        let until = min(limit, day.time + Self.waitingTime)
        guard self.wait(&day, until: until, roomFor: activity, allowed: allowed, &random) else { return }
      }
    }
  }
}
