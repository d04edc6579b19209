import CordonCore
import CordonDashboard
import Foundation
import Testing

@testable import CordonIngest
@testable import CordonServer
@testable import CordonServerCommand
@testable import CordonStudies

@Suite("Studies over HTTP", .serialized, .timeLimit(.minutes(5)))
struct StudyRoutesTests {
  private static let document = """
    {"code": "air", "title": "Air and activity", "state": "open", "begins": "2020-01-01T00:00:00Z",
     "ends": "2029-12-01T00:00:00Z", "purposes": ["research"], "rewards": {"minimum_payout": 1, "closes_after_hours": 0},
     "reminders": {"quiet_from": "00:00", "quiet_to": "00:00", "patience_minutes": 0},
     "consents": [{"version": 1, "texts": {"en": "I agree", "de": "Ich stimme zu"}}]}
    """

  private func object(_ data: Data) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: Any], "\(String(decoding: data, as: UTF8.self))")
  }

  /// Enrols a person; returns the header with their key.
  private func enrol(_ server: LiveServer) async throws -> (bearer: [String: String], id: String) {
    let answer = try await server.send(
      "POST", "/v1/studies/join",
      #"{"study": "air", "consent": 1, "identity": {"name": "Ada", "push_service": "file", "push_token": "t-1", "payment": "acct"}}"#
    )
    try #require(answer.status == 201, "\(String(decoding: answer.body, as: UTF8.self))")
    let enrolled = try object(answer.body)
    let key = try #require(enrolled["key"] as? String)
    return (["authorization": "Bearer \(key)"], try #require(enrolled["participant"] as? String))
  }

  @Test func studiesAreLeftOutUnlessAskedFor() async throws {
    try await LiveServer.with { server in
      for path in ["/v1/studies", "/v1/studies/join?study=air", "/console/studies", "/console/participate"] {
        #expect(try await server.send("GET", path, nil, server.basic).status == 404, "\(path)")
      }
      let page = try await server.send("GET", "/console/overview")
      #expect(!String(decoding: page.body, as: UTF8.self).contains("/console/studies"))
      #expect(!FileManager.default.fileExists(atPath: server.folder + "/data/studies.sqlite"))
    }
  }

  @Test func aStudyFromItsMakingToAnErasure() async throws {
    try await LiveServer.with(["CORDON_STUDIES": "yes"]) { server in
      for page in ConsolePage.served where ConsolePage.ofStudies.contains(page) {
        #expect(try await server.send("GET", page.address).status == 200)
      }
      let viewer = try await server.operatorCredentials("viewer")
      #expect(try await server.send("POST", "/v1/studies", Self.document, viewer).status == 403)
      #expect(try await server.send("POST", "/v1/studies", Self.document).status == 401)
      #expect(try await server.send("POST", "/v1/studies", "{}", server.basic).status == 400)
      #expect(try await server.send("POST", "/v1/studies", Self.document, server.basic).status == 200)
      let offer = try object(try await server.send("GET", "/v1/studies/join?study=air").body)
      #expect((offer["texts"] as? [String: String])?["de"] == "Ich stimme zu")
      #expect(try await server.send("GET", "/v1/studies/join?study=none").status == 404)
      let (bearer, id) = try await enrol(server)
      // Keys of participants do not open pages of researchers, nor the other way round.
      #expect(try await server.send("GET", "/v1/studies/air/participants", nil, bearer).status == 401)
      #expect(try await server.send("GET", "/v1/studies/me", nil, server.basic).status == 401)

      let now = Int64(Date().timeIntervalSince1970 * 1_000)
      let began = #"{"events":[{"id":"\#(UUID())","time":\#(now - 7_200_000),"type":"TRACKING_STARTED"}]}"#
      #expect(try await server.send("POST", "/v1/studies/me/events", began, bearer).status == 200)
      let rows = (0..<100).map {
        #"{"id":"\#(UUID())","time":\#(now - 7_000_000 + Int64($0) * 60_000),"lon":13.4,"lat":52.5,"accuracy":9}"#
      }
      let body = "{\"locations\":[\(rows.joined(separator: ","))]}"
      let stored = try object(try await server.send("POST", "/v1/studies/me/locations", body, bearer).body)
      #expect(stored["stored"] as? Int == 100)
      let again = try object(try await server.send("POST", "/v1/studies/me/locations", body, bearer).body)
      #expect(again["known"] as? Int == 100)
      // They are far from the hall; one that is in it comes with the map, in its centimetres.
      let none = try object(try await server.send("GET", "/v1/studies/me/plans", nil, bearer).body)
      #expect((none["plans"] as? [Any])?.isEmpty == true)
      let (lon, lat) = (LiveServer.corner.longitude + 0.00035, LiveServer.corner.latitude + 0.00025)
      let inside = #"{"locations":[{"id":"\#(UUID())","time":\#(now - 30_000),"lon":\#(lon),"lat":\#(lat)}]}"#
      #expect(try await server.send("POST", "/v1/studies/me/locations", inside, bearer).status == 200)
      let drawn = try object(try await server.send("GET", "/v1/studies/me/plans", nil, bearer).body)
      let plans = try #require(drawn["plans"] as? [[String: Any]])
      #expect(plans.count == 1 && (plans[0]["plan"] as? [String: Any])?["venue"] as? String == server.venue.rawValue)
      let position = try #require((plans[0]["positions"] as? [[Int]])?.first)
      #expect(position.count == 3 && position[0] == Int(now) - 30_000)
      #expect(try await server.send("GET", "/v1/studies/me/plans").status == 401)
      let quality = try object(try await server.send("GET", "/v1/studies/air/quality", nil, server.basic).body)
      let row = try #require((quality["participants"] as? [[String: Any]])?.first)
      #expect(row["participant"] as? String == id && (row["valid_minutes"] as? Int ?? 0) >= 99)
      let table = try await server.send("GET", "/v1/studies/air/quality?format=csv", nil, server.basic)
      #expect(String(decoding: table.body, as: UTF8.self).contains(id))
      #expect(try await server.send("PUT", "/v1/studies/me", #"{"reminder_interval_hours": 48}"#, bearer).status == 204)
      for (name, state) in [("pause", "paused"), ("resume", "active"), ("leave", "left")] {
        #expect(try await server.send("POST", "/v1/studies/me/\(name)", nil, bearer).status == 204)
        let progress = try object(try await server.send("GET", "/v1/studies/me", nil, bearer).body)
        #expect(progress["state"] as? String == state)
        #expect((progress["settings"] as? [String: Any])?["has_payment"] as? Bool == true)
      }
      #expect(try await server.send("POST", "/v1/studies/me/events", began, bearer).status == 409)
      let export = try await server.send(
        "POST", "/v1/studies/air/exports/locations", #"{"reason": "paper"}"#, server.basic)
      #expect(
        export.status == 200 && String(decoding: export.body, as: UTF8.self).split(separator: "\r\n").count == 102)
      #expect(try await server.send("POST", "/v1/studies/air/exports/locations", "{}", server.basic).status == 400)

      #expect(try await server.send("DELETE", "/v1/studies/me", nil, bearer).status == 204)
      #expect(try await server.send("GET", "/v1/studies/me", nil, bearer).status == 401)
      let left = try object(try await server.send("GET", "/v1/studies/air/participants", nil, server.basic).body)
      #expect((left["participants"] as? [Any])?.isEmpty == true)
      for file in try FileManager.default.contentsOfDirectory(atPath: server.folder + "/data") {
        let data = FileManager.default.contents(atPath: server.folder + "/data/" + file) ?? Data()
        #expect(data.range(of: Data(id.utf8)) == nil, "\(file)")
      }
      let audit = String(
        decoding: try await server.send("GET", "/v1/studies/air/audit", nil, server.basic).body, as: UTF8.self)
      #expect(audit.contains("erase participant") && audit.contains("export locations") && audit.contains("paper"))
    }
  }

  /// The server and a command at once: one reminder, one line.
  @Test func commandsDoTheSameWorkAsTheServer() async throws {
    try await LiveServer.with(["CORDON_STUDIES": "yes"]) { server in
      let data = server.folder + "/data"
      let file = server.folder + "/study.json"
      try Data(Self.document.utf8).write(to: URL(fileURLWithPath: file))
      func run(_ arguments: [String]) async throws -> (output: String, status: Int32) {
        let made = try await Program.run(Program.server, ["study"] + arguments)
        return (made.output, made.status)
      }
      #expect(try await run(["save", "--data", data, file]).output == "air  open\n")
      #expect(try await run(["list", "--data", data]).output.contains("Air and activity"))
      let (bearer, _) = try await enrol(server)
      let now = Int64(Date().timeIntervalSince1970 * 1_000)
      let lost =
        #"{"events":[{"id":"\#(UUID())","time":\#(now - 1_000),"type":"PERMISSIONS_UPDATE","permission":"location","value":false}]}"#
      #expect(try await server.send("POST", "/v1/studies/me/events", lost, bearer).status == 200)
      // The server may have been first.
      _ = try await run(["notify", "--data", data])
      #expect(try await run(["notify", "--data", data]).output == "sent 0, failed 0, gone 0\n")
      let lines = try String(contentsOfFile: data + "/push.jsonl", encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 1 && lines[0].contains("\"token\":\"t-1\""))
      let invitation = try await run(["invite", "--data", data, "air", "--uses", "3"]).output.split(separator: "\n")
      #expect(invitation.count == 2 && invitation[1].hasSuffix("#\(invitation[0])"))
      #expect(
        try await run(["reward", "--data", data, "air"]).output
          == "earned 0, reserved 0, paid 0, refused 0, unknown 0\n")
      #expect(try await run(["verify", "--data", data, "air"]).output.hasPrefix("0 entries, last hash 000000"))
      #expect(try await run(["quality", "--data", data, "air"]).output.hasPrefix("participant,date,"))
      #expect(
        try await run(["export", "--data", data, "air", "events", "--reason", "paper"]).output.contains(
          "PERMISSIONS_UPDATE"))
      let missing = try await run(["quality", "--data", data, "nothing"])
      #expect(missing.status == 2)
    }
  }

  @Test func aProviderOfPaymentsIsReachedOverHTTP() async throws {
    let receiver = try HTTPReceiver { _, request in
      request.headers["idempotency-key"]?.utf8.count == 64 && request.headers["authorization"] == "Bearer secret"
        ? "201 Created\r\ncontent-type: application/json\r\n\r\n{\"id\":\"po_1\"}" : "400 Bad Request\r\n\r\n"
    }
    var settings = StudySettings()
    #expect(try settings.payments() == nil)
    settings.paymentURL = try OutboundAddress("http://127.0.0.1:\(receiver.port)/payouts")
    settings.paymentToken = "secret"
    let payout = LedgerBook.Payout(
      number: 1, account: "a", credits: 1, amount: 10, state: .approved, time: .epoch, reference: "", place: 0)
    let order = PaymentOrder(study: try #require(StudyCode("air")), payout: payout, currency: "EUR", destination: "x")
    #expect(try await settings.payments()?.pay(order) == .paid(reference: "po_1"))
    receiver.stop()
    #expect(try await settings.payments()?.pay(order) == .unknown(reason: "no response"))
  }

  /// Too many wrong keys of an address in a minute are answered alike; right ones pass, there and elsewhere.
  @Test func keysCannotBeGuessed() async throws {
    try await LiveServer.with(["CORDON_STUDIES": "yes", "CORDON_FAILURES_PER_MINUTE": "1"]) { server in
      #expect(try await server.send("POST", "/v1/studies", Self.document, server.basic).status == 200)
      let (bearer, _) = try await enrol(server)
      var found: [Int] = []
      // More than twice as many as are answered: another minute may begin meanwhile.
      for attempt in 0..<25 {
        let answer = try await server.send("GET", "/v1/studies/me", nil, ["authorization": "Bearer wrong-\(attempt)"])
        found.append(answer.status)
      }
      #expect(found.first == 401 && found.contains(429) && Set(found) == [401, 429])
      // A stranger keeps nobody from enrolling, nor from an erasure.
      #expect(try await server.send("GET", "/v1/studies/me", nil, bearer).status == 200)
      _ = try await enrol(server)
      #expect(try await server.send("DELETE", "/v1/studies/me", nil, bearer).status == 204)
    }
  }

  /// An erasure that names another study than the participant's is refused and not noted: a restore would erase them.
  @Test func anErasureOfAnotherStudyIsNotNoted() async throws {
    try await LiveServer.with(["CORDON_STUDIES": "yes"]) { server in
      for code in ["air", "noise"] {
        let document = Self.document.replacing("\"code\": \"air\"", with: "\"code\": \"\(code)\"")
        #expect(try await server.send("POST", "/v1/studies", document, server.basic).status == 200)
      }
      let (_, id) = try await enrol(server)
      let folder = try DataFolder(server.folder + "/data")
      func isNoted() throws -> Bool {
        let pseudonyms = Pseudonyms(signer: HMACSigner(), keys: try folder.keys())
        return try KnownEndings(log: folder.logPath, pseudonyms: pseudonyms).contains(KnownEndings.name(ofErased: id))
      }
      func erase(_ study: String) async throws -> Int {
        try await server.send("DELETE", "/v1/studies/\(study)/participants/\(id)", nil, server.basic).status
      }
      #expect(try await erase("noise") == 404)
      #expect(try !isNoted())
      #expect(try await erase("air") == 204)
      #expect(try isNoted())
    }
  }

  /// The description has exactly the addresses of studies that are answered.
  @Test func studiesAreDescribed() throws {
    let document = try JSONSerialization.jsonObject(with: Data(OpenAPIDocument.text.utf8)) as? [String: Any]
    let paths = try #require(document?["paths"] as? [String: [String: Any]])
    let described = Set(
      paths.filter { $0.key.hasPrefix("/v1/studies") }
        .flatMap { path, item in item.keys.map { "\($0.uppercased()) \(path)" } })
    #expect(described == Set(StudyRoute.allCases.map(\.rawValue)))
    for route in StudyRoute.allCases {
      let words = route.rawValue.split(separator: " ").map(String.init)
      let path = words[1].replacingOccurrences(of: "{study}", with: "air")
        .replacingOccurrences(of: "{participant}", with: "p-1").replacingOccurrences(of: "{payout}", with: "1")
        .replacingOccurrences(of: "{table}", with: "events")
      guard case .route(let found, _) = StudyRoute.find(words[0], path) else {
        Issue.record("\(route.rawValue) is not found")
        continue
      }
      #expect(found == route)
    }
    #expect(StudyRoute.find("PATCH", "/v1/studies/me") == .otherMethods(["GET", "PUT", "DELETE"]))
    #expect(StudyRoute.find("GET", "/v1/studies/me/quality") == nil && StudyRoute.find("GET", "/v1/study") == nil)
  }
}
