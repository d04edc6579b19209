import CordonCore
import CordonMonitoring

/// When sinks last answered, and what went wrong last, for the status.
struct DeliveryRecord {
  private(set) var lastSuccess: Instant?
  private(set) var lastAnswer: (sink: SinkID, status: Int, time: Instant)?
  private(set) var lastError: StoreError?
  private(set) var isInviteRefused = false

  mutating func note(_ response: Response, from sink: SinkID, at now: Instant) {
    lastAnswer = (sink, response.status, now)
    if case .rows = response.body { lastSuccess = now }
    if case .activated = response.body { isInviteRefused = false }
  }

  mutating func note(_ notice: Notice) {
    switch notice {
    case .storeFailed(let error): lastError = error
    case .inviteRefused: isInviteRefused = true
    default: break
    }
  }
}
