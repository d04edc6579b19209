import CordonCore
import CordonSupport
import CordonVenues
import CordonYAML

extension ScenarioReader {
  func population(_ value: YAMLValue, in scenario: Scenario) throws -> Population {
    let fields = try value.fields([
      "name", "size", "arrival", "days", "visit", "leave", "entrances", "speed", "devices", "groups", "activities",
      "steps", "companions",
    ])
    let name = try fields.required("name").text
    var population = Population(name: name, arrival: try arrival(fields, in: scenario))
    population.line = value.node.line
    if let days = fields["days"] { population.weekdays = try weekdays(days) }
    population.visit = try fields["visit"].map(duration)
    population.leave = try fields["leave"].map(dayWindow)
    if case .window(_, let window?, _) = population.arrival, let leave = population.leave, leave.to <= window.from {
      throw try fields.required("leave").fail(
        "people leave (\(leave.to)) before they arrive (\(window.from))")
    }
    if case .shifts = population.arrival, let other = fields["leave"] ?? fields["visit"] {
      throw other.fail("cannot be combined with shifts: people leave when their shift ends")
    }
    for key in ["entrances", "activities"] {
      if let list = fields[key], try list.texts.isEmpty {
        throw list.fail("the list is empty; leave the key out for all")
      }
    }
    population.entrances = try fields["entrances"]?.texts ?? []
    if let speed = fields["speed"] { population.speed = try self.speed(speed) }
    population.deviceShare = try fields["devices"]?.number(in: 0...1) ?? 1
    if let groups = fields["groups"] {
      let inner = try groups.fields(["share", "size", "beside"])
      population.groupShare = try inner.required("share").number(in: 0...1)
      population.besideShare = try inner["beside"]?.number(in: 0...1) ?? 1
      if let size = inner["size"] {
        let bounds = try size.items.map { try $0.whole(in: 2...12) }
        guard let minimum = bounds.first, let maximum = bounds.last, bounds.count <= 2, minimum <= maximum else {
          throw size.fail("must be one size or two, such as [2, 4]")
        }
        population.groupSize = minimum...maximum
      }
    }
    population.activities = try fields["activities"]?.texts ?? []
    if let steps = fields["steps"] { population.steps = try self.steps(steps, fields, in: scenario) }
    if let companions = fields["companions"] { population.companions = try self.companions(companions) }
    if let arrival = fields["arrival"] {
      population.variation =
        try arrival.fields(Self.arrivalKinds + Self.arrivalDetails)["variation"]?.number(in: 0...5) ?? 0
      population.appointments = try appointments(
        try arrival.fields(Self.arrivalKinds + Self.arrivalDetails), steps: population.steps,
        clock: scenario.clock)
    }
    try rejectCalls(in: population, fields["activities"], of: scenario)
    let known = scenario.activities.map(\.name)
    for (name, item) in zip(population.activities, fields["activities"]?.items ?? []) where !known.contains(name) {
      throw item.fail("no activity '\(name)'\(Suggestion.hint(for: name, among: known))")
    }
    return population
  }

  private static let arrivalKinds = ["window", "hourly", "rates", "counts", "batches", "shifts", "appointments"]
  private static let arrivalDetails = ["shape", "early", "no_shows", "variation"]

