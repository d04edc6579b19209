import ArgumentParser
import Cordon
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonFHIR
import CordonGeometry
import CordonMonitoring
import CordonSupport
import CordonTracking
import Foundation

/// The command `cordon-track [run]`.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Track until SIGTERM or Ctrl-C, then send the waiting rows and end.",
    discussion: """
      Example:

        cordon-track --venue office.cvp --store track.sqlite \\
          --sink cordon=https://cordon.example.org \\
          --consent 2026-01 --invite 7QK2-MMWD

      With --dry-run it shows what would be recorded; it writes and sends nothing.
      """)

  /// The options of a run.
  struct RunOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Record the consent of the person, for recording and sending, to this version of the text.",
        valueName: "version")
    )
    var consent: String?

    @Flag(help: "The consent of --consent covers places outside of venues too.")
    var everywhere = false

    @Option(help: ArgumentHelp("The invite code of the venue.", valueName: "code"))
    var invite: String?

    @Flag(help: "Show what would be recorded; write and send nothing.")
    var dryRun = false

    @Option(help: ArgumentHelp("End after this time. (default: at a signal)", valueName: "duration"))
    var duration: DurationArgument?

    @Option(help: ArgumentHelp("The time that sending may take at the end.", valueName: "duration"))
    var drain = DurationArgument(.seconds(10))

    @Option(help: ArgumentHelp("The interval of the status on standard error.", valueName: "duration|off"))
    var statusInterval = DurationOrOffArgument(.minutes(1))
  }

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Run") var own: RunOptions
  @OptionGroup(title: "Output") var output: JSONOption

  func validate() throws {
    for (option, span) in [
      ("--duration", own.duration?.span), ("--drain", own.drain.span), ("--status-interval", own.statusInterval.span),
    ] {
      if let span, span < .zero { throw ValidationError("\(option) must not be negative") }
    }
  }

  func run() async throws {
    let configuration = try options.load()
    guard !configuration.venues.isEmpty || configuration.monitor.everywhere != nil && !own.dryRun else {
      throw TrackerError("no-venue", "no venue is given; name one with \"venue\" or --venue")
    }
    let venues = try await TrackerVenues(configuration.venues, folder: configuration.venueFolder, keeping: !own.dryRun)
    for remark in venues.remarks { Printer.note("cordon-track: \(remark)") }
    // Stored venues are enough to start; a gateway without a network must not wait for an answer.
    if await venues.gates.isEmpty && !configuration.venues.isEmpty || own.dryRun {
      for item in await venues.ask() { if let sentence = item.sentence { Printer.note("cordon-track: \(sentence)") } }
    }
    guard let (host, port) = configuration.gpsdAddress else { return }
    #if os(Linux)
      let provider = GPSDProvider(address: .init(host: host, port: port))
    #else
      throw TrackerError("no-gpsd", "gpsd at \(host):\(port) is only read on Linux")
    #endif
    if own.dryRun {
      let gates = await venues.gates
      guard !gates.isEmpty else { throw TrackerError("no-venue", "no venue could be fetched, and none is kept") }
      let run = DryRun(
        configuration, gates, provider, consent: try dryRunConsent(configuration), asJSON: output.json)
      try await run.run(for: own.duration?.span)
      return
    }
    guard !configuration.sinks.isEmpty else {
      throw TrackerError("no-sinks", "no sink is given; name one with \"sinks\" or --sink")
    }
    // gpsd reports no visits.
    try await track(configuration, venues, VisitingProvider(provider))
  }

  private func track(
    _ configuration: TrackerConfiguration, _ venues: TrackerVenues, _ provider: any LocationProvider
  ) async throws {
    let path = try configuration.storePath()
    let gates = await venues.gates
    let consents = TrackerConsents(store: path)
    let revoked = try consents.read().entries.filter { !$0.isGranted }.map(\.sink)
    guard !configuration.sinks.allSatisfy({ revoked.contains($0.id.number) }) else {
      throw TrackerError("revoked", "the person revoked all that the sinks receive; see cordon-track consents")
    }
    let (changes, report) = AsyncStream.makeStream(of: Void.self)
    let settings = try configuration.sinks.map { try configuration.remoteSettings(of: $0) { _ in report.yield() } }
    // The settings of the first receiver that sent some.
    let rules: @Sendable () -> MonitorConfiguration = {
      settings.lazy.compactMap { $0?.settings }.first?.applied(to: configuration.completeMonitor)
        ?? configuration.completeMonitor
    }
    let endpoints = try zip(configuration.sinks, settings).map {
      try configuration.endpoint(of: $0, settings: $1, trips: TripLog(store: path))
    }
    let monitor = try configuration.monitor(
      venue: gates.first, provider: provider, endpoints: endpoints, rules: rules())
    let applying = Task {
      for await _ in changes {
        Printer.note("cordon-track: a receiver changed the settings")
        try? await monitor.configure(rules())
      }
    }
    defer { applying.cancel() }
    for sink in revoked { await monitor.discard(queueOf: SinkID(number: sink)) }
    let reporter = StatusReporter(monitor)
    if gates.count > 1 { await monitor.know(gates) }
    let signals = try SignalPipe([SIGINT, SIGTERM])
    // Ended trips are sent at the start, when one ends, and every ten minutes as long as some wait.
    let (wakes, sendTrips) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    sendTrips.yield()
    let sendingTrips = Task { await sendEndedTrips(of: monitor, configuration, TripOutbox(store: path), at: wakes) }
    defer { sendingTrips.cancel() }
    #if os(Linux)
      let control = try ControlSocket(store: path) { line, reply in
        guard let command = ControlCommand(line: line) else {
          return reply(#"{"sentence":"The command is unknown; cordon-track --help lists the commands."}"#)
        }
        Task {
          reply(Reply(await command.carryOut(on: monitor), isRunning: true).line)
          if command == .trip(isInProgress: false) { sendTrips.yield() }
        }
      }
      defer { control.stop() }
    #endif
    if let consent = own.consent {
      let purposes: Consent.Purposes = own.everywhere ? [.record, .share, .everywhere] : [.record, .share]
      try await monitor.consent(to: Consent(version: consent, purposes: purposes, time: monitor.now.wall))
    }
    if let trip = try TripFile.read(store: path), trip.isOf(await monitor.status.device) {
      await monitor.noteTrip(isInProgress: true)
    }
    if let invite = own.invite { await monitor.activate(inviteCode: invite) }
    let reporting = Task { await reporter.follow(every: own.statusInterval.span) }
    let renewing = Task {
      await venues.follow(monitor, every: configuration.venueRefresh) { Printer.note("cordon-track: \($0)") }
    }
    let reportingConsents = Task { await follow(consents, settings.compactMap(\.self), configuration, sendTrips) }
    await monitor.start()
    let number = await Waiting.first(of: signals, orAfter: own.duration?.span)
    Printer.note("cordon-track: ending; sending the waiting rows")
    await monitor.stop()
    await monitor.drain(within: own.drain.span)
    reporting.cancel()
    renewing.cancel()
    reportingConsents.cancel()
    let status = await monitor.status
    if output.json { try Printer.print("track", status.members) }
    Printer.note(
      "cordon-track: \(status.accounting.acknowledged) locations acknowledged, \(status.accounting.onPhone) wait")
    if number == SIGINT { throw ExitCode(Interruption.exitStatus) }
  }

  /// Sends the trips that have ended to their receivers.
  private func sendEndedTrips(
    of monitor: ContactMonitor, _ configuration: TrackerConfiguration, _ outbox: TripOutbox, at wakes: AsyncStream<Void>
  ) async {
    let transport = URLSessionTransport(timeout: 30)
    for await _ in wakes where outbox.count > 0 {
      let status = await monitor.status
      let remarks = await outbox.deliver(
        consent: status.consent, device: status.device,
        to: { configuration.endpoint(sending: $1, toSink: $0) }, over: transport)
      for remark in remarks { Printer.note("cordon-track: \(remark)") }
    }
  }

  /// Informs the platforms of the person's decisions until they confirm them, ends trials of settings, and lets trips that wait be
  /// sent.
  private func follow(
    _ consents: TrackerConsents, _ settings: [RemoteSettingsStore], _ configuration: TrackerConfiguration,
    _ sendTrips: AsyncStream<Void>.Continuation
  ) async {
    let clock = SystemClock()
    repeat {
      let remarks = try? await consents.report { number in
        configuration.sinks.first { $0.id.number == number }.flatMap { try? configuration.consentClient(of: $0) } ?? nil
      }
      for store in settings { _ = store.settings }
      for remark in remarks ?? [] { Printer.note("cordon-track: \(remark)") }
      sendTrips.yield()
    } while (try? await clock.sleep(for: .minutes(10))) != nil
  }

  /// Returns whether there is a consent, as far as that is visible without changing anything.
  private func dryRunConsent(_ configuration: TrackerConfiguration) throws -> Bool {
    if own.consent != nil { return true }
    guard let path = configuration.store, FileManager.default.fileExists(atPath: path) else { return false }
    do {
      return try configuration.hasConsent()
    } catch  where (error as? StoreError)?.kind == .inUse {
      return false
    }
  }
}
