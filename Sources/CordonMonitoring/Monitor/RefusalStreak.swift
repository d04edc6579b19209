/// The refusals since the last accepted fix, or since the clock was set.
package struct RefusalStreak: Hashable, Sendable {
  /// The reason of the last refusal; `nil` when the last fix was accepted.
  package private(set) var reason: RefusalReason?
  /// The number of consecutive refusals for that reason.
  package private(set) var count = 0

  /// No refusals.
  package init() {}

  mutating func note(_ reason: RefusalReason) {
    count = self.reason == reason ? min(count + 1, 1_000_000) : 1
    self.reason = reason
  }
}
