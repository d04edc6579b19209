import Cordon
import CordonCore
import CordonGeometry
import CordonTestSupport
import Foundation
import Testing

/// A server of one packed venue.
actor VenueServer: HTTPTransport {
  var body: [UInt8]
  var tag: String?
  var status = 200
  var asked: [HTTPRequest] = []

  init(_ body: [UInt8], tag: String?) {
    self.body = body
    self.tag = tag
  }

  func set(_ body: [UInt8], tag: String?, status: Int = 200) {
    self.body = body
    self.tag = tag
    self.status = status
  }

  func send(_ message: HTTPRequest) async -> HTTPResponse {
    asked.append(message)
    if status == 0 { return .none }
    if status == 200, let tag, message.headers["if-none-match"] == tag {
      return HTTPResponse(status: 304, headers: ["etag": tag])
    }
    return HTTPResponse(status: status, headers: tag.map { ["etag": $0] } ?? [:], body: body)
  }
}

@Suite("Venues by ETag, the last good one kept")
struct VenueCacheTests {
  static func packed(_ name: String = "mall", hash: String) throws -> [UInt8] {
    let ring = [(8.54, 47.37), (8.55, 47.37), (8.55, 47.38), (8.54, 47.38), (8.54, 47.37)].map {
      Coordinate(longitude: $0.0, latitude: $0.1)
    }
    let boundary = GeoMultiPolygon([GeoPolygon(outer: ring)])
    let center = Coordinate(longitude: 8.545, latitude: 47.375)
    return try PackedVenue(
      venue: #require(VenueID(name)), contentHash: String(repeating: hash, count: 32),
      geofence: Geofence(center: center, radius: 900, exitRadius: 1_000), boundary: boundary, tolerance: 0,
      frameOrigin: center, floors: [], spaces: [], walls: []
    ).encode()
  }

  @Test func aVenueIsFetchedOnceAndThenRevalidated() async throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url.appendingPathComponent("cache")
    let server = VenueServer(try Self.packed(hash: "0a"), tag: "\"1\"")
    let url = try #require(URL(string: "https://server.invalid/base"))
    let venue = try #require(VenueID("mall"))
    let cache = VenueCache(server: url, folder: folder, transport: server)
    #expect(await cache.cached(venue) == nil)
    #expect(try await cache.refresh(venue).freshness == .renewed)
    #expect(await server.asked.last?.url.path == "/base/v1/venues/mall/packed")
    #expect(await server.asked.last?.headers["if-none-match"] == nil)
    // Another process finds it, and the server has no newer one.
    let other = VenueCache(server: url, folder: folder, transport: server)
    #expect(await other.cached(venue)?.contentHash == String(repeating: "0a", count: 32))
    #expect(try await other.refresh(venue).freshness == .unchanged)
    #expect(await server.asked.last?.headers["if-none-match"] == "\"1\"")
    await server.set(try Self.packed(hash: "0b"), tag: "\"2\"")
    let renewed = try await other.refresh(venue)
    #expect(renewed.freshness == .renewed)
    #expect(renewed.gate.contentHash == String(repeating: "0b", count: 32))
  }

  @Test func theLastValidVenueIsKept() async throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url.appendingPathComponent("cache")
    let good = try Self.packed(hash: "0a")
    let server = VenueServer(good, tag: "\"1\"")
    let url = try #require(URL(string: "https://server.invalid"))
    let venue = try #require(VenueID("mall"))
    let cache = VenueCache(server: url, folder: folder, transport: server)
    _ = try await cache.refresh(venue)
    let broken: [([UInt8], Int)] = [
      ([], 200), (Array(good.dropLast(3)), 200), (Array("<html>".utf8), 200),
      (try Self.packed("other", hash: "0c"), 200),
      ([], 500), ([], 404), ([], 0),
    ]
    for (body, status) in broken {
      await server.set(body, tag: "\"9\"", status: status)
      let answer = try await cache.refresh(venue)
      guard case .kept = answer.freshness else {
        Issue.record("status \(status): \(answer.freshness)")
        continue
      }
      #expect(answer.gate.contentHash == String(repeating: "0a", count: 32))
    }
    // No bad answer left its tag.
    await server.set(good, tag: "\"1\"")
    #expect(try await cache.refresh(venue).freshness == .unchanged)
  }

  @Test func aMissingVenueNamesTheRemedy() async throws {
    let server = VenueServer([], tag: nil)
    await server.set([], tag: nil, status: 404)
    let scratch = try TemporaryFolder()
    let cache = VenueCache(
      server: try #require(URL(string: "https://server.invalid")), folder: scratch.url, transport: server)
    let venue = try #require(VenueID("mall"))
    do {
      _ = try await cache.refresh(venue)
      Issue.record("there is none")
    } catch {
      #expect(error.description.contains("404") && error.description.contains("Check"))
    }
  }
}
