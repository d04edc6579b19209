import CordonCore
import CordonMonitoring

/// When sinks last answered, and what went wrong last, for the status.
struct DeliveryRecord {
  private(set) var lastSuccess: Instant?
  private(set) var lastAnswer: MonitorStatus.Answer?
  /// The last answer of each sink.
  private(set) var answers: [SinkID: MonitorStatus.Answer] = [:]
  /// The last answer to a request for activation that settled nothing.
  private(set) var activationAnswer: MonitorStatus.Answer?
  private(set) var lastError: StoreError?
  private(set) var isInviteRefused = false
  /// Whether the server ended the activation.
  private(set) var isDeactivated = false
  /// Whether the server said that it erased the device, which ended the consent.
  private(set) var isErasedByServer = false

  /// - Parameter isChallenged: whether the sink can prove that its answers are its own.
  mutating func note(
    _ response: SinkResponse, to body: SinkRequest.Body, isChallenged: Bool = false, from sink: SinkID, at now: Instant
  ) {
    let isUnproved = isChallenged && response.claimsMore
    let answer = MonitorStatus.Answer(
      sink: sink, status: response.status, isUnreadable: response.isUnreadable(as: body), isUnproved: isUnproved,
      fault: response.fault, time: now)
    lastAnswer = answer
    answers[sink] = answer
    if case .activate = body { activationAnswer = answer }
    if isUnproved { return }
    if case .rows = response.body { lastSuccess = now }
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

  /// The person agreed, or entered a code: what came before is history.
  mutating func noteConsent() { isErasedByServer = false }
  /// A new code was entered.
  mutating func noteInvite() {
    isInviteRefused = false
    activationAnswer = nil
  }
}

extension SinkResponse {
  /// Whether it says without a proof what only the server can say. Proxies may answer for a server that is down or busy, and
  /// a 401 only asks for a new token.
  fileprivate var claimsMore: Bool {
    guard !isProved else { return false }
    switch status {
    case 200..<300: return true
    case 401, 404, 405, 407, 408, 425, 429: return false
    case 400..<500: return true
    default: return false
    }
  }

  /// Whether it is a success without the contents that its request calls for.
  func isUnreadable(as request: SinkRequest.Body) -> Bool {
    guard (200..<300).contains(status) else { return false }
    switch request {
    case .activate, .token, .positions: return body == .none
    case .consent, .erase: return false
    }
  }
}
