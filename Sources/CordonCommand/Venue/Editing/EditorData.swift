import CordonCore
import CordonGeometry
import CordonNavigation
import CordonOverlays
import CordonSupport
import CordonVenueTools
import CordonVenues

/// The data of the editor's page: the map in metres, its connectivity, its findings and its overlay.
///
/// Shapes and doors are those of the map with moved floors; properties of spaces are those of the map. The page applies
/// the entries of the overlay itself, so that each can be changed and taken back. Findings and parts are those of the
/// map with its overlay.
struct EditorData {
  let files: EditorFiles
  private let loaded: OverlaidVenue
  /// The map with moved floors, and without other changes.
  private let map: Venue
  private let report: ValidationReport
  private let places: EditorPlaces

  init(_ loaded: OverlaidVenue, files: EditorFiles) {
    self.files = files
    self.loaded = loaded
    map = loaded.movedMap
    report = ValidationReport(
      LoadedVenue(venue: loaded.venue, findings: loaded.findings), file: files.map)
    places = EditorPlaces(map, report: report)
  }

  /// The name of the venue, otherwise the name of its file.
  var title: String { map.name.text() ?? files.map }

  /// The command that shows the remaining problems.
  var command: String { "cordon venue validate \(files.map)" }

  /// The number of errors and warnings.
  var problems: Int { report.findings.count { $0.severity != .info } }

  /// The data as the page reads them.
  var json: JSONValue {
    let frame = places.frame
    return [
      "schema": "cordon.venue-editor/1", "map": .string(files.map), "file": .string(files.overlay),
      "command": .string(command), "summary": .string(report.connectivity?.sentenceInWords ?? ""),
      "frame": [
        "longitude": .number(frame.origin.longitude), "latitude": .number(frame.origin.latitude),
        "east": .number(frame.metresPerDegreeEast), "north": .number(frame.metresPerDegreeNorth),
      ],
      "limits": [
        "wall": .number(VenueOverlay.maximumWall), "reach": .number(VenueOverlay.maximumDisplacement),
        "doorWidth": .number(VenueOverlay.doorWidth), "minimumDoorWidth": .number(PlanSettings().minimumDoorWidth),
      ],
      "kinds": .array(SpaceKind.allCases.map { .string($0.rawValue) }),
      "colours": .object(SpaceKind.allCases.map { .init($0.rawValue, .string(SpacePalette.fill($0))) }),
      "reasons": .object(Connectivity.Unreachable.Reason.allCases.map { .init($0.rawValue, .string($0.sentence)) }),
      "firstFloor": .count(firstFloor), "floors": .array(map.floors.map(floor)), "spaces": .array(spaces),
      "openings": .array(openings), "connections": .array(connections),
      "isWalkable": .bool(report.routes != nil), "parts": .array(parts), "entrances": .array(entrances),
      "findings": .array(report.findings.map(finding)),
      "overlay": [
        "text": .string(loaded.text), "entries": .array(EditorEntries(loaded.changes, in: map).json),
      ],
    ]
  }

  /// The lowest floor with an entrance, otherwise the one with most spaces.
  private var firstFloor: Int {
    if let floor = (report.routes?.entrances ?? []).compactMap({ places.floor(ofPlan: $0.place.floor) }).min() {
      return floor
    }
    let counts = map.floors.map { floor in map.spaces.count { $0.floor == floor.id } }
    return counts.indices.max { (counts[$0], -$0) < (counts[$1], -$1) } ?? 0
  }

  private func floor(_ floor: Floor) -> JSONValue {
    func barriers(_ barriers: [Barrier]) -> (lines: [JSONValue], areas: [JSONValue]) {
      var lines: [JSONValue] = []
      var areas: [JSONValue] = []
      for barrier in barriers where barrier.floor == floor.id {
        switch barrier.shape {
        case .lines(let shape): lines += shape.map(places.flat)
        case .area(let area): areas += area.polygons.flatMap(\.rings).map(places.ring)
        }
      }
      return (lines, areas)
    }
    let walls = barriers(map.walls)
    let solids = barriers(map.obstructions + map.furniture)
    return [
      "id": .string(floor.id.rawValue), "name": .string(floor.name.text() ?? "floor \(floor.ordinal)"),
      "ordinal": .number(floor.ordinal.value),
      "outline": .array(floor.outline?.polygons.flatMap(\.rings).map(places.ring) ?? []),
      "walls": .array(walls.lines + solids.lines), "solids": .array(walls.areas + solids.areas),
    ]
  }

