import ArgumentParser
import CordonConsole
import CordonSimulator
import CordonSupport

/// The command `cordon everyday`.
struct EverydayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "everyday",
    abstract: "Compare tracking presets on days of a person: energy and errors.",
    discussion: """
      Simulates a person with known stays and trips outside of venues, whose phone runs the library. The simulated \
      operating system follows the preset: it measures, pauses, and reports significant changes and visits. \
      'cordon presence' finds visits and trips in the rows of the receiver. An error is the found figure minus the true \
      one, with a 95 % interval.

        cordon everyday --days 50 --seed 7

      Ctrl-C ends after the current day; the result is then marked as partial.
      """)

  /// The days.
  struct DayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The number of days.", valueName: "count"))
    var days = 20

    @Option(help: "The seed of all random numbers.")
    var seed: UInt64 = 1

    func validate() throws {
      guard (1...10_000).contains(days) else { throw ValidationError("--days must be 1 to 10000") }
    }
  }

  @OptionGroup(title: "Days") var own: DayOptions
  @OptionGroup(title: "Output") var output: PrintFlags

  func run() throws {
    Interruption.watch()
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    let result = try EverydayComparison(
      days: own.days, seed: own.seed, isInterrupted: { Interruption.isRequested },
      progress: { progress.update(phase: "living", done: Double($0), total: Double(own.days), unit: "days") })
    progress.finish()
    let isPartial = result.days < own.days
    if output.json {
      try Output.print(EverydayTable.json(result, seed: own.seed, isPartial: isPartial))
    } else {
      try Output.print(EverydayTable.text(result, isPartial: isPartial))
    }
    if isPartial { throw ExitCode(Interruption.exitStatus) }
  }
}

/// The result of `cordon everyday` for people and for scripts.
enum EverydayTable {
  private typealias Estimate = EverydayComparison.Estimate

  /// Two tables: what the policies cost, and their errors.
  static func text(_ result: EverydayComparison, isPartial: Bool) -> String {
    let costs = result.rows.map { row in
      [
        row.name, shown(row.joules), shown(row.batteryPercent), shown(row.positioningHours), shown(row.rows),
        shown(row.requests),
      ]
    }
    let stays = result.rows.map { row in
      [
        row.name, shown(row.distance), found(row.foundStays, row.stays, row.extraStays), shown(row.arrival),
        shown(row.departure), shown(row.dwell),
      ]
    }
    let ways = result.rows.map { row in
      [
        row.name, found(row.foundWays, row.ways, row.extraWays), shown(row.start), shown(row.end), shown(row.length),
      ]
    }
    return [
      "\(Counted.of(result.days, "day"))\(isPartial ? " (partial)" : ""); means with 95 % intervals\n",
      table(["policy", "J per day", "% of battery", "h positioning", "rows", "requests"], costs),
      table(["policy", "distance, %", "stays found", "arrival, s", "departure, s", "dwell, s"], stays),
      table(["policy", "ways found", "start, s", "end, s", "length, %"], ways),
    ].joined(separator: "\n")
  }

  private static func found(_ found: Int, _ all: Int, _ extra: Int) -> String {
    "\(found) of \(all)\(extra > 0 ? ", \(extra) more" : "")"
  }

  /// `12.3 ± 0.4`; `-` for a figure that no day has.
  private static func shown(_ value: Estimate) -> String {
    guard value.mean.isFinite else { return "-" }
    func number(_ value: Double) -> String {
      abs(value) >= 100 ? "\(Int(value.rounded()))" : "\((value * 10).rounded() / 10)"
    }
    return number(value.mean) + (value.margin.isFinite ? " ± \(number(value.margin))" : "")
  }

  /// Columns two spaces apart.
  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    let lines = [head] + rows
    let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = line.indices.map { column in
        line[column] + String(repeating: " ", count: widths[column] - line[column].count)
      }
      var text = cells.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }.joined()
  }

  /// The object for scripts.
  static func json(_ result: EverydayComparison, seed: UInt64, isPartial: Bool) -> JSONValue {
    func value(_ estimate: Estimate) -> JSONValue {
      ["mean": .number(estimate.mean), "margin": .number(estimate.margin)]
    }
    let policies = result.rows.map { row -> JSONValue in
      [
        "policy": .string(row.name), "energy_j": value(row.joules), "battery_percent": value(row.batteryPercent),
        "positioning_h": value(row.positioningHours), "rows": value(row.rows), "requests": value(row.requests),
        "distance_error_percent": value(row.distance), "stays": JSONValue(row.stays),
        "stays_found": JSONValue(row.foundStays), "stays_extra": JSONValue(row.extraStays),
        "arrival_error_s": value(row.arrival), "departure_error_s": value(row.departure),
        "dwell_error_s": value(row.dwell), "ways": JSONValue(row.ways), "ways_found": JSONValue(row.foundWays),
        "ways_extra": JSONValue(row.extraWays), "start_error_s": value(row.start), "end_error_s": value(row.end),
        "length_error_percent": value(row.length),
      ]
    }
    return [
      "schema": "cordon.everyday/1", "days": JSONValue(result.days), "seed": .integer(Int64(clamping: seed)),
      "partial": .bool(isPartial), "policies": .array(policies),
    ]
  }
}
