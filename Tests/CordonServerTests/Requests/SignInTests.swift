import CordonCore
import CordonTestSupport
import Foundation
import Testing

@testable import CordonServer

/// A browser that keeps cookies, and signs in and out.
private final class Browser {
  let server: LiveServer
  private(set) var cookies: [String: String] = [:]

  init(_ server: LiveServer) { self.server = server }

  typealias Answer = (status: Int, headers: [String: String], body: Data)

  func send(
    _ method: String, _ path: String, _ body: String? = nil, _ headers: [String: String] = [:]
  ) async throws -> Answer {
    var headers = headers
    if !cookies.isEmpty {
      headers["cookie"] = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }
    let answer = try await server.send(method, path, body, headers)
    if let field = answer.headers["set-cookie"] {
      let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      cookies[String(pair[0])] = field.contains("Max-Age=0") ? nil : String(pair[1])
    }
    return answer
  }

  /// The CSRF token of a form.
  func token(_ page: Answer) throws -> String {
    let text = String(decoding: page.body, as: UTF8.self)
    let start = try #require(text.range(of: #"name="csrf_token" value=""#))
    return String(text[start.upperBound...].prefix { $0 != "\"" })
  }

  func signIn(_ name: String, _ password: String, next: String = "/console/overview") async throws -> Answer {
    let page = try await send("GET", "/console/sign-in")
    let token = try token(page)
    return try await send(
      "POST", "/console/sign-in", "csrf_token=\(token)&name=\(name)&password=\(password)&next=\(next)",
      ["content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"])
  }

  func me() async throws -> [String: Any] {
    let answer = try await send("GET", "/v1/operator/me")
    return try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
  }
}

@Suite("Signing in with a browser") struct SignInTests {
  /// Hashes of passwords that take little memory and time.
  private static let cheap = ["CORDON_PASSWORD_MEMORY": "1"]

  /// Adds an operator with a password, and returns it with the pseudonym.
  private func operatorWithPassword(
    _ server: LiveServer, _ name: String, _ arguments: [String]
  ) async throws -> (id: String, password: String) {
    let made = try await Program.run(
      Program.server,
      ["operator", "add", "--data", server.folder + "/data", "--name", "Ada <b>Example", "--sign-in-name", name]
        + arguments, environment: Self.cheap)
    let words = made.output.split(whereSeparator: \.isWhitespace).map(String.init)
    try #require(made.status == 0 && words.count == 4 && words[2] == "password", "\(made)")
    server.program.signal(SIGHUP)
    _ = try await server.program.line(with: "reloaded")
    return (words[1], words[3])
  }

