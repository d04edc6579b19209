import CordonCore
import CordonCrowd
import CordonSupport
import CordonYAML

extension ScenarioReader {
  private static let evacuationKeys = [
    "at", "load", "alarm_delay", "pre_movement", "familiar", "close", "lose", "smoke", "follow", "elevators",
    "mobility",
    "groups", "reunite", "reconsider", "exit_flow", "limit",
  ]

  /// Reads the evacuation of a scenario, see docs/reference/evacuation.md.
  func evacuation(_ value: YAMLValue, in scenario: Scenario) throws -> Evacuation {
    let fields = try value.fields(Self.evacuationKeys)
    var evacuation = Evacuation()
    evacuation.line = (fields["at"] ?? fields["load"] ?? value).node.line
    switch (fields["at"], fields["load"]) {
    case (let at?, nil): evacuation.occupants = .day(at: try at.clock)
    case (nil, let load?): evacuation.occupants = try self.load(load)
    case (nil, nil): evacuation.occupants = nil
    case (_?, let load?): throw load.fail("either 'at' or 'load', not both")
    }
    if let delay = fields["alarm_delay"] { evacuation.alarmDelay = try self.delay(delay) }
    if let times = fields["pre_movement"] { evacuation.preMovement = try preMovement(times, in: scenario) }
    evacuation.familiarShare = try fields["familiar"]?.number(in: 0...1) ?? evacuation.familiarShare
    if let close = fields["close"] { try self.close(close, into: &evacuation) }
    if let losses = fields["lose"] { evacuation.losses = try self.losses(losses) }
    if let smoke = fields["smoke"] { evacuation.smoke = try self.smoke(smoke) }
    evacuation.followingShare = try fields["follow"]?.number(in: 0...1) ?? evacuation.followingShare
    if let elevators = fields["elevators"] { evacuation.usesElevators = try elevators.truth }
    if let mobility = fields["mobility"] {
      evacuation.mobility = try mobility.items.map { try self.mobility($0, in: scenario) }
      let names = evacuation.mobility.map(\.name)
      for (index, name) in names.enumerated() where names[..<index].contains(name) {
        throw mobility.items[index].fail("the name '\(name)' is used twice")
      }
    }
    if let groups = fields["groups"] {
      let parts = try groups.fields(["share", "size"])
      evacuation.groupShare = try parts.required("share").number(in: 0...1)
      if let size = parts["size"] { evacuation.groupSize = try groupSize(size) }
    }
    if let reunite = fields["reunite"] { evacuation.reunites = try reunite.truth }
    if let span = fields["reconsider"] { evacuation.reconsideration = try span.span(in: .zero...TimeSpan.minutes(10)) }
    evacuation.exitFlow = try fields["exit_flow"]?.number(in: 0.1...10) ?? evacuation.exitFlow
    if let limit = fields["limit"] { evacuation.limit = try limit.span(in: .seconds(10)...TimeSpan.days(1)) }
    return evacuation
  }

  /// Reads `occupant`, a share such as `50%`, a number of people, or a list of spaces.
  private func load(_ value: YAMLValue) throws -> Evacuation.Occupants {
    guard value.isMap else {
      guard let occupants = Evacuation.Occupants(load: try value.text) else {
        throw value.fail("must be \(Evacuation.Occupants.loadForms), or {space: people}, not '\(try value.text)'")
      }
      return occupants
    }
    guard case .map(let entries) = value.node.content, !entries.isEmpty else { throw value.fail("names no space") }
    return .spaces(
      try entries.map { entry in
        let people = YAMLValue(node: entry.value, path: "\(value.path).\(entry.key)")
        return Evacuation.SpaceLoad(
          target: Policies.Target(name: entry.key, line: entry.line), people: try people.whole(in: 0...1_000_000))
      })
  }

  /// Reads a delay in one line, or a distribution as of a duration.
  private func delay(_ value: YAMLValue) throws -> DurationRule {
    if value.isMap { return try duration(value) }
    guard let rule = DurationRule(delay: try value.text) else {
      throw value.fail("must be \(DurationRule.delayForms), not '\(try value.text)'")
    }
    return rule
  }

  /// Reads one delay for all people, or delays by population; `default` stands for the others.
  private func preMovement(_ value: YAMLValue, in scenario: Scenario) throws -> [Evacuation.PreMovement] {
    guard case .map(let entries) = value.node.content, !entries.contains(where: { $0.key == "distribution" }),
      !entries.contains(where: { $0.key == "min" })
    else { return [Evacuation.PreMovement(population: nil, delay: try delay(value))] }
    return try entries.map { entry in
      let item = YAMLValue(node: entry.value, path: "\(value.path).\(entry.key)")
      if entry.key != "default" { try check(population: entry.key, of: item, in: scenario) }
      return Evacuation.PreMovement(
        population: entry.key == "default" ? nil : entry.key, delay: try delay(item))
    }
  }

