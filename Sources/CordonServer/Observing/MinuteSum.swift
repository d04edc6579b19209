internal import NIOConcurrencyHelpers
internal import NIOCore

/// A sum that is reported at most once a minute.
final class MinuteSum: Sendable {
  private let state = NIOLockedValueBox((count: 0, next: NIODeadline.uptimeNanoseconds(0)))

  /// Adds to the sum; returns it, and begins anew, when it is time to report it.
  func add(_ count: Int, at now: NIODeadline) -> Int? {
    state.withLockedValue { state in
      state.count += count
      guard now >= state.next else { return nil }
      defer { state = (0, now + .minutes(1)) }
      return state.count
    }
  }
}
