package import CordonCore

extension Instant {
  /// When most tests begin: 2026-01-01 08:00 UTC.
  package static let testStart = Instant(milliseconds: 1_767_254_400_000)
}
