import CordonCore
import CordonVenues

/// A value of a scenario that a fit changed.
package struct FitChange: Hashable, Sendable {
  /// The key: `populations[staff].visit`.
  package var key: String
  /// The value before, for readers.
  package var before: String
  /// The value after, for readers.
  package var after: String
  /// The change of the file; an empty value adds nothing.
  package var edit: ScenarioChange

  /// Returns the changes of one population, and of the activities that it chooses.
  static func list(
    _ values: FittedPopulation, from scenario: Scenario, binMinutes: Int, spaces: [PlanSpace]
  ) -> [FitChange] {
    let population = scenario.populations[values.population]
    let path = "populations[\(values.population)]"
    let name = "populations[\(population.name)]"
    var changes = [
      FitChange(
        key: "\(name).arrival", before: words(population), after: words(values),
        edit: ScenarioChange(path: "\(path).arrival", value: yaml(values, binMinutes: binMinutes))),
      FitChange(
        key: "\(name).arrival.variation", before: plain(population.variation), after: plain(values.variation),
        edit: ScenarioChange(path: "\(path).arrival.variation", value: plain(values.variation))),
    ]
    // `size` belongs to a window of arrival.
    if case .window(let size, _, _) = population.arrival {
      changes.append(
        FitChange(
          key: "\(name).size", before: "\(size)", after: "none: the rates decide",
          edit: ScenarioChange(path: "\(path).size", value: "null")))
    }
    if values.arrivals.count > 1, population.weekdays.count < 7 {
      changes.append(
        FitChange(
          key: "\(name).days",
          before: population.weekdays.sorted().map { ScenarioReader.dayNames[$0] }.joined(separator: ", "),
          after: "every day: the rates decide", edit: ScenarioChange(path: "\(path).days", value: "null")))
    }
    if let visit = values.visit {
      changes.append(
        FitChange(
          key: "\(name).visit", before: population.visit.map(\.yaml) ?? "typical of the venue", after: visit.yaml,
          edit: ScenarioChange(path: "\(path).visit", value: visit.yaml)))
    }
    if let share = values.deviceShare {
      changes.append(
        FitChange(
          key: "\(name).devices", before: plain(population.deviceShare), after: plain(share),
          edit: ScenarioChange(path: "\(path).devices", value: plain(share))))
    }
    for activity in values.popularity.keys.sorted() where scenario.activities[activity].line > 0 {
      let list = values.popularityList(activity, spaces)
      let old = scenario.activities[activity].popularity
      func text(_ list: [(space: String, factor: Double)]) -> String {
        list.map { "\($0.space) \(plain($0.factor))" }.joined(separator: ", ")
      }
      changes.append(
        FitChange(
          key: "activities[\(scenario.activities[activity].name)].popularity",
          before: old.isEmpty ? "1 for all" : text(old.map { ($0.target.name, $0.factor) }), after: text(list),
          edit: ScenarioChange(
            path: "activities[\(activity)].popularity",
            value: "{" + list.map { "\(YAMLText.quoted($0.space)): \(plain($0.factor))" }.joined(separator: ", ") + "}")
        ))
    }
    return changes
  }

  /// The arrivals of a population in words.
  private static func words(_ population: Population) -> String {
    switch population.arrival {
    case .window(let size, let window?, let shape):
      "\(size) people a day from \(window.from) to \(window.to)" + (shape == .uniform ? "" : " (\(shape.rawValue))")
    case .window(let size, nil, _): "\(size) people a day at any time"
    case .hourly(let rates): perDay(rates)
    case .counts(let counts): "\(plain(counts.reduce(0) { $0 + $1.people })) people from a table of counts"
    case .batches(let batches): "\(batches.reduce(0) { $0 + $1.size }) people a day in \(batches.count) batches"
    case .shifts(let shifts): "\(shifts.reduce(0) { $0 + $1.size }) people a day in shifts"
    }
  }

  private static func perDay(_ rates: [Population.Rate]) -> String {
    let totals = (0..<7).map { day in
      rates.filter { $0.weekdays.contains(day) }.reduce(0.0) { sum, rate in
        sum + rate.perHour * Double(rate.window.to.seconds - rate.window.from.seconds) / 3_600
      }
    }
    return perDay(totals)
  }

  private static func words(_ values: FittedPopulation) -> String {
    values.arrivals.count > 1
      ? perDay((0..<7).map { values.arrivals(on: $0) }) : "\(plain(values.arrivals(on: 0))) people a day by time of day"
  }

  private static func perDay(_ totals: [Double]) -> String {
    let numbers = totals.map(plain)
    return Set(numbers).count == 1
      ? "\(numbers[0]) people a day"
      : "people a day: " + zip(ScenarioReader.dayNames, numbers).map { "\($0) \($1)" }.joined(separator: ", ")
  }

  private static func yaml(_ values: FittedPopulation, binMinutes: Int) -> String {
    func day(_ day: Int) -> String {
      let steps = values.steps(on: day, binMinutes: binMinutes)
      return "{" + steps.map { "\($0.from): \(plain($0.perHour))" }.joined(separator: ", ") + "}"
    }
    let rates =
      values.arrivals.count > 1
      ? "{"
        + values.arrivals.indices.filter { !values.steps(on: $0, binMinutes: binMinutes).isEmpty }
        .map { "\(ScenarioReader.dayNames[$0]): \(day($0))" }.joined(separator: ", ") + "}" : day(0)
    return "{rates: \(rates)}"
  }

  private static func plain(_ value: Double) -> String {
    let rounded = FittedPopulation.rounded(value)
    return rounded == rounded.rounded() && rounded < 1e15 ? String(Int64(rounded)) : String(rounded)
  }
}

extension DurationRule {
  /// The rule as a scenario states it.
  var yaml: String {
    func seconds(_ value: Double) -> String { "\(TimeSpan.milliseconds(Int64((value * 1_000).rounded())))" }
    var parts: [String]
    switch shape {
    case .uniform:
      return minimum == maximum ? "\(minimum)" : "{min: \(minimum), max: \(maximum)}"
    case .logNormal(let median, let spread):
      parts = ["distribution: lognormal", "median: \(seconds(median))", "spread: \(spread)"]
    case .exponential(let mean): parts = ["distribution: exponential", "mean: \(seconds(mean))"]
    case .gamma(let mean, let shape): parts = ["distribution: gamma", "mean: \(seconds(mean))", "shape: \(shape)"]
    case .pareto(let exponent):
      return "{distribution: pareto, exponent: \(exponent), min: \(minimum), max: \(maximum)}"
    }
    if minimum > .seconds(1) { parts.append("min: \(minimum)") }
    if maximum < .hours(24) { parts.append("max: \(maximum)") }
    return "{\(parts.joined(separator: ", "))}"
  }
}
