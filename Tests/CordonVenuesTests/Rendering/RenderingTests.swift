import CordonCore
import CordonGeometry
import Foundation
import Testing

@testable import CordonVenueTools
@testable import CordonVenues

@Suite struct RenderingTests {
  @Test func drawingsAreWellFormedAndShowEverything() throws {
    var venue = try VenueGenerator.generate(kind: .mall, floors: 2, area: 3_000, seed: 2)
    venue.spaces[0].name = LocalizedText("Fish & <Chips> \"№ 1\"\u{1}")
    var options = RenderOptions()
    options.showsGraph = true
    let boundary = try venue.boundary()
    options.boundary = boundary.area
    options.circle = BoundingCircle(enclosing: boundary.area.vertices)
    for floor in venue.floors {
      let svg = FloorRenderer.svg(of: floor.id, in: venue, options: options)
      let document = try XMLCount(svg)
      #expect(document.titles >= venue.spaces.count { $0.floor == floor.id })
      for word in [
        "shop (", "wall (", "opening (", "boundary", "circle, radius", "s graph (", "m, north is up",
      ] {
        #expect(svg.contains(word), "\(word)")
      }
      #expect(svg.contains("Fish &amp; &lt;Chips&gt;") == (venue.spaces[0].floor == floor.id))
      #expect(svg == FloorRenderer.svg(of: floor.id, in: venue, options: options))
      #expect(!svg.contains("nan") && !svg.contains("inf\""))
      options.showsGraph = false
      let plain = FloorRenderer.svg(of: floor.id, in: venue, options: options)
      #expect(!plain.contains("class=\"node\"") && !plain.contains("s graph ("))
      options.showsGraph = true
    }
  }

  /// A corridor with two rooms, of which one has no door and one no way to it, and a hall far away.
  private func marked() throws -> (venue: Venue, marks: FloorMarks) {
    var drawing = VenuePlanTests.corridorAndRooms(doors: true)
    drawing.openings.removeAll { $0.id == "db" }
    drawing.space("far", "f", .lobby, PlanVenue.rectangle(30, 0, 33, 3))
    var venue = try drawing.venue()
    for (index, name) in ["Corridor", "Lab <1>", "Office", "Far & away"].enumerated() {
      venue.spaces[index].name = LocalizedText(name)
    }
    venue.floors[0].name = LocalizedText("Ground")
    return (venue, FloorMarks(ConnectivityReport(try VenueRoutes(venue).routes)))
  }

  @Test func entrancesAssumedDoorsAndUnreachableSpacesAreMarked() throws {
    let (venue, marks) = try marked()
    let svg = FloorRenderer.svg(of: FloorID("f"), in: venue, marks: marks)
    _ = try XMLCount(svg)
    #expect(svg.contains("<g role=\"img\" aria-label=\"entrance 0 (Corridor)\">"))
    for words in [
      "Entrances on this floor", "assumed door (1)", "no entrance reaches it (1)", "<title>assumed door: ",
      "Far &amp; away (lobby): no entrance reaches it", "class=\"assumed\"", "class=\"unreachable\"",
      "entrances: 0 (Corridor); no entrance reaches 1 of the spaces.</desc>",
    ] {
      #expect(svg.contains(words), "\(words)")
    }
    let plain = FloorRenderer.svg(of: FloorID("f"), in: venue)
    for words in ["Entrances on this floor", "class=\"assumed\"", "class=\"unreachable\"", "class=\"badge\""] {
      #expect(!plain.contains(words), "\(words)")
    }
    #expect(plain.contains("; no entrance.</desc>"))
  }

  @Test func drawingsFitEveryWidthAndDarkScreens() throws {
    let (venue, marks) = try marked()
    let svg = FloorRenderer.svg(of: FloorID("f"), in: venue, marks: marks)
    let root = try #require(svg.split(separator: "\n").first)
    #expect(root.contains(" width=\"100%\" viewBox=\"0 0 ") && !root.contains(" height="))
    #expect(root.contains("aria-labelledby=\"title description\""))
    #expect(svg.contains("prefers-color-scheme:dark"))
    for kind in SpaceKind.allCases {
      let (light, dark) = (SpacePalette.fill(kind), SpacePalette.darkFill(kind))
      #expect(dark.wholeMatch(of: /#[0-9a-f]{6}/) != nil && dark != light, "\(kind): \(dark)")
    }
    // The lowest channel of the colour of an office is that of red.
    #expect(SpacePalette.fill(.office) == "#d9e4f2" && SpacePalette.darkFill(.office) == "#2c425e")
  }

  @Test func namesStandInTheirSpacesOnly() throws {
    var drawing = PlanVenue()
    drawing.floor("f", 0)
    drawing.space("hall", "f", .lobby, PlanVenue.rectangle(0, 0, 40, 30))
    drawing.space("slit", "f", .storage, PlanVenue.rectangle(42, 0, 42.2, 30))
    var venue = try drawing.venue()
    // The middle of the hall is a hole.
    let hole = PlanVenue.rectangle(10, 8, 30, 22).polygons[0].outer
    venue.spaces[0].outline = GeoMultiPolygon([
      GeoPolygon(outer: venue.spaces[0].outline.polygons[0].outer, holes: [hole])
    ])
    venue.spaces[0].name = LocalizedText("Hall")
    venue.spaces[1].name = LocalizedText("A very long name of a slit")
    let svg = FloorRenderer.svg(of: FloorID("f"), in: venue)
    let names = svg.matches(of: /<text class="name" x="([0-9.]+)" y="([0-9.]+)"[^>]*>([^<]*)</)
    #expect(names.map { String($0.3) } == ["Hall"])
    let size = 1_200 / 42.2
    let (x, y) = (Double(names[0].1) ?? 0, Double(names[0].2) ?? 0)
    #expect(!(x > 10 * size && x < 30 * size && y > 8 * size && y < 22 * size), "\(x) \(y)")
  }

