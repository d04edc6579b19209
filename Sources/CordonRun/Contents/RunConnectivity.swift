package import CordonSupport

/// The parts of a map that walking connects, the spaces that no entrance reaches, and the assumptions of the plan.
///
/// The run database stores ``json`` as the parameter `connectivity`; see docs/reference/run-folder.md.
package struct RunConnectivity: Hashable, Sendable {
  /// The parts on one line.
  package var sentence: String
  /// Facts about unreachable spaces and useless entrances, one sentence each.
  package var warnings: [String]
  /// Doors, connections and entrances that the map lacks, one sentence each.
  package var assumptions: [String]
  /// The unreachable share of the area that people may use, from 0 to 1.
  package var unreachableShare: Double
  /// The names of the spaces that no entrance reaches.
  package var unreachable: [String]

  /// Creates the connectivity of a map from its parts.
  package init(
    sentence: String, warnings: [String], assumptions: [String], unreachableShare: Double, unreachable: [String]
  ) {
    self.sentence = sentence
    self.warnings = warnings
    self.assumptions = assumptions
    self.unreachableShare = unreachableShare
    self.unreachable = unreachable
  }

  /// The members `parts`, `warnings`, `assumptions`, `unreachable_share` and `unreachable_spaces`.
  package var json: JSONValue {
    [
      "parts": .string(sentence), "warnings": .array(warnings.map { .string($0) }),
      "assumptions": .array(assumptions.map { .string($0) }),
      "unreachable_share": .number((unreachableShare * 1e4).rounded() / 1e4),
      "unreachable_spaces": .array(unreachable.map { .string($0) }),
    ]
  }
}
