package import Cordon
import CordonCore
package import CordonMonitoring
package import CordonSupport

extension MonitorStatus {
  /// The snapshot for scripts. Times are in milliseconds since 1970, ages in seconds.
  package var members: [JSONValue.Member] {
    let oldest = queues.compactMap(\.oldest).min()
    return [
      .init("phase", .string(phase.rawValue)), .init("sentence", .string(reportedSentence)),
      .init("remedy", JSONValue(reportedRemedy)), .init("device", .string(device.rawValue)),
      .init("venue", JSONValue(venue?.rawValue)), .init("consent", consent.map(\.json) ?? .null),
      .init("is_activated", .bool(isActivated)), .init("token_end_ms", JSONValue(tokenEnd)),
      .init("fixes", .count(accounting.fixes)), .init("refused", refusals),
      .init("thinned", .count(accounting.thinned)),
      .init("held", .count(accounting.held)), .init("stored", .count(accounting.stored)),
      .init("acknowledged", .count(accounting.acknowledged)), .init("on_phone", .count(accounting.onPhone)),
      .init("quarantined", .count(accounting.quarantined)), .init("expired", .count(accounting.expired)),
      .init("erased", .count(accounting.erased)),
      .init("queue_age_s", oldest.map { .number(max(0, (time - $0).seconds)) } ?? .null),
      .init("last_fix_kept_ms", JSONValue(lastKept)), .init("last_delivery_ms", JSONValue(lastDelivery)),
      .init("last_status", JSONValue(lastAnswer?.status)), .init("last_error", JSONValue(lastError?.description)),
      .init("last_refusal", JSONValue(accounting.quarantined > 0 ? lastQuarantine : nil)),
      .init("pending_erasures", .integer(Int64(pendingErasures))),
      .init("notices", .array(notices.map { $0.json(at: time) })),
      .init(
        "issues",
        .array(
          reportedIssues.map {
            ["code": .string($0.code), "sentence": .string($0.sentence), "remedy": .string($0.remedy)]
          })),
    ]
  }

  private var refusals: JSONValue {
    .object(
      RefusalReason.allCases.compactMap { reason in
        let count = accounting[reason]
        return count > 0 ? JSONValue.Member(reason.rawValue, .count(count)) : nil
      })
  }
}

extension ExposureNotice {
  /// The notice with its sentence and its status.
  package func json(at time: Instant) -> JSONValue {
    [
      "number": .integer(id), "template": .string(template), "day": .string(day), "text": .string(text()),
      "advice": .string(advice), "status": .string(status(at: time).rawValue),
      "created_ms": .integer(created.milliseconds),
      "expires_ms": .integer(expires.milliseconds), "received_ms": .integer(received.milliseconds),
      "acknowledged_ms": JSONValue(acknowledged),
    ]
  }
}

extension Consent {
  /// The version, the purposes and the time.
  package var json: JSONValue {
    [
      "version": .string(version), "purposes": .array(purposes.names.map { .string($0) }),
      "time_ms": .integer(time.milliseconds),
    ]
  }
}

extension Consent.Purposes {
  /// The names `record`, `share` and `everywhere` of the purposes.
  package var names: [String] {
    [(Consent.Purposes.record, "record"), (.share, "share"), (.everywhere, "everywhere")]
      .compactMap { contains($0.0) ? $0.1 : nil }
  }
}

extension JSONValue {
  init(_ time: Instant?) { self = time.map { .integer($0.milliseconds) } ?? .null }

  /// Returns a count as a JSON number, limited to the range of 64-bit integers.
  static func count(_ value: UInt64) -> JSONValue { .integer(Int64(clamping: value)) }
}
