import ArgumentParser
import CordonConsole
import CordonCore
import CordonTracking
import Foundation

/// The command `cordon-track export`.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Give the person what this machine holds of them, as JSON.",
    discussion: """
      Agreements, figures, every location and how far it got; no tokens and no secrets. Example:

        cordon-track export -o my-data.json -c tracker.json
      """)

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"))
  var output = "-"

  @OptionGroup var options: TrackerOptions

  func run() async throws {
    let configuration = try options.load()
    // Beside the store: a running tracker can write there, and other users cannot read it.
    let draft = try configuration.storePath() + ".export-\(UInt32.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: draft) }
    _ = try await configuration.carryOut(.export(path: draft), within: .zero)
    guard let data = FileManager.default.contents(atPath: draft) else {
      throw TrackerError("cannot-export", "the store cannot be read, or there is no room beside it", file: draft)
    }
    if output == "-" { return try StandardOutput.write(Array(data)) }
    let part = output + ".part"
    guard FileManager.default.createFile(atPath: part, contents: data, attributes: [.posixPermissions: 0o600]),
      rename(part, output) == 0
    else {
      try? FileManager.default.removeItem(atPath: part)
      throw TrackerError(
        "cannot-write", "it cannot be written; is there the folder, and may it be written?", file: output)
    }
    Printer.note("cordon-track: written to \(output), readable for its owner only")
  }
}
