package import CordonCore

/// A rule by which a venue raises alerts.
package struct AlertRule: Hashable, Sendable {
  /// The condition of a rule.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// More devices than the capacity, in per cent of ``AlertRule/threshold``; of one space or of any.
    case overCapacity = "over-capacity"
    /// More devices than ``AlertRule/threshold``, in a space, on a floor or in the venue.
    case moreThan = "more-than"
    /// A device that sends nothing.
    case deviceSilent = "device-silent"
    /// No device that sends anything.
    case noData = "no-data"
    /// A retention job that did not run for more than an hour.
    case retentionLate = "retention-late"
  }

  /// The number that stands for it.
  package var number: Int64 = 0
  /// The venue.
  package var venue: VenueID
  /// The condition.
  package var kind: Kind
  /// A name for operators.
  package var name: String
  /// The space; `nil` for all.
  package var space: SpaceID?
  /// The floor; `nil` for all.
  package var floor: FloorOrdinal?
  /// The device of ``Kind/deviceSilent``.
  package var device: DeviceID?
  /// Devices, or per cent of the capacity.
  package var threshold: Int64
  /// How long the condition must hold before an alert is raised, in seconds.
  package var lasting: Int64
  /// Whether the rule is watched.
  package var isOn: Bool
  /// The beginning of the time of the holder of the device whom it watches; `nil` without a device, and in rules of a version
  /// without holders, which watch each holder.
  package var holder: Instant?
  /// When it was made; `nil` in rules of a version that did not keep it.
  package var created: Instant?

  /// Takes the values as they are.
  package init(
    number: Int64 = 0, venue: VenueID, kind: Kind, name: String, space: SpaceID? = nil, floor: FloorOrdinal? = nil,
    device: DeviceID? = nil, threshold: Int64, lasting: Int64, isOn: Bool, holder: Instant? = nil,
    created: Instant? = nil
  ) {
    self.number = number
    self.venue = venue
    self.kind = kind
    self.name = name
    self.space = space
    self.floor = floor
    self.device = device
    self.threshold = threshold
    self.lasting = lasting
    self.isOn = isOn
    self.holder = holder
    self.created = created
  }

  /// Whether it is about a holder whose data end; a rule of an unknown holder is about each former one.
  func isCovered(by end: DeviceEnd) -> Bool { end.covers(holder: holder ?? .epoch, received: created ?? .epoch) }
}

/// An alert: a rule whose condition held for long enough.
package struct Alert: Hashable, Sendable {
  /// The number that stands for it.
  package var number: Int64 = 0
  /// The rule.
  package var rule: Int64
  /// When the condition began to hold.
  package var began: Instant
  /// When the alert was raised.
  package var raised: Instant
  /// When the condition ended; `nil` while it holds.
  package var ended: Instant?
  /// The largest value that was seen: devices, per cent, or seconds of silence.
  package var peak: Int64
  /// The space of the largest value; `nil` where no space is watched.
  package var space: SpaceID?
  /// The pseudonym of the operator who acknowledged it; `nil` before.
  package var acknowledged: String?
  /// When the message about it was sent; the epoch when it was kept back; `nil` before.
  package var sent: Instant?
  /// When the message about its end was sent; `nil` before.
  package var endSent: Instant?

  /// Takes the values as they are.
  package init(
    number: Int64 = 0, rule: Int64, began: Instant, raised: Instant, ended: Instant? = nil, peak: Int64,
    space: SpaceID? = nil, acknowledged: String? = nil, sent: Instant? = nil, endSent: Instant? = nil
  ) {
    self.number = number
    self.rule = rule
    self.began = began
    self.raised = raised
    self.ended = ended
    self.peak = peak
    self.space = space
    self.acknowledged = acknowledged
    self.sent = sent
    self.endSent = endSent
  }
}

/// Rules and alerts. A store belongs to one thread at a time. Every call may throw ``StoreFault``.
package protocol AlertStore: AnyObject {
  /// Writes a rule, new when its number is 0; returns its number.
  func save(_ rule: AlertRule) throws(StoreFault) -> Int64
  /// All rules, by number.
  func rules() throws(StoreFault) -> [AlertRule]
  /// Deletes a rule with its alerts.
  func remove(rule number: Int64) throws(StoreFault)
  /// Writes an alert, new when its number is 0; returns its number.
  func save(_ alert: Alert) throws(StoreFault) -> Int64
  /// The alerts of a rule, latest first.
  func alerts(of rule: Int64, limit: Int) throws(StoreFault) -> [Alert]
  /// The alerts that have not ended.
  func openAlerts() throws(StoreFault) -> [Alert]
  /// Deletes the rules about a device, or about some of its holders.
  func forget(_ device: DeviceID, _ end: DeviceEnd) throws(StoreFault)
  /// Deletes alerts that ended before a time.
  func expire(before time: Instant) throws(StoreFault)
}

extension AlertStore {
  /// Deletes the rules that name a device.
  package func forget(_ device: DeviceID) throws(StoreFault) { try forget(device, .device) }
}
