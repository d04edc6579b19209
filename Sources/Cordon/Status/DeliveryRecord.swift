import CordonCore
import CordonMonitoring

/// The sinks' last answers and failures, for the status.
struct DeliveryRecord {
  private(set) var lastSuccess: Instant?
  private(set) var lastAnswer: MonitorStatus.Answer?
  /// The last answer of each sink.
  private(set) var answers: [SinkID: MonitorStatus.Answer] = [:]
  /// The last answer to a request for activation that did not decide it.
  private(set) var activationAnswer: MonitorStatus.Answer?
  private(set) var lastError: StoreError?
  private(set) var isInviteRefused = false
  /// The reason of the last refusal of a location; `nil` without one.
  private(set) var lastRefusal: String?
  /// Makes a record without answers.
  /// - Parameter lastRefusal: the text of the last refusal that the store keeps.
  init(lastRefusal: String? = nil) { self.lastRefusal = lastRefusal }

  /// Whether the server ended the activation.
  private(set) var isDeactivated = false
  /// Whether the server reported that it erased the device, which ended the consent.
  private(set) var isErasedByServer = false

  /// - Parameter isChallenged: whether the sink can prove that it sent its answers.
  mutating func note(
    _ response: SinkResponse, to body: SinkRequest.Body, isChallenged: Bool = false, from sink: SinkID, at now: Instant
  ) {
    // Locations do not depend on notices, which an older server does not have.
    switch body {
    case .notices, .acknowledge: return
    default: break
    }
    let isUnproved = isChallenged && response.claimsMore
    let answer = MonitorStatus.Answer(
      sink: sink, status: response.status, isUnreadable: response.isUnreadable(as: body), isUnproved: isUnproved,
      fault: response.fault, time: now)
    lastAnswer = answer
    answers[sink] = answer
    if case .activate = body { activationAnswer = answer }
    if isUnproved { return }
    if case .rows(let rows) = response.body {
      lastSuccess = now
      for case .refused(let reason) in rows.map(\.status) { lastRefusal = reason }
    }
    if case .activated = response.body {
      isInviteRefused = false
      isDeactivated = false
      activationAnswer = nil
    }
  }

  mutating func note(_ notice: MonitorNotice) {
    switch notice {
    case .storeFailed(let error): lastError = error
    case .inviteRefused: isInviteRefused = true
    case .deactivated: isDeactivated = true
    case .erasedByServer: isErasedByServer = true
    default: break
    }
  }

  /// Handles a consent or a new code: earlier answers no longer matter.
  mutating func noteConsent() { isErasedByServer = false }
  /// Handles a new code.
  mutating func noteInvite() {
    isInviteRefused = false
    activationAnswer = nil
  }
}

extension SinkResponse {
  /// Whether the answer makes an unproved claim that only the server can make. Proxies may answer for a server that
  /// is down or busy, and a 401 only causes a request for a new token.
  fileprivate var claimsMore: Bool {
    guard !isProved else { return false }
    switch status {
    case 200..<300: return true
    case 401, 404, 405, 407, 408, 425, 429: return false
    case 400..<500: return true
    default: return false
    }
  }

  /// Whether the answer is a success without the contents that its request calls for.
  func isUnreadable(as request: SinkRequest.Body) -> Bool {
    guard (200..<300).contains(status) else { return false }
    switch request {
    case .activate, .token, .positions, .notices: return body == .none
    case .consent, .acknowledge, .erase: return false
    }
  }
}
