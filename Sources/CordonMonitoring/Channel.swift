import CordonCore

/// What a monitor knows of the way to one sink.
struct Channel: Sendable {
  let sink: Sink
  /// Rows that may be sent.
  var pending = 0
  /// The fix time of the oldest of them.
  var oldest: Instant?
  var isInFlight = false
  /// Everything is to go, not only what is old.
  var isDraining = false
  var attempts = 0
  /// Monotonic; nothing is sent before.
  var notBefore = Int64.min
  /// Monotonic; when the oldest row has waited long enough.
  var flushAt = Int64.max
  /// Monotonic; when rows that another request took are back at the latest.
  var refreshAt = Int64.max
  /// Monotonic; when the sink last had everything, if nothing has failed since.
  var emptiedAt: Int64?
  /// How many rows a request may have; shrinks when the sink cannot read one, down to the row that is to blame.
  var batchLimit: Int

  init(sink: Sink, batchLimit: Int) {
    self.sink = sink
    self.batchLimit = batchLimit
  }

  /// When the channel wants to send, given a network, consent and token; `Int64.max` when there is nothing to send.
  var dueAt: Int64 {
    if isInFlight { return .max }
    let due = pending == 0 ? Int64.max : max(isDraining ? .min : flushAt, notBefore)
    return min(due, refreshAt)
  }

  mutating func add(_ time: Instant, at now: ClockReading, _ configuration: MonitorConfiguration) {
    if pending < .max { pending += 1 }
    if let oldest, oldest <= time { return }
    oldest = time
    setFlush(now, configuration)
  }

  mutating func update(_ queue: QueueSummary, own: Int = 0, at now: ClockReading, _ configuration: MonitorConfiguration)
  {
    refreshAt = queue.leased > own ? (now.monotonic + configuration.leaseDuration).milliseconds : .max
    pending = max(0, queue.pending)
    oldest = queue.oldest
    setFlush(now, configuration)
    // While rows are under way it is not known whether they will come back.
    if pending == 0, !isInFlight { isDraining = false }
  }

  private mutating func setFlush(_ now: ClockReading, _ configuration: MonitorConfiguration) {
    guard let oldest, let wait = configuration.flushAfter else {
      flushAt = .max
      return
    }
    // A row from the future (the clock was set back) waits no longer than any other.
    let age = max(now.wall - oldest, .zero)
    flushAt = (now.monotonic + max(wait - age, .zero)).milliseconds
    // A confirmed row whose stay was lengthened is old by its fix, but has waited only since the queue was last empty.
    if let emptiedAt { flushAt = max(flushAt, (TimeSpan(milliseconds: emptiedAt) + wait).milliseconds) }
  }

  mutating func backOff(
    _ now: ClockReading, retryAfter: TimeSpan?, jitter: Double, _ configuration: MonitorConfiguration
  ) {
    attempts += 1
    notBefore = Backoff.end(now, attempts: attempts, retryAfter: retryAfter, jitter: jitter, configuration)
  }
}

/// Capped exponential back-off with full jitter.
enum Backoff {
  /// When the next attempt may be made: a random part of base x 2^(attempts - 1), at most the cap, at least
  /// a second; never before the sink's own `Retry-After`, of which a day is believed.
  static func end(
    _ now: ClockReading, attempts: Int, retryAfter: TimeSpan?, jitter: Double, _ configuration: MonitorConfiguration
  ) -> Int64 {
    let doublings = min(max(attempts - 1, 0), 20)
    let step = min(configuration.backoffBase.milliseconds << Int64(doublings), configuration.backoffCap.milliseconds)
    let part = jitter.isFinite ? min(max(jitter, 0), 1) : 1
    var wait = max(TimeSpan(milliseconds: Int64(Double(step) * part)), .seconds(1))
    if let retryAfter { wait = max(wait, min(retryAfter, .days(1))) }
    return (now.monotonic + wait).milliseconds
  }
}

/// What a monitor knows of the device's token.
struct CredentialState: Sendable {
  /// When the token ends, by the wall clock.
  var until: Instant?
  var isInFlight = false
  var attempts = 0
  var notBefore = Int64.min
  /// A fresh token was refused too; another would be as well.
  var isDoubted = false
  var isActivationInFlight = false
  var isConsentInFlight = false
  /// The consent changed while it was on its way.
  var isConsentStale = false
  var consentAttempts = 0
  var consentNotBefore = Int64.min
  /// An invite code that no server has answered yet.
  var code: String?
}
