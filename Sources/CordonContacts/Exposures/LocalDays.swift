public import CordonCore

/// Which calendar day an instant belongs to, somewhere: an offset from UTC, and when it changes.
///
/// Days have 23 or 25 hours when summer time begins or ends.
public struct LocalDays: Hashable, Sendable {
  /// From an instant on, local time is so far ahead of UTC.
  public struct Change: Hashable, Sendable {
    /// The first instant of the new offset.
    public var from: Instant
    /// Positive to the east.
    public var offset: TimeSpan

    /// A change.
    public init(from: Instant, offset: TimeSpan) {
      self.from = from
      self.offset = offset
    }
  }

  /// Before the first change.
  public let offset: TimeSpan
  /// By time.
  public let changes: [Change]

  /// Days of a place.
  /// - Parameters:
  ///   - offset: from UTC to local time before the first change, positive to the east.
  ///   - changes: in any order.
  public init(offset: TimeSpan = .zero, changes: [Change] = []) {
    self.offset = offset
    self.changes = changes.sorted { $0.from < $1.from }
  }

  static let length: Int64 = 86_400_000_000

  /// Calls `body` with each part of an interval, in microseconds since 1970, that lies on one day, and the number of
  /// that day. A day whose end is put back over midnight comes twice.
  func forEachDay(of interval: PairIntervals.Interval, _ body: (_ day: Int64, _ time: Int64) -> Void) {
    var start = interval.start
    var next = changes.firstIndex { $0.from.microseconds > start } ?? changes.count
    repeat {
      let offset = (next > 0 ? changes[next - 1].offset : offset).milliseconds * 1_000
      let midnight = (start + offset).flooredMultiple(of: LocalDays.length)
      var stop = min(interval.end, midnight + LocalDays.length - offset)
      if next < changes.count, changes[next].from.microseconds <= stop {
        stop = changes[next].from.microseconds
        next += 1
      }
      body(midnight / LocalDays.length, stop - start)
      start = stop
    } while start < interval.end
  }
}

extension Instant {
  fileprivate var microseconds: Int64 { milliseconds * 1_000 }
}
