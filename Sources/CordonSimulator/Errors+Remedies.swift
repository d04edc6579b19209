public import CordonCore

extension SimulationError: CordonError {
  /// The action that resolves the error.
  public var remedy: String {
    switch self {
    case .memory: "Simulate fewer people, a shorter time, fewer phones or a longer interval."
    }
  }
}

extension ScenarioError: CordonError {
  /// The action that resolves the error.
  public var remedy: String { "Correct the scenario at that line; docs/reference/scenarios.md lists the keys." }
}
