import Cordon
import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("Exposure notices of a server")
struct ExposureNoticeTests {
  private static let answer = #"""
    {"notices": [
      {"number": 4, "template": "test", "exposed_day": "2026-01-05", "advice": "Call\n555.", "created": 1000,
       "expires": 4102444800000, "acknowledged": null},
      {"number": 5, "template": "test", "exposed_day": "a very long day", "created": 1, "expires": 2},
      {"number": "6"}
    ]}
    """#

  @Test func theFormatAsksReadsAndAcknowledges() throws {
    let endpoint = SinkEndpoint(.cordon, url: try #require(URL(string: "http://server.invalid")))
    let device = try #require(DeviceID("phone-1"))
    let asking = SinkRequest(number: 1, device: device, sink: .cordon, body: .notices(token: "t0ken"))
    let message = try #require(endpoint.message(for: asking))
    #expect(message.method == "GET" && message.url.path == "/v1/devices/phone-1/notices" && message.body.isEmpty)
    #expect(message.headers["authorization"] == "Bearer t0ken")
    let response = endpoint.response(to: asking, from: HTTPResponse(status: 200, body: Array(Self.answer.utf8)))
    #expect(
      response.body
        == .notices([
          ExposureNotice(
            id: 4, template: "test", day: "2026-01-05", advice: "Call\n555.", created: Instant(milliseconds: 1_000),
            expires: Instant(milliseconds: 4_102_444_800_000))
        ]), "entries that cannot be read are left out")
    let unreadable = endpoint.response(to: asking, from: HTTPResponse(status: 200, body: Array("<html>".utf8)))
    #expect(unreadable.body == .none)
    let acknowledging = SinkRequest(
      number: 2, device: device, sink: .cordon, body: .acknowledge(notice: 4, token: "t0ken"))
    let second = try #require(endpoint.message(for: acknowledging))
    #expect(second.method == "POST" && second.url == message.url)
    #expect(String(decoding: second.body, as: UTF8.self) == #"{"number":4}"#)
  }

  @Test func textsAreThoseOfTheTemplate() {
    func text(_ template: String, _ language: String) -> String {
      ExposureNotice(id: 1, template: template, day: "2026-01-05", created: .epoch, expires: .epoch).text(in: language)
    }
    #expect(text("test", "en") == "You may have been exposed. Please take a test.")
    #expect(text("test", "de-CH") == "Sie hatten möglicherweise eine Exposition. Bitte lassen Sie sich testen.")
    #expect(text("a later one", "fr") == text("exposure", "en"))
  }

  @Test(.timeLimit(.minutes(15))) func aMonitorReportsHoldsAndExportsANotice() async throws {
    let scratch = try TemporaryFolder()
    let server = ModelServer()
    await server.set(notices: Self.answer)
    let monitor = try ContactMonitor(
      venue: SmallVenue(), endpoints: [SinkEndpoint(.cordon, url: try #require(URL(string: "http://server.invalid")))],
      provider: HandProvider(), file: scratch.path("store.sqlite"), transport: server)
    let notices = monitor.notices
    await monitor.start()
    try await monitor.consent(to: Consent(version: "2026-01", time: monitor.now.wall))
    await monitor.activate(inviteCode: "CODE")
    var found: ExposureNotice?
    for await case .exposure(let notice) in notices {
      found = notice
      break
    }
    let notice = try #require(found)
    #expect(notice.id == 4 && MonitorNotice.exposure(notice).description == "exposure notice 4 arrived")
    #expect(await monitor.exposureNotices == [notice])
    #expect(await monitor.status.notices == [notice])
    await monitor.acknowledge(notice.id)
    try await wait { await monitor.exposureNotices.first?.isAcknowledgementSent == true }
    let sent = await server.requests.filter { $0.method == "POST" && $0.url.path.hasSuffix("/notices") }
    #expect(sent.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"number":4}"#])
    #expect(String(decoding: try await monitor.exportMyData(), as: UTF8.self).contains("2026-01-05"))
    #expect(await monitor.personPage()?.absoluteString == "http://server.invalid/console/person#code=7QK2MMWD")
    await monitor.withdraw()
    #expect(await monitor.personPage() == nil)
    #expect(await monitor.exposureNotices.isEmpty)
  }
}
