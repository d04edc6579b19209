import CordonCore
import CordonMonitoring
import CordonTesting
import Testing

/// Answers requests with a test's closure, and counts them.
final class Script {
  var requests: [SinkRequest] = []
  var answer: (SinkRequest) -> SinkResponse?

  init(_ answer: @escaping (SinkRequest) -> SinkResponse?) { self.answer = answer }
}

extension DeliveryTests {
  /// A runtime with rows, its network and a clock.
  struct Bench {
    var driver: RuntimeDriver
    let store: MemoryStore
    let script: Script

    init(runtime: Runtime, store: MemoryStore, now: ClockReading, script: Script) {
      driver = RuntimeDriver(runtime, at: now)
      self.store = store
      self.script = script
    }

    var runtime: Runtime { driver.runtime }
    var now: ClockReading {
      get { driver.now }
      set { driver.now = newValue }
    }

    /// The maximum number of rounds of requests and responses at one time. More of them are taken for an endless loop.
    static let maximumRounds = 500

    mutating func send(_ event: MonitorEvent) { _ = sendListening(event) }

    /// Passes on an event, sends the requests that follow, and returns every notice.
    mutating func sendListening(_ event: MonitorEvent) -> [MonitorNotice] {
      driver.step(event)
      return performOutput()
    }

    private mutating func performOutput() -> [MonitorNotice] {
      var notices: [MonitorNotice] = []
      var rounds = 0
      while let output = driver.nextOutput() {
        notices += output.notices
        rounds += 1
        guard rounds <= Bench.maximumRounds else {
          Issue.record("requests follow each other without an end")
          return notices
        }
        for request in output.requests {
          script.requests.append(request)
          if let response = script.answer(request) { driver.receive(response) }
        }
      }
      return notices
    }

    mutating func wait(_ span: TimeSpan) {
      let end = now + span
      while driver.advance(to: end) { _ = performOutput() }
    }

    var positions: [[Location]] {
      script.requests.compactMap { if case .positions(let rows, _) = $0.body { rows } else { nil } }
    }
    var tokens: Int { script.requests.filter { if case .token = $0.body { true } else { false } }.count }
  }

  func makeBench(
    rows: Int = 20, activated: Bool = false, configuration change: (inout MonitorConfiguration) -> Void = { _ in },
    _ answer: @escaping (SinkRequest) -> SinkResponse?
  ) throws -> Bench {
    var configuration = MonitorConfiguration()
    configuration.thinning = .zero
    configuration.sinks = [Sink(.cordon, needsActivation: activated)]
    change(&configuration)
    let now = ClockReading(virtual: start)
    let store = MemoryStore()
    let entropy = RandomSource.stream(RandomStream(seed: 1, stream: 1))
    let runtime = try Runtime(
      device: DeviceID("phone"), configuration: configuration, store: store, entropy: entropy, at: now)
    var bench = Bench(runtime: runtime, store: store, now: now, script: Script(answer))
    bench.send(.consent(Consent(version: "1", time: start)))
    bench.send(.venue(venue))
    bench.send(.start)
    if activated { bench.send(.invite(code: "CODE")) }
    bench.send(.network(.none))
    bench.send(.region(.entered))
    for index in 0..<rows {
      bench.now = bench.now + .seconds(5)
      let place = venue.place(east: Double(index % 20), north: 3)
      bench.send(.fix(Fix(coordinate: place, accuracy: 5, floor: FloorOrdinal(0), time: bench.now.wall)))
    }
    bench.send(.network(.unmetered))
    return bench
  }

  static func all(_ status: RowStatus) -> (SinkRequest) -> SinkResponse? {
    { request in
      guard case .positions(let rows, _) = request.body else {
        return SinkResponse(number: request.number, status: 500)
      }
      return SinkResponse(
        number: request.number, status: 207, body: .rows(rows.map { RowAnswer(id: $0.id, status: status) }))
    }
  }
}
