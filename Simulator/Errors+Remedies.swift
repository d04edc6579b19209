public import CordonCore

extension SimulationSettingsError: CordonError {
  /// What to do about the setting.
  public var remedy: String { "Give a value in the range that the message names." }
}

extension SimulationError: CordonError {
  /// What to do about the run.
  public var remedy: String {
    switch self {
    case .people, .duration: "Give a value in the range that the message names."
    case .memory: "Simulate fewer people, a shorter time, fewer phones or a longer interval."
    }
  }
}

extension ScenarioError: CordonError {
  /// What to do about the file.
  public var remedy: String { "Correct the scenario at that line; docs/reference/scenarios.md lists the keys." }
}
