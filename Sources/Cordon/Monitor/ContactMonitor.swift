public import CordonCore
public import CordonGeometry
public import CordonMonitoring
import CordonStorage

/// Records the device's locations inside a venue and delivers them: the main entry point of an app.
///
/// ```swift
/// let monitor = try ContactMonitor(
///   venue: gate, endpoints: [SinkEndpoint(.cordon, url: server)], provider: GPSDProvider(), file: "/var/lib/tracker.sqlite")
/// try await monitor.consent(to: Consent(version: "2026-01", time: monitor.now.wall))
/// await monitor.activate(inviteCode: "7QK2-MMWD")
/// await monitor.start()
/// for await notice in monitor.notices { print(notice) }
/// ```
/// All rules are those of `Monitor`; the actor adds the clock, the network, the provider and the sensors.
public actor ContactMonitor {
  private let broadcast = Broadcast<MonitorNotice>(capacity: 256)
  let statuses = Broadcast<MonitorStatus>(capacity: 1)
  private var driver: RuntimeDriver
  private let endpoints: [SinkID: SinkEndpoint]
  /// Sinks that cannot erase the locations that they received, so that a withdrawal does not reach them. Name them
  /// when you ask for consent.
  public nonisolated let sinksWithoutErasure: [SinkID]
  let transport: any HTTPTransport
  let provider: any LocationProvider
  let sensors: Sensors
  let clock: any MonitorClock
  let log: MonitorLog?
  private var metrics: MetricsRecorder?
  var listening: [Source: Listening] = [:]
  var lastListening: UInt64 = 0
  var standing = StandingCommands()
  private var timer: Task<Void, Never>?
  private var record = DeliveryRecord()
  var power: PowerState?
  var providerEnd: MonitorStatus.ProviderEnd?
  var statusTask: Task<Void, Never>?
  var lastStatus: MonitorStatus?
  var isPublishing = false

  /// Makes a monitor with a store in a file.
  ///
  /// - Parameters:
  ///   - venue: the gate of the active venue, such as a packed venue.
  ///   - endpoints: the URLs and formats of the configured sinks.
  ///   - provider: the source of the device's location.
  ///   - sensors: additional sensors to observe.
  ///   - file: the path of the store; created if it does not exist.
  ///   - configuration: the rules of recording and upload. `nil` takes the defaults with the endpoints' sinks, all
  ///     required.
  ///   - transport: sends messages over HTTP.
  ///   - clock: the source of time; a test passes a clock that it advances manually.
  ///   - log: receives the monitor's log messages.
  ///   - metrics: counts fixes, locations and requests.
  /// - Throws: `MonitorConfigurationError` for an invalid setting, ``SinkError`` when sinks and endpoints do not
  ///   match, `StoreError` when the store cannot be opened. Each names a remedy.
  public init(
    venue: any VenueGate, endpoints: [SinkEndpoint], provider: any LocationProvider, sensors: Sensors = Sensors(),
    file: String, configuration: MonitorConfiguration? = nil, transport: any HTTPTransport = URLSessionTransport(),
    clock: any MonitorClock = SystemClock(), log: MonitorLog? = nil, metrics: (any MonitorMetrics)? = nil
  ) throws {
    // Validates before it creates the file.
    _ = try SinkPlan(configuration, endpoints)
    try self.init(
      venue: venue, endpoints: endpoints, provider: provider, sensors: sensors, store: try SQLiteStore(path: file),
      configuration: configuration, transport: transport, clock: clock, log: log, metrics: metrics)
  }

  /// Makes a monitor with an open store, such as a sealed one. From then on only the monitor may use the store.
  /// - Parameters:
  ///   - venue: the gate of the active venue; `nil` when it is not known yet, see ``use(_:)``.
  ///   - provider: the source of the device's location.
  ///   - endpoints: the URLs and formats of the configured sinks.
  ///   - sensors: additional sensors to observe.
  ///   - store: the open store.
  ///   - transport: sends messages over HTTP.
  ///   - configuration: the rules of recording and upload. `nil` takes the defaults with the endpoints' sinks, all
  ///     required.
  ///   - clock: the source of time; a test passes a clock that it advances manually.
  ///   - log: receives the monitor's log messages.
  ///   - metrics: counts fixes, locations and requests.
  /// - Throws: `MonitorConfigurationError` for an invalid setting, ``SinkError`` when sinks and endpoints do not
  ///   match, `StoreError` when the store cannot be read.
  public init(
    venue: (any VenueGate)?, endpoints: [SinkEndpoint], provider: any LocationProvider, sensors: Sensors = Sensors(),
    store: sending any Store, configuration: MonitorConfiguration? = nil,
    transport: any HTTPTransport = URLSessionTransport(),
    clock: any MonitorClock = SystemClock(), log: MonitorLog? = nil, metrics: (any MonitorMetrics)? = nil
  ) throws {
    let plan = try SinkPlan(configuration, endpoints)
    self.clock = clock
    self.log = log
    let now = clock.now
    let runtime = try Runtime(configuration: plan.configuration, store: store, at: now)
    self.metrics = metrics.map { MetricsRecorder($0, since: runtime.accounting) }
    driver = RuntimeDriver(runtime, at: now)
    record = DeliveryRecord(lastRefusal: runtime.lastRefusal)
    self.endpoints = plan.endpoints
    sinksWithoutErasure = plan.configuration.sinks.filter { !$0.abilities.contains(.erasure) }.map(\.id)
    self.transport = transport
    self.provider = provider
    self.sensors = sensors
    if let venue { driver.step(.venue(venue), at: clock.now) }
  }

  deinit {
    for source in listening.values { source.task.cancel() }
    timer?.cancel()
    statusTask?.cancel()
    broadcast.finish()
    statuses.finish()
  }

  /// The monitor's notices. Each access creates a new stream, which starts at that moment.
  ///
  /// Each reader keeps its last 256 unread notices; older ones are dropped for that reader alone. The stream ends
  /// with the monitor.
  public nonisolated var notices: AsyncStream<MonitorNotice> { broadcast.reader() }

  /// The monitor's current clock reading.
  public nonisolated var now: ClockReading { clock.now }
  /// The current pseudonym of this device.
  public var device: DeviceID { driver.runtime.device }
  /// The exposure notices that the device has received and that have not expired, oldest first. ``notices`` reports each once,
  /// when it arrives.
  public var exposureNotices: [ExposureNotice] { driver.runtime.exposureNotices(at: clock.now.wall) }
  /// The count of fixes by outcome.
  public var accounting: Accounting { driver.runtime.accounting }

  /// Records the person's consent.
  /// - Throws: an error when the consent lacks its purposes, the version of the text or the time; nothing changes
  ///   then.
  public func consent(to consent: Consent) throws(ConsentError) {
    try consent.validate()
    record.noteConsent()
    handle(.consent(consent))
  }

  /// Withdraws the person's consent. Recording stops, the locations on the device are deleted, and every sink that
  /// can erase is asked until it confirms. The others are ``sinksWithoutErasure``.
  public func withdraw() { handle(.withdraw) }

  /// Records an invite code that the person entered. It is sent only after consent, and until a server answers it.
  public func activate(inviteCode: String) {
    record.noteInvite()
    handle(.invite(code: inviteCode))
  }

  /// Activates a venue, new or changed.
  public func use(_ venue: any VenueGate) { handle(.venue(venue)) }

  /// Pauses monitoring until a time, or until ``resume()``; consent and queue stay.
  public func pause(until time: Instant? = nil) { handle(.pause(until: time)) }

  /// Ends a pause.
  public func resume() { handle(.resume) }

  /// Records that the person acknowledged an exposure notice, and reports it to the server.
  public func acknowledge(_ notice: ExposureNotice.ID) { handle(.acknowledge(notice)) }

  /// Sends all queued data now.
  public func flush() { handle(.flush) }

  /// Changes the rules of recording and sending. Sinks and the type of device stay.
  /// - Throws: an error for the first invalid field; nothing changes then.
  public func configure(_ configuration: MonitorConfiguration) throws(MonitorConfigurationError) {
    try configuration.validate()
    handle(.configure(configuration))
  }

  /// Removes the queue of a sink, and sends it nothing more until the next start of the process: the person took back what it
  /// was allowed to receive. Locations that other sinks need stay. Without another sink monitoring stops.
  public func discard(queueOf sink: SinkID) { handle(.discard(sink)) }

  /// Reports that the operating system woke the process, or that the app came to the foreground: does what is due,
  /// and sends the queue.
  public func wake() { handle(.woken) }

  /// Withdraws the consent to some purposes. Without `Consent.Purposes.record` it is ``withdraw()``.
  public func retract(_ purposes: Consent.Purposes) { handle(.retract(purposes)) }

  /// Sets the venues among which the monitor chooses the active one by the device's position.
  public func know(_ venues: [any VenueGate]) { handle(.venues(venues)) }

  /// Returns all data about the person on this device as JSON: consents, figures, and every location with its
  /// deliveries. Tokens and secrets are left out: they are not about the person.
  public func exportMyData() throws(StoreError) -> [UInt8] { try driver.runtime.inventory().json(at: clock.now.wall) }

  /// Sends the queue. Returns when it is empty, when nothing more can be sent for now, or after `span`. Unsent
  /// locations stay on the disk.
  public func drain(within span: TimeSpan) async {
    let end = clock.now.monotonic + span
    handle(.flush)
    while clock.now.monotonic < end {
      if !driver.hasRequestsInFlight {
        guard driver.runtime.accounting.onPhone > 0 || hasErasures else { return }
        guard let next = driver.nextTimer, next <= end else { return }
      }
      guard (try? await clock.sleep(for: .milliseconds(20))) != nil else { return }
    }
  }

  /// Whether a server has not confirmed yet that it erased a device.
  private var hasErasures: Bool { !driver.runtime.monitor.state.erasures.isEmpty }

  /// The state of recording and delivery, with remedies. `statusUpdates` delivers each change of it.
  public var status: MonitorStatus {
    let around = MonitorStatus.Surroundings(
      endpoints: Set(endpoints.keys), power: power, issues: provider.issues, providerEnd: providerEnd)
    return MonitorStatus(driver.runtime, record, around, at: clock.now)
  }

  func handle(_ event: MonitorEvent) {
    driver.step(event, at: clock.now)
    performOutput()
  }

  private func handle(_ response: SinkResponse, to request: SinkRequest) {
    record.note(
      response, to: request.body, isChallenged: request.challenge != nil, from: request.sink, at: clock.now.wall)
    metrics?.note(response, from: request.sink)
    driver.receive(response, at: clock.now)
    performOutput()
  }

  private func performOutput() {
    while let output = driver.nextOutput() {
      for command in output.commands {
        standing.note(command)
        provider.perform(command)
      }
      for notice in output.notices {
        record.note(notice)
        log?.write(notice)
        broadcast.send(notice)
      }
      for request in output.requests { send(request) }
    }
    metrics?.note(driver.runtime.accounting)
    setTimer()
    noteChange()
  }

  /// The endpoint with exposure notices, and a token that it issued; `nil` without a valid one.
  var credentialsForPage: (endpoint: SinkEndpoint, token: String)? {
    guard let (sink, token) = driver.runtime.credentials(at: clock.now.wall), let endpoint = endpoints[sink]
    else { return nil }
    return (endpoint, token)
  }

  private func send(_ request: SinkRequest) {
    let (transport, endpoint) = (transport, endpoints[request.sink])
    Task { [weak self] in
      // Every sink of the configuration has an endpoint; an erasure may be of a sink that has none any more.
      let response =
        await endpoint?.deliver(request, over: transport) ?? SinkResponse(number: request.number, status: 0)
      await self?.handle(response, to: request)
    }
  }

  private func setTimer() {
    timer?.cancel()
    guard let due = driver.nextTimer else { return }
    let wait = max(due - clock.now.monotonic, .milliseconds(1))
    let clock = clock
    timer = Task { [weak self] in
      guard (try? await clock.sleep(for: wait)) != nil else { return }
      await self?.handle(.wake)
    }
  }
}
