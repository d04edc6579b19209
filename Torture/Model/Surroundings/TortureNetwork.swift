import Cordon
import CordonCore
import CordonFHIR
import CordonMonitoring
import Foundation

/// The network between phones and server, with its faults.
struct TortureNetwork {
  /// A request in transit.
  struct Going {
    var due: Int64
    var phone: Int
    /// The process number of the sender: an answer for an earlier process finds no reader.
    var life: Int
    var request: SinkRequest
    var message: HTTPRequest
    var endpoint: SinkEndpoint
    var fault: PlannedFault?
    /// Whether a portal answers it.
    var isByPortal = false
    var isIntact = true
  }

  /// An answer in transit.
  struct Coming {
    var due: Int64
    var phone: Int
    var life: Int
    var response: SinkResponse
    /// The request that the server answered, and whether a fault had affected it.
    var request: SinkRequest
    var answeredAt: Int64
    var isIntact: Bool
  }

  private let seed: UInt64
  /// The remaining faults of each phone's messages, the next one last.
  private var planned: [[PlannedFault]]
  var going: [Going] = []
  var coming: [Coming] = []
  /// The endpoints of all phones; an Overland receiver's are the phone's own, because they follow its trip.
  let endpoints: [SinkID: SinkEndpoint]
  private var sent: UInt64 = 0
  private var portal: TorturePortal

  init(_ plan: TorturePlan) {
    seed = plan.seed
    portal = TorturePortal(plan)
    planned = (0..<plan.phones).map { phone in
      plan.faults.filter { $0.phone == phone && $0.fault.isOfNetwork }.reversed()
    }
    var endpoints: [SinkID: SinkEndpoint] = [
      .cordon: SinkEndpoint(.cordon, url: URL(fileURLWithPath: "/"), usesGzip: plan.seed % 16 == 1)
    ]
    if plan.isEverywhere {
      endpoints[.fhir] = try? .fhirPositions(url: URL(fileURLWithPath: "/fhir"), patient: "1", device: "2")
    }
    self.endpoints = endpoints
  }

  /// The time at which the next message arrives.
  var nextArrival: Int64 {
    var due = Int64.max
    for message in going { due = min(due, message.due) }
    for message in coming { due = min(due, message.due) }
    return due
  }

  /// Removes the remaining faults.
  mutating func calm() {
    for phone in planned.indices { planned[phone] = [] }
    portal.close()
  }

  /// Fails a request at once, as a sink without a token does.
  mutating func fail(_ request: SinkRequest, phone: Int, life: Int, now: Int64) {
    answer(SinkResponse(number: request.number, status: 0), to: request, phone: phone, life: life, now: now)
  }

  /// Answers a request on the device, as a file does.
  mutating func answer(_ response: SinkResponse, to request: SinkRequest, phone: Int, life: Int, now: Int64) {
    coming.append(
      Coming(
        due: now + 10, phone: phone, life: life, response: response, request: request, answeredAt: now,
        isIntact: false))
  }

  /// Sends the message of a request; returns the fault that affected it. A fault of the answer is still to come.
  mutating func send(
    _ request: SinkRequest, _ message: HTTPRequest, at endpoint: SinkEndpoint, phone: Int, life: Int, now: Int64
  ) -> TortureFault? {
    sent += 1
    var random = RandomStream(seed: seed, stream: 0x72, entity: UInt64(phone), index: request.number &* 16)
    var going = Going(
      due: now + 50 + Int64(random.nextIndex(below: 400)), phone: phone, life: life, request: request, message: message,
      endpoint: endpoint)
    var fault: PlannedFault?
    if let next = planned[phone].last, next.at <= now { fault = planned[phone].popLast() }
    going.fault = fault
    if let fault, fault.fault == .portal { portal.open(for: fault, now: now) }
    going.isByPortal = portal.isOpen(for: phone, at: now)
    if going.isByPortal {
      self.going.append(going)
      return fault?.fault == .portal ? .portal : nil
    }
    var struck: TortureFault?
    switch fault?.fault {
    case .dropRequest: return .dropRequest
    case .delayRequest:
      going.due += fault?.amount ?? 0
      struck = .delayRequest
    case .reorder:
      going.due += 45_000
      struck = .reorder
    case .repeatRequest:
      struck = .repeatRequest
      var copy = going
      copy.fault = nil
      copy.due += fault?.amount ?? 0
      self.going.append(copy)
    case .truncateRequest:
      going.isIntact = going.message.body.count < 2
      going.message.body.removeLast(going.message.body.count / 2)
      if !going.isIntact { struck = .truncateRequest }
    case .corruptRequest:
      let start = going.message.body.count / 3
      for index in start..<min(start + 8, going.message.body.count) { going.message.body[index] = 0xFF }
      going.isIntact = going.message.body.isEmpty
      if !going.isIntact { struck = .corruptRequest }
    default: break
    }
    self.going.append(going)
    return struck
  }

