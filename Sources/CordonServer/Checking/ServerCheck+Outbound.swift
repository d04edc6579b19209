internal import CordonConsole
internal import CordonCore
internal import CordonIngest

extension ServerCheck {
  /// Checks the files of outgoing connections, and the messages that no receiver took.
  func outboundFindings() -> [DiagnosisFinding] {
    func finding(_ level: DiagnosisFinding.Level, _ code: String, _ sentence: String, _ remedy: String? = nil)
      -> DiagnosisFinding
    { DiagnosisFinding(level, "outbound", code, sentence, remedy: remedy) }
    var findings: [DiagnosisFinding] = []
    if let file = settings.outboundAuthorities, Self.certificateTimes(of: file)?.isEmpty ?? true {
      findings.append(
        finding(
          .failure, "authorities", "\(file) has no certificates in PEM that can be read.",
          "Name a file of authorities, or unset 'outbound-authorities'."))
    }
    if let capacities = settings.webhooks.capacities {
      do throws(SpaceCapacities.Fault) {
        _ = try SpaceCapacities(path: capacities)
      } catch {
        findings.append(
          finding(
            .failure, "capacities", "\(error).", "Write lines of VENUE,SPACE,CAPACITY, or unset 'webhook-capacities'."))
      }
    }
    guard let folder, foreignOwner == nil else { return findings }
    // A database that does not answer is a finding of the store.
    let shared = settings.webhooks.receivers.isEmpty ? nil : (try? database?.webhooks?()).flatMap { try? $0.counts() }
    let hasFile = Self.exists(folder.webhookPath)
    guard hasFile || shared != nil else { return findings }
    do throws(WebhookQueueFault) {
      let own = try hasFile ? SQLiteWebhookQueue(path: folder.webhookPath).counts() : (waiting: 0, dead: 0)
      let (waiting, dead) = (own.waiting + (shared?.waiting ?? 0), own.dead + (shared?.dead ?? 0))
      if dead > 0 {
        findings.append(
          finding(
            .warning, "dead-letters", "\(dead) messages were taken by no receiver, \(waiting) wait.",
            "Run: cordon-server webhook list --data \(folder.path), mend the receiver, then webhook resend."))
      } else {
        findings.append(finding(.ok, "webhooks", "\(waiting) messages wait for receivers, and none is a dead letter."))
      }
    } catch {
      findings.append(
        finding(
          .failure, "webhook-queue", "\(error).",
          "Move \(folder.webhookPath)* away; the server makes them anew, and messages in them are lost."))
    }
    return findings
  }
}
