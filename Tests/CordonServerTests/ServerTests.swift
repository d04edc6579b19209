import CordonCore
import CordonWire
import Foundation
import Testing

@testable import CordonServer

@Suite("The server on its sockets", .serialized, .timeLimit(.minutes(10)))
struct ServerTests {
  @Test func positionsAreStoredAndReturned() async throws {
    try await LiveServer.with { server in
      let token = try await server.token("phone-1")
      let body = try server.batch("phone-1", 50)
      let bearer = ["authorization": "Bearer \(token)"]
      let first = try await server.send("POST", "/v1/positions", body, bearer)
      #expect(first.status == 207)
      let answers = try PositionAnswers.decode(Array(first.body)).map(\.status)
      #expect(answers == Array(repeating: .stored, count: 50))
      let again = try await server.send("POST", "/v1/positions", body, bearer)
      #expect(try PositionAnswers.decode(Array(again.body)).map(\.status) == Array(repeating: .known, count: 50))
      let data = try await server.send("GET", "/v1/devices/phone-1/data", nil, bearer)
      let object = try JSONSerialization.jsonObject(with: data.body) as? [String: Any]
      #expect((object?["positions"] as? [Any])?.count == 50)
      let metrics = try await server.send("GET", "/metrics", nil, server.basic)
      let text = String(decoding: metrics.body, as: UTF8.self)
      #expect(text.contains("cordon_rows_total{status=\"stored\"} 50\n"))
      #expect(text.contains("cordon_request_seconds_bucket{le=\"+Inf\"}"))
      #expect(!text.contains("phone-1"))
      #expect(try await server.send("GET", "/metrics").status == 401)
      // The job runs within the first seconds; operators watch the time since then.
      var later = text
      for _ in 0..<20_000 where !later.contains("cordon_retention_age_seconds ") {
        later = String(decoding: try await server.send("GET", "/metrics", nil, server.basic).body, as: UTF8.self)
      }
      #expect(later.contains("\ncordon_retention_age_seconds "))
    }
  }

