import CordonCore
import CordonGeometry

/// Computes the presence of a person from fixes in the order of their times: one pass with memory for days, not for fixes.
///
/// The time between two fixes belongs to the state of the first one, as published. If it is longer than
/// ``PresenceRules/maximumGap``, it is unknown; so is all time before the first and after the last fix.
package struct PresenceStream: Sendable {
  /// What became of the fixes.
  package struct Counts: Hashable, Sendable {
    /// Fixes that were used.
    package var used = 0
    /// Fixes of the same time as the one before.
    package var duplicates = 0
    /// Fixes that are earlier than the one before; sort them first, or compute their days anew.
    package var late = 0
    /// Fixes without a valid position or time.
    package var invalid = 0
  }

  private let rules: PresenceRules
  private let maximumGap: Int64
  private let reportedGap: Int64
  private let validCap: Int64
  private var homes: HomeTracker
  private var book: DayBook
  private var path = PathFilter()
  private var dayLength = 0.0
  private var gaps = GapLog()
  private var indoors = AccuracyStatistics()
  private var outdoors = AccuracyStatistics()
  private var withoutAccuracy = 0
  private var counts = Counts()
  private var last: PresenceFix?
  /// The last rest, until it ends or the device is seen elsewhere.
  private var rest: PresenceFix?
  /// The fixes elsewhere since the rest was last confirmed.
  private var strays = 0
  private var kind = PresenceClass(home: .unknown, outdoors: .nan, isByMap: false)
  private var date = Int64.min
  private var track: TrackSketch
  private var movement: MovementTracker?

  /// The largest size of a time in milliseconds since 1970: the years 1678 to 2261.
  static let largestTime: Int64 = 9_200_000_000_000

  /// Whether a time is one of the years 1678 to 2261.
  /// - Parameter time: milliseconds since 1970; any value.
  static func isInRange(_ time: Int64) -> Bool { time >= -largestTime && time <= largestTime }

  /// Creates a stream.
  /// - Parameters:
  ///   - rules: the definition of presence.
  ///   - calendar: the days of the person.
  package init(_ rules: PresenceRules, calendar: DayCalendar = DayCalendar()) {
    self.rules = rules
    maximumGap = rules.maximumGap.milliseconds
    reportedGap = rules.reportedGap.milliseconds
    validCap = rules.validCap.milliseconds
    homes = HomeTracker(rules.homes, maximumGap: rules.maximumGap)
    book = DayBook(calendar, timelineBin: rules.timelineBin)
    track = TrackSketch(isKept: rules.timelineBin != nil)
    movement = rules.movement.map { MovementTracker($0, maximumGap: rules.maximumGap) }
  }

  /// The state of the last fix.
  package var home: HomeState { kind.home }
  /// The probability that the last fix is outdoors; `nil` if it is unknown.
  package var outdoorProbability: Double? { kind.outdoors.isNaN ? nil : kind.outdoors }
  /// The day of the last fix so far.
  package var today: PresenceDay { book.present }

  /// Adds a fix.
  /// - Returns: whether the fix was used.
  /// - Complexity: constant.
  @discardableResult
  package mutating func add(_ fix: PresenceFix) -> Bool {
    guard fix.coordinate.isValid, PresenceStream.isInRange(fix.time), fix.until <= PresenceStream.largestTime
    else {
      counts.invalid += 1
      return false
    }
    var fix = fix
    if let last {
      guard fix.time > last.time else {
        if fix.time == last.time {
          counts.duplicates += 1
          if fix.until > last.until { prolong(last, by: fix) }
        } else {
          counts.late += 1
        }
        return false
      }
      if rest != nil { followRest(&fix) }
      endInterval(from: last, to: fix)
    }
    if fix.until > fix.time, rest == nil { rest = fix }
    begin(fix)
    return true
  }

  /// Applies a row of the time and place of the last fix that has a later end of the rest, such as a visit that the system
  /// reported, or the same row again after the rest.
  private mutating func prolong(_ last: PresenceFix, by fix: PresenceFix) {
    guard last.isSamePlace(as: fix) else { return }
    self.last?.until = fix.until
    if rest.map({ fix.until > $0.until }) ?? true {
      rest = fix
      strays = 0
    }
    movement?.prolong(until: fix.until)
  }

  /// A fix at the place of a rest does not end it: the rest goes on to its own end. One stray fix does not end it either.
  private mutating func followRest(_ fix: inout PresenceFix) {
    guard let rest else { return }
    let own = fix
    let isResting = own.until > own.time
    if fix.time < rest.until, rest.isSamePlace(as: fix) {
      if rest.until > own.until {
        fix.until = rest.until
        fix.ownUntil = own.until
      }
      if own.until > rest.until { self.rest = own }
      strays = 0
      return
    }
    strays += 1
    guard fix.time >= rest.until || isResting || strays > 1 else { return }
    self.rest = isResting ? own : nil
    strays = 0
  }

  /// Adds the time from the last fix up to the next one.
  @inline(__always)
  private mutating func endInterval(from last: PresenceFix, to fix: PresenceFix) {
    // A device that is seen elsewhere rests no longer.
    let rest = min(last.until, fix.time)
    let gap = fix.time - rest
    let end = gap <= maximumGap ? fix.time : rest
    book.add(from: last.time, to: end, kind)
    let valid = rest - last.time + min(gap, validCap)
    book.update(at: last.time) { $0.valid += valid }
    if gap > reportedGap { note(gapFrom: last, at: rest, to: fix) }
    if gap > maximumGap { endPath() }
  }

  @inline(__always)
  private mutating func begin(_ fix: PresenceFix) {
    counts.used += 1
    kind.home = homes.state(of: fix)
    // At home the question is not asked.
    kind.outdoors = kind.home == .home ? .nan : rules.outdoors.probability(fix)
    kind.isByMap = kind.home != .home && rules.outdoors.buildings?.knows(fix.coordinate) == true
    if let isIndoors = rules.outdoors.isIndoors(fix) {
      if isIndoors { indoors.add(fix.accuracy) } else { outdoors.add(fix.accuracy) }
    } else {
      withoutAccuracy += 1
    }
    let date = book.date(of: fix.time)
    if date != self.date {
      if self.date != .min { endPath() }
      self.date = date
    }
    book.update(at: fix.time) { day in
      day.fixes += 1
      if day.firstFix == nil { day.firstFix = fix.time }
      day.lastFix = fix.time
    }
    path.add(fix)
    track.note(path)
    movement?.add(fix, kind.home)
    last = fix
  }

  /// Ends the path, and adds its length to the day of the last fix.
  private mutating func endPath() {
    guard let last else { return }
    path.pause()
    track.note(path)
    track.pause()
    let length = path.length - dayLength
    dayLength = path.length
    book.update(at: last.time) { $0.distance += length }
  }

  private mutating func note(gapFrom last: PresenceFix, at start: Int64, to fix: PresenceFix) {
    let gap = fix.time - start
    let first = book.date(of: start)
    book.update(at: start) { day in
      day.gaps += 1
      day.longestGap = max(day.longestGap, gap)
    }
    let isOtherDay = book.date(of: fix.time) != first
    gaps.add(
      PresenceGap(
        start: start, end: fix.time, distance: Geodesic.distance(from: last.coordinate, to: fix.coordinate),
        crossesMidnight: isOtherDay))
  }

  /// Ends the record and returns the result.
  package consuming func finish() -> PresenceReport {
    if let last {
      book.add(from: last.time, to: last.until, kind)
      book.update(at: last.time) { $0.valid += last.until - last.time }
      endPath()
    }
    let found = movement?.finish()
    return PresenceReport(
      days: book.finish(), counts: counts, gaps: gaps, indoors: indoors, outdoors: outdoors,
      withoutAccuracy: withoutAccuracy, hasHome: !rules.homes.isEmpty, track: track.lines, visits: found?.visits ?? [],
      trips: found?.trips ?? [])
  }
}
