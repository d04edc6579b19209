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
    var runtime: Runtime
    let store: MemoryStore
    var now: ClockReading
    var output = MonitorOutput()
    let script: Script

    mutating func send(_ event: MonitorEvent) {
      runtime.step(now, event, into: &output)
      carry()
    }

    /// No event needs this many rounds: requests that follow each other in one instant would never end.
    static let maximumRounds = 500

    mutating func carry() {
      var rounds = 0
      while !output.requests.isEmpty {
        rounds += 1
        guard rounds <= Bench.maximumRounds else {
          Issue.record("it never stops asking")
          output.removeAll()
          return
        }
        let requests = output.requests
        output.removeAll()
        for request in requests {
          script.requests.append(request)
          if let response = script.answer(request) { runtime.step(now, response: response, into: &output) }
        }
      }
    }

    /// Sends an event, performs its requests, and returns all notices.
    mutating func sendListening(_ event: MonitorEvent) -> [MonitorNotice] {
      var told: [MonitorNotice] = []
      runtime.step(now, event, into: &output)
      while true {
        told += output.notices
        let requests = output.requests
        output.removeAll()
        if requests.isEmpty { return told }
        for request in requests {
          guard let response = script.answer(request) else { continue }
          runtime.step(now, response: response, into: &output)
        }
      }
    }

    mutating func wait(_ span: TimeSpan) {
      let end = now + span
      while let due = runtime.nextTimer, due <= end.monotonic {
        now = now + max(due - now.monotonic, .milliseconds(1))
        send(.wake)
      }
      if end.monotonic > now.monotonic { now = end }
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
