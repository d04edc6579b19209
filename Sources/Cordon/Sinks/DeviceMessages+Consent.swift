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
