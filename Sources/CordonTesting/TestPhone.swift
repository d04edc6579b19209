public import CordonCore
public import CordonGeometry
public import CordonMonitoring

/// One phone in an integrator's own test: the real runtime on a virtual clock, with a sink that answers at once.
///
/// ```swift
/// let phone = try TestPhone(in: SmallVenue())
/// phone.consentAndStart()
/// phone.stay(at: (east: 3, north: 4), for: .minutes(10))
/// phone.leave()
/// #expect(phone.sink.count > 0)
/// ```
/// Any gate can be the venue, also that of a packed venue: see
/// ``init(packed:configuration:store:sink:device:seed:start:)``.
public final class TestPhone {
  private var driver: RuntimeDriver
  /// What receives its requests.
  public let sink: InProcessSink
  /// The store of the runtime.
  public let store: any Store
  /// The venue.
  public let venue: any VenueGate
  /// The packed venue, when the phone was made with one.
  public private(set) var packed: PackedVenue?
  /// Every notice so far.
  public private(set) var notices: [MonitorNotice] = []
  /// Every command so far.
  public private(set) var commands: [ProviderCommand] = []
  /// Whether requests reach the sink.
  public var isOnline = true
  /// The status with which the sink refuses a request with these rows; `nil` when it judges row by row.
  public var refuseBatches: ([Location]) -> Int? = { _ in nil }
  /// The radius (68 %, metres) of the fixes that the phone makes.
  public var accuracy = 5.0
  /// The time between two fixes.
  public var fixInterval = TimeSpan.seconds(5)
  private var isPositioning = false

  /// Makes a phone outside a venue, at 08:00 UTC on 1 January 2026.
  /// - Parameters:
  ///   - venue: the gate of the venue, such as ``SmallVenue`` or a `PackedVenueGate`.
  ///   - configuration: the rules of recording and upload; `nil` takes the defaults with a Cordon server.
  ///   - store: the store of rows.
  ///   - sink: the server.
  ///   - device: the device of the store; `nil` takes its first device, or makes one.
  ///   - seed: the seed of identifiers and waits.
  ///   - start: the time at the beginning.
  ///   - isVenueKnown: whether the monitor gets the venue at once; `send(.venue(phone.venue))` gives it later.
  /// - Throws: an error when the store cannot be read.
  public init(
    in venue: any VenueGate = SmallVenue(), configuration: MonitorConfiguration? = nil,
    store: any Store = MemoryStore(),
    sink: InProcessSink = InProcessSink(), device: DeviceID? = nil, seed: UInt64 = 1,
    start: Instant = Instant(milliseconds: 1_767_254_400_000), isVenueKnown: Bool = true
  ) throws(StoreError) {
    var defaults = MonitorConfiguration()
    defaults.sinks = [Sink(.cordon, needsActivation: sink.needsToken)]
    self.venue = venue
    self.sink = sink
    self.store = store
    let now = ClockReading(virtual: start)
    let runtime = try Runtime(
      device: device, configuration: configuration ?? defaults, store: store,
      entropy: .stream(RandomStream(seed: seed, stream: 0xc0de)), at: now)
    driver = RuntimeDriver(runtime, at: now)
    if isVenueKnown { send(.venue(venue)) }
  }

  /// Makes a phone outside a packed venue, such as a file of `cordon venue pack`; ``stay(in:for:)`` then takes spaces
  /// by their identifier.
  /// - Throws: an error when the store cannot be read.
  public convenience init(
    packed: PackedVenue, configuration: MonitorConfiguration? = nil, store: any Store = MemoryStore(),
    sink: InProcessSink = InProcessSink(), device: DeviceID? = nil, seed: UInt64 = 1,
    start: Instant = Instant(milliseconds: 1_767_254_400_000)
  ) throws(StoreError) {
    try self.init(
      in: PackedVenueGate(packed), configuration: configuration, store: store, sink: sink, device: device, seed: seed,
      start: start)
    self.packed = packed
  }

