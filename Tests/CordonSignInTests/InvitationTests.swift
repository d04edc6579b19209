import Cordon
import CordonCore
import CordonSignIn
import CordonSupport
import Foundation
import Testing

@Suite("Invitations")
struct InvitationTests {
  static let token = "I5rQsumtbSg9SlC3P3wsPiqKugjjIH2P"

  @Test(arguments: [
    "https://carex.ai/invitation/exchange.example.org_I5rQsumtbSg9SlC3P3wsPiqKugjjIH2P",
    "https://commonhealth.example?invitation=exchange.example.org_I5rQsumtbSg9SlC3P3wsPiqKugjjIH2P",
    " exchange.example.org_I5rQsumtbSg9SlC3P3wsPiqKugjjIH2P\n",
    "my-app://i?code=exchange.example.org%5FI5rQsumtbSg9SlC3P3wsPiqKugjjIH2P",
  ])
  func linksAndCodesAreRead(text: String) throws {
    let invitation = try Invitation(text)
    #expect(invitation.redemption.absoluteString == "https://exchange.example.org/api/v1/invitation/" + Self.token)
    #expect(Base64.decode(invitation.verifier) == Array(Self.token.utf8))
  }

  @Test func aPortIsPartOfTheHost() throws {
    let invitation = try Invitation("https://carex.ai/invitation/localhost%3A8977_" + Self.token)
    #expect(invitation.redemption.absoluteString == "http://localhost:8977/api/v1/invitation/" + Self.token)
  }

  @Test(arguments: [
    "", "hello", "https://app.example/", "host_short", "_I5rQsumtbSg9SlC3P3wsPiqKugjjIH2P",
    "a b_I5rQsumtbSg9SlC3P3wsPiqKugjjIH2P", "host@evil_I5rQsumtbSg9SlC3P3wsPiqKugjjIH2P",
    "host#x_I5rQsumtbSg9SlC3P3wsPiqKugjjIH2P", "host\\x_I5rQsumtbSg9SlC3P3wsPiqKugjjIH2P",
    "host_I5rQsumtbSg9SlC3P3wsPiqKugjjIH2é", String(repeating: "a", count: 3_000),
    "cloud_sharing_code=exchange.example.org|ABCDEF",
  ])
  func brokenOnesAreRefused(text: String) {
    #expect(throws: SignInError.self) { try Invitation(text) }
  }

  /// The verifier that every copy of an app knows is refused by name.
  @Test func aStaticVerifierIsNeverUsed() {
    let error = #expect(throws: SignInError.self) { try Invitation("cloud_sharing_code=exchange.example.org|ABCDEF") }
    #expect(error == .badInvitation("it needs a verifier that every app knows, which protects nothing"))
  }

  private actor Exchange: HTTPTransport {
    var endpoint = "https://exchange.example.org/o/token/"
    var status = 200
    private(set) var bodies: [String] = []
    func set(endpoint: String) { self.endpoint = endpoint }
    func set(status: Int) { self.status = status }
    func send(_ message: HTTPRequest) async -> HTTPResponse {
      bodies.append(String(decoding: message.body, as: UTF8.self))
      // Recorded from a JupyterHealth Exchange; the values are made up.
      if message.url.path.contains("/invitation/") {
        return ProviderModel.json(
          status,
          #"{"grant":{"grant_type":"authorization_code","redirect_uri":"https://exchange.example.org/auth/callback","client_id":"0sAjDj","code":"PGiS47"},"token_endpoint":"\#(endpoint)","expires":"2026-11-26T10:00:08.829087Z"}"#
        )
      }
      return ProviderModel.json(
        200,
        #"{"access_token": "wmVkO04", "expires_in": 1209600, "token_type": "Bearer", "scope": "openid email", "refresh_token": "RItiAP"}"#
      )
    }
  }

  private func session(_ exchange: Exchange, _ vault: MemoryTokenVault) throws -> SignInSession {
    let issuer = try #require(URL(string: "https://exchange.example.org/o"))
    return SignInSession(
      SignInMachine.Configuration(issuer: issuer, client: "unused"), vault: vault, transport: exchange,
      clock: HandClock())
  }

  @Test func anInvitationIsASignIn() async throws {
    let (exchange, vault) = (Exchange(), MemoryTokenVault())
    let session = try session(exchange, vault)
    try await session.signIn(invitation: try Invitation("exchange.example.org_" + Self.token))
    let set = try #require(try vault.load())
    #expect(set.access == "wmVkO04" && set.client == "0sAjDj")
    // Two weeks, as the provider says; not a constant of the app.
    #expect(set.expires == HandClock().now.wall + .seconds(1_209_600))
    let form = try #require(await exchange.bodies.last)
    #expect(form.contains("redirect_uri=https%3A%2F%2Fexchange.example.org%2Fauth%2Fcallback"))
    #expect(form.contains("code_verifier=" + Base64.encodeURL(Array(Self.token.utf8))))
    #expect(await exchange.bodies.count == 2, "one redirect, not one after the other")
  }

  @Test(arguments: [
    "https://evil.example/o/token/", "http://exchange.example.org/o/token/",
    "https://exchange.example.org:444/o/token/", "x",
  ])
  func aForeignTokenEndpointIsRefused(endpoint: String) async throws {
    let (exchange, vault) = (Exchange(), MemoryTokenVault())
    await exchange.set(endpoint: endpoint)
    let session = try session(exchange, vault)
    let invitation = try Invitation("exchange.example.org_" + Self.token)
    await #expect(throws: SignInError.self) { try await session.signIn(invitation: invitation) }
    #expect(try vault.load() == nil)
    #expect(await exchange.bodies.count == 1)
  }

  @Test(arguments: [404, 409, 410]) func aUsedInvitationHasExpired(status: Int) async throws {
    let (exchange, vault) = (Exchange(), MemoryTokenVault())
    await exchange.set(status: status)
    let session = try session(exchange, vault)
    let invitation = try Invitation("exchange.example.org_" + Self.token)
    await #expect(throws: SignInError.expired) { try await session.signIn(invitation: invitation) }
  }
}
