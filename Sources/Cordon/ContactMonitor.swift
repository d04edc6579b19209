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
  /// Sinks that cannot erase what they received: a withdrawal does not reach what they have. Say so where you ask for consent.
  public nonisolated let sinksWithoutErasure: [SinkID]
  private let transport: any HTTPTransport
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

  /// A monitor whose store is a file.
  ///
  /// - Parameters:
  ///   - venue: the gate of the active venue, such as a packed venue.
  ///   - endpoints: where the sinks of the settings are.
  ///   - provider: the source of the device's location.
  ///   - sensors: additional sensors to observe.
  ///   - file: the path of the store; created if it does not exist.
  ///   - configuration: what is kept, and when it is sent. `nil` takes the defaults with the endpoints' sinks, all required.
  ///   - transport: sends messages over HTTP.
  ///   - clock: the source of time; a test passes a clock that it advances manually.
  ///   - log: receives the monitor's log messages.
  ///   - metrics: counts fixes, locations and requests.
  /// - Throws: `MonitorConfigurationError` when a setting makes no sense, ``SinkError`` when settings and endpoints do not fit together,
  ///   `StoreError` when the store cannot be opened. Each names a remedy.
  public init(
    venue: any VenueGate, endpoints: [SinkEndpoint], provider: any LocationProvider, sensors: Sensors = Sensors(),
    file: String, configuration: MonitorConfiguration? = nil, transport: any HTTPTransport = URLSessionTransport(),
    clock: any MonitorClock = SystemClock(), log: MonitorLog? = nil, metrics: (any MonitorMetrics)? = nil
  ) throws {
    // Before anything is made on the disk.
    _ = try SinkPlan(configuration, endpoints)
    try self.init(
      venue: venue, endpoints: endpoints, provider: provider, sensors: sensors, store: try SQLiteStore(path: file),
      configuration: configuration, transport: transport, clock: clock, log: log, metrics: metrics)
  }

  /// A monitor with a store that the caller has opened, such as a sealed one. The store is the monitor's alone from then on.
  /// - Parameters:
  ///   - venue: `nil` when it is not known yet; see ``use(_:)``.
  ///   - provider: the source of the device's location.
  ///   - endpoints: where the sinks of the settings are.
  ///   - sensors: additional sensors to observe.
  ///   - store: the store, open.
  ///   - transport: sends messages over HTTP.
  ///   - configuration: what is kept, and when it is sent. `nil` takes the defaults with the endpoints' sinks, all required.
  ///   - clock: the source of time; a test passes a clock that it advances manually.
  ///   - log: receives the monitor's log messages.
  ///   - metrics: counts fixes, locations and requests.
  /// - Throws: `MonitorConfigurationError` when a setting makes no sense, ``SinkError`` when settings and endpoints do not fit together,
  ///   `StoreError` when the store cannot be read.
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

  /// Notices of the monitor. Each access creates a new stream, which starts at that moment.
  ///
  /// Each reader keeps the last 256 notices that it has not read yet; older ones are dropped for that reader alone. The
  /// stream ends with the monitor.
  public nonisolated var notices: AsyncStream<MonitorNotice> { broadcast.reader() }

  /// The monitor's current clock reading.
  public nonisolated var now: ClockReading { clock.now }
  /// The current pseudonym of this device.
  public var device: DeviceID { driver.runtime.device }
  /// The count of fixes by outcome.
  public var accounting: Accounting { driver.runtime.accounting }

  /// The person agreed.
  /// - Throws: when the agreement does not say to what, to which text or when; nothing has changed then.
  public func consent(to consent: Consent) throws(ConsentError) {
    try consent.validate()
    record.noteConsent()
    handle(.consent(consent))
  }

  /// The person takes the consent back: recording stops, what is here goes, every sink that can erase is asked until it has.
  /// See ``sinksWithoutErasure`` for the others.
  public func withdraw() { handle(.withdraw) }

  /// The person entered an invite code. It is sent only after consent, and until it is answered.
  public func activate(inviteCode: String) {
    record.noteInvite()
    handle(.invite(code: inviteCode))
  }

  /// The venue became known, or changed; it is the active one from now on.
  public func use(_ venue: any VenueGate) { handle(.venue(venue)) }

  /// Pauses monitoring until a time, or until ``resume()``; consent and queue stay.
  public func pause(until time: Instant? = nil) { handle(.pause(until: time)) }

  /// Ends a pause early.
  public func resume() { handle(.resume) }

  /// Sends all queued data now.
  public func flush() { handle(.flush) }

  /// The operating system woke the process, or the app came to the front: what is due is done, and what waits is sent.
  public func wake() { handle(.woken) }

  /// The person no longer agrees to some purposes. Without `Consent.Purposes.record` it is ``withdraw()``.
  public func retract(_ purposes: Consent.Purposes) { handle(.retract(purposes)) }

  /// Venues among which the monitor may choose the active one, by where the device is.
  public func know(_ venues: [any VenueGate]) { handle(.venues(venues)) }

  /// Everything that is known of the person on this device, as JSON for them to read: agreements, figures, every location
  /// and how far it got. Tokens and secrets are left out: they are not about the person.
  public func exportMyData() throws(StoreError) -> [UInt8] { try driver.runtime.inventory().json(at: clock.now.wall) }

  /// Sends what waits, and returns when it is gone, when nothing more can be done about it for now, or when so much
  /// time has passed. What stays is on the disk.
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

  /// Whether a server has yet to confirm the erasure of a device.
  private var hasErasures: Bool { !driver.runtime.monitor.state.erasures.isEmpty }

  /// How things stand, with what to do about it. `statusUpdates` gives each change of it.
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