  private func arrival(_ fields: YAMLFields, in scenario: Scenario) throws -> Population.Arrival {
    let size = try fields["size"]?.whole(in: ScenarioLimits.people)
    guard let value = fields["arrival"] else {
      guard let size else { throw fields.value.fail("needs 'size' or 'arrival'") }
      return .window(size: size, nil, .uniform)
    }
    let kinds = Self.arrivalKinds
    let inner = try value.fields(kinds + Self.arrivalDetails)
    let given = kinds.filter { inner[$0] != nil }
    guard given.count == 1, let key = given.first else {
      throw value.fail("needs exactly one of \(kinds.joined(separator: ", "))")
    }
    if key != "window", size != nil { throw try fields.required("size").fail("needs a window of arrival") }
    if key != "window", let shape = inner["shape"] { throw shape.fail("needs a window of arrival") }
    if key != "hourly", key != "rates", let variation = inner["variation"] {
      throw variation.fail("needs hourly arrivals or rates")
    }
    let rule = try inner.required(key)
    switch key {
    case "window":
      guard let size else { throw fields.value.fail("needs 'size'") }
      return .window(size: size, try dayWindow(rule), try inner["shape"]?.choice(Population.Shape.self) ?? .uniform)
    case "hourly": return .hourly(try hourly(rule))
    case "rates": return .hourly(try rates(rule))
    case "counts": return .counts(try counts(rule, scenario))
    // The appointments are read apart.
    case "appointments": return .batches([])
    case "batches":
      return .batches(
        try rule.items.map { item in
          let fields = try item.fields(["at", "size", "spread"])
          return Population.Batch(
            at: try fields.required("at").clock,
            size: try fields.required("size").whole(in: ScenarioLimits.people),
            spread: try fields["spread"]?.span(in: .zero...(.hours(6))) ?? .minutes(2))
        })
    default:
      return .shifts(
        try rule.items.map { item in
          let fields = try item.fields(["from", "to", "size", "spread"])
          let window = ClockWindow(from: try fields.required("from").clock, to: try fields.required("to").clock)
          guard window.from != window.to else { throw item.fail("begins and ends at the same time") }
          return Population.Shift(
            window: window, size: try fields.required("size").whole(in: ScenarioLimits.people),
            spread: try fields["spread"]?.span(in: .zero...(.hours(6))) ?? .minutes(15))
        })
    }
  }

  /// Reads people per hour by the hour of the day, such as `{8: 120, 9: 300}`.
  private func hourly(_ value: YAMLValue) throws -> [Population.Rate] {
    guard case .map(let entries) = value.node.content, !entries.isEmpty else {
      throw value.fail("must give people an hour by hour of the day, such as {8: 120, 9: 300}")
    }
    var total = 0.0
    let rates = try entries.map { entry in
      guard let hour = Int(entry.key), (0...23).contains(hour) else {
        throw ScenarioError(
          line: entry.line, path: "\(value.path).\(entry.key)", message: "must be an hour of the day, 0 to 23")
      }
      let rate = try YAMLValue(node: entry.value, path: "\(value.path).\(entry.key)").number(in: 0...1e6)
      total += rate
      return Population.Rate(
        window: ClockWindow(from: ClockTime(seconds: hour * 3_600), to: ClockTime(seconds: hour * 3_600 + 3_600)),
        perHour: rate)
    }
    guard total > 0 else { throw value.fail("no person ever arrives") }
    return rates.sorted { $0.window.from < $1.window.from }
  }

  private func speed(_ value: YAMLValue) throws -> Population.SpeedRule {
    let fields = try value.fields(["mean", "sd", "min", "max"])
    var rule = Population.SpeedRule()
    rule.mean = try fields["mean"]?.number(in: 0.1...3) ?? rule.mean
    rule.deviation = try fields["sd"]?.number(in: 0...2) ?? rule.deviation
    rule.minimum = try fields["min"]?.number(in: 0.1...3) ?? min(rule.minimum, rule.mean)
    rule.maximum = try fields["max"]?.number(in: 0.1...3) ?? max(rule.maximum, rule.mean)
    guard rule.minimum <= rule.maximum else { throw value.fail("min is above max") }
    guard (rule.minimum...rule.maximum).contains(rule.mean) else { throw value.fail("mean is not between min and max") }
    return rule
  }

  private func weekdays(_ value: YAMLValue) throws -> Set<Int> {
    let names = ScenarioReader.dayNames
    var days: Set<Int> = []
    for item in value.items {
      let text = try item.text
      guard let day = names.firstIndex(of: text.lowercased()) else {
        throw item.fail("'\(text)' is not one of \(names.joined(separator: ", "))")
      }
      days.insert(day)
    }
    guard !days.isEmpty else { throw value.fail("names no day") }
    return days
  }

