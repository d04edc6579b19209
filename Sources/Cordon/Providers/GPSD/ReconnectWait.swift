package import CordonCore

/// The wait before the next attempt to connect. It doubles each time, and starts again after a connection with
/// reports.
///
/// A daemon that accepts and closes at once sends no reports, so it is not contacted every second.
package struct ReconnectWait: Sendable {
  private let first: TimeSpan
  private let last: TimeSpan
  private var wait: TimeSpan

  package init(first: TimeSpan, last: TimeSpan) {
    self.first = first
    self.last = last
    wait = first
  }

  /// Returns the wait before the next attempt.
  package mutating func next(afterContact: Bool) -> TimeSpan {
    if afterContact { wait = first }
    let current = wait
    wait = min(wait + wait, last)
    return current
  }
}
