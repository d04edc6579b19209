import CordonCore

/// The monitor's state of delivery to one sink.
struct Channel: Sendable {
  let sink: Sink
  /// Rows that may be sent.
  var pending = 0
  /// The fix time of the oldest pending row.
  var oldest: Instant?
  var isInFlight = false
  /// Whether the sink receives nothing more, see ``MonitorEvent/discard(_:)``.
  var isDiscarded = false
  /// Whether all rows are to be sent, regardless of their age.
  var isDraining = false
  var attempts = 0
  /// The monotonic time before which nothing is sent.
  var notBefore = Int64.min
  /// The monotonic time at which the oldest row has waited long enough.
  var flushAt = Int64.max
  /// The monotonic time by which leased rows are available again.
  var refreshAt = Int64.max
  /// The monotonic time at which the queue was last empty; `nil` after a failure since then.
  var emptiedAt: Int64?
  /// The maximum number of rows in a request. Halves when the sink cannot read a batch, down to the single row at
  /// fault.
  var batchLimit: Int

  init(sink: Sink, batchLimit: Int) {
    self.sink = sink
    self.batchLimit = batchLimit
  }

  /// When the channel wants to send, given a network, consent and token; `Int64.max` when there is nothing to send.
  var dueAt: Int64 {
    if isInFlight || isDiscarded { return .max }
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
    // Rows in flight may come back, so the drain goes on until they are answered.
    if pending == 0, !isInFlight { isDraining = false }
  }

  private mutating func setFlush(_ now: ClockReading, _ configuration: MonitorConfiguration) {
    guard let oldest, let wait = configuration.flushAfter else {
      flushAt = .max
      return
    }
    // A row with a time in the future (the clock was set back) waits no longer than any other.
    let age = max(now.wall - oldest, .zero)
    flushAt = (now.monotonic + max(wait - age, .zero)).milliseconds
    // A confirmed row whose stay was extended has an old fix time, but has waited only since the queue was last
    // empty.
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
  /// Returns the time of the next attempt: a random part of base x 2^(attempts - 1), at most the cap and at least a
  /// second. It is never before the sink's own `Retry-After`, which counts up to a day.
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

/// The monitor's state of the device's token.
struct CredentialState: Sendable {
  /// The token's expiry, by the wall clock.
  var until: Instant?
  var isInFlight = false
  var attempts = 0
  var notBefore = Int64.min
  /// Whether a fresh token was refused too, so that another would be refused as well.
  var isDoubted = false
  var isActivationInFlight = false
  var isConsentInFlight = false
  /// Whether the consent changed while its report was in flight.
  var isConsentStale = false
  var consentAttempts = 0
  var consentNotBefore = Int64.min
  /// An invite code that no server has answered yet.
  var code: String?
}
