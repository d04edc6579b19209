import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonSupport
import CordonVenues

/// The command `cordon venue info`.
struct VenueInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show the contents of a map: floors, spaces, doors, areas.",
    discussion: """
      Example:

        cordon venue info venues/office.mvf.zip

      Also shows the entrances with the numbers and names that scenarios use, the parts that walking connects, the spaces that no entrance reaches, whether \
      walking uses walls, doors and entrances of the map or derived ones, and which spaces are recorded in full, by their floor only, or not at all when the map is packed without options. A packed venue (.cvp) is read too; \
      it holds no names.
      """)

  @OptionGroup(title: "Input") var input: VenueInput

  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    if let packed = try PackedVenueFile.read(input.path) {
      let summary = PackedSummary(packed: packed)
      return try output.report(summary.json, summary.text)
    }
    let loaded = try input.load()
    let summary = try VenueSummary(loaded)
    try output.report(summary.json, summary.text)
  }
}

/// The report of `venue info`.
struct VenueSummary {
  private let venue: Venue
  private let findings: [VenueFinding]
  private let boundaries: [VenueBoundary]
  /// The routes of people; `nil` if the map has no walkable area.
  private let routes: PlanNavigation?
  private let connectivity: ConnectivityReport?
  /// Why there are no routes.
  private let noRoutes: String

  init(_ loaded: LoadedVenue) throws {
    venue = loaded.venue
    findings = loaded.findings
    boundaries = try venue.boundaries()
    do {
      let found = try VenueRoutes(venue).routes
      routes = found
      connectivity = ConnectivityReport(found)
      noRoutes = ""
    } catch {
      routes = nil
      connectivity = nil
      noRoutes = error.message
    }
  }

  private var kinds: [(SpaceKind, Int)] {
    let counts = Dictionary(grouping: venue.spaces, by: \.kind).mapValues(\.count)
    return SpaceKind.allCases.compactMap { kind in counts[kind].map { (kind, $0) } }
  }

  private func count(_ severity: VenueFinding.Severity) -> Int { findings.count { $0.severity == severity } }

  private var notes: PlanNotes? { routes?.notes }

  var json: JSONValue {
    let floors = venue.floors.map { floor -> JSONValue in
      [
        "id": .string(floor.id.rawValue), "ordinal": .number(floor.ordinal.value), "name": JSONValue(floor.name.text()),
        "short_name": JSONValue(floor.shortName.text()), "building": JSONValue(floor.building),
        "outdoor": .bool(floor.isOutdoor), "space_count": .count(venue.spaces.count { $0.floor == floor.id }),
        "opening_count": .count(venue.openings.count { $0.floor == floor.id }),
      ]
    }
    let buildings = venue.buildings.map { building -> JSONValue in
      [
        "id": .string(building.id), "name": JSONValue(building.name.text()),
        "floor_count": .count(building.floors.count),
      ]
    }
    let areas = boundaries.map { boundary -> JSONValue in
      ["boundary": .string(boundary.source.rawValue), "area_m2": .squareMetres(boundary.squareMetres)]
    }
    return [
      "schema": "cordon.venue-info/1", "id": .string(venue.id.rawValue), "name": JSONValue(venue.name.text()),
      "format": .string(venue.format.rawValue), "version": JSONValue(venue.formatVersion),
      "content_sha256": .string(venue.contentHash), "time_zone": JSONValue(venue.timeZone),
      "boundaries": .array(areas), "buildings": .array(buildings), "floors": .array(floors),
      "space_kinds": .object(kinds.map { JSONValue.Member($0.0.rawValue, .count($0.1)) }),
      "floor_count": .count(venue.floors.count), "space_count": .count(venue.spaces.count),
      "wall_count": .count(venue.walls.count), "obstruction_count": .count(venue.obstructions.count),
      "furniture_count": .count(venue.furniture.count), "opening_count": .count(venue.openings.count),
      "entrance_count": .count(venue.openings.count(where: \.isEntrance)),
      "connection_count": .count(venue.connections.count),
      "point_of_interest_count": .count(venue.pointsOfInterest.count),
      "node_count": .count(venue.graph?.nodes.count ?? 0), "edge_count": .count(venue.graph?.edges.count ?? 0),
      "walking": walking, "parts": connectivity?.partsJSON ?? .null,
      "unreachable_spaces": connectivity?.unreachableJSON ?? .null,
      "assumed_doors": connectivity?.assumedDoorsJSON ?? .null,
      "usable_area_m2": connectivity.map { .squareMetres($0.connectivity.usableSquareMetres) } ?? .null,
      "unreachable_area_m2": connectivity.map { .squareMetres($0.connectivity.unreachableSquareMetres) } ?? .null,
      "findings": [
        "error": .count(count(.error)), "warning": .count(count(.warning)), "info": .count(count(.info)),
      ],
      "recording": RecordingSummary(venue).json,
    ]
  }

