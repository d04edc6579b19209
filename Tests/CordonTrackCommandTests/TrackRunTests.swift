import CordonCore
import CordonGeometry
import CordonTracking
import Foundation
import Glibc
import Testing

/// From a receiver's sentences through gpsd, the tracker and real HTTP to a server.
@Suite("A box with gpsd", .serialized, .timeLimit(.minutes(3)), .enabled(if: Receiver.isAvailable))
struct TrackRunTests {
  let gate: PackedVenueGate
  let inside: [Coordinate]
  let outside: Coordinate

  init() throws {
    let venue = try TrackerVenue.load(Places.office).venue
    let gate = PackedVenueGate(venue)
    self.gate = gate
    let frame = LocalFrame(origin: venue.geofence.center)
    // A walk in the venue, clear of its rooms of which nothing is kept.
    let grid = (-20...20).flatMap { x in (-20...20).map { y in PlanePoint(x: Double(x), y: Double(y)) } }
    inside = grid.map { frame.unproject($0) }.filter { place in
      let verdict = gate.judge(place, floor: nil)
      return verdict.isInside && verdict.recording == .full
    }
    // In the geofence, but not in the venue.
    outside = frame.unproject(PlanePoint(x: venue.geofence.radius * 0.8, y: 0))
    try #require(inside.count >= 40)
    try #require(!gate.judge(outside, floor: nil).isInside)
  }

