import CordonMonitoring
import CordonWire

extension DeviceMessages.Consent {
  /// Makes the report of a person's consent for a server, purpose by purpose.
  init(_ consent: Consent) {
    var grants: [String: Grant] = [:]
    grants["record"] = consent.record.map { Grant(version: $0.version, time: $0.time) }
    grants["share"] = consent.share.map { Grant(version: $0.version, time: $0.time) }
    self.init(version: consent.version, purposes: grants.keys.sorted(), time: consent.time, grants: grants)
  }
}

extension ExposureNotice {
  /// Makes the notice of a server's answer, which has just arrived.
  init(_ entry: DeviceNotices.Entry) {
    self.init(
      id: entry.number, template: entry.template, day: entry.day, advice: entry.advice, created: entry.created,
      expires: entry.expires, acknowledged: entry.acknowledged)
  }
}