  @Test func filesAreCalledAfterFloors() throws {
    func floor(_ id: String, _ ordinal: Double, _ name: String, _ building: String? = nil) throws -> Floor {
      Floor(
        id: FloorID(id), ordinal: try #require(FloorOrdinal(ordinal)), name: LocalizedText(name), building: building)
    }
    let floors = [
      try floor("a", 0, "Ground Floor"), try floor("b", 1, "../Ground  floor!"), try floor("c", -1, ""),
      try floor("d", 0.5, "地下"), try floor("e", 2, "Étage 2"), try floor("f", 3, "index"),
      try floor("g", 4, String(repeating: "x", count: 200)), try floor("h", -2, "-2"), try floor("i", 2, "2"),
    ]
    var venue = Venue(
      id: try #require(VenueID("v")), name: LocalizedText(), format: .geojson, contentHash: "", floors: floors)
    #expect(
      FloorFileNames.names(of: floors, in: venue) == [
        "ground-floor", "ground-floor-2", "floor-minus-1", "floor-0-5", "tage-2", "index-2",
        String(repeating: "x", count: 60), "floor-minus-2", "floor-2",
      ])
    venue.buildings = [
      Building(id: "n", name: LocalizedText("North")), Building(id: "s", name: LocalizedText("South")),
    ]
    let twins = [try floor("a", 0, "Ground", "n"), try floor("b", 0, "Ground", "s")]
    #expect(FloorFileNames.names(of: twins, in: venue) == ["north-ground", "south-ground"])
  }

  @Test func theIndexListsFloorsAndEntrances() throws {
    let (venue, marks) = try marked()
    let drawings = [FloorIndexPage.Drawing(floor: venue.floors[0], file: "ground.svg")]
    let page = FloorIndexPage.html(of: venue, drawings: drawings, marks: marks)
    #expect(page == FloorIndexPage.html(of: venue, drawings: drawings, marks: marks))
    for words in [
      "<html lang=\"en\">", "name=\"viewport\" content=\"width=device-width,initial-scale=1\"",
      "<a href=\"#ground\">Ground (floor 0)</a>", "<section id=\"ground\">",
      "<tr><td>0</td><td>Corridor</td><td>Corridor</td><td><a href=\"#ground\">Ground (floor 0)</a></td></tr>",
      "<img src=\"ground.svg\" alt=\"Plan of Ground (floor 0), entrances 0 (Corridor)\">",
      "Unreachable: no entrance reaches 1 space", "Far &amp; away", "name=\"color-scheme\" content=\"light dark\"",
    ] {
      #expect(page.contains(words), "\(words)")
    }
    let bare = FloorIndexPage.html(of: venue, drawings: drawings, marks: FloorMarks())
    #expect(bare.contains("<p>The map has no entrance.</p>") && !bare.contains("<table>"))
  }

  @Test func namesDoNotOverlap() {
    var places = NamePlaces()
    let middle = PlanePoint(x: 100, y: 100)
    #expect(places.take([middle], length: 10, fontSize: 11) == middle)
    #expect(places.take([middle, PlanePoint(x: 130, y: 105)], length: 10, fontSize: 11) == nil)
    let below = PlanePoint(x: 100, y: 112)
    #expect(places.take([middle, below], length: 10, fontSize: 11) == below)
    let beside = PlanePoint(x: 170, y: 100)
    #expect(places.take([beside], length: 10, fontSize: 11) == beside)
  }

  @Test func emptyAndDamagedVenuesAreDrawn() throws {
    let id = try #require(VenueID("empty"))
    let floor = FloorID("f")
    var venue = Venue(
      id: id, name: LocalizedText(), format: .geojson, contentHash: "",
      floors: [Floor(id: floor, ordinal: FloorOrdinal(0))])
    #expect(try XMLCount(FloorRenderer.svg(of: floor, in: venue)).titles == 1)
    venue.spaces = [
      Space(
        id: SpaceID("s"), floor: floor, kind: .room,
        outline: GeoMultiPolygon([
          GeoPolygon(outer: [
            Coordinate(longitude: .nan, latitude: 1), Coordinate(longitude: 1, latitude: .infinity),
            Coordinate(longitude: 1, latitude: 1),
          ])
        ]))
    ]
    venue.graph = NavigationGraph(nodes: [], edges: [NavigationGraph.Edge(from: 4, to: -1)])
    #expect(!FloorRenderer.svg(of: floor, in: venue).contains("nan"))
    #expect(try XMLCount(FloorRenderer.svg(of: FloorID("none"), in: venue)).titles >= 1)
  }

  @Test(arguments: [
    (0.0, "0"), (1, "1"), (1.5, "1.5"), (-0.25, "-0.25"), (1.005, "1"), (12.345, "12.35"), (1e-9, "0"), (.nan, "0"),
    (-0.001, "0"), (0.07, "0.07"), (-1.0, "-1"),
  ])
  func numbersAreShort(value: Double, text: String) {
    #expect(SVGText.number(value) == text)
  }
}

/// Counts title elements with balanced tags: enough to see that a drawing is well formed.
private struct XMLCount {
  private(set) var titles = 0

  init(_ text: String) throws {
    var open: [Substring] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      let end = try #require(rest[start...].firstIndex(of: ">"), "a tag does not end")
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("/") {
        #expect(open.popLast() == tag.dropFirst())
      } else if !tag.hasSuffix("/") {
        let name = tag.prefix { $0 != " " }
        if name == "title" { titles += 1 }
        open.append(name)
      }
    }
    #expect(open.isEmpty)
  }
}
