import CordonCore
import CordonGeometry
import CordonTestSupport
import CordonTracking
import Foundation
import Glibc
import Testing

/// From a receiver's sentences through gpsd, the tracker and real HTTP to a server.
@Suite("A tracker with gpsd", .serialized, .timeLimit(.minutes(15)), .enabled(if: FakeReceiver.isAvailable))
struct TrackRunTests {
  let gate: PackedVenueGate
  let inside: [Coordinate]
  let outside: Coordinate

  init() throws {
    let venue = try TrackerVenue.load(Places.office).venue
    let gate = PackedVenueGate(venue)
    self.gate = gate
    let frame = LocalFrame(origin: venue.geofence.center)
    // A line in the venue with places a metre apart, outside of its unrecorded rooms.
    let lines = (-20...20).map { x in
      (-20...20).map { frame.unproject(PlanePoint(x: Double(x), y: Double($0))) }.filter { place in
        let verdict = gate.judge(place, floor: nil)
        return verdict.isInside && verdict.recording == .full
      }
    }
    inside = try #require(lines.max { $0.count < $1.count })
    // In the geofence, but not in the venue.
    outside = frame.unproject(PlanePoint(x: venue.geofence.radius * 0.8, y: 0))
    try #require(inside.count >= 10)
    try #require(!gate.judge(outside, floor: nil).isInside)
  }

  private func now() -> Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }

  /// A walk to and fro that begins now, with a position each `step` milliseconds: fifteen in the venue, five out of
  /// it. It ends before a clock would call it the future, so the time of sending does not matter.
  private func walk(_ count: Int, step: Int64) -> String {
    var log = NMEALog()
    let start = Instant(milliseconds: (now().milliseconds / 10 + 1) * 10)
    for index in 0..<count {
      let turn = index % (2 * inside.count - 2)
      let place = index % 20 >= 15 ? outside : inside[min(turn, 2 * inside.count - 2 - turn)]
      log.add(place, at: start + .milliseconds(step * Int64(index)))
    }
    return log.text
  }

  /// Sentences of one position in the log.
  private static let sentences = 3

  private func configuration(_ folder: TemporaryFolder, server: LoopbackServer, gpsd: UInt16) throws -> String {
    try folder.write(
      """
      {"venue": "\(Places.office)", "store": "track.sqlite", "gpsd": "127.0.0.1:\(gpsd)",
       "sinks": [{"kind": "cordon", "url": "\(server.address)"}],
       "thinning": "0s", "flush_after": "1s", "still_after": "1h"}
      """, to: "tracker.json")
  }

  @Test func rowsArriveAfterAnOutageAndNothingFromOutside() async throws {
    let folder = try TemporaryFolder()
    let server = try LoopbackServer()
    let port = try Loopback.freePort()
    let file = try configuration(folder, server: server, gpsd: port)
    let store = folder.path("track.sqlite")

    let agreed = try Tracker.run(["consent", "2026-01", "-c", file, "--json"], in: folder.url)
    #expect(agreed.status == 0, "\(agreed.errors)")
    let early = try Tracker.run(["person-page", "-c", file], in: folder.url)
    #expect(early.status == 2 && early.text.isEmpty && early.errors.contains("gave no link"), "\(early.errors)")
    let none = try Tracker.run(["check-in-form", "-c", file], in: folder.url)
    #expect(none.status == 1 && none.text.isEmpty && none.errors.contains("asks no form"), "\(none.errors)")
    let activated = try Tracker.run(["activate", "CODE-1", "-c", file, "--json"], in: folder.url)
    #expect(try Tracker.json(activated.text)["is_activated"] as? Bool == true, "\(activated.errors)")

    let tracker = try Tracker(["-c", file, "--json", "--status-interval", "200ms"], in: folder.url)
    try await tracker.hears("phase armed")
    let log = URL(fileURLWithPath: try folder.write(walk(90, step: 50), to: "walk.nmea"))
    let receiver = try await FakeReceiver.start(log: log, port: port)
    // The tracker is connected, and has received no position.
    try await tracker.hears("has reported no position")
    receiver.say(30 * Self.sentences)
    for await count in server.counts where count >= 5 { break }
    let before = server.rows.count
    server.isDown = true
    receiver.say(30 * Self.sentences)
    _ = try await tracker.status(of: store) {
      ($0["on_phone"] as? Int ?? 0) >= 5 && ($0["issues"] as? [Any])?.isEmpty == false
    }
    #expect(server.rows.count >= before)
    // The tracked person may read all of their data, while the tracker runs.
    let export = try Tracker.json(try Tracker.run(["export", "-c", file], in: folder.url).text)
    #expect((export["locations"] as? [Any])?.count ?? 0 >= 5)
    server.isDown = false
    receiver.say(.max)
    let late = try await tracker.status(of: store) {
      ($0["stored"] as? Int ?? 0) >= 30 && $0["on_phone"] as? Int == 0
    }
    // The running tracker has the token with which the server makes a link.
    let page = try Tracker.run(["person-page", "-c", file], in: folder.url)
    #expect(page.text == "\(server.address)/console/person#code=7QK2MMWD\n", "\(page.errors)")
    let form = try Tracker.run(["check-in-form", "-c", file], in: folder.url)
    #expect(form.text == "\(server.address)/forms/screening/#code=7QK2MMWD\n", "\(form.errors)")
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
    // The queue is empty on the disk too, and the status says so when no tracker runs.
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
    let folder = try TemporaryFolder()
    let server = try LoopbackServer()
    let port = try Loopback.freePort()
    let file = try configuration(folder, server: server, gpsd: port)
    let log = URL(fileURLWithPath: try folder.write(walk(400, step: 10), to: "walk.nmea"))
    let receiver = try await FakeReceiver.start(log: log, port: port)
    let tracker = try Tracker(["-c", file, "--invite", "CODE-1", "--status-interval", "200ms"], in: folder.url)
    let status = try await tracker.status(of: folder.path("track.sqlite")) {
      // Whether it listens yet cannot be observed.
      receiver.say(2 * Self.sentences)
      return (($0["refused"] as? [String: Any])?["no_consent"] as? Int ?? 0) >= 3
    }
    receiver.stop()
    #expect(status["phase"] as? String == "needs_consent")
    #expect(status["remedy"] is String)
    #expect(status["stored"] as? Int == 0)
    #expect(tracker.end() == 0)
    #expect(server.requests.isEmpty, "not even the invite code leaves")
  }

  @Test func aDryRunPrintsAndStoresNothing() async throws {
    let folder = try TemporaryFolder()
    let server = try LoopbackServer()
    let port = try Loopback.freePort()
    let file = try configuration(folder, server: server, gpsd: port)
    let tracker = try Tracker(["-c", file, "--dry-run", "--consent", "2026-01"], in: folder.url)
    try await tracker.hears("phase armed")
    let log = URL(fileURLWithPath: try folder.write(walk(90, step: 50), to: "walk.nmea"))
    let receiver = try await FakeReceiver.start(log: log, port: port)
    try await tracker.hears("has reported no position")
    receiver.say(.max)
    var shown = 0
    for await _ in tracker.lines {
      shown += 1
      if shown == 5 { break }
    }
    try await tracker.hears("refused: outside")
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
