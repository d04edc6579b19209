import CordonTestSupport
import Foundation
import Testing

@Suite("cordon-track --help")
struct TrackHelpTests {
  @Test func helpMatchesTheReviewedTexts() throws {
    let texts = try HelpTexts(executable: Tracker.executable)
    #expect(texts.commands.count >= 11)
    for problem in try texts.problems() { Issue.record("\(problem)") }
  }
}
