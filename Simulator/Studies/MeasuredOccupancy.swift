public import CordonCore

/// Head counts of a real day, or of several.
public struct MeasuredOccupancy: Hashable, Sendable {
  /// A count at a time.
  public struct Count: Hashable, Sendable {
    /// Minutes since midnight on the clocks there.
    public var minute: Int
    /// The day: 0, 1, 2 ... in the order of the file.
    public var day: Int
    /// The time, when the file gives one.
    public var time: Instant?
    /// People.
    public var people: Double
  }

  /// In the order of the file.
  public var counts: [Count]

  /// Reads a table of counts: either `time,count` with times in RFC 3339, or columns named `DayId` and `Time` (HH:MM:SS)
  /// with the count in the last column; the first line names the columns.
  /// - Parameters:
  ///   - days: days to take, by number; empty for all.
  ///   - clock: turns times into minutes of the day.
  ///   - text: the contents of the file.
  /// - Throws: ``ScenarioError`` with the line.
  public init(parsing text: String, days: Set<Int> = [], clock: ScenarioClock) throws(ScenarioError) {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    let head = (lines.first ?? "").split(separator: ",", omittingEmptySubsequences: false).map {
      $0.filter { !$0.isWhitespace && $0 != "\u{feff}" }.lowercased()
    }
    let dayColumn = head.firstIndex(of: "dayid")
    guard let timeColumn = head.firstIndex(of: "time"), head.count >= 2 else {
      throw ScenarioError(line: 1, path: "", message: "needs a first line with a column 'time' and one of counts")
    }
    let countColumn = head.firstIndex { ["count", "people", "mean_count", "occupancy"].contains($0) } ?? head.count - 1
    var counts: [Count] = []
    var firstDay: Int?
    for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { !$0.isWhitespace } }
      guard cells.count >= head.count, let people = Double(cells[countColumn]), people >= 0, people.isFinite else {
        throw ScenarioError(line: index + 1, path: "", message: "needs a count, '\(line.prefix(60))'")
      }
      let text = cells[timeColumn]
      if let dayColumn {
        guard let day = Int(cells[dayColumn]), let time = ClockTime(text) else {
          throw ScenarioError(
            line: index + 1, path: "", message: "needs a day and a time HH:MM:SS, '\(line.prefix(60))'")
        }
        if days.isEmpty || days.contains(day) {
          counts.append(Count(minute: time.seconds / 60, day: day, time: nil, people: people))
        }
      } else {
        guard let time = try? Instant(rfc3339: text) else {
          throw ScenarioError(line: index + 1, path: "", message: "needs a time in RFC 3339, '\(line.prefix(60))'")
        }
        let day = clock.day(at: time).number
        if firstDay == nil { firstDay = day }
        let number = day - (firstDay ?? day)
        if days.isEmpty || days.contains(number) {
          let local = time.milliseconds / 60_000 + Int64(clock.offset(at: time)) / 60
          counts.append(Count(minute: Int((local % 1_440 + 1_440) % 1_440), day: number, time: time, people: people))
        }
      }
    }
    guard !counts.isEmpty else { throw ScenarioError(line: 0, path: "", message: "holds no counts of these days") }
    self.counts = counts
  }
}

/// How far a run's occupancy is from a measured one, by time of day.
public struct OccupancyError: Hashable, Sendable {
  /// People at a time of day, means over days.
  public struct Minute: Hashable, Sendable {
    /// Minutes since midnight; the start of the bin.
    public var minute: Int
    /// In the run.
    public var run: Double
    /// Measured.
    public var measured: Double
    /// The least and the most measured on any day.
    public var range: ClosedRange<Double>
  }

  /// In order; times of day that both have.
  public var minutes: [Minute]
  /// Days in the measured table.
  public var measuredDays: Int
  /// Mean of run less measured, people.
  public var bias: Double
  /// Mean of the absolute difference.
  public var meanAbsoluteError: Double
  /// Root of the mean square difference.
  public var rootMeanSquareError: Double
  /// Correlation over the times of day; `nil` when one of the two never changes.
  public var correlation: Double?
  /// The share of the times at which the run lies between the least and the most measured on any day.
  public var shareInRange: Double

  /// Compares.
  /// - Parameters:
  ///   - run: people of the run by start of bin, milliseconds since 1970; bins that are missing had nobody.
  ///   - start: when the run began.
  ///   - end: when it ended.
  ///   - bin: width of a bin of time of day, minutes; a divisor of 1 440.
  ///   - occupancyBin: the length of a bin of the simulated occupancy.
  ///   - measured: what was measured.
  ///   - clock: when the run began.
  /// - Returns: `nil` when the two have no time of day in common.
  public init?(
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
