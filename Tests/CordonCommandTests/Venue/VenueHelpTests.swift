import Foundation
import Testing

/// The help texts, word for word: what people learn the command from is not changed by accident.
///
/// `CORDON_WRITE_GOLDEN=1 swift test --filter VenueHelpTests` writes them anew, for review.
@Suite("cordon venue --help")
struct VenueHelpTests {
  static let commands = [
    "", "info", "validate", "geofence", "locate", "line-of-sight", "distances", "render", "convert", "georeference",
    "pack",
    "generate",
  ]

  @Test(arguments: commands)
  func helpIsAsReviewed(command: String) throws {
    let result = try CordonProcess.run(["venue"] + (command.isEmpty ? [] : [command]) + ["--help"])
    #expect(result.status == 0)
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Help/venue\(command.isEmpty ? "" : "-" + command).txt")
    if ProcessInfo.processInfo.environment["CORDON_WRITE_GOLDEN"] != nil {
      try Data(result.output.utf8).write(to: file)
    }
    #expect(result.output == (try String(contentsOf: file, encoding: .utf8)))
    if !command.isEmpty { #expect(result.output.contains("Example")) }
  }
}
