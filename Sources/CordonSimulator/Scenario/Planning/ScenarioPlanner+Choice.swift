import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// Choosing the next activity of a person, and its place.
extension ScenarioPlanner {
  func opensLater(_ day: DayInPlanning, _ allowed: Set<Int>) -> Bool {
    let seconds = secondsOfDay(day.time)
    let left = Int((day.leave - day.time) / 1_000)
    return allowed.contains { index in
      let rule = scenario.activities[index]
      return rule.collective == nil
        && rule.windows.contains { $0.from.seconds > seconds && $0.from.seconds < seconds + left }
    }
  }

  func secondsOfDay(_ time: Int64) -> Int {
    let instant = Instant(milliseconds: time)
    let local = time / 1_000 + Int64(scenario.clock.offset(at: instant))
    return Int((local % 86_400 + 86_400) % 86_400)
  }

  /// Returns the next activity: an urgent one that must still be done, and otherwise one by weight.
  func choose(
    _ day: DayInPlanning, until horizon: Int64, allowed: Set<Int>, _ random: inout RandomStream
  ) -> Int? {
    let seconds = secondsOfDay(day.time)
    var weights: [(Int, Double)] = []
    var urgent: [(Int, Double)] = []
    for index in allowed.sorted() {
      let rule = scenario.activities[index]
      let done = day.counts[index] ?? 0
      guard rule.collective == nil, !rule.isUntilCalled, done < rule.maximum ?? .max,
        let window = rule.windows.first(where: { $0.from.seconds <= seconds && seconds < $0.to.seconds })
      else { continue }
      // A long activity does not begin shortly before an event.
      guard horizon - day.time >= min(rule.duration.minimum.milliseconds, Self.activityMargin) || horizon == day.leave
      else {
        continue
      }
      weights.append((index, rule.weight))
      guard done < rule.minimum else { continue }
      let closing = min(Int64(window.to.seconds - seconds) * 1_000, day.leave - day.time)
      // The rest of the window is shared among the required times that are left.
      let needed = Int64(rule.minimum - done) * (rule.duration.maximum.milliseconds + Self.activityMargin)
      if closing <= needed || random.nextUnit() < Double(needed) / Double(max(closing, 1)) {
        urgent.append((index, 1))
      }
    }
    return WeightedChoice(urgent.isEmpty ? weights : urgent).pick(&random)
  }

  /// Returns the place of an activity, and the seat of a person at their desk; `nil` if all places are full.
  mutating func place(
    for activity: Int, person: Int, day: DayInPlanning, _ random: inout RandomStream
  ) -> (destination: Int, spot: Int?, seat: Place?)? {
    let rule = scenario.activities[activity]
    let key = OwnPlace(person: person, activity: activity)
    if rule.isOwnPlace, let own = ownSpots[key] { return (own.destination, own.spot, own.place) }
    guard let choice = choices[activity][day.group] else { return nil }
    if rule.isServed {
      // A busy desk makes a queue, not another plan.
      return choice.pick(in: presence, arrival: { _ in day.time }, fits: { _ in true }, &random).map { ($0, nil, nil) }
    }
    var spotRandom = random
    let picked = choice.pick(
      in: presence, arrival: { day.time + walk(day, to: $0) },
      fits: { picked in
        let arrival = day.time + walk(day, to: picked)
        let expected = arrival + (rule.duration.minimum.milliseconds + rule.duration.maximum.milliseconds) / 2
        // A person with a place of their own has it all day.
        let span = rule.isOwnPlace ? arrival...max(arrival, day.leave) : arrival...expected
        guard presence.room(at: picked, span.lowerBound..<span.upperBound + 1) >= day.party else { return false }
        // The place belongs to the person for the whole run.
        if rule.isOwnPlace { return hasFreePlace(at: picked) }
        // A place is full if every spot is taken.
        return book.hasSpots(day.party, picked, span, &spotRandom)
      }, &random)
    guard let picked else { return nil }
    guard rule.isOwnPlace else { return (picked, nil, nil) }
    presence.own(1, at: picked)
    let always = scenario.start.milliseconds...scenario.end.milliseconds
    let spot = book.bookFree(picked, always, &random)
    ownSpots[key] = DeskPlan.Desk(destination: picked, spot: spot, place: world.destinations[picked].spots[spot])
    return (picked, spot, nil)
  }
}
