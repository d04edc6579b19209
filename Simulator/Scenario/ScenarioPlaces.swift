import CordonCore
import CordonGeometry
import CordonVenues

/// The names of a scenario looked up in a venue: doors, places of activities, limits.
struct ScenarioPlaces {
  /// Doors that each population comes in by: indices in `World.entrances`.
  let entrances: [[Int]]
  /// Doors that each population leaves by.
  let exits: [[Int]]
  /// Places of each activity, by group of joined parts of floors: indices in `World.destinations`.
  let places: [[Int: [Int]]]
  /// Groups that entrances lead to.
  let openGroups: Set<Int>
  /// The most people at each destination; `nil` for no limit.
  let limits: [Int?]
  /// Destinations where the policies let nobody stay.
  let closed: Set<Int>
  /// Those of them that doors in one direction leave no way to, or no way out of.
  let cutOffByDoors: Set<Int>

  init(_ scenario: Scenario, world: World) throws(ScenarioError) {
    openGroups = Set(world.entrances.map { world.routes.group(of: $0.place) })
    guard !world.entrances.isEmpty else {
      throw ScenarioError(line: 0, path: "venue", message: "the venue has no entrance, so nobody can come in")
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
    self.limits = limits
    var places: [[Int: [Int]]] = []
    for activity in scenario.activities {
      places.append(try ScenarioPlaces.places(of: activity, closed: closed, openGroups: openGroups, world: world))
    }
    self.places = places
    try checkPopulations(of: scenario, in: world)
  }

  /// Says so when a population can do nothing behind its entrances.
  private func checkPopulations(of scenario: Scenario, in world: World) throws(ScenarioError) {
    for (index, population) in scenario.populations.enumerated() {
      let groups = Set(entrances[index].map { world.routes.group(of: world.entrances[$0].place) })
      let own = scenario.activities.indices.filter {
        population.activities.isEmpty || population.activities.contains(scenario.activities[$0].name)
      }
      guard own.isEmpty || own.contains(where: { !groups.isDisjoint(with: places[$0].keys) }) else {
        throw ScenarioError(
          line: population.line, path: "populations.entrances",
          message: "no way leads from the entrances of '\(population.name)' to anything that they do")
      }
    }
  }

  private static func entrances(of population: Population, world: World) throws(ScenarioError) -> [Int] {
    guard !population.entrances.isEmpty else { return Array(world.entrances.indices) }
    var found: [Int] = []
    for name in population.entrances {
      if let index = world.entrances.firstIndex(where: { $0.id == name })
        ?? Int(name).flatMap({
          world.entrances.indices.contains($0) ? $0 : nil
        })
      {
        found.append(index)
      } else {
        guard !world.plan.closures.openings.contains(name) else {
          throw ScenarioError(
            line: population.line, path: "populations.entrances",
            message: "the entrance '\(name)' is closed by the policies")
        }
        let known = world.entrances.map(\.id)
        throw ScenarioError(
          line: population.line, path: "populations.entrances",
          message: "the venue has no entrance '\(name)'\(Spelling.hint(for: name, among: known)); it has "
            + known.prefix(8).enumerated().map { "\($0) (\($1))" }.joined(separator: ", ")
            + (known.count > 8 ? " and \(known.count - 8) more" : ""))
      }
    }
    return found
  }

  /// Destinations that nobody can come to, or that nobody can leave.
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

  /// Those of a population's doors that the policies let it come in by, or leave by.
  private static func doors(
    _ doors: [Int], inwards: Bool, of population: Population, _ policies: Policies, _ world: World
  ) throws(ScenarioError) -> [Int] {
    var shut: Policies.OneWay?
    let open = doors.filter { door in
      let against = policies.oneWay.first {
        $0.target.name == world.entrances[door].id && $0.isInwards != inwards && $0.leadsOutside(in: world.plan)
      }
      shut = shut ?? against
      return against == nil
    }
    guard open.isEmpty, let shut else { return open }
    throw ScenarioError(
      line: shut.target.line, path: "policies.one_way",
      message: "leaves '\(population.name)' no door to \(inwards ? "come in" : "leave") by")
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

  /// Destinations in spaces of a name, identifier or kind.
  private static func destinations(
    of target: Policies.Target, _ path: String, in world: World
  ) throws(ScenarioError) -> [Int] {
    let found = destinations(called: target.name, in: world)
    guard found.isEmpty else { return found }
    let spaces = spaces(called: target.name, in: world)
    guard !spaces.isEmpty else { throw unknown(target, path, in: world) }
    // What the policies close, or cut off by what they close, is told by what it leaves to do.
    guard spaces.allSatisfy({ isClosed($0, in: world) || world.cutOff.contains($0) }) else {
      throw ScenarioError(
        line: target.line, path: path,
        message: "no way leads from an entrance to '\(target.name)', or nobody stays there")
    }
    return []
  }

  /// Destinations in what a policy closes; none where nobody stays in it anyway.
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

  /// Says so when an activity has no place because of what the policies close.
  private static func checkClosures(of activity: Activity, _ path: String, in world: World) throws(ScenarioError) {
    let meant = (activity.kinds.map(\.rawValue) + activity.spaces).flatMap { spaces(called: $0, in: world) }
    guard !meant.isEmpty, meant.contains(where: { isClosed($0, in: world) || world.cutOff.contains($0) }) else {
      return
    }
    throw ScenarioError(
      line: activity.line, path: path,
      message: meant.contains { world.cutOff.contains($0) }
        ? "no way leads from any entrance to the spaces for it, because of what the policies close"
        : "every space for it is closed by the policies")
  }

  private static func unknown(_ target: Policies.Target, _ path: String, in world: World) -> ScenarioError {
    let spaces = world.plan.spaces
    let known = Set(spaces.map(\.kind.rawValue)).union(spaces.map(\.name)).filter { !$0.isEmpty }.sorted()
    return Scenario.unknown(target, path, "space", known)
  }
}
