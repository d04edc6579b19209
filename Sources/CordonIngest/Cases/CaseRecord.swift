package import CordonCore

/// An index case: a device, a window of time, and the rule by which its exposures count.
package struct CaseRecord: Hashable, Sendable {
  /// The number that stands for it.
  package var number: Int64 = 0
  /// The venue.
  package var venue: VenueID
  /// A name for operators, such as a reference of a health authority.
  package var label: String
  /// The device of the index case.
  package var device: DeviceID
  /// Symptom onset; `nil` when it is not known.
  package var onset: Instant?
  /// The start of the window in which contacts count.
  package var from: Instant
  /// The end of that window.
  package var to: Instant
  /// Contact time within 24 hours that is an exposure, in minutes.
  package var thresholdMinutes: Int64
  /// The largest share of a contact that may be behind a wall for it to count, per cent; 100 counts all.
  package var wallPercent: Int64
  /// Notes of operators.
  package var note: String
  /// When it was made.
  package var created: Instant
  /// The pseudonym of the operator who made it.
  package var creator: String
  /// When it was closed; `nil` while it is open.
  package var closed: Instant?
  /// The beginning of the time of the holder of the device whom it is about; the epoch for a first or former holder.
  ///
  /// A case of a version without holders has ``created`` here, which lies in the same holder's time.
  package var holder: Instant

  /// Takes the values as they are.
  package init(
    number: Int64 = 0, venue: VenueID, label: String, device: DeviceID, onset: Instant? = nil, from: Instant,
    to: Instant, thresholdMinutes: Int64, wallPercent: Int64, note: String, created: Instant, creator: String,
    closed: Instant? = nil, holder: Instant = .epoch
  ) {
    self.number = number
    self.venue = venue
    self.label = label
    self.device = device
    self.onset = onset
    self.from = from
    self.to = to
    self.thresholdMinutes = thresholdMinutes
    self.wallPercent = wallPercent
    self.note = note
    self.created = created
    self.creator = creator
    self.closed = closed
    self.holder = holder
  }
}

/// A device to notify because of a case.
package struct CaseContact: Hashable, Sendable {
  /// What became of the person.
  package enum Status: String, Hashable, Sendable, CaseIterable {
    /// Nobody was notified.
    case open
    /// A message was sent.
    case notified
    /// The person was reached.
    case reached
    /// The person declined help or contact.
    case declined
    /// Nothing more is to be done.
    case closed
  }

  /// The device.
  package var device: DeviceID
  /// The status.
  package var status: Status
  /// Notes of operators.
  package var note: String
  /// When it was last changed.
  package var changed: Instant
  /// The pseudonym of the operator who changed it.
  package var `operator`: String
  /// The beginning of the time of the holder of the device, see ``CaseRecord/holder``. A device has one status for each holder.
  package var holder: Instant

  /// Takes the values as they are.
  package init(
    device: DeviceID, status: Status, note: String, changed: Instant, operator: String, holder: Instant = .epoch
  ) {
    self.device = device
    self.status = status
    self.note = note
    self.changed = changed
    self.operator = `operator`
    self.holder = holder
  }
}

/// A notice to a device that it had an exposure. It never states with whom.
package struct CaseNotice: Hashable, Sendable {
  /// The number that stands for it.
  package var number: Int64 = 0
  /// The case that it comes from.
  package var caseNumber: Int64
  /// The device.
  package var device: DeviceID
  /// The start of the day of the exposure.
  package var exposed: Instant
  /// The template of the text: its name.
  package var template: String
  /// What to do, in the operator's words.
  package var advice: String
  /// When it was made.
  package var created: Instant
  /// When it ends: after that it is not shown.
  package var expires: Instant
  /// When the device received it first; `nil` before.
  package var delivered: Instant?
  /// When the person acknowledged it; `nil` before.
  package var acknowledged: Instant?
  /// The beginning of the time of the holder to whom it is addressed, see ``CaseRecord/holder``.
  package var holder: Instant

  /// Takes the values as they are.
  package init(
    number: Int64 = 0, caseNumber: Int64, device: DeviceID, exposed: Instant, template: String, advice: String,
    created: Instant, expires: Instant, delivered: Instant? = nil, acknowledged: Instant? = nil,
    holder: Instant = .epoch
  ) {
    self.number = number
    self.caseNumber = caseNumber
    self.device = device
    self.exposed = exposed
    self.template = template
    self.advice = advice
    self.created = created
    self.expires = expires
    self.delivered = delivered
    self.acknowledged = acknowledged
    self.holder = holder
  }
}

/// Cases, what became of the devices to notify, and notices. Apart from positions, so that each can be kept elsewhere.
///
/// A store belongs to one thread at a time. Every call may throw ``StoreFault``; every write is on the disk when it returns.
package protocol CaseStore: AnyObject {
  /// Writes a case, new when its number is 0; returns its number.
  func save(_ record: CaseRecord) throws(StoreFault) -> Int64
  /// The case of a number.
  func record(_ number: Int64) throws(StoreFault) -> CaseRecord?
  /// The cases of a venue, latest first.
  func records(of venue: VenueID) throws(StoreFault) -> [CaseRecord]
  /// Deletes a case with all that belongs to it.
  func remove(_ number: Int64) throws(StoreFault)
  /// Writes what became of a device; it replaces the status of the same holder.
  func save(_ contact: CaseContact, of number: Int64) throws(StoreFault)
  /// The devices of a case whose status was set, by name and holder.
  func contacts(of number: Int64) throws(StoreFault) -> [CaseContact]
  /// Writes a notice, new when its number is 0, and returns its number. A holder has at most one notice of a case and day.
  func save(_ notice: CaseNotice) throws(StoreFault) -> Int64
  /// The notices of a case, by number.
  func notices(of number: Int64) throws(StoreFault) -> [CaseNotice]
  /// The notices to a device that have not ended, by number.
  func notices(to device: DeviceID, now: Instant) throws(StoreFault) -> [CaseNotice]
  /// Deletes what is about a device, or about some of its holders: its cases, its status in others, its notices.
  func forget(_ device: DeviceID, _ end: DeviceEnd) throws(StoreFault)
  /// Deletes cases that were closed before a time, and notices that ended before it. Returns how many cases went.
  func expire(before time: Instant) throws(StoreFault) -> Int
}

extension CaseStore {
  /// Deletes all that names a device.
  package func forget(_ device: DeviceID) throws(StoreFault) { try forget(device, .device) }
}
