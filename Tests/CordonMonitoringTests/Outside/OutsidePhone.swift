import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting

/// A phone with a sink for venues and one for all other places, which answers at once.
final class OutsidePhone {
  static let venueSink = SinkID.cordon
  static let outsideSink = SinkID.overland

  private var driver: RuntimeDriver
  let venue: SmallVenue
  private(set) var requests: [SinkRequest] = []
  private(set) var commands: [ProviderCommand] = []
  private(set) var notices: [MonitorNotice] = []
  /// Whether requests are answered; others stay in `requests` without an answer.
  var isOnline = true
  /// The status of a row in an answer.
  var judge: (Location) -> RowStatus = { _ in .stored }

  /// A configuration with both sinks and a policy.
  static func configuration(_ policy: TrackingPolicy? = .everything) -> MonitorConfiguration {
    var configuration = MonitorConfiguration()
    configuration.thinning = .zero
    configuration.sinks = [
      Sink(venueSink, needsActivation: false), Sink(outsideSink, purposes: .everywhere),
    ]
    configuration.everywhere = policy
    return configuration
  }

  init(
    _ configuration: MonitorConfiguration = OutsidePhone.configuration(), store: any Store = MemoryStore(),
    venue: SmallVenue = SmallVenue(), knowsVenue: Bool = true
  ) throws {
    try configuration.validate()
    self.venue = venue
    let now = ClockReading(virtual: Instant(milliseconds: 1_767_254_400_000))
    driver = RuntimeDriver(
      try Runtime(
        configuration: configuration, store: store, entropy: .stream(RandomStream(seed: 7, stream: 1)), at: now),
      at: now)
    if knowsVenue { send(.venue(venue)) }
  }

  var runtime: Runtime { driver.runtime }
  var now: ClockReading { driver.now }
  var accounting: Accounting { driver.runtime.accounting }

  /// Consents and starts.
  func start(_ purposes: Consent.Purposes = [.record, .share, .everywhere]) {
    send(.consent(Consent(version: "1", purposes: purposes, time: now.wall)))
    send(.start)
  }

  @discardableResult
  func send(_ event: MonitorEvent) -> Verdict {
    let verdict = driver.step(event)
    perform()
    return verdict
  }

  func receive(_ response: SinkResponse) {
    driver.receive(response)
    perform()
  }

  func wait(_ span: TimeSpan) {
    let end = now + span
    while driver.advance(to: end) { perform() }
  }

  /// Lets time pass without firing a timer, as when the process is suspended.
  func sleep(_ span: TimeSpan) { driver.now = driver.now + span }

  /// Sets the wall clock forward or back.
  func setClock(by span: TimeSpan) { driver.now = ClockReading(wall: now.wall + span, monotonic: now.monotonic) }

  /// Makes a fix in metres from the middle of the venue.
  @discardableResult
  func fix(_ east: Double, _ north: Double = 0, accuracy: Double? = 5, after span: TimeSpan = .seconds(5)) -> Verdict {
    wait(span)
    return send(
      .fix(
        Fix(coordinate: venue.place(east: east, north: north), accuracy: accuracy, floor: nil, time: now.wall)))
  }

  /// The rows of all requests to a sink.
  func rows(to sink: SinkID) -> [Location] {
    requests.flatMap { request -> [Location] in
      guard request.sink == sink, case .positions(let rows, _) = request.body else { return [] }
      return rows
    }
  }

  private func perform() {
    while let output = driver.nextOutput() {
      commands += output.commands
      notices += output.notices
      requests += output.requests
      guard isOnline else { continue }
      for request in output.requests {
        guard case .positions(let rows, _) = request.body else { continue }
        driver.receive(
          SinkResponse(
            number: request.number, status: 200,
            body: .rows(rows.map { RowAnswer(id: $0.id, status: judge($0)) }), isProved: true))
      }
    }
  }
}

extension TrackingPolicy {
  /// Keeps every fix.
  static var everything: TrackingPolicy {
    var policy = TrackingPolicy()
    policy.minimumInterval = .zero
    return policy
  }
}
