import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonSupport
import CordonVenues

/// The names of a scenario, resolved in a venue: doors, places of activities and limits.
struct ScenarioPlaces {
  /// The entrances of each population: indices in `World.entrances`.
  let entrances: [[Int]]
  /// The exits of each population: indices in `World.entrances`.
  let exits: [[Int]]
  /// The places of each activity, by group of connected parts of floors: indices in `World.destinations`.
  let places: [[Int: [Int]]]
  /// Factors on the chance of destinations, by activity.
  let popularity: [[Int: Double]]
  /// The groups that entrances lead to.
  let openGroups: Set<Int>
  /// The maximum number of people at each destination; `nil` for no limit.
  let limits: [Int?]
  /// The destinations where people may not stay because of the policies.
  let closed: Set<Int>
  /// The closed destinations that one-way doors leave without a way in or out.
  let cutOffByDoors: Set<Int>

  init(_ scenario: Scenario, world: World) throws(ScenarioError) {
    openGroups = Set(world.entrances.map { world.routes.group(of: $0.place) })
    guard !world.entrances.isEmpty else {
      throw ScenarioError(line: 0, path: "venue", message: "the venue has no entrance, so people cannot enter")
    }
    var closed: Set<Int> = []
    for target in scenario.policies.closedSpaces {
      closed.formUnion(try ScenarioPlaces.closed(target, in: world))
    }
    var entrances: [[Int]] = []
    var exits: [[Int]] = []
    for population in scenario.populations {
      let doors = try ScenarioPlaces.entrances(of: population, world: world)
      entrances.append(try ScenarioPlaces.doors(doors, inwards: true, of: population, scenario.policies, world))
      exits.append(try ScenarioPlaces.doors(doors, inwards: false, of: population, scenario.policies, world))
    }
    (self.entrances, self.exits) = (entrances, exits)
    cutOffByDoors = scenario.policies.oneWay.isEmpty ? [] : ScenarioPlaces.cutOff(from: entrances, exits, in: world)
    closed.formUnion(cutOffByDoors)
    self.closed = closed
    var limits = [Int?](repeating: nil, count: world.destinations.count)
    for capacity in scenario.policies.capacities {
      for index in try ScenarioPlaces.destinations(of: capacity.target, "policies.capacity", in: world) {
        limits[index] = min(limits[index] ?? .max, capacity.people)
      }
    }
    // A limit of the scenario replaces that of the venue's overlay.
    self.limits = zip(limits, world.spaceLimits).map { $0 ?? $1 }
    var places: [[Int: [Int]]] = []
    for activity in scenario.activities {
      places.append(try ScenarioPlaces.places(of: activity, closed: closed, openGroups: openGroups, world: world))
    }
    self.places = places
    popularity = try scenario.activities.map { activity throws(ScenarioError) in
      try ScenarioPlaces.popularity(of: activity, world: world)
    }
    try checkPopulations(of: scenario, in: world)
  }

  private static func popularity(of activity: Activity, world: World) throws(ScenarioError) -> [Int: Double] {
    var factors: [Int: Double] = [:]
    for item in activity.popularity {
      for index in try destinations(of: item.target, "activities.popularity", in: world) {
        factors[index] = item.factor
      }
    }
    return factors
  }

  /// Throws an error if a population cannot reach one of its activities from its entrances.
  private func checkPopulations(of scenario: Scenario, in world: World) throws(ScenarioError) {
    for (index, population) in scenario.populations.enumerated() {
      let groups = Set(entrances[index].map { world.routes.group(of: world.entrances[$0].place) })
      let own = scenario.activities.indices.filter {
        population.includes(scenario.activities[$0])
      }
      guard own.isEmpty || own.contains(where: { !groups.isDisjoint(with: places[$0].keys) }) else {
        throw ScenarioError(
          line: population.line, path: "populations.entrances",
          message: "no way leads from the entrances of '\(population.name)' to anything that they do")
      }
      // The simulator derives activities without a line from the kinds of spaces; people skip those without a way.
      for activity in own where scenario.activities[activity].line > 0 {
        guard groups.isDisjoint(with: places[activity].keys) else { continue }
        let others = world.entrances.indices.filter {
          places[activity][world.routes.group(of: world.entrances[$0].place)] != nil
        }
        throw ScenarioError(
          line: population.line, path: "populations.entrances",
          message:
            "no way leads from the entrances of '\(population.name)' to a space for '\(scenario.activities[activity].name)'; entrances that "
            + "reach one: " + others.prefix(8).map { world.entrances[$0].label }.joined(separator: ", "))
      }
    }
  }

