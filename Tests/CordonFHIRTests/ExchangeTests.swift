import Cordon
import CordonCore
import CordonFHIR
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

/// The recorded contract of a JupyterHealth Exchange, and servers that answer nonsense.
@Suite("FHIR servers")
struct ExchangeTests {
  private func rows(_ answers: [HTTPResponse], _ count: Int) async throws -> (SinkResponse, [Location], ScriptedServer)
  {
    let locations = try Samples.locations(count)
    let server = ScriptedServer(answers)
    let response = try await Samples.endpoint(Samples.target()).deliver(Samples.request(locations), over: server)
    return (response, locations, server)
  }

  private func statuses(_ response: SinkResponse) -> [RowStatus]? {
    guard case .rows(let rows) = response.body else { return nil }
    return rows.map(\.status)
  }

  @Test func aServerWithoutTheMediaTypeOfFHIRReceivesPlainJSON() async throws {
    let (response, _, server) = try await rows(
      [ExchangeContract.unsupported, ExchangeContract.batch([ExchangeContract.created])], 1)
    #expect(statuses(response) == [.stored])
    let messages = await server.messages
    #expect(messages.map { $0.headers["content-type"] } == ["application/fhir+json", "application/json"])
    #expect(messages[0].body == messages[1].body)
  }

  /// Accepted entries go, refused ones are quarantined with the text of their issue, and copies count as accepted.
  @Test func eachEntryIsObeyed() async throws {
    let locations = try Samples.locations(4)
    let copy = "urn:uuid:" + FHIRObservation.positions(of: locations[1])[0].identifier
    let (response, _, _) = try await rows(
      [
        ExchangeContract.batch([
          ExchangeContract.created, ExchangeContract.existing(copy), ExchangeContract.badContents,
          ExchangeContract.failed("503 Service Unavailable", "busy"),
        ])
      ], 4)
    #expect(
      statuses(response) == [
        .stored, .known, .refused(reason: "{'omh_data': [\"1 is not of type 'object'\"]}"), .retry,
      ])
  }

  /// A conflict about something else does not prove that the server has the Observation.
  @Test func onlyAConflictOverTheIdentifierCountsAsACopy() async throws {
    let (response, _, _) = try await rows(
      [ExchangeContract.batch([ExchangeContract.existing("urn:uuid:another"), ExchangeContract.created])], 2)
    #expect(statuses(response) == [.retry, .stored])
  }

  /// A wrong device makes the server refuse everything; nothing is quarantined for it.
  @Test func aBatchThatIsRefusedAsAWholeWaits() async throws {
    let (response, _, _) = try await rows(
      [ExchangeContract.batch([ExchangeContract.unknownDevice, ExchangeContract.unknownDevice])], 2)
    #expect(statuses(response) == [.retry, .retry])
    #expect(response.fault == "Device Data Source id=1 can not be found.")
  }

  @Test func dataWithoutConsentPause() async throws {
    let (response, _, _) = try await rows([ExchangeContract.batch([ExchangeContract.notConsented])], 1)
    #expect(statuses(response) == [.retry])
    #expect(response.retryAfter == .hours(1))
    #expect(response.fault?.contains("omh:geoposition:1.0") == true)
  }

  @Test(arguments: [
    ("", "answer: is not JSON"), ("<html>sign in</html>", "answer: is not JSON"),
    ("[]", "answer.resourceType: is not a Bundle"),
    ("{}", "answer.resourceType: is not a Bundle"), ("null", "answer.resourceType: is not a Bundle"),
    (
      #"{"resourceType":"OperationOutcome","issue":[{"diagnostics":"down"}]}"#,
      "answer.resourceType: is an OperationOutcome: down"
    ),
    (#"{"resourceType":"Bundle","type":"searchset","total":0}"#, "answer.type: is not batch-response"),
    (#"{"resourceType":"Bundle","type":"batch-response"}"#, "answer.entry: has 0 elements for 2 entries"),
    (
      #"{"resourceType":"Bundle","type":"batch-response","entry":[{"response":{"status":"201 Created"}}]}"#,
      "answer.entry: has 1 elements for 2 entries"
    ),
    (
      #"{"resourceType":"Bundle","type":"batch-response","entry":[{"response":{"status":"201"}},{"response":{}}]}"#,
      "answer.entry[1].response.status: is not a status of HTTP"
    ),
    (
      #"{"resourceType":"Bundle","type":"batch-response","entry":[{"response":{"status":201}},{"response":{"status":"yes"}}]}"#,
      "answer.entry[0].response.status: is not a status of HTTP"
    ),
  ])
  func nonsenseLosesNothing(body: String, reason: String) async throws {
    let (response, _, _) = try await rows([HTTPResponse(status: 200, body: Array(body.utf8))], 2)
    #expect(response.body == .none && response.status == 200)
    #expect(response.fault == reason)
  }

  @Test func theTextOfAnIssueIsBounded() throws {
    let text = String(repeating: "x", count: 5_000) + "\u{1b}[2J"
    let outcome = try FHIRAnswer.read(
      Array(
        ExchangeContract.batch([
          ExchangeContract.failed("422", text.replacingOccurrences(of: "\u{1b}", with: "\\u001b"))
        ])
        .body), identifiers: ["a"])
    #expect(outcome == [.refused(String(repeating: "x", count: 200))])
  }

  // MARK: - Through the monitor

  private func monitor(_ server: ExchangeModel, _ provider: HandProvider) throws -> ContactMonitor {
    let endpoint = try Samples.endpoint(Samples.target())
    var configuration = MonitorConfiguration()
    configuration.sinks = [endpoint.sink]
    configuration.thinning = .zero
    configuration.flushAfter = nil
    return try ContactMonitor(
      venue: SmallVenue(), endpoints: [endpoint], provider: provider, store: MemoryStore(),
      configuration: configuration, transport: server)
  }

  private func record(_ count: Int, _ monitor: ContactMonitor, _ provider: HandProvider) async throws {
    try await monitor.consent(to: Consent(version: "1", time: monitor.now.wall))
    await monitor.start()
    try await wait { await monitor.status.phase == .armed }
    provider.deliver(.region(.entered))
    let start = monitor.now.wall
    for index in 0..<count {
      let place = SmallVenue().place(east: Double(index) / 2, north: 1)
      provider.deliver(.fix(Fix(coordinate: place, accuracy: 5, time: start + .milliseconds(4_000 + Int64(index)))))
    }
    try await wait { await monitor.accounting.stored >= UInt64(count) }
  }

  /// The answer is lost after the server stored the batch: the copies are recognised, and nothing is stored twice.
  @Test(.timeLimit(.minutes(2))) func aRetryStoresNothingTwice() async throws {
    let (server, provider) = (ExchangeModel(), HandProvider())
    let monitor = try monitor(server, provider)
    await server.loseNextAnswer()
    try await record(4, monitor, provider)
    await monitor.drain(within: .minutes(1))
    #expect(await monitor.accounting.acknowledged == 4)
    #expect(await monitor.accounting.quarantined == 0)
    #expect(await server.stored.count == 4)
    #expect(await server.requests == 2)
    await monitor.stop()
  }

  @Test(.timeLimit(.minutes(2))) func dataWithoutConsentStayOnTheDevice() async throws {
    let (server, provider) = (ExchangeModel(isConsented: false), HandProvider())
    let monitor = try monitor(server, provider)
    try await record(3, monitor, provider)
    await monitor.drain(within: .seconds(30))
    #expect(await monitor.accounting.onPhone == 3)
    #expect(await server.stored.isEmpty)
    #expect(await server.requests == 1, "the data type pauses")
    let issues = await monitor.status.issues
    #expect(issues.first?.code == "data-refused" && issues.first?.sentence.contains("consented") == true, "\(issues)")
    await monitor.stop()
  }
}
