import CordonTestSupport
import CordonTracking
import Foundation
import Glibc
import Testing

/// Setup links that move a sink, and the modes of files.
@Suite("Setup links of cordon-track", .timeLimit(.minutes(5)))
struct SetupCommandTests {
  private static let sink = #""kind": "overland", "url": "https://old.example/in""#
  private static let moved = "overland://setup?url=https%3A%2F%2Fnew.example%2Fin"

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func configuration(_ folder: TemporaryFolder, _ members: String) throws -> String {
    let file = try folder.write(#"{"store": "store.db", "sinks": [{\#(Self.sink)\#(members)}]}"#, to: "tracker.json")
    chmod(file, 0o644)
    return file
  }

  /// Tokens of a sign-in are not for the receiver of a link.
  @Test func aNewReceiverEndsTheSignIn() throws {
    let folder = try TemporaryFolder()
    let file = try configuration(folder, #", "issuer": "https://id.example", "client": "x", "scopes": "openid""#)
    let result = try Tracker.run(["setup", Self.moved, "--yes", "-c", file], in: folder.url)
    #expect(result.status == 0 && result.text.contains("sign-in: https://id.example\n  -> none"), "\(result)")
    let text = try folder.text("tracker.json")
    #expect(text.contains("https://new.example/in") && !text.contains("issuer") && !text.contains("scopes"))
    // It holds no secret, so others may read it as before.
    #expect(try mode(file) == 0o644)
    // A token takes the place of a sign-in too: a sink has only one of the two.
    _ = try configuration(folder, #", "issuer": "https://id.example", "client": "x""#)
    let link = "overland://setup?url=https%3A%2F%2Fold.example%2Fin&token=secret"
    #expect(try Tracker.run(["setup", link, "--yes", "-c", file], in: folder.url).status == 0)
    #expect(try !Tracker.run(["status", "-c", file], in: folder.url).errors.contains("not both"))
    // The path of the same receiver changes nothing of it.
    _ = try configuration(folder, #", "issuer": "https://id.example", "client": "x""#)
    let path = try Tracker.run(
      ["setup", "overland://setup?url=https://old.example/other", "--yes", "-c", file], in: folder.url)
    #expect(path.status == 0 && !path.text.contains("sign-in"))
    #expect(try folder.text("tracker.json").contains("https://id.example"))
  }

  @Test func aFileWithASecretIsForItsOwner() throws {
    let folder = try TemporaryFolder()
    let file = try configuration(folder, "")
    #expect(try Tracker.run(["setup", Self.moved + "&token=secret", "--yes", "-c", file], in: folder.url).status == 0)
    #expect(try mode(file) == 0o600)
    #expect(try folder.text("tracker.json").contains("secret"))
  }

  /// Foundation gives a file its mode after its bytes. Without this mask others could open it between the two.
  @Test func filesAreForTheirOwnerFromTheFirstByteOn() throws {
    let folder = try TemporaryFolder()
    let file = try configuration(folder, "")
    let child = try Child(Tracker.executable.path, ["setup", Self.moved, "-c", file], in: folder.path)
    // It waits for an answer.
    var (text, buffer) = ("", [UInt8](repeating: 0, count: 4_096))
    while !text.contains("[y/N]") {
      let count = read(child.errors, &buffer, buffer.count)
      try #require(count > 0, "\(text)")
      text += String(decoding: buffer[0..<count], as: UTF8.self)
    }
    let status = try String(contentsOfFile: "/proc/\(child.number)/status", encoding: .utf8)
    let mask = status.split(separator: "\n").first { $0.hasPrefix("Umask:") }
    #expect(mask?.split(separator: "\t").last == "0077")
    child.destroy()
  }
}

/// The port to which a browser returns after a sign-in.
@Suite("Returns of a browser", .timeLimit(.minutes(5)))
struct LoopbackRedirectTests {
  /// Any page can send a browser to the port of a sign-in; only its own answer ends it.
  @Test func anotherAnswerEndsNothing() async throws {
    let port = try Loopback.freePort()
    let redirect = try #require(URL(string: "http://127.0.0.1:\(port)/signed-in"))
    let page = try #require(URL(string: "https://id.example/authorize?client_id=x&state=right"))
    let listener = try LoopbackRedirect(redirect)
    async let returned = listener.wait(for: page, seconds: 60)
    for query in ["?state=wrong&code=1", "?code=1", "", "?state=&code=1"] {
      #expect(try get(port, "/signed-in" + query).hasPrefix("HTTP/1.1 404 "), "\(query)")
    }
    #expect(try get(port, "/other?state=right").hasPrefix("HTTP/1.1 404 "))
    #expect(try get(port, "/signed-in?code=2&state=right").hasPrefix("HTTP/1.1 200 "))
    #expect(try await returned.absoluteString == "http://127.0.0.1:\(port)/signed-in?code=2&state=right")
  }

  private func get(_ port: UInt16, _ target: String) throws -> String {
    let handle = try Loopback.connect(port)
    defer { close(handle) }
    let bytes = Array("GET \(target) HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".utf8)
    try #require(send(handle, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    var (text, buffer) = ("", [UInt8](repeating: 0, count: 4_096))
    while true {
      let count = recv(handle, &buffer, buffer.count, 0)
      guard count > 0 else { return text }
      text += String(decoding: buffer[0..<count], as: UTF8.self)
    }
  }
}
