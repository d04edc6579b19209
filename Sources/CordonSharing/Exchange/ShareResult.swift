package import CordonForms

/// The records of a device after it received those of another one.
package struct ShareResult: Hashable, Sendable {
  /// Numbers of a result.
  package struct Counts: Hashable, Sendable {
    /// New revisions.
    package var stored = 0
    /// Revisions that were there already.
    package var known = 0
    /// Records that were erased.
    package var erased = 0
    /// Records in conflict, which persons solve.
    package var conflicts = 0
  }

  /// The records of both devices.
  package let records: FormRecords
  /// The numbers.
  package let counts: Counts

  /// Joins records by the rules of ``FormRecords/merge(_:)``: revisions are added once, erasures hold, and two changes of the
  /// same record stay side by side.
  ///
  /// Complexity: O(*n* log *n*) for *n* revisions.
  package init(known: FormRecords, received: FormRecords) {
    var joined = known
    joined.merge(received)
    let before = Set(known.identifiers)
    let arrived = received.identifiers
    let already = arrived.count { before.contains($0) }
    let after = Set(joined.identifiers)
    records = joined
    counts = Counts(
      stored: arrived.count { !before.contains($0) && after.contains($0) }, known: already,
      erased: joined.erased.subtracting(known.erased).count, conflicts: joined.conflicts.count)
  }
}
