package import CordonCollection
internal import CordonConsole
internal import CordonCore
public import CordonIngest
package import CordonOperators
import CordonVenues
internal import Foundation
internal import Hummingbird
internal import HummingbirdCore
public import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// An HTTP server over a core and a store.
public struct IngestServer: Sendable {
  /// The configuration of a server.
  public struct Settings: Sendable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port; 0 for any free one.
    public var port = 8089
    /// PEM files of the certificate chain and its key; `nil` for no TLS, which only loopback and proxies allow.
    public var certificate: (chain: String, key: String)?
    /// The maximum number of open connections; later ones wait to be accepted.
    public var maximumConnections = 12_000
    /// The maximum idle time of a connection, in seconds.
    public var idleSeconds = 75
    /// The maximum time to receive a request, in seconds.
    public var requestSeconds = 30
    /// The maximum working time of one query of a person or an operator, in seconds.
    public var querySeconds = 20
    /// Whether a proxy in front of the server terminates TLS and names its clients in `X-Forwarded-For`.
    public var isBehindProxy = false
    /// The proxies whose `X-Forwarded-For` is trusted; ignored unless ``isBehindProxy``.
    public var trustedProxies = NetworkRange.loopback
    /// Whether all requests are logged, not only failed ones.
    public var logsRequests = false
    /// Whether the operators' console is served; its endpoints answer without it.
    public var servesConsole = true
    /// Whether forms are served: their documents, records and pages.
    package var servesForms = false
    /// The limits of forms.
    package var forms = FormSettings()
    /// The disk space reserved for erasures and withdrawals, in bytes; 0 for none.
    public var reserveBytes = 32 << 20
    /// The maximum time of the store check at the start, in seconds; a large store is checked in part.
    public var checkSeconds = 5
    /// The limits of the core.
    public var ingest = IngestSettings()
    /// How operators sign in with a browser.
    package var sessions = SessionSettings()
    /// The OpenID provider at which operators sign in; `nil` for none.
    package var openID: OpenIDSettings?
    /// The messages about alerts.
    package var alerts = AlertSettings()
    /// The receivers of webhooks.
    package var webhooks = WebhookSettings()
    /// The receiver of traces.
    package var traces = TraceSettings()
    /// The broker of MQTT.
    package var mqtt = MQTTSettings()
    /// Studies.
    package var studies = StudySettings()
    /// A PEM file of authorities that outgoing connections trust beside those of the system; `nil` for none.
    package var outboundAuthorities: String?

    /// The defaults.
    public init() {}

    /// Whether the server listens on this machine only.
    package var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

    /// Whether positions would travel without encryption: TLS is required on addresses other than loopback, unless a proxy ends it.
    package var lacksTLS: Bool { certificate == nil && !isLoopback && !isBehindProxy }

