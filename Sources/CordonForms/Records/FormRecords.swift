/// The records of a device or of a server: all revisions, and the identifiers of erased records.
///
/// Revisions are only added. So two copies that exchange what they have become equal, in any order and with any number of
/// repetitions. Two devices that changed the same record leave two heads: a conflict, which a person solves with a
/// revision that replaces both.
package struct FormRecords: Hashable, Sendable {
  private var revisions: [String: [String: FormRevision]] = [:]
  /// The identifiers of erased records, which accept no revision any more.
  package private(set) var erased: Set<String> = []

  /// No records.
  package init() {}

  /// The answer to one revision.
  package enum Outcome: String, Hashable, Sendable {
    /// The revision was stored.
    case stored
    /// The revision was there already.
    case known
    /// The record was erased; the sender deletes it too.
    case erased
    /// The record belongs to another form.
    case otherForm = "other-form"
  }

  /// Adds a revision. Complexity: O(1) on average.
  package mutating func add(_ revision: FormRevision) -> Outcome {
    if erased.contains(revision.record) { return .erased }
    if let one = revisions[revision.record]?.values.first, one.form != revision.form { return .otherForm }
    guard revisions[revision.record]?[revision.id] == nil else { return .known }
    revisions[revision.record, default: [:]][revision.id] = revision
    return .stored
  }

  /// Erases a record with all its revisions. Only its identifier remains, so that no other copy brings it back.
  package mutating func erase(_ record: String) {
    revisions[record] = nil
    erased.insert(record)
  }

  /// The identifiers of all records, in ascending order.
  package var records: [String] { revisions.keys.sorted() }

  /// Returns all revisions of a record: parents before children, then by time and identifier.
  ///
  /// Complexity: O(*n* log *n*) for *n* revisions.
  package func history(of record: String) -> [FormRevision] {
    let all = revisions[record] ?? [:]
    var depths: [String: Int] = [:]
    // Each round settles the revisions whose known parents are settled. Identifiers are hashes, so there is no circle.
    var open = Array(all.values)
    while !open.isEmpty {
      let settled = open.filter { $0.parents.allSatisfy { all[$0] == nil || depths[$0] != nil } }
      guard !settled.isEmpty else { break }
      for one in settled { depths[one.id] = (one.parents.compactMap { depths[$0] }.max() ?? -1) + 1 }
      open.removeAll { depths[$0.id] != nil }
    }
    return all.values.sorted { a, b in
      let (x, y) = (depths[a.id] ?? .max, depths[b.id] ?? .max)
      if x != y { return x < y }
      return a.time != b.time ? a.time < b.time : a.id < b.id
    }
  }

  /// Returns the revisions of a record that no other one replaces, by time and identifier; more than one is a conflict.
  package func heads(of record: String) -> [FormRevision] {
    let all = revisions[record] ?? [:]
    let replaced = Set(all.values.flatMap(\.parents))
    return all.values.filter { !replaced.contains($0.id) }.sorted { a, b in
      a.time != b.time ? a.time < b.time : a.id < b.id
    }
  }

  /// The records with a conflict, in ascending order.
  package var conflicts: [String] { records.filter { heads(of: $0).count > 1 } }

  /// Returns the revisions with these identifiers.
  package func revisions(_ identifiers: Set<String>) -> [String: FormRevision] {
    var found: [String: FormRevision] = [:]
    for list in revisions.values { for (id, one) in list where identifiers.contains(id) { found[id] = one } }
    return found
  }

  // MARK: Exchange

  /// The identifiers of all revisions, in ascending order.
  package var identifiers: [String] { revisions.values.flatMap(\.keys).sorted() }

  /// Returns the revisions that a copy with these identifiers lacks: by record, parents before children.
  package func missing(in identifiers: Set<String>) -> [FormRevision] {
    records.flatMap { history(of: $0) }.filter { !identifiers.contains($0.id) }
  }

  /// Takes over the revisions and erasures of another copy.
  package mutating func merge(_ other: FormRecords) {
    for record in other.erased.sorted() { erase(record) }
    for revision in other.missing(in: Set(identifiers)) { _ = add(revision) }
  }
}
