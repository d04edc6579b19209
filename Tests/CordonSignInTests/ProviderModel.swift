import Cordon
import CordonCore
import CordonMonitoring
import CordonSignIn
import CordonSupport
import Foundation
import Testing

/// A provider of OpenID Connect in the process: PKCE, rotation of refresh tokens, device codes, revocation.
actor ProviderModel: HTTPTransport {
  static let issuer = "https://id.example.org/o"
  private var codes: [String: (challenge: String, nonce: String?, redirect: String)] = [:]
  private var refreshToken: String?
  private var accessToken: String?
  private var count = 0
  private(set) var requests: [HTTPRequest] = []
  private(set) var revoked: [String] = []
  private(set) var challenges: [String] = []
  /// The answers that take the place of the provider's, by the last part of the path.
  private var overrides: [String: [HTTPResponse]] = [:]
  /// Whether the next answer of the token endpoint is lost after the provider acted on it.
  private var losesNext = false
  /// The answers to polls before the person has entered the code.
  private var pending: [String] = []
  private var lifetime = 3_600

  func answer(_ path: String, _ answers: [HTTPResponse]) { overrides[path] = answers }
  func loseNextAnswer() { losesNext = true }
  func poll(_ errors: [String]) { pending = errors }
  func setLifetime(_ seconds: Int) { lifetime = seconds }
  func count(of path: String) -> Int { requests.filter { $0.url.lastPathComponent == path }.count }
  func isCurrent(_ token: String) -> Bool { token == accessToken }

  static func json(_ status: Int, _ text: String) -> HTTPResponse {
    HTTPResponse(status: status, body: Array(text.utf8))
  }

  func send(_ message: HTTPRequest) async -> HTTPResponse {
    requests.append(message)
    let path = message.url.lastPathComponent
    if var answers = overrides[path], !answers.isEmpty {
      let answer = answers.removeFirst()
      overrides[path] = answers
      return answer
    }
    let fields = form(message.body)
    switch path {
    case "openid-configuration":
      return ProviderModel.json(
        200,
        #"""
        {"issuer":"https://id.example.org/o","authorization_endpoint":"https://id.example.org/o/authorize/?lang=en",
         "token_endpoint":"https://id.example.org/o/token","revocation_endpoint":"https://id.example.org/o/revoke",
         "device_authorization_endpoint":"https://id.example.org/o/device","end_session_endpoint":"https://id.example.org/o/end",
         "code_challenge_methods_supported":["plain","S256"]}
        """#)
    case "token":
      let answer = token(fields)
      if losesNext {
        losesNext = false
        return .none(because: "the connection was lost")
      }
      return answer
    case "device":
      return ProviderModel.json(
        200,
        #"{"device_code":"dev-secret","user_code":"WDJB-MJHT","verification_uri":"https://id.example.org/device","expires_in":600,"interval":5}"#
      )
    case "revoke":
      revoked.append(fields["token"] ?? "")
      refreshToken = nil
      return HTTPResponse(status: 200)
    default: return HTTPResponse(status: 404)
    }
  }

  private func token(_ fields: [String: String]) -> HTTPResponse {
    func refuse(_ code: String) -> HTTPResponse { ProviderModel.json(400, #"{"error":"\#(code)"}"#) }
    switch fields["grant_type"] {
    case "authorization_code":
      guard let known = codes.removeValue(forKey: fields["code"] ?? ""), known.redirect == fields["redirect_uri"],
        ProofKey(verifier: fields["code_verifier"] ?? "").challenge == known.challenge
      else { return refuse("invalid_grant") }
      return issue(nonce: known.nonce)
    case "refresh_token":
      guard let token = fields["refresh_token"], token == refreshToken else { return refuse("invalid_grant") }
      return issue(nonce: nil)
    case "urn:ietf:params:oauth:grant-type:device_code":
      guard fields["device_code"] == "dev-secret" else { return refuse("invalid_grant") }
      if !pending.isEmpty { return refuse(pending.removeFirst()) }
      return issue(nonce: nil)
    default: return refuse("unsupported_grant_type")
    }
  }

  private func issue(nonce: String?) -> HTTPResponse {
    count += 1
    let (access, refresh) = ("access-\(count)-secret", "refresh-\(count)-secret")
    accessToken = access
    refreshToken = refresh
    let claims =
      #"{"iss":"\#(ProviderModel.issuer)","aud":"app","sub":"1","exp":4102444800\#(nonce.map { #","nonce":"\#($0)""# } ?? "")}"#
    let identity = "e30." + Base64.encodeURL(Array(claims.utf8)) + ".sig"
    return ProviderModel.json(
      200,
      #"{"access_token":"\#(access)","refresh_token":"\#(refresh)","token_type":"Bearer","expires_in":\#(lifetime),"id_token":"\#(identity)"}"#
    )
  }

  /// A person signs in on a page; returns the address to which the browser is sent back.
  func browse(_ page: URL, change: [String: String] = [:]) throws -> URL {
    let items = URLComponents(url: page, resolvingAgainstBaseURL: true)?.queryItems ?? []
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    try #require(value("lang") == "en" && value("response_type") == "code" && value("code_challenge_method") == "S256")
    let challenge = try #require(value("code_challenge"))
    challenges.append(challenge)
    let code = "code+\(challenges.count)/="
    let redirect = try #require(value("redirect_uri"))
    codes[code] = (challenge, value("nonce"), redirect)
    var answer = ["code": code, "state": value("state") ?? "", "iss": ProviderModel.issuer]
    answer.merge(change) { $1 }
    let query = PercentEncoding.form(answer.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty })
    return try #require(URL(string: redirect + "?" + query))
  }

  private func form(_ body: [UInt8]) -> [String: String] {
    var parts = URLComponents()
    parts.percentEncodedQuery = String(decoding: body, as: UTF8.self)
    return Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
  }
}

/// A clock that a test moves; a sleep moves it.
///
/// `@unchecked Sendable` holds because every access to the mutable field happens with `lock` held.
final class HandClock: MonitorClock, @unchecked Sendable {
  private let lock = NSLock()
  private var time = Instant(milliseconds: 1_767_254_400_000)

  var now: ClockReading {
    let wall = lock.withLock { time }
    return ClockReading(wall: wall, monotonic: TimeSpan(milliseconds: wall.milliseconds))
  }
  func sleep(for span: TimeSpan) async throws { move(span) }
  func move(_ span: TimeSpan) { lock.withLock { time = time + span } }
}

/// A session with a provider in the process.
struct Bench {
  let provider = ProviderModel()
  let vault = MemoryTokenVault()
  let clock = HandClock()
  let session: SignInSession

  init() throws {
    let configuration = SignInMachine.Configuration(
      issuer: try #require(URL(string: ProviderModel.issuer)), client: "app",
      redirect: URL(string: "my-app://signed-in/back"), scopes: ["openid", "a/b c"])
    session = SignInSession(configuration, vault: vault, transport: provider, clock: clock)
  }

  func signIn(change: [String: String] = [:]) async throws {
    try await session.signIn(browser: { page in try await provider.browse(page, change: change) })
  }

  func failure(_ body: () async throws -> Void) async -> SignInError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? SignInError
    }
  }
}