    /// Whether a proxy on another machine would not be believed.
    package var distrustsProxy: Bool { isBehindProxy && !isLoopback && trustedProxies.allSatisfy(\.isLoopback) }
  }

  /// A function that loads the parts that a reload replaces: venues, keys, operators.
  package typealias Load = @Sendable () throws -> RequestPreprocessor

  let settings: Settings
  let folder: DataFolder
  let access: StoreAccess
  private let load: Load
  /// Notices accounts that another server changed; `nil` where the operators come from elsewhere.
  private let watch: AccountWatch?
  let logger: Logger
  let clock: @Sendable () -> Instant

  /// A server over a data folder and a folder of venue bundles.
  ///
  /// A reload (SIGHUP) reads the bundles, keys and operators again. The log names bundles that cannot be read, and findings
  /// of the others.
  /// - Parameters:
  ///   - settings: addresses, limits and TLS.
  ///   - folder: the data folder, which holds the store and the keys.
  ///   - venues: the folder of venue bundles.
  ///   - logger: the logger of the server.
  public init(settings: Settings, folder: DataFolder, venues: VenueFolder, logger: Logger) {
    self.init(settings: settings, folder: folder, access: .file(of: folder), venues: venues, logger: logger)
  }

  /// A server over a store, a data folder and a folder of venue bundles.
  /// - Parameter access: how the store is opened; the data folder holds the keys and operators alone when it is elsewhere.
  package init(
    settings: Settings, folder: DataFolder, access: StoreAccess, venues: VenueFolder, logger: Logger
  ) {
    let watch = AccountWatch(access.console.accounts)
    self.init(settings: settings, folder: folder, access: access, watch: watch, logger: logger) {
      let (catalog, refused) = try venues.load()
      for bundle in refused {
        logger.error("venue not served", metadata: ["path": "\(bundle.path)", "reason": "\(bundle.reason)"])
      }
      for (id, venue) in catalog.venues.sorted(by: { $0.key < $1.key }) {
        for finding in venue.findings {
          logger.warning("\(finding.code)", metadata: ["venue": "\(id)", "reason": "\(finding.message)"])
        }
      }
      guard !catalog.venues.isEmpty else { throw NoVenueFault() }
      return RequestPreprocessor(
        settings: settings.ingest, catalog: catalog, signer: HMACSigner(), keys: try folder.keys(),
        operators: try watch.operators())
    }
  }

  /// A server over a folder.
  /// - Parameters:
  ///   - settings: addresses, limits and TLS.
  ///   - folder: the data folder, which holds the store and the keys.
  ///   - logger: the logger of the server.
  ///   - access: how the store is opened; `nil` for the file of the folder.
  ///   - load: called at the start, and again for a reload (SIGHUP).
  package init(
    settings: Settings, folder: DataFolder, access: StoreAccess? = nil, logger: Logger, load: @escaping Load
  ) {
    self.init(settings: settings, folder: folder, access: access, watch: nil, logger: logger, load: load)
  }

  private init(
    settings: Settings, folder: DataFolder, access: StoreAccess?, watch: AccountWatch?, logger: Logger,
    load: @escaping Load
  ) {
    self.watch = watch
    self.settings = settings
    self.folder = folder
    self.access = access ?? .file(of: folder)
    self.load = load
    self.logger = logger
    clock = { Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded())) }
  }

  /// Serves until SIGTERM or SIGINT, then finishes the requests in progress and returns.
  /// - Parameters:
  ///   - onListening: called once with the port.
  ///   - extra: other work that is done while the server runs.
  ///   - endsWithExtra: whether the server stops when that work is done.
  public func run(
    onListening: @escaping @Sendable (Int) async -> Void = { _ in },
    extra: (@Sendable (_ port: Int) async throws -> Void)? = nil, endsWithExtra: Bool = false
  ) async throws {
    guard (0...65_535).contains(settings.port) else {
      throw ListenFault(description: "port \(settings.port): a port is 0 to 65535")
    }
    let limit = FileLimit.raise(to: settings.maximumConnections + 200)
    if limit < settings.maximumConnections + 200 {
      logger.warning(
        "fewer files may be open than connections are allowed",
        metadata: ["files": "\(limit)", "connections": "\(settings.maximumConnections)"])
    }
    let preprocessor = NIOLockedValueBox(try load())
    let hub = EventHub()
    var reserve: DiskReserve?
    if access.isInFolder, settings.reserveBytes > 0 {
      let held = DiskReserve(folder: folder.path, bytes: settings.reserveBytes)
      if !held.isWhole { logger.error("no room for the reserve on the disk; rows are not taken") }
      reserve = held
    }
    let store = try access.writer(reserve.map { $0.bytes / 2 })
    // A new database has tables only now.
    if !preprocessor.withLockedValue({ $0.knowsOperators }) {
      let loaded = try load()
      preprocessor.withLockedValue { $0 = loaded }
    }
    let reader = Reader(
      persons: try access.reader(.persons), operators: try access.reader(.operators),
      limit: .seconds(settings.querySeconds))
    let ingest = Ingest(preprocessor: preprocessor.withLockedValue { $0 }, store: store, random: .secure())
    ingest.cases = try access.console.cases()
    ingest.alerts = try access.console.alerts()
    ingest.reserve = reserve
    let forms = try formService()
    // Records of a folder that serves forms no longer are erased as well.
    if forms != nil || DataFolder.isThere(folder.formsPath) {
      try ingest.add(FormErasure(try SQLiteFormStore(path: folder.formsPath)), now: clock())
    }
    // Messages that name a device are erased with it, also those of the time before the receivers were taken away.
    if DataFolder.isThere(folder.webhookPath) || !settings.webhooks.receivers.isEmpty {
      try ingest.add(WebhookErasure(try SQLiteWebhookQueue(path: folder.webhookPath)), now: clock())
    }
    if let queue = try access.webhooks?() { try ingest.add(WebhookErasure(queue), now: clock()) }
    switch try access.check(.seconds(settings.checkSeconds)) {
    case .sound: break
    case .checkedInPart: logger.info("the store is large and was checked in part")
    case .damaged(let what):
      ingest.isDamaged = true
      logger.error("the store is damaged: restore a backup", metadata: ["damage": "\(what)"])
    }
    let writer = GroupCommitWriter(
      ingest: ingest, isDatabase: !access.isInFolder, clock: clock,
      onEvents: { hub.add($0) },
      onFault: { fault, count in
        // The log contains the kind of fault and SQLite's message, never client data.
        logger.error("store fault", metadata: ["fault": "\(fault)", "count": "\(count)"])
      },
      onUnreadiness: { causes in
        if causes.isEmpty {
          logger.info("ready")
        } else {
          logger.error("not ready", metadata: ["causes": "\(IngestResponder.names(of: causes))"])
        }
      })
    let certificates = try settings.certificate.map { try Certificates(certificate: $0.chain, key: $0.key) }
    let counters = IngestResponder.Counters()
    let notices = ProxyNotices(settings, logger: logger)
    let tracer = settings.traces.receiver.map { _ in Tracer(settings.traces) }
    // One pending reload is enough: a reload reads everything.
    let (hangups, hangup) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let desk = try operatorDesk { hangup.yield() }
    var responder = IngestResponder(
      writer: writer, reader: reader, hub: hub, preprocessor: preprocessor, latencies: Latencies(), clock: clock,
      settings: settings, logger: logger, counters: counters,
      nonce: String(UInt32.random(in: .min ... .max), radix: 36),
      senders: SenderAddress(proxies: settings.isBehindProxy ? settings.trustedProxies : []), notices: notices,
      tracer: tracer)
    responder.desk = desk
    responder.forms = forms
    if settings.studies.isOn {
      responder.studies = StudyDesk(
        service: try folder.studies(settings.studies), failuresPerMinute: settings.ingest.failuresPerMinute,
        clock: clock)
    }
    let (ports, portFound) = AsyncStream.makeStream(of: Int.self)
    let (listening, listens) = AsyncStream.makeStream(of: Void.self)
    let application = Application(
      responder: responder, server: builder(certificates, responder),
      configuration: .init(
        address: .hostname(settings.host, port: settings.port), serverName: nil, backlog: 4_096,
        availableConnectionsDelegate: MaximumAvailableConnections(settings.maximumConnections)),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? settings.port
        portFound.yield(port)
        portFound.finish()
        listens.finish()
        await onListening(port)
      }, logger: logger)
    // Installed before the server listens, so that no signal finds the process unprepared.
    let signals = try SignalPipe([SIGTERM, SIGINT, SIGHUP])
    defer { signals.close() }
    // One pending hint of a kind is enough.
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (lateRows, late) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let onHint: @Sendable (StoreHint) -> Void = { hint in
      switch hint {
      case .lateRows: late.yield()
      case .leases: wake.yield()
      }
    }
    let hints = access.hints?(onHint, { hub.deliver($0) })
    defer { hints?.stop() }
    if let hints { hub.forward { hints.send($0) } }
    let accounts = self.watch
    let jobs = Jobs(
      writer: writer, hub: hub, notices: notices, logger: logger, hangups: hangups, wakes: wakes,
      lateRows: lateRows,
      onSecond: { if await accounts?.isOutdated() == true { hangup.yield() } }
    ) {
      let new = try load()
      preprocessor.withLockedValue { $0 = new }
      await writer.replace(new)
      try await desk.reload()
      try certificates?.reload()
    }
    let watch = SignalWatch(numbers: signals.numbers) { hangup.yield() }
    var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
      .init(service: jobs), .init(service: application),
      .init(service: watch, successTerminationBehavior: .gracefullyShutdownGroup),
    ]
    if let extra {
      let work = Extra(endsWithWork: endsWithExtra) {
        for await port in ports { try await extra(port) }
      }
      services.append(
        .init(
          service: work, successTerminationBehavior: endsWithExtra ? .gracefullyShutdownGroup : .cancelGroup))
    }
    for service in try outboundServices(writer, reader, preprocessor, listening, tracer) {
      services.append(.init(service: service))
    }
    if let forms { services.append(.init(service: FormUpkeep(forms: forms, logger: logger))) }
    if let studies = responder.studies {
      let jobs = StudyJobs(
        desk: studies, push: folder.push(settings.studies), payments: try settings.studies.payments(), logger: logger,
        clock: clock)
      services.append(.init(service: jobs))
    }
    services.append(.init(service: DrainNotice(counters: counters, logger: logger)))
    var configuration = ServiceGroupConfiguration(services: services, logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(20)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError {
      throw ListenFault(error, settings)
    } catch is SocketAddressError {
      throw ListenFault(description: "\(settings.host): no such address")
    }
    await writer.end()
    logger.info("stopped")
  }

  /// Signing in with a browser, over the accounts of the folder or of the database.
  private func operatorDesk(onChange: @escaping @Sendable () -> Void) throws -> OperatorDesk {
    var sessions = settings.sessions
    sessions.isSecure = settings.certificate != nil || settings.isBehindProxy
    sessions.eventRetention = settings.ingest.auditRetention
    let machine = try OperatorSessions(
      settings: sessions, accounts: access.console.accounts, store: try access.console.sessions(),
      random: .secure(), failureKey: try folder.keys(mayMake: true).tombstone)
    let provider = settings.openID.map { OpenIDClient(settings: $0, client: HTTPProviderClient()) }
    return OperatorDesk(sessions: machine, provider: provider, clock: clock, onChange: onChange)
  }

  private func builder(_ certificates: Certificates?, _ ingest: IngestResponder) -> HTTPServerBuilder {
    let (idle, body) = (Int64(settings.idleSeconds), Int64(settings.requestSeconds))
    return HTTPServerBuilder { responder in
      let channel = HTTP1Channel(
        responder: responder,
        configuration: .init(
          additionalChannelHandlers: [
            RequestDeadline(idle: .seconds(idle), body: .seconds(body)), UnreadableRequest(ingest),
            PositionBatchHandler(ingest),
          ],
          idleTimeout: nil,
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 8_192, maxHeaderListSize: 16_384, maxHeaderFieldCount: 100)))
      if let certificates { return channel.with(certificates) }
      return channel
    }
  }
}

