import CordonCrowd
import CordonSupport
import CordonVenues

/// The measurements of one place.
struct MeasuredSeries: Sendable {
  /// The number of people by day and time.
  var people: [CountSeries]
  /// The number of people who came in, by day; empty without flows.
  var entries: [Int: Double]
  /// The sums of devices and of people at the times of day that have both, by day; empty if either is unknown.
  var carried: [Int: (devices: Double, people: Double)]

  /// Collects the measurements of one place.
  /// - Parameters:
  ///   - tables: the tables.
  ///   - name: the name of the place in the tables.
  ///   - days: all days of the tables.
  ///   - deviceShare: the share of people with a phone, for places of which only devices were counted.
  init(_ tables: [MeasuredTable], place name: String, days: [MeasuredTable.Day], deviceShare: Double) {
    typealias Times = [Int: [Int: Double]]
    var numbers: [MeasuredTable.Quantity: Times] = [:]
    var isSparse = false
    for table in tables {
      // Tables of presence have a row for each floor, and door tables one for each door.
      var sums: [MeasuredTable.Quantity: [Int: [Int: (sum: Double, count: Int)]]] = [:]
      for value in table.values where value.place == name {
        var item = sums[value.quantity]?[value.day]?[value.second] ?? (0, 0)
        item.sum += value.number
        item.count += 1
        sums[value.quantity, default: [:]][value.day, default: [:]][value.second] = item
      }
      for (quantity, byDay) in sums {
        let adds = table.isSparse || quantity == .entries || quantity == .exits
        for (day, times) in byDay {
          for (second, item) in times {
            let value = adds ? item.sum : item.sum / Double(item.count)
            // A second table of the same place adds its flows, and replaces counts.
            let before = quantity == .entries || quantity == .exits ? numbers[quantity]?[day]?[second] ?? 0 : 0
            numbers[quantity, default: [:]][day, default: [:]][second] = before + value
          }
        }
        if table.isSparse, quantity == .people || quantity == .devices { isSparse = true }
      }
    }
    let people = numbers[.people] ?? [:]
    let devices = numbers[.devices] ?? [:]
    entries = (numbers[.entries] ?? [:]).mapValues { times in
      times.keys.sorted().reduce(0) { $0 + (times[$1] ?? 0) }
    }
    carried = [:]
    for day in people.keys.sorted() {
      var total = (devices: 0.0, people: 0.0)
      for second in (people[day] ?? [:]).keys.sorted() {
        guard let counted = people[day]?[second], let seen = devices[day]?[second] else { continue }
        total.devices += seen
        total.people += counted
      }
      if total.people > 0, devices[day] != nil { carried[day] = total }
    }
    let used: Times
    if !people.isEmpty {
      used = people
    } else if !devices.isEmpty {
      used = devices.mapValues { $0.mapValues { $0 / max(deviceShare, 1e-3) } }
    } else {
      used = MeasuredSeries.balance(numbers[.entries] ?? [:], numbers[.exits] ?? [:])
    }
    let step = isSparse ? MeasuredSeries.step(of: used) : nil
    self.people = days.map { day in
      var times = used[day.number] ?? [:]
      if let step, let first = times.keys.min() {
        // Tables of presence leave out times without anybody.
        for second in stride(from: first % step, to: 86_400, by: step) where times[second] == nil { times[second] = 0 }
      }
      return CountSeries(
        day: day, samples: times.keys.sorted().map { CountSeries.Sample(second: $0, people: times[$0] ?? 0) })
    }
  }

  /// Returns the shortest time between two numbers, in seconds.
  private static func step(of days: [Int: [Int: Double]]) -> Int {
    let gaps = days.values.compactMap { times -> Int? in
      let seconds = times.keys.sorted()
      return zip(seconds, seconds.dropFirst()).map { $1 - $0 }.min()
    }
    return max(gaps.min() ?? 60, 1)
  }

  /// Returns the number of people inside, from the entries and exits since midnight.
  private static func balance(_ entries: [Int: [Int: Double]], _ exits: [Int: [Int: Double]]) -> [Int: [Int: Double]] {
    var people: [Int: [Int: Double]] = [:]
    for day in entries.keys.sorted() {
      let seconds = Set((entries[day] ?? [:]).keys).union((exits[day] ?? [:]).keys).sorted()
      var inside = 0.0
      for second in seconds {
        inside += (entries[day]?[second] ?? 0) - (exits[day]?[second] ?? 0)
        // More people cannot go out than are inside; a counter missed somebody.
        inside = max(inside, 0)
        people[day, default: [:]][second] = inside
      }
    }
    return people
  }
}

/// The places that the names in measured tables mean.
package enum MeasuredNames {
  /// Returns a title of a place: the name of a space if no other has it, else the name in the tables.
  static func title(_ item: (place: MeasuredPlace, name: String), in world: World) -> String {
    guard case .space(let index) = item.place else { return item.name.isEmpty ? "building" : item.name }
    let (name, spaces) = (world.plan.spaces[index].name, world.plan.spaces)
    return name.isEmpty || item.name == name || spaces.count { $0.name == name } > 1
      || item.name != spaces[index].id.rawValue
      ? item.name : name
  }

  /// Returns the measured names and their places, in the order in which they occur.
  /// - Parameters:
  ///   - tables: the tables.
  ///   - mapping: the space that a name in the tables means; `*` is the whole building.
  ///   - world: the venue.
  /// - Throws: ``ScenarioError`` for a name that the venue does not have, or that several spaces have.
  static func resolved(
    _ tables: [MeasuredTable], mapping: [String: String], world: World
  ) throws(ScenarioError) -> [(place: MeasuredPlace, name: String)] {
    var names: [String] = []
    var seen: Set<String> = []
    for value in tables.lazy.flatMap(\.values) where seen.insert(value.place).inserted { names.append(value.place) }
    for name in mapping.keys.sorted() where !seen.contains(name) {
      throw ScenarioError(
        line: 0, path: "--space",
        message: "the measured files have no '\(name)'\(Suggestion.hint(for: name, among: names))")
    }
    let spaces = world.plan.spaces
    var result: [(place: MeasuredPlace, name: String)] = []
    for name in names {
      let wanted = mapping[name] ?? name
      if wanted.isEmpty || wanted == "*" {
        result.append((.building, name))
        continue
      }
      let found = spaces.indices.filter { spaces[$0].id.rawValue == wanted || spaces[$0].name == wanted }
      guard let first = found.first else {
        let known = Set(spaces.map(\.name).filter { !$0.isEmpty }).sorted()
        throw ScenarioError(
          line: 0, path: "--space",
          message: "the venue has no space '\(wanted)'\(Suggestion.hint(for: wanted, among: known)); write --space "
            + "'\(name)=NAME' for the space that was counted, or '\(name)=*' for the whole building")
      }
      guard found.count == 1 else {
        throw ScenarioError(
          line: 0, path: "--space",
          message: "\(found.count) spaces are called '\(wanted)'; give the identifier of one, such as "
            + spaces[first].id.rawValue)
      }
      result.append((.space(first), name))
    }
    return result
  }
}
