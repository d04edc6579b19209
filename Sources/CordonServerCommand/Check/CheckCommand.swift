import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonServer
import CordonSupport
import Foundation
import Logging

/// The command `cordon-server check`.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check settings, store, venues, certificates, clock, disk and operators.",
    discussion: """
      Each finding has a sentence, and a remedy where something is wrong. Changes nothing; a server that runs \
      reports its readiness. Run it as the user of the server. Exit status 1 when something is wrong.
      """)

  @Option(help: ArgumentHelp("The folder of positions, keys and operators.", valueName: "folder"))
  var data: String?

  @Option(help: ArgumentHelp("The folder of venue bundles.", valueName: "folder"))
  var venues: String?

  @Option(help: ArgumentHelp("A file of settings, `name = value` lines.", valueName: "file"))
  var config: String?

  @OptionGroup(title: "Output") var output: JSONOption

  func run() async throws {
    let (settings, faults) = readSettings()
    var files = ServerCheck.Files()
    files.data = data ?? settings.data
    files.venues = venues ?? settings.venues
    files.certificate = settings.certificate
    files.key = settings.key
    files.config = config
    let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    var check = ServerCheck(files, settings: settings.server, now: now, hasSecrets: settings.hasSecrets)
    let access = database(settings, files)
    check.database = access.database
    // A file of settings that cannot be read may name the folders.
    let unnamed = faults.isEmpty ? [] : ["no-data", "no-venues"]
    let examined = check.examine().filter { !unnamed.contains($0.code) }
    let findings = faults + access.faults + examined + [await readiness(check)]
    let report = DiagnosisReport(findings, schema: "cordon.server-check/1")
    try output.report(report.json, report.text)
    if report.hasFailures { throw ExitCode(CommandError.Status.findings.rawValue) }
  }

  /// Reads the settings. With a fault in them the other parts are checked with the defaults.
  private func readSettings() -> (CommandSettings, [DiagnosisFinding]) {
    do {
      return (try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment), [])
    } catch {
      let line = CommandError(error).line
      let finding = DiagnosisFinding(
        .failure, "configuration", "bad-setting", line.hasSuffix("?") ? line : line + ".",
        remedy: "Correct it; 'cordon-server settings' lists every setting. The defaults were checked below.")
      return (CommandSettings(), [finding])
    }
  }

  /// Opens the database of the settings, if they name one and the data folder has keys: the check makes none.
  private func database(
    _ settings: CommandSettings, _ files: ServerCheck.Files
  ) -> (database: StoreAccess?, faults: [DiagnosisFinding]) {
    guard settings.store != nil, let data = files.data, FileManager.default.fileExists(atPath: data + "/keys.json")
    else {
      return (nil, [])
    }
    do {
      let quiet = Logger(label: "check") { _ in SwiftLogNoOpLogHandler() }
      return (try settings.storeAccess(try DataFolder(data), quiet), [])
    } catch {
      let finding = DiagnosisFinding(
        .failure, "store", "database", "\(CommandError(error).line).",
        remedy: "Correct 'store' or the data folder; see docs/reference/server.md.")
      return (nil, [finding])
    }
  }

  /// Asks the server at the port of the settings whether it is ready.
  private func readiness(_ check: ServerCheck) async -> DiagnosisFinding {
    let port = check.settings.port
    let client = LoopbackClient(port: port)
    guard port > 0, client.isAccepted else {
      return DiagnosisFinding(.ok, "server", "not-running", "No server answers on 127.0.0.1, port \(port).")
    }
    if check.settings.certificate != nil {
      return DiagnosisFinding(.ok, "server", "running", "A server accepts connections on port \(port).")
    }
    guard let answer = try? await client.send("GET", "/readyz") else {
      return DiagnosisFinding(
        .failure, "server", "no-answer", "A program accepts connections on port \(port), and does not answer.",
        remedy: "Look for another program on the port (ss -ltnp), or at the log of the server.")
    }
    let text = String(decoding: answer.body.prefix(200), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    if answer.status == 200, text == "ready" {
      return DiagnosisFinding(.ok, "server", "running", "The server on port \(port) is ready.")
    }
    guard answer.status == 503, text.hasPrefix("not ready: ") else {
      return DiagnosisFinding(
        .failure, "server", "other-program", "Another program answers on port \(port).",
        remedy: "Stop it, or set another 'port'.")
    }
    return DiagnosisFinding(
      .failure, "server", "not-ready", "The server on port \(port) is \(text).",
      remedy: "See docs/reference/server.md, \"Watching it\", for each cause.")
  }
}
