package import CordonCore
package import CordonIngest
internal import Crypto

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
    /// The places, where they are encrypted; the columns above stay empty then.
    var sealed: [[UInt8]?] = []
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
    let key = isSealed ? try writingKey(of: device) : nil
    for new in rows {
      try makePartition(of: new.time / Self.dayLength)
      let id = Identity(new.id)
      columns.high.append(id.high)
      columns.low.append(id.low)
      columns.stillUntil.append(new.stillUntil)
      columns.bundle.append(Int32(truncatingIfNeeded: try number(ofBundle: new.venueHash, venue: venue)))
      var space: Int32?
      if let name = new.space { space = Int32(truncatingIfNeeded: try number(ofSpace: name, venue: venue)) }
      if let key {
        columns.sealed.append(try SealedPlace(new, space: space).sealed(under: key, device, id.high, id.low))
        continue
      }
      columns.accuracy.append(new.accuracy)
      columns.longitude.append(new.longitude)
      columns.latitude.append(new.latitude)
      columns.floor.append(new.floor)
      columns.space.append(space)
      columns.battery.append(new.battery.map { Int32(truncatingIfNeeded: $0) })
    }
    try notePresence([RowBatch(rows: rows, device: device, venue: venue)])
    let stored = try insert(columns, of: device)
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

  /// Inserts rows; those that are there already stay as they are. Returns the identities of the new ones.
  private func insert(_ columns: Columns, of device: Int64) throws(StoreFault) -> PostgresRows {
    let common: [PostgresParameter] = [
      .int(device), .ints(columns.high), .ints(columns.low), .optionalInts(columns.stillUntil),
      .smallInts(columns.bundle),
    ]
    if isSealed {
      return try run(
        """
        INSERT INTO position (device, high, low, still_until, bundle, sealed)
        SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6) AS u (high, low, still_until, bundle, sealed)
        ON CONFLICT DO NOTHING RETURNING high, low
        """, common + [.optionalBytesList(columns.sealed)])
    }
    return try run(
      """
      INSERT INTO position (device, high, low, still_until, bundle, accuracy, longitude, latitude, floor, space, battery)
      SELECT $1, u.* FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        AS u (high, low, still_until, bundle, accuracy, longitude, latitude, floor, space, battery)
      ON CONFLICT DO NOTHING RETURNING high, low
      """,
      common + [
        .ints(columns.accuracy), .smallInts(columns.longitude), .smallInts(columns.latitude),
        .optionalSmallInts(columns.floor), .optionalSmallInts(columns.space), .optionalSmallInts(columns.battery),
      ])
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

  /// See ``PositionStore/lateRows(_:)``: one query, without what contacts do not need. Spaces and batteries are left out.
  package func lateRows(_ marks: [LateSpan]) throws(StoreFault) -> [StoredPosition] {
    guard let venue = marks.first?.venue else { return [] }
    let lows = marks.map { SQLitePositionStore.high(of: $0.span.lowerBound) }
    let highs = marks.map { SQLitePositionStore.high(of: $0.span.upperBound) | 0xffff }
    // The limits of all notes leave partitions out when the statement is planned, those of a note when it runs. The order of the
    // inner rows is that of the key, and keeps the planner from reading whole partitions.
    let rows = try run(
      """
      SELECT p.* FROM unnest($1, $2, $3) AS u (device, low, high) CROSS JOIN LATERAL (
        SELECT device, high, low, longitude, latitude, accuracy, floor, still_until, sealed FROM position
        WHERE device = u.device AND high >= u.low AND high <= u.high AND high >= $4 AND high <= $5
          AND bundle = ANY (ARRAY(SELECT number::integer FROM bundle WHERE venue = $6))
        ORDER BY high, low
      ) AS p
      """,
      [
        .ints(marks.map(\.device)), .ints(lows), .ints(highs), .int(lows.min() ?? 0), .int(highs.max() ?? 0),
        .int(venue),
      ])
    let keys = isSealed ? try self.keys(of: Set(marks.map(\.device)).sorted()) : [:]
    var list: [StoredPosition] = []
    list.reserveCapacity(rows.count)
    for row in rows.indices {
      let (device, high, low) = (rows.int(row, 0), rows.int(row, 1), rows.int(row, 2))
      var position = StoredPosition(
        device: device, id: FixID(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low)),
        longitude: Int32(truncatingIfNeeded: rows.int(row, 3)), latitude: Int32(truncatingIfNeeded: rows.int(row, 4)),
        accuracy: rows.int(row, 5), floor: rows.optionalInt(row, 6).map { Int32(truncatingIfNeeded: $0) },
        stillUntil: rows.optionalInt(row, 7), venue: venue, space: nil, battery: nil)
      if isSealed, let sealed = rows.optionalBlob(row, 8) {
        // Without its key a row is erased, wherever it came from.
        guard let key = keys[device] else { continue }
        let place = try SealedPlace(sealed, under: key, device, high, low)
        (position.longitude, position.latitude) = (place.longitude, place.latitude)
        (position.accuracy, position.floor) = (place.accuracy, place.floor)
      }
      list.append(position)
    }
    return list
  }

  private static let fields = """
    p.device, p.high, p.low, p.longitude, p.latitude, p.accuracy, p.floor, p.still_until, b.venue, p.space, p.battery, p.sealed
    FROM position AS p JOIN bundle AS b ON b.number = p.bundle
    """

  private func positions(_ sql: String, _ parameters: [PostgresParameter]) throws(StoreFault) -> [StoredPosition] {
    let rows = try run("SELECT \(Self.fields) WHERE p.device = $1 AND \(sql)", parameters)
    var list: [StoredPosition] = []
    list.reserveCapacity(rows.count)
    var keys: [Int64: SymmetricKey]?
    for row in rows.indices {
      let (device, high, low) = (rows.int(row, 0), rows.int(row, 1), rows.int(row, 2))
      var position = StoredPosition(
        device: device, id: FixID(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low)),
        longitude: Int32(truncatingIfNeeded: rows.int(row, 3)), latitude: Int32(truncatingIfNeeded: rows.int(row, 4)),
        accuracy: rows.int(row, 5), floor: rows.optionalInt(row, 6).map { Int32(truncatingIfNeeded: $0) },
        stillUntil: rows.optionalInt(row, 7), venue: rows.int(row, 8), space: rows.optionalInt(row, 9),
        battery: rows.optionalInt(row, 10))
      if let sealed = rows.optionalBlob(row, 11) {
        if keys == nil { keys = try self.keys(of: CollectionOfOne(device)) }
        // Without its key a row is erased, wherever it came from.
        guard let key = keys?[device] else { continue }
        let place = try SealedPlace(sealed, under: key, device, high, low)
        (position.longitude, position.latitude) = (place.longitude, place.latitude)
        (position.accuracy, position.floor) = (place.accuracy, place.floor)
        (position.space, position.battery) = (place.space.map(Int64.init), place.battery.map(Int64.init))
      }
      list.append(position)
    }
    return list
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
