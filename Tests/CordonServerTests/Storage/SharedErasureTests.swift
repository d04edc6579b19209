import CordonCollection
import CordonCore
import CordonForms
import CordonSupport
import CordonTestSupport
import Foundation
import Testing

/// An erasure at one server reaches the records of forms, which are a file of another.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"), .timeLimit(.minutes(5)))
struct SharedErasureTests {
  private func publish(_ server: LiveServer) async throws {
    let document: JSONValue = [
      "form": "visits", "version": 1, "title": "Visits",
      "items": [["name": "n", "type": "integer", "required": true], ["name": "name", "type": "text"]],
    ]
    let body: JSONValue = ["venue": .string(server.venue.rawValue), "document": document, "for_devices": .bool(true)]
    #expect(try await server.send("POST", "/v1/operator/forms", body.text(), server.basic).status == 201)
  }

  /// A device with a record; returns its secret.
  private func device(_ name: String, record: Int, _ server: LiveServer) async throws -> String {
    let (secret, bearer) = try await server.device(name)
    var replica = FormReplica(form: "visits", device: name)
    _ = replica.store(
      FormRevision(
        record: "00000000-0000-4000-8000-00000000000\(record)", form: "visits", version: 1, parents: [], device: name,
        time: Instant(milliseconds: 1_768_204_800_000), answers: ["n": 1, "name": .string("Canary of \(name)")]))
    let answer = try await server.send("POST", "/v1/forms/visits/sync", replica.request().text(), bearer)
    try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    return secret
  }

  /// The names of the devices whose records are in the file, also those of a server that does not run.
  private func names(_ server: LiveServer) throws -> [String] {
    try SQLiteFormStore(path: server.folder + "/data/forms.sqlite").devices().sorted()
  }

  @Test func anErasureIsFinishedByTheServerWithTheForms() async throws {
    let database = try PostgresServer.shared.get()
    let url = try database.database()
    let environment = ["CORDON_STORE": url]
    let withForms = ["CORDON_STORE": url, "CORDON_FORMS": "yes"]
    try await LiveServer.with(withForms, endsItself: true, status: SIGKILL) { server in
      try await publish(server)
      let secrets = [
        try await device("one", record: 1, server), try await device("two", record: 2, server),
        try await device("three", record: 3, server),
      ]
      #expect(try names(server) == ["one", "three", "two"])
      let other = try await server.neighbour(environment)
      func erase(
        _ index: Int, at place: LiveServer
      ) async throws -> (status: Int, headers: [String: String], body: Data) {
        let path = "/v1/devices/" + ["one", "two", "three"][index]
        return try await place.send("DELETE", path, #"{"secret":"\#(secrets[index])"}"#)
      }
      // The receipt comes when the records are gone.
      let receipt = try await erase(0, at: other)
      #expect(receipt.status == 200, "\(String(decoding: receipt.body, as: UTF8.self))")
      #expect(try names(server) == ["three", "two"])
      #expect(try database.sql("SELECT count(*) FROM cordon.erasure_note", at: url) == "0")
      // An erasure by the server with the forms needs no other.
      #expect(try await erase(1, at: server).status == 200)
      #expect(try names(server) == ["three"])
      // While that server is down nobody gets a receipt, and the erasure is noted.
      await server.stop(SIGKILL)
      let refused = try await erase(2, at: other)
      #expect(refused.status == 503 && refused.headers["retry-after"] != nil)
      #expect(try LiveServer.member("code", of: refused.body) == "erasure-open")
      #expect(try names(server) == ["three"])
      #expect(try database.sql("SELECT device FROM cordon.erasure_note", at: url) == "three")
      // It finishes the erasure when it starts again, also when nobody asks.
      let again = try await server.started(in: server.folder + "/data", withForms)
      try await wait { try database.sql("SELECT count(*) FROM cordon.erasure_note", at: url) == "0" }
      #expect(try names(server).isEmpty)
      #expect(try await erase(2, at: other).status == 200)
      await other.stop()
      await again.stop()
    }
  }

  /// Without forms anywhere an erasure waits for nobody.
  @Test func anErasureWaitsForNobodyWithoutForms() async throws {
    let url = try PostgresServer.shared.get().database()
    try await LiveServer.with(["CORDON_STORE": url]) { server in
      let other = try await server.neighbour(["CORDON_STORE": url])
      let secret = try await server.device("one").secret
      #expect(try await other.send("DELETE", "/v1/devices/one", #"{"secret":"\#(secret)"}"#).status == 200)
      await other.stop()
    }
  }

  /// Records that a folder has from the time when it served forms are erased as well.
  @Test func recordsOfFormsThatAreNotServedAreErased() async throws {
    try await LiveServer.with(["CORDON_FORMS": "yes"], endsItself: true) { server in
      try await publish(server)
      let secret = try await device("one", record: 1, server)
      await server.stop()
      let again = try await server.started(in: server.folder + "/data", [:])
      #expect(try names(server) == ["one"])
      #expect(try await again.send("DELETE", "/v1/devices/one", #"{"secret":"\#(secret)"}"#).status == 200)
      #expect(try names(server).isEmpty)
      await again.stop()
    }
  }
}
