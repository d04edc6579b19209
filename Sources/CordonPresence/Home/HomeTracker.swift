import CordonCore
import CordonGeometry

/// Where a person is in relation to the home.
package enum HomeState: String, Hashable, Sendable, CaseIterable {
  /// In a home.
  case home
  /// Outside of every home.
  case away
  /// Neither can be said.
  case unknown
}

/// Decides for each fix whether the person is at home, with hysteresis and by the accuracy.
///
/// - A fix within the radius, whose accuracy is not much worse than the radius, is at home.
/// - A fix is away when the radius is exceeded by the hysteresis and one standard deviation of its error.
/// - A fix between both leaves the state as it is. If its accuracy is too poor to decide, the state becomes unknown after the
///   maximum gap.
///
/// Constant memory and time for each fix.
struct HomeTracker: Sendable {
  /// The distance in metres beyond the radius that a person must exceed to leave.
  static let hysteresis = 25.0
  /// The radius in metres that an unknown accuracy counts as.
  static let unknownAccuracy = 100.0

  private struct Home {
    let frame: LocalFrame
    let radius: Double
    /// The largest accuracy radius in metres with which a fix in the circle is at home.
    let usableAccuracy: Double
  }

  private let history: HomeHistory
  private let maximumGap: Int64
  private var homes: [Home] = []
  private var nextPeriod = 0
  private var periodEnd = Int64.min
  private var state = HomeState.unknown
  /// The time of the last fix that decided.
  private var decided = Int64.min

  init(_ history: HomeHistory, maximumGap: TimeSpan) {
    self.history = history
    self.maximumGap = maximumGap.milliseconds
    periodEnd = history.periods.first?.start ?? .max
  }

  /// Returns the state at a fix. Fixes must come in the order of their times.
  mutating func state(of fix: PresenceFix) -> HomeState {
    if fix.time >= periodEnd { beginPeriods(until: fix.time) }
    guard !homes.isEmpty else { return .unknown }
    let accuracy = fix.hasAccuracy ? fix.accuracy : HomeTracker.unknownAccuracy
    // The home that the fix exceeds by the least.
    var excess = Double.infinity
    var usableAccuracy = 0.0
    for home in homes {
      let point = home.frame.project(fix.coordinate)
      let beyond = (point.x * point.x + point.y * point.y).squareRoot() - home.radius
      if beyond < excess { (excess, usableAccuracy) = (beyond, home.usableAccuracy) }
    }
    let isUsable = accuracy <= usableAccuracy
    if excess <= 0, isUsable {
      state = .home
    } else if excess > HomeTracker.hysteresis + accuracy * PresenceFix.sigmaPerRadius {
      state = .away
    } else if isUsable {
      // Between both; without an earlier state the edge decides.
      if state == .unknown { state = excess > 0 ? .away : .home }
    } else {
      // Too inaccurate to decide.
      if decided == .min || fix.time - decided > maximumGap { state = .unknown }
      return state
    }
    decided = fix.until
    return state
  }

  private mutating func beginPeriods(until time: Int64) {
    let periods = history.periods
    while nextPeriod < periods.count, periods[nextPeriod].start <= time {
      homes = periods[nextPeriod].homes.map {
        Home(
          frame: LocalFrame(origin: $0.coordinate), radius: $0.radius, usableAccuracy: max(2 * $0.radius, 100))
      }
      nextPeriod += 1
    }
    periodEnd = nextPeriod < periods.count ? periods[nextPeriod].start : .max
    state = .unknown
    decided = .min
  }
}
