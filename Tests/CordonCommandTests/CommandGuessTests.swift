import Testing

/// A mistyped command is told apart from a stray argument, and the near one is named.
struct CommandGuessTests {
  @Test(arguments: [
    (["venue", "validat", "map.zip"], "there is no command 'cordon venue validat'; did you mean 'validate'?"),
    (["veneu", "info"], "there is no command 'cordon veneu'; did you mean 'venue'?"),
    (["venue", "line-of-sigt"], "did you mean 'line-of-sight'?"),
    (["venue", "x"], "there is no command 'cordon venue x'; see 'cordon venue --help'"),
  ])
  func theNearestIsNamed(arguments: [String], says: String) throws {
    let result = try CordonProcess.run(arguments)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(says), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test func whatIsACommandIsNotGuessedAt() throws {
    let result = try CordonProcess.run(["venue", "info", "nowhere.zip", "more"])
    #expect(result.status == 2 && !result.errors.contains("there is no command"), "\(result.errors)")
  }
}
