import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonServer
import CordonStudies
import CordonSupport
import Foundation

/// The command `cordon-server study`.
struct StudyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "study", abstract: "Manage studies, and run their jobs once.",
    discussion: """
      A server with 'studies = yes' runs the jobs itself: reminders each minute, rewards each hour. The commands do the \
      same, for schedulers such as Airflow. Both may run at once: nothing is sent or paid twice.
      """,
    subcommands: [
      StudyListCommand.self, StudySaveCommand.self, StudyInviteCommand.self, StudyNotifyCommand.self,
      StudyRewardCommand.self, StudyQualityCommand.self, StudyVisitsCommand.self, StudyExportCommand.self,
      StudyVerifyCommand.self, StudyReleaseCommand.self,
    ])

  /// The present time.
  static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
}

/// The data folder and the settings of a command about studies.
struct StudyOptions: ParsableArguments {
  @OptionGroup var folder: DataOption
  @Option(help: ArgumentHelp("A file of settings, `name = value` lines.", valueName: "file")) var config: String?

  /// The settings.
  func settings() throws -> StudySettings {
    try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment).server.studies
  }

  /// Opens the studies of the folder.
  func service() throws -> StudyService { try folder.folder().studies(try settings()) }
}

/// The code of a study, as an argument.
struct StudyArgument: ParsableArguments {
  @Argument(help: "The code of the study.") var study: String

  /// The code.
  func code() throws -> StudyCode {
    guard let code = StudyCode(study) else { throw ValidationError("'\(study)' is not the code of a study") }
    return code
  }
}

extension StudyError: CommandErrorConvertible {
  var commandError: CommandError { CommandError("\(self)", code: code.rawValue) }
}

/// Reads a file of JSON.
func readStudyFile(_ path: String) throws -> [UInt8] {
  guard let data = FileManager.default.contents(atPath: path) else {
    throw CommandError(UnreadableFile.reason(path), code: "unreadable", file: path)
  }
  guard data.count <= 4 << 20 else { throw CommandError("is larger than 4 MiB", code: "too-large", file: path) }
  return Array(data)
}

/// The command `cordon-server study list`.
struct StudyListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the studies.")

  @OptionGroup var options: StudyOptions
  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    let service = try options.service()
    var (list, lines): ([JSONValue], String) = ([], "")
    for study in try service.store.studies() {
      let present = try service.store.participants(of: study.code).count { $0.left == nil }
      list.append([
        "study": .string(study.code.rawValue), "state": .string(study.state.rawValue), "title": .string(study.title),
        "participants": .integer(Int64(present)), "ends": .string(study.ends.rfc3339),
      ])
      lines += "\(study.code)  \(study.state.rawValue)  \(present) participants  \(study.title)\n"
    }
    try output.report(["schema": "cordon.study-list/1", "studies": .array(list)], lines)
  }
}

/// The command `cordon-server study save`.
struct StudySaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Add a study from a JSON document, or change it.",
    discussion: "docs/reference/studies.md lists the keys of the document.")

  @OptionGroup var options: StudyOptions
  @Argument(help: "The document.") var file: String

  func run() throws {
    let study = try Study(try readStudyFile(file))
    try options.service().save(study, by: "command", now: StudyCommand.now)
    try StandardOutput.write(lines: "\(study.code)  \(study.state.rawValue)\n")
  }
}

/// The command `cordon-server study invite`.
struct StudyInviteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Make an invitation to a study, and print it, once.")

  @OptionGroup var options: StudyOptions
  @OptionGroup var study: StudyArgument
  @Option(help: "The number of people that it admits.") var uses = 1
  @Option(help: ArgumentHelp("The days for which it is valid.", valueName: "number")) var days: Int64 = 30

  func validate() throws {
    guard (1...10_000).contains(uses) else { throw ValidationError("--uses: 1 to 10000") }
    guard (1...365).contains(days) else { throw ValidationError("--days: 1 to 365") }
  }

  func run() throws {
    let code = try study.code()
    let secret = try options.service().invite(
      to: code, uses: uses, lasting: .days(days), by: "command", now: StudyCommand.now)
    try StandardOutput.write(lines: "\(secret)\n/console/participate?study=\(code)#\(secret)\n")
  }
}
