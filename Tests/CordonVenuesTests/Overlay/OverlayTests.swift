import CordonCore
import CordonGeometry
import CordonNavigation
import CordonSupport
import CordonVenues
import Testing

@testable import CordonOverlays

/// Overlays on a drawn map: a corridor with the offices 'a' and 'b', and a hall that no door leads to.
@Suite("Overlays")
struct OverlayTests {
  private func map() throws -> Venue {
    var drawing = VenuePlanTests.corridorAndRooms(doors: true)
    drawing.space("hall", "f", .restaurant, PlanVenue.rectangle(13, 0, 16, 3))
    drawing.floor("up", 1)
    drawing.space("loft", "up", .office, PlanVenue.rectangle(0, 0, 12, 3))
    var venue = try drawing.venue()
    for index in venue.spaces.indices where ["a", "b"].contains(venue.spaces[index].id.rawValue) {
      venue.spaces[index].name = LocalizedText("Office \(venue.spaces[index].id.rawValue.uppercased())")
    }
    return venue
  }

  private func applying(_ text: String) throws -> Venue {
    try OverlaidVenue.overlaid(map(), text: "overlay: 1\n" + text, file: "map.overlay.yaml")
  }

  private func space(_ id: String, _ venue: Venue) throws -> Space {
    try #require(venue.spaces.first { $0.id.rawValue == id })
  }

  private func metres(from a: (Double, Double), to b: (Double, Double), floor: Int = 0, _ venue: Venue) throws
    -> Double?
  {
    let routes = try VenueRoutes(venue, mends: false).routes
    let plan = routes.plan
    let from = routes.navigation.place(near: plan.drawn(a.0, a.1), floor: 0, within: 1)
    let to = routes.navigation.place(near: plan.drawn(b.0, b.1), floor: floor, within: 1)
    guard let from, let to else { return nil }
    return routes.navigation.walkingDistance(from: from, to: to)
  }

  @Test func anEmptyOverlayChangesNothing() throws {
    #expect(try applying("") == map())
  }

  @Test func allPropertiesOfASpaceCanBeSet() throws {
    let venue = try applying(
      """
      spaces:
        - space: Office A
          kind: lobby
          name: Reception
          group: Outpatients
          capacity: 40
          ceiling: 320cm
          air_changes: 6
          record: floor
        - space: b
          closed: true
          record: false
      """)
    let a = try space("a", venue)
    #expect(a.kind == .lobby && a.name.text() == "Reception" && a.group == "Outpatients" && a.capacity == 40)
    #expect(a.ceilingHeight == 3.2 && a.airChanges == 6)
    #expect(RecordingPolicy().recording(of: a) == .floorOnly)
    #expect(RecordingPolicy().recording(of: try space("b", venue)) == .unrecorded)
    #expect(venue.closures.spaces == [SpaceID("b")])
    // Nothing else has changed.
    #expect(try space("hall", venue) == space("hall", map()))
    let plan = try VenuePlan(venue)
    #expect(plan.spaces.first { $0.id.rawValue == "a" }?.capacity == 40)
  }

  /// The operator's list of kinds must not open what the map calls a restroom, not even with a pattern.
  @Test func aRestroomOfTheMapStaysUnrecorded() throws {
    var venue = try map()
    let index = try #require(venue.spaces.firstIndex { $0.id.rawValue == "hall" })
    venue.spaces[index].kind = .restroom
    let changed = try OverlaidVenue.overlaid(
      venue, text: "overlay: 1\nspaces: [{space: '*', kind: lobby}, {space: hall, kind: office}]",
      file: "map.overlay.yaml")
    #expect(try space("hall", changed).kind == .office)
    #expect(RecordingPolicy().recording(of: try space("hall", changed)) == .unrecorded)
    #expect(RecordingPolicy().recording(of: try space("a", changed)) == .full)
    let policy = RecordingPolicy(unrecordedKinds: [], floorOnlyKinds: [.restroom])
    #expect(policy.recording(of: try space("hall", changed)) == .floorOnly)
  }

