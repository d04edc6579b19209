import CordonCore
import CordonCrowd
package import CordonVenues

extension ScenarioFit {
  /// Fits a scenario.
  /// - Parameters:
  ///   - scenario: the scenario.
  ///   - venue: the venue.
  ///   - measured: the measured tables, with days of the same kind.
  ///   - mapping: the space that a name in the tables means; `*` is the whole building.
  ///   - options: the choices of the fit.
  ///   - progress: receives the number of finished simulations, and of all.
  ///   - isInterrupted: whether to stop early.
  /// - Throws: ``ScenarioError``, or `VenueError`.
  package init(
    _ scenario: Scenario, venue: Venue, measured: [MeasuredTable], mapping: [String: String] = [:],
    options: Options = Options(), progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
    isInterrupted: () -> Bool = { false }
  ) throws {
    let world = try scenario.world(try scenario.venue(underPolicies: venue))
    let named = try MeasuredNames.resolved(measured, mapping: mapping, world: world)
    let targets = try FitTarget.list(
      named, scenario, world: world, population: options.population,
      skipsUnused: measured.contains(where: \.isSparse) || options.population != nil)
    let days = try Self.days(of: measured)
    let heldOut = options.holdOut.days(of: days)
    let training = Set(days.map(\.number)).subtracting(heldOut)
    guard !training.isEmpty else {
      throw ScenarioError(line: 0, path: "--hold-out", message: "no day is left for the fit")
    }
    let owner = Self.owners(targets, places: named.count)
    let series = named.enumerated().map { index, item in
      let share = scenario.policies.deviceShare ?? owner[index].map { scenario.populations[$0].deviceShare } ?? 1
      return MeasuredSeries(measured, place: item.name, days: days, deviceShare: share)
    }
    let profiles = series.map { DayProfiles(counting: $0.people, binMinutes: options.binMinutes) }
    let isWeek = days.contains { $0.weekday != nil }
    var simulation = FitSimulation(
      world: world, places: named.map(\.place), binMinutes: options.binMinutes, isWeek: isWeek)
    var notes: [String] = []
    let total = options.corrections * Self.repetitions + 2 * options.replicas
    var done = 0
    func step(_ count: Int) {
      done += count
      progress(done, total)
    }

    // First estimates from the measurements alone.
    var fitted = targets.map { target in
      FirstEstimate(
        target, scenario, series: series, profiles: profiles, training: training, binMinutes: options.binMinutes,
        isWeek: isWeek, notes: &notes)
    }
    // Corrections by simulation with the same random numbers. The variation of rates between days does not change their mean, so
    // that the corrections leave it out and see less chance.
    for _ in 0..<options.corrections where !isInterrupted() {
      var current = Self.applied(fitted.map(\.values), to: scenario, world, options)
      for target in targets { current.populations[target.population].variation = 0 }
      let outcome = try simulation.outcome(
        of: current, repetitions: 0..<UInt32(Self.repetitions), isInterrupted: isInterrupted)
      guard !isInterrupted() else { break }
      for index in fitted.indices { fitted[index].correct(by: outcome) }
      step(Self.repetitions)
    }
    let values = fitted.map(\.values)
    self.scenario = Self.applied(values, to: scenario, world, options)
    changes = values.flatMap { value in
      FitChange.list(value, from: scenario, binMinutes: options.binMinutes, spaces: world.plan.spaces)
    }
    self.notes = notes
    trainingDays = days.filter { training.contains($0.number) }
    heldOutDays = days.filter { heldOut.contains($0.number) }
    places = []
    guard !heldOutDays.isEmpty, !isInterrupted() else {
      isPartial = isInterrupted()
      return
    }
    // Predictions use other repetitions than the corrections.
    let numbers = 1_000..<UInt32(1_000 + options.replicas)
    let after = try simulation.outcome(of: self.scenario, repetitions: numbers, isInterrupted: isInterrupted)
    step(options.replicas)
    let before = try simulation.outcome(of: scenario, repetitions: numbers, isInterrupted: isInterrupted)
    step(options.replicas)
    guard !isInterrupted() else {
      isPartial = true
      return
    }
    places = named.indices.filter { owner[$0] != nil }.map { index in
      Self.place(
        index, named: MeasuredNames.title(named[index], in: world), profiles[index], training: training,
        heldOut: heldOut, fitted: after, unfitted: before,
        arrivals: values.first { $0.population == owner[index] }?.arrivals ?? [])
    }
  }

