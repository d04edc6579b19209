package import CordonCore

/// How long to wait before a connection is tried again: twice as long each time, from the start after one that spoke.
///
/// A daemon that accepts and hangs up at once has not spoken, so it is not tried every second.
package struct ReconnectWait: Sendable {
  private let first: TimeSpan
  private let last: TimeSpan
  private var wait: TimeSpan

  package init(first: TimeSpan, last: TimeSpan) {
    self.first = first
    self.last = last
    wait = first
  }

  /// The wait before the next attempt.
  package mutating func next(afterContact: Bool) -> TimeSpan {
    if afterContact { wait = first }
    let current = wait
    wait = min(wait + wait, last)
    return current
  }
}
