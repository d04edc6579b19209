import Cordon
import CordonMonitoring
import Foundation
import Testing

@Suite("Setup links")
struct SetupLinkTests {
  private func endpoint() throws -> SinkEndpoint {
    var format = OverlandFormat()
    format.deviceID = "old"
    return SinkEndpoint(format, url: try #require(URL(string: "https://old.example/in")), token: "old-token")
  }

  @Test(arguments: ["overland", "cordon", "OVERLAND"]) func allParametersAreRead(scheme: String) throws {
    let link =
      "\(scheme)://setup?url=https%3A%2F%2Fexample.com%2Fapi%3Fa%3Db&token=1234&device_id=1&unique_id=yes&lang=en"
    let setup = try SetupLink(link)
    #expect(setup.ignored == ["lang"])
    let (new, changes) = try endpoint().applying(setupLink: link)
    #expect(new.url.absoluteString == "https://example.com/api?a=b" && new.token == "1234")
    let format = try #require(new.format as? OverlandFormat)
    #expect(format.deviceID == "1" && format.includesUniqueID)
    #expect(changes.map(\.name) == ["url", "token", "device_id", "unique_id"])
    #expect(changes[0].old == "https://old.example/in" && changes[0].new == "https://example.com/api?a=b")
    #expect(changes[2].old == "old" && changes[2].new == "1" && changes[3].old == "no")
  }

  /// Parameters that a link lacks keep their values; the old token goes to no other receiver.
  @Test func missingParametersKeepTheOldValues() throws {
    let same = try SetupLink("overland://setup?device_id=2").applied(to: endpoint())
    #expect(same.url.absoluteString == "https://old.example/in" && same.token == "old-token")
    let path = try SetupLink("overland://setup?url=https://old.example/other").applied(to: endpoint())
    #expect(path.token == "old-token" && (path.format as? OverlandFormat)?.deviceID == "old")
    let other = try SetupLink("overland://setup?url=https://evil.example/in")
    #expect(try other.applied(to: endpoint()).token == nil)
    #expect(try other.changes(to: endpoint()).map(\.name) == ["url", "token"])
    #expect(try SetupLink("cordon://setup?url=https://old.example/in").changes(to: endpoint()).isEmpty)
  }

  @Test func tokensAreNotShown() throws {
    let changes = try SetupLink("cordon://setup?url=https://b.example&token=top-secret").changes(to: endpoint())
    #expect(!"\(changes)".contains("top-secret") && !"\(changes)".contains("old-token"))
  }

  @Test func templatesAreKept() throws {
    let link = "overland://setup?url=https%3A%2F%2Fexample.com%2F%3Flat%3D%25LAT"
    #expect(try SetupLink(link).url?.absoluteString == "https://example.com/?lat=%25LAT")
  }

  @Test func aSignatureCoversEveryParameter() throws {
    let key = Array("0123456789abcdef0123456789abcdef".utf8)
    let parameters = [(name: "url", value: "https://b.example/in?a=b"), (name: "token", value: "1234")]
    let signature = SetupLink.signature(of: parameters, key: key)
    let base = "overland://setup?token=1234&url=https%3A%2F%2Fb.example%2Fin%3Fa%3Db"
    #expect(try SetupLink(base + "&signature=\(signature)").isSigned(with: key))
    #expect(try SetupLink("\(base)&signature=\(signature.uppercased())").isSigned(with: key))
    #expect(try !SetupLink(base).isSigned(with: key) && !SetupLink(base).hasSignature)
    #expect(try !SetupLink(base + "&signature=\(signature)").isSigned(with: Array("another".utf8)))
    // Another value, and a parameter more, break it.
    #expect(try !SetupLink(base + "5&signature=\(signature)").isSigned(with: key))
    #expect(try !SetupLink(base + "&device_id=9&signature=\(signature)").isSigned(with: key))
    #expect(throws: SetupLinkError.self) { try SetupLink(base + "&signature=abc") }
    // The border between a name and its value does not move: the token would be lost.
    let padded = SetupLink.signature(of: [("token", "12=="), ("url", "https://b.example")], key: key)
    let whole = try SetupLink("cordon://setup?token=12%3D%3D&url=https://b.example&signature=\(padded)")
    #expect(whole.isSigned(with: key) && whole.token == "12==")
    #expect(throws: SetupLinkError.self) {
      try SetupLink("cordon://setup?token%3D12=%3D&url=https://b.example&signature=\(padded)")
    }
  }

  @Test(arguments: [
    "", "setup", "https://setup?url=https://a.example", "overland://other?url=https://a.example", "overland://setup",
    "overland://setup?", "overland://setup?lang=en", "overland://setup?url=", "overland://setup?url",
    "overland://setup?url=javascript:alert(1)", "overland://setup?url=file:///etc/passwd",
    "overland://setup?url=http://a.example/in", "overland://setup?url=https://me:pw@a.example/in",
    "overland://setup?url=https://a.example&url=https://b.example", "overland://setup?token=stolen",
    "overland://setup?url=https://a.example&token=a%0Ab", "overland://setup?url=https://a.example&token=a%20b",
    "overland://setup?device_id=%E2%80%AEabc", "overland://setup?unique_id=perhaps", "overland://me@setup?device_id=1",
    "overland://setup?device_id=1&a%0Ab=c", "overland://setup?device_id=1&=c", "overland://setup?device_id=1&a%3Db=c",
    "overland://setup:80?device_id=1", "overland://setup/x?device_id=1", "overland://setup?device_id=1#x",
    "overland://setup?device_id=" + String(repeating: "x", count: 200),
    "overland://setup?url=https://a.example/" + String(repeating: "x", count: 5_000),
  ])
  func brokenAndHostileLinksChangeNothing(link: String) {
    #expect(throws: SetupLinkError.self) { try SetupLink(link) }
  }
}
