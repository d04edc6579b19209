package import CordonCore
package import CordonIngest

extension PostgresPositionStore {
  /// The rows of a batch by column.
  private struct Columns {
    var high: [Int64] = []
    var low: [Int64] = []
    var accuracy: [Int64] = []
    var stillUntil: [Int64?] = []
    var longitude: [Int32] = []
    var latitude: [Int32] = []
    var floor: [Int32?] = []
    var bundle: [Int32] = []
    var space: [Int32?] = []
    var battery: [Int32?] = []
  }

  private struct Identity: Hashable {
    var high: Int64
    var low: Int64

    init(_ high: Int64, _ low: Int64) { (self.high, self.low) = (high, low) }
    init(_ id: FixID) { self.init(Int64(bitPattern: id.high), Int64(bitPattern: id.low)) }
  }

  /// See ``PositionStore/insert(_:device:venue:)``.
  package func insert(_ rows: [NewPosition], device: Int64, venue: Int64) throws(StoreFault) -> [StoredRow] {
    guard !rows.isEmpty else { return [] }
    var columns = Columns()
    for new in rows {
      try makePartition(of: new.time / Self.dayLength)
      columns.high.append(Int64(bitPattern: new.id.high))
      columns.low.append(Int64(bitPattern: new.id.low))
      columns.accuracy.append(new.accuracy)
      columns.stillUntil.append(new.stillUntil)
      columns.longitude.append(new.longitude)
      columns.latitude.append(new.latitude)
      columns.floor.append(new.floor)
      columns.bundle.append(Int32(truncatingIfNeeded: try number(ofBundle: new.venueHash, venue: venue)))
      var space: Int32?
      if let name = new.space { space = Int32(truncatingIfNeeded: try number(ofSpace: name, venue: venue)) }
      columns.space.append(space)
      columns.battery.append(new.battery.map { Int32(truncatingIfNeeded: $0) })
    }
    try notePresence(rows, device: device, venue: venue)
    let stored = try run(
      """
      INSERT INTO position (device, high, low, accuracy, still_until, longitude, latitude, floor, bundle, space, battery)
      SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        AS u (high, low, accuracy, still_until, longitude, latitude, floor, bundle, space, battery)
      ON CONFLICT DO NOTHING RETURNING high, low
      """,
      [
        .int(device), .ints(columns.high), .ints(columns.low), .ints(columns.accuracy),
        .optionalInts(columns.stillUntil),
        .smallInts(columns.longitude), .smallInts(columns.latitude), .optionalSmallInts(columns.floor),
        .smallInts(columns.bundle), .optionalSmallInts(columns.space), .optionalSmallInts(columns.battery),
      ])
    if stored.count == rows.count { return [StoredRow](repeating: .stored, count: rows.count) }
    var new = Set(stored.indices.map { Identity(stored.int($0, 0), stored.int($0, 1)) })
    var answers: [StoredRow] = []
    answers.reserveCapacity(rows.count)
    for row in rows {
      if new.remove(Identity(row.id)) != nil {
        answers.append(.stored)
      } else {
        answers.append(try extend(row, device: device) ? .extended : .known)
      }
    }
    return answers
  }

  /// The same fix again, from a device that has been resting on.
  private func extend(_ new: NewPosition, device: Int64) throws(StoreFault) -> Bool {
    guard let end = new.stillUntil else { return false }
    let id = Identity(new.id)
    return try run(
      """
      UPDATE position SET still_until = $1 WHERE device = $2 AND high = $3 AND low = $4
      AND (still_until IS NULL OR still_until < $1)
      """, [.int(end), .int(device), .int(id.high), .int(id.low)]
    ).changes > 0
  }

  /// See ``PositionStore/latestPresence()``.
  package func latestPresence() throws(StoreFault) -> Instant {
    Instant(milliseconds: try run("SELECT coalesce(max(last), 0) FROM presence").int(0, 0))
  }

  /// See ``PositionStore/positionCount()``.
  package func positionCount() throws(StoreFault) -> Int64 { try run("SELECT count(*) FROM position").int(0, 0) }

