import ArgumentParser
import CordonCommandLine
import CordonSimulator

/// Values of the command line that override those of a scenario.
struct ScenarioChanges: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Override a value of the scenario by its key: policies.stagger=30m, populations[staff].size=80. Repeat it for more.",
      valueName: "key=value"))
  var set: [String] = []

  /// The changes, in the order given.
  func list() throws -> [ScenarioChange] {
    try set.map { text in
      guard let change = ScenarioChange(text) else {
        throw CommandError("--set: '\(text)' is not KEY=VALUE, such as policies.stagger=30m", code: "usage")
      }
      return change
    }
  }
}
