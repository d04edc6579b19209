import CordonCore
import CordonCrowd
import CordonRun
import CordonVenues

extension EvacuationStudy {
  /// The rules and assumptions for readers.
  var parameters: [EvacuationReport.Parameter] {
    typealias Parameter = EvacuationReport.Parameter
    let rules = evacuation
    var list = [
      Parameter("People", people), Parameter("Alarm", Self.text(rules.alarmDelay) + " after the start"),
    ]
    let named = rules.preMovement.map { ($0.population ?? "others", Self.text($0.delay)) }
    list += named.map { Parameter("Pre-movement time, \($0.0)", $0.1) }
    if !rules.preMovement.contains(where: { $0.population == nil }) {
      let preset = world.profile.preMovement
      list.append(
        Parameter(
          named.isEmpty ? "Pre-movement time" : "Pre-movement time, others",
          "\(Self.text(preset.delay)) (\(preset.rawValue), assumed for this kind of venue)"))
    }
    list += [
      Parameter("Exits", "least expected time; people see queues on their floor that no wall hides"),
      Parameter(
        "Comparison of exits",
        rules.reconsideration > .zero ? "every \(rules.reconsideration) while walking" : "once, at the start"),
      Parameter("Only the entrance by which they came", "\(percent(rules.familiarShare)) of the people"),
      Parameter("Flow through exits", "at most \(rules.exitFlow) people per second and metre of width"),
      Parameter("Elevators", rules.usesElevators ? "in service" : "out of service"),
    ]
    let closed = rules.closedExits + rules.closedOpenings + rules.closedConnections + rules.closedSpaces
    if !closed.isEmpty { list.append(Parameter("Closed", closed.map(\.name).joined(separator: ", "))) }
    list += rules.losses.map { Parameter("Lost exit", "\($0.exit.name) after \($0.after)") }
    list += rules.smoke.map { rule in
      let dose = rule.smoke.dosePerMinute
      return Parameter(
        "Smoke, \(rule.target.name)",
        "extinction \(PairedDifference.plain(rule.smoke.extinction)) per metre: \(percent((rule.smoke.pace * 100).rounded() / 100)) of the speed"
          + (dose > 0 ? "; \(PairedDifference.plain(dose)) of the dose at which people cannot move, each minute" : ""))
    }
    if rules.followingShare > 0 {
      list.append(
        Parameter(
          "Following others", "\(percent(rules.followingShare)) of the people take the exit of most people around them")
      )
    }
    list += rules.mobility.map { item in
      let stairs =
        item.stairs > 0 ? "\(percent(item.stairs)) of that on stairs" : "cannot use stairs"
      return Parameter(
        "Mobility, \(item.name)", "\(percent(item.share)) of the people; \(percent(item.speed)) of the speed, \(stairs)"
      )
    }
    list.append(Parameter("Groups", rules.reunites ? "meet before they leave" : "people leave one by one"))
    list.append(
      Parameter("Movement model", "\(scenario.movement.model.rawValue), steps of \(scenario.movement.step) ms"))
    return list
  }

  private var people: String {
    switch evacuation.occupants {
    case .day(let time): "where they are at \(time) (\(scenario.clock.text(of: start)))"
    case .occupantLoad(let share): "\(percent(share)) of the occupant load of every space"
    case .people(let count): "\(count), spread in proportion to the occupant loads"
    case .spaces(let list): list.map { "\($0.people) in \($0.target.name)" }.joined(separator: ", ")
    case nil: "the occupant load of every space"
    }
  }

  private func percent(_ share: Double) -> String { "\(PairedDifference.plain(share * 100)) %" }

  /// Returns a distribution in words.
  static func text(_ rule: DurationRule) -> String {
    func seconds(_ value: Double) -> String { "\(PairedDifference.plain(value)) s" }
    switch rule.shape {
    case .uniform:
      return rule.minimum == rule.maximum
        ? "\(rule.minimum)" : "uniform from \(rule.minimum) to \(rule.maximum)"
    case .logNormal(let median, let spread):
      return "log-normal, median \(seconds(median)), spread \(PairedDifference.plain(spread))"
    case .exponential(let mean): return "exponential, mean \(seconds(mean))"
    case .gamma(let mean, let shape): return "gamma, mean \(seconds(mean)), shape \(PairedDifference.plain(shape))"
    case .pareto(let exponent): return "Pareto from \(rule.minimum), exponent \(PairedDifference.plain(exponent))"
    }
  }
}
