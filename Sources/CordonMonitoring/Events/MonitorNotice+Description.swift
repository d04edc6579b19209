extension MonitorNotice: CustomStringConvertible {
  /// One line for logs. It never holds a coordinate, a code, a token or a key.
  public var description: String {
    switch self {
    case .phase(let phase): "phase \(phase.rawValue)"
    case .expired(let rule, let count): "\(count) locations expired by \(rule.rawValue)"
    case .delivery(let sink, let outcome): "\(sink): \(outcome)"
    case .storeFailed(let error): "the store failed: \(error.description)"
    case .inviteRefused: "the invite code was refused"
    case .activatedElsewhere(let venue): "the invite code was for another venue, \(venue)"
    case .venueChanged(let venue): "venue \(venue)"
    case .deactivated: "the device is deactivated; it needs a new invite code"
    case .erased(let device): "every sink that can erase confirmed that it erased \(device)"
    case .erasedByServer: "the server erased this device; the consent has ended"
    case .notErased(let device, let sink): "\(sink) cannot erase what it received from \(device)"
    case .space(let event): event.description
    case .exposure(let notice): "exposure notice \(notice.id) arrived"
    case .tracking(let event): event.description
    }
  }
}

extension DeliveryOutcome: CustomStringConvertible {
  /// One line for logs.
  public var description: String {
    switch self {
    case .judged(let acknowledged, let quarantined, let kept, _):
      "locations: \(acknowledged) acknowledged, \(quarantined) refused, \(kept) kept"
    case .unreadable(let rows): "a batch of \(rows) locations was refused; trying fewer"
    case .unauthorized: "the token was not accepted"
    case .forbidden: "the server refuses this device"
    case .gone: "the server erased this device"
    case .failed: "no answer, or a fault of the server; trying again later"
    }
  }
}

extension SinkID: CustomStringConvertible {
  /// `cordon`, `overland`; `sink 16` for an integrator's own.
  public var description: String {
    switch self {
    case .cordon: "cordon"
    case .ingest: "ingest"
    case .overland: "overland"
    case .file: "file"
    case .ownTracks: "owntracks"
    case .fhir: "fhir"
    default: "sink \(number)"
    }
  }
}
