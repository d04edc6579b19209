import Cordon
import CordonCore
import CordonGeometry
import CordonTestSupport
import CordonTracking
import Foundation
import Testing

/// A tracker with a venue of a server.
@Suite("Venues of servers", .serialized, .timeLimit(.minutes(15)))
struct TrackerVenuesTests {
  let folder: TemporaryFolder
  let office: PackedVenue
  static let address = "https://c.example/base/v1/venues/office"

  init() throws {
    folder = try TemporaryFolder()
    var office = try TrackerVenue.load(Places.office).venue
    office.venue = try #require(VenueID("office"))
    self.office = office
  }

  /// The office, packed from another bundle.
  private func packed(_ digit: Character) throws -> [UInt8] {
    var venue = office
    venue.contentHash = String(repeating: digit, count: 64)
    return try venue.encode()
  }

  private func venues(_ server: VenueServer, keeping: Bool = true) async throws -> TrackerVenues {
    try await TrackerVenues([Self.address], folder: folder.url, keeping: keeping, transport: server)
  }

  private func hash(_ venues: TrackerVenues) async -> Character? { await venues.gates.first?.contentHash.first }

  @Test func theLastValidVenueIsUsedWithoutANetwork() async throws {
    let server = VenueServer(try packed("a"), tag: "\"1\"")
    let first = try await venues(server)
    #expect(await first.gates.isEmpty)
    #expect(await first.hasServers)
    #expect(await first.ask().map(\.freshness) == [.renewed])
    await server.set([], tag: "", status: 0)
    // Another process, offline: the stored venue is available without a request.
    let second = try await venues(server)
    #expect(await hash(second) == "a")
    let updates = await second.ask()
    guard case .kept = updates.first?.freshness else {
      Issue.record("\(updates)")
      return
    }
    #expect(updates.first?.sentence?.contains("last good") == true)
    #expect(await hash(second) == "a")
  }

  @Test func unchangedVenuesAreNotSentAgain() async throws {
    let server = VenueServer(try packed("a"), tag: "\"1\"")
    _ = try await venues(server).ask()
    let again = try await venues(server)
    let updates = await again.ask()
    #expect(updates.map(\.freshness) == [.unchanged])
    #expect(updates.first?.sentence == nil, "no update is reported")
    #expect(await server.answered == [200, 304])
    await server.set(try packed("b"), tag: "\"2\"")
    #expect(await again.ask().map(\.freshness) == [.renewed])
    #expect(await hash(again) == "b")
  }

  @Test func aDamagedVenueKeepsTheLastValidOne() async throws {
    let server = VenueServer(try packed("a"), tag: "\"1\"")
    let venues = try await venues(server)
    _ = await venues.ask()
    var other = office
    other.venue = try #require(VenueID("elsewhere"))
    for (body, status) in [
      (Array(try packed("b").dropLast(9)), 200), ([], 200), (try other.encode(), 200), ([], 404), ([], 500),
    ] {
      await server.set(body, tag: "\"2\"", status: status)
      guard case .kept = await venues.ask().first?.freshness else {
        Issue.record("status \(status) with \(body.count) bytes was taken")
        continue
      }
      #expect(await hash(venues) == "a")
      #expect(await hash(try await self.venues(server)) == "a", "on the disk too")
    }
  }

  @Test func readingStoresNothing() async throws {
    let server = VenueServer(try packed("a"), tag: "\"1\"")
    let looker = try await venues(server, keeping: false)
    #expect(await looker.ask().map(\.freshness) == [.renewed])
    #expect(await hash(looker) == "a")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    #expect(await hash(try await venues(server)) == nil)
  }

  @Test func addressesNameServerAndVenue() throws {
    for (text, root) in [
      ("https://c.example/v1/venues/mall", "https://c.example"),
      (
        "http://10.0.0.1:8080/base/v1/venues/mall/packed", "http://10.0.0.1:8080/base"
      ),
    ] {
      let address = try VenueAddress(text)
      #expect(address.server.absoluteString == root && address.venue == VenueID("mall"))
    }
    for text in [
      "https://c.example", "https://c.example/mall", "https://c.example/v1/venues", "https://c.example/v1/venues/a%20b",
      "https://c.example/v1/venues/mall?x=1", "https:///v1/venues/mall",
    ] {
      #expect(throws: TrackerError.self, "\(text)") { try VenueAddress(text) }
    }
  }

  @Test func aVenueIsNamedOnce() async throws {
    await #expect(throws: TrackerError.self) {
      try await TrackerVenues([Self.address, Self.address + "/packed"], folder: nil)
    }
  }

  /// The executables, over real HTTP: the venue is fetched at the first start, available at the second without a
  /// server, renewed while the tracker runs, and not replaced by a broken one.
  @Test func aTrackerStartsOfflineWithTheLastValidVenue() async throws {
    let server = try LoopbackServer()
    server.serve(venue: try packed("a"), as: "office", tag: "\"1\"")
    let gpsd = try Loopback.freePort()
    let file = try folder.write(
      """
      {"venue": "\(server.address)/v1/venues/office", "venue_refresh": "1s", "store": "track.sqlite",
       "gpsd": "127.0.0.1:\(gpsd)", "sinks": [{"kind": "cordon", "url": "\(server.address)"}]}
      """, to: "tracker.json")
    // The doctor leaves no files behind.
    _ = try Tracker.run(["doctor", "-c", file, "--wait", "0s"], in: folder.url)
    #expect(!FileManager.default.fileExists(atPath: folder.path("track.sqlite.venues")))

    let arguments = ["-c", file, "--consent", "2026-01", "--invite", "CODE-1", "--status-interval", "200ms"]
    let first = try Tracker(arguments, in: folder.url)
    try await first.hears("phase armed")
    server.serve(venue: try packed("b"), as: "office", tag: "\"2\"")
    try await first.hears("venue office of 127.0.0.1 is fetched")
    server.serve(venue: Array("<html>".utf8), as: "office", tag: "\"3\"")
    try await first.hears("the last good one is used")
    #expect(first.end() == 0, "\(first.errors)")

    server.isDown = true
    let second = try Tracker(["-c", file, "--status-interval", "200ms"], in: folder.url)
    let status = try await second.status(of: folder.path("track.sqlite")) { $0["phase"] as? String == "armed" }
    #expect(status["venue"] as? String == "office")
    #expect(second.end() == 0, "\(second.errors)")
    let doctor = try Tracker.run(["doctor", "-c", file, "--wait", "0s", "--json"], in: folder.url)
    let findings = try #require(try Tracker.json(doctor.text)["findings"] as? [[String: Any]])
    #expect(findings.contains { $0["code"] as? String == "venue-kept" }, "\(doctor.text)")
  }

  /// Without a network and without a venue the tracker waits and reports that; it does not end.
  @Test func aTrackerWaitsForItsFirstVenue() async throws {
    let server = try LoopbackServer()
    server.isDown = true
    let gpsd = try Loopback.freePort()
    let file = try folder.write(
      """
      {"venue": "\(server.address)/v1/venues/office", "store": "track.sqlite", "gpsd": "127.0.0.1:\(gpsd)",
       "sinks": [{"kind": "file", "path": "rows.jsonl"}]}
      """, to: "tracker.json")
    let tracker = try Tracker(["-c", file, "--consent", "2026-01", "--status-interval", "200ms"], in: folder.url)
    try await tracker.hears("phase needs_venue")
    server.serve(venue: try packed("a"), as: "office", tag: "\"1\"")
    server.isDown = false
    try await tracker.hears("phase armed")
    #expect(tracker.end() == 0, "\(tracker.errors)")
  }
}
