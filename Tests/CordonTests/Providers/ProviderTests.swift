import Cordon
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("Simulated and recorded providers", .timeLimit(.minutes(15)))
struct ProviderTests {
  let start = Instant.testStart
  let venue = SmallVenue()

  @Test func aWalkFollowsItsRouteAndItsError() throws {
    let route = [venue.place(east: 0, north: 0), venue.place(east: 20, north: 0)]
    let exact = SimulatedProvider(route: route, speed: 2, accuracy: 0)
    let frame = LocalFrame(origin: venue.place(east: 0, north: 0))
    // 20 m there and 20 m back at 2 m/s.
    for (second, east) in [(0, 0.0), (5, 10.0), (10, 20.0), (15, 10.0), (20, 0.0), (25, 10.0)] {
      let fix = exact.fix(second, start: start)
      let point = frame.project(fix.coordinate)
      #expect(abs(point.x - east) < 0.01 && abs(point.y) < 0.01)
      #expect(fix.time == start + .seconds(Int64(second)))
    }
    let blurred = SimulatedProvider(route: [route[0]], speed: 2, accuracy: 10, seed: 5)
    let errors = (0..<2_000).map { index -> Double in
      let point = frame.project(blurred.fix(index, start: start).coordinate)
      return (point.x * point.x + point.y * point.y).squareRoot()
    }
    let within = errors.filter { $0 <= 10 }.count
    #expect((1_290...1_430).contains(within), "\(within) of 2000 within the radius of 68 %")
    #expect(
      blurred.fix(7, start: start) == SimulatedProvider(route: [route[0]], accuracy: 10, seed: 5).fix(7, start: start))
  }

  @Test func walksWithoutARouteOrWithInvalidNumbersAreHarmless() async {
    for await _ in SimulatedProvider(route: []).events() { Issue.record("a fix of nowhere") }
    let odd = SimulatedProvider(route: [venue.place(east: 0, north: 0)], speed: .nan, accuracy: -.infinity)
    #expect(odd.fix(0, start: start).coordinate.isValid)
    #expect(odd.fix(.max, start: start).coordinate.isValid)
  }

  @Test func aRecordingKeepsItsTiming() async {
    let times: [Int64] = [5_000, 0, 5_020]
    let fixes = times.map { time in
      Fix(coordinate: venue.place(east: 1, north: 1), accuracy: 4, time: Instant(milliseconds: time))
    }
    let shifted = ReplayProvider(fixes, speed: 2).shifted(to: start)
    #expect(shifted.map { ($0.time - start).milliseconds } == [0, 2_500, 2_510])
    #expect(ReplayProvider([]).shifted(to: start).isEmpty)
    var seen = 0
    for await _ in ReplayProvider(fixes, speed: 1_000).events() { seen += 1 }
    #expect(seen == 3)
  }

  @Test func sensorReadingsReachTheMonitor() async throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url
    let sensors = HandSensors()
    let provider = HandProvider()
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.file)]
    configuration.thinning = .zero
    configuration.flushAfter = nil
    let file = folder.appendingPathComponent("rows.jsonl")
    let monitor = try ContactMonitor(
      venue: venue, endpoints: [SinkEndpoint(.file, url: file)], provider: provider,
      sensors: Sensors(motion: sensors, floor: sensors, connectivity: sensors, power: sensors),
      file: folder.appendingPathComponent("store.sqlite").path, configuration: configuration)
    sensors.network.continuation.yield(.none)
    sensors.floor.continuation.yield(FloorOrdinal(2))
    sensors.power.continuation.yield(PowerState(level: 0.4, isExternal: false))
    await monitor.start()
    try await monitor.consent(to: Consent(version: "1", time: monitor.now.wall))
    try await wait { await monitor.status.power != nil }
    provider.deliver(.region(.entered))
    try await wait { await monitor.status.phase == .tracking }
    provider.deliver(
      .fix(Fix(coordinate: venue.place(east: 1, north: 1), accuracy: 5, time: monitor.now.wall + .seconds(1))))
    try await wait { await monitor.accounting.stored >= 1 }
    await monitor.flush()
    #expect(!FileManager.default.fileExists(atPath: file.path), "no network")
    sensors.network.continuation.yield(.unmetered)
    sensors.power.continuation.yield(PowerState(level: 0.4, isExternal: true))
    try await wait { await monitor.accounting.acknowledged >= 1 }
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains(#""floor":2"#), "the floor of the floor provider")
    await monitor.stop()
  }
}

/// Sensors that report a test's values.
final class HandSensors: MotionProvider, FloorProvider, Connectivity, PowerProvider {
  let motion = AsyncStream.makeStream(of: Motion.self)
  let floor = AsyncStream.makeStream(of: FloorOrdinal?.self)
  let network = AsyncStream.makeStream(of: NetworkState.self)
  let power = AsyncStream.makeStream(of: PowerState.self)

  func motions() -> AsyncStream<Motion> { motion.stream }
  func floors() -> AsyncStream<FloorOrdinal?> { floor.stream }
  func networks() -> AsyncStream<NetworkState> { network.stream }
  func powers() -> AsyncStream<PowerState> { power.stream }
}
