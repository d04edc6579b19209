import CordonCore
import CordonVenues

/// The values of one population that a fit changes.
struct FittedPopulation: Hashable, Sendable {
  /// The index of the population.
  var population: Int
  /// The number of arrivals by day of the week and bin; `nil` for a day of the week without measurements. Without days of
  /// the week there is one day.
  var arrivals: [[Double]?]
  /// The rule for the length of a visit; `nil` if it stays as it is.
  var visit: DurationRule?
  /// The variation of rates between days.
  var variation: Double
  /// The factors of spaces by activity and by index in the plan of the venue.
  var popularity: [Int: [Int: Double]]
  /// The share of people who carry a phone; `nil` if it stays as it is.
  var deviceShare: Double?

  /// The number of people who arrive on a day of the week.
  func arrivals(on day: Int) -> Double { (arrivals[day] ?? []).reduce(0, +) }

  /// Returns the scenario with these values.
  func applied(to scenario: Scenario, binMinutes: Int, spaces: [PlanSpace]) -> Scenario {
    var scenario = scenario
    scenario.populations[population].arrival = .hourly(rates(binMinutes: binMinutes))
    scenario.populations[population].variation = variation
    if arrivals.count > 1 { scenario.populations[population].weekdays = Set(0...6) }
    if let visit { scenario.populations[population].visit = visit }
    if let deviceShare { scenario.populations[population].deviceShare = deviceShare }
    for activity in popularity.keys.sorted() {
      scenario.activities[activity].popularity = popularityList(activity, spaces).map { space, factor in
        Activity.Popularity(target: Policies.Target(name: space, line: 0), factor: factor)
      }
    }
    return scenario
  }

  /// Returns the factors of the spaces of an activity, in the order of the plan.
  func popularityList(_ activity: Int, _ spaces: [PlanSpace]) -> [(space: String, factor: Double)] {
    let factors = popularity[activity] ?? [:]
    return factors.keys.sorted().map { index in
      let space = spaces[index]
      let isUnique = !space.name.isEmpty && spaces.count { $0.name == space.name } == 1
      return (isUnique ? space.name : space.id.rawValue, Self.rounded(factors[index] ?? 1))
    }
  }

  /// The rates of arrival: constant from a time until the next one, in people per hour.
  func steps(on day: Int, binMinutes: Int) -> [(from: ClockTime, perHour: Double)] {
    guard let arrivals = arrivals[day] else { return [] }
    var steps: [(from: ClockTime, perHour: Double)] = []
    for (bin, number) in arrivals.enumerated() {
      let perHour = number * 60 / Double(binMinutes)
      let rate = perHour < 0.05 ? 0 : Self.rounded(perHour)
      guard rate != steps.last?.perHour ?? 0 else { continue }
      steps.append((ClockTime(seconds: bin * binMinutes * 60), rate))
    }
    return steps
  }

  private func rates(binMinutes: Int) -> [Population.Rate] {
    arrivals.indices.flatMap { day -> [Population.Rate] in
      let steps = steps(on: day, binMinutes: binMinutes)
      return steps.indices.compactMap { index in
        guard steps[index].perHour > 0 else { return nil }
        let next = index + 1 < steps.count ? steps[index + 1].from : ClockTime(seconds: 86_400)
        var rate = Population.Rate(
          window: ClockWindow(from: steps[index].from, to: next), perHour: steps[index].perHour)
        rate.weekdays = arrivals.count > 1 ? [day] : Set(0...6)
        return rate
      }
    }
  }

  /// Returns a number with three significant digits, as a scenario states it.
  static func rounded(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return 0 }
    var scale = 1.0
    while value * scale < 100, scale < 1e9 { scale *= 10 }
    return (value * scale).rounded() / scale
  }
}

/// A population, and the places at which its people were counted.
struct FitTarget: Sendable {
  let population: Int
  /// The indices of the places that sum to the number of the population's people.
  let places: [Int]
  /// The places between which people choose, by activity: index of the place, and of the space.
  let choices: [Int: [(place: Int, space: Int)]]
  /// Whether all spaces that the people can stay in were counted, so that presence there is the length of the visit.
  let isWhole: Bool
}

