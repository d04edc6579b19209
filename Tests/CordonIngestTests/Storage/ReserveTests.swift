import CordonCore
import CordonWire
import Foundation
import Testing

@testable import CordonIngest

/// A full disk refuses rows, but no withdrawal.
@Suite("Reserved room") struct ReserveTests {
  /// A reserve that is released by letting the file grow.
  private final class Room: SpaceReserve {
    let store: SQLitePositionStore
    var isWhole = true
    var isNearlyFull = false
    var hasSpace = false

    init(_ store: SQLitePositionStore) { self.store = store }

    func setFull(_ isFull: Bool) throws {
      let pages = try store.connection.int("PRAGMA page_count")
      try store.connection.script("PRAGMA max_page_count = \(isFull ? pages : 1 << 20)")
    }

    func release() -> Bool {
      guard isWhole else { return false }
      isWhole = false
      return (try? setFull(false)) != nil
    }

    func restore() { isWhole = hasSpace }
  }

  private func rows(_ bench: Bench, _ name: String, _ count: Int) throws -> [Location] {
    try (0..<count).map { try bench.location(name, at: bench.now - .milliseconds(Int64(100 * $0))) }
  }

  @Test(arguments: ["erasure", "withdrawal", "administrator"])
  func aFullDiskDoesNotStopErasures(_ what: String) throws {
    let bench = try Bench(inFile: true)
    let room = Room(bench.store)
    bench.ingest.reserve = room
    let (leaver, stayer) = (try bench.phone("leaver"), try bench.phone("stayer"))
    try bench.post(try rows(bench, "leaver", 200), by: leaver)
    #expect(bench.ingest.isReady(now: bench.now))
    room.isNearlyFull = true
    #expect(bench.ingest.unreadiness(now: bench.now) == [.disk], "before rows are refused")
    // As much new text as a bundle has, so that every page is used.
    try room.setFull(true)
    var status = 207
    for _ in 0..<40 where status == 207 {
      bench.now = bench.now + .minutes(1)
      let body = String(decoding: PositionBatch.encode(try rows(bench, "stayer", 600)), as: UTF8.self)
      status = bench.send("POST", "/v1/positions", body, stayer.bearer).status
    }
    #expect(status == 503)
    switch what {
    case "erasure":
      #expect(bench.send("DELETE", "/v1/devices/leaver", #"{"secret": "\#(leaver.secret)"}"#).status == 200)
    case "administrator":
      // The audit entry is written first, and may need room as well.
      #expect(bench.asAdmin("DELETE", "/v1/devices/leaver?reason=\(String(repeating: "x", count: 400))").status == 200)
    default:
      let version = String(repeating: "v", count: 250)
      for time in 0..<60 {
        let body = #"{"version": "\#(version)", "purposes": [], "time": \#(bench.now.milliseconds + Int64(time))}"#
        #expect(bench.send("PUT", "/v1/devices/leaver/consent", body, leaver.bearer).status == 204)
      }
    }
    if what == "withdrawal" { #expect(!room.isWhole, "the room was used") } else { _ = room.release() }
    // The rest of the reserve is not for rows.
    #expect(bench.send("POST", "/v1/positions", #"{"rows": []}"#, stayer.bearer).code == "store-full")
    #expect(bench.ingest.unreadiness(now: bench.now).contains(.disk))
    room.hasSpace = true
    room.isNearlyFull = false
    while bench.ingest.tick(now: bench.now) {}
    #expect(bench.send("POST", "/v1/positions", #"{"rows": []}"#, stayer.bearer).status == 207)
  }
}