  private static func entrances(of population: Population, world: World) throws(ScenarioError) -> [Int] {
    guard !population.entrances.isEmpty else { return world.usefulEntrances }
    var found: [Int] = []
    for text in population.entrances {
      func fault(_ message: String) -> ScenarioError {
        ScenarioError(line: population.line, path: "populations.entrances", message: message)
      }
      // Closed ones keep their number and name.
      let all = world.entrancesWhenOpen
      guard let meant = PlanEntrance.index(of: text, in: all).map({ all[$0] }) else {
        throw fault(
          "the venue has no entrance '\(text)'"
            + Suggestion.hint(for: text, among: all.map(\.name) + all.map(\.id)) + "; it has "
            + all.prefix(8).map(\.label).joined(separator: ", ")
            + (all.count > 8 ? " and \(all.count - 8) more, which 'cordon venue info' lists" : ""))
      }
      guard let index = world.entrances.firstIndex(where: { $0.number == meant.number }) else {
        throw fault("entrance \(meant.label) is closed by the policies, or no way leads into the venue behind it")
      }
      if !found.contains(index) { found.append(index) }
    }
    return found
  }

  /// Returns the destinations that people cannot reach, or cannot leave.
  private static func cutOff(from entrances: [[Int]], _ exits: [[Int]], in world: World) -> Set<Int> {
    let navigation = world.routes.navigation
    func places(_ doors: [[Int]]) -> [Place] { Set(doors.joined()).sorted().map { world.entrances[$0].place } }
    let ways = (in: places(entrances), out: places(exits).map { ($0, navigation.field(to: $0)) })
    return Set(
      world.destinations.indices.filter { index in
        let anchor = world.destinations[index].anchor
        let field = navigation.field(to: anchor)
        return !ways.in.contains { navigation.route(from: $0, to: anchor, along: field) != nil }
          || !ways.out.contains { navigation.route(from: anchor, to: $0.0, along: $0.1) != nil }
      })
  }

  /// Returns the doors of a population through which the policies allow it to enter or leave.
  private static func doors(
    _ doors: [Int], inwards: Bool, of population: Population, _ policies: Policies, _ world: World
  ) throws(ScenarioError) -> [Int] {
    var shut: Policies.OneWay?
    let open = doors.filter { door in
      let against = policies.oneWay.first {
        world.entrances[door].isAt($0.target.name, in: world.plan) && $0.isInwards != inwards
          && $0.leadsOutside(in: world.plan)
      }
      shut = shut ?? against
      return against == nil
    }
    guard open.isEmpty, let shut else { return open }
    throw ScenarioError(
      line: shut.target.line, path: "policies.one_way",
      message: "leaves '\(population.name)' without a door to \(inwards ? "enter" : "leave")")
  }

