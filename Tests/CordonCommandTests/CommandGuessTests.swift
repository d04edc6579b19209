import CordonTestSupport
import Testing

/// The program distinguishes a mistyped command from a stray argument, and suggests the nearest one.
struct CommandGuessTests {
  @Test(arguments: [
    (["venue", "validat", "map.zip"], "there is no command 'cordon venue validat'; did you mean 'validate'?"),
    (["veneu", "info"], "there is no command 'cordon veneu'; did you mean 'venue'?"),
    (["venue", "line-of-sigt"], "did you mean 'line-of-sight'?"),
    (["venue", "x"], "there is no command 'cordon venue x'; see 'cordon venue --help'"),
  ])
  func theNearestCommandIsSuggested(arguments: [String], says: String) throws {
    let result = try CordonProcess.run(arguments)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(says), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  /// When a mistyped option was meant to be a required one, the error names the typing error.
  @Test(arguments: [
    (
      ["contacts", "backtrace", "points.csv", "--indx", "d0"],
      "unknown option '--indx'; did you mean '--index'?; see 'cordon contacts backtrace --help'"
    ),
    (["contacts", "backtrace", "points.csv", "--indx=d0"], "unknown option '--indx'; did you mean '--index'?"),
    (["contacts", "backtrace", "points.csv", "--zzzzzzzz", "d0"], "unknown option '--zzzzzzzz'; see"),
    (["contacts", "backtrace", "points.csv", "--onset", "2026-03-02"], "Missing expected argument '--index"),
  ])
  func theNearestOptionIsSuggested(arguments: [String], says: String) throws {
    let result = try CordonProcess.run(arguments)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(says), "\(result.errors)")
  }

  @Test func aDurationWithoutAUnitNamesTheMissingUnit() throws {
    let result = try CordonProcess.run(["contacts", "find", "points.csv", "--max-gap", "3"])
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(
      result.errors.contains(
        "The value '3' is invalid for '--max-gap <duration>'. A duration has its unit: 30s, 5m, 2h"),
      "\(result.errors)")
  }

  @Test func existingCommandsGetNoSuggestion() throws {
    let result = try CordonProcess.run(["venue", "info", "nowhere.zip", "more"])
    #expect(result.status == 2 && !result.errors.contains("there is no command"), "\(result.errors)")
  }
}