  func activity(_ value: YAMLValue) throws -> Activity {
    let fields = try value.fields([
      "name", "kinds", "spaces", "between", "duration", "repeat", "weight", "own_place", "collective", "company",
      "served", "servers", "order", "until", "moves", "desks", "popularity",
    ])
    let name = try fields.required("name").text
    var activity = Activity(
      name: name,
      duration: fields["until"] == nil ? try duration(try fields.required("duration")) : .fixed(.minutes(10)))
    activity.line = value.node.line
    activity.kinds = try (fields["kinds"]?.items ?? []).map { try $0.choice(SpaceKind.self) }
    activity.spaces = try fields["spaces"]?.texts ?? []
    guard !activity.kinds.isEmpty || !activity.spaces.isEmpty else { throw value.fail("needs 'kinds' or 'spaces'") }
    if let between = fields["between"] { activity.windows = try windows(between) }
    if let times = fields["repeat"] {
      if times.isMap {
        let inner = try times.fields(["min", "max"])
        activity.minimum = try inner["min"]?.whole(in: 0...1_000) ?? 0
        activity.maximum = try inner["max"]?.whole(in: 0...1_000)
        if let maximum = activity.maximum, maximum < activity.minimum { throw times.fail("min is above max") }
        if activity.maximum == 0 { throw times.fail("max is 0: leave the activity out instead") }
      } else {
        activity.minimum = try times.whole(in: 1...1_000)
        activity.maximum = activity.minimum
      }
    }
    if let popularity = fields["popularity"] { activity.popularity = try self.popularity(popularity) }
    activity.weight = try fields["weight"]?.number(in: 0...1_000) ?? 1
    activity.isOwnPlace = try fields["own_place"]?.truth ?? false
    if let desks = fields["desks"] {
      if let own = fields["own_place"], !activity.isOwnPlace {
        throw own.fail("must be true, or left out, with 'desks'")
      }
      activity.desks = try self.desks(desks)
      activity.isOwnPlace = true
    }
    activity.companyShare = try fields["company"]?.number(in: 0...1) ?? 0
    try service(fields, into: &activity)
    activity.moves = try fields["moves"].map(duration)
    if activity.isServed,
      let other = fields["collective"] ?? fields["desks"] ?? (activity.isOwnPlace ? fields["own_place"] : nil)
    {
      throw other.fail("cannot be combined with 'served'")
    }
    if activity.isServed, let moves = fields["moves"] { throw moves.fail("'served' cannot be combined with 'moves'") }
    if let desks = fields["desks"], fields["collective"] != nil {
      throw desks.fail("'desks' cannot be combined with 'collective'")
    }
    if let together = fields["collective"] {
      let inner = try together.fields(["at", "events", "capacity"])
      let capacity = try inner.required("capacity")
      if case .scalar("0", _) = capacity.node.content { throw capacity.fail("capacity must be at least 1") }
      activity.collective = Activity.Collective(
        starts: try (inner["at"]?.items ?? []).map { try $0.clock },
        events: try inner["events"]?.whole(in: 1...10_000) ?? 1,
        capacity: try capacity.whole(in: ScenarioLimits.people))
      if inner["at"] != nil, let events = inner["events"] { throw events.fail("either 'at' or 'events', not both") }
    }
    return activity
  }

  /// Reads a number of desks, or the name of a table of desks.
  private func desks(_ value: YAMLValue) throws -> DeskRule {
    let text = try value.text
    guard text.lowercased().hasSuffix(".csv") else { return .count(try value.whole(in: ScenarioLimits.people)) }
    let table: String
    do {
      table = try readFile(text)
    } catch {
      throw value.fail("'\(text)' cannot be read")
    }
    do {
      return .table(file: text, try DeskTable(parsing: table).rows)
    } catch {
      throw value.fail("'\(text)', line \(error.line): \(error.message)")
    }
  }