/// The reason why a server cannot listen.
public struct ListenFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address and port, and the problem with them.
  public var description: String

  init(description: String) { self.description = description }

  init(_ error: IOError, _ settings: IngestServer.Settings) {
    let reason =
      switch error.errnoCode {
      case EADDRINUSE: "another program listens there"
      case EACCES: "this user may not listen there; ports below 1024 are root's"
      case EADDRNOTAVAIL: "no address of this machine"
      default: "cannot listen: \(error.description)"
      }
    self.init(description: "\(settings.host) port \(settings.port): \(reason)")
  }
}

/// Background work: due maintenance each second, events twice a second, and reloads on SIGHUP.
private struct Jobs: Service {
  let writer: GroupCommitWriter
  let hub: EventHub
  let notices: ProxyNotices
  let logger: Logger
  let hangups: AsyncStream<Void>
  /// Hints of other servers that there is something to do.
  let wakes: AsyncStream<Void>
  /// Hints of other servers that they have stored rows whose contacts are to be found.
  let lateRows: AsyncStream<Void>
  /// Other work that is due about once a second.
  let onSecond: @Sendable () async -> Void
  let reload: @Sendable () async throws -> Void

  func run() async throws {
    try await withGracefulShutdownHandler {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          var halves = 0
          for await _ in Ticks(every: .milliseconds(500)).cancelOnGracefulShutdown() {
            hub.flush()
            halves += 1
            // Maintenance that exceeds a second's share continues at once, but lets batches run in between.
            if halves % 2 == 0 {
              while await writer.tick() {}
              notices.look(at: writer.metrics)
            }
          }
        }
        group.addTask {
          for await _ in Ticks(every: .seconds(1)).cancelOnGracefulShutdown() { await onSecond() }
        }
        group.addTask {
          for await _ in wakes.cancelOnGracefulShutdown() { while await writer.tick() {} }
        }
        group.addTask {
          for await _ in lateRows.cancelOnGracefulShutdown() { while await writer.settleHinted() {} }
        }
        group.addTask {
          for await _ in hangups.cancelOnGracefulShutdown() {
            do {
              try await reload()
              logger.info("reloaded")
            } catch {
              logger.error("reload failed, the old settings stay", metadata: ["error": "\(error)"])
            }
          }
        }
        try await group.waitForAll()
      }
    } onGracefulShutdown: {
      hub.finish()
    }
  }
}

