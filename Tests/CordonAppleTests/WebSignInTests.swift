import Cordon
import CordonAppleShims
import CordonCore
import CordonMonitoring
import CordonSignIn
import Foundation
import Testing

@testable import CordonApple

@Suite("Sign-in in the system's web session", .serialized)
@MainActor struct WebSignInTests {
  private struct NoNetwork: HTTPTransport {
    func send(_ message: HTTPRequest) async -> HTTPResponse {
      guard message.url.lastPathComponent == "openid-configuration" else {
        return HTTPResponse(
          status: 200, body: Array(#"{"access_token":"a","token_type":"Bearer","expires_in":60}"#.utf8))
      }
      return HTTPResponse(
        status: 200,
        body: Array(
          #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a","token_endpoint":"https://id.example/t"}"#
            .utf8))
    }
  }

  private func endpoint(_ vault: MemoryTokenVault) throws -> SinkEndpoint {
    let configuration = SignInMachine.Configuration(
      issuer: try #require(URL(string: "https://id.example")), client: "app", redirect: URL(string: "my-app://back"))
    let session = SignInSession(configuration, vault: vault, transport: NoNetwork())
    return SinkEndpoint(.overland, url: try #require(URL(string: "https://receiver.example"))).signedIn(session)
  }

  @Test func theSystemsSessionSignsIn() async throws {
    let vault = MemoryTokenVault()
    ASWebAuthenticationSession.person = { session in
      let items = URLComponents(url: session.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
      let state = items.first { $0.name == "state" }?.value ?? ""
      // The session shares no cookies, and returns by the scheme of the app.
      let isRight = session.prefersEphemeralWebBrowserSession && session.scheme == "my-app"
      session.completion(isRight ? URL(string: "my-app://back?code=c&state=\(state)") : nil, nil)
    }
    try await endpoint(vault).signIn(callbackScheme: "my-app")
    #expect(try vault.load()?.access == "a")
  }

  @Test func cancellingSignsNobodyIn() async throws {
    let vault = MemoryTokenVault()
    ASWebAuthenticationSession.person = { $0.completion(nil, CancellationError()) }
    await #expect(throws: CancellationError.self) { try await endpoint(vault).signIn(callbackScheme: "my-app") }
    ASWebAuthenticationSession.person = nil
    await #expect(throws: SignInError.self) { try await endpoint(vault).signIn(callbackScheme: "my-app") }
    #expect(try vault.load() == nil)
  }
}
