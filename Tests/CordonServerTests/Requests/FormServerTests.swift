import CordonCollection
import CordonCore
import CordonForms
import CordonSupport
import CordonWire
import Foundation
import Testing

@testable import CordonServer

@Suite("Forms over HTTP") struct FormServerTests {
  private static let document: JSONValue = [
    "form": "visits", "version": 1, "title": "Visits",
    "items": [["name": "n", "type": "integer", "required": true], ["name": "name", "type": "text"]],
  ]

  private static func publish(_ server: LiveServer, devices: Bool = true) async throws {
    let body: JSONValue = [
      "venue": .string(server.venue.rawValue), "document": document, "for_devices": .bool(devices),
    ]
    #expect(try await server.send("POST", "/v1/operator/forms", body.text(), server.basic).status == 201)
  }

  private static func key(_ server: LiveServer, _ label: String) async throws -> [String: String] {
    let made = try await server.send(
      "POST", "/v1/operator/forms/visits/keys", #"{"label":"\#(label)"}"#, server.basic)
    return ["authorization": "Bearer \(try LiveServer.member("key", of: made.body))"]
  }

  private static func exchange(
    _ replica: inout FormReplica, _ server: LiveServer, _ credentials: [String: String]
  ) async throws {
    while true {
      let answer = try await server.send(
        "POST", "/v1/forms/visits/sync", replica.request().text(), credentials)
      try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
      if try !replica.take(try JSONReader.value(of: Array(answer.body))) { return }
    }
  }

  /// Two devices that were offline for a week exchange over the real server, and have the same records.
  @Test func devicesConvergeOverTheServer() async throws {
    try await LiveServer.with(["CORDON_FORMS": "yes"]) { server in
      try await Self.publish(server)
      let keys = [try await Self.key(server, "North"), try await Self.key(server, "South")]
      var replicas = [FormReplica(form: "visits", device: "north"), FormReplica(form: "visits", device: "south")]
      var random = RandomStream(seed: 5, stream: 1, entity: 1)
      let begin = Instant(milliseconds: 1_768_204_800_000)
      for step in 0..<300 {
        let device = random.nextIndex(below: 2)
        let record = "00000000-0000-4000-8000-0000000000\(10 + random.nextIndex(below: 40))"
        _ = replicas[device].store(
          FormRevision(
            record: record, form: "visits", version: 1,
            parents: replicas[device].records.heads(of: record).map(\.id), device: device == 0 ? "north" : "south",
            time: begin + .minutes(Int64(step * 33)), answers: ["n": .integer(Int64(step))]))
      }
      for round in 0..<2 {
        for device in [0, 1] where round == 0 || device == 0 {
          try await Self.exchange(&replicas[device], server, keys[device])
        }
      }
      #expect(replicas[0].records == replicas[1].records && !replicas[0].records.conflicts.isEmpty)
      #expect(replicas[0].records.identifiers.count == 300)
      // The access of an operator is recorded with its reason.
      let read = try await server.send(
        "POST", "/v1/operator/forms/visits/records", #"{"reason":"weekly report"}"#, server.basic)
      #expect(read.status == 200)
      let audit = try await server.send("POST", "/v1/operator/audit", "{}", server.basic)
      #expect(String(decoding: audit.body, as: UTF8.self).contains("visits: weekly report"))
      #expect(
        try await server.send("POST", "/v1/forms/visits/sync", "{}", ["authorization": "Bearer cf-0"]).status == 401)
      #expect(try await server.send("POST", "/v1/forms/visits/sync", "{}").status == 401)
    }
  }

  /// A device answers with its token, and the erasure of the device erases its records.
  @Test func recordsAreErasedWithTheirDevice() async throws {
    try await LiveServer.with(["CORDON_FORMS": "yes"]) { server in
      try await Self.publish(server)
      let (secret, bearer) = try await server.device("phone-1")
      let collector = try await Self.key(server, "North")
      var (phone, clinic) = (FormReplica(form: "visits", device: "phone-1"), FormReplica(form: "visits", device: "c"))
      _ = phone.store(
        FormRevision(
          record: "00000000-0000-4000-8000-000000000001", form: "visits", version: 1, parents: [], device: "phone-1",
          time: Instant(milliseconds: 1_768_204_800_000), answers: ["n": 1, "name": "Canary"]))
      try await Self.exchange(&phone, server, bearer)
      try await Self.exchange(&clinic, server, collector)
      #expect(clinic.records.records.count == 1)
      let erased = try await server.send("DELETE", "/v1/devices/phone-1", #"{"secret":"\#(secret)"}"#)
      #expect(erased.status == 200)
      try await Self.exchange(&clinic, server, collector)
      #expect(clinic.records.records.isEmpty && clinic.records.erased.count == 1)
      #expect(try await server.send("POST", "/v1/forms/visits/sync", "{}", bearer).status == 410)
    }
  }

  /// After a reset somebody else has the device: neither sees the other's records, and the erasure of the former holder keeps
  /// those of the present one.
  @Test func holdersOfADeviceHaveTheirOwnRecords() async throws {
    try await LiveServer.with(["CORDON_FORMS": "yes"]) { server in
      try await Self.publish(server)
      func record(_ number: Int) -> FormRevision {
        FormRevision(
          record: "00000000-0000-4000-8000-00000000000\(number)", form: "visits", version: 1, parents: [],
          device: "phone-1", time: Instant(milliseconds: 1_768_204_800_000),
          answers: ["n": .integer(Int64(number)), "name": "Canary"])
      }
      func own(_ bearer: [String: String]) async throws -> [JSONValue] {
        let answer = try await server.send("GET", "/v1/forms/visits/records", nil, bearer)
        try #require(answer.status == 200)
        return try JSONReader.value(of: Array(answer.body))["revisions"]?.elements ?? []
      }
      let (secret, formerBearer) = try await server.device("phone-1")
      var former = FormReplica(form: "visits", device: "phone-1")
      _ = former.store(record(1))
      try await Self.exchange(&former, server, formerBearer)
      let reset = try await server.send(
        "POST", "/v1/operator/devices/phone-1/reset", #"{"reason":"handed on"}"#, server.basic)
      #expect(reset.status == 204)
      let (_, bearer) = try await server.device("phone-1")
      #expect(try await own(bearer).isEmpty)
      var next = FormReplica(form: "visits", device: "phone-1")
      _ = next.store(record(2))
      try await Self.exchange(&next, server, bearer)
      #expect(next.records.records == [record(2).record])
      #expect(
        try await server.send("DELETE", "/v1/forms/visits/records/\(record(1).record)", nil, bearer).status == 404)
      #expect(try await server.send("GET", "/v1/forms/visits/records", nil, formerBearer).status == 401)
      #expect(try await server.send("DELETE", "/v1/devices/phone-1", #"{"secret":"\#(secret)"}"#).status == 200)
      #expect(try await own(bearer) == [record(2).json])
      let all = try await server.send(
        "POST", "/v1/operator/forms/visits/records", #"{"reason":"look for the former"}"#, server.basic)
      let names = try JSONReader.value(of: Array(all.body))["records"]?.elements?.map { $0["record"]?.stringValue }
      #expect(names == [record(2).record])
    }
  }

  /// The requests of an app whose person arrives: it finds the form of the venue, and its page answers for the device.
  @Test func aVenueAsksAFormAtCheckIn() async throws {
    try await LiveServer.with(["CORDON_FORMS": "yes"]) { server in
      try await Self.publish(server)
      func publish(_ form: String, devices: Bool, checkIn: Bool) async throws -> (status: Int, body: String) {
        let body: JSONValue = [
          "venue": .string(server.venue.rawValue), "document": Self.document.with("form", .string(form)),
          "for_devices": .bool(devices), "at_check_in": .bool(checkIn),
        ]
        let answer = try await server.send("POST", "/v1/operator/forms", body.text(), server.basic)
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
      }
      #expect(try await publish("screening", devices: false, checkIn: true).status == 400)
      #expect(try await publish("screening", devices: true, checkIn: true).status == 201)
      let second = try await publish("other", devices: true, checkIn: true)
      #expect(second.status == 409 && second.body.contains("'screening'"), "\(second)")
      #expect(try await publish("other", devices: true, checkIn: false).status == 201)

      let (_, bearer) = try await server.device("phone-1")
      let list = try JSONReader.value(of: Array(try await server.send("GET", "/v1/forms", nil, bearer).body))
      let asked = list["forms"]?.elements?.filter { $0["at_check_in"] == true }.map { $0["form"] }
      #expect(asked == ["screening"])
      let code = try LiveServer.member(
        "code", of: try await server.send("POST", "/v1/devices/phone-1/page-code", "", bearer).body)
      // The page: it has the code only, which counts once.
      let use = #"{"code":"\#(code)"}"#
      let opened = try await server.send("POST", "/v1/page-code", use)
      let (device, token) = (
        try LiveServer.member("device", of: opened.body), try LiveServer.member("token", of: opened.body)
      )
      #expect(try await server.send("POST", "/v1/page-code", use).status == 403)
      let page = ["authorization": "Bearer \(token)"]
      #expect(try await server.send("GET", "/v1/forms/screening", nil, page).status == 200)
      let revision = FormRevision(
        record: "00000000-0000-4000-8000-000000000001", form: "screening", version: 1, parents: [], device: device,
        time: Instant(milliseconds: 1_768_204_800_000), answers: ["n": 1])
      let body: JSONValue = ["revisions": [revision.json]]
      let sent = try await server.send("POST", "/v1/forms/screening/sync", body.text(), page)
      let answers = try JSONReader.value(of: Array(sent.body))["answers"]?.elements
      #expect(answers?.map { $0["status"] } == ["stored"])
      // The device has the record of its page.
      let own = try await server.send("GET", "/v1/forms/screening/records", nil, bearer)
      #expect(try JSONReader.value(of: Array(own.body))["revisions"] == [revision.json])
    }
  }

  @Test func withoutTheSettingThereIsNothing() async throws {
    try await LiveServer.with { server in
      for path in ["/v1/forms", "/v1/operator/forms?venue=hall", "/forms/visits/"] {
        let answer = try await server.send("GET", path, nil, server.basic)
        #expect(answer.status == 404, "\(path)")
      }
      #expect(!FileManager.default.fileExists(atPath: server.folder + "/data/forms.sqlite"))
    }
  }

  @Test func theAppIsInstallableAndHoldsNoQuestion() async throws {
    try await LiveServer.with(["CORDON_FORMS": "yes"]) { server in
      try await Self.publish(server)
      for (name, type) in [
        ("", "text/html"), ("app.js", "text/javascript"), ("app.css", "text/css"), ("worker.js", "text/javascript"),
        ("manifest.webmanifest", "application/manifest+json"), ("icon.svg", "image/svg+xml"),
      ] {
        let answer = try await server.send("GET", "/forms/visits/\(name)")
        #expect(answer.status == 200 && answer.headers["content-type"]?.hasPrefix(type) == true, "\(name)")
        #expect(answer.headers["content-security-policy"]?.contains("manifest-src 'self'") == true)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("Visits"))
      }
      #expect(try await server.send("GET", "/forms/visits/nothing").status == 404)
      #expect(try await server.send("GET", "/forms/Visits/").status == 404)
      #expect(try await server.send("POST", "/forms/visits/").status == 405)
    }
  }

  @Test func exactlyTheDescribedRoutesOfFormsExist() throws {
    let document = try JSONSerialization.jsonObject(with: Data(OpenAPIDocument.text.utf8)) as? [String: Any]
    let paths = try #require(document?["paths"] as? [String: [String: Any]])
    let described = Set(
      paths.filter { $0.key.hasPrefix("/v1/forms") || $0.key.hasPrefix("/v1/operator/form") }.flatMap { path, item in
        item.keys.map { "\($0.uppercased()) \(path)" }
      })
    #expect(described == Set(FormRoute.allCases.map(\.rawValue)))
  }
}

extension JSONValue {
  /// The object with another value of a member.
  fileprivate func with(_ key: String, _ value: JSONValue) -> JSONValue {
    .object((members ?? []).map { $0.key == key ? .init(key, value) : $0 })
  }
}
