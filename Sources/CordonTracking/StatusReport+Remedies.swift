package import Cordon
import CordonMonitoring

extension MonitorStatus {
  /// The issues with remedies for a person at a command line. The monitor's own remedies address the developer of an
  /// app.
  package var reportedIssues: [MonitorIssue] {
    if phase == .off, consent == nil {
      return [
        MonitorIssue(
          "no-consent", "Nobody has consented to recording, so nothing is recorded.",
          remedy: "Ask the person; then run: cordon-track consent VERSION.")
      ] + issues.filter { $0.code != "off" }.map(\.told)
    }
    return issues.map(\.told)
  }

  /// One sentence: the first issue, or the state if there is none.
  package var reportedSentence: String { reportedIssues.first?.sentence ?? sentence }
  /// The action for the first issue; `nil` if there is none.
  package var reportedRemedy: String? { reportedIssues.first?.remedy }
}

extension MonitorIssue {
  fileprivate var told: MonitorIssue {
    let order: String? =
      switch code {
      case "off": "Start it: cordon-track -c FILE."
      case "no-consent": "Ask the person; then run: cordon-track consent VERSION."
      case "no-consent-to-share": "Ask for consent to share; then run: cordon-track consent VERSION."
      case "erased-by-server":
        "Ask the person again; then run: cordon-track consent VERSION, and cordon-track activate CODE."
      case "provider-ended", "provider-failed": "Restart the tracker; if it ends again, run: cordon-track doctor."
      case "not-activated", "invite-refused", "forbidden", "deactivated":
        "Ask the venue for an invite code; then run: cordon-track activate CODE."
      case "paused": "Run: cordon-track resume."
      case "no-venue": "Check the network and the address of the venue; the tracker tries again by itself."
      case "too-inaccurate", "refused-too_inaccurate":
        "Give the antenna a view of the sky, or raise maximum_accuracy_m."
      default: nil
      }
    guard let order else { return self }
    return MonitorIssue(code, sentence, remedy: order)
  }
}
