import Cordon
import CordonCore
import CordonMonitoring
import CordonSealing
import CordonSignIn
import CordonSupport
import CordonTestSupport
import Foundation
import Testing

/// Sinks whose requests carry the token of a sign-in.
@Suite("Sinks with a sign-in")
struct SignedInSinkTests {
  /// A receiver that accepts the provider's current token.
  private actor Receiver: HTTPTransport {
    let provider: ProviderModel
    private(set) var tokens: [String] = []
    init(_ provider: ProviderModel) { self.provider = provider }
    func send(_ message: HTTPRequest) async -> HTTPResponse {
      let token = String(message.headers["authorization"]?.dropFirst("Bearer ".count) ?? "")
      tokens.append(token)
      guard await provider.isCurrent(token) else { return HTTPResponse(status: 401) }
      return HTTPResponse(status: 200, body: Array(#"{"result":"ok"}"#.utf8))
    }
  }

  private func request() throws -> SinkRequest {
    let device = try #require(DeviceID("0b5f"))
    let place = Coordinate(longitude: 8.5, latitude: 47.25)
    let time = Instant(milliseconds: 1_767_254_400_000)
    let location = Location(
      id: FixID(device: device, time: time, coordinate: place, accuracy: 4, floor: nil), device: device,
      venue: try #require(VenueID("mall")), coordinate: place, accuracy: 4, floor: nil, time: time)
    return SinkRequest(number: 1, device: device, sink: .overland, body: .positions([location], token: nil))
  }

  private func endpoint(_ bench: Bench) throws -> SinkEndpoint {
    SinkEndpoint(.overland, url: try #require(URL(string: "https://receiver.example"))).signedIn(bench.session)
  }

  @Test func requestsCarryTheCurrentToken() async throws {
    let bench = try Bench()
    try await bench.signIn()
    let receiver = Receiver(bench.provider)
    let response = try await endpoint(bench).deliver(request(), over: receiver)
    #expect(response.status == 200 && response.body != .none)
    #expect(await receiver.tokens == ["access-1-secret"])
    #expect(try await endpoint(bench).isSignedIn)
  }

  /// A token that ends within a batch is renewed, and the batch repeated once.
  @Test func aTokenThatEndsMidBatchIsRenewed() async throws {
    let bench = try Bench()
    try await bench.signIn()
    // The provider has replaced the token early.
    _ = await bench.provider.send(
      HTTPRequest(
        method: "POST", url: try #require(URL(string: "https://id.example.org/o/token")),
        body: Array(
          PercentEncoding.form([
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", "dev-secret"),
          ]).utf8)))
    try bench.vault.keep(
      TokenSet(
        access: "access-1-secret", refresh: "refresh-2-secret", expires: bench.clock.now.wall + .hours(1), client: "app"
      ))
    let receiver = Receiver(bench.provider)
    let fresh = SignInSession(
      SignInMachine.Configuration(issuer: try #require(URL(string: ProviderModel.issuer)), client: "app"),
      vault: bench.vault, transport: bench.provider, clock: bench.clock)
    let endpoint = SinkEndpoint(.overland, url: try #require(URL(string: "https://receiver.example"))).signedIn(fresh)
    let response = try await endpoint.deliver(request(), over: receiver)
    #expect(response.status == 200 && response.body != .none)
    #expect(await receiver.tokens == ["access-1-secret", "access-3-secret"])
  }

  @Test func withoutASignInNothingIsSent() async throws {
    let bench = try Bench()
    let receiver = Receiver(bench.provider)
    let response = try await endpoint(bench).deliver(request(), over: receiver)
    #expect(response.status == 401 && response.body == .none)
    #expect(response.fault == "nobody is signed in")
    #expect(await receiver.tokens.isEmpty)
  }

  /// Tokens go to the receiver of the sign-in, and not where a setup link leads.
  @Test func tokensDoNotFollowAnotherAddress() async throws {
    let bench = try Bench()
    try await bench.signIn()
    let receiver = Receiver(bench.provider)
    let link = "overland://setup?url=https%3A%2F%2Fevil.example%2Fin"
    let moved = try endpoint(bench).applying(setupLink: link).endpoint
    #expect(moved.url.host == "evil.example")
    let response = try await moved.deliver(request(), over: receiver)
    #expect(response.status == 401 && response.body == .none)
    #expect(response.fault == "the sign-in is for another receiver, https://receiver.example:443")
    #expect(await receiver.tokens.isEmpty)
    // Another path at the same origin is the same receiver.
    let near = try endpoint(bench).applying(setupLink: "overland://setup?url=https://receiver.example/other").endpoint
    #expect(try await near.deliver(request(), over: receiver).status == 200)
  }

  @Test func tokensAreSealed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("tokens")
    let issuer = try #require(URL(string: ProviderModel.issuer))
    let sealer = AESGCMSealer(keys: FileKeyStore(path: folder.path("keys")))
    let vault = SealedTokenVault(path: path, sealer: sealer, issuer: issuer)
    #expect(try vault.load() == nil)
    let set = TokenSet(access: "top-secret", refresh: "r", expires: Instant(milliseconds: 5), client: "app")
    try vault.keep(set)
    #expect(try vault.load() == set)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.range(of: Data("top-secret".utf8)) == nil)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
    // The tokens of one provider do not open for another.
    let other = SealedTokenVault(path: path, sealer: sealer, issuer: try #require(URL(string: "https://evil.example")))
    #expect(try other.load() == nil)
    try vault.forget()
    #expect(try vault.load() == nil && !FileManager.default.fileExists(atPath: path))
  }
}
