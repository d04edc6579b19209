import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonExchange
import CordonPresence
import CordonSupport
import Foundation

/// The formats of the file of `cordon presence`.
enum PresenceFormat: String, FileFormat, CaseIterable {
  case page, csv, geojson

  static var endings: [(ending: String, format: PresenceFormat)] {
    [("html", .page), ("htm", .page), ("csv", .csv), ("geojson", .geojson)]
  }
}

/// The command `cordon presence`.
struct PresenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presence",
    abstract: "Report time at home, away and outdoors, visits, trips and data quality.",
    discussion: """
      Examples:

        cordon presence week.csv --home 11.58,48.14,100 \\
          --time-zone Europe/Berlin
        cordon presence week.gpx --home 11.58,48.14,100 -o week.html
        cordon presence week.csv --home 11.58,48.14,100 --csv > fixes.csv

      The trace is of one person, in any format of cordon trace, or a run. The time between two fixes belongs to the first \
      one. Time without fixes is unknown: it is never counted as home, away or outdoors.

      The page has a timeline of every day, weeks, a map without tiles, visits, trips and the quality of the data. The CSV has \
      a row for each fix with the columns of a published tracker. -o FILE.geojson writes visits and trips.
      """)

  @OptionGroup(title: "Input") var input: PresenceInput
  @OptionGroup(title: "Presence") var options: PresenceOptions

  @Option(help: ArgumentHelp("Report one day only.", valueName: "date"))
  var day: DayArgument?

  @Option(
    help: ArgumentHelp(
      "The --json output of an earlier run. Days whose figures have changed are marked as updated.", valueName: "file"))
  var previous: String?

  @Flag(help: "Print a row for each fix; the same as -o - --output-format csv.")
  var csv = false

  @OptionGroup(title: "Output") var output: OutputOptions<PresenceFormat>

  func validate() throws {
    if csv, output.output != nil || output.json {
      throw ValidationError("--csv excludes -o and --json: all print or write the result")
    }
  }

  func run() throws {
    let inputs = [input.path] + options.buildings + options.venues + [previous].compactMap(\.self)
    let destination = try self.destination(inputs)
    let ledger = try previous.map { try PresencePrevious.read($0) }
    var definition = try options.definition()
    if destination?.format == .page { definition.rules.timelineBin = .minutes(10) }
    let calendar = DayCalendar(zone: input.timeZone?.zone, travel: options.travel)
    let isTable = destination?.format == .csv
    let (report, read) = try compute(definition, calendar, table: isTable ? destination?.file : nil)
    var result = PresenceResult(
      report: report, reading: read, definition: definition, zone: input.timeZone?.zone.name ?? "UTC")
    result.mark(ledger)
    if let day {
      guard result.keep(day: day.name) else {
        throw CommandError("no fix on \(day.name)", code: "empty", file: input.path)
      }
    }
    switch destination?.format {
    case .page: try destination?.file.write(PresencePage(result, title: traceName).html)
    case .geojson: try destination?.file.write(PresenceFeatures(result).text)
    case .csv, nil: break
    }
    if !csv { try output.report(result.json, result.text) }
  }

  private func destination(_ inputs: [String]) throws -> (file: Destination, format: PresenceFormat)? {
    guard csv else { return try output.destination(inputs: inputs) }
    return (try Destination("-", force: false, inputs: inputs), .csv)
  }

  private var traceName: String {
    input.path == "-" ? "standard input" : URL(fileURLWithPath: input.path).lastPathComponent
  }

  /// Computes the presence; CSV out of order is read a second time, sorted.
  private func compute(
    _ definition: PresenceDefinition, _ calendar: DayCalendar, table: Destination?
  ) throws -> (PresenceReport, FixReading) {
    do {
      // Standard output must not receive rows that a second reading would repeat: the order is checked first.
      if table?.path == "-", input.path != "-" { _ = try input.fixes(sorts: false) { _ in } }
      return try compute(definition, calendar, table: table, sorts: input.path == "-")
    } catch is FixReader.Unordered {
      return try compute(definition, calendar, table: table, sorts: true)
    }
  }

  private func compute(
    _ definition: PresenceDefinition, _ calendar: DayCalendar, table: Destination?, sorts: Bool
  ) throws -> (PresenceReport, FixReading) {
    var stream = PresenceStream(definition.rules, calendar: calendar)
    var file = try table.map { try PresenceTable($0, day: day?.name) }
    let read = try input.fixes(sorts: sorts) { row in
      let fix = PresenceFix(time: row.time, until: row.until, coordinate: row.coordinate, accuracy: row.accuracy)
      if stream.add(fix), file != nil { try file?.add(fix, stream) }
    }
    try file?.finish()
    return (stream.finish(), read)
  }
}
