package import CordonCore
package import CordonSupport

/// An event that receivers get. It holds counts and names of venues and spaces, never a place of a device.
package struct WebhookEvent: Hashable, Sendable {
  /// The kinds of events, named by their CloudEvents type.
  package enum Kind: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The server answers requests.
    case started = "cordon.server.started"
    /// The server became ready, or stopped being ready.
    case readiness = "cordon.server.readiness"
    /// Transactions of the store failed.
    case storeFault = "cordon.store.fault"
    /// The retention job deleted data.
    case retention = "cordon.retention.done"
    /// The retention job has not run for an hour.
    case retentionLate = "cordon.retention.late"
    /// A certificate ends soon.
    case certificate = "cordon.certificate.expiring"
    /// A space has more devices than its capacity.
    case overCapacity = "cordon.occupancy.over-capacity"
    /// A space has no more devices than its capacity again.
    case withinCapacity = "cordon.occupancy.within-capacity"
    /// Devices have been silent for the configured time.
    case silent = "cordon.devices.silent"
    /// A rule of the console raised an alert.
    case alertRaised = "cordon.alert.raised"
    /// An alert ended.
    case alertEnded = "cordon.alert.ended"
    /// A test that an administrator sends.
    case test = "cordon.webhook.test"

    /// By name.
    package static func < (lhs: Kind, rhs: Kind) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// The kind.
  package var kind: Kind
  /// The time of the event.
  package var time: Instant
  /// The venue, or the venue and the space, that the event concerns; `nil` for the whole server.
  package var subject: String?
  /// The members of `data`.
  package var data: [JSONValue.Member]
  /// The device that the event names, or whose rule it concerns; `nil` for none.
  package var device: DeviceID?
  /// The name of the mark that says up to where such events were made; `nil` for an event of this server alone.
  package var mark: String?

  /// An event.
  package init(_ kind: Kind, time: Instant, subject: String? = nil, _ data: [JSONValue.Member] = []) {
    self.kind = kind
    self.time = time
    self.subject = subject
    self.data = data
  }

  /// Returns the event as a CloudEvent 1.0 in structured JSON.
  /// - Parameters:
  ///   - id: the identifier, unique for the source.
  ///   - source: the URI reference of the server.
  package func body(id: String, source: String) -> [UInt8] {
    var members: [JSONValue.Member] = [
      .init("specversion", "1.0"), .init("id", .string(id)), .init("source", .string(source)),
      .init("type", .string(kind.rawValue)), .init("time", .string(time.rfc3339)),
    ]
    if let subject { members.append(.init("subject", .string(subject))) }
    members.append(.init("datacontenttype", "application/json"))
    members.append(.init("data", .object(data)))
    return Array(JSONValue.object(members).text().utf8)
  }

  /// The media type of ``body(id:source:)``.
  package static let mediaType = "application/cloudevents+json; charset=utf-8"
}
