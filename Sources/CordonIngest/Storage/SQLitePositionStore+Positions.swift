package import CordonCore
internal import CordonSQLite

extension SQLitePositionStore {
  /// See ``PositionStore/insert(_:device:venue:)``.
  package func insert(_ rows: [NewPosition], device: Int64, venue: Int64) throws(StoreFault) -> [StoredRow] {
    guard var (first, last) = rows.first.map({ ($0.time, $0.time) }) else { return [] }
    let insertion = try connection.statement(
      """
      INSERT OR IGNORE INTO position (device, high, low, longitude, latitude, accuracy, floor, stillUntil, bundle, space,
        battery) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    var answers: [StoredRow] = []
    answers.reserveCapacity(rows.count)
    var bundle: (hash: String, number: Int64)?
    for new in rows {
      if bundle?.hash != new.venueHash {
        bundle = (new.venueHash, try number(ofBundle: new.venueHash, venue: venue))
      }
      insertion.bind(1, device)
      insertion.bind(2, Int64(bitPattern: new.id.high))
      insertion.bind(3, Int64(bitPattern: new.id.low))
      insertion.bind(4, Int64(new.longitude))
      insertion.bind(5, Int64(new.latitude))
      insertion.bind(6, new.accuracy)
      insertion.bind(7, new.floor.map(Int64.init))
      insertion.bind(8, new.stillUntil)
      insertion.bind(9, bundle?.number ?? 0)
      var space: Int64?
      if let name = new.space { space = try number(ofSpace: name, venue: venue) }
      insertion.bind(10, space)
      insertion.bind(11, new.battery)
      (first, last) = (min(first, new.time), max(last, new.stillUntil ?? new.time, new.time))
      if try insertion.run() > 0 {
        answers.append(.stored)
      } else {
        answers.append(try extend(new, device: device) ? .extended : .known)
      }
    }
    let presence = try connection.statement(
      """
      INSERT INTO presence (venue, device, first, last) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE
      SET first = min(first, ?3), last = max(last, ?4) WHERE first > ?3 OR last < ?4
      """)
    presence.bind(1, venue)
    presence.bind(2, device)
    (first, last) = Self.wholeMinutes(first, last)
    presence.bind(3, first)
    presence.bind(4, last)
    try presence.run()
    return answers
  }

  /// A presence is kept in whole minutes: it says where to look, not what is found, and most batches of a minute change
  /// nothing then.
  package static func wholeMinutes(_ first: Int64, _ last: Int64) -> (Int64, Int64) {
    let minute: Int64 = 60_000
    return (first - first % minute, last + (minute - last % minute) % minute)
  }

  /// The same fix again, from a device that has been resting on.
  private func extend(_ new: NewPosition, device: Int64) throws(StoreFault) -> Bool {
    guard let end = new.stillUntil else { return false }
    let statement = try connection.statement(
      """
      UPDATE position SET stillUntil = ?1 WHERE device = ?2 AND high = ?3 AND low = ?4
      AND (stillUntil IS NULL OR stillUntil < ?1)
      """)
    statement.bind(1, end)
    statement.bind(2, device)
    statement.bind(3, Int64(bitPattern: new.id.high))
    statement.bind(4, Int64(bitPattern: new.id.low))
    return try statement.run() > 0
  }

  /// See ``PositionStore/latestPresence()``.
  package func latestPresence() throws(StoreFault) -> Instant {
    Instant(milliseconds: try connection.int("SELECT max(last) FROM presence"))
  }

  /// See ``PositionStore/positionCount()``.
  package func positionCount() throws(StoreFault) -> Int64 { try connection.int("SELECT count(*) FROM position") }

  // CROSS JOIN keeps SQLite from scanning bundles first: positions are stored in the requested order.
  private static let fields = """
    p.device, p.high, p.low, p.longitude, p.latitude, p.accuracy, p.floor, p.stillUntil, b.venue, p.space, p.battery
    FROM position AS p CROSS JOIN bundle AS b ON b.number = p.bundle
    """

  private func position(_ row: PreparedStatement) -> StoredPosition {
    StoredPosition(
      device: row.int(0),
      id: FixID(high: UInt64(bitPattern: row.int(1)), low: UInt64(bitPattern: row.int(2))),
      longitude: Int32(truncatingIfNeeded: row.int(3)), latitude: Int32(truncatingIfNeeded: row.int(4)),
      accuracy: row.int(5), floor: row.optionalInt(6).map { Int32(truncatingIfNeeded: $0) },
      stillUntil: row.optionalInt(7), venue: row.int(8), space: row.optionalInt(9), battery: row.optionalInt(10))
  }

  /// See ``PositionStore/positions(of:after:limit:)``.
  package func positions(of device: Int64, after: FixID?, limit: Int) throws(StoreFault) -> [StoredPosition] {
    let statement = try connection.statement(
      "SELECT \(Self.fields) WHERE p.device = ? AND (p.high, p.low) > (?, ?) ORDER BY p.high, p.low LIMIT ?")
    statement.bind(1, device)
    statement.bind(2, after.map { Int64(bitPattern: $0.high) } ?? Int64.min)
    statement.bind(3, after.map { Int64(bitPattern: $0.low) } ?? Int64.min)
    statement.bind(4, Int64(limit))
    var list: [StoredPosition] = []
    while try statement.step() { list.append(position(statement)) }
    return list
  }

  /// See ``PositionStore/track(of:venue:in:)``.
  package func track(
    of device: Int64, venue: Int64, in span: ClosedRange<Int64>
  ) throws(StoreFault) -> [StoredPosition] {
    let low = SQLitePositionStore.high(of: span.lowerBound)
    let high = SQLitePositionStore.high(of: span.upperBound) | 0xffff
    var list: [StoredPosition] = []
    for (condition, from, to) in [
      ("p.high < ? AND p.high > ? AND b.venue = ? ORDER BY p.high DESC, p.low DESC LIMIT 1", low, Int64(-1)),
      ("p.high >= ? AND p.high <= ? AND b.venue = ? ORDER BY p.high, p.low", low, high),
      ("p.high > ? AND p.high < ? AND b.venue = ? ORDER BY p.high, p.low LIMIT 1", high, Int64.max),
    ] {
      let statement = try connection.statement("SELECT \(Self.fields) WHERE p.device = ? AND \(condition)")
      statement.bind(1, device)
      statement.bind(2, from)
      statement.bind(3, to)
      statement.bind(4, venue)
      while try statement.step() { list.append(position(statement)) }
    }
    return list
  }

  /// See ``PositionStore/track(of:venue:in:after:limit:)``.
  package func track(
    of device: Int64, venue: Int64, in span: ClosedRange<Int64>, after: FixID?, limit: Int
  ) throws(StoreFault) -> [StoredPosition] {
    let statement = try connection.statement(
      """
      SELECT \(Self.fields) WHERE p.device = ? AND (p.high, p.low) > (?, ?) AND p.high <= ? AND b.venue = ?
      ORDER BY p.high, p.low LIMIT ?
      """)
    statement.bind(1, device)
    statement.bind(2, after.map { Int64(bitPattern: $0.high) } ?? SQLitePositionStore.high(of: span.lowerBound) - 1)
    statement.bind(3, after.map { Int64(bitPattern: $0.low) } ?? Int64.max)
    statement.bind(4, SQLitePositionStore.high(of: span.upperBound) | 0xffff)
    statement.bind(5, venue)
    statement.bind(6, Int64(limit))
    var list: [StoredPosition] = []
    while try statement.step() { list.append(position(statement)) }
    return list
  }

  /// The first half of the identities of a millisecond, but for its last 16 bits.
  package static func high(of time: Int64) -> Int64 { min(max(time, 0), 0x7fff_ffff_ffff) << 16 }

  /// See ``PositionStore/devices(in:during:)``.
  package func devices(in venue: Int64, during span: ClosedRange<Int64>) throws(StoreFault) -> [Int64] {
    let statement = try connection.statement(
      "SELECT device FROM presence WHERE venue = ? AND last >= ? AND first <= ? ORDER BY device")
    statement.bind(1, venue)
    statement.bind(2, span.lowerBound)
    statement.bind(3, span.upperBound)
    var list: [Int64] = []
    while try statement.step() { list.append(statement.int(0)) }
    return list
  }
}
