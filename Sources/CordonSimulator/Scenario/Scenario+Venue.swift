import CordonCore
import CordonCrowd
import CordonGeometry
import CordonSupport
public import CordonVenues

extension Scenario {
  /// The default scenario of a venue: people without a schedule, from 09:00 of ``defaultStart``'s day on the venue's clocks.
  ///
  /// The clock is that of UTC if the map states no time zone, or one that this system does not know.
  package init(at venue: Venue) {
    self.init()
    guard let clock = venue.timeZone.flatMap(ScenarioClock.init(zone:)) else { return }
    self.clock = clock
    let span = duration
    start = clock.instant(ScenarioClock.utc.day(at: Scenario.defaultStart), ClockTime(seconds: 9 * 3_600))
    duration = span
  }

  /// Returns the venue with the policies applied: closed parts are marked, and one-way doors have their direction.
  /// - Throws: ``ScenarioError`` for a door or connection that the venue does not have, and for a one-way door that
  ///   does not lead from the named space.
  public func venue(underPolicies venue: Venue) throws(ScenarioError) -> Venue {
    var changed = venue
    for target in policies.closedConnections { try close(connection: target, in: &changed) }
    for target in policies.closedOpenings {
      let doors = venue.openings(called: target.name)
      guard !doors.isEmpty else { throw Scenario.unknownDoor(target, "policies.close.doors", in: venue) }
      changed.closures.openings.formUnion(doors.map(\.id))
    }
    for target in policies.closedSpaces {
      let spaces = venue.spaces.filter { $0.isCalled(target.name) }
      changed.closures.spaces.formUnion(spaces.map(\.id))
    }
    for rule in policies.oneWay { try turn(rule, in: &changed) }
    return changed
  }

  private func close(connection target: Policies.Target, in venue: inout Venue) throws(ScenarioError) {
    let named = venue.connections.filter { $0.id == target.name || $0.name.text() == target.name }
    venue.closures.connections.formUnion(named.map(\.id))
    let kind = Connection.Kind(rawValue: target.name)
    // A map without connections can have stairs above one another, which are joined when the venue is prepared.
    let isThere =
      venue.connections.contains { $0.kind == kind } || venue.spaces.contains { $0.kind.rawValue == target.name }
    if let kind, isThere { venue.closures.connectionKinds.insert(kind) }
    guard !named.isEmpty || kind != nil && isThere else {
      throw Scenario.unknown(
        target, "policies.close.connections", "connection",
        venue.connections.map(\.id) + Connection.Kind.allCases.map(\.rawValue))
    }
  }

  private func turn(_ rule: Policies.OneWay, in venue: inout Venue) throws(ScenarioError) {
    let doors = venue.openings(called: rule.target.name)
    guard let door = doors.first, let index = venue.openings.firstIndex(of: door) else {
      throw Scenario.unknownDoor(rule.target, "policies.one_way", in: venue)
    }
    guard doors.count == 1 else {
      let ids = doors.prefix(8).map(\.id).joined(separator: ", ")
      throw ScenarioError(
        line: rule.target.line, path: "policies.one_way",
        message: "\(doors.count) doors have the name '\(rule.target.name)'; use an id: \(ids)")
    }
    let names = venue.openings[index].spaces.map { id in
      [id.rawValue, venue.spaces.first { $0.id == id }?.name.text() ?? ""]
    }
    if names.count == 1, rule.isInwards { return }
    guard let side = names.firstIndex(where: { $0.contains(rule.from) }) else {
      throw ScenarioError(
        line: rule.target.line, path: "policies.one_way",
        message: "the door '\(rule.target.name)' does not lead from '\(rule.from)', but between "
          + (names + (names.count == 1 ? [[Policies.OneWay.outside]] : []))
          .map { $0.filter { !$0.isEmpty }.joined(separator: " = ") }.joined(separator: " and "))
    }
    if side != 0 { venue.openings[index].spaces.swapAt(0, side) }
    venue.openings[index].isTwoWay = false
  }

  private static func unknownDoor(_ target: Policies.Target, _ path: String, in venue: Venue) -> ScenarioError {
    unknown(target, path, "door", venue.openings.compactMap { $0.name.text() } + venue.openings.map(\.id))
  }

  package static func unknown(_ target: Policies.Target, _ path: String, _ what: String, _ known: [String])
    -> ScenarioError
  {
    ScenarioError(
      line: target.line, path: path,
      message: "the venue has no \(what) '\(target.name)'\(Suggestion.hint(for: target.name, among: known))")
  }

  /// Prepares a venue that ``venue(underPolicies:)`` returned.
  /// - Throws: ``ScenarioError`` if the policies close every entrance, or `VenueError`.
  package func world(_ venue: Venue, progress: (Double) -> Void = { _ in }) throws -> World {
    do {
      return try World(venue: venue, progress: progress)
    } catch {
      let shut = policies.closedOpenings + policies.closedSpaces + policies.closedConnections
      guard error.code == "no-entrance", !(shut.isEmpty && visitors != nil) else { throw error }
      throw ScenarioError(line: shut.first?.line ?? 0, path: "policies.close", message: error.message)
    }
  }
}

extension Policies.OneWay {
  /// Checks whether one side of the door is outside the venue. People enter and leave through such a door, but do not walk
  /// through it to other spaces.
  func leadsOutside(in plan: VenuePlan) -> Bool {
    plan.doors(called: target.name).contains { $0.spaces.count < 2 }
  }
}

extension PlanEntrance {
  /// Checks whether people enter by the door of an identifier or name.
  func isAt(_ door: String, in plan: VenuePlan) -> Bool {
    plan.doors(called: door).contains { $0.id == id }
  }
}

extension Space {
  fileprivate func isCalled(_ name: String) -> Bool {
    id.rawValue == name || self.name.text() == name || kind.rawValue == name
  }
}
