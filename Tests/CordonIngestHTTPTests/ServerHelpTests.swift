import Foundation
import HelpTexts
import Testing

@Suite("cordon-server --help")
struct ServerHelpTests {
  @Test func helpMatchesTheReviewedTexts() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let texts = try HelpTexts(executable: URL(fileURLWithPath: Program.server), package: package)
    #expect(texts.commands.count >= 12)
    for problem in try texts.problems() { Issue.record("\(problem)") }
  }
}
