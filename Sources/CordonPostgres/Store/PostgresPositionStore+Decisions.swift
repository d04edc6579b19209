internal import CordonCore
package import CordonIngest

extension PostgresPositionStore: DecidedStore {
  /// The log of decisions that this server keeps outside the database.
  struct Recording {
    var recorder: DecisionRecorder
    let log: DecisionLog
    let pseudonyms: Pseudonyms
    /// The name of the log, by which the database knows how much of it it has.
    let name: String
    /// Whether the log has just got its name, so that the database has all of it.
    let isNew: Bool
    /// Whether the database may lack decisions of the log.
    var isBehind = true
  }

  /// From now on decisions are written to a log, before they are committed here. A database that has fewer decisions than the log, as
  /// after a restore by its own means, is brought up to date with it before anything else is written.
  ///
  /// Numbers are given by the database, so that the records of the logs of all its servers have one order.
  /// - Parameters:
  ///   - name: the name of the log, which no other log of the database has.
  ///   - isNew: whether the log has just got its name: the database has what is in it.
  package func record(in log: DecisionLog, pseudonyms: Pseudonyms, name: String, isNew: Bool = false) {
    recording = Recording(
      recorder: DecisionRecorder(log: log, pseudonyms: pseudonyms), log: log, pseudonyms: pseudonyms, name: name,
      isNew: isNew)
  }

  /// Notes that the database has all decisions of a log, which was that of a store that was copied into it.
  package func adopt(_ log: DecisionLog, name: String) throws(StoreFault) {
    try run(Self.marking, [.text(name), .int(log.last)])
    try run("UPDATE counter SET last = greatest(last, $1) WHERE name = 'decision'", [.int(log.last)])
  }

  private static let marking =
    "INSERT INTO decision_mark (log, last) VALUES ($1, $2) ON CONFLICT (log) DO UPDATE SET last = $2"

  /// See ``DecidedStore/decided()``.
  package func decided() throws(StoreFault) -> Int64 {
    guard let name = recording?.name else {
      return try run("SELECT last FROM counter WHERE name = 'decision'").int(0, 0)
    }
    return try run("SELECT coalesce(max(last), 0) FROM decision_mark WHERE log = $1", [.text(name)]).int(0, 0)
  }

  /// See ``DecidedStore/setDecided(_:)``.
  package func setDecided(_ number: Int64) throws(StoreFault) {
    guard let name = recording?.name else { return }
    try post(Self.marking, [.text(name), .int(number)])
  }

  /// See ``DecidedStore/tombstones()``.
  package func tombstones() throws(StoreFault) -> [Tombstone] {
    let rows = try run("SELECT hash, proof, time, locations FROM tombstone ORDER BY hash")
    return rows.indices.map { row in
      Tombstone(
        hash: rows.blob(row, 0), proof: rows.optionalBlob(row, 1), time: Instant(milliseconds: rows.int(row, 2)),
        locations: rows.int(row, 3))
    }
  }

  /// Brings the database up to date with the log, where it may be behind. Belongs outside of transactions.
  func catchUp() throws(StoreFault) {
    guard var known = recording, known.isBehind else { return }
    // Applied decisions are in the log already.
    recording?.isBehind = false
    isCatchingUp = true
    defer { isCatchingUp = false }
    do throws(StoreFault) {
      let isMarked = try run("SELECT 1 FROM decision_mark WHERE log = $1", [.text(known.name)]).count > 0
      if known.isNew, !isMarked { return try adopt(known.log, name: known.name) }
      let report = try Restoration.catchUp(
        self, with: known.log, pseudonyms: known.pseudonyms, isWhole: !isMarked, isShared: true)
      if report.decisions > 0 || !isMarked { try adopt(known.log, name: known.name) }
    } catch {
      known.isBehind = true
      recording = known
      throw error
    }
  }

  /// Collects a decision, unless it comes from the log.
  func note(_ body: (inout DecisionRecorder) throws(StoreFault) -> Void) throws(StoreFault) {
    guard !isCatchingUp, var recorder = recording?.recorder else { return }
    try body(&recorder)
    recording?.recorder = recorder
  }

  /// Whether decisions are collected.
  var isRecording: Bool { recording != nil && !isCatchingUp }

  /// Writes the decisions of the transaction to the log, at its end. From then on the database is behind until it is committed.
  func flushDecisions() throws(StoreFault) {
    guard isRecording, var recorder = recording?.recorder, !recorder.isEmpty else { return }
    let last = try run(
      "UPDATE counter SET last = last + $1 WHERE name = 'decision' RETURNING last", [.int(Int64(recorder.count))]
    ).int(0, 0)
    recording?.isBehind = true
    let number = try recorder.flush(after: last - Int64(recorder.count))
    recording?.recorder = recorder
    if number > last { try post("UPDATE counter SET last = $1 WHERE name = 'decision'", [.int(number)]) }
    try setDecided(number)
  }

  /// See ``SharedStore/expireLog(_:)``.
  package func expireLog(_ limits: RetentionLimits) throws(StoreFault) {
    try recording?.log.expire(decisions: limits.tombstones, accesses: limits.audit)
  }
}
