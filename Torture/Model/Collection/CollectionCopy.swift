import CordonCore
import CordonForms
import CordonSupport

/// A copy of the records of the form on one device: that of a collector, or that of a phone with its own records.
struct CollectionCopy {
  /// The credentials of a copy.
  enum Access {
    /// A collector's key.
    case key(String)
    /// The token of a device of a venue.
    case token(DeviceID, VenueID)
  }

  /// The number of the sender.
  let number: Int
  /// The pseudonym in the revisions: eight characters, so that files can be searched for it.
  let name: String
  let access: Access
  /// The copy as it is on the device's disk: it is saved after each change.
  var replica: FormReplica
  /// How often the device lost its copy.
  var losses = 0
  /// The number of the request whose answer is awaited; 0 for none.
  var awaited: UInt64 = 0
  /// Whether the process ends before it saves the next answer.
  var isToDie = false
  /// The error of the device's clock, milliseconds.
  var clock: Int64 = 0
  /// Whether the server said that the device was erased.
  var isGone = false
  /// The number of the device's present holder.
  var holder = 0

  init(number: Int, name: String, access: Access) {
    (self.number, self.name, self.access) = (number, name, access)
    replica = FormReplica(form: CollectionServer.form, device: name)
  }

  /// Begins anew without records.
  mutating func lose() {
    replica = FormReplica(form: replica.form, device: replica.device)
    losses += 1
    awaited = 0
  }

  /// The records and erasures as canonical JSON. Copies that have converged have the same.
  var canonicalText: String {
    let records = replica.records
    let value: JSONValue = [
      "revisions": .array(records.records.flatMap { records.history(of: $0) }.map(\.json)),
      "erased": .array(records.erased.sorted().map(JSONValue.string)),
    ]
    return value.canonicalText
  }
}

/// A change that a person made, as the test remembers it.
struct CollectionChange {
  var id: String
  var record: String
  var parents: [String]
  var device: String
  var isDeletion: Bool
  /// The number of the device's holder.
  var holder: Int
  /// The answer of the person, which occurs nowhere else: eight characters.
  var word: String
}

/// What persons did to records, and what the server promised, kept apart from the code under test.
struct CollectionTruth {
  /// All changes by the identifiers of their revisions.
  private(set) var changes: [String: CollectionChange] = [:]
  /// The senders that made the records.
  private(set) var owners: [String: Int] = [:]
  /// The number of changes so far.
  private(set) var count = 0
  /// Records that an operator or their device erased; each was acknowledged.
  var erasedRecords: Set<String> = []
  /// Devices whose erasure was acknowledged.
  var erasedDevices: Set<String> = []
  /// The number of holders of a device whose erasure was acknowledged: the first ones.
  var erasedHolders: [String: Int] = [:]
  /// Records of former holders, which nobody can change any more.
  private(set) var formerRecords: Set<String> = []
  /// Revisions that the server said it has.
  private(set) var acknowledged: Set<String> = []

  /// The word of the next change.
  var nextWord: String { "w" + String(String(UInt64(count) + 0x1000_0000, radix: 16).dropFirst()) }

  /// The name of a new record of a sender.
  mutating func newRecord(of sender: Int) -> String {
    let digits = String(UInt64(owners.count) + 0x1000_0000_0000, radix: 16)
    let record = "00000000-0000-4000-8000-" + digits
    owners[record] = sender
    return record
  }

  mutating func add(_ revision: FormRevision, word: String, holder: Int = 0) {
    changes[revision.id] = CollectionChange(
      id: revision.id, record: revision.record, parents: revision.parents, device: revision.device,
      isDeletion: revision.answers == nil, holder: holder, word: word)
    count += 1
  }

  /// Notes that somebody else gets the device of a sender.
  mutating func handOn(_ sender: Int) { formerRecords.formUnion(owners.filter { $0.value == sender }.keys) }

  mutating func acknowledge(_ id: String) { acknowledged.insert(id) }

  /// Whether nothing of a change may be left at the server.
  func isErased(_ change: CollectionChange) -> Bool {
    erasedRecords.contains(change.record) || erasedDevices.contains(change.device)
      || change.holder < erasedHolders[change.device] ?? 0
  }

  /// The records with more than one state that no other one replaces, among some revisions.
  func conflicts(among identifiers: Set<String>) -> Set<String> {
    let known = identifiers.compactMap { changes[$0] }
    let replaced = Set(known.flatMap(\.parents))
    var heads: [String: Int] = [:]
    for change in known where !replaced.contains(change.id) { heads[change.record, default: 0] += 1 }
    return Set(heads.filter { $0.value > 1 }.keys)
  }
}