  /// What walking is based on; `null` when nothing on the map can be walked on.
  private var walking: JSONValue {
    guard let notes else { return .null }
    // Always from the drawing: the graphs of public maps stand outside of it, or in parts that nothing joins.
    return [
      "graph": "derived", "floors_with_mapped_walls": .count(notes.floorsWithMappedWalls),
      "floors_with_implied_walls": .count(notes.floorsWithImpliedWalls), "doors_cut": .count(notes.doorsCut),
      "doors_assumed": .count(notes.doorsAssumed), "connections": .string(notes.connectionSource.rawValue),
      "entrances": .string(notes.entranceSource.rawValue),
    ]
  }

  /// The number of entrances that people use, and that of the drawing where it differs: one may lead nowhere or be assumed.
  private var entranceCount: String {
    let drawn = venue.openings.count(where: \.isEntrance)
    guard let used = connectivity?.entrances.count, used != drawn else { return Counted.of(drawn, "entrance") }
    return Counted.of(used, "entrance") + " (\(drawn) drawn)"
  }

  var text: String {
    var lines = [
      "\(venue.name.text() ?? venue.id.rawValue)  (\(venue.format.rawValue)\(venue.formatVersion.map { " \($0)" } ?? ""))",
      "  id        \(venue.id)", "  contents  \(venue.contentHash)",
    ]
    if let zone = venue.timeZone { lines.append("  time zone \(zone)") }
    for boundary in boundaries {
      lines.append("  area of \(boundary.source.rawValue)  \(Int(boundary.squareMetres.rounded())) m2")
    }
    lines.append("Floors")
    for floor in venue.floors {
      let building = floor.building.flatMap { id in venue.buildings.first { $0.id == id }?.name.text() ?? id }
      lines.append(
        "  \(floor.ordinal)  \(floor.name.text() ?? floor.id.rawValue)\(building.map { " of \($0)" } ?? "")"
          + "\(floor.isOutdoor ? ", outdoors" : ""): \(Counted.of(venue.spaces.count { $0.floor == floor.id }, "space")), "
          + Counted.of(venue.openings.count { $0.floor == floor.id }, "opening"))
    }
    lines.append("Spaces")
    lines += kinds.map { "  \($0.1) \($0.0.rawValue)" }
    lines.append(
      [
        Counted.of(venue.walls.count, "wall"), Counted.of(venue.obstructions.count, "obstruction"),
        Counted.of(venue.furniture.count, "piece of furniture", "pieces of furniture"),
        entranceCount,
        Counted.of(venue.connections.count, "connection"),
        Counted.of(venue.pointsOfInterest.count, "point of interest", "points of interest"),
        Counted.of(venue.graph?.nodes.count ?? 0, "graph node"),
      ].joined(separator: ", "))
    if let notes {
      lines.append(
        "Walking, on a graph derived from the drawing: walls mapped on \(Counted.of(notes.floorsWithMappedWalls, "floor")) and implied on \(Counted.of(notes.floorsWithImpliedWalls, "floor")), "
          + "connections from \(notes.connectionSource.rawValue), entrances from \(notes.entranceSource.rawValue)")
    } else {
      lines.append("Walking: \(noRoutes)")
    }
    if let connectivity { lines += connectivity.entranceLines + connectivity.lines }
    lines.append(
      "\(Counted.of(count(.error), "error")), \(Counted.of(count(.warning), "warning")), \(Counted.of(count(.info), "remark")); see cordon venue validate"
    )
    let doubtful = findings.count { $0.code == "possible-private-space" }
    let hint =
      doubtful == 0
      ? "" : "  \(doubtful) may be private by their names (possible-private-space); see cordon venue validate\n"
    return lines.joined(separator: "\n") + "\n" + RecordingSummary(venue).text + hint
  }
}
