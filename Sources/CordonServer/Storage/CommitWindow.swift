/// Decides whether a batch that is alone waits for another one, so that both share a transaction of a database.
///
/// A transaction of a database costs as much as about a thousand rows. Below full load most of them would store one batch, all the
/// more when several servers share the load. A batch therefore waits for the next one where batches come close enough together,
/// for at most ``patience``. Waits in vain make it wait less often: a client that sends one batch after the other, and waits for each
/// answer, is slowed down by less than one per cent.
struct CommitWindow {
  /// The maximum wait.
  static let patience = Duration.milliseconds(50)
  /// The number of rows from which a batch waits for no other.
  static let enoughRows = 600
  /// The mean time between batches beyond which waiting is of no use.
  static let maximumGap = Duration.milliseconds(40)
  /// The share of a new time in the mean.
  private static let weight = 0.125
  /// The longest time that counts: after a pause the mean is that of the present soon.
  private static let longestGap = Duration.seconds(1)
  /// The number of waits in vain, one after the other, after which batches go without.
  private static let patientFailures = 2

  private var last: Duration?
  /// The mean time between batches; `nil` before the second one.
  private(set) var gap: Duration?
  private var failures = 0
  private var skips = 0

  /// Notes that a batch arrived.
  /// - Parameter time: the time since any fixed moment.
  mutating func arrived(at time: Duration) {
    defer { last = time }
    guard let last else { return }
    let new = min(max(time - last, .zero), Self.longestGap)
    gap = gap.map { $0 * (1 - Self.weight) + new * Self.weight } ?? new
  }

  /// Returns whether a batch that is alone waits for another one.
  mutating func beginsWait() -> Bool {
    guard let gap, gap <= Self.maximumGap else { return false }
    guard skips == 0 else {
      skips -= 1
      return false
    }
    return true
  }

  /// Notes how a wait ended.
  mutating func endWait(isInVain: Bool) {
    failures = isInVain ? failures + 1 : 0
    if failures >= Self.patientFailures { skips = 16 << min(failures, 6) }
  }
}