  private static func places(
    of activity: Activity, closed: Set<Int>, openGroups: Set<Int>, world: World
  ) throws(ScenarioError) -> [Int: [Int]] {
    var indices: Set<Int> = []
    let kinds = Set(activity.kinds)
    for (index, destination) in world.destinations.enumerated() where kinds.contains(destination.kind) {
      indices.insert(index)
    }
    for name in activity.spaces {
      let target = Policies.Target(name: name, line: activity.line)
      indices.formUnion(try destinations(of: target, "activities.spaces", in: world))
    }
    let path = "activities.\(activity.name)"
    guard !indices.isEmpty else {
      try ScenarioPlaces.checkClosures(of: activity, path, in: world)
      let there = Set(world.destinations.map(\.kind.rawValue)).sorted().joined(separator: ", ")
      throw ScenarioError(
        line: activity.line, path: path,
        message: "the venue has no space of kind \(activity.kinds.map(\.rawValue).joined(separator: ", ")) to be in; "
          + "it has \(there)")
    }
    indices.subtract(closed)
    guard !indices.isEmpty else {
      throw ScenarioError(
        line: activity.line, path: path,
        message: "every space for it is closed by the policies, or has no way in or out because of them")
    }
    let reachable = indices.filter { openGroups.contains(world.destinations[$0].group) }
    guard !reachable.isEmpty else {
      throw ScenarioError(
        line: activity.line, path: path, message: "no way leads from any entrance to the spaces for it")
    }
    return Dictionary(grouping: reachable.sorted()) { world.destinations[$0].group }
  }

  /// Returns the destinations in spaces of a name, identifier or kind.
  private static func destinations(
    of target: Policies.Target, _ path: String, in world: World
  ) throws(ScenarioError) -> [Int] {
    let found = destinations(called: target.name, in: world)
    guard found.isEmpty else { return found }
    let spaces = spaces(called: target.name, in: world)
    guard !spaces.isEmpty else { throw unknown(target, path, in: world) }
    // Places that the policies close or cut off cause no error here; the check of the activities reports them.
    guard spaces.allSatisfy({ isClosed($0, in: world) || world.cutOff.contains($0) }) else {
      throw ScenarioError(
        line: target.line, path: path,
        message: "no way leads from an entrance to '\(target.name)', or it is not a place to stay")
    }
    return []
  }

  /// Returns the destinations that a policy closes; none if people never stay in the space.
  private static func closed(_ target: Policies.Target, in world: World) throws(ScenarioError) -> [Int] {
    let found = destinations(called: target.name, in: world)
    guard !found.isEmpty || !spaces(called: target.name, in: world).isEmpty else {
      throw unknown(target, "policies.close.spaces", in: world)
    }
    return found
  }

  private static func destinations(called name: String, in world: World) -> [Int] {
    let spaces = world.plan.spaces
    return world.destinations.indices.filter { index in
      let destination = world.destinations[index]
      if destination.kind.rawValue == name { return true }
      guard let space = destination.space else { return false }
      return spaces[space].id.rawValue == name || spaces[space].name == name
    }
  }

  private static func spaces(called name: String, in world: World) -> [Int] {
    let spaces = world.plan.spaces
    return spaces.indices.filter {
      spaces[$0].id.rawValue == name || spaces[$0].name == name || spaces[$0].kind.rawValue == name
    }
  }

  private static func isClosed(_ space: Int, in world: World) -> Bool {
    world.plan.closures.spaces.contains(world.plan.spaces[space].id)
  }

  /// Throws an error if an activity has no place because of closures by the policies.
  private static func checkClosures(of activity: Activity, _ path: String, in world: World) throws(ScenarioError) {
    let meant = (activity.kinds.map(\.rawValue) + activity.spaces).flatMap { spaces(called: $0, in: world) }
    guard !meant.isEmpty, meant.contains(where: { isClosed($0, in: world) || world.cutOff.contains($0) }) else {
      return
    }
    throw ScenarioError(
      line: activity.line, path: path,
      message: meant.contains { world.cutOff.contains($0) }
        ? "no way leads from any entrance to the spaces for it, because of the closures in policies"
        : "every space for it is closed by the policies")
  }

  private static func unknown(_ target: Policies.Target, _ path: String, in world: World) -> ScenarioError {
    let spaces = world.plan.spaces
    let known = Set(spaces.map(\.kind.rawValue)).union(spaces.map(\.name)).filter { !$0.isEmpty }.sorted()
    return Scenario.unknown(target, path, "space", known)
  }
}
