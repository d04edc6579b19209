import CordonCore
import CordonIngest
import CordonTestSupport
import Foundation
import Logging
import NIOConcurrencyHelpers
import Testing

@testable import CordonServer

/// A broker of the system (mosquitto) on a free port, while a test runs.
private final class Broker: Sendable {
  static let path = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  static let isThere = path != nil && Program.has("mosquitto_sub") && Program.has("mosquitto_pub")

  let port: UInt16
  private let config: String
  private let certificate: String?
  private let program: NIOLockedValueBox<Program>

  /// - Parameter certificate: the PEM file of a certificate, beside its key `.key`; `nil` for no TLS.
  init(_ scratch: TemporaryFolder, certificate: String? = nil) async throws {
    port = try Loopback.freePort()
    config = scratch.path("mosquitto.conf")
    var text = "user root\nlistener \(port) 127.0.0.1\nallow_anonymous true\n"
    if let certificate { text += "certfile \(certificate)\nkeyfile \(certificate).key\n" }
    self.certificate = certificate
    try Data(text.utf8).write(to: URL(fileURLWithPath: config))
    program = NIOLockedValueBox(try Self.start(config))
    try await waitUntilItListens()
  }

  private static func start(_ config: String) throws -> Program { try Program(try #require(path), ["-c", config]) }

  private func waitUntilItListens() async throws {
    try await wait { (try? Loopback.connect(self.port)).map { close($0) } != nil }
  }

  /// Ends the broker at once, and starts another one without any of its state.
  func restart() async throws {
    await stop()
    let new = try Self.start(config)
    program.withLockedValue { $0 = new }
    try await waitUntilItListens()
  }

  func stop() async {
    let old = program.withLockedValue { $0 }
    old.signal(SIGKILL)
    _ = await old.end()
  }

  private var address: [String] {
    ["-h", "127.0.0.1", "-p", "\(port)"] + (certificate.map { ["--cafile", $0] } ?? [])
  }

  /// Waits for messages of a topic, retained ones first.
  func messages(_ topic: String, _ count: Int = 1) async throws -> [String] {
    let end = try await Program.run(
      try #require(Program.path("mosquitto_sub")),
      address + ["-t", topic, "-C", "\(count)", "-W", "60", "-F", "%t %p"])
    return end.output.split(separator: "\n").map(String.init)
  }

  /// The retained messages of a topic at the moment.
  func retained(_ topic: String) async throws -> [String] {
    let end = try await Program.run(
      try #require(Program.path("mosquitto_sub")),
      address + ["-t", topic, "--retained-only", "-W", "1", "-F", "%t %p"])
    return end.output.split(separator: "\n").map(String.init).sorted()
  }

  func publish(_ topic: String, _ text: String) async throws {
    let end = try await Program.run(
      try #require(Program.path("mosquitto_pub")),
      address + ["-q", "1", "-t", topic, "-m", text])
    try #require(end.status == 0, "\(end)")
  }
}

@Suite(
  "MQTT with a broker", .enabled(if: Broker.isThere, "mosquitto is missing: scripts/setup --tests"),
  .timeLimit(.minutes(5)))
struct MQTTBrokerTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func service(
    _ broker: String, authorities: String? = nil, bins: @escaping @Sendable () -> [ViewerBin],
    handle: @escaping @Sendable (IngestRequest) async -> Int = { _ in 200 }
  ) throws -> MQTTService {
    var settings = MQTTSettings()
    settings.ownTracks = "owntracks"
    let broker = try OutboundAddress(broker, plain: ("mqtt", 1_883), secure: ("mqtts", 8_883))
    let venue = OccupancyMessages.Venue(
      id: try #require(VenueID("office")), name: "The Office",
      spaces: [
        ViewerSpace(id: SpaceID("hall"), floor: FloorOrdinal(0)),
        ViewerSpace(id: SpaceID("bar"), floor: FloorOrdinal(0)),
      ])
    return MQTTService(
      connection: MQTTConnection(broker: broker, tls: OutboundTLS(authorities: authorities)), settings: settings,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, venues: { [venue] }, bins: { _ in bins() },
      handle: handle, schedule: RetrySchedule(first: .milliseconds(50), longest: .milliseconds(100)),
      pause: .milliseconds(20))
  }

  private func bin(_ index: Int64, _ devices: Int64) throws -> ViewerBin {
    let start = Instant.testStart + TimeSpan(milliseconds: index * ViewerBin.width.milliseconds)
    return ViewerBin(
      venue: try #require(VenueID("office")), start: start, end: start + ViewerBin.width,
      spaces: [SpaceID("hall"): devices])
  }

  /// States and descriptions are retained, follow the bins, and come back after the broker has lost them.
  @Test func occupancyIsPublishedAndRetained() async throws {
    let broker = try await Broker(scratch)
    let bins = NIOLockedValueBox([try bin(0, 10)])
    let service = try service("mqtt://127.0.0.1:\(broker.port)", bins: { bins.withLockedValue { $0 } })
    let running = Task { try await service.run() }
    let hall = "cordon/office/hall/occupancy"
    #expect(try await broker.messages(hall).first?.contains(#""devices":10"#) == true)
    #expect(try await broker.messages("cordon/office/bar/occupancy").first?.contains(#""devices":0"#) == true)
    #expect(try await broker.messages("cordon/status") == ["cordon/status online"])
    #expect(try await broker.messages("homeassistant/sensor/+/config", 2).count == 2)
    let next = try bin(1, 25)
    bins.withLockedValue { $0 = [next] }
    try await wait { try await broker.retained(hall).first?.contains(#""devices":25"#) == true }
    try await broker.restart()
    #expect(try await broker.messages(hall).first?.contains(#""devices":25"#) == true)
    running.cancel()
    // The connection ends without a farewell: the broker publishes the will.
    try await wait { try await broker.retained("cordon/status") == ["cordon/status offline"] }
    await broker.stop()
  }

  /// A message that cannot be stored is not acknowledged: the broker sends it again, and others are not lost.
  @Test func aMessageIsRepeatedUntilItIsStored() async throws {
    let broker = try await Broker(scratch)
    let seen = NIOLockedValueBox([String]())
    let service = try service(
      "mqtt://127.0.0.1:\(broker.port)", bins: { [] },
      handle: { request in
        seen.withLockedValue { seen in
          seen.append(String(decoding: request.body, as: UTF8.self))
          return seen.count < 3 ? 503 : 200
        }
      })
    let running = Task { try await service.run() }
    #expect(try await broker.messages("cordon/status") == ["cordon/status online"])
    try await broker.publish("owntracks/a/secret", "one")
    try await broker.publish("owntracks/a/secret", "two")
    try await wait { seen.withLockedValue { $0.count >= 4 } }
    #expect(seen.withLockedValue { $0 } == ["one", "one", "one", "two"])
    running.cancel()
    await broker.stop()
  }

  /// TLS with a certificate of the test; without its authority there is no connection.
  @Test(.enabled(if: Program.has("openssl")))
  func aBrokerWithTLSNeedsItsAuthority() async throws {
    let certificate = scratch.path("broker.pem")
    let made = try await Program.run(
      try #require(Program.path("openssl")),
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=broker", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", certificate + ".key", "-out", certificate,
      ])
    try #require(made.status == 0, "\(made.errors)")
    let broker = try await Broker(scratch, certificate: certificate)
    let address = "mqtts://127.0.0.1:\(broker.port)"
    let stranger = try service(address, bins: { [] })
    await #expect(throws: (any Error).self) {
      try await stranger.connection.run(.init(client: "x")) { _, _ in
      } work: { _ in
      }
    }
    let trusting = try service(address, authorities: certificate, bins: { [] })
    let running = Task { try await trusting.run() }
    #expect(try await broker.messages("cordon/status") == ["cordon/status online"])
    running.cancel()
    await broker.stop()
  }

  /// The whole way: a phone publishes to the broker, and its position is in the server; other credentials store nothing.
  @Test func positionsOfOwnTracksAreStored() async throws {
    let broker = try await Broker(scratch)
    let settings = ["CORDON_MQTT_URL": "mqtt://127.0.0.1:\(broker.port)", "CORDON_MQTT_OWNTRACKS": "owntracks"]
    try await LiveServer.with(settings) { server in
      let (secret, bearer) = try await server.device("phone-1")
      #expect(try await broker.messages("cordon/status") == ["cordon/status online"])
      let time = Int64(Date().timeIntervalSince1970)
      func location(_ seconds: Int64) -> String {
        let (longitude, latitude) = (LiveServer.corner.longitude + 0.00035, LiveServer.corner.latitude + 0.00025)
        return #"{"_type":"location","lat":\#(latitude),"lon":\#(longitude),"tst":\#(seconds),"acc":5,"tid":"p1"}"#
      }
      func stored() async throws -> Int {
        let answer = try await server.send("GET", "/v1/devices/phone-1/data", nil, bearer)
        let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
        return try #require((object?["positions"] as? [Any])?.count, "\(String(decoding: answer.body, as: UTF8.self))")
      }
      try await broker.publish("owntracks/phone-1/wrong", location(time - 1))
      try await broker.publish("owntracks/phone-1/\(secret)", "no message")
      try await broker.publish("owntracks/phone-1/\(secret)", location(time - 2))
      try await broker.publish("owntracks/phone-1/\(secret)", location(time - 3))
      // The same message again is known.
      try await broker.publish("owntracks/phone-1/\(secret)", location(time - 3))
      try await wait { try await stored() == 2 }
      #expect(try await broker.retained("homeassistant/#").count == 1)
    }
    await broker.stop()
  }
}
