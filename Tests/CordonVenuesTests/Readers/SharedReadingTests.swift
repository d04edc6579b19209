import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenues

/// The common behaviour of the readers.
struct SharedReadingTests {
  @Test(arguments: [
    ("Washroom", SpaceKind.restroom), ("Boys Locker Room", .restroom), ("Men's Washroom 🚻", .restroom),
    ("Womens", .restroom),
    ("Stage Storage", .storage), ("Stairwell B", .stairs), ("Computer Lab", .laboratory), ("Back Kitchen", .kitchen),
    ("Tamarack Meeting Room", .meetingRoom), ("Office 206 💼", .office), ("Café", .restaurant),
    ("Salle d’attente", .waitingArea),
    ("Electrical Room ⚡️", .service), ("Gymnasium", .sports), ("Library", .library), ("MULTI-FAITH ROOM", .prayerRoom),
    ("Principal's Office", .office), ("Lift 3", .elevator), ("Küche", .service),
  ])
  func spaceKindsAreReadFromNames(name: String, kind: SpaceKind) {
    #expect(SpaceKindWords.kind(of: name) == (name == "Küche" ? .kitchen : kind))
  }

  @Test(arguments: [
    "", "Room 7", "Barcelona", "Labyrinth", "Storey 4", "Officer", String(repeating: "office ", count: 100),
  ])
  func partsOfWordsAreIgnored(name: String) { #expect(SpaceKindWords.kind(of: name) == nil) }

  @Test func explicitKindsAreKept() {
    #expect(SpaceKindWords.refine(.corridor, names: ["Washroom"]) == .corridor)
    #expect(SpaceKindWords.refine(.room, names: ["x", "Washroom"]) == .restroom)
    #expect(SpaceKindWords.refine(.area, names: []) == .area)
  }

  @Test func theSweepAgreesWithTestingEveryPair() {
    let seed: UInt64 = 77
    print("seed \(seed)")
    var generator = SplitMix(state: seed)
    var crossing = 0
    for _ in 0..<400 {
      let count = 4 + Int(generator.next() % 8)
      let ring = (0..<count).map { _ in
        PlanePoint(x: Double(generator.next() % 1000) / 10, y: Double(generator.next() % 1000) / 10)
      }
      let found = if case .crosses = RingCrossings.examine(ring) { true } else { false }
      #expect(found == naive(ring))
      if found { crossing += 1 }
    }
    #expect(crossing > 50 && crossing < 400)
  }

  private func naive(_ ring: [PlanePoint]) -> Bool {
    func side(_ a: PlanePoint, _ b: PlanePoint, _ p: PlanePoint) -> Double {
      (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
    }
    for i in ring.indices {
      for j in ring.indices where j > i + 1 && !(i == 0 && j == ring.count - 1) {
        let (a, b, c, d) = (ring[i], ring[i + 1], ring[j], ring[(j + 1) % ring.count])
        if side(a, b, c) * side(a, b, d) < 0, side(c, d, a) * side(c, d, b) < 0 { return true }
      }
    }
    return false
  }

  @Test func tooTangledRingsAreReported() {
    let teeth = (0..<6000).map { PlanePoint(x: $0 % 2 == 0 ? 0 : 1000, y: Double($0)) }
    let ring = teeth + [PlanePoint(x: 2000, y: 6000), PlanePoint(x: 2000, y: -10), PlanePoint(x: 0, y: -10)]
    #expect(RingCrossings.examine(ring) == .unknown)
  }

  @Test func placesInsideShapesAreInside() throws {
    // A horseshoe, whose centroid lies in its opening.
    let places = [(0.0, 0.0), (30, 0), (30, 30), (20, 30), (20, 5), (10, 5), (10, 30), (0, 30)]
    let ring = places.map { Coordinate(longitude: 8 + $0.0 * 1e-5, latitude: 47 + $0.1 * 1e-5) }
    let area = GeoMultiPolygon([GeoPolygon(outer: ring)])
    let place = try #require(ShapeMeasure.interiorPoint(of: area))
    #expect(OutlineTest(area).contains(place) && OutlineCrossing.contains(area, place))
    #expect(ShapeMeasure.interiorPoint(of: GeoMultiPolygon()) == nil)
    #expect(ShapeMeasure.middle(of: []) == nil && ShapeMeasure.middle(of: [ring[0]]) == ring[0])
  }

  @Test func theSmallestOfNestedSpacesHoldsAPlace() {
    func box(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> GeoMultiPolygon {
      GeoMultiPolygon([
        GeoPolygon(
          outer: [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map {
            Coordinate(longitude: $0.0 * 1e-5, latitude: $0.1 * 1e-5)
          })
      ])
    }
    let frame = LocalFrame(origin: Coordinate(longitude: 0, latitude: 0))
    var spaces = [(id: SpaceID("hall"), outline: box(0, 0, 1000, 1000)), (SpaceID("desk"), box(10, 10, 12, 12))]
    for index in 0..<50 {
      spaces.append((SpaceID("r\(index)"), box(Double(index) * 15, 500, Double(index) * 15 + 14, 510)))
    }
    let index = SpaceGrid(spaces, frame: frame)
    func at(_ x: Double, _ y: Double) -> PlanePoint {
      frame.project(Coordinate(longitude: x * 1e-5, latitude: y * 1e-5))
    }
    #expect(index.space(at: at(11, 11)) == SpaceID("desk") && index.space(at: at(13, 13)) == SpaceID("hall"))
    #expect(index.space(at: at(11, 11), excluding: [SpaceID("desk")]) == SpaceID("hall"))
    #expect(index.space(at: at(32, 505)) == SpaceID("r2") && index.space(at: at(-5, -5)) == nil)
    #expect(index.spaces(bordering: at(14.4, 505), within: 1) == [SpaceID("r0"), SpaceID("r1")])
    #expect(SpaceGrid([], frame: frame).space(at: at(0, 0)) == nil)
  }

  @Test func listsAreInTheOrderOfFloorsAndBytes() {
    let ids = ["b", "a", "abcdefghijklmnopq2", "abcdefghijklmnopq1", "é", "Z"]
    let sorted = SourceOrder.sorted(ids, floor: { $0 == "Z" ? 0 : 1 }, id: { $0 })
    #expect(sorted == ["Z", "a", "abcdefghijklmnopq1", "abcdefghijklmnopq2", "b", "é"])
  }

  @Test func repeatedIdentifiersAreReportedAndTheFirstIsKept() throws {
    let loaded = try Drawing.load(
      text: Drawing.collection([
        Drawing.feature(Drawing.box(0, 0, 1, 1), #""id":"x","name":"first""#),
        Drawing.feature(Drawing.box(0, 0, 1, 1), #""id":"x","name":"second""#),
      ]))
    #expect(loaded.venue.spaces.map { $0.name.text() } == ["first"] && loaded.count("duplicate-id") == 1)
  }

  @Test(arguments: ["<?xml version=\"1.0\"?><gpx/>", "lon,lat\n8.5,47.3\n", "{}"])
  func aFileOfAnotherKindIsRefusedWithTheKnownFormats(text: String) {
    let error = #expect(throws: VenueError.self) { try Drawing.load(text: text) }
    #expect(error?.code == "not-a-venue" && error?.message.contains("GeoJSON") == true)
  }

  @Test func limitsOnRingsFeaturesAndFindingsAreEnforced() throws {
    var options = VenueReadOptions()
    options.limits.ringVertices = 4
    let error = #expect(throws: VenueError.self) { try Drawing.load(text: Drawing.box(0, 0, 1, 1), options: options) }
    #expect(error?.code == "limit-exceeded" && error?.byteOffset != nil)
    options = VenueReadOptions()
    options.limits.features = 1
    let two = Drawing.collection([
      Drawing.feature(Drawing.box(0, 0, 1, 1), #""id":1"#), Drawing.feature(Drawing.box(0, 0, 1, 1), #""id":2"#),
    ])
    #expect(throws: VenueError.self) { try Drawing.load(text: two, options: options) }
    options = VenueReadOptions()
    options.limits.findings = 1
    let bad = Drawing.collection(
      [Drawing.feature(Drawing.box(0, 0, 1, 1), "")] + (0..<5).map { Drawing.feature("{}", #""id":\#($0)"#) })
    let loaded = try Drawing.load(text: bad, options: options)
    #expect(loaded.findings.map(\.code) == ["geometry-unreadable", "findings-truncated"])
    #expect(loaded.findings[1].message.hasPrefix("4 "))
  }

  @Test(arguments: ["{}", "[]", "7", #""text""#, #"{"type":"Topology"}"#, #"{"type":"FeatureCollection"}"#])
  func filesThatAreNotVenuesAreReported(text: String) {
    let error = #expect(throws: VenueError.self) { try Drawing.load(text: text) }
    #expect(error?.code == "not-a-venue")
  }

  @Test(arguments: [
    #"{"type":"FeatureCollection","features":[]}"#, #"{"type":"Point","coordinates":[8,47]}"#,
    #"{"type":"Feature","geometry":null,"properties":null}"#,
  ])
  func aVenueWithoutAnyPolygonIsRefused(text: String) {
    let error = #expect(throws: VenueError.self) { try Drawing.load(text: text) }
    #expect(error?.code == "no-area" && error?.file == "test.geojson")
  }

  @Test func loadingTwiceGivesEqualVenues() throws {
    for files in [MVF3Fixture().files, MVF2Tests.renamed, IMDFTests.files] {
      let first = try Drawing.load(files)
      let second = try Drawing.load(files)
      #expect(first.venue == second.venue && first.findings == second.findings)
    }
  }
}