  func policies(_ value: YAMLValue, in scenario: Scenario) throws -> Policies {
    let fields = try value.fields([
      "capacity", "close", "one_way", "stagger", "masks", "devices",
    ])
    var policies = Policies()
    func targets(_ value: YAMLValue?) throws -> [Policies.Target] {
      try (value?.items ?? []).map { Policies.Target(name: try $0.text, line: $0.node.line) }
    }
    if let close = fields["close"] {
      let inner = try close.fields(["spaces", "connections", "doors"])
      policies.closedSpaces = try targets(inner["spaces"])
      policies.closedConnections = try targets(inner["connections"])
      policies.closedOpenings = try targets(inner["doors"])
    }
    if let capacity = fields["capacity"] {
      guard case .map(let entries) = capacity.node.content else {
        throw capacity.fail("must map names or kinds of spaces to numbers of people, such as {meeting-room: 6}")
      }
      policies.capacities = try entries.map { entry in
        let limit = YAMLValue(node: entry.value, path: "\(capacity.path).\(entry.key)")
        if case .scalar("0", _) = entry.value.content {
          throw limit.fail("capacity must be at least 1; to close a space, use close.spaces")
        }
        return Policies.Capacity(
          target: Policies.Target(name: entry.key, line: entry.line),
          people: try limit.whole(in: ScenarioLimits.people))
      }
    }
    policies.oneWay = try (fields["one_way"]?.items ?? []).map { item in
      let inner = try item.fields(["door", "from"])
      return Policies.OneWay(
        target: Policies.Target(name: try inner.required("door").text, line: item.node.line),
        from: try inner.required("from").text)
    }
    policies.stagger = try fields["stagger"]?.span(in: .zero...(.hours(12))) ?? .zero
    policies.deviceShare = try fields["devices"]?.number(in: 0...1)
    let names = scenario.populations.map(\.name)
    policies.masks = try (fields["masks"]?.items ?? []).map { item in
      let inner = try item.fields(["between", "populations"])
      for name in inner["populations"]?.items ?? [] where !names.contains(try name.text) {
        throw name.fail("no population '\(try name.text)'\(Suggestion.hint(for: try name.text, among: names))")
      }
      return Policies.Mask(
        window: try dayWindow(try inner.required("between")), populations: try inner["populations"]?.texts ?? [])
    }
    return policies
  }

  /// Reads a table `time,count` with a header.
  ///
  /// A row applies until the time of the next row, and the last row for as long as the row before it.
  private func counts(_ value: YAMLValue, _ scenario: Scenario) throws -> [Population.Count] {
    let name = try value.text
    let text: String
    do {
      text = try readFile(name)
    } catch {
      throw value.fail("'\(name)' cannot be read")
    }
    var rows: [(Instant, Double)] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().dropFirst()
    where !line.allSatisfy(\.isWhitespace) {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.trimmingPrefix { $0.isWhitespace }.filter { $0 != "\r" }
      }
      guard cells.count >= 2, let time = try? Instant(rfc3339: String(cells[0])), let count = Double(cells[1]),
        (0...1e6).contains(count), rows.last.map({ $0.0 < time }) ?? true
      else {
        throw value.fail(
          "'\(name)', line \(index + 1): must be a later time (RFC 3339) and a count, '\(line.prefix(60))'")
      }
      rows.append((time, count))
    }
    guard rows.count >= 2 else { throw value.fail("'\(name)' needs at least two rows") }
    let last = rows[rows.count - 1].0 - rows[rows.count - 2].0
    return rows.enumerated().map { index, row in
      Population.Count(
        start: row.0, end: index + 1 < rows.count ? rows[index + 1].0 : row.0 + last, people: row.1)
    }
  }
}