  @Test func aPatternMeansAllSpacesThatMatch() throws {
    let venue = try applying("spaces: [{space: 'Office ?', group: Offices}, {space: 'h*l', group: Halls}]")
    #expect(venue.spaces.filter { $0.group == "Offices" }.map(\.id.rawValue) == ["a", "b"])
    #expect(venue.spaces.filter { $0.group == "Halls" }.map(\.id.rawValue) == ["hall"])
  }

  @Test(arguments: [
    ("", "", true), ("*", "", true), ("a*c", "abbc", true), ("a*c", "abcd", false), ("?", "", false),
    ("**b?", "aabc", true),
    ("*ab*ab*", "xabyabz", true), ("*ab*ab*", "xab", false), ("Büro *", "Büro 12", true),
  ])
  func patternsMatchWholeNames(pattern: String, name: String, matches: Bool) {
    #expect(NamePattern(pattern).matches(name) == matches)
  }

  @Test func aDoorConnectsTwoSpaces() throws {
    #expect(try metres(from: (6, 1), to: (14, 1), map()) == nil)
    // At the middle of the shared border, which is 3 m long.
    let venue = try applying("doors: [{between: [corridor, hall], name: East door, width: 1.2m}]")
    let door = try #require(venue.openings.first { $0.id == "East door" })
    #expect(door.spaces.map(\.rawValue) == ["corridor", "hall"])
    let line = door.line.map(PlanVenue.frame.project)
    #expect(abs((line[0].y + line[1].y) / 2 - 1.5) < 0.05 && abs(line[0].x - 12.5) < 0.05)
    #expect(abs(abs(line[0].y - line[1].y) - 1.2) < 0.01)
    let distance = try #require(try metres(from: (6, 1), to: (14, 1), venue))
    #expect(abs(distance - 8) < 0.5)
  }

  /// Without the loft, which nothing joins.
  @Test func theRightDoorsLeaveNothingToAssume() throws {
    func findings(_ text: String) throws -> [String] {
      var venue = try applying(text)
      venue.spaces.removeAll { $0.id.rawValue == "loft" }
      venue.floors.removeAll { $0.id.rawValue == "up" }
      return ConnectivityReport(try VenueRoutes(venue).routes).findings.map(\.code)
    }
    #expect(try !findings("").isEmpty)
    #expect(try findings("doors: [{between: [corridor, hall]}]") == [])
  }

  @Test func aDoorStandsAtItsPosition() throws {
    let at = PlanVenue.coordinate(12.1, 2.3)
    let venue = try applying("doors: [{between: [corridor, hall], at: [\(at.longitude), \(at.latitude)]}]")
    let door = try #require(venue.openings.first { $0.id == "overlay:door:1" })
    let line = door.line.map(PlanVenue.frame.project)
    #expect(abs((line[0].y + line[1].y) / 2 - 2.3) < 0.02)
  }

  @Test func partsCanBeRemoved() throws {
    let venue = try applying("doors: [{remove: db}]\nentrances: [{remove: in}]")
    #expect(venue.openings.map(\.id) == ["da"])
  }

