import ArgumentParser
import CordonConsole
import CordonCore
import CordonSupport
import CordonTracking
import Foundation

/// The command `cordon-track export`.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export everything that this machine holds about the person, as JSON.",
    discussion: """
      Consents, figures, and every location with its state; no tokens and no secrets. Example:

        cordon-track export -o my-data.json -c tracker.json
      """)

  /// The file of the export.
  struct Output: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write, - for standard output.", valueName: "file"))
    var output = "-"

    @Flag(name: .shortAndLong, help: "Replace the file if it exists.")
    var force = false
  }

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: Output

  func run() async throws {
    let configuration = try options.load()
    try OutputFile.checkMayWrite(path: output.output, replaces: output.force)
    // Beside the store: a running tracker can write there, and other users cannot read it.
    let draft = try configuration.storePath() + ".export-\(UInt32.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: draft) }
    _ = try await configuration.carryOut(.export(path: draft), within: .zero)
    guard let data = FileManager.default.contents(atPath: draft) else {
      throw TrackerError("cannot-export", "the store cannot be read, or there is no room beside it", file: draft)
    }
    if output.output == "-" { return try StandardOutput.write(Array(data)) }
    _ = try OutputFile.write(Array(data), to: output.output, replaces: output.force)
    Printer.note("cordon-track: written to \(output.output)")
  }
}
