import Cordon
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

/// A provider whose streams a test ends, one after the other.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
final class EndingProvider: LocationProvider, @unchecked Sendable {
  private let lock = NSLock()
  private var continuations: [AsyncThrowingStream<ProviderEvent, any Error>.Continuation] = []
  private var obeyed: [[ProviderCommand]] = []

  var streams: Int { lock.withLock { continuations.count } }
  /// The commands since each stream began.
  var commands: [[ProviderCommand]] { lock.withLock { obeyed } }

  func events() -> AsyncThrowingStream<ProviderEvent, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: ProviderEvent.self)
    lock.withLock {
      continuations.append(continuation)
      obeyed.append([])
    }
    return stream
  }

  func perform(_ command: ProviderCommand) {
    lock.withLock { if !obeyed.isEmpty { obeyed[obeyed.count - 1].append(command) } }
  }

  func deliver(_ event: ProviderEvent) { lock.withLock { continuations.last }?.yield(event) }
  func end(_ error: (any Error)? = nil) { lock.withLock { continuations.last }?.finish(throwing: error) }
}

@Suite("Streams that end, and readers of the monitor", .timeLimit(.minutes(10)))
struct ProviderEndTests {
  struct Unplugged: LocalizedError {
    var errorDescription: String? { "the receiver was unplugged" }
  }

