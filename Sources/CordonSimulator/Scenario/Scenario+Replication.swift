package import CordonCrowd

extension Replication {
  /// Checks the duration.
  /// - Throws: ``ScenarioError`` when the duration is out of ``ScenarioLimits/duration``.
  func check() throws(ScenarioError) {
    try ScenarioLimits.check(duration, in: ScenarioLimits.duration, key: "time.duration")
  }
}

extension Scenario {
  /// Returns a repetition of the scenario.
  /// - Parameter number: number of the repetition, from 0.
  package func replication(_ number: UInt32 = 0) -> Replication {
    Replication(start: start, duration: duration, seed: seed, number: number)
  }
}
