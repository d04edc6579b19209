import CordonCore
import CordonGeometry
import CordonIngest
import CordonIngestHTTP
import CordonTesting
import CordonWire
import Foundation
import Logging
import Testing

#if canImport(Glibc)
  import Glibc
#endif

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server on a free port of the loopback address, for as long as a closure runs.
struct Running {
  let port: Int
  let admin: (id: String, key: String)
  let venue = SmallVenue()

  static func with(
    _ change: (inout IngestServer.Settings) -> Void = { _ in },
    _ body: @escaping @Sendable (Running) async throws -> Void
  ) async throws {
    let path = NSTemporaryDirectory() + "cordon-server-test-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try DataFolder(path)
    let admin = try folder.addOperator(name: "Test Person", role: .admin, venues: nil)
    var settings = IngestServer.Settings()
    settings.port = 0
    change(&settings)
    let limits = settings.ingest
    let server = IngestServer(
      settings: settings, storePath: folder.storePath, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) {
      Intake(
        settings: limits, catalog: VenueCatalog([ServedVenue(gate: SmallVenue())]), signer: HMACSigner(),
        keys: try folder.keys(), operators: try folder.operators())
    }
    try await server.run(
      extra: { port in try await body(Running(port: port, admin: admin)) }, endsWithExtra: true)
  }

