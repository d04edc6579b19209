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
  let file: String

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
    guard !plan.spaces.isEmpty else {
      let area = parts.reduce(0) { $0 + $1.squareMetres }
      return "no spaces, only floors: \(Self.area(area)) in \(Self.counted(parts.count, "part"))"
    }
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
    // Small buildings with entrances of their own are sound.
    let lonely =
      !useless.isEmpty || connectivity.parts.contains { !$0.spaces.isEmpty && $0.entrances.isEmpty }
      || !connectivity.largeParts.isEmpty
    return noSpaces + (lonely ? ["the map has separate parts: " + sentence] : []) + (warning.map { [$0] } ?? [])
      + (Self.listed(useless).map {
        [
          "\(useless.count == 1 ? "entrance" : "entrances") \($0) \(useless.count == 1 ? "leads" : "lead") nowhere: "
            + "people use other entrances, unless a population names it"
        ]
      } ?? [])
  }

  /// The effect of a map without spaces; empty for a map with spaces.
  private var noSpaces: [String] {
    guard plan.spaces.isEmpty else { return [] }
    return ["the map has no rooms or other spaces: people stay anywhere on its floors, and no result is by room"]
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
  func description(of index: Int) -> String {
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
