import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonExchange
import CordonGeometry
import CordonNavigation
import CordonSupport
import CordonVenues

/// The command `cordon venue distances`.
struct VenueDistancesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "distances",
    abstract: "Compute walking distances from one place to all spaces.",
    discussion: """
      Examples:

        cordon venue distances venues/office.mvf.zip
        cordon venue distances venues/office.mvf.zip --from Lobby --to "Office 12"
        cordon venue distances venues/office.mvf.zip --from entrance \\
          -o metres.csv

      Routes go around walls and furniture and through doors. Stairs and elevators count as the level distance that takes the \
      same time. A space is measured to its middle. A missing distance means that there is no route.
      """)

  @OptionGroup(title: "Input") var input: VenueInput

  /// The two ends of the routes.
  struct Ends: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The start: entrance (the nearest one), or the identifier or name of a space or point of interest.",
        valueName: "place"))
    var from = "entrance"

    @Option(
      help: ArgumentHelp("The destination, by identifier or name. (default: all)", valueName: "place"))
    var to: String?
  }

  @OptionGroup(title: "Places") var ends: Ends
  @OptionGroup(title: "Output") var output: OutputOptions<RowFormat>

  func run() throws {
    let destination = try output.destination(inputs: [input.path])
    let venue = try input.load().venue
    let table = try WalkingTable(venue, from: ends.from, to: ends.to)
    if let destination {
      try RowFile.write(table.members, name: "distances", columns: WalkingTable.columns, to: destination)
    }
    try output.report(table.json, table.text)
  }
}

/// The report of `venue distances`.
struct WalkingTable {
  /// A space or a point of interest, and how far it is.
  struct Row {
    var id: String
    var type: String
    var name: String
    var kind: String
    var floor: FloorID?
    var place: Place?
    var metres: Double?

    func isCalled(_ text: String) -> Bool { id == text || name.lowercased() == text.lowercased() }
  }

  private let origin: Row
  private var rows: [Row]

  init(_ venue: Venue, from: String, to: String?) throws {
    let walking = try VenueRoutes(venue).routes
    let all = WalkingTable.rows(of: venue, walking)
    rows = try to.map { try WalkingTable.rows(called: $0, in: all, option: "--to") } ?? all
    let starts: [Place]
    if from == "entrance" {
      starts = walking.entrances.map(\.place)
      origin = Row(id: "entrance", type: "entrance", name: "the nearest way in", kind: "")
    } else {
      let found = try WalkingTable.rows(called: from, in: all, option: "--from")
      guard found.count == 1, let only = found.first else {
        let those = found.map(\.id).joined(separator: ", ")
        throw CommandError(
          "--from \(from): \(found.count) places have this name; use an identifier: \(those)", code: "ambiguous-place")
      }
      origin = only
      starts = only.place.map { [$0] } ?? []
    }
    for start in starts {
      for (index, metres) in walking.walkingDistances(from: start, to: rows.map(\.place)).enumerated() {
        guard let metres, metres < rows[index].metres ?? .infinity else { continue }
        rows[index].metres = metres
      }
    }
  }

  private static func rows(of venue: Venue, _ walking: PlanNavigation) -> [Row] {
    let places = Dictionary(
      walking.plan.spaces.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let spaces = venue.spaces.map { space in
      Row(
        id: space.id.rawValue, type: "space", name: space.name.text() ?? "", kind: space.kind.rawValue,
        floor: space.floor, place: places[space.id].flatMap(walking.standingPlace))
    }
    let floors = Dictionary(venue.spaces.map { ($0.id, $0.floor) }, uniquingKeysWith: { first, _ in first })
    return spaces
      + venue.pointsOfInterest.map { point in
        Row(
          id: point.id, type: "point_of_interest", name: point.name.text() ?? "", kind: point.sourceKind,
          floor: point.floor ?? point.spaces.first.flatMap { floors[$0] }, place: walking.standingPlace(at: point))
      }
  }

  /// A space and the shop in it may have one name; the space stands for both.
  private static func rows(called text: String, in rows: [Row], option: String) throws -> [Row] {
    let found = rows.filter { $0.isCalled(text) }
    guard !found.isEmpty else {
      throw CommandError(
        "\(option) \(text): no space or point of interest of this name", code: "unknown-place")
    }
    let byIdentifier = found.filter { $0.id == text }
    if !byIdentifier.isEmpty { return byIdentifier }
    let spaces = found.filter { $0.type == "space" }
    return spaces.isEmpty ? found : spaces
  }

  var json: JSONValue {
    [
      "schema": "cordon.venue-distances/1",
      "from": ["id": .string(origin.id), "type": .string(origin.type), "name": .string(origin.name)],
      "places": .array(members.map { .object($0) }),
    ]
  }

  static let columns: [TableColumn] = [
    .text("id"), .text("type"), .text("name"), .text("kind"), .text("floor"), .number("walking_distance_m", unit: "m"),
  ]

  /// The rows, with the members of ``columns``.
  var members: [[JSONValue.Member]] {
    rows.map { row in
      [
        .init("id", .string(row.id)), .init("type", .string(row.type)), .init("name", .string(row.name)),
        .init("kind", .string(row.kind)), .init("floor", JSONValue(row.floor?.rawValue)),
        .init("walking_distance_m", .metres(row.metres)),
      ]
    }
  }

  /// The nearest first.
  var text: String {
    let sorted = rows.enumerated().sorted {
      ($0.element.metres ?? .infinity, $0.offset) < ($1.element.metres ?? .infinity, $1.offset)
    }
    let lines = sorted.map { _, row in
      let metres = row.metres.map { "\(($0 * 10).rounded() / 10) m" } ?? "no way"
      let padding = String(repeating: " ", count: max(1, 10 - metres.count))
      let name = row.name.isEmpty ? row.id : row.name
      let kind = row.type == "space" || !row.kind.isEmpty ? row.kind : "point of interest"
      return "\(metres)\(padding)\(name) (\(kind))"
    }
    return "from \(origin.name.isEmpty ? origin.id : origin.name)\n" + lines.joined(separator: "\n") + "\n"
  }
}
