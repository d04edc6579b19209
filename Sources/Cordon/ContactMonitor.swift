public import CordonCore
public import CordonGeometry
public import CordonMonitoring
import CordonStorage

/// Records where this device is while it is in a venue, and delivers that: what an app talks to.
///
/// ```swift
/// let monitor = try ContactMonitor(
///   venue: gate, endpoints: [SinkEndpoint(.cordon, url: server)], provider: GPSDProvider(), file: "/var/lib/tracker.sqlite")
/// await monitor.consent(to: Consent(version: "2026-01", time: monitor.now.wall))
/// await monitor.activate(inviteCode: "7QK2-MMWD")
/// await monitor.start()
/// for await notice in monitor.notices { print(notice) }
/// ```
/// All rules are those of `Monitor`; the actor adds the clock, the network, the provider and the sensors.
public actor ContactMonitor {
  /// What an app may want to know, as it happens. For one reader; it keeps the last 256 for a reader who is late.
  public nonisolated let notices: AsyncStream<Notice>
  private let announce: AsyncStream<Notice>.Continuation
  private var runtime: Runtime
  private var output = Output()
  private let endpoints: [SinkID: SinkEndpoint]
  private let transport: any HTTPTransport
  private let provider: any LocationProvider
  private let sensors: Sensors
  private let clock: SystemClock
  private var listening: [Task<Void, Never>] = []
  private var alarm: Task<Void, Never>?
  private var carrying: [UInt64: Task<Void, Never>] = [:]
  private var record = DeliveryRecord()
  private var power: PowerState?

  /// A monitor whose store is a file.
  ///
  /// - Parameters:
  ///   - venue: the gate of the active venue, such as a packed venue.
  ///   - endpoints: where the sinks of the settings are.
  ///   - provider: what knows where the device is.
  ///   - sensors: what else may be listened to.
  ///   - file: the path of the store; made if it is not there.
  ///   - settings: what is kept, and when it is sent. `nil` takes the defaults with the endpoints' sinks, all required.
  ///   - transport: what carries messages over HTTP.
  /// - Throws: when the store cannot be opened; the error says what to do.
  public init(
    venue: any VenueGate, endpoints: [SinkEndpoint], provider: any LocationProvider, sensors: Sensors = Sensors(),
    file: String, settings: Settings? = nil, transport: any HTTPTransport = URLSessionTransport()
  ) throws(StoreError) {
    try self.init(
      venue: venue, endpoints: endpoints, provider: provider, sensors: sensors, store: try SQLiteStore(path: file),
      settings: settings, transport: transport)
  }

  /// A monitor with a store that the caller has opened, such as a sealed one. The store is the monitor's alone from then on.
  /// - Parameters:
  ///   - venue: `nil` when it is not known yet; see ``use(_:)``.
  ///   - provider: what knows where the device is.
  ///   - endpoints: where the sinks of the settings are.
  ///   - sensors: what else may be listened to.
  ///   - store: the store, open.
  ///   - transport: what carries messages over HTTP.
  ///   - settings: what is kept, and when it is sent. `nil` takes the defaults with the endpoints' sinks, all required.
  public init(
    venue: (any VenueGate)?, endpoints: [SinkEndpoint], provider: any LocationProvider, sensors: Sensors = Sensors(),
    store: sending any Store, settings: Settings? = nil, transport: any HTTPTransport = URLSessionTransport()
  ) throws(StoreError) {
    var defaults = Settings()
    defaults.sinks = endpoints.map { Sink($0.sink) }
    clock = SystemClock()
    runtime = try Runtime(settings: settings ?? defaults, store: store, at: clock.now)
    self.endpoints = Dictionary(endpoints.map { ($0.sink, $0) }, uniquingKeysWith: { $1 })
    self.transport = transport
    self.provider = provider
    self.sensors = sensors
    (notices, announce) = AsyncStream.makeStream(of: Notice.self, bufferingPolicy: .bufferingNewest(256))
    if let venue { runtime.step(clock.now, .venue(venue), into: &output) }
  }

  deinit {
    for task in listening { task.cancel() }
    alarm?.cancel()
    announce.finish()
  }

  /// What time it is for the monitor.
  public nonisolated var now: Moment { clock.now }
  /// The pseudonym of this device, as it is at the moment.
  public var device: DeviceID { runtime.device }
  /// What became of every fix.
  public var accounting: Accounting { runtime.accounting }

  /// The person agreed.
  public func consent(to consent: Consent) { take(.consent(consent)) }

  /// The person takes the consent back: recording stops, what is here goes, the server is asked to erase until it has.
  public func withdraw() { take(.withdraw) }

  /// The person entered an invite code. It is sent only after consent, and until it is answered.
  public func activate(inviteCode: String) { take(.invite(code: inviteCode)) }

  /// The venue became known, or changed; it is the active one from now on.
  public func use(_ venue: any VenueGate) { take(.venue(venue)) }

  /// Monitoring rests until a time, or until ``resume()``; consent and queue stay.
  public func pause(until time: Instant? = nil) { take(.pause(until: time)) }

  /// A pause ends early.
  public func resume() { take(.resume) }

  /// Everything that waits is sent now.
  public func flush() { take(.flush) }

  /// The operating system woke the process, or the app came to the front: what is due is done, and what waits is sent.
  public func wake() { take(.woken) }

  /// The person no longer agrees to some purposes. Without `Consent.Purposes.record` it is ``withdraw()``.
  public func retract(_ purposes: Consent.Purposes) { take(.retract(purposes)) }

  /// Venues among which the monitor may choose the active one, by where the device is.
  public func know(_ venues: [any VenueGate]) { take(.venues(venues)) }

  /// Everything that is known of the person on this device, as JSON for them to read: agreements, figures, every location
  /// and how far it got. Tokens and secrets are left out: they are not about the person.
  public func exportMyData() throws(StoreError) -> [UInt8] { try runtime.inventory().json(at: clock.now.wall) }

  /// Starts to listen to provider and sensors, and to record.
  public func start() {
    take(.start)
    guard listening.isEmpty else { return }
    listen(to: provider.events()) { $0 }
    if let motion = sensors.motion { listen(to: motion.motions()) { .motion($0) } }
    if let floor = sensors.floor { listen(to: floor.floors()) { .floor($0) } }
    if let connectivity = sensors.connectivity { listen(to: connectivity.networks()) { .network($0) } }
    if let power = sensors.power {
      let states = power.powers()
      listening.append(
        Task { [weak self] in
          for await state in states { await self?.take(state) }
        })
    }
  }

  /// Stops recording and listening; what is on the device is sent.
  public func stop() {
    take(.stop)
    for task in listening { task.cancel() }
    listening = []
  }

  /// Sends what waits, and returns when it is gone, when nothing more can be done about it for now, or when so much
  /// time has passed. What stays is on the disk.
  public func drain(within span: TimeSpan) async {
    let end = clock.now.monotonic + span
    take(.flush)
    while clock.now.monotonic < end {
      if carrying.isEmpty {
        guard runtime.accounting.onPhone > 0 || hasErasures else { return }
        guard let next = runtime.nextTimer, next <= end else { return }
      }
      guard (try? await Task.sleep(nanoseconds: 20_000_000)) != nil else { return }
    }
  }

  /// Whether a server has still to confirm that it erased a device.
  private var hasErasures: Bool { !runtime.monitor.state.erasures.isEmpty }

  /// How things stand, with what to do about it.
  public var status: MonitorStatus {
    MonitorStatus(runtime, record, power: power, troubles: provider.troubles, at: clock.now)
  }

  private func listen<Element: Sendable>(
    to stream: AsyncStream<Element>, as event: @escaping @Sendable (Element) -> ProviderEvent
  ) {
    listening.append(
      Task { [weak self] in
        for await element in stream { await self?.take(.provider(event(element))) }
      })
  }

  private func take(_ state: PowerState) {
    let hasCome = state.isExternal && power?.isExternal == false
    power = state
    // Sending costs nothing now.
    if hasCome { take(.flush) }
  }

  private func take(_ event: Event) {
    runtime.step(clock.now, event, into: &output)
    attend()
  }

  private func take(_ response: Response, from sink: SinkID) {
    carrying[response.number] = nil
    record.note(response, from: sink, at: clock.now.wall)
    runtime.step(clock.now, response: response, into: &output)
    attend()
  }

  /// Does what the last step asked for.
  private func attend() {
    for command in output.commands { provider.obey(command) }
    for notice in output.notices {
      record.note(notice)
      announce.yield(notice)
    }
    for request in output.requests { carry(request) }
    output.removeAll()
    setAlarm()
  }

  private func carry(_ request: Request) {
    let (transport, endpoint) = (transport, endpoints[request.sink])
    carrying[request.number] = Task { [weak self] in
      // Without an endpoint it fails like a request that nobody answers.
      let response =
        await endpoint?.deliver(request, over: transport) ?? Response(number: request.number, status: 0)
      await self?.take(response, from: request.sink)
    }
  }

  private func setAlarm() {
    alarm?.cancel()
    guard let due = runtime.nextTimer else { return }
    let wait = max((due - clock.now.monotonic).milliseconds, 1)
    alarm = Task { [weak self] in
      guard (try? await Task.sleep(nanoseconds: UInt64(min(wait, 86_400_000)) * 1_000_000)) != nil else { return }
      await self?.take(.wake)
    }
  }
}
