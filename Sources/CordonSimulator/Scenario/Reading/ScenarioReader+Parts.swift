import CordonCore
import CordonCrowd
import CordonSupport
import CordonVenueTools
import CordonVenues
import CordonYAML

extension ScenarioReader {
  package func time(_ value: YAMLValue) throws -> (start: Instant, end: Instant, clock: ScenarioClock) {
    let fields = try value.fields(["start", "end", "duration", "zone"])
    let zone = try fields["zone"]?.text ?? "UTC"
    guard let clock = ScenarioClock(zone: zone) else {
      throw (fields["zone"] ?? value).fail("'\(zone)' is not a time zone; use a name such as Europe/Berlin")
    }
    let start = try moment(try fields.required("start"), clock)
    let end: Instant
    switch (fields["end"], fields["duration"]) {
    case (let last?, nil): end = try moment(last, clock)
    case (nil, let duration?): end = start + (try duration.span(in: .seconds(1)...ScenarioLimits.duration.upperBound))
    case (nil, nil): throw value.fail("needs 'end' or 'duration'")
    case (_?, let duration?): throw duration.fail("either 'end' or 'duration', not both")
    }
    guard end > start else { throw (fields["end"] ?? value).fail("ends before it starts") }
    guard end - start <= ScenarioLimits.duration.upperBound else {
      throw value.fail("must be at most 31d")
    }
    return (start, end, clock)
  }

  /// Reads a local time such as `2026-01-05T08:00`, or RFC 3339 with an offset.
  private func moment(_ value: YAMLValue, _ clock: ScenarioClock) throws -> Instant {
    let text = try value.text
    guard let instant = Self.localInstant(text, clock) else {
      throw value.fail("must be a date and time such as 2026-01-05T08:00, not '\(text)'")
    }
    return instant
  }

  /// Reads a local time such as `2026-01-05T08:00`, or RFC 3339 with an offset; returns `nil` for other texts.
  static func localInstant(_ text: String, _ clock: ScenarioClock) -> Instant? {
    if let instant = try? Instant(rfc3339: text) { return instant }
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    let date = parts[0].split(separator: "-").compactMap { Int($0) }
    guard parts.count <= 2, date.count == 3, let day = CalendarDay(year: date[0], month: date[1], day: date[2]),
      let time = parts.count == 2 ? ClockTime(String(parts[1])) : ClockTime(seconds: 0)
    else { return nil }
    return clock.instant(day, time)
  }

  package func venue(_ value: YAMLValue) throws -> Scenario.VenueSource {
    guard value.isMap else { return .file(try value.text) }
    let outer = try value.fields(["generate"])
    let fields = try outer.required("generate").fields(["kind", "floors", "area", "seed"])
    let kind = try fields.required("kind").choice(VenueGenerator.Kind.self)
    return .generated(
      kind, floors: try fields["floors"]?.whole(in: VenueGenerator.floorRange) ?? 2,
      area: try fields["area"]?.number(in: kind.areaRange),
      seed: UInt64(try fields["seed"]?.whole(in: 0...Int.max) ?? 1))
  }

  /// Reads groups of spaces: `{Outpatients: [names, kinds, patterns]}`, or `{Outpatients: {spaces: [...], capacity: 60}}`.
  func groups(_ value: YAMLValue) throws -> [SpaceGroup] {
    guard case .map(let entries) = value.node.content else {
      throw value.fail("must map names of groups to spaces, such as {Outpatients: [Clinic*, waiting-area]}")
    }
    return try entries.map { entry in
      guard !entry.key.isEmpty else { throw value.fail("a group needs a name") }
      let members = YAMLValue(node: entry.value, path: "\(value.path).\(entry.key)")
      let fields = members.isMap ? try members.fields(["spaces", "capacity"]) : nil
      let list = try fields?.required("spaces") ?? members
      let targets = try list.items.map { Policies.Target(name: try $0.text, line: $0.node.line) }
      guard !targets.isEmpty else { throw list.fail("names no space") }
      return SpaceGroup(
        name: entry.key, members: targets, capacity: try fields?["capacity"]?.whole(in: ScenarioLimits.people))
    }
  }

  func movement(_ value: YAMLValue) throws -> Scenario.Movement {
    let fields = try value.fields(["model", "step", "checks", "side", "wall_margin"])
    var movement = Scenario.Movement()
    movement.model = try fields["model"]?.choice(MovementChoice.self) ?? movement.model
    movement.step =
      try fields["step"]?.span(in: ScenarioLimits.movementStep).milliseconds ?? movement.step
    movement.lanes.side = try fields["side"]?.choice(LaneSettings.Side.self) ?? movement.lanes.side
    movement.lanes.wallMargin = try fields["wall_margin"]?.number(in: 0.2...1) ?? movement.lanes.wallMargin
    if let checks = fields["checks"] {
      guard try checks.text == "everyStep" else { throw checks.fail("must be everyStep, or left out") }
      movement.checksEveryStep = true
    }
    return movement
  }

