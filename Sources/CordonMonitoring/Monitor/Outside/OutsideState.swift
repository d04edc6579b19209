import CordonCore
import CordonGeometry

/// The monitor's state of tracking outside of venues.
struct OutsideState: Sendable {
  /// The part of positioning that is turned on.
  enum Positioning: Hashable, Sendable {
    case off
    /// By the rules of the venue.
    case ofVenue
    /// By a policy.
    case by(TrackingPolicy)
  }

  /// Whether fixes outside of venues are recorded.
  var isOn = false
  /// Fixes measured before this are stale.
  var start = Instant(milliseconds: .max)
  /// Whether a trip is in progress.
  var hasTrip = false
  var isInForeground = true
  var positioning = Positioning.off
  var watchesSignificantChanges = false
  var watchesVisits = false
  /// Whether positioning pauses until the device leaves the fence.
  var isPaused = false
  /// The place of the pause, and the radius of its fence in metres.
  var fence: (center: Coordinate, radius: Double)?
  /// The place where the device stays, and the monotonic millisecond of its arrival.
  var anchor: (coordinate: Coordinate, accuracy: Double, since: Int64)?
  /// The last fix that passed the rules.
  var last: (time: Instant, coordinate: Coordinate, accuracy: Double)?
  var fastFixes = 0
  /// The last location that was stored.
  var kept: (time: Instant, coordinate: Coordinate)?
  /// The last fix that was stored, as long as the device was not seen elsewhere.
  var place: Location?
  /// The last time at which the device certainly rested at ``place``; `nil` before a pause there.
  var restedUntil: Instant?
  /// The last visits of the system, the latest report last. One that lasts has a rest without a length.
  var visits: [Location] = []
  /// The wall clock when it was last set: of a fix that was measured before, nobody knows how long ago that was.
  var clockSetAt = Instant(milliseconds: .min)
  /// The time from which on a date of the system is certainly one of the present setting of the clock.
  var datesFrom = Instant(milliseconds: .min)
  /// The monotonic time at which a missing fix is reported.
  var staleAt = Int64.max

  init() {}

  /// Makes a state in which nothing is on, and which keeps what the app reported.
  init(keeping old: OutsideState) {
    hasTrip = old.hasTrip
    isInForeground = old.isInForeground
    clockSetAt = old.clockSetAt
    datesFrom = old.datesFrom
  }

  /// The maximum number of remembered visits.
  static let maximumVisits = 8

  /// Follows a changed wall clock.
  /// - Parameters:
  ///   - drift: how far it was set forward.
  ///   - now: its present reading.
  mutating func moveClock(by drift: TimeSpan, to now: Instant) {
    if isOn { start = start + drift }
    clockSetAt = now
    datesFrom = max(now, now - drift)
    last = nil
    kept = nil
    place = nil
    restedUntil = nil
    visits = []
  }
}

extension TrackingPolicy {
  /// The interval between two kept fixes.
  func interval(motion: Motion?, isInForeground: Bool) -> TimeSpan {
    var interval = minimumInterval
    if motion == .still, let stillInterval { interval = max(interval, stillInterval) }
    if !isInForeground, let backgroundInterval { interval = max(interval, backgroundInterval) }
    return interval
  }
}