  @Test func anOperatorSignsInAndOut() async throws {
    try await LiveServer.with(Self.cheap) { server in
      let (id, password) = try await operatorWithPassword(server, "ada", ["--role", "admin"])
      let browser = Browser(server)
      let refused = try await browser.signIn("ada", "wrong")
      #expect(refused.status == 401 && refused.headers["www-authenticate"] == nil)
      #expect(String(decoding: refused.body, as: UTF8.self).contains("is wrong"))
      let answer = try await browser.signIn("ada", password)
      #expect(answer.status == 303 && answer.headers["location"] == "/console/overview")
      let cookie = try #require(answer.headers["set-cookie"])
      #expect(cookie.hasPrefix("cordon=") && cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax"))
      #expect(browser.cookies.keys.contains("cordon"))
      let me = try await browser.me()
      #expect(me["operator"] as? String == id && me["role"] as? String == "admin" && me["session"] as? Bool == true)
      let proof = try #require(me["csrf_token"] as? String)
      // A request that changes something needs the token; one of another page does not have it.
      let order = #"{"venue": "\#(server.venue)"}"#
      #expect(try await browser.send("POST", "/v1/operator/invite-codes", order).status == 403)
      #expect(
        try await browser.send("POST", "/v1/operator/invite-codes", order, ["x-csrf-token": proof]).status == 201)
      // A key with the request is what counts, as before.
      #expect(try await browser.send("POST", "/v1/operator/invite-codes", order, server.basic).status == 201)
      // The shell's own routes know the session as well.
      #expect(try await browser.send("GET", "/metrics").status == 200)
      // Signing out needs the token, and ends the session on the server.
      let former = browser.cookies
      #expect(try await browser.send("POST", "/console/sign-out", "").status == 403)
      let out = try await browser.send("POST", "/console/sign-out", "csrf_token=\(proof)")
      #expect(out.status == 303 && out.headers["location"] == "/console/sign-in")
      let ghost = try await server.send("GET", "/v1/operator/me", nil, ["cookie": "cordon=\(former["cordon"] ?? "")"])
      #expect(ghost.status == 401)
      let asked = try await server.send(
        "GET", "/v1/operator/me", nil, ["cookie": "cordon=\(former["cordon"] ?? "")", "sec-fetch-site": "same-origin"])
      #expect(asked.headers["www-authenticate"] == #"Session realm="cordon""#, "no dialogue of the browser's own")
    }
  }

  @Test func formsOfOtherPagesAreRefused() async throws {
    try await LiveServer.with(Self.cheap) { server in
      let (_, password) = try await operatorWithPassword(server, "ada", ["--role", "viewer"])
      let browser = Browser(server)
      let token = try browser.token(try await browser.send("GET", "/console/sign-in"))
      let form = "name=ada&password=\(password)"
      let foreign = ["sec-fetch-site": "cross-site"]
      #expect(try await browser.send("POST", "/console/sign-in", "csrf_token=\(token)&\(form)", foreign).status == 403)
      #expect(try await browser.send("POST", "/console/sign-in", "csrf_token=x&\(form)").status == 403)
      #expect(try await Browser(server).send("POST", "/console/sign-in", "csrf_token=\(token)&\(form)").status == 403)
      #expect(browser.cookies["cordon"] == nil)
      #expect(try await browser.send("POST", "/console/sign-in", String(repeating: "x", count: 20_000)).status == 413)
      #expect(try await browser.send("PUT", "/console/sign-in").status == 405)
      // A next page of another server is not gone to.
      for next in ["https://evil.example", "//evil.example", "/\\evil.example", "/a%0d%0aset-cookie:%20x=y"] {
        let other = Browser(server)
        #expect(try await other.signIn("ada", password, next: next).headers["location"] == "/")
      }
      // The page escapes what its address says.
      let page = try await server.send("GET", "/console/sign-in?next=/%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
      let text = String(decoding: page.body, as: UTF8.self)
      #expect(!text.contains("<script>") && text.contains("&lt;script&gt;alert(1)"))
    }
  }

  @Test func pagesCannotBeFramedOrCached() async throws {
    try await LiveServer.with(Self.cheap) { server in
      let page = try await server.send("GET", "/console/sign-in")
      #expect(page.headers["cache-control"] == "no-store")
      for answer in [page, try await server.send("GET", "/console/overview")] {
        let policy = try #require(answer.headers["content-security-policy"])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        #expect(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self'"))
        #expect(!policy.contains("unsafe") && !policy.contains("http"))
        #expect(answer.headers["x-frame-options"] == "DENY" && answer.headers["referrer-policy"] == "no-referrer")
        #expect(answer.headers["cross-origin-opener-policy"] == "same-origin")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(!text.contains(" style=") && !text.contains("<style") && !text.contains("onclick"))
      }
      #expect(try await server.send("GET", "/v1/venues").headers["cache-control"] != nil)
    }
  }

  @Test func administratorsManageAccounts() async throws {
    try await LiveServer.with(Self.cheap) { server in
      let (id, password) = try await operatorWithPassword(server, "ada", ["--role", "admin"])
      let browser = Browser(server)
      #expect(try await browser.signIn("ada", password).status == 303)
      let proof = ["x-csrf-token": try #require(try await browser.me()["csrf_token"] as? String)]
      func object(_ answer: Browser.Answer) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
      }
      let name = "Bob \\\"><img src=x onerror=alert(1)>"
      let entry =
        #"{"name": "\#(name)", "sign_in_name": "bob", "roles": [{"venue": "\#(server.venue)", "role": "contact-tracer"}]}"#
      #expect(try await browser.send("POST", "/v1/operator/accounts", entry).status == 403, "no token")
      let made = try await browser.send("POST", "/v1/operator/accounts", entry, proof)
      #expect(made.status == 201, "\(String(decoding: made.body, as: UTF8.self))")
      let account = try object(made)
      let bob = try #require(account["operator"] as? String)
      let secret = try #require(account["secret"] as? String)
      #expect(try await browser.send("POST", "/v1/operator/accounts", entry, proof).status == 409)
      let list = try object(try await browser.send("GET", "/v1/operator/accounts"))
      let accounts = try #require(list["accounts"] as? [[String: Any]])
      #expect(accounts.count == 3 && !accounts.contains { $0["secret"] != nil || $0["password"] != nil })
      // JSON escapes what would end a script element.
      let text = String(decoding: try await browser.send("GET", "/v1/operator/accounts").body, as: UTF8.self)
      #expect(!text.contains("<img"))
      // Bob signs in, and chooses a password.
      let other = Browser(server)
      #expect(try await other.signIn("bob", secret).status == 303)
      let me = try await other.me()
      #expect(me["role"] as? String == "contact-tracer" && me["all_venues"] as? Bool == false)
      let own = ["x-csrf-token": try #require(me["csrf_token"] as? String)]
      #expect(try await other.send("GET", "/v1/operator/accounts").status == 403)
      #expect(try await other.send("POST", "/v1/operator/accounts", entry, own).status == 403)
      let weak = try await other.send(
        "POST", "/v1/operator/password", #"{"password": "\#(secret)", "new_password": "short"}"#, own)
      #expect(weak.status == 400)
      let changed = try await other.send(
        "POST", "/v1/operator/password", #"{"password": "\#(secret)", "new_password": "correct horse battery"}"#, own)
      #expect(changed.status == 204)
      #expect(try await other.me()["operator"] as? String == bob, "with the new cookie")
      #expect(try await Browser(server).signIn("bob", secret).status == 401)
      // A locked account has no session.
      let locked = entry.dropLast() + #", "is_locked": true}"#
      #expect(try await browser.send("PUT", "/v1/operator/accounts/\(bob)", String(locked), proof).status == 200)
      #expect(try await other.send("GET", "/v1/operator/me").status == 401)
      #expect(try await browser.send("DELETE", "/v1/operator/accounts/\(bob)", nil, proof).status == 204)
      #expect(try await browser.send("DELETE", "/v1/operator/accounts/\(bob)", nil, proof).status == 404)
      let events = try object(try await browser.send("GET", "/v1/operator/account-events"))
      let actions = (events["events"] as? [[String: Any]])?.compactMap { $0["action"] as? String } ?? []
      #expect(
        actions.first == "remove account" && actions.contains("change password")
          && actions.contains("refused sign-in") && actions.contains("add account"))
      // Sessions of one's own.
      #expect(try await Browser(server).signIn("ada", password).status == 303)
      let sessions = try object(try await browser.send("GET", "/v1/operator/sessions"))
      let listed = try #require(sessions["sessions"] as? [[String: Any]])
      #expect(listed.count == 2)
      let stranger = try #require(listed.first { $0["is_this_one"] as? Bool == false }?["number"] as? Int)
      #expect(try await browser.send("DELETE", "/v1/operator/sessions/\(stranger)", nil, proof).status == 204)
      #expect(try await browser.send("DELETE", "/v1/operator/sessions/\(stranger)", nil, proof).status == 404)
      #expect(try await browser.me()["operator"] as? String == id)
    }
  }

  /// The description has exactly the addresses of accounts and sessions that are answered.
  @Test func accountsAreDescribed() throws {
    let document = try JSONSerialization.jsonObject(with: Data(OpenAPIDocument.text.utf8)) as? [String: Any]
    let paths = try #require(document?["paths"] as? [String: [String: Any]])
    let described = Set(paths.flatMap { path, item in item.keys.map { "\($0.uppercased()) \(path)" } })
    #expect(Set(AccountRoute.allCases.map(\.rawValue)).subtracting(described) == [])
    for (path, item) in paths {
      let address = path.replacingOccurrences(of: "{operator}", with: "op-1").replacingOccurrences(
        of: "{number}", with: "1")
      for method in item.keys where path.hasPrefix("/v1/operator/accounts") || path.hasPrefix("/v1/operator/sessions") {
        guard case .route(let route, _) = AccountRoute.find(method.uppercased(), address) else {
          Issue.record("\(method) \(path) is described, and not answered")
          continue
        }
        #expect(route.rawValue == "\(method.uppercased()) \(path)")
      }
    }
    #expect(AccountRoute.find("PATCH", "/v1/operator/sessions") == .otherMethods(["GET"]))
    #expect(
      AccountRoute.find("GET", "/v1/operator/me") == nil && AccountRoute.find("GET", "/v1/operator/accounts/") == nil)
  }
}
