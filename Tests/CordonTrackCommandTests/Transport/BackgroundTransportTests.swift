import Cordon
import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonWire
import Foundation
import Testing

@testable import CordonApple

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Uploads from files over real HTTP. On Linux the session is a plain one: the tests cover the path of the bytes, not
/// the background work of an operating system.
@Suite("Uploads from files", .timeLimit(.minutes(15)))
struct BackgroundTransportTests {
  let folder: TemporaryFolder
  let uploads: URL

  init() throws {
    folder = try TemporaryFolder()
    uploads = folder.url.appendingPathComponent("uploads")
  }

  private func transport() -> BackgroundTransport {
    BackgroundTransport(configuration: .ephemeral, folder: uploads)
  }

  private var leftovers: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: uploads.path)) ?? []
  }

  private func location() throws -> Location {
    let device = try #require(DeviceID("d"))
    let place = Coordinate(longitude: 8.5, latitude: 47.25)
    let time = Instant.testStart
    return Location(
      id: FixID(device: device, time: time, coordinate: place, accuracy: 5, floor: nil), device: device,
      venue: try #require(VenueID("v")), coordinate: place, accuracy: 5, floor: nil, time: time)
  }

  @Test func rowsAreSentAndTheirFileIsRemoved() async throws {
    let server = try LoopbackServer()
    let location = try location()
    let request = SinkRequest(
      number: 1, device: location.device, sink: .cordon, body: .positions([location], token: "t0ken"))
    let endpoint = SinkEndpoint(.cordon, url: try #require(URL(string: server.address)))
    let response = await endpoint.deliver(request, over: transport())
    #expect(response.body == .rows([RowAnswer(id: location.id, status: .stored)]))
    #expect(server.rows.map(\.id) == [location.id])
    #expect(leftovers.isEmpty)
  }

  @Test func aMissingServerIsNotAnAnswer() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:\(try Loopback.freePort())/v1/positions"))
    let answer = await transport().send(HTTPRequest(method: "POST", url: url, body: [1, 2, 3]))
    #expect(answer.status == 0 && answer.failure != nil)
    #expect(leftovers.isEmpty)
  }

  @Test func requestsWithoutABodyNeedNoFile() async throws {
    let server = try LoopbackServer()
    let url = try #require(URL(string: server.address + "/health"))
    #expect(await transport().send(HTTPRequest(method: "GET", url: url)).status == 200)
    #expect(!FileManager.default.fileExists(atPath: uploads.path))
  }

  @Test func filesOfAnEarlierLaunchAreRemoved() throws {
    try FileManager.default.createDirectory(at: uploads, withIntermediateDirectories: true)
    try Data("old".utf8).write(to: uploads.appendingPathComponent("left"))
    _ = transport()
    #expect(leftovers.isEmpty)
  }
}
