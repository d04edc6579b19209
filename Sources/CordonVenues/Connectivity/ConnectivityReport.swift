import CordonCore
import CordonGeometry
import CordonNavigation

/// The connectivity of a venue in words and findings.
package struct ConnectivityReport: Sendable {
  /// The plan.
  package let plan: VenuePlan
  /// The connectivity of the plan.
  package let connectivity: Connectivity
  /// The entrances, by number.
  package let entrances: [PlanEntrance]
  /// The name of the map in findings.
  private let file: String

  /// Creates a report on a plan. Complexity: as ``Connectivity/init(_:)``.
  /// - Parameters:
  ///   - routes: the routes of people.
  ///   - file: the name of the map in findings; `nil` for the identifier of the venue.
  package init(_ routes: PlanNavigation, file: String? = nil) {
    plan = routes.plan
    entrances = routes.entrances
    self.file = file ?? routes.plan.venue.rawValue
    connectivity = Connectivity(routes)
  }

  /// The parts on one line, such as `72 spaces in 3 parts: 65 from entrance 1 (Lobby), 1 from entrance 0 (Food Court), 6
  /// from no entrance`.
  package var sentence: String {
    let parts = connectivity.parts
    let islands = parts.filter(\.entrances.isEmpty)
    let spaces = parts.reduce(0) { $0 + $1.spaces.count } + withoutPlace
    var pieces = parts.enumerated().filter { !$0.element.entrances.isEmpty }.map { place, part in
      let from = "\(part.spaces.count) from \(PlanEntrance.words(part.entrances))"
      // A door with a name of its own does not name a small part.
      guard place > 0, part.spaces.count == 1, let only = part.entrances.first, part.entrances.count == 1,
        !only.name.hasPrefix(name(part.spaces[0]))
      else { return from }
      return from + ", to \(name(part.spaces[0]))"
    }
    let shown = 6
    if pieces.count > shown {
      let rest = parts.filter { !$0.entrances.isEmpty }.dropFirst(shown - 1)
      pieces.removeLast(pieces.count - shown + 1)
      pieces.append("\(rest.reduce(0) { $0 + $1.spaces.count }) from other entrances, in \(rest.count) parts")
    }
    if !islands.isEmpty {
      let count = islands.reduce(0) { $0 + $1.spaces.count }
      pieces.append("\(count) from no entrance" + (islands.count > 1 ? ", in \(islands.count) parts" : ""))
    }
    if withoutPlace > 0 { pieces.append("\(withoutPlace) without a place to stand") }
    return "\(Self.counted(spaces, "space")) in \(Self.counted(parts.count, "part")): " + pieces.joined(separator: ", ")
  }

  /// The reachability of the area on one line; `nil` if everything is reachable.
  package var warning: String? {
    guard connectivity.unreachableSquareMetres > 0, !connectivity.unreachable.isEmpty || connectivity.isTooUnreachable
    else { return nil }
    let names = connectivity.unreachable.prefix(6).map { name($0.space) }
    let more = connectivity.unreachable.count - names.count
    return "no entrance reaches \(Self.counted(connectivity.unreachable.count, "space")), "
      + "\(percent) of the area that people may use"
      + (names.isEmpty ? "" : ": " + names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""))
  }

  /// The facts that a user of the routes has to know: the parts if there are several, unreachable spaces, and entrances
  /// that lead nowhere. One sentence each; empty for a map without such faults.
  package var remarks: [String] {
    let useless = connectivity.entrancesToNowhere.map(\.entrance.label)
    // Buildings with entrances of their own are sound.
    let lonely = !useless.isEmpty || connectivity.parts.contains { !$0.spaces.isEmpty && $0.entrances.isEmpty }
    return (lonely ? ["the map has separate parts: " + sentence] : []) + (warning.map { [$0] } ?? [])
      + (Self.listed(useless).map {
        [
          "\(useless.count == 1 ? "entrance" : "entrances") \($0) \(useless.count == 1 ? "leads" : "lead") nowhere: "
            + "people use other entrances, unless a population names it"
        ]
      } ?? [])
  }

  /// Whether the map leaves nothing open: one part, no unreachable space and no assumption.
  package var isComplete: Bool {
    remarks.isEmpty && connectivity.assumedDoors.isEmpty && connectivity.unusedEntrances.isEmpty
      && !plan.connections.contains(where: \.isDerived) && entrances.allSatisfy { $0.source == .mapped }
  }

  /// The unreachable share of the area, such as `7.4 %`.
  package var percent: String {
    let share = connectivity.unreachableShare * 100
    return share > 0 && share < 0.1 ? "less than 0.1 %" : "\((share * 10).rounded() / 10) %"
  }

  private var withoutPlace: Int { connectivity.unreachable.count { $0.reason == .noPlaceToStand } }

  /// Returns the name of a space, or otherwise its identifier.
  package func name(_ space: Int) -> String {
    let space = plan.spaces[space]
    return space.name.isEmpty ? space.id.rawValue : space.name
  }

  /// Returns the name, kind, area and floor of a space.
  private func description(of index: Int) -> String {
    let space = plan.spaces[index]
    return "'\(name(index))' (\(space.kind.rawValue), \(Self.area(space.area)), \(plan.floors[space.floor].name))"
  }

  static func area(_ squareMetres: Double) -> String {
    squareMetres < 10 ? "\((squareMetres * 10).rounded() / 10) m²" : "\(Int(squareMetres.rounded())) m²"
  }

  static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// Returns ascending numbers as ranges, such as `0 to 4 and 7`.
  package static func ranges(_ numbers: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for number in numbers.sorted() {
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    let words = runs.flatMap { run -> [String] in
      run.count > 2 ? ["\(run.lowerBound) to \(run.upperBound)"] : run.map(String.init)
    }
    return listed(words) ?? ""
  }

  static func listed(_ words: [String]) -> String? {
    guard let last = words.last else { return nil }
    return words.count == 1 ? last : words.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension ConnectivityReport {
  /// The findings about parts, entrances, unreachable spaces and assumptions, in this order.
  package var findings: [VenueFinding] {
    partFindings + entranceFindings + displacedEntrances + spaceFindings + doorFindings + connectionFindings
      + entranceAssumptions
  }

  private func finding(
    _ severity: VenueFinding.Severity, _ code: String, object: String?, action: VenueFinding.Action = .ignored,
    _ message: String
  ) -> VenueFinding {
    VenueFinding(
      severity: severity, code: code, file: file, object: object, action: action, message: message)
  }

  /// Parts of several spaces beside the largest one. A single unreachable space has a finding of its own.
  private var partFindings: [VenueFinding] {
    connectivity.parts.dropFirst().compactMap { part in
      guard let example = part.example, part.spaces.count > 1 || !part.entrances.isEmpty else { return nil }
      let others = part.spaces.count - 1
      let what =
        description(of: example)
        + (others > 0 ? " and \(Self.counted(others, "other space")), together \(Self.area(part.squareMetres))," : "")
      let verb = others > 0 ? "have" : "has"
      let entrances =
        part.entrances.isEmpty
        ? "and no entrance"
        : "and only " + PlanEntrance.words(part.entrances)
      return finding(
        part.entrances.isEmpty ? .warning : .info, "disconnected-part", object: plan.spaces[example].id.rawValue,
        "\(what) \(verb) no way to the largest part \(entrances)")
    }
  }

  private var entranceFindings: [VenueFinding] {
    connectivity.entrancesToNowhere.map { entrance, part in
      let behind = Self.listed(part.spaces.prefix(3).map { "'\(name($0))'" }).map { "only to \($0)" } ?? "to no space"
      return finding(
        .warning, "entrance-leads-nowhere", object: entrance.id,
        "entrance \(entrance.label) leads \(behind)")
    }
      + connectivity.unusedEntrances.map { index in
        let door = plan.doors[index]
        let behind = Self.listed(door.spaces.map { "'\(name($0))'" }).map { "only to \($0)" } ?? "to no walkable area"
        return finding(
          .warning, "entrance-leads-nowhere", object: door.id,
          "the entrance '\(door.name.isEmpty ? door.id : door.name)' on \(plan.floors[door.floor].name) leads \(behind); nobody uses it"
        )
      }
  }

  /// Entrances that the map draws away from the place to which they lead.
  private var displacedEntrances: [VenueFinding] {
    entrances.compactMap { entrance in
      guard let door = plan.doors.first(where: { $0.id == entrance.id && $0.floor == entrance.place.floor }) else {
        return nil
      }
      let distance = PlaneSegment(door.line.middle, entrance.position).length
      guard distance > EntranceFinder.reach else { return nil }
      return finding(
        .warning, "entrance-displaced", object: entrance.id, action: .repaired,
        "entrance \(entrance.label) lies \((distance * 10).rounded() / 10) m from the nearest place that people can walk on; they "
          + "enter there")
    }
  }

  private var spaceFindings: [VenueFinding] {
    connectivity.unreachable.map { unreachable in
      let space = unreachable.space
      let why =
        switch unreachable.reason {
        case .noPlaceToStand: "walls and objects leave no place to stand in it"
        case .noDoor: "no door leads to it, and no passage borders it"
        case .floorNotConnected: "nothing connects its floor with an entrance"
        case .behindUnreachable: "it is connected only with spaces that no entrance reaches"
        }
      return finding(
        .warning, "space-unreachable", object: plan.spaces[space].id.rawValue,
        "no entrance reaches \(description(of: space)): \(why)")
    }
  }

  private var doorFindings: [VenueFinding] {
    connectivity.assumedDoors.map { assumed in
      let to = assumed.neighbour.map { "to '\(name($0))'" } ?? "to the open area beside it"
      let isSeam = plan.doors[assumed.door].isSeam
      return finding(
        .info, isSeam ? "seam-bridged" : "door-assumed", object: plan.spaces[assumed.space].id.rawValue,
        action: .repaired,
        isSeam
          ? "the gap of centimetres from \(description(of: assumed.space)) \(to) counts as open"
          : "no door of the map leads to \(description(of: assumed.space)); one \(to) is assumed")
    }
  }

  private var connectionFindings: [VenueFinding] {
    plan.connections.filter(\.isDerived).map { connection in
      let floors = Self.listed(connection.landings.map { plan.floors[$0.floor].name }) ?? ""
      return finding(
        .info, "connections-derived", object: connection.id, action: .repaired,
        "the map does not connect the \(connection.kind.rawValue) on \(floors), which lie above one another; they count "
          + "as one connection")
    }
  }

  private var entranceAssumptions: [VenueFinding] {
    entrances.filter { $0.source != .mapped }.map { entrance in
      let place = entrance.space.map { " in \(description(of: $0))" } ?? ""
      let by =
        switch entrance.source {
        case .shellDoors: "a door on the edge of the floor"
        case .graph: "the place where the map's graph leaves the floor"
        default: "the place nearest to the edge of the floor"
        }
      return finding(
        .info, "entrance-assumed", object: entrance.id, action: .repaired,
        "entrance \(entrance.label): the map marks none here; people enter by \(by)\(place)")
    }
  }
}

extension Connectivity {
  /// The entrances from which people reach at most two small spaces, with the parts behind them.
  ///
  /// Their part has less than ``maximumUnreachableShare`` of the area of all parts.
  package var entrancesToNowhere: [(entrance: PlanEntrance, part: Part)] {
    let limit = parts.reduce(0) { $0 + $1.squareMetres } * Connectivity.maximumUnreachableShare
    return parts.dropFirst().filter { part in
      part.spaces.count <= 2 && part.squareMetres < limit
    }.flatMap { part in part.entrances.map { ($0, part) } }.sorted { $0.entrance.number < $1.entrance.number }
  }
}
