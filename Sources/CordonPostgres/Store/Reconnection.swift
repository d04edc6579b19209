internal import CordonIngest

/// When a connection may be tried again: at once after the first failure, then after pauses that double up to ``longest``.
struct Reconnection {
  private var pause = Duration.zero
  private var next: ContinuousClock.Instant?
  private var now: @Sendable () -> ContinuousClock.Instant

  /// The longest pause.
  static let longest = Duration.seconds(2)

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

  /// Counts an attempt.
  /// - Throws: ``StoreFault/Kind/unavailable`` while the pause lasts.
  mutating func begin() throws(StoreFault) {
    let time = now()
    if let next, time < next { throw StoreFault(.unavailable, "no connection to the database; trying again soon") }
    pause = min(Self.longest, pause == .zero ? .milliseconds(100) : pause * 2)
    next = time + pause
  }

  /// Ends the pauses.
  mutating func succeed() {
    pause = .zero
    next = nil
  }
}
