import CordonYAML

extension ScenarioReader {
  /// The days of the week, as scenarios name them, Monday first.
  static let dayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  /// Reads people per hour by time of day, `{08:00: 120, 09:30: 0}`, or by day of the week and time,
  /// `{mon-thu: {08:00: 120, 09:30: 0}, fri: {08:00: 40, 09:30: 0}}`.
  ///
  /// A rate holds until the next time, and the last one until midnight. Before the first time nobody arrives.
  func rates(_ value: YAMLValue) throws -> [Population.Rate] {
    guard case .map(let entries) = value.node.content, let first = entries.first else {
      throw value.fail("must give people an hour by time of day, such as {08:00: 120, 09:30: 0}")
    }
    var rates: [Population.Rate] = []
    if ClockTime(first.key) != nil {
      rates = try self.rates(value, on: Set(0...6))
    } else {
      var seen: Set<Int> = []
      for entry in entries {
        let path = "\(value.path).\(entry.key)"
        let days = try self.days(entry.key, line: entry.line, path: path)
        guard seen.isDisjoint(with: days) else {
          throw ScenarioError(line: entry.line, path: path, message: "gives rates of a day a second time")
        }
        seen.formUnion(days)
        rates += try self.rates(YAMLValue(node: entry.value, path: path), on: days)
      }
    }
    guard rates.contains(where: { $0.perHour > 0 }) else { throw value.fail("no person ever arrives") }
    return rates
  }

  private func rates(_ value: YAMLValue, on days: Set<Int>) throws -> [Population.Rate] {
    guard case .map(let entries) = value.node.content else {
      throw value.fail("must give people an hour by time of day, such as {08:00: 120, 09:30: 0}")
    }
    let steps = try entries.map { entry -> (from: ClockTime, perHour: Double) in
      let path = "\(value.path).\(entry.key)"
      guard let time = ClockTime(entry.key), time.seconds < 86_400 else {
        throw ScenarioError(line: entry.line, path: path, message: "must be a time of day such as 08:30")
      }
      return (time, try YAMLValue(node: entry.value, path: path).number(in: 0...1e6))
    }.sorted { $0.from < $1.from }
    return steps.indices.compactMap { index in
      let next = index + 1 < steps.count ? steps[index + 1].from : ClockTime(seconds: 86_400)
      guard steps[index].perHour > 0, next > steps[index].from else { return nil }
      var rate = Population.Rate(
        window: ClockWindow(from: steps[index].from, to: next), perHour: steps[index].perHour)
      rate.weekdays = days
      return rate
    }
  }

  /// Reads `mon` or `mon-fri`.
  private func days(_ text: String, line: Int, path: String) throws -> Set<Int> {
    let numbers = text.lowercased().split(separator: "-", omittingEmptySubsequences: false).map { name in
      ScenarioReader.dayNames.firstIndex(of: String(name))
    }
    guard (1...2).contains(numbers.count), let first = numbers[0], let last = numbers[numbers.count - 1], first <= last
    else {
      throw ScenarioError(
        line: line, path: path,
        message:
          "must be a time of day such as 08:30, or a day such as \(ScenarioReader.dayNames.joined(separator: ", ")) or mon-fri"
      )
    }
    return Set(first...last)
  }

  /// Reads factors by space, `{Room 1: 3, kitchen: 0.5}`.
  func popularity(_ value: YAMLValue) throws -> [Activity.Popularity] {
    guard case .map(let entries) = value.node.content else {
      throw value.fail("must give factors by space, such as {\"Room 1\": 3}")
    }
    return try entries.map { entry in
      Activity.Popularity(
        target: Policies.Target(name: entry.key, line: entry.line),
        factor: try YAMLValue(node: entry.value, path: "\(value.path).\(entry.key)").number(in: 0...1e4))
    }
  }
}
