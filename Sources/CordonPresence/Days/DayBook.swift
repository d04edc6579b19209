import CordonCore

/// The class of a stretch of time.
struct PresenceClass: Hashable {
  var home: HomeState
  /// The probability of being outdoors; NaN if it is unknown.
  var outdoors: Double
  /// Whether a map decided it.
  var isByMap: Bool

  /// The class of a timeline's bin.
  var timelineClass: Int { home == .home ? 0 : outdoors.isNaN ? 3 : outdoors >= 0.5 ? 1 : 2 }
}

/// The days of a person, as time is added to them.
///
/// The present day and stretch are at hand, so that adding time to them takes a few nanoseconds.
struct DayBook {
  private let calendar: DayCalendar
  private let bin: Int64
  private var days: [PresenceDay] = []
  /// By date.
  private var places: [Int64: Int] = [:]
  private var today: PresenceDay
  private var stretch: DayCalendar.Stretch
  private var isEmpty = true

  init(_ calendar: DayCalendar, timelineBin: TimeSpan?) {
    self.calendar = calendar
    // No bin is shorter than a minute: the timeline stays small.
    bin = timelineBin.map { max($0.milliseconds, 60_000) } ?? 0
    // Replaced by the day of the first fix.
    stretch = DayCalendar.Stretch(date: 0, start: 0, end: 0, midnight: 0)
    today = PresenceDay(date: 0, start: 0, length: 0)
  }

  /// The day that was used last.
  var present: PresenceDay { today }

  /// The local date of a time.
  mutating func date(of time: Int64) -> Int64 {
    turn(to: time)
    return stretch.date
  }

  /// Changes the day of a time.
  @inline(__always)
  mutating func update(at time: Int64, _ change: (inout PresenceDay) -> Void) {
    turn(to: time)
    change(&today)
  }

  /// Adds covered time of one class.
  @inline(__always)
  mutating func add(from start: Int64, to end: Int64, _ kind: PresenceClass) {
    var start = start
    while start < end {
      turn(to: start)
      let stop = min(end, stretch.end)
      let time = stop - start
      today.covered += time
      switch kind.home {
      case .home: today.home += time
      case .away: today.away += time
      case .unknown: break
      }
      if kind.home != .home, !kind.outdoors.isNaN {
        today.outdoors += Double(time) * kind.outdoors
        today.indoors += Double(time) * (1 - kind.outdoors)
        if kind.isByMap { today.byMap += time }
      }
      if bin > 0 { addToTimeline(from: start, to: stop, kind.timelineClass) }
      start = stop
    }
  }

  private mutating func addToTimeline(from start: Int64, to end: Int64, _ kind: Int) {
    if today.timeline.isEmpty {
      let bins = Int((DayCalendar.dayLength + bin - 1) / bin)
      today.timeline = Array(repeating: 0, count: bins * PresenceDay.timelineClasses)
    }
    var start = start - stretch.midnight
    let end = end - stretch.midnight
    while start < end {
      let number = start / bin
      let stop = min(end, (number + 1) * bin)
      today.timeline[Int(number) * PresenceDay.timelineClasses + kind] += Int32(clamping: stop - start)
      start = stop
    }
  }

  /// Makes the day of a time the present one.
  @inline(__always)
  private mutating func turn(to time: Int64) {
    if isEmpty || time < stretch.start || time >= stretch.end { change(to: time) }
  }

  @inline(never)
  private mutating func change(to time: Int64) {
    stretch = calendar.stretch(at: time)
    if !isEmpty, today.date == stretch.date { return }
    put()
    isEmpty = false
    if let place = places[stretch.date] {
      today = days[place]
    } else {
      today = PresenceDay(
        date: stretch.date, start: calendar.stretches(of: stretch.date).first?.start ?? stretch.start,
        length: calendar.length(of: stretch.date))
    }
  }

  private mutating func put() {
    guard !isEmpty else { return }
    if let place = places[today.date] {
      days[place] = today
    } else {
      places[today.date] = days.count
      days.append(today)
    }
  }

  /// Returns all days by date, with those between them that have no fix.
  ///
  /// Days without a fix are left out if there would be more than ``mostDays``.
  mutating func finish() -> [PresenceDay] {
    put()
    let known = days.sorted { $0.date < $1.date }
    guard let first = known.first, let last = known.last, last.date - first.date < DayBook.mostDays else {
      return known
    }
    var all: [PresenceDay] = []
    for day in known {
      var next = (all.last?.date ?? day.date - 1) + 1
      while next < day.date {
        let length = calendar.length(of: next)
        // A flight over the date line can leave a date out.
        if length > 0 {
          all.append(PresenceDay(date: next, start: calendar.stretches(of: next).first?.start ?? 0, length: length))
        }
        next += 1
      }
      all.append(day)
    }
    return all
  }

  /// The maximum number of days that are listed with those without a fix: 100 years.
  static let mostDays: Int64 = 36_525
}
