import Cordon
import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("The form at check-in") struct CheckInFormTests {
  @Test(.timeLimit(.minutes(5))) func theLinkNamesTheFormOfTheVenue() async throws {
    let scratch = try TemporaryFolder()
    let server = ModelServer()
    let url = try #require(URL(string: "http://server.invalid"))
    let monitor = try ContactMonitor(
      venue: SmallVenue(), endpoints: [SinkEndpoint(.cordon, url: url)], provider: HandProvider(),
      file: scratch.path("store.sqlite"), transport: server)
    await monitor.start()
    try await monitor.consent(to: Consent(version: "2026-01", time: monitor.now.wall))
    #expect(await monitor.checkInForm() == nil, "not activated yet")
    await monitor.activate(inviteCode: "CODE")
    try await wait { await monitor.status.phase == .armed }
    let (asked, other) = (#"{"form":"screening","at_check_in":true}"#, #"{"form":"interview","at_check_in":false}"#)
    for (forms, path) in [
      ("[]", nil), ("[\(other)]", nil), ("[\(other),\(asked)]", "forms/screening/#code=7QK2MMWD"),
      (#"[{"form":"../../x","at_check_in":true}]"#, nil),
    ] as [(String, String?)] {
      await server.set(forms: #"{"forms":\#(forms)}"#)
      let link = await monitor.checkInForm()
      #expect(link?.absoluteString == path.map { "http://server.invalid/\($0)" }, "\(forms)")
    }
    // No code is requested without a form.
    #expect(await server.requests.count { $0.url.path.hasSuffix("/page-code") } == 1)
    await server.set(isDown: true)
    #expect(await monitor.checkInForm() == nil)
    await monitor.stop()
  }
}
