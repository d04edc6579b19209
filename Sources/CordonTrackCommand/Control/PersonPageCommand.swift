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
    let configuration = try options.load()
    // Beside the store: a running tracker can write there, and other users cannot read it.
    let draft = try configuration.storePath() + ".page-\(UInt32.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: draft) }
    _ = try await configuration.carryOut(.personPage(path: draft), within: .zero)
    guard let data = FileManager.default.contents(atPath: draft) else {
      throw TrackerError("no-link", "the server gave no link; activate the tracker, start it, and try again")
    }
    let link = String(decoding: data, as: UTF8.self)
    guard !output.json else { return try Printer.print("track-person-page", [.init("link", .string(link))]) }
    try Printer.write(lines: link + "\n")
  }
}
