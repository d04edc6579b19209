import ArgumentParser
import Cordon
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTracking
import Foundation

/// The command `cordon-track [run]`.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Track until SIGTERM or Ctrl-C, then send what waits and end.",
    discussion: """
      Example:

        cordon-track --venue office.cvp --store track.sqlite \\
          --sink cordon=https://cordon.example.org \\
          --consent 2026-01 --invite 7QK2-MMWD

      With --dry-run it shows what would be recorded; it writes and sends nothing.
      """)

  @OptionGroup var options: TrackerOptions

  @Option(
    help: ArgumentHelp("The person agreed to this version of the text, to recording and sending.", valueName: "version")
  )
  var consent: String?

  @Option(help: ArgumentHelp("The invite code of the venue.", valueName: "code"))
  var invite: String?

  @Flag(help: "Show what would be recorded; write and send nothing.")
  var dryRun = false

  @Option(name: .customLong("for"), help: ArgumentHelp("End after so long.", valueName: "duration"))
  var span: String?

  @Option(help: ArgumentHelp("How long sending may take at the end.", valueName: "duration"))
  var drain = "10s"

  @Option(help: ArgumentHelp("Interval of the status; off for never.", valueName: "duration"))
  var statusEvery = "1m"

  @Flag(help: "Print one JSON object at the end.")
  var json = false

  private func duration(_ text: String, _ option: String) throws -> TimeSpan {
    guard let span = TimeSpan(parsing: text), span >= .zero else {
      throw TrackerError("usage", "\(option): \"\(text)\" is not a duration with its unit, such as 10s")
    }
    return span
  }

  func run() async throws {
    let configuration = try options.load()
    guard !configuration.venues.isEmpty else {
      throw TrackerError("no-venue", "no venue is given; name one with \"venue\" or --venue")
    }
    let venues = try await TrackerVenues(configuration.venues, folder: configuration.venueFolder, keeping: !dryRun)
    for remark in venues.remarks { Printer.note("cordon-track: \(remark)") }
    // Stored venues are enough to start; a gateway without a network must not wait for an answer.
    if await venues.gates.isEmpty || dryRun {
      for item in await venues.ask() { if let sentence = item.sentence { Printer.note("cordon-track: \(sentence)") } }
    }
    guard let (host, port) = configuration.gpsdAddress else { return }
    #if os(Linux)
      let provider = GPSDProvider(address: .init(host: host, port: port))
    #else
      throw TrackerError("no-gpsd", "gpsd at \(host):\(port) is only read on Linux")
    #endif
    let limits = try Limits(
      length: span.map { try duration($0, "--for") }, drain: duration(drain, "--drain"),
      statusEvery: statusEvery == "off" ? nil : duration(statusEvery, "--status-every"))
    if dryRun {
      let gates = await venues.gates
      guard !gates.isEmpty else { throw TrackerError("no-venue", "no venue could be fetched, and none is kept") }
      let run = DryRun(
        configuration, gates, provider, consent: try dryRunConsent(configuration), asJSON: json)
      try await run.run(for: limits.length)
      return
    }
    guard !configuration.sinks.isEmpty else {
      throw TrackerError("no-sinks", "no sink is given; name one with \"sinks\" or --sink")
    }
    try await track(configuration, venues, provider, limits)
  }

  private struct Limits {
    var length: TimeSpan?
    var drain: TimeSpan
    var statusEvery: TimeSpan?
  }

  private func track(
    _ configuration: TrackerConfiguration, _ venues: TrackerVenues, _ provider: any LocationProvider,
    _ limits: Limits
  ) async throws {
    let path = try configuration.storePath()
    let gates = await venues.gates
    let monitor = try configuration.monitor(venue: gates.first, provider: provider)
    let reporter = StatusReporter(monitor)
    if gates.count > 1 { await monitor.know(gates) }
    let signals = Signals.first()
    #if os(Linux)
      let control = try ControlSocket(store: path) { line, reply in
        guard let command = ControlCommand(line: line) else {
          return reply(#"{"sentence":"The command is unknown; cordon-track --help lists the commands."}"#)
        }
        Task { reply(Reply(await command.carryOut(on: monitor), isRunning: true).line) }
      }
      defer { control.stop() }
    #endif
    if let consent { try await monitor.consent(to: Consent(version: consent, time: monitor.now.wall)) }
    if let invite { await monitor.activate(inviteCode: invite) }
    let telling = Task { await reporter.follow(every: limits.statusEvery) }
    let renewing = Task {
      await venues.follow(monitor, every: configuration.venueRefresh) { Printer.note("cordon-track: \($0)") }
    }
    await monitor.start()
    let number = await Waiting.first(of: signals, orAfter: limits.length)
    Printer.note("cordon-track: ending; sending what waits")
    await monitor.stop()
    await monitor.drain(within: limits.drain)
    telling.cancel()
    renewing.cancel()
    let status = await monitor.status
    if json { try Printer.print("track", status.members) }
    Printer.note(
      "cordon-track: \(status.accounting.acknowledged) locations acknowledged, \(status.accounting.onPhone) wait")
    if number == SIGINT { throw ExitCode(130) }
  }

  /// Returns whether there is a consent, as far as that is visible without changing anything.
  private func dryRunConsent(_ configuration: TrackerConfiguration) throws -> Bool {
    if consent != nil { return true }
    guard let path = configuration.store, FileManager.default.fileExists(atPath: path) else { return false }
    do {
      return try configuration.hasConsent()
    } catch  where (error as? StoreError)?.kind == .inUse {
      return false
    }
  }
}
