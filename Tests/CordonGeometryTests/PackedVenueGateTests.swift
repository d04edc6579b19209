import CordonCore
import CordonGeometry
import Testing

@Suite("Packed venue gate")
struct PackedVenueGateTests {
  static func square(_ x: Double, _ y: Double, _ size: Double) -> GeoMultiPolygon {
    // Places lie on the grid of the packed format, so that reading back gives equal numbers.
    func place(_ x: Double, _ y: Double) -> Coordinate {
      Coordinate(longitude: (x * 1e8).rounded() / 1e8, latitude: (y * 1e8).rounded() / 1e8)
    }
    return GeoMultiPolygon([
      GeoPolygon(outer: [place(x, y), place(x + size, y), place(x + size, y + size), place(x, y + size)])
    ])
  }

  static func venue() throws -> PackedVenue {
    let boundary = square(8, 47, 0.001)
    return PackedVenue(
      venue: try #require(VenueID("office")), contentHash: String(repeating: "0a", count: 32),
      geofence: try GeofencePolicy().geofence(around: boundary), boundary: boundary,
      frameOrigin: Coordinate(longitude: 8, latitude: 47),
      floors: [
        .init(id: FloorID("g"), ordinal: FloorOrdinal(0)), .init(id: FloorID("g2"), ordinal: FloorOrdinal(0)),
        .init(id: FloorID("1"), ordinal: FloorOrdinal(1)),
      ],
      spaces: [
        .init(id: SpaceID("hall"), floor: FloorID("g"), kind: "lobby", outline: square(8, 47, 0.0005)),
        .init(id: SpaceID("desk"), floor: FloorID("g"), kind: "room", outline: square(8.0001, 47.0001, 0.0001)),
        .init(
          id: SpaceID("wc"), floor: FloorID("g2"), recording: .unrecorded, kind: "restroom",
          outline: square(8.00015, 47.00015, 0.0002)),
        .init(
          id: SpaceID("ward"), floor: FloorID("1"), recording: .floorOnly, kind: "ward",
          outline: square(8.0006, 47.0006, 0.0002)),
      ],
      walls: [.init(floor: FloorID("g"), segments: [WallSegment(PlanePoint(x: 1, y: 2), PlanePoint(x: 3.5, y: -2.25))])]
    )
  }

  @Test func aPrivateSpaceAtThePositionDecides() throws {
    let gate = PackedVenueGate(try Self.venue())
    func judge(_ x: Double, _ y: Double, _ floor: Int?) -> GateVerdict {
      gate.judge(Coordinate(longitude: x, latitude: y), floor: floor.map(FloorOrdinal.init(_:)))
    }
    #expect(judge(7.9, 47, 0) == .outside)
    #expect(judge(8.00012, 47.00012, 0) == GateVerdict(isInside: true, space: SpaceID("desk")))
    #expect(judge(8.0004, 47.0004, 0) == GateVerdict(isInside: true, space: SpaceID("hall")))
    // In the desk's area and in the restroom of another floor with the same ordinal.
    #expect(judge(8.00018, 47.00018, 0) == GateVerdict(isInside: true, recording: .unrecorded))
    #expect(judge(8.00018, 47.00018, 1) == GateVerdict(isInside: true))
    #expect(judge(8.00018, 47.00018, nil) == GateVerdict(isInside: true, recording: .unrecorded))
    #expect(judge(8.00018, 47.00018, 7) == GateVerdict(isInside: true, recording: .unrecorded))
    #expect(judge(8.0007, 47.0007, nil) == GateVerdict(isInside: true, recording: .floorOnly))
    #expect(judge(8.0007, 47.0007, 1) == GateVerdict(isInside: true, recording: .floorOnly))
    #expect(judge(8.0007, 47.0007, 0) == GateVerdict(isInside: true))
    #expect(judge(.nan, 47.0007, nil) == .outside)
  }

  @Test func aMinimumProbabilityRefusesUncertainFixes() throws {
    let venue = try Self.venue()
    let gate = PackedVenueGate(venue, minimumProbability: 0.9)
    let middle = try #require(venue.boundary.bounds).center
    // The boundary is some 76 m by 111 m.
    #expect(gate.judge(middle, floor: nil, accuracy: 5).isInside)
    #expect(!gate.judge(middle, floor: nil, accuracy: 200).isInside)
    #expect(!gate.judge(middle, floor: nil, accuracy: nil).isInside && !gate.judge(middle, floor: nil).isInside)
    #expect(!gate.judge(middle, floor: nil, accuracy: .infinity).isInside)
    let edge = Coordinate(longitude: 8.00001, latitude: middle.latitude)
    #expect(!gate.judge(edge, floor: nil, accuracy: 10).isInside)
    #expect(gate.judge(edge, floor: nil, accuracy: 0).isInside)
    #expect(PackedVenueGate(venue, minimumProbability: 0.5).judge(edge, floor: nil, accuracy: 10).isInside)
    // Without a required confidence the reported position decides.
    #expect(PackedVenueGate(venue).judge(edge, floor: nil, accuracy: nil).isInside)
    #expect(!PackedVenueGate(venue, minimumProbability: .nan).judge(middle, floor: nil, accuracy: 50).isInside)
    #expect(PackedVenueGate(venue, minimumProbability: -3).minimumProbability == 0)
  }

  @Test func aPackedVenueReadsBackEqual() throws {
    let venue = try Self.venue()
    let bytes = try venue.encode()
    #expect(try PackedVenue(decoding: bytes) == venue)
    #expect(try venue.encode() == bytes)
  }
}