  private func now() -> Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }

  /// A walk that begins in three seconds, with five positions a second: in the venue, out of it, and in it again.
  private func walk(_ count: Int) -> String {
    var log = NMEALog()
    let start = Instant(milliseconds: (now().milliseconds / 200 + 15) * 200)
    for index in 0..<count {
      let isOutside = index % 20 >= 15
      let place = isOutside ? outside : inside[index % inside.count]
      log.add(place, at: start + .milliseconds(200 * Int64(index)))
    }
    return log.text
  }

  private func configuration(_ folder: Folder, server: LoopbackServer, gpsd: UInt16) throws -> String {
    try folder.write(
      """
      {"venue": "\(Places.office)", "store": "track.sqlite", "gpsd": "127.0.0.1:\(gpsd)",
       "sinks": [{"kind": "cordon", "url": "\(server.address)"}],
       "thinning": "0s", "flush_after": "1s", "still_after": "1h"}
      """, to: "tracker.json")
  }

  @Test func rowsArriveThroughAnOutageAndNothingFromOutside() async throws {
    let folder = try Folder()
    let server = try LoopbackServer()
    let port = try Loopback.freePort()
    let file = try configuration(folder, server: server, gpsd: port)
    let store = folder.path("track.sqlite")

    let agreed = try Tracker.run(["consent", "2026-01", "-c", file, "--json"], in: folder.url)
    #expect(agreed.status == 0, "\(agreed.errors)")
    let activated = try Tracker.run(["activate", "CODE-1", "-c", file, "--json"], in: folder.url)
    #expect(try Tracker.json(activated.text)["is_activated"] as? Bool == true, "\(activated.errors)")

    let tracker = try Tracker(["-c", file, "--json"], in: folder.url)
    _ = try await Tracker.status(of: store) { $0["phase"] as? String == "armed" }
    let receiver = try Receiver(log: try folder.write(walk(70), to: "walk.nmea"), port: port, secondsBetween: 0.06)
    _ = try await Tracker.status(of: store) { ($0["acknowledged"] as? Int ?? 0) >= 5 }
    let before = server.rows.count
    server.isDown = true
    _ = try await Tracker.status(of: store) {
      ($0["on_phone"] as? Int ?? 0) >= 5 && ($0["troubles"] as? [Any])?.isEmpty == false
    }
    #expect(server.rows.count >= before)
    server.isDown = false
    let late = try await Tracker.status(of: store) {
      ($0["stored"] as? Int ?? 0) >= 40 && $0["on_phone"] as? Int == 0
    }
    receiver.stop()
    #expect((late["refused"] as? [String: Any])?["outside"] as? Int ?? 0 > 0)
    #expect(tracker.end() == 0, "\(tracker.errors)")

    let final = try Tracker.json(tracker.text)
    #expect(final["schema"] as? String == "cordon.track/1")
    let stored = try #require(final["stored"] as? Int)
    #expect(final["acknowledged"] as? Int == stored)
    #expect(final["on_phone"] as? Int == 0)
    #expect(server.rows.count == stored, "each location once, none lost")
    for row in server.rows {
      #expect(gate.judge(row.coordinate, floor: row.floor).isInside)
      #expect(row.floor == nil, "gpsd knows no floors")
    }
    // The queue is empty on the disk too, and says so when nobody runs.
    let after = try Tracker.json(try Tracker.run(["status", "-c", file, "--json"], in: folder.url).text)
    #expect(after["is_running"] as? Bool == false)
    #expect(after["on_phone"] as? Int == 0 && after["acknowledged"] as? Int == stored)
    // Neither tokens nor places are readable in the store.
    for name in ["track.sqlite", "track.sqlite-wal"] {
      let bytes = FileManager.default.contents(atPath: folder.path(name)) ?? Data()
      #expect(bytes.range(of: Data("t0ken".utf8)) == nil)
    }
    #expect(!tracker.errors.contains(String(inside[0].longitude).prefix(7)), "no coordinate is logged")

    let withdrawn = try Tracker.run(["withdraw", "-c", file, "--json"], in: folder.url)
    #expect(try Tracker.json(withdrawn.text)["pending_erasures"] as? Int == 0, "\(withdrawn.errors)")
    #expect(server.requests.contains { $0.hasPrefix("DELETE /v1/devices/") })
    #expect(try Tracker.json(withdrawn.text)["consent"] is NSNull)
  }

  @Test func withoutConsentNothingIsRecordedOrSent() async throws {
    let folder = try Folder()
    let server = try LoopbackServer()
    let port = try Loopback.freePort()
    let file = try configuration(folder, server: server, gpsd: port)
    let tracker = try Tracker(["-c", file, "--invite", "CODE-1"], in: folder.url)
    let receiver = try Receiver(log: try folder.write(walk(20), to: "walk.nmea"), port: port, secondsBetween: 0.06)
    let status = try await Tracker.status(of: folder.path("track.sqlite")) {
      (($0["refused"] as? [String: Any])?["no_consent"] as? Int ?? 0) >= 3
    }
    receiver.stop()
    #expect(status["phase"] as? String == "needs_consent")
    #expect(status["remedy"] is String)
    #expect(status["stored"] as? Int == 0)
    #expect(tracker.end() == 0)
    #expect(server.requests.isEmpty, "not even the invite code leaves")
  }

  @Test func aDryRunShowsAndLeavesNothing() async throws {
    let folder = try Folder()
    let server = try LoopbackServer()
    let port = try Loopback.freePort()
    let file = try configuration(folder, server: server, gpsd: port)
    let receiver = try Receiver(log: try folder.write(walk(40), to: "walk.nmea"), port: port, secondsBetween: 0.06)
    let tracker = try Tracker(["-c", file, "--dry-run", "--consent", "2026-01", "--for", "60s"], in: folder.url)
    while tracker.text.split(separator: "\n").count < 5 { try await Task.sleep(for: .milliseconds(50)) }
    while !tracker.errors.contains("refused: outside") { try await Task.sleep(for: .milliseconds(50)) }
    #expect(tracker.end() == 0)
    receiver.stop()
    #expect(tracker.text.contains("floor unknown"))
    #expect(tracker.errors.contains("nothing was written or sent"))
    #expect(!tracker.text.contains(String(outside.longitude).prefix(8)))
    #expect(server.requests.isEmpty)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!left.contains { $0.hasPrefix("track.sqlite") }, "\(left)")
  }
}
