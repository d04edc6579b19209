import CordonCore

/// The actions of a person and an operating system on one phone, over time.
struct ProcessLifecycleModel: Sendable {
  enum Happening: Hashable, Sendable {
    case killed
    case restarted
    case permissionLost
    case permissionBack
    case paused(TimeSpan)
    case withdrawn
  }

  /// The events in reverse order of time.
  private var happenings: [(at: Int64, what: Happening)] = []

  init(_ rule: PhoneSetup.Habits, random: RandomStream, from start: Instant, to end: Instant) {
    var random = random
    let span = Double(max((end - start).milliseconds, 1))
    func some() -> Int64 { start.milliseconds + Int64(span * random.nextUnit()) }
    if rule.killsPerDay > 0 {
      var time = Double(start.milliseconds)
      while true {
        time += random.nextExponential(mean: 86_400_000 / rule.killsPerDay)
        guard time < Double(end.milliseconds) else { break }
        happenings.append((Int64(time), .killed))
        time += max(random.nextExponential(mean: Double(rule.restartAfter.milliseconds)), 1_000)
        happenings.append((Int64(time), .restarted))
      }
    }
    if random.nextUnit() < rule.permissionLossShare {
      let at = some()
      happenings.append((at, .permissionLost))
      happenings.append((at + 60_000 + Int64(3_540_000 * random.nextUnit()), .permissionBack))
    }
    if random.nextUnit() < rule.pauseShare { happenings.append((some(), .paused(.hours(1)))) }
    if random.nextUnit() < rule.withdrawalShare { happenings.append((some(), .withdrawn)) }
    happenings.sort { $0.at < $1.at }
    happenings.reverse()
  }

  /// Removes and returns the next event at or before a time.
  mutating func next(at now: Instant) -> Happening? {
    guard let last = happenings.last, last.at <= now.milliseconds else { return nil }
    happenings.removeLast()
    return last.what
  }
}
