package import CordonCore
package import CordonSupport

/// The error of a run's carbon dioxide against measured series, by space and time of day.
package struct MeasuredAir: Sendable {
  /// A space that was measured and simulated.
  package struct Space: Sendable {
    /// The name as in the measured table.
    package var name: String
    /// The errors in parts per million.
    package var error: OccupancyError
  }

  /// The air of a run, as its folder holds it.
  package struct Run: Sendable {
    /// The text of `air.csv`.
    package var table: String
    /// The carbon dioxide of the bins that the table leaves out.
    package var outdoorCO2: Double
    /// The width of a bin.
    package var bin: TimeSpan
    /// The start and end of the run.
    package var start: Instant
    package var end: Instant

    /// Creates the air of a run from its parts.
    package init(table: String, outdoorCO2: Double, bin: TimeSpan, start: Instant, end: Instant) {
      self.table = table
      self.outdoorCO2 = outdoorCO2
      self.bin = bin
      self.start = start
      self.end = end
    }
  }

  /// The spaces, in the order of the measured table.
  package private(set) var spaces: [Space] = []
  /// The measured spaces without air in the run, or without a time of day in common with it.
  package private(set) var unmatched: [String] = []

  /// Whether a table holds carbon dioxide: its first line has a column `co2` or `co2_ppm`.
  package static func isCarbonDioxide(_ text: String) -> Bool {
    guard let head = try? SpreadsheetTable(parsing: text) else { return false }
    return column(of: head) != nil
  }

  /// Compares a run with measured series.
  /// - Parameters:
  ///   - text: the measured table, with the columns `space`, `time` (RFC 3339) and `co2` or `co2_ppm`.
  ///   - run: the air of the run.
  ///   - days: the numbers of the measured days to read; empty for all.
  ///   - clock: the local clock, which converts times to times of day.
  /// - Throws: ``TableError`` with line and column of the measured table.
  package init(
    measured text: String, run: Run, days: Set<Int> = [], clock: ScenarioClock
  ) throws(TableError) {
    let simulated = Self.simulated(run.table)
    for (name, counts) in try Self.series(text, days: days, clock: clock) {
      guard var levels = simulated.first(where: { $0.id == name || $0.name == name })?.levels else {
        unmatched.append(name)
        continue
      }
      var time = run.start.bucket(of: run.bin) * run.bin.milliseconds
      while time < run.end.milliseconds {
        if levels[time] == nil { levels[time] = run.outdoorCO2 }
        time += run.bin.milliseconds
      }
      let error = OccupancyError(
        run: levels, start: run.start, end: run.end, occupancyBin: run.bin, measured: MeasuredOccupancy(counts: counts),
        clock: clock)
      if let error { spaces.append(Space(name: name, error: error)) } else { unmatched.append(name) }
    }
  }

  private static func column(of table: SpreadsheetTable) -> Int? { table.column(["co2", "co2_ppm"]) }

  /// Returns the measured series in the order of their first rows.
  private static func series(
    _ text: String, days: Set<Int>, clock: ScenarioClock
  ) throws(TableError) -> [(name: String, counts: [MeasuredOccupancy.Count])] {
    let table = try SpreadsheetTable(parsing: text)
    guard let space = table.column(["space"]), let time = table.column(["time"]), let level = column(of: table) else {
      throw TableError(
        line: table.headingLine, message: "needs a first line with the columns 'space', 'time' and 'co2'")
    }
    var series: [(name: String, counts: [MeasuredOccupancy.Count])] = []
    var places: [String: Int] = [:]
    var firstDay: Int?
    for row in table.rows {
      let ppm = try table.requiredNumber(row, level, in: 0...1e6, of: "number of ppm")
      guard let instant = try? Instant(rfc3339: table.text(row, time)) else {
        throw table.fault(row, time, "'\(table.text(row, time).prefix(40))' is not a time in RFC 3339")
      }
      let day = clock.day(at: instant).number
      let first = firstDay ?? day
      firstDay = first
      guard days.isEmpty || days.contains(day - first) else { continue }
      let local = instant.milliseconds / 60_000 + Int64(clock.offset(at: instant)) / 60
      let name = table.name(row, space)
      let place = places[name] ?? series.count
      if place == series.count {
        places[name] = place
        series.append((name, []))
      }
      series[place].counts.append(
        MeasuredOccupancy.Count(
          minute: Int((local % 1_440 + 1_440) % 1_440), day: day - first, people: ppm))
    }
    guard !series.isEmpty else { throw TableError(line: 0, message: "has no rows of these days") }
    return series
  }

  /// Returns the levels of the table `air.csv`, by start of the bin in milliseconds.
  private static func simulated(_ text: String) -> [(id: String, name: String, levels: [Int64: Double])] {
    guard let table = try? SpreadsheetTable(parsing: text), let id = table.column(["space"]),
      let name = table.column(["space_name"]), let start = table.column(["bin_start"]),
      let level = table.column(["co2_ppm"])
    else { return [] }
    var spaces: [(id: String, name: String, levels: [Int64: Double])] = []
    for row in table.rows {
      guard let time = try? Instant(rfc3339: table.text(row, start)), let ppm = Double(table.text(row, level)) else {
        continue
      }
      if spaces.last?.id != table.name(row, id) { spaces.append((table.name(row, id), table.name(row, name), [:])) }
      spaces[spaces.count - 1].levels[time.milliseconds] = ppm
    }
    return spaces
  }
}

extension MeasuredOccupancy {
  /// Creates a measured series from its values.
  init(counts: [Count]) { self.counts = counts }
}
