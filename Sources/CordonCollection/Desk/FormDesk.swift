package import CordonCore
import CordonForms
package import CordonIngest
import CordonSupport

/// The limits of forms on a server.
package struct FormSettings: Hashable, Sendable {
  /// The time after which a record that nobody changed is erased.
  package var retention = TimeSpan.days(365)
  /// Maximum number of forms.
  package var maximumForms = 1_000
  /// Maximum number of revisions of one record.
  package var maximumRevisions = 1_000
  /// Maximum number of keys of one form.
  package var maximumKeys = 1_000
  /// Maximum number of revisions in one request, in each direction.
  package var maximumBatch = 1_000

  /// The defaults.
  package init() {}
}

/// A form with all its versions.
struct FormSeries: Sendable {
  /// A version, read.
  struct Version: Sendable {
    var stored: StoredForm
    var form: Form
  }

  /// The versions in ascending order; at least one.
  var versions: [Version]
  /// The latest version.
  var latest: Version
  var venue: VenueID { latest.stored.venue }

  init(_ first: Version) { (versions, latest) = ([first], first) }

  mutating func add(_ version: Version) {
    versions.append(version)
    latest = version
  }

  /// The form of a version; `nil` for one that was never published.
  func form(_ version: Int) -> Form? { versions.first { $0.form.version == version }?.form }
}

/// The forms of a server: requests of checked senders in, responses out.
///
/// It has no clock, no sockets and no threads, and belongs to one of them at a time. It keeps forms in memory, and records in
/// the store alone.
package final class FormDesk {
  let store: any FormStore
  let settings: FormSettings
  var random: RandomBits
  private(set) var series: [String: FormSeries] = [:]
  private var failures = FailureCount()
  private var nextRetention = Instant(milliseconds: .min)

  /// Opens the forms of a store.
  /// - Throws: ``StoreFault`` when they cannot be read.
  package init(store: any FormStore, settings: FormSettings = FormSettings(), random: RandomBits) throws(StoreFault) {
    self.store = store
    self.settings = settings
    self.random = random
    for stored in try store.forms() {
      let form: Form
      do throws(FormError) { form = try Form(document: stored.document) } catch {
        throw StoreFault(.corrupt, "form \(stored.form), version \(stored.version): \(error.description)")
      }
      add(.init(stored: stored, form: form))
    }
  }

  func add(_ version: FormSeries.Version) {
    let id = version.form.id
    if series[id] == nil { series[id] = FormSeries(version) } else { series[id]?.add(version) }
  }

  // MARK: Senders

  /// The first characters of every key, which no token of a device has.
  package static let keyPrefix = "cf-"

  /// Returns the collector of a bearer key. Failures are counted by address; right keys always pass.
  /// - Throws: 401 for an unknown key, 429 after ``FailureCount/limit`` of them in a minute.
  package func collector(_ key: String, peer: String, now: Instant) throws(Problem) -> FormSender {
    let hash = Operator.hash(ofKey: key)
    guard let found = try stored({ () throws(StoreFault) in try store.key(hash) }) else {
      if let wait = failures.add(peer, now: now) {
        throw Problem(429, .tooManyFailures, "too many attempts failed", retryAfter: wait)
      }
      throw Problem(401, .tokenUnknown, "the key is of no form here", field: "authorization")
    }
    return .collector(found)
  }

  /// Answers a request. Operators' accesses are to be recorded before, as ``access(of:now:)`` returns them.
  package func answer(_ call: FormCall, now: Instant) throws(Problem) -> IngestResponse {
    // The shell asks for an operator too; nobody else reaches these routes whatever it does.
    if call.route.isOfOperators { _ = try self.operator(of: call) }
    return switch call.route {
    case .list: try list(call)
    case .form: try document(call)
    case .sync: try sync(call, now: now)
    case .ownRecords: try ownRecords(call)
    case .eraseOwn: try eraseOwn(call, now: now)
    case .catalog: try catalog(call)
    case .publish: try publish(call, now: now)
    case .check: try check(call)
    case .versions: try versions(call)
    case .keys: try keyList(call)
    case .makeKey: try makeKey(call, now: now)
    case .removeKey: try removeKey(call)
    case .records: try records(call)
    case .summary: try summary(call)
    case .erase: try erase(call, now: now)
    }
  }

  /// The form of an address, for a sender who may use it.
  ///
  /// A sender who may not learns nothing: the answer is that of a form that does not exist.
  func form(of call: FormCall, role: Operator.Role = .contactTracer) throws(Problem) -> FormSeries {
    let missing = Problem(404, .noSuchForm, "no such form", field: "form")
    guard let form = series[call.form] else { throw missing }
    switch call.sender {
    case .operator(let who):
      guard who.has(.contactTracer, at: form.venue) else { throw missing }
      guard who.has(role, at: form.venue) else { throw Problem(403, .role, "this needs the role \(role.rawValue)") }
    case .collector(let key): guard key.form == call.form else { throw missing }
    case .device(_, let venue, _): guard form.latest.stored.isForDevices, venue == form.venue else { throw missing }
    }
    return form
  }

  /// The operator of a call.
  func `operator`(of call: FormCall) throws(Problem) -> Operator {
    guard case .operator(let who) = call.sender else {
      throw Problem(403, .role, "this needs an operator")
    }
    return who
  }

  func stored<T>(_ body: () throws(StoreFault) -> T) throws(Problem) -> T {
    do throws(StoreFault) { return try body() } catch {
      throw Problem(503, .init(error.kind), "the server cannot store at the moment", retryAfter: 10)
    }
  }

  // MARK: Jobs

  /// Erases records that are too old. To be called about once a second; works at most every ten minutes, and returns whether there
  /// is more to do.
  @discardableResult
  package func tick(now: Instant) throws(StoreFault) -> Bool {
    guard now >= nextRetention || now < nextRetention - .hours(1) else { return false }
    let old = try store.records(receivedBefore: now - settings.retention, limit: 500)
    try store.transaction { () throws(StoreFault) in
      for record in old {
        let history = try store.history(of: record)
        guard let first = history.first else { continue }
        // A holder who alone had the record erases it too.
        let isOfOne = history.allSatisfy { $0.owner == first.owner }
        try store.erase(record, form: first.form, owner: isOfOne ? first.owner : nil, at: now)
      }
    }
    // Also without old records: an erasure whose scrub failed is not repeated by anybody.
    try store.scrub()
    nextRetention = old.count == 500 ? now : now + .minutes(10)
    return old.count == 500
  }
}

/// The number of wrong keys of an address in this minute. It keeps a server usable, and is not what makes keys safe: they have
/// 160 random bits.
struct FailureCount {
  /// Wrong keys of an address in a minute before 429.
  static let limit = 30
  /// Addresses that are counted separately; the others share one count.
  static let maximumPeers = 10_000
  private var minute: Int64 = 0
  private var counts: [String: Int] = [:]

  /// Counts a failure; returns the seconds to wait when there were too many.
  mutating func add(_ peer: String, now: Instant) -> Int? {
    let minute = now.milliseconds / 60_000
    if minute != self.minute { (self.minute, counts) = (minute, [:]) }
    let subject = counts.count < FailureCount.maximumPeers || counts[peer] != nil ? peer : ""
    counts[subject, default: 0] += 1
    guard counts[subject, default: 0] > FailureCount.limit else { return nil }
    return max(1, Int((minute + 1) * 60_000 - now.milliseconds) / 1_000)
  }
}
