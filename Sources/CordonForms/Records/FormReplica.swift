package import CordonSupport

/// The records of one form on one device, and what of them the server has not confirmed yet.
///
/// A pure state machine: ``request(limit:)`` makes the body of a sync, ``take(_:)`` reads its answer. A request whose answer is
/// lost is made again; nothing is stored twice. Records change offline for any time.
package struct FormReplica: Hashable, Sendable {
  /// The form.
  package let form: String
  /// The pseudonym of the device.
  package let device: String
  /// The records, with revisions of all devices.
  package private(set) var records = FormRecords()
  /// The identifiers of revisions that wait to be confirmed, oldest first.
  package private(set) var waiting: [String] = []
  /// Revisions that the server refused, by identifier, with its reason; they stay on the device.
  package private(set) var refused: [String: String] = [:]
  /// The place in the server's sequence up to which this copy is complete.
  package private(set) var cursor: Int64 = 0
  /// Whether the device also needs the revisions that it sent itself, because this copy began empty.
  private var needsOwn = true

  /// An empty copy.
  package init(form: String, device: String) {
    self.form = form
    self.device = device
  }

  /// Adds a revision of this device, or one that another device handed over; it waits for the next sync.
  package mutating func store(_ revision: FormRevision) -> FormRecords.Outcome {
    guard revision.form == form else { return .otherForm }
    let outcome = records.add(revision)
    if outcome == .stored { waiting.append(revision.id) }
    return outcome
  }

  /// Returns the body of the next sync.
  /// - Parameter limit: the maximum number of revisions in each direction.
  package func request(limit: Int = 500) -> JSONValue {
    let wanted = Set(waiting.prefix(limit))
    let revisions = records.revisions(wanted)
    let list = waiting.prefix(limit).compactMap { revisions[$0]?.json }
    var members: [JSONValue.Member] = [
      .init("after", .integer(cursor)), .init("limit", .integer(Int64(limit))), .init("revisions", .array(list)),
    ]
    if !needsOwn { members.append(.init("without", .string(device))) }
    return .object(members)
  }

  /// Takes over the answer to a sync.
  /// - Returns: whether there is more to exchange at once.
  /// - Throws: ``FormError`` for an answer that cannot be read; the copy is as before then.
  package mutating func take(_ answer: JSONValue) throws(FormError) -> Bool {
    let node = FormNode(answer, path: "")
    var (next, confirmed) = (self, Set<String>())
    for one in try node.list("answers") ?? [] {
      let id = try one.need("id").text()
      let status = try one.need("status").text()
      confirmed.insert(id)
      if status == "refused" { next.refused[id] = one.value["detail"]?.stringValue ?? "refused" }
    }
    for one in try node.list("erased") ?? [] { next.records.erase(try one.text()) }
    for one in try node.list("revisions") ?? [] {
      let revision = try FormRevision(json: one.value)
      _ = next.records.add(revision)
      confirmed.insert(revision.id)
    }
    let known = Set(next.records.identifiers)
    next.waiting.removeAll { confirmed.contains($0) || !known.contains($0) }
    next.refused = next.refused.filter { known.contains($0.key) }
    let place = try node.need("cursor")
    guard let cursor = place.value.integerValue, cursor >= self.cursor else {
      throw FormError("cursor", "has to be a whole number that never falls")
    }
    next.cursor = cursor
    let more = try node.need("more").truth()
    if !more { next.needsOwn = false }
    // An answer that confirms nothing must not lead to the same request without end.
    let isStuck = !next.waiting.isEmpty && next.waiting == waiting && cursor == self.cursor
    self = next
    return more || !waiting.isEmpty && !isStuck
  }
}