  func contacts(_ value: YAMLValue, into scenario: inout Scenario) throws {
    let fields = try value.fields(["distance", "max_gap", "warning", "occupancy_bin"])
    scenario.contactDistance =
      try fields["distance"]?.number(in: ScenarioLimits.contactDistance) ?? scenario.contactDistance
    scenario.maximumGap = try fields["max_gap"]?.span(in: ScenarioLimits.maximumGap) ?? scenario.maximumGap
    scenario.warningThreshold =
      try fields["warning"]?.span(in: ScenarioLimits.warningThreshold) ?? scenario.warningThreshold
    scenario.occupancyBin =
      try fields["occupancy_bin"]?.span(in: ScenarioLimits.occupancyBin) ?? scenario.occupancyBin
  }

  func boundary(_ value: YAMLValue) throws -> BoundaryChoice {
    guard let choice = BoundaryChoice(name: try value.text) else {
      throw value.fail("must be buildings, floors, venue or spaces, not '\(try value.text)'")
    }
    return choice
  }

  func window(_ value: YAMLValue) throws -> ClockWindow {
    let items = value.items
    guard items.count == 2 else { throw value.fail("must be two times of day, such as [08:00, 12:30]") }
    let window = ClockWindow(from: try items[0].clock, to: try items[1].clock)
    guard window.from != window.to else { throw value.fail("begins and ends at the same time") }
    return window
  }

  /// Reads a window that does not extend past midnight.
  func dayWindow(_ value: YAMLValue) throws -> ClockWindow {
    let window = try window(value)
    guard window.from < window.to else {
      throw value.fail("ends (\(window.to)) before it begins (\(window.from)); write two windows to go past midnight")
    }
    return window
  }

  func windows(_ value: YAMLValue) throws -> [ClockWindow] {
    // The value is one window or a list of windows.
    if let first = value.items.first, case .scalar = first.node.content { return [try dayWindow(value)] }
    return try value.items.map(dayWindow)
  }

  package func duration(_ value: YAMLValue) throws -> DurationRule {
    let limits = TimeSpan.seconds(1)...ScenarioLimits.duration.upperBound
    guard value.isMap else { return .fixed(try value.span(in: limits)) }
    let fields = try value.fields(["distribution", "min", "max", "mean", "median", "spread", "shape", "exponent"])
    let minimum = try fields["min"]?.span(in: limits)
    let maximum = try fields["max"]?.span(in: limits)
    if let minimum, let maximum, minimum > maximum {
      throw value.fail("min (\(minimum)) is longer than max (\(maximum))")
    }
    func seconds(_ key: String) throws -> Double { try fields.required(key).span(in: limits).seconds }
    let shape: DurationRule.Shape
    var used: Set<String> = ["distribution", "min", "max"]
    switch try fields["distribution"]?.text ?? "uniform" {
    case "uniform":
      guard minimum != nil, maximum != nil else { throw value.fail("a uniform duration needs 'min' and 'max'") }
      shape = .uniform
    case "lognormal":
      shape = .logNormal(median: try seconds("median"), spread: try fields.required("spread").number(in: 0...3))
      used.formUnion(["median", "spread"])
    case "exponential":
      shape = .exponential(mean: try seconds("mean"))
      used.insert("mean")
    case "gamma":
      shape = .gamma(mean: try seconds("mean"), shape: try fields.required("shape").number(in: 0.1...100))
      used.formUnion(["mean", "shape"])
    case "pareto":
      guard minimum != nil, maximum != nil else { throw value.fail("a pareto duration needs 'min' and 'max'") }
      shape = .pareto(exponent: try fields.required("exponent").number(in: 1.01...10))
      used.insert("exponent")
    case let name:
      let names = ["uniform", "lognormal", "exponential", "gamma", "pareto"]
      throw try fields.required("distribution").fail(
        "'\(name)' is not one of \(names.joined(separator: ", "))\(Suggestion.hint(for: name, among: names))")
    }
    for key in ["mean", "median", "spread", "shape", "exponent"] where !used.contains(key) {
      if let unused = fields[key] { throw unused.fail("does not belong to this distribution") }
    }
    return DurationRule(shape, minimum: minimum ?? .seconds(1), maximum: maximum ?? .hours(24))
  }
}