  private static let fields = """
    p.device, p.high, p.low, p.longitude, p.latitude, p.accuracy, p.floor, p.still_until, b.venue, p.space, p.battery
    FROM position AS p JOIN bundle AS b ON b.number = p.bundle
    """

  private func positions(_ sql: String, _ parameters: [PostgresParameter]) throws(StoreFault) -> [StoredPosition] {
    let rows = try run("SELECT \(Self.fields) WHERE p.device = $1 AND \(sql)", parameters)
    return rows.indices.map { row in
      StoredPosition(
        device: rows.int(row, 0),
        id: FixID(high: UInt64(bitPattern: rows.int(row, 1)), low: UInt64(bitPattern: rows.int(row, 2))),
        longitude: Int32(truncatingIfNeeded: rows.int(row, 3)), latitude: Int32(truncatingIfNeeded: rows.int(row, 4)),
        accuracy: rows.int(row, 5), floor: rows.optionalInt(row, 6).map { Int32(truncatingIfNeeded: $0) },
        stillUntil: rows.optionalInt(row, 7), venue: rows.int(row, 8), space: rows.optionalInt(row, 9),
        battery: rows.optionalInt(row, 10))
    }
  }

  /// See ``PositionStore/positions(of:after:limit:)``.
  package func positions(of device: Int64, after: FixID?, limit: Int) throws(StoreFault) -> [StoredPosition] {
    let place = after.map { Identity($0) } ?? Identity(.min, .min)
    return try positions(
      "p.high >= $2 AND (p.high, p.low) > ($2, $3) ORDER BY p.high, p.low LIMIT $4",
      [.int(device), .int(place.high), .int(place.low), .int(Int64(limit))])
  }

  /// See ``PositionStore/track(of:venue:in:)``.
  package func track(
    of device: Int64, venue: Int64, in span: ClosedRange<Int64>
  ) throws(StoreFault) -> [StoredPosition] {
    let low = SQLitePositionStore.high(of: span.lowerBound)
    let high = SQLitePositionStore.high(of: span.upperBound) | 0xffff
    let before = try positions(
      "p.high < $2 AND p.high > -1 AND b.venue = $3 ORDER BY p.high DESC, p.low DESC LIMIT 1",
      [.int(device), .int(low), .int(venue)])
    let within = try positions(
      "p.high >= $2 AND p.high <= $3 AND b.venue = $4 ORDER BY p.high, p.low",
      [.int(device), .int(low), .int(high), .int(venue)])
    let after = try positions(
      "p.high > $2 AND p.high < \(Int64.max) AND b.venue = $3 ORDER BY p.high, p.low LIMIT 1",
      [.int(device), .int(high), .int(venue)])
    return before + within + after
  }

  /// See ``PositionStore/track(of:venue:in:after:limit:)``.
  package func track(
    of device: Int64, venue: Int64, in span: ClosedRange<Int64>, after: FixID?, limit: Int
  ) throws(StoreFault) -> [StoredPosition] {
    let place =
      after.map { Identity($0) } ?? Identity(SQLitePositionStore.high(of: span.lowerBound) - 1, Int64.max)
    return try positions(
      """
      p.high >= $2 AND (p.high, p.low) > ($2, $3) AND p.high <= $4 AND b.venue = $5 ORDER BY p.high, p.low LIMIT $6
      """,
      [
        .int(device), .int(place.high), .int(place.low), .int(SQLitePositionStore.high(of: span.upperBound) | 0xffff),
        .int(venue), .int(Int64(limit)),
      ])
  }

  /// See ``PositionStore/devices(in:during:)``.
  package func devices(in venue: Int64, during span: ClosedRange<Int64>) throws(StoreFault) -> [Int64] {
    let rows = try run(
      "SELECT device FROM presence WHERE venue = $1 AND last >= $2 AND first <= $3 ORDER BY device",
      [.int(venue), .int(span.lowerBound), .int(span.upperBound)])
    return rows.indices.map { rows.int($0, 0) }
  }
}
