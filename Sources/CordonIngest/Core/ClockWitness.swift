internal import CordonCore

/// Judges by the times of rows whether the server's clock can be right.
///
/// A row that seems to be of the future may mean that the device's clock is ahead, or that the server's is behind. Only when
/// more devices agree with the server than not is the row refused for good; otherwise the device must send it again
/// later, so that a wrong clock of the server loses nothing.
struct ClockWitness {
  /// The evidence of a batch about the server's clock.
  struct Testimony: Hashable, Sendable {
    private var hasPresentRows = false
    private var hasOldRows = false
    private var hasOtherRows = false
    /// How far the nearest row of the future is beyond what is tolerated.
    private var lead: TimeSpan?

    /// - Parameter time: the end of the row's stay, or the row's own time.
    mutating func add(_ time: Instant, now: Instant, tolerance: TimeSpan, retention: TimeSpan) {
      if time > now + tolerance {
        lead = min(lead ?? .days(36_500), time - (now + tolerance))
      } else if time >= now - .minutes(2) {
        hasPresentRows = true
      } else if time < now - retention {
        hasOldRows = true
      } else {
        hasOtherRows = true
      }
    }

    fileprivate var opinion: Opinion? {
      // Rows that go on beyond the present, after a pause too, are as a wrong clock of the server would have them. A row
      // that lies hours ahead of its neighbours is a fault of that row.
      if let lead, !hasPresentRows || lead <= .hours(2) { return .behind }
      if hasPresentRows { return .right }
      return hasOldRows && !hasOtherRows ? .ahead : nil
    }
  }

  fileprivate enum Opinion { case right, behind, ahead }

  /// For how long an opinion counts.
  static let window = TimeSpan.minutes(15)
  /// By how many devices those that agree with the clock must outnumber the others before a batch is refused for good.
  static let margin = 4
  /// The most devices that are heard.
  static let maximumDevices = 10_000

  private var opinions: [Int64: (opinion: Opinion, time: Instant)] = [:]
  /// The latest time that the clock showed.
  private var now = Instant.epoch
  /// The latest time of a row that was kept: it was not of the future then.
  private(set) var latest: Instant

  init(latest: Instant = .epoch) { self.latest = latest }

  /// Notes what the clock shows. When it is set back, what was said of it before does not count any more.
  mutating func observe(_ now: Instant) {
    if now < self.now - .seconds(10) { opinions.removeAll() }
    self.now = now
  }

  mutating func hear(_ testimony: Testimony, of device: Int64, now: Instant) {
    observe(now)
    guard let opinion = testimony.opinion else { return }
    if opinions.count >= Self.maximumDevices, opinions[device] == nil { prune(now) }
    guard opinions.count < Self.maximumDevices || opinions[device] != nil else { return }
    opinions[device] = (opinion, now)
  }

  mutating func keep(_ time: Instant) { latest = max(latest, time) }

  private mutating func prune(_ now: Instant) { opinions = opinions.filter { isCurrent($0.value.time, now) } }

  private func isCurrent(_ time: Instant, _ now: Instant) -> Bool { time <= now && time >= now - Self.window }

  private func count(_ opinion: Opinion, _ now: Instant) -> Int {
    opinions.values.count { $0.opinion == opinion && isCurrent($0.time, now) }
  }

  /// Whether rows were kept that are later than the clock: it was set back.
  func isSetBack(now: Instant, tolerance: TimeSpan) -> Bool {
    // Presence is kept in whole minutes.
    latest > now + tolerance + .minutes(1)
  }

  /// Whether rows of a batch that seem to be of the future may be right.
  ///
  /// A device that sends rows of some minutes ago, after a pause or a suspension, agrees with a clock that is as many minutes
  /// behind. So a batch that contradicts the clock as a whole is refused only when several devices more agree with the
  /// clock than not; a single row ahead of its batch, when one more does.
  func mayBeBehind(by testimony: Testimony, now: Instant, tolerance: TimeSpan) -> Bool {
    if isSetBack(now: now, tolerance: tolerance) { return true }
    let margin = testimony.opinion == .behind ? Self.margin : 1
    return count(.right, now) < count(.behind, now) + margin
  }

  /// Whether rows that seem too old may be right: the clocks of several devices differ from the clock, and none agrees.
  func mayBeAhead(now: Instant) -> Bool { count(.ahead, now) >= 2 && count(.right, now) == 0 }

  /// Whether the clock is probably wrong: it was set back, or more devices disagree with it than agree.
  func isWrong(now: Instant, tolerance: TimeSpan) -> Bool {
    if isSetBack(now: now, tolerance: tolerance) || mayBeAhead(now: now) { return true }
    let behind = count(.behind, now)
    return behind >= 2 && count(.right, now) <= behind
  }
}
