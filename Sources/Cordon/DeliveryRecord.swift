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

  mutating func note(_ response: Response, to body: Request.Body, from sink: SinkID, at now: Instant) {
    let answer = MonitorStatus.Answer(
      sink: sink, status: response.status, isUnreadable: response.isUnreadable(as: body), time: now)
    lastAnswer = answer
    answers[sink] = answer
    if case .rows = response.body { lastSuccess = now }
    if case .activate = body { activationAnswer = answer }
    if case .activated = response.body {
      isInviteRefused = false
      isDeactivated = false
      activationAnswer = nil
    }
  }

  mutating func note(_ notice: Notice) {
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

extension Response {
  /// Whether it is a success without the contents that its request calls for.
  func isUnreadable(as request: Request.Body) -> Bool {
    guard (200..<300).contains(status) else { return false }
    switch request {
    case .activate, .token, .positions: return body == .none
    case .consent, .erase: return false
    }
  }
}
