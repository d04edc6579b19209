import ArgumentParser
import CordonCommandLine
import CordonSimulator

/// What the command line puts in place of values of a scenario.
struct ScenarioChanges: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Put this in place of a value of the scenario, under its key in docs/reference/scenarios.md: --set policies.stagger=30m --set populations[staff].size=80. May be given again.",
      valueName: "key=value"))
  var set: [String] = []

  /// The changes, in the order given.
  func list() throws -> [ScenarioChange] {
    try set.map { text in
      guard let change = ScenarioChange(text) else {
        throw CommandError("--set: '\(text)' is no KEY=VALUE, such as policies.stagger=30m", code: "usage")
      }
      return change
    }
  }
}
