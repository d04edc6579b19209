import CordonCore
import CordonGeometry
public import CordonVenues

extension Scenario {
  /// The venue with the doors, stairs and elevators that the policies shut taken out of it, and those that they allow
  /// in one direction only marked so.
  /// - Throws: ``ScenarioError`` for a door or connection that the venue does not have.
  public func venue(underPolicies venue: Venue) throws(ScenarioError) -> Venue {
    var changed = venue
    for target in policies.closedConnections {
      let before = changed.connections.count
      changed.connections.removeAll {
        $0.id == target.name || $0.name.text() == target.name || $0.kind.rawValue == target.name
      }
      guard changed.connections.count < before else {
        throw Scenario.unknown(
          target, "policies.close.connections", "connection",
          venue.connections.map(\.id) + Connection.Kind.allCases.map(\.rawValue))
      }
    }
    for target in policies.closedOpenings {
      let before = changed.openings.count
      changed.openings.removeAll { $0.id == target.name }
      guard changed.openings.count < before else {
        throw Scenario.unknown(target, "policies.close.doors", "door", venue.openings.map(\.id))
      }
    }
    for rule in policies.oneWay {
      guard let index = changed.openings.firstIndex(where: { $0.id == rule.target.name }) else {
        throw Scenario.unknown(rule.target, "policies.one_way", "door", venue.openings.map(\.id))
      }
      let names = changed.openings[index].spaces.map { id in
        [id.rawValue, venue.spaces.first { $0.id == id }?.name.text() ?? ""]
      }
      guard let side = names.firstIndex(where: { $0.contains(rule.from) }) else {
        throw ScenarioError(
          line: rule.target.line, path: "policies.one_way",
          message: "the door '\(rule.target.name)' does not lead from '\(rule.from)', but between "
            + names.map { $0.filter { !$0.isEmpty }.joined(separator: " = ") }.joined(separator: " and "))
      }
      if side != 0 { changed.openings[index].spaces.swapAt(0, side) }
      changed.openings[index].isTwoWay = false
    }
    return changed
  }

  static func unknown(_ target: Policies.Target, _ path: String, _ what: String, _ known: [String]) -> ScenarioError {
    ScenarioError(
      line: target.line, path: path,
      message: "the venue has no \(what) '\(target.name)'\(Spelling.hint(for: target.name, among: known))")
  }
}
