import CordonCore
import CordonDashboard
import Foundation
import Testing

@testable import CordonServerCommand

@Suite("The console over HTTP", .serialized, .timeLimit(.minutes(5)))
struct ConsoleRoutesTests {
  @Test func pagesAndFilesAreServedWithTheirPolicy() async throws {
    try await LiveServer.with(["CORDON_FORMS": "yes"]) { server in
      let start = try await server.send("GET", "/")
      #expect(start.status == 303 && start.headers["location"] == "/console/overview")
      for page in ConsolePage.served where !ConsolePage.ofStudies.contains(page) {
        let answer = try await server.send("GET", page.address, nil, ["accept-language": "de"])
        #expect(answer.status == 200, "\(page)")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("<html lang=\"de\">"))
        let policy = try #require(answer.headers["content-security-policy"])
        #expect(policy.contains("script-src 'self'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
      }
      for name in ConsoleAsset.names {
        let file = try await server.send("GET", ConsoleAsset.folder + name)
        let tag = try #require(file.headers["etag"], "\(name)")
        #expect(file.status == 200 && !file.body.isEmpty)
        let again = try await server.send("GET", ConsoleAsset.folder + name, nil, ["if-none-match": tag])
        #expect(again.status == 304 && again.body.isEmpty)
      }
      #expect(try await server.send("GET", "/console/nothing").status == 404)
      #expect(try await server.send("POST", "/console/overview").status == 405)
    }
  }

  /// A choice becomes a cookie and leaves the address; other parameters stay.
  @Test func choicesAreKeptInCookies() async throws {
    try await LiveServer.with { server in
      let chosen = try await server.send("GET", "/console/overview?lang=de&venue=a%20b")
      #expect(chosen.status == 303 && chosen.headers["location"] == "/console/overview?venue=a%20b")
      let cookie = try #require(chosen.headers["set-cookie"])
      #expect(cookie.hasPrefix("cordon-language=de;") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
      let kept = ["cookie": "cordon-language=de; cordon-theme=dark"]
      let page = try await server.send("GET", "/console/overview", nil, kept)
      let text = String(decoding: page.body, as: UTF8.self)
      #expect(text.contains("<html lang=\"de\">") && text.contains("console-dark.css"))
      let hostile = try await server.send(
        "GET", "/console/overview?lang=%3Cscript%3E", nil, ["cookie": "cordon-theme=\"><b>"])
      #expect(hostile.status == 200 && !String(decoding: hostile.body, as: UTF8.self).contains("<b>"))
    }
  }

  @Test func theConsoleCanBeLeftOut() async throws {
    try await LiveServer.with(["CORDON_CONSOLE": "no"]) { server in
      for path in ["/", "/console", "/console/overview", "/console/assets/frame.js"] {
        #expect(try await server.send("GET", path).status == 404, "\(path)")
      }
      let venue = server.venue.rawValue
      #expect(try await server.send("GET", "/v1/operator/overview?venue=\(venue)", nil, server.basic).status == 200)
      let plan = try await server.send("GET", "/v1/operator/venues/\(venue)/plan", nil, server.basic)
      #expect(plan.status == 200 && plan.headers["etag"] != nil)
    }
  }
}
