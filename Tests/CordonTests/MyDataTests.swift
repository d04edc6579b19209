import Cordon
import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("The export of a person's data")
struct MyDataTests {
  @Test(.timeLimit(.minutes(15))) func theExportHasEveryLocationAndNoSecret() async throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url
    let venue = SmallVenue()
    let server = ModelServer()
    let provider = HandProvider()
    var configuration = MonitorConfiguration()
    configuration.thinning = .zero
    configuration.flushAfter = nil
    let url = try #require(URL(string: "http://server.invalid"))
    let monitor = try ContactMonitor(
      venue: venue, endpoints: [SinkEndpoint(.cordon, url: url)], provider: provider,
      file: folder.appendingPathComponent("store.sqlite").path, configuration: configuration, transport: server)
    await monitor.start()
    try await monitor.consent(to: Consent(version: "2026-01", time: monitor.now.wall))
    await monitor.activate(inviteCode: "CODE")
    try await wait { await monitor.status.phase == .armed }
    await server.set(isDown: true)
    provider.deliver(.region(.entered))
    try await wait { await monitor.status.phase == .tracking }
    let start = monitor.now.wall
    for index in 0..<5 {
      let place = venue.place(east: Double(index) / 2, north: 1)
      provider.deliver(
        .fix(Fix(coordinate: place, accuracy: 5, floor: nil, time: start + .milliseconds(4_000 + Int64(index)))))
    }
    try await wait { await monitor.accounting.stored >= 5 }
    let bytes = try await monitor.exportMyData()
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let data = try #require(object)
    #expect(data["schema"] as? String == "cordon.my-data/1")
    #expect(data["device"] as? String == (await monitor.device.rawValue))
    let locations = try #require(data["locations"] as? [[String: Any]])
    #expect(locations.count == 5)
    #expect(locations.allSatisfy { $0["floor"] is NSNull && $0["venue"] as? String == "small-venue" })
    let ways = try #require(locations.first?["deliveries"] as? [[String: Any]])
    #expect(ways.count == 1 && ["pending", "leased"].contains(ways.first?["status"] as? String))
    let consent = try #require(data["consent"] as? [String: [String: String]])
    #expect(consent["record"]?["version"] == "2026-01" && consent["share"]?["version"] == "2026-01")
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("s3cret") && !text.contains("t0ken"))
    await monitor.stop()
  }
}
