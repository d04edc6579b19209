import Cordon
import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import CordonWire
import Foundation
import Testing

/// From the bytes of an answer to the status: an unproved answer changes nothing.
@Suite("Answers of portals", .timeLimit(.minutes(10)))
struct PortalStatusTests {
  /// The thing between the phone and its server, with its name in the status.
  enum Portal: String, CaseIterable, Sendable {
    case page200, page403, page410, forgedRows, forgedRefusals
    /// Answers of the server to other requests, with their proofs.
    case earlierAnswer, otherPath, otherDevice, otherStatus

    var code: String { self == .page200 ? "not-a-server" : "unproved-answer" }
    var isOfProof: Bool { [.earlierAnswer, .otherPath, .otherDevice, .otherStatus].contains(self) }

    func answer(_ message: HTTPRequest, earlier: HTTPResponse, row: FixID) -> HTTPResponse {
      let page = Array("<html>Welcome. Please sign in.</html>".utf8)
      func rows(_ status: RowStatus) -> HTTPResponse {
        HTTPResponse(status: 207, body: PositionAnswers.encode([.init(id: row, status: status)]))
      }
      switch self {
      case .page200: return HTTPResponse(status: 200, body: page)
      case .page403: return HTTPResponse(status: 403, body: page)
      case .page410: return HTTPResponse(status: 410, body: page)
      case .forgedRows: return rows(.stored)
      case .forgedRefusals: return rows(.refused(reason: "portal"))
      case .earlierAnswer:
        // With a harmful body, and a proof that was once valid.
        var answer = rows(.stored)
        answer.headers = earlier.headers
        return answer
      case .otherPath:
        var (answer, other) = (rows(.stored), message)
        other.url = message.url.deletingLastPathComponent().appendingPathComponent("devices")
        answer.prove(to: other, secret: "s3")
        return answer
      case .otherDevice:
        var answer = rows(.stored)
        answer.prove(to: message, secret: "s4")
        return answer
      case .otherStatus:
        var answer = HTTPResponse(status: 503)
        answer.prove(to: message, secret: "s3")
        answer.status = 410
        return answer
      }
    }
  }

  @Test(arguments: Portal.allCases) func unprovedAnswersChangeNothingAndAreReported(portal: Portal) async throws {
    let (clock, provider, server, venue) = (ManualClock(), HandProvider(), ModelServer(), SmallVenue())
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.cordon)]
    configuration.thinning = .zero
    configuration.flushAfter = nil
    let url = try #require(URL(string: "http://server.invalid"))
    let monitor = try ContactMonitor(
      venue: venue, endpoints: [SinkEndpoint(.cordon, url: url)], provider: provider, store: MemoryStore(),
      configuration: configuration, transport: server, clock: clock)
    try await monitor.consent(to: Consent(version: "1", time: clock.now.wall))
    await monitor.activate(inviteCode: "CODE")
    await monitor.start()
    try await wait { await monitor.status.phase == .armed }
    provider.deliver(.region(.entered))
    func deliver(_ count: UInt64) async throws {
      clock.advance(by: .seconds(5))
      let place = venue.place(east: Double(count), north: 1)
      provider.deliver(.fix(Fix(coordinate: place, accuracy: 5, time: clock.now.wall)))
      try await wait { await monitor.accounting.stored >= count }
      await monitor.flush()
    }
    try await deliver(1)
    try await wait { await monitor.accounting.acknowledged >= 1 }
    let (device, earlier) = (await monitor.device, try #require(await server.answers.last))
    #expect(earlier.headers[AnswerProof.header] != nil)

    let place = venue.place(east: 2, north: 1)
    let row = FixID(device: device, time: clock.now.wall + .seconds(5), coordinate: place, accuracy: 5, floor: nil)
    await server.set(portal: { portal.answer($0, earlier: earlier, row: row) })
    try await deliver(2)
    try await wait { await !monitor.status.issues.isEmpty }
    let status = await monitor.status
    #expect(status.issues.first?.code == portal.code, "\(status.issues)")
    #expect(status.lastAnswer?.isUnproved == true)
    #expect(status.phase == .tracking && status.consent != nil && status.isActivated)
    #expect(status.accounting.onPhone == 1 && status.accounting.acknowledged == 1)
    #expect(status.accounting.quarantined == 0 && status.accounting.erased == 0)
    #expect(await monitor.device == device)

    // The portal goes away, and the waiting rows arrive.
    await server.set(portal: nil)
    try await wait {
      clock.advance(by: .seconds(10))
      return await monitor.accounting.acknowledged >= 2
    }
    #expect(await server.rows.count == 2)
    #expect(await monitor.status.lastAnswer?.isUnproved == false)
    await monitor.stop()
  }
}
