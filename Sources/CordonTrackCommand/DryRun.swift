import Cordon
import CordonConsole
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonStorage
import CordonSupport
import CordonTracking
import Foundation

/// Shows what would be recorded. The store is in memory and there is no network, so nothing is stored or sent.
struct DryRun {
  private let gates: [PackedVenueGate]
  private let provider: any LocationProvider
  private let monitor: MonitorConfiguration
  private let hasConsent: Bool
  private let asJSON: Bool

  init(
    _ configuration: TrackerConfiguration, _ gates: [PackedVenueGate], _ provider: any LocationProvider,
    consent: Bool, asJSON: Bool
  ) {
    self.gates = gates
    self.provider = provider
    var monitor = configuration.monitor
    // A sink without an endpoint, so that rows wait for it.
    monitor.sinks = [Sink(.file)]
    monitor.flushAfter = nil
    self.monitor = monitor
    hasConsent = consent
    self.asJSON = asJSON
  }

  private static func follow(
    _ provider: some LocationProvider, into feed: AsyncStream<MonitorEvent>.Continuation
  ) async throws {
    for try await event in provider.events() { feed.yield(.provider(event)) }
  }

  func run(for length: TimeSpan?) async throws {
    let signals = try SignalPipe([SIGINT, SIGTERM])
    let (moments, feed) = AsyncStream.makeStream(of: MonitorEvent.self)
    let feeding = Task { [provider] in
      do {
        try await DryRun.follow(provider, into: feed)
      } catch {
        Printer.note("cordon-track: the receiver failed: \(error.localizedDescription)")
      }
    }
    let ticking = Task {
      while (try? await Task.sleep(for: .seconds(1))) != nil { feed.yield(.wake) }
    }
    let ending = Task {
      let number = await Waiting.first(of: signals, orAfter: length)
      feed.finish()
      return number
    }
    let accounting = try await follow(moments)
    feeding.cancel()
    ticking.cancel()
    if asJSON {
      try Printer.print(
        "track-dry-run",
        [
          .init("would_record", .integer(Int64(clamping: accounting.stored))),
          .init("fixes", .integer(Int64(clamping: accounting.fixes))),
          .init("refused", .integer(Int64(clamping: accounting.refused))),
          .init("thinned", .integer(Int64(clamping: accounting.thinned))),
          .init("has_consent", .bool(hasConsent)),
        ])
    }
    Printer.note(
      "cordon-track: dry run: \(accounting.stored) would be recorded, \(accounting.refused) refused\(DryRun.reasons(of: accounting)), \(accounting.thinned) thinned; nothing was written or sent"
    )
    _ = await ending.value
  }

  /// Why fixes were refused: ` (3 outside, 1 stale)`.
  private static func reasons(of accounting: Accounting) -> String {
    let reasons = RefusalReason.allCases.filter { accounting[$0] > 0 }.map { "\(accounting[$0]) \($0.rawValue)" }
    return reasons.isEmpty ? "" : " (" + reasons.joined(separator: ", ") + ")"
  }

  private func follow(_ events: AsyncStream<MonitorEvent>) async throws -> Accounting {
    let clock = SystemClock()
    let store = MemoryStore()
    var driver = RuntimeDriver(try Runtime(configuration: monitor, store: store, at: clock.now), at: clock.now)
    driver.step(.network(.none), at: clock.now)
    if let first = gates.first { driver.step(.venue(first), at: clock.now) }
    if gates.count > 1 { driver.step(.venues(gates), at: clock.now) }
    if hasConsent {
      driver.step(
        .consent(Consent(version: "dry run", purposes: .record, time: clock.now.wall)), at: clock.now)
    } else {
      Printer.note("cordon-track: nobody has consented, so nothing would be recorded (see --consent)")
    }
    driver.step(.start, at: clock.now)
    var shown: Set<FixID> = []
    var told: MonitorIssue?
    for await event in events {
      while let output = driver.nextOutput() {
        for case .phase(let phase) in output.notices { Printer.note("cordon-track: phase \(phase.rawValue)") }
      }
      // The reason for missing data, once for each reason.
      let issue = provider.issues.first
      if let issue, issue != told { Printer.note("cordon-track: \(issue.sentence) -> \(issue.remedy)") }
      told = issue
      let verdict = driver.step(event, at: clock.now)
      for location in try store.locations(of: driver.runtime.device) where shown.insert(location.id).inserted {
        try show(location)
      }
      // The position of a refused fix is private; its reason helps the user.
      if case .refused(let reason) = verdict { Printer.note("cordon-track: refused: \(reason.rawValue)") }
    }
    driver.step(.stop, at: clock.now)
    for location in try store.locations(of: driver.runtime.device) where shown.insert(location.id).inserted {
      try show(location)
    }
    return driver.runtime.accounting
  }

  private func show(_ location: Location) throws {
    guard !asJSON else { return }
    let place = location.coordinate
    var line = "\(location.time.rfc3339)  \(place.longitude),\(place.latitude)  ±\(location.accuracy) m"
    line += "  floor \(location.floor?.description ?? "unknown")"
    if let space = location.space { line += "  space \(space)" }
    try Printer.write(lines: line.escapedForTerminal() + "\n")
  }
}

extension TrackerConfiguration {
  /// Returns whether the store contains a consent to recording.
  func hasConsent() throws -> Bool {
    let store = try SQLiteStore(path: storePath(), sealer: sealer)
    guard let record = try store.devices().first, let state = MonitorState(decoding: record.state) else { return false }
    return state.consent?.purposes.contains(.record) ?? false
  }
}
