internal import CordonCore

/// Decides when conditions of rules become alerts, and when alerts end. It has no clock and no store.
///
/// A condition that holds for the time of its rule raises an alert, which ends when the condition has not held for
/// ``calm``: a count that goes up and down at its limit is one alert.
struct AlertWatch {
  /// The condition of a rule at one moment.
  struct Sight: Hashable, Sendable {
    /// Whether the condition holds.
    var holds: Bool
    /// Devices, per cent or seconds.
    var value: Int64
    var space: SpaceID?
  }

  /// A change to keep.
  enum Change: Hashable, Sendable {
    case raise(Alert)
    case update(Alert)
  }

  /// The time without the condition after which an alert ends.
  static let calm = TimeSpan.minutes(1)

  private var since: [Int64: Instant] = [:]
  private var lastHeld: [Int64: Instant] = [:]

  /// Notes what is seen of a rule now; returns what changes.
  mutating func look(_ rule: AlertRule, _ sight: Sight, open: Alert?, now: Instant) -> Change? {
    guard sight.holds else {
      since[rule.number] = nil
      guard var alert = open else { return nil }
      let last = lastHeld[rule.number] ?? now
      lastHeld[rule.number] = last
      guard now - last >= Self.calm else { return nil }
      alert.ended = last
      return .update(alert)
    }
    let began = min(since[rule.number] ?? now, now)
    since[rule.number] = began
    lastHeld[rule.number] = now
    if var alert = open {
      guard sight.value > alert.peak else { return nil }
      (alert.peak, alert.space) = (sight.value, sight.space)
      return .update(alert)
    }
    guard now - began >= .seconds(rule.lasting) else { return nil }
    return .raise(
      Alert(
        rule: rule.number, began: began, raised: now, ended: nil, peak: sight.value, space: sight.space,
        acknowledged: nil))
  }
}