  private func check(population name: String, of value: YAMLValue, in scenario: Scenario) throws {
    let names = scenario.populations.map(\.name)
    guard names.contains(name) else {
      throw value.fail("no population '\(name)'\(Suggestion.hint(for: name, among: names + ["default"]))")
    }
  }

  private func close(_ value: YAMLValue, into evacuation: inout Evacuation) throws {
    let fields = try value.fields(["exits", "doors", "connections", "spaces"])
    func targets(_ key: String) throws -> [Policies.Target] {
      try (fields[key]?.items ?? []).map { Policies.Target(name: try $0.text, line: $0.node.line) }
    }
    evacuation.closedExits = try targets("exits")
    evacuation.closedOpenings = try targets("doors")
    evacuation.closedConnections = try targets("connections")
    evacuation.closedSpaces = try targets("spaces")
  }

  /// Reads exits and the times after which they are lost: `{North door: 2m}`.
  private func losses(_ value: YAMLValue) throws -> [Evacuation.Loss] {
    guard case .map(let entries) = value.node.content else {
      throw value.fail("must map exits to times after the start, such as {North door: 2m}")
    }
    return try entries.map { entry in
      let after = YAMLValue(node: entry.value, path: "\(value.path).\(entry.key)")
      return Evacuation.Loss(
        exit: Policies.Target(name: entry.key, line: entry.line), after: try after.span(in: .zero...TimeSpan.days(1)))
    }
  }

  /// Reads the smoke of spaces: `{Corridor: 1.5}`, or `{Corridor: {extinction: 1.5, dose: 0.2}}`.
  private func smoke(_ value: YAMLValue) throws -> [Evacuation.SmokeRule] {
    guard case .map(let entries) = value.node.content else {
      throw value.fail("must map spaces to extinction coefficients per metre, such as {Corridor: 1.5}")
    }
    return try entries.map { entry in
      let item = YAMLValue(node: entry.value, path: "\(value.path).\(entry.key)")
      var smoke = Smoke(extinction: 0)
      if item.isMap {
        let fields = try item.fields(["extinction", "dose"])
        smoke.extinction = try fields["extinction"]?.number(in: 0...100) ?? 0
        smoke.dosePerMinute = try fields["dose"]?.number(in: 0...1_000) ?? 0
      } else {
        smoke.extinction = try item.number(in: 0...100)
      }
      return Evacuation.SmokeRule(target: Policies.Target(name: entry.key, line: entry.line), smoke: smoke)
    }
  }

  private func mobility(_ value: YAMLValue, in scenario: Scenario) throws -> Evacuation.Mobility {
    let fields = try value.fields(["name", "share", "populations", "speed", "stairs"])
    let stairs = fields["stairs"]
    let populations = fields["populations"]
    for item in populations?.items ?? [] { try check(population: try item.text, of: item, in: scenario) }
    return Evacuation.Mobility(
      name: try fields.required("name").text, share: try fields.required("share").number(in: 0...1),
      populations: try populations?.texts ?? [], speed: try fields["speed"]?.number(in: 0.05...2) ?? 1,
      stairs: try stairs.map { try $0.text == "none" ? 0 : $0.number(in: 0.05...2) } ?? 1)
  }

  private func groupSize(_ value: YAMLValue) throws -> ClosedRange<Int> {
    let items = value.items
    guard items.count == 2 else {
      let size = try value.whole(in: 2...50)
      return size...size
    }
    let (low, high) = (try items[0].whole(in: 2...50), try items[1].whole(in: 2...50))
    guard low <= high else { throw value.fail("the minimum is larger than the maximum") }
    return low...high
  }
}

extension Evacuation.Occupants {
  /// The forms of a load in one word, for messages.
  package static let loadForms = "occupant, a share of it such as 50%, or a number of people"

  /// Reads `occupant`, `50%` or `300`; `nil` for other texts, and for numbers out of range.
  package init?(load text: String) {
    if text == "occupant" {
      self = .occupantLoad(share: 1)
    } else if text.hasSuffix("%"), let percent = Double(text.dropLast()), percent > 0, percent <= 500 {
      self = .occupantLoad(share: percent / 100)
    } else if let people = Int(text), ScenarioLimits.people.contains(people) {
      self = .people(people)
    } else {
      return nil
    }
  }
}
