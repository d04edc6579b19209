/// The refusals since a fix was last accepted, or since the clock was set.
public struct RefusalStreak: Hashable, Sendable {
  /// Why the last fix was refused; `nil` when it was not.
  public private(set) var reason: RefusalReason?
  /// How many fixes in a row were refused for that reason.
  public private(set) var count = 0

  /// None.
  public init() {}

  mutating func note(_ reason: RefusalReason) {
    count = self.reason == reason ? min(count + 1, 1_000_000) : 1
    self.reason = reason
  }
}
