import CordonCore
import CordonGeometry
import CordonSupport
import Testing

@Suite("Packed venue")
struct PackedVenueTests {
  @Test func numbersKeepTheDocumentedPrecision() throws {
    var venue = try PackedVenueGateTests.venue()
    var random = TestRandom(seed: 2)
    venue.boundary = GeoMultiPolygon([
      GeoPolygon(
        outer: (0..<50).map { _ in
          Coordinate(longitude: random.double(in: -180...180), latitude: random.double(in: -90...90))
        }, holes: [[], (0..<5).map { _ in Coordinate(longitude: random.double(in: -1...1), latitude: 3) }])
    ])
    venue.walls[0].segments = (0..<20).map { _ in
      WallSegment(
        PlanePoint(x: random.double(in: -500...500), y: random.double(in: -500...500)),
        PlanePoint(x: random.double(in: -500...500), y: random.double(in: -500...500)))
    }
    let bytes = try venue.encode()
    let read = try PackedVenue(decoding: bytes)
    #expect(try read.encode() == bytes)
    for (a, b) in zip(venue.boundary.vertices, read.boundary.vertices) {
      #expect(abs(a.longitude - b.longitude) <= 0.51e-8 && abs(a.latitude - b.latitude) <= 0.51e-8)
    }
    #expect(venue.boundary.polygons.map(\.holes.count) == read.boundary.polygons.map(\.holes.count))
    for (a, b) in zip(venue.walls[0].segments, read.walls[0].segments) {
      #expect(abs(a.a.x - b.a.x) <= 0.51e-4 && abs(a.b.y - b.b.y) <= 0.51e-4)
    }
    #expect(read.geofence == venue.geofence)
    #expect(read.spaces == venue.spaces)
  }

  @Test func everyTruncationIsAnErrorWithAnOffset() throws {
    let bytes = try PackedVenueGateTests.venue().encode()
    for size in 0..<bytes.count {
      let error = #expect(throws: PackedVenueError.self) { try PackedVenue(decoding: Array(bytes[..<size])) }
      #expect(error?.reason == .truncated, "\(size)")
      #expect(error?.byteOffset == size)
    }
    #expect(throws: PackedVenueError(.trailingBytes, at: bytes.count, in: "header")) {
      try PackedVenue(decoding: bytes + [0])
    }
  }

  @Test func everyFlippedBitIsAnError() throws {
    let bytes = try PackedVenueGateTests.venue().encode()
    for offset in bytes.indices {
      var broken = bytes
      broken[offset] ^= 1 << UInt8(offset % 8)
      #expect(throws: PackedVenueError.self, "\(offset)") { try PackedVenue(decoding: broken) }
    }
    var newer = bytes
    newer[4] = 2
    #expect(throws: PackedVenueError(.unsupportedVersion, at: 4, in: "header")) { try PackedVenue(decoding: newer) }
    #expect(throws: PackedVenueError(.notAPackedVenue, at: 0, in: "header")) {
      try PackedVenue(decoding: Array("not a venue at all".utf8))
    }
  }

  /// A valid hash around an invalid body: the reader itself must reject it.
  static func sealed(_ body: [UInt8]) -> [UInt8] {
    var digest = SHA256()
    digest.update(body)
    let length = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }
    return Array("CPVB".utf8) + [1, 0, 0, 0] + length + digest.finalize() + body
  }

  @Test func everyBodyWithAValidHashDecodesOrFails() throws {
    let body = Array(try PackedVenueGateTests.venue().encode()[44...])
    #expect(try PackedVenue(decoding: Self.sealed(body)) == PackedVenueGateTests.venue())
    var random = TestRandom(seed: 31)
    var refused = 0
    for round in 0..<1_500 {
      var broken = body
      switch round % 3 {
      case 0: broken[random.int(below: broken.count)] = UInt8(random.int(below: 256))
      case 1: broken.removeLast(random.int(below: broken.count))
      default:
        let start = random.int(below: broken.count)
        for offset in start..<min(start + 12, broken.count) { broken[offset] = 0xff }
      }
      do throws(PackedVenueError) {
        let venue = try PackedVenue(decoding: Self.sealed(broken))
        // An accepted venue is in range and usable.
        #expect(venue.boundary.vertices.allSatisfy { $0.isValid })
        #expect(venue.spaces.allSatisfy { $0.outline.vertices.allSatisfy { $0.isValid } })
        if round % 10 != 0 { continue }
        _ = PackedVenueGate(venue).judge(Coordinate(longitude: 8.0001, latitude: 47.0001), floor: nil)
      } catch {
        refused += 1
        #expect((44...44 + broken.count).contains(error.byteOffset ?? -1), "\(error)")
      }
    }
    #expect(refused > 500)
  }

  @Test func unpackableVenuesReportTheReason() throws {
    let venue = try PackedVenueGateTests.venue()
    var broken = venue
    broken.contentHash = "xyz"
    #expect(throws: PackedVenueError(.invalidValue, in: "content hash")) { try broken.encode() }
    broken = venue
    broken.boundary.polygons[0].outer[0].latitude = .nan
    #expect(throws: PackedVenueError(.invalidValue, in: "boundary")) { try broken.encode() }
    broken = venue
    broken.spaces[1].floor = FloorID("cellar")
    #expect(throws: PackedVenueError(.danglingReference, in: "space desk")) { try broken.encode() }
    broken = venue
    broken.walls[0].segments[0].a.x = .infinity
    #expect(throws: PackedVenueError(.invalidValue, in: "walls of g")) { try broken.encode() }
    broken = venue
    broken.geofence.radius = -1
    #expect(throws: PackedVenueError(.invalidValue, in: "geofence")) { try broken.encode() }
    #expect(
      PackedVenueError(.truncated, at: 12, in: "spaces").description == "packed venue: truncated in spaces at byte 12")
  }

  @Test func wallsOfAnOrdinal() throws {
    let venue = try PackedVenueGateTests.venue()
    #expect(venue.wallIndex(at: FloorOrdinal(0)).walls.count == 1)
    #expect(venue.wallIndex(at: FloorOrdinal(1)).walls.isEmpty)
  }
}
