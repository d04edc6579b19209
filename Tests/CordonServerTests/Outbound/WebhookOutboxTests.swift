import CordonCore
import CordonIngest
import CordonSupport
import CordonTestSupport
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import CordonServer

/// Deliveries, repetitions and dead letters, with a client and a clock of the test.
@Suite("The outbox of webhooks")
struct WebhookOutboxTests {
  /// A client that answers from a list, and keeps what was sent.
  final class Client: OutboundClient {
    private let state = NIOLockedValueBox(
      (answers: [Result<OutboundAnswer, OutboundFault>](), sent: [OutboundRequest]()))

    var sent: [OutboundRequest] { state.withLockedValue { $0.sent } }

    func answer(_ answers: Result<OutboundAnswer, OutboundFault>...) {
      state.withLockedValue { $0.answers += answers }
    }

    func send(_ request: OutboundRequest) async throws(OutboundFault) -> OutboundAnswer {
      let answer = state.withLockedValue { state in
        state.sent.append(request)
        return state.answers.isEmpty ? .success(OutboundAnswer(status: 204)) : state.answers.removeFirst()
      }
      return try answer.get()
    }
  }

  private let client = Client()
  private let time = NIOLockedValueBox(Instant.testStart)
  private let receiver: OutboundAddress
  private let outbox: WebhookOutbox

  init() throws {
    receiver = try OutboundAddress("https://example.org/hook")
    var settings = WebhookSettings()
    settings.receivers = [receiver]
    settings.secrets = [Array("0123456789abcdef01234567".utf8)]
    settings.kinds = [.started, .storeFault]
    settings.lifetime = .hours(2)
    let number = NIOLockedValueBox(0)
    outbox = WebhookOutbox(
      queue: MemoryWebhookQueue(), settings: settings, client: client, clock: { [time] in time.withLockedValue { $0 } },
      jitter: { 1 },
      identifier: {
        number.withLockedValue { number in
          number += 1
          return "evt_\(number)"
        }
      })
  }

  private func publish(_ kinds: WebhookEvent.Kind...) async throws {
    let now = time.withLockedValue { $0 }
    try await outbox.publish(kinds.map { WebhookEvent($0, time: now) })
  }

  private func pass(_ span: TimeSpan) { time.withLockedValue { $0 = $0 + span } }

  private func header(_ name: String, _ request: OutboundRequest) -> String? {
    request.fields.first { $0.name == name }?.value
  }

  @Test func aMessageIsACloudEventWithASignature() async throws {
    try await outbox.publish([
      WebhookEvent(.storeFault, time: .testStart, subject: "office", [.init("count", 3)])
    ])
    #expect(try await outbox.deliver(to: receiver) == false)
    let request = try #require(client.sent.first)
    #expect(header("content-type", request) == "application/cloudevents+json; charset=utf-8")
    #expect(
      String(decoding: request.body, as: UTF8.self) == """
        {"specversion":"1.0","id":"evt_1","source":"urn:cordon:server","type":"cordon.store.fault",\
        "time":"2026-01-01T08:00:00.000Z","subject":"office","datacontenttype":"application/json","data":{"count":3}}
        """)
    let seconds = Instant.testStart.milliseconds / 1_000
    #expect(header("webhook-id", request) == "evt_1" && header("webhook-timestamp", request) == "\(seconds)")
    let expected = WebhookSignature.value(
      id: "evt_1", seconds: seconds, body: request.body, secrets: [Array("0123456789abcdef01234567".utf8)])
    #expect(header("webhook-signature", request) == expected)
    #expect(try await outbox.counts().waiting == 0)
  }

  @Test func onlyTheConfiguredKindsAreSent() async throws {
    try await publish(.started, .retention, .test)
    _ = try await outbox.deliver(to: receiver)
    #expect(client.sent.count == 2)
  }

  @Test func aFailedMessageIsRepeatedWithTheSameIdentifier() async throws {
    client.answer(.failure(OutboundFault(description: "no connection")), .success(OutboundAnswer(status: 500)))
    try await publish(.started)
    _ = try await outbox.deliver(to: receiver)
    _ = try await outbox.deliver(to: receiver)
    #expect(client.sent.count == 1, "the receiver was called within its pause")
    pass(.seconds(5))
    _ = try await outbox.deliver(to: receiver)
    #expect(client.sent.count == 2)
    pass(.seconds(9))
    _ = try await outbox.deliver(to: receiver)
    #expect(client.sent.count == 2)
    pass(.seconds(1))
    _ = try await outbox.deliver(to: receiver)
    #expect(client.sent.count == 3 && Set(client.sent.map { header("webhook-id", $0) }) == ["evt_1"])
    #expect(try await outbox.counts().waiting == 0)
  }

  /// A receiver that is down is called once, and not for each message.
  @Test func theMessagesBehindAFailedOneWait() async throws {
    client.answer(.failure(OutboundFault(description: "no connection")))
    try await publish(.started, .started, .started)
    _ = try await outbox.deliver(to: receiver)
    #expect(client.sent.count == 1)
    // A refusal of one message concerns that message alone.
    pass(.seconds(5))
    client.answer(.success(OutboundAnswer(status: 422)))
    _ = try await outbox.deliver(to: receiver)
    #expect(client.sent.count == 4)
    #expect(try await outbox.counts().waiting == 1)
  }

  @Test func aReceiverMayAskForALongerWait() async throws {
    client.answer(.success(OutboundAnswer(status: 429, retryAfter: 600)))
    try await publish(.started)
    _ = try await outbox.deliver(to: receiver)
    pass(.seconds(599))
    _ = try await outbox.deliver(to: receiver)
    #expect(client.sent.count == 1)
    pass(.seconds(1))
    _ = try await outbox.deliver(to: receiver)
    #expect(client.sent.count == 2)
  }

  @Test func goneAndTooOldMessagesAreDeadLetters() async throws {
    client.answer(.success(OutboundAnswer(status: 410)))
    try await publish(.started)
    _ = try await outbox.deliver(to: receiver)
    #expect(try await outbox.counts().dead == 1)
    try await publish(.started, .storeFault)
    pass(.hours(2))
    client.answer(.success(OutboundAnswer(status: 503)))
    _ = try await outbox.deliver(to: receiver)
    let counts = try await outbox.counts()
    #expect(counts.waiting == 0 && counts.dead == 3)
  }

  /// Another server sends to the receiver: this one only queues.
  @Test func aReceiverHasOneServer() async throws {
    var settings = WebhookSettings()
    settings.receivers = [receiver]
    let queue = MemoryWebhookQueue()
    queue.elsewhere = ["send to https://example.org/hook"]
    let other = WebhookOutbox(queue: queue, settings: settings, client: client, clock: { .testStart })
    try await other.publish([WebhookEvent(.started, time: .testStart)])
    #expect(try await other.deliver(to: receiver) == false)
    #expect(client.sent.isEmpty)
    #expect(try await other.counts().waiting == 1)
  }

  /// The example of the Standard Webhooks specification.
  @Test func theSignatureIsThatOfStandardWebhooks() throws {
    let secret = try #require(WebhookSettings.secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let value = WebhookSignature.value(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8),
      secrets: [secret])
    #expect(value == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    #expect(
      WebhookSettings.secret("whsec_c2hvcnQ=") == nil && WebhookSettings.secret("MfKQ9r8GKYqrTwjUPD8ILPZIo2La") == nil)
  }
}