  func send(
    _ method: String, _ path: String, _ body: String? = nil, _ headers: [String: String] = [:]
  ) async throws -> (status: Int, headers: [AnyHashable: Any], body: Data) {
    let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request)
    let http = try #require(response as? HTTPURLResponse)
    return (http.statusCode, http.allHeaderFields, data)
  }

  var basic: [String: String] {
    ["authorization": "Basic " + Data("\(admin.id):\(admin.key)".utf8).base64EncodedString()]
  }

  func member(_ name: String, of data: Data) throws -> String {
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    return try #require(object?[name] as? String)
  }

  func token(_ device: String) async throws -> String {
    let order = #"{"venue": "small-venue"}"#
    let code = try member("code", of: try await send("POST", "/v1/operator/invite-codes", order, basic).body)
    let secret = try member(
      "secret", of: try await send("POST", "/v1/devices/\(device)/activate", #"{"code": "\#(code)"}"#).body)
    return try member(
      "token", of: try await send("POST", "/v1/devices/\(device)/token", #"{"secret": "\#(secret)"}"#).body)
  }

  func rows(_ device: String, _ count: Int) throws -> [Location] {
    let id = try #require(DeviceID(device))
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    return (0..<count).map { k in
      let time = Instant(milliseconds: now - Int64(1_000 * k))
      let place = venue.place(east: 0, north: 0)
      let coordinate = Coordinate(
        longitude: (place.longitude * 1e7).rounded() / 1e7, latitude: (place.latitude * 1e7).rounded() / 1e7)
      return Location(
        id: FixID(device: id, time: time, coordinate: coordinate, accuracy: 5, floor: FloorOrdinal(0)), device: id,
        venue: venue.venue, coordinate: coordinate, accuracy: 5, floor: FloorOrdinal(0), time: time)
    }
  }

  /// Sends bytes as they are, and reads until the other end closes or the time is over.
  func raw(_ parts: [String], pause: Duration = .zero, seconds: Int) async throws -> (text: String, isClosed: Bool) {
    let port = port
    return try await Task.detached {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      try #require(isConnected)
      var limit = timeval(tv_sec: seconds, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      for part in parts {
        _ = Array(part.utf8).withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        try await Task.sleep(for: pause)
      }
      var text = ""
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count == 0 { return (text, true) }
        if count < 0 { return (text, errno == ECONNRESET) }
        text += String(decoding: buffer[0..<count], as: UTF8.self)
      }
    }.value
  }
}

@Suite("The server on its sockets", .serialized)
struct ServerTests {
  @Test func positionsGoInAndComeOut() async throws {
    try await Running.with { server in
      let token = try await server.token("phone-1")
      let body = String(decoding: PositionBatch.encode(try server.rows("phone-1", 50)), as: UTF8.self)
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
    }
  }

  @Test func manyAtOnceAreAllKept() async throws {
    try await Running.with { server in
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

  @Test func livenessAndReadiness() async throws {
    try await Running.with { server in
      #expect(try await server.send("GET", "/health").status == 200)
      #expect(try await server.send("GET", "/livez").status == 200)
      #expect(try await server.send("GET", "/readyz").status == 200)
      let answer = try await server.send("GET", "/health", nil, ["x-request-id": "abc-1"])
      #expect(
        answer.headers["x-request-id"] as? String == "abc-1" || answer.headers["X-Request-Id"] as? String == "abc-1")
      let hostile = try await server.send("GET", "/health", nil, ["x-request-id": "<b>"])
      #expect(!hostile.headers.values.contains { ($0 as? String) == "<b>" })
    }
  }

  @Test func pagesRunNothingOfOthers() async throws {
    try await Running.with { server in
      let page = try await server.send("GET", "/")
      #expect(page.status == 200)
      let policy = page.headers["content-security-policy"] ?? page.headers["Content-Security-Policy"]
      #expect((policy as? String)?.hasPrefix("default-src 'none'; script-src 'self'") == true)
      let html = String(decoding: page.body, as: UTF8.self)
      #expect(!html.contains("<script>") && !html.contains("http://") && !html.contains("https://"))
      let script = String(decoding: try await server.send("GET", "/dashboard.js").body, as: UTF8.self)
      for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        #expect(!script.contains(word), "\(word)")
      }
    }
  }

  @Test func eventsTellCountsAndNoNames() async throws {
    try await Running.with { server in
      let token = try await server.token("phone-1")
      let credentials = server.basic["authorization"] ?? ""
      async let events = server.raw(
        ["GET /v1/operator/events?venue=small-venue HTTP/1.1\r\nhost: x\r\nauthorization: \(credentials)\r\n\r\n"],
        seconds: 3)
      for k in 0..<8 {
        let rows = try server.rows("phone-1", 10 * (k + 1))
        _ = try await server.send(
          "POST", "/v1/positions", String(decoding: PositionBatch.encode(rows), as: UTF8.self),
          ["authorization": "Bearer \(token)"])
        try await Task.sleep(for: .milliseconds(200))
      }
      let text = try await events.text
      #expect(text.contains("content-type: text/event-stream"))
      #expect(text.contains("event: counts"), "\(text)")
      #expect(!text.contains("phone-1"))
      #expect(try await server.send("GET", "/v1/operator/events?venue=small-venue").status == 401)
      #expect(try await server.send("GET", "/v1/operator/events?venue=nowhere", nil, server.basic).status == 400)
    }
  }

  @Test func hugeBodiesAreRefusedBeforeTheyCome() async throws {
    try await Running.with { server in
      let head = "POST /v1/positions HTTP/1.1\r\nhost: x\r\ncontent-length: 2147483648\r\n\r\n"
      let answer = try await server.raw([head, String(repeating: " ", count: 100_000)], seconds: 3)
      #expect(answer.text.hasPrefix("HTTP/1.1 413"), "\(answer.text)")
      let chunk = String(repeating: " ", count: 0x8000)
      let chunked = "POST /v1/positions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
      let parts = [chunked] + (0..<80).map { _ in "8000\r\n\(chunk)\r\n" }
      #expect(try await server.raw(parts, seconds: 3).text.hasPrefix("HTTP/1.1 413"))
    }
  }

  @Test func aDrippingClientIsClosed() async throws {
    try await Running.with({
      $0.idleSeconds = 1
      $0.requestSeconds = 1
    }) { server in
      let head = "POST /v1/positions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n"
      let body = try await server.raw([head, " ", " ", " "], pause: .milliseconds(500), seconds: 5)
      #expect(body.isClosed)
      let slow = (0..<5).map { "x-header-\($0): y\r\n" }
      let dripped = try await server.raw(["GET /health HTTP/1.1\r\n"] + slow, pause: .milliseconds(400), seconds: 5)
      #expect(dripped.isClosed)
      let idle = try await server.raw(["GET /health HTTP/1.1\r\nhost: x\r\n\r\n"], seconds: 5)
      #expect(idle.isClosed)
    }
  }

  @Test func operatorsAreSealedAndKeysRotate() throws {
    let path = NSTemporaryDirectory() + "cordon-folder-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try DataFolder(path)
    let added = try folder.addOperator(name: "Ada Example", role: .operator, venues: nil)
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      let data = try #require(FileManager.default.contents(atPath: path + "/" + name))
      #expect(data.range(of: Data("Ada Example".utf8)) == nil)
      #expect(data.range(of: Data(added.key.utf8)) == nil)
      let mode = try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    #expect(try folder.namedOperators().map(\.name) == ["Ada Example"])
    #expect(try folder.operators().first?.keyHash == Operator.hash(ofKey: added.key))
    let before = try folder.keys()
    let name = try folder.rotateKeys()
    let after = try folder.keys()
    #expect(after.tokens.map(\.id) == [name, before.tokens[0].id])
    #expect(after.tombstone == before.tombstone)
    #expect(try folder.removeOperator(id: added.id))
    try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/operators.sealed"))
    #expect(throws: DataFolder.Fault.self) { try folder.operators() }
  }

  /// RFC 4231, test cases 1, 2 and 6.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func codesAreThoseOfTheStandard(key: [UInt8], message: String, code: String) {
    let found = HMACSigner().authenticationCode(of: Array(message.utf8), key: key)
    #expect(found.map { String(UInt16($0) | 0x100, radix: 16).suffix(2) }.joined() == code)
  }
}