  /// The number of repetitions of a correction.
  private static let repetitions = 12

  /// Returns the days of all tables.
  private static func days(of tables: [MeasuredTable]) throws(ScenarioError) -> [MeasuredTable.Day] {
    var days: [Int: MeasuredTable.Day] = [:]
    for day in tables.lazy.flatMap(\.days) {
      var known = days[day.number] ?? day
      known.weekday = known.weekday ?? day.weekday
      days[day.number] = known
    }
    let all = days.keys.sorted().compactMap { days[$0] }
    // Days since 1970 are in the thousands from 1973 on.
    guard Set(all.map { $0.label.hasPrefix("day ") }).count <= 1 else {
      throw ScenarioError(
        line: 0, path: "--measured",
        message: "one file has dates and another has numbers of days; they cannot be joined")
    }
    return all
  }

  private static func owners(_ targets: [FitTarget], places: Int) -> [Int?] {
    var owners = [Int?](repeating: nil, count: places)
    for target in targets {
      for place in target.places { owners[place] = target.population }
      for place in target.choices.values.joined() { owners[place.place] = target.population }
    }
    return owners
  }

  private static func applied(
    _ values: [FittedPopulation], to scenario: Scenario, _ world: World, _ options: Options
  ) -> Scenario {
    values.reduce(scenario) { $1.applied(to: $0, binMinutes: options.binMinutes, spaces: world.plan.spaces) }
  }

  private static func place(
    _ index: Int, named name: String, _ profiles: DayProfiles, training: Set<Int>, heldOut: Set<Int>,
    fitted: FitSimulation.Outcome, unfitted: FitSimulation.Outcome, arrivals: [[Double]?]
  ) -> Place {
    let (used, predicted) = (profiles.only(training), profiles.only(heldOut))
    let bins = profiles.bins
    func mean(_ profiles: [DayProfiles.Profile]) -> [Double] {
      (0..<bins).map { bin in
        let values = profiles.compactMap { $0.people[bin] }
        return values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
      }
    }
    // Days of the week with the same arrivals have the same distribution: the repetitions of all of them count.
    func alike(_ weekday: Int?, _ spread: ForecastSpread?) -> [Int?] {
      guard let weekday, spread != nil, arrivals.indices.contains(weekday) else { return [weekday] }
      return arrivals.indices.filter { arrivals[$0] == arrivals[weekday] }
    }
    func prediction(
      _ outcome: FitSimulation.Outcome, _ day: MeasuredTable.Day, _ bin: Int, _ spread: ForecastSpread?
    ) -> Prediction {
      let sample = Sample(alike(day.weekday, spread).flatMap { outcome.values(index, $0, bin) })
      let mean = sample.mean
      let errors = spread?.interval(weekday: day.weekday, bin: bin) ?? 0...0
      return Prediction(
        mean: mean, low: max(min(sample.quantile(0.05), mean + errors.lowerBound), 0),
        high: max(sample.quantile(0.95), mean + errors.upperBound))
    }
    func quality(_ name: String, _ outcome: FitSimulation.Outcome, _ spread: ForecastSpread?) -> ForecastQuality {
      ForecastQuality(name, of: predicted) { day, bin in
        let value = prediction(outcome, day, bin, spread)
        return (value.mean, value.low...value.high)
      }
    }
    let week = WeekProfile(used)
    let spread = ForecastSpread(used, strength: week.strength, smoothing: week.smoothing)
    let average = mean(used.profiles)
    let kinds = (0...1).map { kind in
      let own = used.profiles.filter { WeekProfile.kind($0.day.weekday) == kind }
      return own.isEmpty ? average : mean(own)
    }
    var qualities = [
      quality("fitted scenario", fitted, spread),
      ForecastQuality("average of the training days", of: predicted) { _, bin in (average[bin], nil) },
      quality("unfitted scenario", unfitted, nil),
    ]
    if used.profiles.contains(where: { $0.day.weekday != nil }) {
      qualities.append(
        ForecastQuality("average of working days or weekends", of: predicted) { day, bin in
          (kinds[WeekProfile.kind(day.weekday)][bin], nil)
        })
    }
    return Place(
      name: name, qualities: qualities, measured: predicted,
      predicted: predicted.profiles.map { profile in (0..<bins).map { prediction(fitted, profile.day, $0, spread) } },
      average: average)
  }
}
