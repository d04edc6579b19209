import CordonCore
import CordonIngest
import CordonTestSupport
import Foundation
import Testing

@testable import CordonPostgres

/// An erasure that the server with the records of forms has to finish.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct ErasureNoteTests {
  /// Data of devices that are files of one server.
  private final class Records: DeviceFollower {
    var erased: [String] = []
    var isBroken = false
    var catchUps = 0

    func forget(_ device: DeviceID, _ end: DeviceEnd, at time: Instant) throws(StoreFault) {
      if isBroken { throw StoreFault(.failed, "the file cannot be written") }
      erased.append("\(device.rawValue) \(end == .device ? "device" : "holders")")
    }

    func catchUp(at time: Instant, ends: (DeviceID) throws(StoreFault) -> [DeviceEnd]) throws(StoreFault) {
      catchUps += 1
      if isBroken { throw StoreFault(.unavailable, "no store") }
    }
  }

  private let basic = IngestRequest.Header("authorization", "Basic " + Data("op:the key".utf8).base64EncodedString())

  private func servers(
    _ database: Database, forms: Bool = true
  ) throws -> (owner: TestServer, records: Records, other: TestServer) {
    let owner = try TestServer("owner", database, now: .testStart, services: forms ? [.forms] : [])
    let records = Records()
    try owner.store.connect()
    try owner.ingest.add(records, now: .testStart)
    return (owner, records, try TestServer("other", database, now: .testStart, services: []))
  }

  private func code(_ answer: (status: Int, object: [String: Any])) -> String? { answer.object["code"] as? String }

  @Test func aReceiptWaitsForTheServerWithTheRecords() throws {
    let database = try Database()
    let (owner, records, other) = try servers(database)
    let secret = try other.activate("phone")
    let request = (path: "/v1/devices/phone", body: #"{"secret": "\#(secret)"}"#)
    let first = try other.send("DELETE", request.path, request.body)
    #expect(first.status == 503 && code(first) == "erasure-open")
    // The device is erased, and nobody confirms it: neither to the person nor to an administrator.
    #expect(try database.sql("SELECT count(*) FROM device") == "0")
    for server in [owner, other] {
      let again = try server.send("DELETE", request.path, request.body)
      #expect(again.status == 503 && code(again) == "erasure-open")
    }
    let asked = try other.send("DELETE", request.path, #"{"reason": "test"}"#, [basic])
    #expect(asked.status == 503)
    // A fault leaves the note.
    records.isBroken = true
    owner.tick()
    #expect(try other.send("DELETE", request.path, request.body).status == 503)
    records.isBroken = false
    other.tick()
    #expect(records.erased.isEmpty)
    owner.tick()
    #expect(records.erased == ["phone device"])
    let receipt = try other.send("DELETE", request.path, request.body)
    #expect(receipt.status == 200 && receipt.object["device"] as? String == "phone")
    #expect(try other.send("DELETE", request.path, #"{"reason": "test"}"#, [basic]).status == 404)
    owner.tick()
    #expect(records.erased.count == 1)
  }

  /// The server with the records erases them itself; and a receipt waits for nothing when no server has any.
  @Test func theServerWithTheRecordsNeedsNoNote() throws {
    let database = try Database()
    let (owner, records, _) = try servers(database)
    let secret = try owner.activate("phone")
    #expect(try owner.send("DELETE", "/v1/devices/phone", #"{"secret": "\#(secret)"}"#).status == 200)
    #expect(records.erased == ["phone device"])
    #expect(try database.sql("SELECT count(*) FROM erasure_note") == "0")
    let (_, _, other) = try servers(try Database(), forms: false)
    let second = try other.activate("phone")
    #expect(try other.send("DELETE", "/v1/devices/phone", #"{"secret": "\#(second)"}"#).status == 200)
  }

  /// Notes have the limits of their erasures, and a transaction that is undone notes nothing.
  @Test func notesKeepTheirLimits() throws {
    let database = try Database()
    let (owner, _, other) = try servers(database)
    let device = try #require(DeviceID("phone"))
    let ends: [DeviceEnd] = [
      .device, .holders(before: .testStart), .holders(before: .testStart, receivedUntil: .testStart + .days(1)),
    ]
    for end in ends { try other.store.noteErasure(of: device, end) }
    try other.store.begin()
    try other.store.noteErasure(of: device, .device)
    other.store.rollback()
    #expect(try owner.store.openErasures(limit: 9).map(\.end) == ends)
    #expect(try owner.store.openErasures(limit: 2).count == 2)
    #expect(try other.store.openErasures(limit: 9).isEmpty)
    for note in try owner.store.openErasures(limit: 9) { try owner.store.removeErasure(note.number) }
    #expect(try !other.store.isErasureOpen(of: device))
    // The server is lost for ever, and its note was taken away: nothing is left to wait for.
    try other.store.noteErasure(of: device, .device)
    #expect(try other.store.isErasureOpen(of: device))
    try database.sql("DELETE FROM setting WHERE name = 'files_of_forms'")
    #expect(try !other.store.isErasureOpen(of: device))
  }

  /// A server that starts without its database catches up later.
  @Test func erasuresOfTheTimeBeforeAreMadeUpFor() throws {
    let server = try TestServer("owner", try Database(), now: .testStart, services: [.forms])
    let records = Records()
    records.isBroken = true
    try server.ingest.add(records, now: .testStart)
    server.tick()
    #expect(records.catchUps == 2)
    records.isBroken = false
    for _ in 0..<2 { server.tick() }
    #expect(records.catchUps == 3)
  }
}
