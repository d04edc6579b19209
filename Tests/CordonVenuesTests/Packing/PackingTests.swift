import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenueTools
@testable import CordonVenues

@Suite struct PackingTests {
  static func office() throws -> Venue {
    try VenueGenerator.generate(kind: .office, floors: 2, area: 1_500, seed: 3)
  }

  @Test func restroomsAndPrayerRoomsAreUnrecordedByDefault() throws {
    let venue = try Self.office()
    let packed = try venue.packed()
    let recordings = Dictionary(grouping: packed.spaces, by: \.kind).mapValues { Set($0.map(\.recording)) }
    #expect(recordings["restroom"] == [.unrecorded])
    #expect(recordings["prayer-room"] == [.unrecorded])
    #expect(recordings["office"] == [.full])
    #expect(packed.spaces.count == venue.spaces.count)
  }

  @Test func aSpaceInAListCountsBeforeItsKind() throws {
    let venue = try Self.office()
    let restroom = try #require(venue.spaces.first { $0.kind == .restroom })
    let office = try #require(venue.spaces.first { $0.kind == .office })
    var policy = RecordingPolicy(floorOnlyKinds: [.meetingRoom], unrecordedSpaces: [office.id])
    policy.floorOnlySpaces = [restroom.id]
    #expect(policy.recording(of: restroom) == .floorOnly)
    #expect(policy.recording(of: office) == .unrecorded)
    let meeting = try #require(venue.spaces.first { $0.kind == .meetingRoom })
    #expect(policy.recording(of: meeting) == .floorOnly)
    policy.unrecordedSpaces = [SpaceID("nowhere")]
    #expect {
      try venue.packed(recording: policy)
    } throws: {
      ($0 as? VenueError)?.code == "unknown-space"
    }
  }

  @Test func aPackedVenueIsSmallHasNoNamesAndReadsBack() throws {
    let venue = try Self.office()
    let packed = try venue.packed()
    let bytes = try packed.encode()
    #expect(bytes.count < 12_000, "\(bytes.count) bytes")
    let text = String(decoding: bytes, as: UTF8.self)
    for name in venue.pointsOfInterest.compactMap({ $0.name.text() }) + venue.spaces.compactMap({ $0.name.text() })
    where name.utf8.count > 3 {
      #expect(!text.contains(name))
    }
    let read = try PackedVenue(decoding: bytes)
    #expect(read.spaces.map(\.id) == packed.spaces.map(\.id))
    #expect(read.contentHash == venue.contentHash)
    #expect(try read.encode() == bytes)
    #expect(!read.walls.isEmpty && read.walls.allSatisfy { !$0.segments.isEmpty })
  }

  @Test func aPlanThatTheCallerHasGivesTheSameBytes() throws {
    let venue = try Self.office()
    let packing = try venue.packing(plan: VenuePlan(venue))
    #expect(packing.findings.isEmpty)
    #expect(try packing.venue.encode() == venue.packed().encode())
  }

  @Test func thePackHasTheDoorsThatPeopleUse() throws {
    // The walls of an island have a gap only where a door is assumed.
    let venue = try DefectiveMap(.island, seed: 3, hasWalls: true).drawing.venue()
    let routes = try VenueRoutes(venue).routes
    #expect(routes.plan.doors.contains { $0.id.hasPrefix("assumed:") })
    let packed = try venue.packed()
    #expect(packed.walls.map(\.segments) == routes.plan.floors.map(\.walls))
    let withoutMends = try VenueRoutes(venue, mends: false).routes
    #expect(packed.walls.map(\.segments) != withoutMends.plan.floors.map(\.walls))
  }

  @Test func wallsThatCannotBeBuiltAreReported() throws {
    // A ring with more vertices than a plan may compare.
    let ring = (0..<60_000).map { index -> Coordinate in
      let angle = 2 * Double.pi * Double(index) / 60_000
      return Coordinate(
        longitude: 8 + PortableMath.cos(angle) * 1e-3, latitude: 47 + PortableMath.sin(angle) * 1e-3)
    }
    var drawing = PlanVenue()
    drawing.floor("f", 0)
    drawing.space("hall", "f", .lobby, GeoMultiPolygon([GeoPolygon(outer: ring)]))
    let venue = try drawing.venue()
    let packing = try venue.packing(boundary: .spaces)
    #expect(packing.venue.walls.isEmpty && packing.venue.spaces.count == 1)
    #expect(packing.findings.map(\.code) == ["walls-not-built"])
    #expect(packing.findings.map(\.severity) == [.warning])
    #expect(packing.findings[0].object == nil && packing.findings[0].message.contains("too many edges"))
    let error = #expect(throws: VenueError.self) { try venue.packed(boundary: .spaces) }
    #expect(error?.code == "walls-not-built")
  }

  @Test func aFloorWithWallsAndNothingToWalkOnIsReported() throws {
    var drawing = PlanVenue()
    drawing.floor("ground", 0)
    drawing.space("hall", "ground", .lobby, PlanVenue.rectangle(0, 0, 20, 10))
    drawing.floor("roof", 1)
    drawing.wall("roof", (0, 0), (20, 0))
    drawing.floor("empty", 2)
    let packing = try drawing.venue().packing(boundary: .spaces)
    #expect(packing.venue.walls.map(\.floor.rawValue) == ["ground"])
    #expect(packing.findings.map(\.object) == ["roof"])
    // The walls of other floors are there, so that the short form packs the venue.
    #expect(try drawing.venue().packed(boundary: .spaces) == packing.venue)
    // A map with neither walls nor spaces has none to report.
    let yard = try PlanVenue().venue().packing(boundary: .polygon(PlanVenue.rectangle(0, 0, 20, 10)))
    #expect(yard.findings.isEmpty && yard.venue.walls.isEmpty)
  }

  @Test func theGateOfAPackedVenueAgreesWithTheVenue() throws {
    let venue = try Self.office()
    let gate = PackedVenueGate(try PackedVenue(decoding: venue.packed().encode()))
    for space in venue.spaces where space.kind != .corridor {
      let inside = try #require(space.outline.centroid)
      let floor = try #require(venue.floors.first { $0.id == space.floor })
      let verdict = gate.judge(inside, floor: floor.ordinal)
      #expect(verdict.isInside)
      #expect(verdict.recording == RecordingPolicy().recording(of: space))
      // Not even the name of an unrecorded place is returned.
      #expect(verdict.space == (verdict.recording == .unrecorded ? nil : space.id))
    }
    let circle = gate.geofence
    #expect(!gate.judge(circle.center.moved(metresNorth: circle.radius), floor: nil).isInside)
  }
}

extension Coordinate {
  fileprivate func moved(metresNorth: Double) -> Coordinate {
    LocalFrame(origin: self).unproject(PlanePoint(x: 0, y: metresNorth))
  }
}
