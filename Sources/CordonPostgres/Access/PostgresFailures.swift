package import CordonCore
package import CordonIngest

/// Counts of failed attempts in the database, over a connection of somebody else.
struct PostgresFailures {
  /// Whether there are so many counts that new subjects share one.
  private var isFull = false

  /// The number of counts beyond which new subjects share one. It is checked when counts are deleted.
  static let maximumCount: Int64 = 1_000_000

  private static let fields = "subject, failures, free, ends"

  private static func read(
    _ subjects: [FailureSubject], _ connection: PostgresConnection, isLocking: Bool
  ) throws(StoreFault) -> [FailureSubject: FailureCount] {
    // In one order, so that two servers lock the same rows in the same order.
    let rows = try connection.run(
      "SELECT \(fields) FROM failure WHERE subject = ANY ($1) ORDER BY subject" + (isLocking ? " FOR UPDATE" : ""),
      [.optionalBytesList(subjects.map(\.bytes))])
    var known: [FailureSubject: FailureCount] = [:]
    for row in rows.indices {
      guard let subject = subjects.first(where: { $0.bytes == rows.blob(row, 0) }) else { continue }
      var count = FailureCount()
      count.failures = rows.int(row, 1)
      count.free = Instant(milliseconds: rows.int(row, 2))
      count.ends = Instant(milliseconds: rows.int(row, 3))
      known[subject] = count
    }
    return known
  }

  /// The subjects under which subjects are counted.
  private func places(
    of subjects: [FailureSubject], _ connection: PostgresConnection
  ) throws(StoreFault) -> [FailureSubject] {
    guard isFull else { return subjects }
    let known = try Self.read(subjects, connection, isLocking: false)
    return subjects.map { known[$0] == nil ? $0.shared : $0 }
  }

  /// See ``FailureStore/counts(of:)``.
  func counts(of subjects: [FailureSubject], _ connection: PostgresConnection) throws(StoreFault) -> [FailureCount] {
    let places = try places(of: subjects, connection)
    let known = try Self.read(places, connection, isLocking: false)
    return places.map { known[$0] ?? FailureCount() }
  }

  /// See ``FailureStore/update(_:_:)``. It is a transaction.
  func update<T>(
    _ subjects: [FailureSubject], _ connection: PostgresConnection, _ body: (inout [FailureCount]) -> T
  ) throws(StoreFault) -> T {
    let places = try places(of: subjects, connection)
    try connection.begin()
    do throws(StoreFault) {
      // A row that is not there cannot be locked.
      try connection.post(
        """
        INSERT INTO failure SELECT s, 0, 0, 0 FROM unnest($1) AS s ORDER BY s ON CONFLICT DO NOTHING
        """, [.optionalBytesList(places.map(\.bytes))])
      let known = try Self.read(places, connection, isLocking: true)
      var counts = places.map { known[$0] ?? FailureCount() }
      let value = body(&counts)
      try connection.post(
        """
        INSERT INTO failure SELECT u.* FROM unnest($1, $2, $3, $4) AS u (\(Self.fields)) ORDER BY u.subject
        ON CONFLICT (subject) DO UPDATE SET failures = excluded.failures, free = excluded.free, ends = excluded.ends
        """,
        [
          .optionalBytesList(places.map(\.bytes)), .ints(counts.map(\.failures)),
          .ints(counts.map(\.free.milliseconds)), .ints(counts.map(\.ends.milliseconds)),
        ])
      try connection.commit()
      return value
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// See ``FailureStore/expire(failuresAt:)``.
  mutating func expire(_ now: Instant, _ connection: PostgresConnection) throws(StoreFault) {
    let count = try connection.run(
      """
      WITH ended AS (DELETE FROM failure WHERE ends <= $1) SELECT count(*) FROM failure WHERE ends > $1
      """, [.int(now.milliseconds)])
    isFull = count.int(0, 0) > Self.maximumCount
  }
}

extension PostgresPositionStore: FailureStore {
  /// See ``SharedStore/failures``.
  package var failures: any FailureStore { self }

  /// See ``FailureStore/counts(of:)``.
  package func counts(of subjects: [FailureSubject]) throws(StoreFault) -> [FailureCount] {
    try failureCounts.counts(of: subjects, try open())
  }

  /// See ``FailureStore/update(_:_:)``. Belongs outside of transactions.
  package func update<T>(
    _ subjects: [FailureSubject], _ body: (inout [FailureCount]) -> T
  ) throws(StoreFault) -> T {
    try failureCounts.update(subjects, try open(), body)
  }

  /// See ``FailureStore/expire(failuresAt:)``.
  package func expire(failuresAt now: Instant) throws(StoreFault) {
    let connection = try open()
    try failureCounts.expire(now, connection)
  }
}
