import CordonCore
import CordonGeometry

/// A time without fixes.
package struct PresenceGap: Hashable, Sendable {
  /// Milliseconds since 1970 of the last fix before it.
  package var start: Int64
  /// Milliseconds since 1970 of the first fix after it.
  package var end: Int64
  /// The distance in metres between both fixes.
  package var distance: Double
  /// Whether both fixes are of different calendar days.
  package var crossesMidnight: Bool
}

/// The gaps between fixes.
package struct GapLog: Hashable, Sendable {
  /// The number of gaps.
  package private(set) var count = 0
  /// How many of them lie between two calendar days.
  package private(set) var countOverMidnight = 0
  /// The time of all gaps in milliseconds.
  package private(set) var total: Int64 = 0
  /// The longest gap in milliseconds.
  package private(set) var longest: Int64 = 0
  /// The largest distance in metres between the ends of a gap.
  package private(set) var farthest = 0.0
  /// How many gaps have ends that are farther apart than ``publishedDistance``.
  package private(set) var farCount = 0
  /// The first gaps, at most ``listed``.
  package private(set) var first: [PresenceGap] = []

  /// The maximum number of gaps in ``first``.
  package static let listed = 10_000
  /// The distance in metres within which the ends of all gaps of a published study lay.
  package static let publishedDistance = 200.0

  init() {}

  mutating func add(_ gap: PresenceGap) {
    count += 1
    if gap.crossesMidnight { countOverMidnight += 1 }
    total += gap.end - gap.start
    longest = max(longest, gap.end - gap.start)
    farthest = max(farthest, gap.distance)
    if gap.distance > GapLog.publishedDistance { farCount += 1 }
    if first.count < GapLog.listed { first.append(gap) }
  }
}
