import Cordon
import CordonCore
import CordonMonitoring
import Foundation

/// What lies between phones and server, and what happens to messages there.
struct TortureNetwork {
  /// A request on its way.
  struct Going {
    var due: Int64
    var phone: Int
    /// The life of the process that sent it: an answer for an earlier life finds nobody.
    var life: Int
    var request: Request
    var message: HTTPMessage
    var fault: PlannedFault?
    var isIntact = true
  }

  /// An answer on its way.
  struct Coming {
    var due: Int64
    var phone: Int
    var life: Int
    var response: Response
  }

  private let seed: UInt64
  /// Faults of each phone's messages that are still to come, the next one last.
  private var planned: [[PlannedFault]]
  var going: [Going] = []
  var coming: [Coming] = []
  private let endpoint: SinkEndpoint
  private var sent: UInt64 = 0

  init(_ plan: TorturePlan) {
    seed = plan.seed
    planned = (0..<plan.phones).map { phone in
      plan.faults.filter { $0.phone == phone && $0.fault.isOfNetwork }.reversed()
    }
    endpoint = SinkEndpoint(.cordon, url: URL(fileURLWithPath: "/"), usesGzip: plan.seed % 2 == 0)
  }

  /// When the next message arrives.
  var nextArrival: Int64 {
    var due = Int64.max
    for message in going { due = min(due, message.due) }
    for message in coming { due = min(due, message.due) }
    return due
  }

  /// No more faults.
  mutating func calm() { for phone in planned.indices { planned[phone] = [] } }

  /// Takes a request on its way; answers the fault that it meets.
  mutating func send(_ request: Request, phone: Int, life: Int, now: Int64) -> TortureFault? {
    guard let message = endpoint.message(for: request) else { return nil }
    sent += 1
    var random = RandomStream(seed: seed, stream: 0x72, entity: UInt64(phone), index: request.number &* 16)
    var going = Going(
      due: now + 50 + Int64(random.nextIndex(below: 400)), phone: phone, life: life, request: request, message: message)
    var fault: PlannedFault?
    if let next = planned[phone].last, next.at <= now { fault = planned[phone].popLast() }
    going.fault = fault
    switch fault?.fault {
    case .dropRequest: return .dropRequest
    case .delayRequest: going.due += fault?.amount ?? 0
    case .reorder: going.due += 45_000
    case .repeatRequest:
      var copy = going
      copy.fault = nil
      copy.due += fault?.amount ?? 0
      self.going.append(copy)
    case .truncateRequest:
      going.message.body.removeLast(going.message.body.count / 2)
      going.isIntact = going.message.body.isEmpty
    case .corruptRequest:
      let start = going.message.body.count / 3
      for index in start..<min(start + 8, going.message.body.count) { going.message.body[index] = 0xFF }
      going.isIntact = going.message.body.isEmpty
    default: break
    }
    self.going.append(going)
    return fault?.fault
  }

  /// Requests that have arrived, in order.
  mutating func arrivals(at now: Int64) -> [Going] {
    guard going.contains(where: { $0.due <= now }) else { return [] }
    let arrived = going.filter { $0.due <= now }.sorted {
      ($0.due, $0.phone, $0.request.number) < ($1.due, $1.phone, $1.request.number)
    }
    going.removeAll { $0.due <= now }
    return arrived
  }

  /// Answers that have come back, in order.
  mutating func returns(at now: Int64) -> [Coming] {
    guard coming.contains(where: { $0.due <= now }) else { return [] }
    let back = coming.filter { $0.due <= now }.sorted {
      ($0.due, $0.phone, $0.response.number) < ($1.due, $1.phone, $1.response.number)
    }
    coming.removeAll { $0.due <= now }
    return back
  }

  /// Whether a request reaches the server, given its fault; an answer in its place otherwise.
  func substitute(for going: Going) -> HTTPAnswer? {
    switch going.fault?.fault {
    case .status401: HTTPAnswer(status: 401)
    case .status403: HTTPAnswer(status: 403)
    case .status409: HTTPAnswer(status: 409)
    case .status410: HTTPAnswer(status: 410)
    case .status413: HTTPAnswer(status: 413)
    case .status429: HTTPAnswer(status: 429, retryAfter: "20")
    case .status500: HTTPAnswer(status: 500)
    case .status503: HTTPAnswer(status: 503, retryAfter: "15")
    default: nil
    }
  }

  /// Sends an answer back.
  mutating func reply(_ answer: HTTPAnswer, to going: Going, now: Int64) {
    var answer = answer
    var random = RandomStream(
      seed: seed, stream: 0x72, entity: UInt64(going.phone), index: going.request.number &* 16 &+ 8)
    var due = now + 50 + Int64(random.nextIndex(below: 400))
    switch going.fault?.fault {
    case .dropResponse: return
    case .delayResponse: due += going.fault?.amount ?? 0
    case .halfBody: answer.body.removeLast(answer.body.count / 2)
    case .corruptResponse:
      let start = answer.body.count / 3
      for index in start..<min(start + 8, answer.body.count) { answer.body[index] = 0xFF }
    case .emptySuccess: answer = HTTPAnswer(status: 200)
    default: break
    }
    var response = endpoint.response(to: going.request, from: answer)
    if going.fault?.fault == .holes, case .rows(let rows) = response.body {
      response.body = .rows(rows.enumerated().filter { $0.offset % 3 != 0 }.map(\.element))
    }
    coming.append(Coming(due: due, phone: going.phone, life: going.life, response: response))
    if going.fault?.fault == .repeatResponse {
      coming.append(
        Coming(due: due + (going.fault?.amount ?? 0), phone: going.phone, life: going.life, response: response))
    }
  }
}