  @Test func partsCanBeRemovedByName() throws {
    var named = try map()
    for index in named.openings.indices {
      named.openings[index].name = LocalizedText(["da": "Yard door"][named.openings[index].id] ?? "")
    }
    let venue = try OverlaidVenue.overlaid(
      named, text: "overlay: 1\ndoors: [{remove: Yard door}]", file: "map.overlay.yaml")
    #expect(venue.openings.map(\.id) == ["db", "in"])
    let error = #expect(throws: VenueError.self) {
      try OverlaidVenue.overlaid(named, text: "overlay: 1\ndoors: [{remove: Yard dor}]", file: "map.overlay.yaml")
    }
    #expect(error?.message.contains("did you mean 'Yard door'?") == true, "\(error as Any)")
  }

  @Test func anEntranceOfTheMapGetsAName() throws {
    let venue = try applying("entrances: [{rename: in, name: Main door}]\ndoors: [{rename: da, name: Lab door}]")
    #expect(venue.openings.map { $0.name.text() ?? "" } == ["Lab door", "", "Main door"])
    #expect(try VenueRoutes(venue, mends: false).routes.entrances.first?.label == "0 (Main door)")
    // A name is enough, unless several doors have it.
    let text = "overlay: 1\nentrances: [{rename: Main door, name: Gate}]"
    let again = try OverlaidVenue.overlaid(venue, text: text, file: "map.overlay.yaml")
    #expect(again.openings.last?.name.text() == "Gate")
    var doubled = venue
    for index in doubled.openings.indices { doubled.openings[index].name = LocalizedText("Main door") }
    let error = #expect(throws: VenueError.self) {
      try OverlaidVenue.overlaid(doubled, text: text, file: "map.overlay.yaml")
    }
    #expect(error?.message.hasSuffix("3 doors are called 'Main door'; use an id: da, db, in") == true)
  }

  @Test func anEntranceLeadsIntoItsSpace() throws {
    let at = PlanVenue.coordinate(16.5, 1.5)
    let venue = try applying("entrances: [{space: hall, at: [\(at.longitude), \(at.latitude)], name: East}]")
    let entrances = try VenueRoutes(venue, mends: false).routes.entrances
    #expect(entrances.prefix(2).map(\.id) == ["East", "in"])
    #expect(entrances.first?.name == "East")
  }

  @Test func aConnectionJoinsFloors() throws {
    #expect(try metres(from: (6, 1), to: (6, 1), floor: 1, map()) == nil)
    let venue = try applying("connections: [{kind: lift, joins: [corridor, loft], name: Lift 1}]")
    #expect(venue.connections.map(\.id) == ["Lift 1"] && venue.connections[0].kind == .elevator)
    #expect(try metres(from: (6, 1), to: (6, 1), floor: 1, venue) != nil)
    let removed = try OverlaidVenue.overlaid(
      venue, text: "overlay: 1\nconnections: [{remove: Lift 1}]", file: "map.overlay.yaml")
    #expect(removed.connections.isEmpty)
  }

  @Test func aFloorMovesWithEverythingOnIt() throws {
    var venue = try map()
    let floor = FloorID("f")
    let corner = PlanVenue.coordinate(1, 1)
    venue.walls = [Barrier(id: "w", floor: floor, shape: .lines([[corner, PlanVenue.coordinate(2, 1)]]))]
    let block = Barrier(id: "b", floor: floor, shape: .area(PlanVenue.rectangle(1, 1, 2, 2)))
    (venue.obstructions, venue.furniture) = ([block], [block])
    venue.floors[0].outline = PlanVenue.rectangle(1, 1, 12, 8)
    venue.zones = [Zone(id: "z", floors: [floor], outline: PlanVenue.rectangle(1, 1, 2, 2))]
    venue.annotations = [Annotation(id: "n", floor: floor, symbol: "", lines: [[corner]])]
    let landings = [
      Connection.Landing(floor: floor, position: corner), Connection.Landing(floor: FloorID("up"), position: corner),
    ]
    venue.connections = [Connection(id: "c", kind: .stairs, landings: landings)]
    venue.graph = NavigationGraph(nodes: [NavigationGraph.Node(id: "g", floor: floor, position: corner)], edges: [])
    venue.pointsOfInterest = [
      PointOfInterest(id: "p", name: LocalizedText("P"), spaces: [], position: corner, floor: floor)
    ]
    let moved = try OverlaidVenue.overlaid(
      venue, text: "overlay: 1\nfloors: [{floor: f, move: [1.5m, -0.3m]}]", file: "map.overlay.yaml")
    func offset(_ after: Coordinate?, _ before: Coordinate?) throws -> PlanePoint {
      let (after, before) = (try #require(after), try #require(before))
      return LocalFrame(origin: before).project(after)
    }
    for (after, before) in [
      (moved.spaces[0].outline.vertices.first, venue.spaces[0].outline.vertices.first),
      (moved.openings[0].line.first, venue.openings[0].line.first),
      (moved.pointsOfInterest[0].position, corner),
      (moved.obstructions[0].firstPoint, corner), (moved.furniture[0].firstPoint, corner),
      (moved.floors[0].outline?.vertices.first, corner), (moved.zones[0].outline.vertices.first, corner),
      (moved.annotations[0].lines.first?.first, corner), (moved.connections[0].landings[0].position, corner),
      (moved.graph?.nodes[0].position, corner), (moved.walls[0].firstPoint, corner),
    ] {
      let offset = try offset(after, before)
      #expect(abs(offset.x - 1.5) < 0.001 && abs(offset.y + 0.3) < 0.001, "\(offset)")
    }
    #expect(moved.connections[0].landings[1].position == corner)
    #expect(moved.spaces.filter { $0.floor != floor } == venue.spaces.filter { $0.floor != floor })
  }

  @Test(arguments: [
    (
      "spaces: [{space: Ofice A, kind: lobby}]",
      "line 2: spaces[0].space: no space 'Ofice A' (did you mean 'Office A'?)"
    ),
    ("spaces: [{space: 'x*', kind: lobby}]", "line 2: spaces[0].space: no space matches 'x*'"),
    ("spaces:\n  - space: a\n    colour: red", "line 4: spaces[0].colour: unknown key"),
    ("spaces: [{space: a, kind: loby}]", "(did you mean 'lobby'?)"),
    ("spaces: [{space: a, record: true}]", "must be false (nothing is recorded) or floor"),
    ("spaces: [{space: a, capacity: 0}]", "must be between 1 and 1000000, not 0"),
    ("spaces: [{space: a, ceiling: high}]", "must be a length such as 1.2m or 80cm, not 'high'"),
    ("doors: [{between: [corridor]}]", "line 2: doors[0].between: must name the two spaces"),
    ("doors: [{between: [a, hall]}]", "'a' and 'hall' are 7.1 m apart; a door connects spaces at most 1.1 m apart"),
    ("doors: [{between: [a, loft]}]", "'a' and 'loft' are not two spaces of one floor"),
    ("doors: [{between: [corridor, hall], at: [8.51, 47.4]}]", "line 2: doors[0].at: is "),
    ("doors: [{between: [corridor, hall], at: [47.4]}]", "must be [longitude, latitude] in degrees"),
    ("doors: [{between: [corridor, hall], name: da}]", "'da' is the id of another part"),
    ("doors: [{remove: dc}]", "no door or entrance 'dc' (did you mean 'da'?)"),
    ("doors: [{remove: 'assumed:a'}]", "is assumed, not in the map"),
    ("doors: [{remove: da, width: 1m}]", "cannot stand beside 'remove'"),
    ("entrances: [{space: hall, at: [8.51, 47.4]}]", "from the border of the space; at most 3.0 m"),
    ("entrances: [{space: hall}]", "line 2: entrances[0]: needs 'at'"),
    ("doors: [{between: [corridor, hall], width: 0.5m}]", "must be between 0.8 m and 50 m"),
    ("connections: [{kind: lift, joins: [a, b]}]", "joins spaces of one floor; use 'doors' there"),
    ("connections: [{kind: lifd, joins: [a, loft]}]", "(did you mean 'lift'?)"),
    ("connections: [{remove: x}]", "no connection 'x'"),
    ("entrances: [{rename: inn, name: x}]", "no door or entrance 'inn' (did you mean 'in'?)"),
    ("entrances: [{rename: in, name: x, width: 1m}]", "cannot stand beside 'rename'"),
    ("doors: [{rename: da, remove: db}]", "cannot stand beside 'rename'"),
    ("doors: [{rename: da}]", "line 2: doors[0]: needs 'name'"),
    ("floors: [{floor: upp, move: [1m, 1m]}]", "no floor 'upp' (did you mean 'up'?)"),
    ("floors: [{floor: up, move: [1m]}]", "must be two distances"),
    ("overlay: 2", "is defined twice"),
    ("[", "invalid YAML"),
  ])
  func aMistakeIsAnErrorWithItsLine(text: String, message: String) {
    #expect {
      try applying(text)
    } throws: { error in
      let error = error as? VenueError
      return error?.code == "overlay" && error?.file == "map.overlay.yaml"
        && error?.message.contains(message) == true
    }
  }

  @Test func anotherVersionIsRefused() {
    #expect {
      try OverlaidVenue.overlaid(map(), text: "overlay: 2", file: "map.overlay.yaml")
    } throws: {
      ($0 as? VenueError)?.message == "line 1: overlay: must be 1, the only version of the format"
    }
  }
}

extension Barrier {
  /// The first point of the shape.
  fileprivate var firstPoint: Coordinate? {
    switch shape {
    case .lines(let lines): lines.first?.first
    case .area(let area): area.vertices.first
    }
  }
}
