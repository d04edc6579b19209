package import CordonCore
package import CordonSupport

/// Head counts that were measured on one or several real days.
package struct MeasuredOccupancy: Hashable, Sendable {
  /// A head count at one time.
  package struct Count: Hashable, Sendable {
    /// Minutes since local midnight.
    package var minute: Int
    /// The number of the day: the value of `DayId`, or the number of days since the first day of the table.
    package var day: Int
    /// The number of people.
    package var people: Double
  }

  /// The counts, in the order of the file.
  package var counts: [Count]

  /// Reads head counts of one place.
  ///
  /// ``MeasuredTable`` describes the tables. Of several places the table's own name of the place counts, else the one
  /// without a name, which is the building, else the last one.
  /// - Parameters:
  ///   - text: the contents of the file.
  ///   - days: the numbers of the days to read; empty for all days.
  ///   - place: the name of the place.
  ///   - date: the day of times without a date.
  ///   - clock: the local clock, which converts times to minutes of the day.
  /// - Throws: ``TableError`` with line and column, or without a line if the table has no counts of these days.
  package init(
    parsing text: String, days: Set<Int> = [], place: String? = nil, date: CalendarDay? = nil, clock: ScenarioClock
  ) throws(TableError) {
    let table = try MeasuredTable(parsing: text, date: date, clock: clock)
    let values = table.values.filter { $0.quantity == .people || $0.quantity == .devices }
    let places = Set(values.map(\.place))
    let chosen = place.flatMap { places.contains($0) ? $0 : nil } ?? (places.contains("") ? "" : values.last?.place)
    // Days of a calendar are counted from the first one.
    let first = table.days.first.map { $0.label.hasPrefix("day ") ? 0 : $0.number } ?? 0
    counts = values.filter { $0.place == chosen }.compactMap { value in
      let day = value.day - first
      guard days.isEmpty || days.contains(day) else { return nil }
      return Count(minute: value.second / 60, day: day, people: value.number)
    }
    guard !counts.isEmpty else { throw TableError(line: 0, message: "has no counts of these days") }
  }
}

/// The error of a run's occupancy against a measured occupancy, by time of day.
package struct OccupancyError: Hashable, Sendable {
  /// The number of people at one time of day, as means over days.
  package struct Minute: Hashable, Sendable {
    /// Start of the bin, in minutes since local midnight.
    package var minute: Int
    /// The number of people in the run.
    package var run: Double
    /// The measured number of people.
    package var measured: Double
    /// The minimum and maximum that were measured on any day.
    package var range: ClosedRange<Double>
  }

  /// The times of day that the run and the measured table share, in ascending order.
  package var minutes: [Minute]
  /// The number of days in the measured table.
  package var measuredDays: Int
  /// Mean of simulated minus measured, in people.
  package var bias: Double
  /// Mean absolute difference, in people.
  package var meanAbsoluteError: Double
  /// Root mean square difference, in people.
  package var rootMeanSquareError: Double
  /// Pearson correlation over the times of day; `nil` if the simulated or the measured numbers never change.
  package var correlation: Double?
  /// Share of the times of day at which the run lies between the measured minimum and maximum.
  package var shareInRange: Double

  /// Compares the occupancy of a run with a measured occupancy.
  /// - Parameters:
  ///   - run: the number of people in the run, by start of the bin in milliseconds since 1970; missing bins had no
  ///     people.
  ///   - start: the start of the run.
  ///   - end: the end of the run.
  ///   - occupancyBin: the length of a bin of `run`.
  ///   - measured: the measured counts.
  ///   - clock: the local clock of the venue.
  ///   - bin: the width of a bin of the time of day in minutes, a divisor of 1 440.
  /// - Returns: `nil` if the two have no time of day in common.
  package init?(
    run: [Int64: Double], start: Instant, end: Instant, occupancyBin: TimeSpan, measured: MeasuredOccupancy,
    clock: ScenarioClock, bin: Int = 5
  ) {
    let slots = 1_440 / bin
    var simulated = [(sum: Double, count: Int)](repeating: (0, 0), count: slots)
    var time = start.bucket(of: occupancyBin) * occupancyBin.milliseconds
    while time < end.milliseconds {
      let instant = Instant(milliseconds: time)
      let local = time / 60_000 + Int64(clock.offset(at: instant)) / 60
      let slot = Int((local % 1_440 + 1_440) % 1_440) / bin
      simulated[slot].sum += run[time] ?? 0
      simulated[slot].count += 1
      time += occupancyBin.milliseconds
    }
    var real = [(sum: Double, count: Int, low: Double, high: Double)](
      repeating: (0, 0, .infinity, -.infinity), count: slots)
    for count in measured.counts {
      let slot = min(count.minute / bin, slots - 1)
      real[slot].sum += count.people
      real[slot].count += 1
      real[slot].low = min(real[slot].low, count.people)
      real[slot].high = max(real[slot].high, count.people)
    }
    minutes = (0..<slots).compactMap { slot in
      guard simulated[slot].count > 0, real[slot].count > 0 else { return nil }
      return Minute(
        minute: slot * bin, run: simulated[slot].sum / Double(simulated[slot].count),
        measured: real[slot].sum / Double(real[slot].count), range: real[slot].low...real[slot].high)
    }
    guard !minutes.isEmpty else { return nil }
    measuredDays = Set(measured.counts.map(\.day)).count
    let count = Double(minutes.count)
    let differences = minutes.map { $0.run - $0.measured }
    bias = differences.reduce(0, +) / count
    meanAbsoluteError = differences.reduce(0) { $0 + abs($1) } / count
    rootMeanSquareError = (differences.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
    let (a, b) = (minutes.reduce(0) { $0 + $1.run } / count, minutes.reduce(0) { $0 + $1.measured } / count)
    let covariance = minutes.reduce(0) { $0 + ($1.run - a) * ($1.measured - b) }
    let spread = (
      minutes.reduce(0) { $0 + ($1.run - a) * ($1.run - a) },
      minutes.reduce(0) { $0 + ($1.measured - b) * ($1.measured - b) }
    )
    correlation = spread.0 > 0 && spread.1 > 0 ? covariance / (spread.0 * spread.1).squareRoot() : nil
    shareInRange = Double(minutes.count { $0.range.contains($0.run) }) / count
  }
}
