import CordonCore

/// The actions of a person and an operating system on one phone, over time.
struct ProcessLifecycleModel: Sendable {
  enum LifecycleEvent: Hashable, Sendable {
    case killed
    case restarted
    case permissionLost
    case permissionBack
    case paused(TimeSpan)
    case withdrawn
  }

  /// The events in reverse order of time.
  private var events: [(time: Int64, event: LifecycleEvent)] = []

  init(_ rule: PhoneSetup.Habits, random: RandomStream, from start: Instant, to end: Instant) {
    var random = random
    let span = Double(max((end - start).milliseconds, 1))
    func randomTime() -> Int64 { start.milliseconds + Int64(span * random.nextUnit()) }
    if rule.killsPerDay > 0 {
      var time = Double(start.milliseconds)
      while true {
        time += random.nextExponential(mean: 86_400_000 / rule.killsPerDay)
        guard time < Double(end.milliseconds) else { break }
        events.append((Int64(time), .killed))
        time += max(random.nextExponential(mean: Double(rule.restartAfter.milliseconds)), 1_000)
        events.append((Int64(time), .restarted))
      }
    }
    if random.nextUnit() < rule.permissionLossShare {
      let time = randomTime()
      events.append((time, .permissionLost))
      events.append((time + 60_000 + Int64(3_540_000 * random.nextUnit()), .permissionBack))
    }
    if random.nextUnit() < rule.pauseShare { events.append((randomTime(), .paused(.hours(1)))) }
    if random.nextUnit() < rule.withdrawalShare { events.append((randomTime(), .withdrawn)) }
    events.sort { $0.time < $1.time }
    events.reverse()
  }

  /// Removes and returns the next event at or before a time.
  mutating func next(at now: Instant) -> LifecycleEvent? {
    guard let last = events.last, last.time <= now.milliseconds else { return nil }
    events.removeLast()
    return last.event
  }
}
