internal import CordonCore

/// The rules of one connection to a broker: packets and times in, actions out. It has no socket and no clock.
struct MQTTSession: Sendable {
  /// The configuration of a connection.
  struct Configuration: Hashable, Sendable {
    var client: String
    var user: String?
    var password: String?
    var will: MQTTMessage?
    /// The filters of messages that are received.
    var filters: [String] = []
    /// The longest silence of the client.
    var keepAlive = TimeSpan.seconds(30)
    /// The longest wait for an answer of the broker.
    var patience = TimeSpan.seconds(15)
  }

  /// A task of the connection.
  enum Action: Hashable, Sendable {
    case send(MQTTPacket)
    /// The broker has accepted the connection and the filters.
    case ready
    /// A message has arrived; one of quality 1 is acknowledged with its number when it was handled.
    case deliver(MQTTMessage, number: UInt16, isCut: Bool)
  }

  private enum State: Hashable {
    case connecting
    case subscribing
    case ready
  }

  private let configuration: Configuration
  private var state = State.connecting
  private var begin: TimeSpan
  private var sent: TimeSpan
  /// When the unanswered ping was sent.
  private var ping: TimeSpan?

  /// A session.
  /// - Parameter now: a monotonic time.
  init(_ configuration: Configuration, now: TimeSpan) {
    self.configuration = configuration
    begin = now
    sent = now
  }

  /// The first packet. A client that receives keeps its session, so that messages wait for it at the broker.
  var opening: MQTTPacket {
    .connect(
      .init(
        client: configuration.client, isClean: configuration.filters.isEmpty,
        keepAlive: UInt16(clamping: configuration.keepAlive.milliseconds / 1_000), user: configuration.user,
        password: configuration.password, will: configuration.will))
  }

  /// Whether messages may be published.
  var isReady: Bool { state == .ready }

  /// Handles a packet of the broker.
  mutating func receive(_ packet: MQTTPacket, now: TimeSpan) throws(MQTTFault) -> [Action] {
    switch (state, packet) {
    case (.connecting, .connectAcknowledgement(_, 0)):
      guard !configuration.filters.isEmpty else {
        state = .ready
        return [.ready]
      }
      state = .subscribing
      sent = now
      return [.send(.subscribe(number: 1, configuration.filters.map { .init(topic: $0, quality: 1) }))]
    case (.connecting, .connectAcknowledgement(_, let code)): throw MQTTFault(Self.refusal(code))
    case (.connecting, _): throw MQTTFault("the broker does not answer the connection first")
    case (.subscribing, .subscribeAcknowledgement(1, let qualities)):
      guard qualities.count == configuration.filters.count, qualities.allSatisfy({ $0 < 2 }) else {
        throw MQTTFault("the broker refuses the subscription")
      }
      state = .ready
      return [.ready]
    // Messages of an earlier session arrive before the subscription is confirmed.
    case (_, .publish(let message, let number, _, let isCut)):
      return [.deliver(message, number: number, isCut: isCut)]
    case (_, .pingAnswer):
      ping = nil
      return []
    case (_, .publishAcknowledgement): return []
    default: throw MQTTFault("the broker sends a packet out of turn")
    }
  }

  /// Notes that a packet was sent.
  mutating func noteSent(now: TimeSpan) { sent = now }

  /// Does what is due; called about once a second.
  mutating func tick(now: TimeSpan) throws(MQTTFault) -> MQTTPacket? {
    if state != .ready, now - begin > configuration.patience { throw MQTTFault("the broker does not answer") }
    if let ping {
      guard now - ping <= configuration.patience else { throw MQTTFault("the broker is silent") }
      return nil
    }
    guard state == .ready, now - sent >= configuration.keepAlive else { return nil }
    (ping, sent) = (now, now)
    return .ping
  }

  private static func refusal(_ code: UInt8) -> String {
    switch code {
    case 1: "the broker does not speak MQTT 3.1.1"
    case 2: "the broker refuses the name of the client (mqtt-client)"
    case 3: "the broker is not available"
    case 4: "the broker refuses user or password (mqtt-user, mqtt-password)"
    case 5: "the broker does not allow this client"
    default: "the broker refuses the connection (\(code))"
    }
  }
}
