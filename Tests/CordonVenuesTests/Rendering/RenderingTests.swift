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
    let boundary = try venue.boundary()
    options.boundary = boundary.area
    options.circle = BoundingCircle(enclosing: boundary.area.vertices)
    for floor in venue.floors {
      let svg = FloorRenderer.svg(of: floor.id, in: venue, options: options)
      let document = try XMLCount(svg)
      #expect(document.titles >= venue.spaces.count { $0.floor == floor.id })
      for word in ["shop (", "wall (", "opening (", "boundary", "circle, radius", "walking graph", "m, north is up"] {
        #expect(svg.contains(word), "\(word)")
      }
      #expect(svg.contains("Fish &amp; &lt;Chips&gt;") == (venue.spaces[0].floor == floor.id))
      #expect(svg == FloorRenderer.svg(of: floor.id, in: venue, options: options))
      #expect(!svg.contains("nan") && !svg.contains("inf\""))
    }
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