  private var spaces: [JSONValue] {
    let policy = RecordingPolicy()
    return map.spaces.map { space in
      let home = places.home(of: space.id)
      return [
        "id": .string(space.id.rawValue), "floor": JSONValue(places.floors[space.floor]),
        "kind": .string(space.kind.rawValue), "name": .string(space.name.text() ?? ""),
        "outline": .array(space.outline.polygons.map { .array($0.rings.map(places.ring)) }),
        "recording": .string(policy.recording(of: space).overlayValue), "part": JSONValue(home.part),
        "reason": JSONValue(home.reason?.rawValue),
      ]
    }
  }

  /// The doors of the map, then those that the plan assumes.
  private var openings: [JSONValue] {
    let mapped = map.openings.map { opening -> JSONValue in
      let planned = places.door(opening.id, on: opening.floor)
      let spaces = planned.map { door in door.spaces.compactMap { places.space(ofPlan: $0) } } ?? []
      let own = opening.spaces.compactMap { places.spaces[$0] }
      return [
        "id": .string(opening.id), "floor": JSONValue(places.floors[opening.floor]),
        "line": planned.map { places.flat([$0.line.a, $0.line.b]) } ?? places.flat(opening.line),
        "spaces": .array((spaces.isEmpty ? own : spaces).map { .count($0) }),
        "entrance": .bool(opening.isEntrance), "assumed": false,
        "number": JSONValue(report.routes?.entrances.first { $0.id == opening.id }?.number),
        "names": .array(opening.name.values.values.sorted().map { .string($0) }),
      ]
    }
    let assumed = (report.routes?.plan.doors ?? []).filter(\.isAssumed).map { door -> JSONValue in
      [
        "id": .string(door.id), "floor": JSONValue(places.floor(ofPlan: door.floor)),
        "line": places.flat([door.line.a, door.line.b]),
        "spaces": .array(door.spaces.compactMap { places.space(ofPlan: $0) }.map { .count($0) }),
        "entrance": .bool(door.isEntrance), "assumed": true, "number": .null, "names": [],
      ]
    }
    return mapped + assumed
  }

  private var connections: [JSONValue] {
    let mapped = map.connections.map { connection -> JSONValue in
      [
        "id": .string(connection.id), "kind": .string(connection.kind.rawValue),
        "names": .array(connection.name.values.values.sorted().map { .string($0) }), "assumed": false,
        "landings": .array(
          connection.landings.map { landing in
            places.landing(
              floor: places.floors[landing.floor], at: places.frame.project(landing.position),
              space: landing.space.flatMap { places.spaces[$0] })
          }),
      ]
    }
    let derived = (report.routes?.plan.connections ?? []).filter(\.isDerived).map { connection -> JSONValue in
      [
        "id": .string(connection.id), "kind": .string(connection.kind.rawValue), "names": [], "assumed": true,
        "landings": .array(
          connection.landings.map { landing in
            places.landing(floor: places.floor(ofPlan: landing.floor), at: landing.position, space: nil)
          }),
      ]
    }
    return mapped + derived
  }

  private var parts: [JSONValue] {
    (report.connectivity?.connectivity.parts ?? []).map { part in
      ["spaces": .count(part.spaces.count), "entrances": .array(part.entrances.map { .count($0.number) })]
    }
  }

  private var entrances: [JSONValue] {
    (report.routes?.entrances ?? []).map { entrance in
      [
        "number": .count(entrance.number), "name": .string(entrance.name), "id": .string(entrance.id),
        "floor": JSONValue(places.floor(ofPlan: entrance.place.floor)),
        "x": .metres(entrance.position.x), "y": .metres(entrance.position.y),
      ]
    }
  }

  private func finding(_ finding: VenueFinding) -> JSONValue {
    let place = places.place(of: finding)
    let position = place.position.map { point -> JSONValue in
      ["floor": JSONValue(place.floor), "x": .metres(point.x), "y": .metres(point.y)]
    }
    return [
      "severity": .string(finding.severity.rawValue), "code": .string(finding.code),
      "message": .string(finding.message), "object": JSONValue(finding.object), "space": JSONValue(place.space),
      "floor": JSONValue(place.floor),
      "place": position ?? .null,
    ]
  }
}

extension GateVerdict.Recording {
  /// The value of `record` in an overlay; `full` for none.
  var overlayValue: String {
    switch self {
    case .full: "full"
    case .floorOnly: "floor"
    case .unrecorded: "false"
    }
  }
}

extension Connectivity.Unreachable.Reason {
  /// The reason in a sentence that follows "no entrance reaches it".
  var sentence: String {
    switch self {
    case .noPlaceToStand: "walls and objects leave no place to stand"
    case .noDoor: "no door leads to it"
    case .floorNotConnected: "nothing connects its floor with an entrance"
    case .behindUnreachable: "it is connected only with spaces that no entrance reaches"
    }
  }
}

extension ConnectivityReport {
  /// The parts as a sentence.
  fileprivate var sentenceInWords: String { sentence + "." }
}
