import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonExchange
import CordonIngest
import CordonServer
import Foundation
import Logging

/// The command `cordon-server export-positions`.
struct ExportPositionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export-positions",
    abstract: "Export stored positions as an Arrow table, to be analysed as Parquet.",
    discussion: """
      The server may run meanwhile. Rows are sorted by venue, device and time. The Python package writes them as Parquet, in \
      folders of venues and days:

        cordon-server export-positions --data /var/lib/cordon --day 2026-11-25 \\
          -o - | cordon write-points - -o points --replace

      Exported positions are personal data that the server does not delete: erasures, withdrawals and the end of retention do \
      not reach them. The audit does not list this export.
      """)

  @OptionGroup var folder: DataOption

  @Option(help: ArgumentHelp("Only this day of UTC; repeat it for more.", valueName: "date"))
  var day: [String] = []

  @Option(help: ArgumentHelp("Only this venue; repeat it for more.", valueName: "venue"))
  var venue: [String] = []

  @Option(help: ArgumentHelp("The file of settings of the server.", valueName: "file"))
  var config: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write; it must not exist. NAME.arrow is an Arrow file, other names and - are streams.",
      valueName: "file"))
  var output: String

  func run() throws {
    let days = try day.map { try ExportPositionsCommand.span(ofDay: $0) }
    guard output == "-" || !FileManager.default.fileExists(atPath: output) else {
      throw ValidationError("\(output) exists already")
    }
    let settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    let folder = try folder.folder()
    try folder.checkNoRestoreIsPending()
    let store = try settings.storeAccess(folder, makeLogger(.error)).reader(.operators)
    let known = try store.venues()
    for name in venue where !known.contains(where: { $0.id.rawValue == name }) {
      let names = known.map(\.id.rawValue).sorted().joined(separator: ", ")
      throw CommandError("--venue: the store has no venue '\(name)'; its venues are \(names)", code: "not-found")
    }
    let export = PositionExport(
      store: store, venues: known.filter { venue.isEmpty || venue.contains($0.id.rawValue) }.map { ($0.number, $0.id) },
      spans: days.isEmpty ? [Int64.min...Int64.max] : days.sorted { $0.lowerBound < $1.lowerBound },
      isFile: output.lowercased().hasSuffix(".arrow"))
    if output == "-" {
      try export.write { try StandardOutput.write($0) }
      return
    }
    try write(export)
  }

  /// Writes the file under another name, and gives it its own when it is whole.
  private func write(_ export: PositionExport) throws {
    let temporary = output + ".part"
    guard FileManager.default.createFile(atPath: temporary, contents: nil),
      let file = FileHandle(forWritingAtPath: temporary)
    else { throw CommandError("cannot be written", code: "cannot-write", file: output) }
    do {
      let count = try export.write { try file.write(contentsOf: $0) }
      try file.close()
      guard rename(temporary, output) == 0 else {
        throw CommandError("cannot be written", code: "cannot-write", file: output)
      }
      try StandardOutput.write(lines: "\(output): arrow, \(Counted.of(count, "row"))\n")
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// The milliseconds of a day of UTC.
  static func span(ofDay text: String) throws -> ClosedRange<Int64> {
    let isDate = text.count == 10 && text.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) }
    guard isDate, let start = Instant(timestamp: text + "T00:00:00Z")?.milliseconds else {
      throw ValidationError("--day must be a date such as 2026-11-25, not '\(text)'")
    }
    return start...(start + 86_399_999)
  }
}
