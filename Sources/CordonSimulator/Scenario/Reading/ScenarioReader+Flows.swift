import CordonCore
import CordonCrowd
import CordonSupport
import CordonYAML

extension ScenarioReader {
  // MARK: Servers

  /// Reads the servers, the order of service and the wait for a call of an activity.
  func service(_ fields: YAMLFields, into activity: inout Activity) throws {
    activity.isServed = try fields["served"]?.truth ?? (fields["servers"] != nil)
    if let servers = fields["servers"] {
      guard activity.isServed else { throw servers.fail("needs 'served: true', or no 'served'") }
      activity.servers = try self.servers(servers)
    }
    if let order = fields["order"] {
      guard activity.isServed else { throw order.fail("belongs to an activity with 'servers'") }
      activity.order = try order.choice(QueueingStation.Order.self)
    }
    guard let until = fields["until"] else { return }
    guard try until.text == "called" else {
      throw until.fail("must be 'called'\(Suggestion.hint(for: try until.text, among: ["called"]))")
    }
    activity.isUntilCalled = true
    for key in ["duration", "servers", "served", "own_place", "collective", "moves", "repeat"] {
      if let other = fields[key] { throw other.fail("cannot be combined with 'until: called'") }
    }
  }

  private func servers(_ value: YAMLValue) throws -> [ServerShift] {
    let range = 1...10_000
    if case .scalar("0", _) = value.node.content {
      throw value.fail("servers must be at least 1; without servers, leave the activity out")
    }
    if case .scalar = value.node.content { return [ServerShift(servers: try value.whole(in: range))] }
    let shifts = try value.items.map { item in
      let fields = try item.fields(["from", "to", "number"])
      let window = ClockWindow(from: try fields.required("from").clock, to: try fields.required("to").clock)
      guard window.from < window.to else {
        throw item.fail("ends (\(window.to)) before it begins (\(window.from)); write two shifts to go past midnight")
      }
      return ServerShift(window: window, servers: try fields["number"]?.whole(in: range) ?? 1)
    }
    guard !shifts.isEmpty else {
      throw value.fail("needs a number, or a list such as [{from: 08:00, to: 12:00, number: 2}]")
    }
    return shifts
  }

  // MARK: Steps

  /// Reads the steps of a population.
  func steps(_ value: YAMLValue, _ fields: YAMLFields, in scenario: Scenario) throws -> [VisitStep] {
    for key in ["visit", "leave", "activities"] {
      if let other = fields[key] {
        throw other.fail("cannot be combined with 'steps': people leave after the last step")
      }
    }
    if case .map = value.node.content { throw value.fail("must be a list of activities, in order") }
    let steps = try value.items.map { try step($0, in: scenario) }
    guard !steps.isEmpty else { throw value.fail("the list is empty; leave the key out for activities in any order") }
    let served = Set(scenario.activities.filter(\.isServed).map(\.name))
    let waits = Set(scenario.activities.filter(\.isUntilCalled).map(\.name))
    for pair in steps.followers where waits.contains(pair.first) {
      guard let next = pair.next, served.contains(next) else {
        throw value.fail(
          "people wait in '\(pair.first)' until they are called, so a step with 'servers' must follow it, not "
            + (pair.next.map { "'\($0)'" } ?? "the end of the visit"))
      }
    }
    return steps
  }

  private func step(_ value: YAMLValue, in scenario: Scenario) throws -> VisitStep {
    guard value.isMap else { return .activity(VisitStep.Activity(name: try stepName(value, in: scenario))) }
    let fields = try value.fields(["do", "probability", "optional", "one_of"])
    let probability = try fields["probability"]?.number(in: 0...1) ?? 1
    switch (fields["do"], fields["one_of"]) {
    case (let name?, nil):
      return .activity(
        VisitStep.Activity(
          name: try stepName(name, in: scenario), probability: probability,
          isOptional: try fields["optional"]?.truth ?? false))
    case (nil, let branches?):
      for key in ["probability", "optional"] {
        if let other = fields[key] { throw other.fail("belongs to the branches of 'one_of', not to the step") }
      }
      return .branches(try self.branches(branches, in: scenario))
    default: throw value.fail("needs exactly one of do, one_of")
    }
  }

  /// Reads the branches of a step. Branches without a probability share what the others leave.
  private func branches(_ value: YAMLValue, in scenario: Scenario) throws -> [VisitStep.Branch] {
    var given = 0.0
    let parts = try value.items.map { item -> (probability: Double?, steps: [VisitStep]) in
      let fields = try item.fields(["do", "steps", "probability", "optional"])
      let probability = try fields["probability"]?.number(in: 0...1)
      given += probability ?? 0
      switch (fields["do"], fields["steps"]) {
      case (let name?, nil):
        let isOptional = try fields["optional"]?.truth ?? false
        return (probability, [.activity(.init(name: try stepName(name, in: scenario), isOptional: isOptional))])
      case (nil, let steps?):
        if let other = fields["optional"] { throw other.fail("belongs to a step of the branch") }
        return (probability, try steps.items.map { try step($0, in: scenario) })
      default: throw item.fail("needs exactly one of do, steps")
      }
    }
    guard parts.count >= 1 else { throw value.fail("needs at least one branch") }
    guard given <= 1 + 1e-9 else { throw value.fail("the probabilities of the branches add up to more than 1") }
    let open = parts.count { $0.probability == nil }
    let share = open > 0 ? max(1 - given, 0) / Double(open) : 0
    return parts.map { VisitStep.Branch(probability: $0.probability ?? share, steps: $0.steps) }
  }

  private func stepName(_ value: YAMLValue, in scenario: Scenario) throws -> String {
    let name = try value.text
    guard let activity = scenario.activities.first(where: { $0.name == name }) else {
      let known = scenario.activities.map(\.name)
      throw value.fail("no activity '\(name)'\(Suggestion.hint(for: name, among: known))")
    }
    if activity.collective != nil { throw value.fail("'\(name)' is collective and cannot be a step") }
    if activity.moves != nil { throw value.fail("'\(name)' has 'moves' and cannot be a step") }
    return name
  }

  /// Rejects activities in which people wait for a call, where no order of activities says for what.
  func rejectCalls(in population: Population, _ list: YAMLValue?, of scenario: Scenario) throws {
    for (name, item) in zip(population.activities, list?.items ?? []) {
      guard scenario.activities.contains(where: { $0.name == name && $0.isUntilCalled }) else { continue }
      throw item.fail("in '\(name)' people wait until they are called, which needs 'steps'")
    }
  }
}