  /// The runtime.
  package var runtime: Runtime {
    get { driver.runtime }
    set { driver.runtime = newValue }
  }
  /// The virtual time.
  public var now: ClockReading { driver.now }
  /// The fate of every fix so far.
  public var accounting: Accounting { driver.runtime.accounting }
  /// When, on the monotonic clock, the next timer fires; `nil` when nothing is due.
  public var nextTimer: TimeSpan? { driver.nextTimer }

  /// Passes one event to the runtime, and performs what it asks for.
  @discardableResult
  public func send(_ event: MonitorEvent) -> Verdict {
    let verdict = driver.step(event)
    performOutput()
    return verdict
  }

  /// Consents to everything and starts monitoring.
  public func consentAndStart() {
    send(.consent(Consent(version: "test", time: now.wall)))
    send(.start)
  }

  /// Withdraws the consent.
  public func withdraw() { send(.withdraw) }

  /// Pauses monitoring for a time, or until ``resume()``.
  public func pause(for span: TimeSpan? = nil) { send(.pause(until: span.map { now.wall + $0 })) }

  /// Ends a pause.
  public func resume() { send(.resume) }

  /// The person enters an invite code; see `InProcessSink.inviteCodes`.
  public func activate(inviteCode: String) { send(.invite(code: inviteCode)) }

  /// Crosses the venue's geofence inwards.
  public func enter() { send(.region(.entered)) }

  /// Sets the wall clock forward or back; no time passes.
  public func setClock(by span: TimeSpan) { driver.now.wall = now.wall + span }

  /// Lets time pass, and fires the timers that are due.
  public func wait(_ span: TimeSpan) {
    let end = now + span
    while driver.advance(to: end) { performOutput() }
  }

  /// Lets time pass without firing a timer, as when the process is suspended.
  public func sleep(_ span: TimeSpan) { driver.now = now + span }

  /// Stays at a place, in metres from the centre of the venue's geofence, and makes fixes while positioning is on.
  public func stay(at place: (east: Double, north: Double), floor: FloorOrdinal? = FloorOrdinal(0), for span: TimeSpan)
  { stay(at: venue.place(east: place.east, north: place.north), floor: floor, for: span) }

  /// Stays at a place, and makes fixes while positioning is on.
  public func stay(at coordinate: Coordinate, floor: FloorOrdinal?, for span: TimeSpan) {
    let end = now.monotonic + span
    if !isPositioning { fix(at: coordinate, floor: floor) }
    while now.monotonic + fixInterval <= end {
      wait(fixInterval)
      if isPositioning { fix(at: coordinate, floor: floor) }
    }
    wait(end - now.monotonic)
  }

  /// Stays in a space of the packed venue, on its floor.
  /// - Returns: whether there is such a space; `false` without a packed venue.
  @discardableResult
  public func stay(in space: SpaceID, for span: TimeSpan) -> Bool {
    guard let (coordinate, floor) = packed?.place(in: space) else { return false }
    stay(at: coordinate, floor: floor, for: span)
    return true
  }

  /// Makes one fix at a place in metres from the centre of the venue's geofence.
  @discardableResult
  public func fix(at place: (east: Double, north: Double), floor: FloorOrdinal? = FloorOrdinal(0)) -> Verdict {
    fix(at: venue.place(east: place.east, north: place.north), floor: floor)
  }

  /// Makes one fix.
  @discardableResult
  public func fix(at coordinate: Coordinate, floor: FloorOrdinal?) -> Verdict {
    send(.fix(Fix(coordinate: coordinate, accuracy: accuracy, floor: floor, time: now.wall)))
  }

  /// Leaves the venue's geofence.
  public func leave() { send(.region(.exited)) }

  private func performOutput() {
    while let output = driver.nextOutput() {
      notices += output.notices
      commands += output.commands
      for command in output.commands {
        if command == .startPositioning { isPositioning = true }
        if command == .stopPositioning { isPositioning = false }
      }
      for request in output.requests {
        driver.receive(isOnline ? answer(request) : SinkResponse(number: request.number, status: 0))
      }
    }
  }

  private func answer(_ request: SinkRequest) -> SinkResponse {
    if case .positions(let rows, _) = request.body, let status = refuseBatches(rows) {
      return SinkResponse(number: request.number, status: status, isProved: true)
    }
    return sink.handle(request, now: now.wall)
  }
}
