import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSimulator
import CordonSupport
import Foundation

/// The measured files of a fit.
struct MeasuredFiles: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A table of head counts, flows or devices: cells separated by ; tab or comma. Repeat it for more.",
      valueName: "file"))
  var measured: [String]

  @Option(
    help: ArgumentHelp(
      "The space that a name in the tables means: 'Room 1=Lecture Hall'; '*' is the whole building. Repeat it for more.",
      valueName: "name=space"))
  var space: [String] = []

  @Option(help: ArgumentHelp("The day of times without a date, such as 2026-01-05.", valueName: "date"))
  var date: String?

  @Option(help: ArgumentHelp("The zone of times without an offset. (default: the scenario's)", valueName: "zone"))
  var timeZone: String?

  /// Reads the tables.
  /// - Parameter scenarioClock: the clock of the scenario, for times without a zone.
  func tables(_ scenarioClock: ScenarioClock) throws -> [MeasuredTable] {
    var clock = scenarioClock
    if let timeZone {
      guard let named = ScenarioClock(zone: timeZone) else {
        throw CommandError("--time-zone: '\(timeZone)' is not a time zone", code: "usage")
      }
      clock = named
    }
    let day = try date.map { text in
      guard let day = CalendarDay(written: text) else {
        throw CommandError("--date: '\(text)' is not a date such as 2026-01-05", code: "usage")
      }
      return day
    }
    return try measured.map { path in
      let text = try TextFile.read(path, code: "measured").text
      do {
        return try MeasuredTable(parsing: text, date: day, clock: clock)
      } catch var error as TableError {
        error.file = path
        throw error
      }
    }
  }

  /// The spaces by name in the tables.
  func mapping() throws -> [String: String] {
    var mapping: [String: String] = [:]
    for text in space {
      guard let sign = text.lastIndex(of: "="), sign != text.startIndex, text.index(after: sign) != text.endIndex else {
        throw CommandError("--space: '\(text)' is not NAME=SPACE, such as 'Room 1=Lecture Hall'", code: "usage")
      }
      mapping[String(text[..<sign])] = String(text[text.index(after: sign)...])
    }
    return mapping
  }
}

extension TableError: CommandErrorConvertible {
  var commandError: CommandError {
    CommandError(message, code: "measured", file: file.isEmpty ? nil : file, place: place)
  }
}

/// The choices of a fit.
struct FitChoices: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The population to fit. (default: those with activities in the counted spaces)", valueName: "name"))
  var population: String?

  @Option(
    help: ArgumentHelp(
      "The days that are predicted and not used: the last share of days (0.3), 'alternate', 'none', or days by date or number.",
      valueName: "days"))
  var holdOut = "0.3"

  @Option(help: "The width of a bin of arrivals and of predictions, a divisor of a day from 5m to 2h.")
  var bin = DurationArgument(.minutes(30))

  @Option(help: ArgumentHelp("The number of simulations of a prediction.", valueName: "count"))
  var replicas = 40

  @Option(help: ArgumentHelp("The number of corrections by simulation.", valueName: "count"))
  var corrections = 5

  @Option(help: "The seed of all random numbers. (default: the scenario's)")
  var seed: UInt64?

  func validate() throws {
    let minutes = bin.span.milliseconds / 60_000
    guard bin.span.milliseconds % 60_000 == 0, (5...120).contains(minutes), 1_440 % minutes == 0 else {
      throw ValidationError("--bin must be whole minutes that divide a day, 5m to 2h, not \(bin.span)")
    }
    guard (2...10_000).contains(replicas) else { throw ValidationError("--replicas must be 2 to 10000") }
    guard (0...100).contains(corrections) else { throw ValidationError("--corrections must be 0 to 100") }
  }

  /// The choices for a fit.
  /// - Parameter days: the measured days.
  func options(_ days: [MeasuredTable.Day]) throws -> ScenarioFit.Options {
    var options = ScenarioFit.Options()
    options.binMinutes = Int(bin.span.milliseconds / 60_000)
    options.replicas = replicas
    options.corrections = corrections
    options.population = population
    switch holdOut {
    case "none", "0": options.holdOut = .last(0)
    case "alternate": options.holdOut = .alternate
    case let text:
      if let share = Double(text), text.contains("."), (0...0.9).contains(share) {
        options.holdOut = .last(share)
      } else {
        options.holdOut = .days(
          Set(
            try text.split(separator: ",").map { part in
              let word = part.trimmingCharacters(in: .whitespaces)
              guard let day = days.first(where: { $0.label == word || $0.label == "day \(word)" }) else {
                throw CommandError(
                  "--hold-out: '\(word)' is not a share such as 0.3, 'alternate', 'none', or one of the days "
                    + days.map { $0.label.replacing("day ", with: "") }.joined(separator: ", "), code: "usage")
              }
              return day.number
            }))
      }
    }
    return options
  }
}

/// The scenario that a fit writes, and its page.
struct FitOutput: ParsableArguments, CarriesOutputFlags {
  @Option(name: .shortAndLong, help: ArgumentHelp("The scenario to write, - for standard output.", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("The HTML page to write.", valueName: "file"))
  var page: String?

  @OptionGroup var flags: OutputFlags

  func validate() throws {
    try Destination.validate(output, json: json)
    if let output { try FileEnding.check(output, is: ["yaml", "yml"]) }
    if let page { try FileEnding.check(page, is: ["html", "htm"]) }
  }
}