/// A sequence of timer ticks.
private struct Ticks: AsyncSequence, Sendable {
  let every: Duration

  struct AsyncIterator: AsyncIteratorProtocol {
    let every: Duration

    mutating func next() async -> Void? {
      do {
        try await Task.sleep(for: every)
        return ()
      } catch {
        return nil
      }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(every: every) }
}

/// A service that ends on a termination signal, which stops the server.
private struct SignalWatch: Service {
  let numbers: AsyncStream<Int32>
  let onHangup: @Sendable () -> Void

  func run() async throws {
    for await number in numbers.cancelOnGracefulShutdown() {
      guard number == SIGHUP else { return }
      onHangup()
    }
  }
}

/// Reports the coming shutdown; as the last service it is the first to be notified.
private struct DrainNotice: Service {
  let counters: IngestResponder.Counters
  let logger: Logger

  func run() async throws {
    try? await gracefulShutdown()
    counters.drain()
    logger.info("stopping")
  }
}

private struct Extra: Service {
  let endsWithWork: Bool
  let body: @Sendable () async throws -> Void

  func run() async throws {
    try await cancelWhenGracefulShutdown {
      do {
        try await body()
      } catch {
        // An error caused by cancellation is not a failure.
        if !Task.isCancelled { throw error }
      }
      while !endsWithWork, !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    }
  }
}