  func monitor(_ provider: some LocationProvider, log: MonitorLog? = nil, metrics: (any MonitorMetrics)? = nil) throws
    -> ContactMonitor
  {
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.cordon, needsActivation: false)]
    let url = try #require(URL(string: "http://server.invalid"))
    return try ContactMonitor(
      venue: SmallVenue(), endpoints: [SinkEndpoint(.cordon, url: url)], provider: provider, store: MemoryStore(),
      configuration: configuration, transport: ModelServer(needsToken: false), log: log, metrics: metrics)
  }

  @Test(arguments: [false, true]) func anEndedProviderIsAnIssueAndStartListensAgain(throwing: Bool) async throws {
    let provider = EndingProvider()
    let monitor = try monitor(provider)
    try await monitor.consent(to: Consent(version: "1", time: monitor.now.wall))
    await monitor.start()
    #expect(await monitor.status.issues.isEmpty)
    provider.end(throwing ? Unplugged() : nil)
    try await wait { await monitor.status.providerEnd != nil }
    let status = await monitor.status
    #expect(status.issues.first?.code == (throwing ? "provider-failed" : "provider-ended"))
    if throwing { #expect(status.sentence.contains("the receiver was unplugged")) }
    await monitor.start()
    #expect(provider.streams == 2)
    #expect(await monitor.status.issues.isEmpty)
    // The new stream receives the commands in force too.
    #expect(provider.commands[1].contains { if case .watchRegion = $0 { true } else { false } })
    provider.deliver(.region(.entered))
    try await wait { await monitor.status.phase == .tracking }
    await monitor.start()
    #expect(provider.streams == 2, "a stream that runs is not replaced")
    await monitor.stop()
    #expect(await monitor.status.providerEnd == nil)
  }

  /// A provider that ignores commands before its stream is read misses none.
  @Test func aProviderStartsOnlyWithAListener() async throws {
    let provider = EndingProvider()
    let monitor = try monitor(provider)
    try await monitor.consent(to: Consent(version: "1", time: monitor.now.wall))
    await monitor.start()
    #expect(provider.commands[0].contains { if case .watchRegion = $0 { true } else { false } })
    await monitor.stop()
  }

  @Test func everyReaderReceivesEveryNotice() async throws {
    let monitor = try monitor(HandProvider())
    let readers = [monitor.notices, monitor.notices]
    // A reader that reads nothing keeps the last 256 and does not slow the others.
    let idle = monitor.notices
    await monitor.start()
    try await monitor.consent(to: Consent(version: "1", time: monitor.now.wall))
    for _ in 0..<200 {
      await monitor.pause()
      await monitor.resume()
    }
    await monitor.stop()
    var heard: [[MonitorNotice]] = []
    for reader in readers {
      var notices: [MonitorNotice] = []
      for await notice in reader {
        notices.append(notice)
        if notice == .phase(.off) { break }
      }
      heard.append(notices)
    }
    #expect(heard[0] == heard[1])
    #expect(heard[0].count == 256 && heard[0].last == .phase(.off))
    var count = 0
    for await notice in idle {
      count += 1
      if notice == .phase(.off) { break }
    }
    #expect(count == 256)
  }

  @Test func statusUpdatesReachEveryReaderOnChange() async throws {
    let monitor = try monitor(HandProvider())
    var first = monitor.statusUpdates.makeAsyncIterator()
    var second = monitor.statusUpdates.makeAsyncIterator()
    #expect(await first.next()?.phase == .off)
    #expect(await second.next()?.phase == .off)
    await monitor.start()
    var phases: [Phase?] = []
    for _ in 0..<3 where phases.last != .needsConsent { phases.append(await first.next()?.phase) }
    #expect(phases.last == .needsConsent)
    var others: [Phase?] = []
    for _ in 0..<3 where others.last != .needsConsent { others.append(await second.next()?.phase) }
    #expect(others.last == .needsConsent)
    await monitor.stop()
  }

  @Test func aStatusStreamDoesNotRetainTheMonitor() async throws {
    var monitor: ContactMonitor? = try monitor(HandProvider())
    weak let watched = monitor
    let statuses = try #require(monitor?.statusUpdates)
    monitor = nil
    for await _ in statuses {}
    #expect(watched == nil)
  }

  #if canImport(Observation)
    @Test @MainActor func anObservableModelFollowsTheStatus() async throws {
      let monitor = try monitor(HandProvider())
      let model = ObservableMonitor()
      let following = Task { await model.follow(monitor) }
      try await wait { model.status?.phase == .off }
      await monitor.start()
      try await wait { model.status?.phase == .needsConsent }
      following.cancel()
    }
  #endif

  /// The clock is the test's: five minutes pass at once, and waiting rows are sent.
  @Test func aTestCanAdvanceTheClock() async throws {
    let clock = ManualClock()
    let provider = HandProvider()
    let server = ModelServer()
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.cordon)]
    configuration.thinning = .zero
    let url = try #require(URL(string: "http://server.invalid"))
    let venue = SmallVenue()
    let monitor = try ContactMonitor(
      venue: venue, endpoints: [SinkEndpoint(.cordon, url: url)], provider: provider, store: MemoryStore(),
      configuration: configuration, transport: server, clock: clock)
    try await monitor.consent(to: Consent(version: "1", time: clock.now.wall))
    await monitor.activate(inviteCode: "CODE")
    await monitor.start()
    try await wait { await monitor.status.phase == .armed }
    provider.deliver(.region(.entered))
    provider.deliver(.fix(Fix(coordinate: venue.place(east: 1, north: 1), accuracy: 5, time: clock.now.wall)))
    try await wait { await monitor.accounting.stored >= 1 }
    #expect(await server.rows.isEmpty)
    try await wait {
      clock.advance(by: .seconds(10))
      return await !server.rows.isEmpty
    }
    #expect(clock.now.wall >= Instant.testStart + .minutes(5))
    await monitor.stop()
  }

  /// Records its calls.
  ///
  /// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
  final class Recorder: MonitorMetrics, @unchecked Sendable {
    private let lock = NSLock()
    private var values: [String: Double] = [:]
    private var lines: [String] = []

    func increment(_ name: String, by count: UInt64, labels: [String: String]) {
      lock.withLock { values[name + (labels["reason"].map { ".\($0)" } ?? ""), default: 0] += Double(count) }
    }
    func set(_ name: String, to value: Double, labels: [String: String]) { lock.withLock { values[name] = value } }
    func write(_ line: String) { lock.withLock { lines.append(line) } }
    var counts: [String: Double] { lock.withLock { values } }
    var log: [String] { lock.withLock { lines } }
  }

  @Test func logAndMetricsReportEvents() async throws {
    let recorder = Recorder()
    let provider = EndingProvider()
    let monitor = try monitor(
      provider, log: MonitorLog { level, line in recorder.write("\(level.rawValue) \(line)") }, metrics: recorder)
    try await monitor.consent(to: Consent(version: "1", time: monitor.now.wall))
    await monitor.start()
    provider.deliver(.region(.entered))
    // A fix from before the session would be stale.
    try await wait { recorder.log.contains("info phase tracking") }
    let venue = SmallVenue()
    provider.deliver(
      .fix(Fix(coordinate: venue.place(east: 1, north: 1), accuracy: 900, time: monitor.now.wall + .seconds(1))))
    provider.deliver(
      .fix(Fix(coordinate: venue.place(east: 1, north: 1), accuracy: 5, time: monitor.now.wall + .seconds(2))))
    try await wait { await monitor.accounting.fixes >= 2 }
    await monitor.stop()
    await monitor.drain(within: .minutes(5))
    #expect(recorder.counts["cordon_fixes"] == 2)
    #expect(recorder.counts["cordon_locations_stored"] == 1)
    #expect(recorder.counts["cordon_requests"] ?? 0 >= 1)
    #expect(recorder.log.contains("info phase tracking"))
    #expect(!recorder.log.contains { $0.contains("8.54") || $0.contains("47.37") })
  }
}
