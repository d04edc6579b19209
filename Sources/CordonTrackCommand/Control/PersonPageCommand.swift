import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSupport
import CordonTracking
import Foundation

/// The command `cordon-track person-page`.
struct PersonPageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "person-page", abstract: "Print a link to the page of the person at the server.",
    discussion: """
      The page shows what the server stores, exposure notices and who looked; it saves a copy, and erases the device. The link is \
      valid for ten minutes, once. Example:

        cordon-track person-page -c tracker.json
      """)

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  func run() async throws {
    guard let link = try await options.load().link({ .personPage(path: $0) }) else {
      throw TrackerError("no-link", "the server gave no link; activate the tracker, start it, and try again")
    }
    guard !output.json else { return try Printer.print("track-person-page", [.init("link", .string(link))]) }
    try Printer.write(lines: link + "\n")
  }
}

extension TrackerConfiguration {
  /// Returns the link that a command writes to a file; `nil` if there is none.
  func link(_ command: (_ path: String) -> ControlCommand) async throws -> String? {
    // Beside the store: a running tracker can write there, and other users cannot read it.
    let draft = try storePath() + ".page-\(UInt32.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: draft) }
    _ = try await carryOut(command(draft), within: .zero)
    return FileManager.default.contents(atPath: draft).map { String(decoding: $0, as: UTF8.self) }
  }
}
