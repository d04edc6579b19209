import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonServer
import CordonStudies
import CordonSupport
import Foundation

/// The command `cordon-server study notify`.
struct StudyNotifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify", abstract: "Send the reminders of missing permissions that are due.",
    discussion: "A second run sends nothing again.")

  @OptionGroup var options: StudyOptions
  @OptionGroup(title: "Output") var output: JSONOption

  func run() async throws {
    let push = try options.folder.folder().push(try options.settings())
    let report = try await options.service().remind(push, now: StudyCommand.now)
    let counts = PushResult.allCases.map { ($0.rawValue, report.reminders[$0] ?? 0) }
    try output.report(object("cordon.study-notify/1", counts), text(counts))
  }
}

/// The command `cordon-server study reward`.
struct StudyRewardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reward", abstract: "Book credits, reserve payouts, and pay the approved ones.",
    discussion: "Without a provider in the settings nothing is paid. A second run pays nothing again.")

  @OptionGroup var options: StudyOptions
  @OptionGroup var study: StudyArgument
  @OptionGroup(title: "Output") var output: JSONOption

  func run() async throws {
    let report = try await options.service().reward(
      try study.code(), try options.settings().payments(), now: StudyCommand.now)
    let counts = [
      ("earned", report.earned), ("reserved", report.reserved), ("paid", report.paid), ("refused", report.refused),
      ("unknown", report.unknown),
    ]
    try output.report(object("cordon.study-reward/1", counts), text(counts))
  }
}

/// The command `cordon-server study quality`.
struct StudyQualityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quality", abstract: "Print the quality of the data of a study, by participant and day, as CSV.")

  @OptionGroup var options: StudyOptions
  @OptionGroup var study: StudyArgument
  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    let report = try options.service().quality(of: try study.code(), now: StudyCommand.now)
    try output.report(report.json, lines(report.csv))
  }
}

/// The command `cordon-server study visits`.
struct StudyVisitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "visits", abstract: "Print the visits of a study with the probabilities of places, as CSV.",
    discussion: """
      The file has a member 'places': a list with id, name, category (2 to 6 digits), lon, lat, radius in metres and \
      hours, such as 'Mo-Fr 08:00-18:30'.
      """)

  @OptionGroup var options: StudyOptions
  @OptionGroup var study: StudyArgument
  @Argument(help: "The file of places.") var places: String

  func run() throws {
    let list = try PointOfInterest.list(try StudyFields(body: try readStudyFile(places)))
    let table = try options.service().visits(of: try study.code(), to: list, now: StudyCommand.now)
    try StandardOutput.write(lines: lines(table.csv))
  }
}

/// The command `cordon-server study export`.
struct StudyExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print a table of a study as CSV, under pseudonyms.",
    discussion: "Each export is in the audit log of the study with its reason.")

  @OptionGroup var options: StudyOptions
  @OptionGroup var study: StudyArgument
  @Argument(help: "The table: locations, events, quality or ledger.") var table: String
  @Option(help: "The reason.") var reason: String

  func run() throws {
    guard let table = StudyService.ExportTable(rawValue: table) else {
      let names = StudyService.ExportTable.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(table)' is not one of \(names)")
    }
    guard (3...500).contains(reason.count) else { throw ValidationError("--reason: 3 to 500 characters") }
    let text = try options.service().export(
      table, of: try study.code(), by: "command", reason: reason, now: StudyCommand.now)
    try StandardOutput.write(lines: lines(text))
  }
}

/// The command `cordon-server study verify`.
struct StudyVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Verify the chain of a study's ledger.",
    discussion:
      "Keep the last hash elsewhere: the next comparison then also finds entries that were cut off at the end.")

  @OptionGroup var options: StudyOptions
  @OptionGroup var study: StudyArgument
  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    let report = try options.service().ledger(of: try study.code())
    let entries = report["entries"]?.integerValue ?? 0
    try output.report(report, "\(entries) entries, last hash \(report["last_hash"]?.stringValue ?? "")\n")
  }
}

/// Counts as a JSON object.
private func object(_ schema: String, _ counts: [(String, Int)]) -> JSONValue {
  var members = [JSONValue.Member("schema", .string(schema))]
  for (name, count) in counts { members.append(JSONValue.Member(name, .integer(Int64(count)))) }
  return .object(members)
}

/// Counts on one line.
private func text(_ counts: [(String, Int)]) -> String {
  counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ") + "\n"
}

/// A table with the line ends of terminals.
private func lines(_ csv: String) -> String { csv.replacing("\r\n", with: "\n") }
