import CordonCore
import CordonMonitoring
import CordonWire

/// The response to a request that was sent, and the number of bytes sent.
struct SentRequest {
  var response: SinkResponse
  var bytes: Int
}

/// A transport that sends requests to the in-process sink or a server, and counts them.
final class SinkTransport {
  /// The counts of requests, bytes and rows.
  struct Traffic: Hashable, Sendable {
    var requests = 0
    var failedRequests = 0
    var bytesSent = 0
    var rowsReceived = 0
    /// The number of acknowledged rows, by the whole seconds between fix and acknowledgement.
    var delays: [Int: Int] = [:]
  }

  let sink: InProcessSink
  private(set) var traffic = Traffic()

  private let server: PhoneServer?
  /// When the sink makes a notice for every phone; `nil` for never.
  var noticeTime: Instant?

  /// Creates a transport.
  /// - Parameters:
  ///   - sink: the sink that receives all rows.
  ///   - server: a server that receives the requests instead; the sink then stores the rows that the server
  ///     acknowledged.
  init(sink: InProcessSink, server: PhoneServer? = nil) {
    self.sink = sink
    self.server = server
  }

  /// Sends a request to the sink, and returns the response.
  ///
  /// Locations and responses are encoded and decoded as on a network. The sink therefore contains only data that the
  /// wire format can represent.
  func send(_ request: SinkRequest, at now: Instant) -> SentRequest {
    traffic.requests += 1
    let before = traffic.bytesSent
    let response: SinkResponse
    if let server {
      response = send(request, to: server, at: now)
    } else if case .notices = request.body, let noticeTime, now >= noticeTime {
      response = SinkResponse(
        number: request.number, status: 200, body: .notices([SinkTransport.notice(made: noticeTime)]), isProved: true)
    } else if case .positions(let locations, let token) = request.body {
      response = send(locations, token: token, of: request, at: now)
    } else {
      response = sink.handle(request, now: now)
    }
    if !(200..<300).contains(response.status) { traffic.failedRequests += 1 }
    return SentRequest(response: response, bytes: traffic.bytesSent - before)
  }

  private static func notice(made time: Instant) -> ExposureNotice {
    ExposureNotice(
      id: 1, template: "exposure", day: String(time.rfc3339.prefix(10)), created: time, expires: time + .days(30))
  }

  private func send(_ request: SinkRequest, to server: PhoneServer, at now: Instant) -> SinkResponse {
    let (response, bytes) = server.send(request)
    traffic.bytesSent += bytes
    guard case .positions(let locations, _) = request.body, case .rows(let answers) = response.body else {
      return response
    }
    traffic.rowsReceived += locations.count
    let kept = zip(locations, answers).filter { $0.1.status.isKept }.map(\.0)
    var copy = request
    copy.body = .positions(kept, token: nil)
    if !kept.isEmpty { _ = sink.handle(copy, now: now) }
    for location in kept { traffic.delays[Int((now - location.time).milliseconds / 1_000), default: 0] += 1 }
    return response
  }

  private func send(_ locations: [Location], token: String?, of request: SinkRequest, at now: Instant) -> SinkResponse {
    let body = PositionBatch.encode(locations)
    traffic.bytesSent += body.count
    traffic.rowsReceived += locations.count
    guard let rows = try? PositionBatch.decode(body) else { return SinkResponse(number: request.number, status: 400) }
    var received = request
    received.body = .positions(
      rows.compactMap { row in
        guard case .location(let location) = row else { return nil }
        return location
      }, token: token)
    var response = sink.handle(received, now: now)
    guard case .rows(let answers) = response.body else { return response }
    let reply = PositionAnswers.encode(answers.map { PositionAnswers.Answer(id: $0.id, status: $0.status) })
    let read = (try? PositionAnswers.decode(reply)) ?? []
    response.body = .rows(
      read.compactMap { answer in answer.id.map { RowAnswer(id: $0, status: answer.status) } })
    for (location, answer) in zip(locations, answers) where answer.status == .stored {
      traffic.delays[Int((now - location.time).milliseconds / 1_000), default: 0] += 1
    }
    return response
  }
}

extension SinkTransport.Traffic {
  /// Adds the counts of another transport.
  package mutating func add(_ other: SinkTransport.Traffic) {
    requests += other.requests
    failedRequests += other.failedRequests
    bytesSent += other.bytesSent
    rowsReceived += other.rowsReceived
    delays.merge(other.delays, uniquingKeysWith: +)
  }

  /// Adds requests of a phone that did not reach a sink, and the number of requests that failed in either direction.
  mutating func addLost(requests lost: Int, failed: Int) {
    requests += lost
    failedRequests += failed
  }

  /// Returns the number of seconds within which the share `quantile` of the rows was acknowledged; `nil` without rows.
  package func delay(quantile: Double) -> Double? {
    let total = delays.values.reduce(0, +)
    guard total > 0 else { return nil }
    var seen = 0
    for (seconds, count) in delays.sorted(by: { $0.key < $1.key }) {
      seen += count
      if Double(seen) >= quantile * Double(total) { return Double(seconds) }
    }
    return nil
  }
}
