import CordonAir
import CordonCore
import CordonSupport
import CordonVenues

/// The air of a scenario in a venue: a model whose spaces have the numbers of the run.
struct AirSetup: Sendable {
  let rules: AirRules
  let model: AirModel
  let emissions: AirEmissions

  /// The step of linked spaces in milliseconds.
  private static let step: Int64 = 10_000
  /// The minimum volume of a space in cubic metres: maps have spaces of a few square centimetres.
  private static let minimumVolume = 1.0

  /// Resolves the rules.
  /// - Throws: ``ScenarioError`` for a name that the venue or the scenario does not have.
  init(_ rules: AirRules, scenario: Scenario, venue: Venue, plan: VenuePlan, places: RunPlaces) throws(ScenarioError) {
    self.rules = rules
    for target in rules.indexPopulations + (rules.masks?.populations ?? [])
    where !scenario.populations.contains(where: { $0.name == target.name }) {
      throw ScenarioError(
        line: target.line, path: "air",
        message:
          "'\(target.name)' is not a population\(Suggestion.hint(for: target.name, among: scenario.populations.map(\.name)))"
      )
    }
    let run = places.venue.spaces
    let ceilings = try rules.ceiling.resolved(in: venue, key: "air.ceiling") { $0.ceilingHeight }
    let changes = try rules.airChanges.resolved(in: venue, key: "air.air_changes") { $0.airChanges }
    let filtration = try rules.filtration.resolved(in: venue, key: "air.filtration") { _ in nil }
    let spaces = run.map { space in
      AirSpace(
        id: space.id.rawValue,
        volume: max(Self.minimumVolume, space.area * (ceilings[space.id] ?? rules.ceiling.standard)),
        airChanges: changes[space.id] ?? rules.airChanges.standard,
        filtration: filtration[space.id] ?? rules.filtration.standard)
    }
    model = AirModel(
      spaces: spaces, links: try Self.links(rules.doors, plan: plan, places: places), outdoorCO2: rules.outdoorCO2,
      quantaLoss: rules.decay + rules.deposition, step: Self.step)
    emissions = try AirEmissions(rules, scenario: scenario, venue: venue, places: places)
  }

  /// Returns the openings between spaces: doors for the share of the time that they are open, gaps without a door always.
  private static func links(_ doors: AirRules.Doors, plan: VenuePlan, places: RunPlaces) throws(ScenarioError)
    -> [AirLink]
  {
    for entry in doors.open.entries {
      guard plan.doors.contains(where: { entry.applies(to: $0, in: plan) }) else {
        throw Scenario.unknown(
          entry.target, "air.doors.open", "door",
          plan.doors.flatMap { [$0.name, $0.id] }.filter { !$0.isEmpty })
      }
    }
    return plan.doors.compactMap { door -> AirLink? in
      guard door.spaces.count == 2, !plan.closures.openings.contains(door.id) else { return nil }
      let numbers = door.spaces.map { places.number(of: plan.spaces[$0].id) }
      guard numbers[0] != numbers[1], numbers.allSatisfy({ $0 >= 0 }) else { return nil }
      var open = doors.open.standard
      for entry in doors.open.entries where entry.applies(to: door, in: plan) { open = entry.value }
      if door.isSeam { open = 1 }
      let (dx, dy) = (door.line.b.x - door.line.a.x, door.line.b.y - door.line.a.y)
      let flow = DoorAirflow.exchange(
        width: (dx * dx + dy * dy).squareRoot(), height: doors.height,
        temperatureDifference: doors.temperatureDifference, open: open)
      return flow > 0 ? AirLink(Int(numbers[0]), Int(numbers[1]), flow: flow) : nil
    }
  }
}

extension AirValues.Entry {
  /// Whether the entry means a door: by its identifier or name, or by the kind, name or pattern of a space beside it.
  fileprivate func applies(to door: PlanDoor, in plan: VenuePlan) -> Bool {
    if door.id == target.name || door.name == target.name && !door.name.isEmpty { return true }
    let pattern = NamePattern.isPattern(target.name) ? NamePattern(target.name) : nil
    if let pattern, pattern.matches(door.id) || pattern.matches(door.name) { return true }
    return door.spaces.contains { index in
      let space = plan.spaces[index]
      return space.id.rawValue == target.name || space.kind.rawValue == target.name
        || pattern?.matches(space.id.rawValue) ?? false
    }
  }
}

extension AirValues {
  /// Returns the values of the spaces that have one of their own: names before patterns, patterns before kinds, kinds before
  /// the map's own value.
  /// - Throws: ``ScenarioError`` for a text that means no space.
  func resolved(
    in venue: Venue, key: String, _ own: (Space) -> Double?
  ) throws(ScenarioError) -> [SpaceID: Double] {
    var values: [SpaceID: (rank: Int, value: Double)] = [:]
    for space in venue.spaces { values[space.id] = own(space).map { (0, $0) } }
    for entry in entries {
      let spaces = SpaceGroup.spaces(entry.target.name, in: venue)
      guard !spaces.isEmpty else {
        let names = venue.spaces.flatMap { $0.name.values.values.sorted() + [$0.kind.rawValue, $0.id.rawValue] }
        throw Scenario.unknown(entry.target, key, "space", names)
      }
      let isKind = venue.spaces.contains { $0.kind.rawValue == entry.target.name }
      let rank = NamePattern.isPattern(entry.target.name) ? 2 : isKind ? 1 : 3
      for space in spaces where values[space].map({ $0.rank <= rank }) ?? true { values[space] = (rank, entry.value) }
    }
    return values.mapValues(\.value)
  }
}
