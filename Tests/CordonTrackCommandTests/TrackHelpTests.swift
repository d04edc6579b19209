import Foundation
import HelpTexts
import Testing

@Suite("cordon-track --help")
struct TrackHelpTests {
  @Test func helpMatchesTheReviewedTexts() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let texts = try HelpTexts(executable: Tracker.executable, package: package)
    #expect(texts.commands.count >= 11)
    for problem in try texts.problems() { Issue.record("\(problem)") }
  }
}
