import CordonTestSupport
import Foundation
import Testing

@Suite("cordon-server --help")
struct ServerHelpTests {
  @Test func helpMatchesTheReviewedTexts() throws {
    let texts = try HelpTexts(executable: URL(fileURLWithPath: Program.server))
    #expect(texts.commands.count >= 12)
    for problem in try texts.problems() { Issue.record("\(problem)") }
  }
}