extension FitTarget {
  /// Assigns each measured place to the population whose people stay there.
  /// - Parameters:
  ///   - places: the measured places, with the names that the files have for them.
  ///   - scenario: the scenario.
  ///   - world: the venue.
  ///   - name: the population to fit; `nil` to find it.
  ///   - skipsUnused: whether a space in which no population stays is left out, as in tables of all spaces; otherwise it
  ///     is an error.
  /// - Throws: ``ScenarioError`` if no population, or more than one, can be responsible for a place.
  static func list(
    _ places: [(place: MeasuredPlace, name: String)], _ scenario: Scenario, world: World, population name: String?,
    skipsUnused: Bool
  ) throws(ScenarioError) -> [FitTarget] {
    guard !scenario.populations.isEmpty else {
      throw ScenarioError(line: 0, path: "populations", message: "a fit needs a scenario with populations")
    }
    // Default activities have no keys in the file, so that the popularity of their spaces stays.
    let hasActivities = !scenario.activities.isEmpty
    var scenario = scenario
    if !hasActivities { scenario.activities = Scenario.defaultActivities(in: world) }
    let plan = scenario
    let resolved = try ScenarioPlaces(plan, world: world)
    let usable = plan.populations.map { population in
      plan.activities.indices.filter { population.includes(plan.activities[$0]) }
    }
    func reached(by activity: Int) -> Set<Int> {
      Set(resolved.places[activity].values.joined().compactMap { world.destinations[$0].space })
    }
    let spaces = usable.map { activities in activities.reduce(into: Set<Int>()) { $0.formUnion(reached(by: $1)) } }
    let candidates: [Int]
    if let name {
      guard let index = plan.populations.firstIndex(where: { $0.name == name }) else {
        throw ScenarioError(
          line: 0, path: "populations",
          message:
            "no population '\(name)'; the scenario has \(plan.populations.map(\.name).joined(separator: ", "))")
      }
      candidates = [index]
    } else {
      candidates = Array(plan.populations.indices)
    }
    var owners: [Int: [Int]] = [:]
    for (index, item) in places.enumerated() {
      let able: [Int]
      switch item.place {
      case .building: able = candidates
      case .space(let space): able = candidates.filter { spaces[$0].contains(space) }
      }
      if able.isEmpty, skipsUnused { continue }
      guard let owner = able.first else {
        throw ScenarioError(
          line: 0, path: "populations",
          message: "no population has an activity in '\(item.name)'\(name.map { " ('\($0)' has none)" } ?? "")")
      }
      guard able.count == 1 else {
        let names = able.map { "'\(plan.populations[$0].name)'" }.joined(separator: " and ")
        throw ScenarioError(
          line: 0, path: "populations",
          message: "\(names) both use \(item.name.isEmpty ? "the building" : "'\(item.name)'"): "
            + "counts cannot separate them. Name the one to fit with --population")
      }
      owners[owner, default: []].append(index)
    }
    guard !owners.isEmpty else {
      throw ScenarioError(
        line: 0, path: "populations", message: "no population has an activity in any of the counted spaces")
    }
    return try owners.keys.sorted().map { population throws(ScenarioError) -> FitTarget in
      let rule = plan.populations[population]
      if case .shifts = rule.arrival { throw cannotFit(rule, "shifts") }
      if rule.appointments != nil { throw cannotFit(rule, "appointments") }
      let own = owners[population] ?? []
      let building = own.filter { places[$0].place == .building }
      let counted = own.compactMap { index -> (place: Int, space: Int)? in
        guard case .space(let space) = places[index].place else { return nil }
        return (index, space)
      }
      var choices: [Int: [(place: Int, space: Int)]] = [:]
      for activity in usable[population] {
        let members = counted.filter { reached(by: activity).contains($0.space) }
        if members.count > 1, hasActivities { choices[activity] = members }
      }
      let isWhole = !building.isEmpty || spaces[population].isSubset(of: Set(counted.map(\.space)))
      return FitTarget(
        population: population, places: building.isEmpty ? own : Array(building.prefix(1)), choices: choices,
        isWhole: isWhole)
    }
  }

  private static func cannotFit(_ population: Population, _ what: String) -> ScenarioError {
    ScenarioError(
      line: population.line, path: "populations",
      message:
        "the arrivals of '\(population.name)' are \(what), which a fit does not change; give a window, rates or hourly")
  }
}
