package import CordonCore
import CordonForms
package import CordonIngest
import CordonWire

/// A published version of a form.
package struct StoredForm: Hashable, Sendable {
  /// The identifier of the form.
  package var form: String
  /// The version.
  package var version: Int
  /// The venue whose operators may see and change it.
  package var venue: VenueID
  /// Whether devices of the venue may answer it with their tokens.
  package var isForDevices: Bool
  /// Whether the venue asks it when a person checks in: it is for devices then.
  package var isAtCheckIn: Bool
  /// The time of the publication.
  package var created: Instant
  /// The pseudonym of the operator.
  package var creator: String
  /// The document in UTF-8.
  package var document: [UInt8]

  /// Takes the values as they are.
  package init(
    form: String, version: Int, venue: VenueID, isForDevices: Bool, isAtCheckIn: Bool = false, created: Instant,
    creator: String, document: [UInt8]
  ) {
    self.form = form
    self.version = version
    self.venue = venue
    self.isForDevices = isForDevices
    self.isAtCheckIn = isAtCheckIn
    self.created = created
    self.creator = creator
    self.document = document
  }
}

/// A key by which one collector answers a form, kept as its hash.
package struct FormKey: Hashable, Sendable {
  /// Counts on; 0 for a new one.
  package var number: Int64 = 0
  /// The form.
  package var form: String
  /// The name that the operator gave it, such as a clinic.
  package var label: String
  /// SHA-256 of the key.
  package var hash: [UInt8]
  /// The time of its creation.
  package var created: Instant
  /// The pseudonym of the operator.
  package var creator: String

  /// Takes the values as they are.
  package init(form: String, label: String, hash: [UInt8], created: Instant, creator: String) {
    self.form = form
    self.label = label
    self.hash = hash
    self.created = created
    self.creator = creator
  }
}

/// A holder of a device: after an administrator has reset a device, somebody else can have its name.
package struct FormOwner: Hashable, Sendable {
  /// The pseudonym of the device.
  package var device: String
  /// The beginning of the holder's time; the epoch for the first holder.
  package var since: Instant

  /// Takes the values as they are.
  package init(device: String, since: Instant) { (self.device, self.since) = (device, since) }
}

/// One place in the sequence of a store: a revision, or the erasure of a record.
package struct FormEntry: Hashable, Sendable {
  /// Counts on over all forms; 0 for a new one.
  package var sequence: Int64 = 0
  /// The form.
  package var form: String
  /// The record.
  package var record: String
  /// The identifier of the revision; `nil` for an erasure.
  package var id: String?
  /// The pseudonym of the device; empty for an erasure that must not name it.
  package var device: String
  /// The beginning of the time of the holder who sent the entry with the device's token; `nil` when a collector sent it.
  package var holder: Instant?
  /// The time at which the server got it.
  package var received: Instant
  /// The revision as JSON in UTF-8; empty for an erasure.
  package var body: [UInt8]

  /// Takes the values as they are.
  package init(
    form: String, record: String, id: String?, device: String, holder: Instant? = nil, received: Instant, body: [UInt8]
  ) {
    self.form = form
    self.record = record
    self.id = id
    self.device = device
    self.holder = holder
    self.received = received
    self.body = body
  }

  /// The holder whose entry it is. Of a later holder only what they sent themselves.
  package var owner: FormOwner { FormOwner(device: device, since: holder ?? .epoch) }

  /// The beginning of the time of the entry's holder. When a collector sent it, the time at which it was made, since somebody
  /// else may have had the device when it arrived.
  package var begin: Instant {
    if let holder { return holder }
    let revision = (try? JSONReader.value(of: body)).flatMap { try? FormRevision(json: $0) }
    return min(received, revision?.time ?? received)
  }
}

/// Forms, keys and records of a server. Entries are only added, except that an erasure removes the revisions of its record.
package protocol FormStore: AnyObject {
  /// Runs a transaction; a failure undoes it.
  func transaction<T>(_ body: () throws(StoreFault) -> T) throws(StoreFault) -> T

  /// All versions of all forms, by form and version.
  func forms() throws(StoreFault) -> [StoredForm]
  /// Adds a version, or replaces the same one.
  func save(_ form: StoredForm) throws(StoreFault)

  /// The keys of a form, oldest first.
  func keys(of form: String) throws(StoreFault) -> [FormKey]
  /// The key with a hash.
  func key(_ hash: [UInt8]) throws(StoreFault) -> FormKey?
  /// Adds a key, and returns its number.
  func save(_ key: FormKey) throws(StoreFault) -> Int64
  /// Removes a key of a form; returns whether it was there.
  func remove(key number: Int64, of form: String) throws(StoreFault) -> Bool

  /// Adds an entry; returns `false`, and changes nothing, when its revision is there.
  func add(_ entry: FormEntry) throws(StoreFault) -> Bool
  /// The entries of a form after a place in the sequence.
  /// - Parameters:
  ///   - owner: only entries of this holder; `nil` for all.
  ///   - without: no revisions of this device; `nil` for all.
  func entries(
    of form: String, after sequence: Int64, limit: Int, owner: FormOwner?, without: String?
  ) throws(StoreFault) -> [FormEntry]
  /// The greatest place in the sequence; 0 for an empty store.
  func lastSequence() throws(StoreFault) -> Int64
  /// The entries of a record, in order.
  func history(of record: String) throws(StoreFault) -> [FormEntry]
  /// Records of a form that have revisions, in ascending order.
  func records(of form: String, after record: String, limit: Int) throws(StoreFault) -> [String]
  /// Records of which a device stored a revision, of all forms.
  func records(of device: String) throws(StoreFault) -> [String]
  /// The pseudonyms of all devices that entries name, in ascending order.
  func devices() throws(StoreFault) -> [String]
  /// Assigns a revision that a collector sent to the holder who has it too; one that a holder sent stays as it is.
  func claim(_ id: String, since: Instant) throws(StoreFault)
  /// The erasures that name a device, in order.
  func erasures(naming device: String) throws(StoreFault) -> [FormEntry]
  /// Removes the pseudonym of the device from an erasure.
  func blank(_ sequence: Int64) throws(StoreFault)
  /// Records whose last revision came before a time, of all forms; at most `limit`.
  func records(receivedBefore time: Instant, limit: Int) throws(StoreFault) -> [String]
  /// Removes the revisions of a record, and adds its erasure.
  /// - Parameter owner: the holder whom the erasure names, so that their copies get it; `nil` for none.
  func erase(_ record: String, form: String, owner: FormOwner?, at time: Instant) throws(StoreFault)
  /// Leaves nothing of erased revisions in the log of the file.
  func scrub() throws(StoreFault)
}