  @Test func concurrentRequestsAreAllStored() async throws {
    try await LiveServer.with { server in
      let token = try await server.token("phone-1")
      let rows = try server.rows("phone-1", 400)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for k in 0..<40 {
          let body = String(decoding: PositionBatch.encode(Array(rows[k * 10..<k * 10 + 10])), as: UTF8.self)
          group.addTask {
            try await server.send("POST", "/v1/positions", body, ["authorization": "Bearer \(token)"]).status
          }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(statuses == Array(repeating: 207, count: 40))
      let data = try await server.send(
        "GET", "/v1/devices/phone-1/data?limit=1000", nil, ["authorization": "Bearer \(token)"])
      let object = try JSONSerialization.jsonObject(with: data.body) as? [String: Any]
      #expect((object?["positions"] as? [Any])?.count == 400)
    }
  }

  /// Batches take a faster path than other requests. On one connection the answers still arrive in the order of the
  /// requests, however the bytes are split.
  @Test func answersFollowTheOrderOfRequests() async throws {
    try await LiveServer.with { server in
      let token = try await server.token("phone-1")
      func batch(_ name: String, _ count: Int, _ fields: String = "") throws -> String {
        let body = try server.batch("phone-1", count)
        return """
          POST /v1/positions HTTP/1.1\r\nhost: x\r\nx-request-id: \(name)\r\nauthorization: Bearer \(token)\r\n\
          \(fields)content-length: \(body.utf8.count)\r\n\r\n\(body)
          """
      }
      func other(_ name: String) -> String { "GET /health HTTP/1.1\r\nhost: x\r\nx-request-id: \(name)\r\n\r\n" }
      let big = Int(40_000)
      var stream = try batch("r0", 1) + other("r1") + batch("r2", 20) + batch("r3", 2) + other("r4") + other("r5")
      // One batch is too large for the fast path, and one is refused.
      stream += try batch("r6", 900) + batch("r7", 3, "connection: keep-alive\r\n") + other("r8")
      stream += try batch("r9", 1, "connection: close\r\n")
      var pieces: [String] = []
      var random = SystemRandomNumberGenerator()
      var rest = Substring(stream)
      while !rest.isEmpty {
        let count = Int.random(in: 1...big, using: &random)
        pieces.append(String(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      for parts in [[stream], pieces] {
        let connection = try RawConnection(port: server.port)
        connection.send(parts)
        let text = await connection.rest().lowercased()
        let names = text.split(separator: "\r\n").compactMap { line in
          line.hasPrefix("x-request-id: ") ? String(line.dropFirst(14)) : nil
        }
        #expect(names == (0..<10).map { "r\($0)" }, "pieces of \(parts.map(\.count))")
        #expect(text.components(separatedBy: "http/1.1 207").count == 7)
        #expect(text.components(separatedBy: "\r\ndate: ").count == 11)
      }
    }
  }

  /// A client may close its direction and still gets its answer; one that stops in the middle of a request gets an
  /// error.
  @Test func aHalfClosedConnectionGetsItsAnswer() async throws {
    try await LiveServer.with { server in
      let token = try await server.token("phone-1")
      let body = try server.batch("phone-1", 5)
      let head =
        "POST /v1/positions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(token)\r\ncontent-length: \(body.utf8.count)\r\n\r\n"
      let whole = try RawConnection(port: server.port)
      whole.send([head + body], thenEnd: true)
      #expect(await whole.rest().hasPrefix("HTTP/1.1 207"))
      let half = try RawConnection(port: server.port)
      half.send([head + body.prefix(100)], thenEnd: true)
      let answer = await half.rest()
      #expect(answer.hasPrefix("HTTP/1.1 400"))
      #expect(answer.contains("cut-short"))
      let next = try await server.send("GET", "/health")
      #expect(next.status == 200)
    }
  }

  @Test func livenessAndRequestNamesAreServed() async throws {
    try await LiveServer.with { server in
      #expect(try await server.send("GET", "/health").status == 200)
      #expect(try await server.send("GET", "/livez").status == 200)
      #expect(try await server.send("GET", "/readyz").status == 200)
      let answer = try await server.send("GET", "/health", nil, ["x-request-id": "abc-1"])
      #expect(answer.headers["x-request-id"] == "abc-1")
      let hostile = try await server.send("GET", "/health", nil, ["x-request-id": "<b>"])
      #expect(hostile.headers["x-request-id"]?.isEmpty == false)
      #expect(hostile.headers["x-request-id"] != "<b>")
    }
  }

  /// A limit of the file size simulates a full disk: phones and the readiness check get 503, and the server recovers
  /// when there is room again.
  @Test(.enabled(if: Program.has("prlimit") && Program.has("bash")))
  func theServerIsNotReadyOnAFullDisk() async throws {
    let bash = try #require(Program.path("bash"))
    let prlimit = try #require(Program.path("prlimit"))
    // The signal is ignored, so that a write beyond the limit fails instead of ending the process.
    try await LiveServer.with(prefix: [bash, "-c", "trap '' XFSZ; exec \"$0\" \"$@\""]) { server in
      func limit(_ size: String) async throws {
        let end = try await Program.run(
          prlimit, ["--pid", "\(server.program.process.processIdentifier)", "--fsize=\(size):unlimited"])
        try #require(end.status == 0, "\(end.errors)")
      }
      let token = try await server.token("phone-1")
      let bearer = ["authorization": "Bearer \(token)"]
      let rows = try server.rows("phone-1", 600)
      func post(_ range: Range<Int>) async throws -> (status: Int, headers: [String: String], body: Data) {
        try await server.send(
          "POST", "/v1/positions", String(decoding: PositionBatch.encode(Array(rows[range])), as: UTF8.self), bearer)
      }
      #expect(try await post(0..<100).status == 207)
      #expect(try await server.send("GET", "/readyz").status == 200)
      try await limit("1")
      let refused = try await post(100..<600)
      #expect(refused.status == 503)
      #expect(refused.headers["retry-after"] != nil)
      // The last check may be a second old, so the test repeats its request for a limited time.
      func comes(_ status: Int) async throws -> Bool {
        for _ in 0..<20_000 {
          let answer = try await server.send("GET", "/readyz")
          if answer.status == status { return true }
        }
        return false
      }
      #expect(try await comes(503))
      // The log names the cause.
      let line = try await server.program.line(with: "store fault")
      #expect(line.contains("full: ") && !line.contains("phone-1"), "\(line)")
      let health = try await server.send("GET", "/health")
      #expect(health.status == 503)
      #expect(health.headers["content-type"] == "application/problem+json")
      #expect(try await server.send("GET", "/livez").status == 200, "no reason to restart it")
      try await limit("unlimited")
      #expect(try await comes(200))
      let taken = try await post(0..<600)
      #expect(taken.status == 207)
      let statuses = try PositionAnswers.decode(Array(taken.body)).map(\.status)
      #expect(statuses == Array(repeating: .known, count: 100) + Array(repeating: .stored, count: 500))
    }
  }

  @Test func pagesRunNoForeignCode() async throws {
    try await LiveServer.with { server in
      let page = try await server.send("GET", "/console/overview")
      #expect(page.status == 200)
      let policy = page.headers["content-security-policy"]
      #expect(policy?.hasPrefix("default-src 'none'; script-src 'self'") == true)
      let html = String(decoding: page.body, as: UTF8.self)
      #expect(!html.contains("<script>") && !html.contains("http://") && !html.contains("https://"))
    }
  }

  @Test func eventsContainCountsAndNoNames() async throws {
    try await LiveServer.with { server in
      let token = try await server.token("phone-1")
      let credentials = server.basic["authorization"] ?? ""
      let path = "/v1/operator/events?venue=\(server.venue)"
      let watcher = try RawConnection(port: server.port)
      watcher.send(["GET \(path) HTTP/1.1\r\nhost: x\r\nauthorization: \(credentials)\r\n\r\n"])
      let head = await watcher.text(until: "retry: ")
      #expect(head.lowercased().contains("content-type: text/event-stream"))
      _ = try await server.send(
        "POST", "/v1/positions", try server.batch("phone-1", 10), ["authorization": "Bearer \(token)"])
      let event = await watcher.text(until: "event: counts")
      #expect(event.contains("event: counts"))
      #expect(!(head + event).contains("phone-1"))
      #expect(try await server.send("GET", path).status == 401)
      #expect(try await server.send("GET", "/v1/operator/events?venue=nowhere", nil, server.basic).status == 400)
    }
  }

  /// A stream ends with the account of its operator, also one that shows a key.
  @Test func eventsEndWithTheirOperator() async throws {
    try await LiveServer.with { server in
      let token = try await server.token("phone-1")
      let tracer = try await server.operatorCredentials("contact-tracer", venues: [server.venue.rawValue])
      let credentials = tracer["authorization"] ?? ""
      let watcher = try RawConnection(port: server.port)
      watcher.send([
        "GET /v1/operator/events?venue=\(server.venue) HTTP/1.1\r\nhost: x\r\nauthorization: \(credentials)\r\n\r\n"
      ])
      _ = await watcher.text(until: "retry: ")
      let pair = try #require(Data(base64Encoded: String(credentials.dropFirst("Basic ".count))))
      let id = String(decoding: pair.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
      let data = server.folder + "/data"
      #expect(try await Program.run(Program.server, ["operator", "remove", "--data", data, id]).status == 0)
      server.program.signal(SIGHUP)
      _ = try await server.program.line(with: "reloaded")
      _ = try await server.send(
        "POST", "/v1/positions", try server.batch("phone-1", 10), ["authorization": "Bearer \(token)"])
      var text = ""
      for await piece in watcher.pieces {
        text += piece
        // The last chunk of the answer, or what must not come.
        if text.hasSuffix("0\r\n\r\n") || text.contains("event: counts") { break }
      }
      #expect(text.hasSuffix("0\r\n\r\n") && !text.contains("event: counts"))
    }
  }

  /// The metrics would show one more row when one device posts: they are not for viewers, who see no small counts.
  @Test func viewersGetNeitherEventsNorMetrics() async throws {
    try await LiveServer.with { server in
      let viewer = try await server.operatorCredentials("viewer")
      let bound = try await server.operatorCredentials("operator", venues: [server.venue.rawValue])
      let free = try await server.operatorCredentials("operator")
      // A venue whose name is part of another text about the operator.
      let foreign = try await server.operatorCredentials("operator", venues: ["admin"])
      func status(_ path: String, _ headers: [String: String]) async throws -> Int {
        try await server.send("GET", path, nil, headers).status
      }
      let events = "/v1/operator/events?venue="
      #expect(try await status(events + server.venue.rawValue, viewer) == 403)
      #expect(try await status(events + server.venue.rawValue, foreign) == 400)
      for word in ["operator", "venues", "role"] {
        #expect(try await status(events + word, free) == 400, "\(word) is not a venue")
      }
      let scraper = try await server.operatorCredentials("metrics")
      let boundScraper = try await server.operatorCredentials("metrics", venues: [server.venue.rawValue])
      for (headers, expected) in [
        (viewer, 403), (bound, 403), (free, 200), (server.basic, 200), (scraper, 200), (boundScraper, 403),
      ] { #expect(try await status("/metrics", headers) == expected) }
      // Credentials for the metrics give access to nothing else.
      for path in [
        "occupancy?venue=\(server.venue)", "invite-codes?venue=\(server.venue)", "events?venue=\(server.venue)",
      ] { #expect(try await status("/v1/operator/" + path, scraper) == 403, "\(path)") }
      for path in ["devices", "contacts", "exposures", "audit"] {
        let body = #"{"venue": "\#(server.venue)", "device": "a", "reason": "case 9"}"#
        let answer = try await server.send("POST", "/v1/operator/" + path, body, scraper)
        #expect([400, 403].contains(answer.status), "\(path)")
      }
      #expect([403, 404].contains(try await status("/v1/venues/\(server.venue)/bundle", scraper)))
    }
  }

  /// Counts follow the spaces of the served bundle; a viewer learns nothing of three devices in the hall.
  @Test func occupancyIsReportedBySpace() async throws {
    try await LiveServer.with { server in
      for k in 0..<3 {
        let token = try await server.token("phone-\(k)")
        _ = try await server.send(
          "POST", "/v1/positions", try server.batch("phone-\(k)", 60), ["authorization": "Bearer \(token)"])
      }
      let made = try await Program.run(
        Program.server,
        ["operator", "add", "--data", server.folder + "/data", "--name", "Viewer", "--role", "viewer"])
      let words = made.output.split(whereSeparator: \.isWhitespace).map(String.init)
      server.program.signal(SIGHUP)
      _ = try await server.program.line(with: "reloaded")
      let path = "/v1/operator/occupancy?venue=\(server.venue)&by=space"
      func places(_ headers: [String: String]) async throws -> [[String: Any]] {
        let answer = try await server.send("GET", path, nil, headers)
        #expect(answer.status == 200)
        let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
        return try #require(object?["places"] as? [[String: Any]])
      }
      let seen = try await places(server.basic)
      #expect(seen.compactMap { $0["space"] as? String } == ["r"])
      let bins = try #require(seen.first?["bins"] as? [[String: Any]])
      #expect(bins.compactMap { $0["peak_devices"] as? Int }.max() == 3)
      // The reload makes the new operator known, who sees no number below five.
      let basic = "Basic " + Data("\(words[1]):\(words[3])".utf8).base64EncodedString()
      let hidden = try await places(["authorization": basic]).flatMap { $0["bins"] as? [[String: Any]] ?? [] }
      #expect(hidden.compactMap { $0["peak_devices"] as? Int }.allSatisfy { $0 == 0 || $0 >= 5 })
      #expect(
        try await server.send(
          "POST", "/v1/operator/devices", #"{"venue": "\#(server.venue)", "reason": "look"}"#,
          [
            "authorization": basic
          ]
        ).status == 403)
    }
  }

  /// Each log line is one JSON object without device, place or reason, even when every request is logged.
  @Test func logsContainNoDevicesAndNoPlaces() async throws {
    try await LiveServer.with(["CORDON_LOG_REQUESTS": "yes"], endsItself: true) { server in
      let token = try await server.token("phone-1")
      let bearer = ["authorization": "Bearer \(token)"]
      _ = try await server.send("POST", "/v1/positions", try server.batch("phone-1", 3), bearer)
      _ = try await server.send("GET", "/v1/devices/phone-1/data", nil, bearer)
      _ = try await server.send(
        "GET", "/v1/operator/contacts?venue=\(server.venue)&device=phone-1&reason=SECRET-REASON", nil, server.basic)
      _ = try await server.send(
        "POST", "/v1/operator/contacts",
        #"{"venue": "\#(server.venue)", "device": "phone-1", "reason": "SECRET-REASON"}"#, server.basic)
      _ = try await server.send("POST", "/v1/positions", #"{"rows": [{"device": "<b>\u0022"#, bearer)
      _ = try await server.send("GET", "/%0A%22phone-1", nil, ["x-request-id": "a\"b"])
      server.program.signal(SIGTERM)
      let lines = await server.program.errors.reduce(into: [String]()) { $0.append($1) }
      #expect(lines.count { $0.contains("\"message\":\"request\"") } >= 5, "\(lines)")
      for line in lines {
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        for word in ["phone-1", "47.3702", "8.5403", "SECRET", "<b>", token] {
          #expect(!line.contains(word), "\(line)")
        }
      }
    }
  }

  /// Ten thousand phones need as many open files: the server raises the limit, or logs that it cannot.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/limits") && Program.has("bash")))
  func theLimitOfFilesIsRaised() async throws {
    let bash = try #require(Program.path("bash"))
    try await LiveServer.with(prefix: [bash, "-c", "ulimit -Sn 256; exec \"$0\" \"$@\""]) { server in
      let limits = try String(
        contentsOfFile: "/proc/\(server.program.process.processIdentifier)/limits", encoding: .utf8)
      let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
      let words = line.split(separator: " ").compactMap { Int($0) }
      #expect(words[0] >= min(12_200, words[1]))
    }
    let low = [bash, "-c", "ulimit -Sn 256; ulimit -Hn 1000; exec \"$0\" \"$@\""]
    try await LiveServer.with(prefix: low, warning: "fewer files") { _ in }
  }

  /// The answer is sent before the body has arrived, without waiting for the rest.
  @Test func largeBodiesAreRefusedBeforeTheyArrive() async throws {
    try await LiveServer.with { server in
      let head = "POST /v1/positions HTTP/1.1\r\nhost: x\r\ncontent-length: 2147483648\r\n\r\n"
      let announced = try RawConnection(port: server.port)
      announced.send([head] + Array(repeating: String(repeating: " ", count: 0x8000), count: 65_536))
      #expect(await announced.rest().hasPrefix("HTTP/1.1 413"))
      let chunk = String(repeating: " ", count: 0x8000)
      let chunked = try RawConnection(port: server.port)
      chunked.send(
        ["POST /v1/positions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"]
          + Array(repeating: "8000\r\n\(chunk)\r\n", count: 65_536))
      #expect(await chunked.rest().hasPrefix("HTTP/1.1 413"))
      #expect(try await server.send("GET", "/health").status == 200)
    }
  }

  /// A request that is not HTTP gets a problem document, and affects no other connection.
  @Test func requestsThatAreNotHTTPAreAnsweredAndClosed() async throws {
    try await LiveServer.with { server in
      let long = String(repeating: "a", count: 20_000)
      let token = try await server.token("phone-1")
      let batch =
        "POST /v1/positions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(token)\r\ncontent-length: 11\r\n\r\n{\"rows\":[]}"
      // Requests, and the statuses of the answers: earlier requests are answered first.
      for (request, statuses) in [
        ("NONSENSE\r\n\r\n", [400]), ("GET / HTTP/1.1\r\nhost: x\r\nbad field\r\n\r\n", [400]),
        ("GET / HTTP/1.1\r\nhost: x\r\nx: \(long)\r\n\r\n", [400]), ("GET /\(long) HTTP/1.1\r\nhost: x\r\n\r\n", [400]),
        ("GET / HTTP/9.9\r\nhost: x\r\n\r\n", [400]), ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", [400]),
        ("POST /v1/positions HTTP/1.1\r\nhost: x\r\ncontent-length: nine\r\n\r\n", [400]),
        ("POST /v1/positions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", [400]),
        ("POST /overland HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", [400]),
        ("GET /livez HTTP/1.1\r\nhost: x\r\n\r\nNONSENSE\r\n\r\n", [200, 400]),
        ("\(batch)NONSENSE\r\n\r\n", [207, 400]),
        ("GET /livez HTTP/1.1\r\nhost: x\r\n\r\n\(batch)NONSENSE\r\n\r\n", [200, 207, 400]),
      ] {
        let connection = try RawConnection(port: server.port)
        connection.send([request])
        let text = await connection.rest()
        let answers = text.components(separatedBy: "HTTP/1.1 ").dropFirst()
        #expect(answers.compactMap { Int($0.prefix(3)) } == statuses, "\(request.prefix(60)): \(text)")
        let last = try #require(answers.last)
        let parts = last.components(separatedBy: "\r\n\r\n")
        try #require(parts.count == 2, "\(text)")
        let fields = parts[0].lowercased()
        for field in ["content-type: application/problem+json", "connection: close", "x-request-id: ", "date: "] {
          #expect(fields.contains("\r\n" + field), "\(request.prefix(60)): \(text)")
        }
        let problem = try JSONSerialization.jsonObject(with: Data(parts[1].utf8)) as? [String: Any]
        #expect(problem?["status"] as? Int == 400)
        #expect(["no-http", "cut-short"].contains(problem?["code"] as? String ?? ""), "\(text)")
        #expect(fields.contains("content-length: \(parts[1].utf8.count)"))
      }
      let next = try await server.send("GET", "/v1/nothing")
      #expect(next.status == 404)
      #expect(next.headers["content-type"] == "application/problem+json")
    }
  }

  /// The description covers the shell's own answers with every status that a client can cause, and its refusal of
  /// other methods. It omits the parts of pages for people.
  @Test func builtInAnswersAreDescribed() async throws {
    let document = try JSONSerialization.jsonObject(with: Data(OpenAPIDocument.text.utf8)) as? [String: Any]
    let paths = try #require(document?["paths"] as? [String: [String: Any]])
    try await LiveServer.with { server in
      let viewer = try await server.operatorCredentials("viewer")
      for address in BuiltInRoute.allCases {
        var found: Set<Int> = []
        for method in ["GET", "POST", "PUT", "DELETE"] {
          for credentials in [[:], viewer, server.basic, ["authorization": "Bearer x"]] {
            // Requests a missing venue: an event stream would not end.
            let answer = try await server.send(method, address.rawValue + "?venue=nowhere", nil, credentials)
            found.insert(answer.status)
            #expect((answer.status == 405) == (method != "GET"), "\(method) \(address)")
            #expect(answer.status != 405 || answer.headers["allow"] == "GET, HEAD")
          }
        }
        guard !address.isOfPage else {
          #expect(paths[address.rawValue] == nil)
          continue
        }
        let operation = try #require(paths[address.rawValue]?["get"] as? [String: Any], "\(address)")
        #expect(paths[address.rawValue]?.keys.sorted() == ["get"])
        let responses = try #require(operation["responses"] as? [String: Any])
        let described = Set(responses.keys.compactMap(Int.init))
        #expect(found.subtracting(described) == [], "\(address): answered, and not described")
        // 429 when too many wait, 503 without a store or with too many streams, 200 for event streams, which do not
        // end, and 403 at a venue where the role does not suffice.
        let unseen = described.subtracting(found).subtracting([429, 503, 200, 403])
        #expect(unseen == [], "\(address): described, and not answered")
      }
      let ready = try await server.send("GET", "/openapi.json")
      #expect(String(decoding: ready.body, as: UTF8.self) == OpenAPIDocument.text)
    }
  }

  /// All contacts are sent in parts, to the end.
  @Test func wholeListsAreSentInParts() async throws {
    try await LiveServer.with { server in
      for k in 0..<2 {
        let token = try await server.token("phone-\(k)")
        _ = try await server.send(
          "POST", "/v1/positions", try server.batch("phone-\(k)", 60), ["authorization": "Bearer \(token)"])
      }
      let credentials = server.basic["authorization"] ?? ""
      func text(_ member: String) async throws -> String {
        let body = #"{"venue": "\#(server.venue)", "reason": "case 9", \#(member)}"#
        let connection = try RawConnection(port: server.port)
        connection.send([
          "POST /v1/operator/contacts HTTP/1.1\r\nhost: x\r\ncontent-length: \(body.utf8.count)\r\n"
            + "authorization: \(credentials)\r\nconnection: close\r\n\r\n\(body)"
        ])
        return await connection.rest()
      }
      let list = try await text(#""limit": "all""#)
      #expect(list.hasPrefix("HTTP/1.1 200") && list.lowercased().contains("transfer-encoding: chunked"), "\(list)")
      #expect(list.contains("\"phone-1\"") && list.contains("\"is_complete\":true}"))
      #expect(list.hasSuffix("\r\n0\r\n\r\n"))
      let table = try await text(#""format": "csv""#)
      #expect(table.contains("\r\nfirst,second,start,") && table.hasSuffix("\r\n0\r\n\r\n"), "\(table)")
      #expect(table.lowercased().contains("content-type: text/csv; charset=utf-8"))
      #expect(try await text(#""limit": "none""#).hasPrefix("HTTP/1.1 400"))
    }
  }

  /// A client that sends no head, half a head, half a body, or nothing after an answer is disconnected.
  @Test func aSilentClientIsDisconnected() async throws {
    try await LiveServer.with(["CORDON_IDLE_SECONDS": "1", "CORDON_REQUEST_SECONDS": "1"]) { server in
      let requests = [
        "", "GET /health HTTP/1.1\r\nhost: x\r\nx-slow: ",
        "POST /v1/positions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{",
        "GET /health HTTP/1.1\r\nhost: x\r\n\r\n",
      ]
      var texts: [String] = []
      for connection in try requests.map({ request in
        let connection = try RawConnection(port: server.port)
        connection.send([request])
        return connection
      }) { texts.append(await connection.rest()) }
      #expect(texts.count == 4)
      #expect(texts.last?.hasPrefix("HTTP/1.1 200") == true)
    }
  }

  /// The deadline of a request starts with its first byte, not with the end of its head; an idle connection may wait
  /// longer.
  @Test func aSlowRequestHeadEndsWithItsDeadline() async throws {
    try await LiveServer.with(["CORDON_IDLE_SECONDS": "600", "CORDON_REQUEST_SECONDS": "1"]) { server in
      let (idle, next, dripping) = (
        try RawConnection(port: server.port), try RawConnection(port: server.port), try RawConnection(port: server.port)
      )
      let begun = ContinuousClock.now
      next.send(["GET /livez HTTP/1.1\r\nhost: x\r\n\r\n"])
      #expect(await next.text(until: "alive").hasPrefix("HTTP/1.1 200"))
      next.send(["GET /livez HT"])
      dripping.send(["G", "E", "T", " /livez HTTP/1.1\r\n", "x", ":", "y"])
      #expect(await next.rest().isEmpty)
      #expect(await dripping.rest().isEmpty)
      #expect(begun.duration(to: .now) < .seconds(300), "long before an idle connection is closed")
      idle.send(["GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"])
      #expect(await idle.rest().hasPrefix("HTTP/1.1 200"))
    }
  }

  /// A request that has begun when the signal arrives is answered and stored; then the process ends with success.
  @Test func sigtermDrainsRequests() async throws {
    try await LiveServer.with(endsItself: true) { server in
      let token = try await server.token("phone-1")
      let body = try server.batch("phone-1", 20)
      let slow = try RawConnection(port: server.port)
      slow.send([
        "POST /v1/positions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(token)\r\n"
          + "content-length: \(body.utf8.count)\r\n\r\n" + body.prefix(100)
      ])
      // A later request on another connection has been answered: the head of the first one was read before it.
      #expect(try await server.send("GET", "/livez").status == 200)
      server.program.signal(SIGTERM)
      _ = try await server.program.line(with: "stopping")
      slow.send([String(body.dropFirst(100))])
      let answer = await slow.rest()
      #expect(answer.contains("HTTP/1.1 207"), "\(answer)")
      #expect(answer.components(separatedBy: "\"stored\"").count == 21)
      _ = try await server.program.line(with: "stopped")
      #expect(await server.program.end() == 0)
      #expect(throws: (any Error).self) { try RawConnection(port: server.port) }
    }
  }

  @Test func eventReadersAndSlowClientsDoNotDelayShutdown() async throws {
    try await LiveServer.with(endsItself: true) { server in
      let open = try RawConnection(port: server.port)
      open.send(["GET /health HTTP/1.1\r\nhost: x\r\nx-wait: "])
      let watcher = try RawConnection(port: server.port)
      let credentials = server.basic["authorization"] ?? ""
      watcher.send([
        "GET /v1/operator/events?venue=\(server.venue) HTTP/1.1\r\nhost: x\r\nauthorization: \(credentials)\r\n\r\n"
      ])
      _ = await watcher.text(until: "retry: ")
      server.program.signal(SIGTERM)
      _ = await watcher.rest()
      _ = try await server.program.line(with: "stopped")
    }
  }
}
