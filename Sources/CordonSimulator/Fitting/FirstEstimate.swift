import CordonCore

/// The values of one population during a fit: estimates from the measurements, which simulations then correct.
struct FirstEstimate {
  /// The current values.
  private(set) var values: FittedPopulation
  private let target: FitTarget
  private let kernel: PresenceKernel
  /// The mean number of people to reach, by day of the week and bin.
  private let wanted: [[Double]?]
  /// The total number of people of each place on training days, for the popularity of spaces.
  private let totals: [Int: Double]

  /// The rise of the number of people, as a share of the day's maximum, below which it counts as noise.
  private static let noise = 0.05
  /// Factors on the longest length of visits that the counts allow, among which the shape of the profile decides.
  private static let lengths = [1, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
  /// The maximum variation of rates between days.
  private static let maximumVariation = 3.0

  /// Estimates the values.
  init(
    _ target: FitTarget, _ scenario: Scenario, series: [MeasuredSeries], profiles: [DayProfiles], training: Set<Int>,
    binMinutes: Int, isWeek: Bool, notes: inout [String]
  ) {
    self.target = target
    let rule = scenario.populations[target.population]
    let total =
      DayProfiles.sum(target.places.map { profiles[$0].only(training) })
      ?? DayProfiles([DayProfiles.Profile](), binMinutes: binMinutes)
    let week = WeekProfile(total)
    wanted = isWeek ? week.people : [week.people[0]]
    let bin = Double(binMinutes) * 60
    let fallback = DurationRule(
      .logNormal(median: 3_600, spread: 0.4), minimum: .minutes(5), maximum: .hours(24))
    var visit: DurationRule?
    if !rule.steps.isEmpty || rule.leave != nil {
      notes.append(
        "the length of visits of '\(rule.name)' stays: \(rule.leave == nil ? "steps" : "'leave'") decides it")
    } else if !target.isWhole {
      notes.append("the length of visits of '\(rule.name)' stays: they also use spaces that were not counted")
    } else {
      visit = Self.visit(
        rule.visit ?? fallback, target, series: series, training: training, wanted: wanted, bin: bin)
      if visit == nil { notes.append("the length of visits of '\(rule.name)' stays: the counts have nobody") }
    }
    let kernel = PresenceKernel(visit: visit ?? rule.visit ?? fallback, bin: bin)
    self.kernel = kernel
    let arrivals = wanted.map { $0.map { kernel.arrivals(for: $0) } }
    let variation = Self.variation(total, week: week, arrivals: arrivals, kernel: kernel)
    var totals: [Int: Double] = [:]
    for index in profiles.indices {
      totals[index] = profiles[index].only(training).profiles.flatMap(\.people).reduce(0) { $0 + ($1 ?? 0) }
    }
    self.totals = totals
    values = FittedPopulation(
      population: target.population, arrivals: arrivals, visit: visit, variation: variation,
      popularity: target.choices.mapValues { members in
        Dictionary(members.map { ($0.space, 1.0) }, uniquingKeysWith: { first, _ in first })
      }, deviceShare: Self.deviceShare(target, series, training: training))
  }

  /// Corrects arrivals and popularity by the numbers that they lead to in a simulation.
  ///
  /// Days with the same goal are corrected together, by the mean over all of them: they keep the same arrivals, and the chances of
  /// single simulated days do not pass for differences between days of the week.
  mutating func correct(by outcome: FitSimulation.Outcome) {
    for day in wanted.indices {
      guard let goal = wanted[day], let arrivals = values.arrivals[day] else { continue }
      let alike = wanted.indices.filter { wanted[$0] == goal }
      if let first = alike.first, first < day {
        values.arrivals[day] = values.arrivals[first]
        continue
      }
      let made = target.places.reduce([Double](repeating: 0, count: goal.count)) { sum, place in
        alike.reduce(sum) { sum, day in
          zip(sum, outcome.mean(place, day)).map { $0 + $1 / Double(alike.count) }
        }
      }
      values.arrivals[day] = kernel.updated(arrivals, target: goal, predicted: made, limit: 2)
    }
    for activity in target.choices.keys.sorted() {
      let members = target.choices[activity] ?? []
      let made = members.map { outcome.people[$0.place].joined().reduce(0, +) }
      let wanted = members.map { totals[$0.place] ?? 0 }
      let (allMade, allWanted) = (made.reduce(0, +), wanted.reduce(0, +))
      guard allMade > 0, allWanted > 0 else { continue }
      var factors = zip(members.indices, members).map { index, member in
        let ratio = wanted[index] / allWanted / max(made[index] / allMade, 1e-4)
        return (values.popularity[activity]?[member.space] ?? 1) * min(max(ratio, 0.25), 4)
      }
      // Only ratios matter; the mean of the factors is 1.
      let mean = factors.reduce(0, +) / Double(factors.count)
      factors = factors.map { $0 / max(mean, 1e-9) }
      for (member, factor) in zip(members, factors) { values.popularity[activity]?[member.space] = factor }
    }
  }

  /// Returns the rule with the mean length that the measurements give; `nil` without people.
  ///
  /// With flows it is the time that people spend inside, divided by their number (Little's law). Without flows the rises
  /// of the counts give an upper bound; the longest length below it counts with which arrivals explain the profile nearly
  /// as well as with any other.
  private static func visit(
    _ rule: DurationRule, _ target: FitTarget, series: [MeasuredSeries], training: Set<Int>, wanted: [[Double]?],
    bin: Double
  ) -> DurationRule? {
    var (seconds, entries, flows) = (0.0, 0.0, 0.0)
    var hasFlows = true
    for place in target.places {
      for day in series[place].people where training.contains(day.day.number) {
        seconds += presence(day)
        let most = day.samples.map(\.people).max() ?? 0
        entries += day.rises(threshold: max(1, noise * most))
        if let counted = series[place].entries[day.day.number] { flows += counted } else { hasFlows = false }
      }
    }
    guard seconds > 0, entries > 0 else { return nil }
    let old = max(rule.mean, 1)
    func stretched(to length: Double) -> DurationRule {
      rule.scaled(by: min(max(length, 60), 57_600) / old).roundedForReading
    }
    if hasFlows, flows > 0 { return stretched(to: seconds / flows) }
    let longest = seconds / entries
    let candidates = lengths.map { stretched(to: longest * $0) }
    let errors = candidates.map { candidate -> Double in
      let kernel = PresenceKernel(visit: candidate, bin: bin)
      return wanted.compactMap(\.self).reduce(0) { sum, people in
        let made = kernel.presence(of: kernel.arrivals(for: people))
        return sum + zip(made, people).reduce(0) { $0 + abs($1.0 - $1.1) }
      }
    }
    let all = wanted.compactMap(\.self).joined().reduce(0, +)
    let limit = (errors.min() ?? 0) * 1.1 + 0.01 * all
    return candidates.indices.first { errors[$0] <= limit }.map { candidates[$0] }
  }

  /// Returns the person-seconds of a day: each number holds until the next one.
  private static func presence(_ day: CountSeries) -> Double {
    var sum = 0.0
    // The usual time between two numbers holds after the last one.
    let gaps = zip(day.samples, day.samples.dropFirst()).map { Double($1.second - $0.second) }.filter { $0 > 0 }
      .sorted()
    let usual = gaps.isEmpty ? 60 : gaps[gaps.count / 2]
    for (index, sample) in day.samples.enumerated() {
      let next = index + 1 < day.samples.count ? Double(day.samples[index + 1].second - sample.second) : usual
      sum += sample.people * min(next, max(usual, 3_600))
    }
    return sum
  }

  /// Returns the variation of rates that explains how much days differ from the prediction by the other days, beyond
  /// the randomness of single arrivals (method of moments).
  private static func variation(
    _ days: DayProfiles, week: WeekProfile, arrivals: [[Double]?], kernel: PresenceKernel
  ) -> Double {
    var (excess, spread) = (0.0, 0.0)
    let spreads = arrivals.map { $0.map(kernel.spread) }
    for index in days.profiles.indices {
      let day = days.profiles[index].day
      guard let squares = spreads[spreads.count > 1 ? day.weekday ?? 0 : 0] else { continue }
      for pair in WeekProfile.leftOut(days, index, strength: week.strength, smoothing: week.smoothing) {
        excess += (pair.predicted - pair.measured) * (pair.predicted - pair.measured) - pair.predicted
      }
      spread += squares.reduce(0, +)
    }
    guard spread > 0, excess > 0 else { return 0 }
    let value = min((excess / spread).squareRoot(), maximumVariation)
    return (value * 100).rounded() / 100
  }

  private static func deviceShare(_ target: FitTarget, _ series: [MeasuredSeries], training: Set<Int>) -> Double? {
    var (devices, people) = (0.0, 0.0)
    for place in target.places {
      for day in series[place].carried.keys.sorted() where training.contains(day) {
        devices += series[place].carried[day]?.devices ?? 0
        people += series[place].carried[day]?.people ?? 0
      }
    }
    guard people > 0 else { return nil }
    return (min(devices / people, 1) * 1_000).rounded() / 1_000
  }
}

extension DurationRule {
  /// The rule with durations of whole minutes, or of whole seconds below ten minutes.
  var roundedForReading: DurationRule {
    func rounded(_ seconds: Double) -> Double {
      seconds < 600 ? max(seconds.rounded(), 1) : (seconds / 60).rounded() * 60
    }
    func span(_ span: TimeSpan) -> TimeSpan { .milliseconds(Int64(rounded(span.seconds) * 1_000)) }
    var rule = self
    switch shape {
    case .uniform, .pareto: break
    case .logNormal(let median, let spread): rule.shape = .logNormal(median: rounded(median), spread: spread)
    case .exponential(let mean): rule.shape = .exponential(mean: rounded(mean))
    case .gamma(let mean, let shape): rule.shape = .gamma(mean: rounded(mean), shape: shape)
    }
    if minimum > .seconds(1) { rule.minimum = span(minimum) }
    if maximum < .hours(24) { rule.maximum = span(maximum) }
    return rule
  }
}
