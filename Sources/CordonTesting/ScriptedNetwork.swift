public import CordonCore
public import CordonMonitoring

/// A network that loses, delays, repeats and corrupts messages, driven by a stream of random numbers.
public struct ScriptedNetwork {
  /// A fault of a message. The raw value is its name in histograms.
  public enum Fault: String, CaseIterable, Sendable {
    case loseRequest = "lose_request"
    case loseResponse = "lose_response"
    case delay
    case repeatRequest = "repeat_request"
    case repeatResponse = "repeat_response"
    case unauthorized = "status_401"
    case conflict = "status_409"
    case tooLarge = "status_413"
    case tooMany = "status_429"
    case serverFault = "status_503"
    case silentSuccess = "200_without_body"
    case holes = "207_with_holes"
    case shuffledRows = "rows_out_of_order"
  }

  /// The share of messages with a fault, 0 ... 1.
  public var faultRate: Double
  /// The number of messages with each fault.
  public private(set) var faults: [Fault: Int] = [:]
  private var random: RandomStream
  private var requests: [(due: TimeSpan, request: SinkRequest, fault: Fault?)] = []
  private var responses: [(due: TimeSpan, response: SinkResponse)] = []

  /// Makes a network whose faults are a function of the seed.
  public init(seed: UInt64, faultRate: Double) {
    self.faultRate = faultRate
    random = RandomStream(seed: seed, stream: 0x4e)
  }

  /// The time at which the next message arrives; `nil` when none is in transit.
  public var nextArrival: TimeSpan? {
    let due = requests.map(\.due) + responses.map(\.due)
    return due.min()
  }

  /// Sends a message.
  public mutating func send(_ request: SinkRequest, now: ClockReading) {
    var fault: Fault?
    if random.nextUnit() < faultRate {
      let chosen = Fault.allCases[random.nextIndex(below: Fault.allCases.count)]
      faults[chosen, default: 0] += 1
      fault = chosen
    }
    var wait = TimeSpan.milliseconds(50 + Int64(random.nextIndex(below: 400)))
    switch fault {
    case .loseRequest: return
    case .delay: wait = .seconds(Int64(1 + random.nextIndex(below: 180)))
    case .repeatRequest:
      requests.append((now.monotonic + wait + .seconds(Int64(random.nextIndex(below: 90))), request, nil))
    default: break
    }
    requests.append((now.monotonic + wait, request, fault))
  }

  /// Delivers all messages that have arrived to the sink, and returns the answers that have arrived.
  public mutating func deliver(to sink: InProcessSink, now: ClockReading) -> [SinkResponse] {
    let arrived = requests.filter { $0.due <= now.monotonic }.sorted { $0.due < $1.due }
    requests.removeAll { $0.due <= now.monotonic }
    for (_, request, fault) in arrived {
      guard let response = answer(request, fault, sink, now) else { continue }
      let due = now.monotonic + .milliseconds(50 + Int64(random.nextIndex(below: 400)))
      responses.append((due, response))
      if fault == .repeatResponse { responses.append((due + .seconds(3), response)) }
    }
    let back = responses.filter { $0.due <= now.monotonic }.sorted { $0.due < $1.due }
    responses.removeAll { $0.due <= now.monotonic }
    return back.map(\.response)
  }

  private mutating func answer(
    _ request: SinkRequest, _ fault: Fault?, _ sink: InProcessSink, _ now: ClockReading
  ) -> SinkResponse? {
    func refuse(_ status: Int, after wait: TimeSpan? = nil) -> SinkResponse {
      SinkResponse(number: request.number, status: status, retryAfter: wait)
    }
    switch fault {
    case .unauthorized:
      if case .positions = request.body { return refuse(401) }
      return refuse(503)
    case .conflict: return refuse(isPositions(request) ? 409 : 503)
    case .tooLarge: return refuse(isPositions(request) ? 413 : 503)
    case .tooMany: return refuse(429, after: .seconds(Int64(random.nextIndex(below: 60))))
    case .serverFault: return refuse(503)
    default: break
    }
    var response = sink.handle(request, now: now.wall)
    switch (fault, response.body) {
    case (.loseResponse, _): return nil
    case (.silentSuccess, _):
      response.body = .none
      response.isProved = false
    case (.holes, .rows(var rows)):
      rows.removeAll { _ in random.nextIndex(below: 3) == 0 }
      response.body = .rows(rows)
    case (.shuffledRows, .rows(let rows)): response.body = .rows(rows.reversed())
    default: break
    }
    return response
  }

  private func isPositions(_ request: SinkRequest) -> Bool {
    if case .positions = request.body { true } else { false }
  }
}
