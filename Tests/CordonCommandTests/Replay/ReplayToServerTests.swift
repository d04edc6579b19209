import CordonCore
import CordonTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The `cordon-server` that was built with the tests.
private final class ServerProcess {
  static let executable = CordonProcess.executable.deletingLastPathComponent().appendingPathComponent("cordon-server")
  static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: executable.path) }

  let port: Int
  private let process = Process()
  private let credentials: String

  /// Serves the sample office from a folder of the test.
  init(in folder: TemporaryFolder) throws {
    let venues = folder.url.appendingPathComponent("venues")
    try FileManager.default.createDirectory(at: venues, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: Places.office, toPath: venues.appendingPathComponent("office.mvf.zip").path)
    let added = try CordonProcess.run(
      ["operator", "add", "--data", folder.path("data"), "--name", "test", "--role", "admin"],
      program: ServerProcess.executable)
    let words = added.output.split(whereSeparator: \.isWhitespace).map(String.init)
    try #require(words.count >= 4)
    credentials = Data("\(words[1]):\(words[3])".utf8).base64EncodedString()
    process.executableURL = ServerProcess.executable
    process.arguments = ["serve", "--data", folder.path("data"), "--venues", venues.path, "--port", "0"]
    let log = Pipe()
    process.standardError = log
    try process.start()
    var text = Data()
    var found: Int?
    // Reading ends when the server reports its address, or ends.
    while found == nil {
      let chunk = log.fileHandleForReading.availableData
      if chunk.isEmpty { break }
      text += chunk
      for line in text.split(separator: 10) {
        let record = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        if record?["message"] as? String == "listening" { found = (record?["port"] as? String).flatMap(Int.init) }
      }
    }
    log.fileHandleForReading.readabilityHandler = { handle in _ = handle.availableData }
    port = try #require(found, "the server did not start: \(String(decoding: text, as: UTF8.self))")
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// Sends a request as the operator.
  func ask(_ method: String, _ path: String, body: String? = nil) async throws -> (status: Int, json: [String: Any]) {
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
    request.httpMethod = method
    request.setValue("Basic \(credentials)", forHTTPHeaderField: "Authorization")
    if let body {
      request.httpBody = Data(body.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = try #require(response as? HTTPURLResponse).statusCode
    return (status, try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:])
  }
}

@Suite("Replay to a running server", .enabled(if: ServerProcess.isBuilt, "cordon-server was not built"))
struct ReplayToServerTests {
  /// Two devices for two seconds, by the clock on the wall, through real HTTP.
  @Test(.timeLimit(.minutes(3))) func replayedRowsArriveAndMakeAContact() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(in: folder)
    let venues = try #require(try await server.ask("GET", "/v1/venues").json["venues"] as? [[String: Any]])
    let venue = try #require(venues.first?["venue"] as? String)
    let invite = try await server.ask(
      "POST", "/v1/operator/invite-codes", body: "{\"venue\":\"\(venue)\",\"maximum_uses\":2}")
    let code = try #require(invite.json["code"] as? String)
    let text = (0...2).flatMap { second in
      [
        "ann,\(1_767_600_000 + second),11.5804031,48.1401798,4,0",
        "bob,\(1_767_600_000 + second),11.5804131,48.1401798,4,0",
      ]
    }
    let trace = try folder.write(
      "device,time,longitude,latitude,accuracy,floor\n" + text.joined(separator: "\n") + "\n", to: "trace.csv")
    let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    let result = try CordonProcess.run([
      "replay", trace, "--venue", Places.office, "--sink", "cordon=http://127.0.0.1:\(server.port)", "--speed", "1x",
      "--invite", code, "--start", now.rfc3339, "--thinning", "0s", "--json",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    #expect(json["fixes"] as? Int == 6)
    #expect(json["acknowledged"] as? Int == 6)
    #expect(json["contacts"] as? Int == 1)
    let look = #"{"venue": "\#(venue)", "reason": "test"}"#
    let contacts = try await server.ask("POST", "/v1/operator/contacts", body: look)
    #expect(contacts.status == 200)
    let rows = try #require(contacts.json["contacts"] as? [[String: Any]])
    #expect(rows.count == 1, "the server found it, too: \(contacts.json)")
    let devices = try await server.ask("POST", "/v1/operator/devices", body: look)
    #expect((devices.json["devices"] as? [Any])?.count == 2)
  }
}