  /// Returns the requests that have arrived, in order.
  mutating func arrivals(at now: Int64) -> [Going] {
    guard going.contains(where: { $0.due <= now }) else { return [] }
    let arrived = going.filter { $0.due <= now }.sorted {
      ($0.due, $0.phone, $0.request.number) < ($1.due, $1.phone, $1.request.number)
    }
    going.removeAll { $0.due <= now }
    return arrived
  }

  /// Returns the answers that have arrived, in order.
  mutating func returns(at now: Int64) -> [Coming] {
    guard coming.contains(where: { $0.due <= now }) else { return [] }
    let back = coming.filter { $0.due <= now }.sorted {
      ($0.due, $0.phone, $0.response.number) < ($1.due, $1.phone, $1.response.number)
    }
    coming.removeAll { $0.due <= now }
    return back
  }

  /// Returns an answer in place of the server's when the fault keeps the request from the server.
  func substitute(for going: Going) -> HTTPResponse? {
    if going.isByPortal { return portal.answer(going) }
    return switch going.fault?.fault {
    case .status401: HTTPResponse(status: 401)
    case .status403: HTTPResponse(status: 403)
    case .status409: HTTPResponse(status: 409)
    case .status410: HTTPResponse(status: 410)
    case .status413: HTTPResponse(status: 413)
    case .status429: HTTPResponse(status: 429, headers: ["retry-after": "20"])
    case .status500: HTTPResponse(status: 500)
    case .status503: HTTPResponse(status: 503, headers: ["retry-after": "15"])
    default: nil
    }
  }

  /// Sends an answer back; returns the fault that affected it.
  mutating func reply(_ answer: HTTPResponse, to going: Going, now: Int64) -> TortureFault? {
    var answer = answer
    // A receiver without proofs and a portal that repeats its answers look the same.
    if !going.isByPortal, going.request.sink == .cordon { portal.remember(answer) }
    var struck: TortureFault?
    var random = RandomStream(
      seed: seed, stream: 0x72, entity: UInt64(going.phone), index: going.request.number &* 16 &+ 8)
    var due = now + 50 + Int64(random.nextIndex(below: 400))
    switch going.fault?.fault {
    case .dropResponse: return .dropResponse
    case .delayResponse:
      due += going.fault?.amount ?? 0
      struck = .delayResponse
    case .halfBody:
      if answer.body.count > 1 { struck = .halfBody }
      answer.body.removeLast(answer.body.count / 2)
    case .corruptResponse:
      let start = answer.body.count / 3
      for index in start..<min(start + 8, answer.body.count) {
        answer.body[index] = 0xFF
        struck = .corruptResponse
      }
    case .emptySuccess:
      answer = HTTPResponse(status: 200)
      struck = .emptySuccess
    default: break
    }
    var response = going.endpoint.response(to: going.request, from: answer)
    if going.fault?.fault == .holes, case .rows(let rows) = response.body, !rows.isEmpty {
      response.body = .rows(rows.enumerated().filter { $0.offset % 3 != 0 }.map(\.element))
      struck = .holes
    }
    let back = Coming(
      due: due, phone: going.phone, life: going.life, response: response, request: going.request, answeredAt: now,
      isIntact: going.fault == nil && !going.isByPortal)
    coming.append(back)
    if going.fault?.fault == .repeatResponse {
      var again = back
      again.due += going.fault?.amount ?? 0
      coming.append(again)
      struck = .repeatResponse
    }
    return struck
  }
}
