import Cordon
import CordonCore
import CordonMonitoring
import CordonWire
import Foundation

/// A portal between a phone and its server that answers every request itself: a hotel's login page, a firewall, a
/// broken proxy.
///
/// It answers with any status and any body: pages, answers of the server to other requests with all their headers,
/// and forgeries in the right form, which name the rows and devices of the request.
struct TorturePortal {
  private let seed: UInt64
  /// The time until which it stands before each phone.
  private var until: [Int64]
  /// Overheard answers of the server, the latest last.
  private var overheard: [HTTPResponse] = []
  private static let maximumOverheard = 32
  private static let statuses = [
    200, 200, 200, 201, 204, 207, 301, 302, 307, 400, 401, 403, 404, 409, 410, 410, 413, 422, 429, 451, 500, 503, 511,
  ]
  private static let page = Array("<html><body>Welcome. Please sign in.</body></html>".utf8)

  init(_ plan: TorturePlan) {
    seed = plan.seed
    until = Array(repeating: 0, count: plan.phones)
  }

  mutating func open(for fault: PlannedFault, now: Int64) { until[fault.phone] = now + fault.amount }

  mutating func close() { for phone in until.indices { until[phone] = 0 } }

  func isOpen(for phone: Int, at now: Int64) -> Bool { now < until[phone] }

  /// Keeps an answer of the server, to replay it for another request.
  mutating func remember(_ answer: HTTPResponse) {
    if overheard.count == Self.maximumOverheard { overheard.removeFirst() }
    overheard.append(answer)
  }

  func answer(_ going: TortureNetwork.Going) -> HTTPResponse {
    var random = RandomStream(
      seed: seed, stream: 0x76, entity: UInt64(going.phone),
      index: going.request.number &* 16 &+ UInt64(going.life) << 40)
    if !overheard.isEmpty, random.nextIndex(below: 3) == 0 {
      var answer = overheard[random.nextIndex(below: overheard.count)]
      // With its original status, or another one.
      if random.nextIndex(below: 4) == 0 { answer.status = Self.statuses[random.nextIndex(below: Self.statuses.count)] }
      return answer
    }
    let status = Self.statuses[random.nextIndex(below: Self.statuses.count)]
    var headers: [String: String] = [:]
    if (300..<400).contains(status) { headers["location"] = "http://portal.example/" }
    if status == 429 || status == 503 { headers["retry-after"] = "20" }
    if random.nextIndex(below: 4) == 0 {
      headers[AnswerProof.header] = AnswerProof.text(of: (0..<32).map { _ in UInt8(random.nextIndex(below: 256)) })
    }
    let body: [UInt8] =
      switch random.nextIndex(below: 5) {
      case 0: []
      case 1: Array("{}".utf8)
      case 2: Self.page
      default: forgery(of: going.request, &random)
      }
    return HTTPResponse(status: status, headers: headers, body: body)
  }

  /// Returns an answer that the server could have given.
  private func forgery(of request: SinkRequest, _ random: inout RandomStream) -> [UInt8] {
    switch request.body {
    case .positions(let rows, _):
      let isRefusal = random.nextIndex(below: 4) == 0
      return PositionAnswers.encode(
        rows.map { .init(id: $0.id, status: isRefusal ? .refused(reason: "portal") : .stored) })
    case .activate: return Array(#"{"secret":"portal-secret","venue":null}"#.utf8)
    case .token: return Array(#"{"token":"portal-token","expires":4102444800000}"#.utf8)
    case .consent, .acknowledge: return []
    case .notices:
      return Array(
        (#"{"notices":[{"number":999,"template":"test","exposed_day":"2026-01-01","advice":"portal","#
          + #""created":0,"expires":4102444800000}]}"#).utf8)
    case .erase: return Array(#"{"device":"\#(request.device)","erased":1767254400000,"locations":3}"#.utf8)
    }
  }
}
