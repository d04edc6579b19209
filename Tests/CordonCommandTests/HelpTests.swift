import CordonConsole
import CordonTestSupport
import Testing

/// The help texts, word for word, so that no text changes by accident.
@Suite("cordon --help")
struct HelpTests {
  @Test func helpMatchesTheReviewedTexts() throws {
    let texts = try HelpTexts(executable: CordonProcess.executable)
    #expect(texts.commands.count >= 40)
    for problem in try texts.problems() { Issue.record("\(problem)") }
    for command in texts.commands where command.path.first == "venue" && command.path.count > 1 {
      #expect(command.discussion.contains("Example"), "\(command.path)")
    }
  }

  @Test func usageIsWrappedBetweenOptions() {
    let usage = "USAGE: cordon x <a> ... [--map <key=property> ...] --points <file> [--json]"
    #expect(HelpText.wrapped(usage + "\n\nmore", columns: 200) == usage + "\n\nmore")
    #expect(
      HelpText.wrapped(usage, columns: 40) == """
        USAGE: cordon x <a> ...
                 [--map <key=property> ...]
                 --points <file> [--json]
        """)
  }
}
