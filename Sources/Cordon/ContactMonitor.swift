public import CordonCore
public import CordonGeometry
public import CordonMonitoring
import CordonStorage
import Foundation

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
/// All rules are those of ``Monitor``; the actor adds the clock, the network and the provider.
public actor ContactMonitor {
  /// What an app may want to know, as it happens.
  public nonisolated let notices: AsyncStream<Notice>
  private let announce: AsyncStream<Notice>.Continuation
  private var runtime: Runtime
  private var output = Output()
  private let endpoints: [SinkID: SinkEndpoint]
  private let transport: any HTTPTransport
  private let provider: any LocationProvider
  private let clock: SystemClock
  private var listening: Task<Void, Never>?
  private var alarm: Task<Void, Never>?
  private var carrying: [UInt64: Task<Void, Never>] = [:]
  private var lastError: StoreError?
  private var lastDelivery: Instant?

  /// - Parameters:
  ///   - venue: the gate of the active venue, such as a packed venue.
  ///   - endpoints: where the sinks of the settings are.
  ///   - provider: what knows where the device is.
  ///   - file: the path of the store; made if it is not there.
  ///   - settings: what is kept, and when it is sent. `nil` takes the defaults with the endpoints' sinks, all required.
  public init(
    venue: any VenueGate, endpoints: [SinkEndpoint], provider: any LocationProvider, file: String,
    settings: Settings? = nil, transport: any HTTPTransport = URLSessionTransport()
  ) throws(StoreError) {
    let store = try SQLiteStore(path: file)
    var defaults = Settings()
    defaults.sinks = endpoints.map { Sink($0.sink) }
    clock = SystemClock()
    runtime = try Runtime(settings: settings ?? defaults, store: store, at: clock.now)
    self.endpoints = Dictionary(endpoints.map { ($0.sink, $0) }, uniquingKeysWith: { $1 })
    self.transport = transport
    self.provider = provider
    (notices, announce) = AsyncStream.makeStream(of: Notice.self, bufferingPolicy: .bufferingNewest(256))
    runtime.step(clock.now, .venue(venue), into: &output)
  }

  deinit {
    listening?.cancel()
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

  /// The person entered an invite code.
  public func activate(inviteCode: String) { take(.invite(code: inviteCode)) }

  /// Monitoring rests until a time, or until ``resume()``; consent and queue stay.
  public func pause(until time: Instant? = nil) { take(.pause(until: time)) }

  /// A pause ends early.
  public func resume() { take(.resume) }

  /// Everything that waits is sent now.
  public func flush() { take(.flush) }

  /// Starts to listen to the provider, and to record.
  public func start() {
    take(.start)
    guard listening == nil else { return }
    let events = provider.events()
    listening = Task { [weak self] in
      for await event in events { await self?.take(event) }
      await self?.providerEnded()
    }
  }

  /// Stops recording; what is on the device is sent.
  public func stop() {
    take(.stop)
    listening?.cancel()
    listening = nil
  }

  /// Waits until no request is under way and nothing is due, or until a time has passed.
  public func drain(within span: TimeSpan) async {
    let end = clock.now + span
    take(.flush)
    while clock.now.monotonic < end.monotonic {
      if carrying.isEmpty, runtime.accounting.onPhone == 0 { return }
      try? await Task.sleep(nanoseconds: 20_000_000)
    }
  }

  /// How things stand, with what to do about it.
  public var status: MonitorStatus {
    MonitorStatus(runtime, lastDelivery: lastDelivery, lastError: lastError, at: clock.now)
  }

  private func providerEnded() { listening = nil }

  private func take(_ event: Event.Kind) {
    runtime.step(clock.now, event, into: &output)
    attend()
  }

  private func take(_ response: Response) {
    carrying[response.number] = nil
    runtime.step(clock.now, response: response, into: &output)
    attend()
  }

  /// Does what the last step asked for.
  private func attend() {
    for command in output.commands { provider.obey(command) }
    for notice in output.notices {
      if case .storeFailed(let error) = notice { lastError = error }
      if case .delivery(_, .judged) = notice { lastDelivery = clock.now.wall }
      announce.yield(notice)
    }
    for request in output.requests { carry(request) }
    output.removeAll()
    setAlarm()
  }

  private func carry(_ request: Request) {
    guard let endpoint = endpoints[request.sink], let message = endpoint.message(for: request) else {
      // No such sink or request here: it fails like one without an answer.
      carrying[request.number] = Task { [weak self] in await self?.take(Response(number: request.number, status: 0)) }
      return
    }
    let transport = transport
    carrying[request.number] = Task { [weak self] in
      let answer = await transport.send(message)
      await self?.take(endpoint.response(to: request, from: answer))
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

/// Both clocks of the operating system.
struct SystemClock: Sendable {
  private let origin = ContinuousClock.now

  var now: Moment {
    let (seconds, attoseconds) = (ContinuousClock.now - origin).components
    let wall = Date().timeIntervalSince1970 * 1_000
    return Moment(
      wall: Instant(milliseconds: Int64(wall.rounded())),
      monotonic: TimeSpan(milliseconds: seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
  }
}
