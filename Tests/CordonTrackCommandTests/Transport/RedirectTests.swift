import Cordon
import CordonCore
import CordonMonitoring
import CordonTestSupport
import Foundation
import Testing

@testable import CordonApple

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Two servers: one redirects to the other, which must receive nothing.
@Suite("Redirects", .timeLimit(.minutes(15)))
struct RedirectTests {
  static let statuses = [301, 302, 303, 307, 308]

  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func transports() -> [any HTTPTransport] {
    [URLSessionTransport(), BackgroundTransport(configuration: .ephemeral, folder: scratch.url)]
  }

  private func positions(to server: LoopbackServer) throws -> (SinkEndpoint, SinkRequest) {
    let device = try #require(DeviceID("d"))
    let place = Coordinate(longitude: 8.5, latitude: 47.25)
    let time = Instant.testStart
    let location = Location(
      id: FixID(device: device, time: time, coordinate: place, accuracy: 5, floor: nil), device: device,
      venue: try #require(VenueID("v")), coordinate: place, accuracy: 5, floor: nil, time: time)
    let endpoint = SinkEndpoint(.cordon, url: try #require(URL(string: server.address)))
    let body = SinkRequest.Body.positions([location], token: "t0ken")
    return (endpoint, SinkRequest(number: 1, device: device, sink: .cordon, body: body))
  }

  /// Neither the token nor a location is sent to another origin, whatever the status.
  @Test(arguments: statuses) func redirectsToAnotherOriginSendNothing(status: Int) async throws {
    for transport in transports() {
      let (first, second) = (try LoopbackServer(), try LoopbackServer())
      first.redirect = (status, second.address + "/v1/positions")
      let (endpoint, request) = try positions(to: first)
      let response = await endpoint.deliver(request, over: transport)
      #expect(first.requests == ["POST /v1/positions"])
      #expect(second.requests.isEmpty && second.rows.isEmpty)
      #expect(response.status == status && response.body == .none)
      #expect(response.fault?.contains("redirects to http://127.0.0.1:\(second.port)") == true, "\(response)")
    }
  }

  /// A redirect within the origin is not followed either: the new address must be configured.
  @Test(arguments: statuses) func redirectsToTheSameOriginAreNotFollowed(status: Int) async throws {
    for transport in transports() {
      let server = try LoopbackServer()
      server.redirect = (status, "/elsewhere")
      let (endpoint, request) = try positions(to: server)
      let response = await endpoint.deliver(request, over: transport)
      #expect(server.requests == ["POST /v1/positions"])
      #expect(response.status == status)
    }
  }

  /// Requests without a body, and one that carries a secret.
  @Test func redirectsOfOtherRequestsAreNotFollowed() async throws {
    let (first, second) = (try LoopbackServer(), try LoopbackServer())
    first.redirect = (307, second.address + "/v1/devices/d/token")
    let (endpoint, asked) = try positions(to: first)
    for body in [SinkRequest.Body.token(secret: "s3cret"), .activate(code: "CODE", type: "phone"), .erase(secret: nil)]
    {
      let request = SinkRequest(number: 2, device: asked.device, sink: .cordon, body: body)
      #expect(await endpoint.deliver(request, over: URLSessionTransport()).status == 307)
    }
    let url = try #require(URL(string: first.address + "/v1/venues/v/packed"))
    #expect(await URLSessionTransport().send(HTTPRequest(method: "GET", url: url)).status == 307)
    #expect(first.requests.count == 4 && second.requests.isEmpty)
  }

  /// A background session follows redirects without asking: its result does not count as an answer.
  @Test func answersFromAnotherOriginAreIgnored() throws {
    let asked = HTTPRequest(method: "POST", url: try #require(URL(string: "https://server.example/v1/positions")))
    for address in [
      "http://server.example/v1/positions", "https://other.example/v1/positions",
      "https://server.example:444/v1/positions",
    ] {
      let url = try #require(URL(string: address))
      let response = try #require(HTTPURLResponse(url: url, statusCode: 207, httpVersion: nil, headerFields: [:]))
      let answer = HTTPResponse(response, to: asked, body: [1])
      #expect(answer.status == 0 && answer.body.isEmpty && answer.failure?.contains("redirected") == true)
    }
    let same = try #require(URL(string: "https://server.example:443/v1/positions"))
    let response = try #require(
      HTTPURLResponse(url: same, statusCode: 207, httpVersion: nil, headerFields: ["ETag": "x"]))
    let answer = HTTPResponse(response, to: asked, body: [1])
    #expect(answer.status == 207 && answer.headers["etag"] == "x" && answer.failure == nil)
  }

  /// The message about a redirect names at most an origin.
  @Test func theTextNamesTheOriginOnly() throws {
    let asked = HTTPRequest(method: "POST", url: try #require(URL(string: "https://server.example/v1/positions")))
    for location in ["http://evil.example/?device=secret#x", "https://user:pass@evil.example/secret", "/secret", "%%"] {
      let response = try #require(
        HTTPURLResponse(url: asked.url, statusCode: 302, httpVersion: nil, headerFields: ["Location": location]))
      let answer = HTTPResponse(response, to: asked, body: [])
      let failure = try #require(answer.failure)
      #expect(!failure.contains("secret") && !failure.contains("pass") && failure.contains("(status 302)"))
    }
  }
}
