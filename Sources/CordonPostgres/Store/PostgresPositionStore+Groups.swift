package import CordonCore
package import CordonIngest

extension PostgresPositionStore {
  /// The values that a transaction of many batches read at once.
  struct Expected {
    struct Batch: Hashable {
      var device: Int64
      var key: [UInt8]
    }

    struct Hour: Hashable {
      var device: Int64
      var hour: Int64
    }

    /// Names that no device has.
    var missing: Set<DeviceID> = []
    /// The digests of keys that were used; `nil` inside for one that was not.
    var digests: [Batch: [UInt8]?] = [:]
    /// How many rows devices sent in an hour.
    var rows: [Hour: Int64] = [:]
  }

  /// See ``SharedStore/expect(_:hour:)``.
  package func expect(_ batches: [(device: DeviceID, key: [UInt8]?)], hour: Int64) throws(StoreFault) {
    guard !batches.isEmpty, isInTransaction else { return }
    // In the order of names, so that two servers lock the same devices in the same order.
    let ids = Set(batches.map { $0.device }).sorted()
    let rows = try run(
      """
      SELECT \(Self.deviceFields), q.rows FROM device AS d JOIN venue AS v ON v.number = d.venue
      LEFT JOIN quota AS q ON q.device = d.number AND q.hour = $2
      WHERE d.id = ANY ($1) ORDER BY d.id FOR KEY SHARE OF d
      """, [.optionalTexts(ids.map { $0.rawValue }), .int(hour)])
    for row in rows.indices {
      guard let found = device(rows, row) else { continue }
      heldDevices[found.id] = found
      expected.rows[Expected.Hour(device: found.number, hour: hour)] = rows.optionalInt(row, 14) ?? 0
    }
    for id in ids where heldDevices[id] == nil { expected.missing.insert(id) }
    var keyed: (devices: [Int64], keys: [[UInt8]]) = ([], [])
    for (id, key) in batches {
      guard let key, let number = heldDevices[id]?.number else { continue }
      keyed.devices.append(number)
      keyed.keys.append(key)
      expected.digests[Expected.Batch(device: number, key: key)] = .some(nil)
    }
    if !keyed.keys.isEmpty {
      let used = try run(
        """
        SELECT b.device, b.key, b.digest FROM unnest($1, $2) AS u (device, key)
        JOIN batch AS b ON b.device = u.device AND b.key = u.key
        """, [.ints(keyed.devices), .optionalBytesList(keyed.keys)])
      for row in used.indices {
        expected.digests[Expected.Batch(device: used.int(row, 0), key: used.blob(row, 1))] = .some(used.blob(row, 2))
      }
    }
  }

  /// The fewest rows that are copied.
  private static let fewestToCopy = 64
  /// For how many groups rows are inserted one by one after some were there already.
  private static let groupsAfterConflict = 8

  /// See ``PositionStore/insert(_:)``.
  ///
  /// `COPY` takes a row for half of what `INSERT … ON CONFLICT` takes, and fails as a whole where one row is there already. So rows are
  /// copied behind a savepoint, and when that fails they are inserted. Rows with the end of a stay are often there already, and are
  /// always inserted.
  package func insert(_ batches: [RowBatch]) throws(StoreFault) -> [[StoredRow]] {
    try makeKeys(of: batches.map(\.device))
    let count = batches.reduce(0) { $0 + $1.rows.count { $0.stillUntil == nil } }
    guard isInTransaction, count >= Self.fewestToCopy, groupsWithoutCopy == 0 else {
      groupsWithoutCopy = max(0, groupsWithoutCopy - 1)
      return try insertEach(batches)
    }
    var bytes = Self.copyHead
    bytes.reserveCapacity(bytes.count + 100 * count)
    for batch in batches { try append(batch, to: &bytes) }
    bytes.append(bigEndian: Int16(-1))
    let copy = isSealed ? Self.sealedCopyStatement : Self.copyStatement
    guard try open().copy("SAVEPOINT copying; \(copy); RELEASE SAVEPOINT copying", bytes) else {
      groupsWithoutCopy = Self.groupsAfterConflict
      try post("ROLLBACK TO SAVEPOINT copying")
      return try insertEach(batches)
    }
    var answers: [[StoredRow]] = []
    var present: [RowBatch] = []
    for batch in batches {
      var own = [StoredRow](repeating: .stored, count: batch.rows.count)
      let stays = batch.rows.indices.filter { batch.rows[$0].stillUntil != nil }
      let rest = try insert(stays.map { batch.rows[$0] }, device: batch.device, venue: batch.venue)
      for (index, answer) in zip(stays, rest) { own[index] = answer }
      if stays.count < batch.rows.count { present.append(batch) }
      answers.append(own)
    }
    try notePresence(present)
    return answers
  }

  private func insertEach(_ batches: [RowBatch]) throws(StoreFault) -> [[StoredRow]] {
    var answers: [[StoredRow]] = []
    for batch in batches { answers.append(try insert(batch.rows, device: batch.device, venue: batch.venue)) }
    return answers
  }

  private static let copyStatement = """
    COPY position (device, high, low, accuracy, longitude, latitude, floor, bundle, space, battery) FROM STDIN BINARY
    """
  private static let sealedCopyStatement = "COPY position (device, high, low, bundle, sealed) FROM STDIN BINARY"

  /// The signature of the binary format, no flags, no extension (PostgreSQL manual, COPY).
  private static let copyHead: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0x00] + [UInt8](repeating: 0, count: 8)

  private func append(_ batch: RowBatch, to bytes: inout [UInt8]) throws(StoreFault) {
    var bundle: (hash: String, number: Int32)?
    let key = isSealed ? try writingKey(of: batch.device) : nil
    for row in batch.rows where row.stillUntil == nil {
      try makePartition(of: row.time / Self.dayLength)
      if bundle?.hash != row.venueHash {
        let number = try number(ofBundle: row.venueHash, venue: batch.venue)
        bundle = (row.venueHash, Int32(truncatingIfNeeded: number))
      }
      var space: Int32?
      if let name = row.space {
        space = Int32(truncatingIfNeeded: try number(ofSpace: name, venue: batch.venue))
      }
      let (high, low) = (Int64(bitPattern: row.id.high), Int64(bitPattern: row.id.low))
      bytes.append(bigEndian: Int16(key == nil ? 10 : 5))
      bytes.appendSized(batch.device)
      bytes.appendSized(high)
      bytes.appendSized(low)
      if let key {
        bytes.appendSized(bundle?.number ?? 0)
        let sealed = try SealedPlace(row, space: space).sealed(under: key, batch.device, high, low)
        bytes.append(bigEndian: Int32(truncatingIfNeeded: sealed.count))
        bytes += sealed
        continue
      }
      bytes.appendSized(row.accuracy)
      bytes.appendSized(row.longitude)
      bytes.appendSized(row.latitude)
      bytes.appendSized(row.floor)
      bytes.appendSized(bundle?.number ?? 0)
      bytes.appendSized(space)
      bytes.appendSized(row.battery.map { Int16(truncatingIfNeeded: $0) })
    }
  }

  private struct Presence: Hashable, Comparable {
    var venue: Int64
    var device: Int64

    static func < (one: Presence, other: Presence) -> Bool { (one.venue, one.device) < (other.venue, other.device) }
  }

  /// Notes from when to when devices were in venues, in whole minutes. In their order, so that two servers lock them in the same order.
  func notePresence(_ batches: [RowBatch]) throws(StoreFault) {
    var spans: [Presence: (first: Int64, last: Int64)] = [:]
    for batch in batches where !batch.rows.isEmpty {
      let key = Presence(venue: batch.venue, device: batch.device)
      var span = spans[key] ?? (.max, .min)
      for row in batch.rows {
        span = (min(span.first, row.time), max(span.last, row.stillUntil ?? row.time, row.time))
      }
      spans[key] = span
    }
    guard !spans.isEmpty else { return }
    let keys = spans.keys.sorted()
    var (firsts, lasts): ([Int64], [Int64]) = ([], [])
    for key in keys {
      guard let span = spans[key] else { continue }
      let (first, last) = SQLitePositionStore.wholeMinutes(span.first, span.last)
      firsts.append(first)
      lasts.append(last)
    }
    try post(
      """
      INSERT INTO presence (venue, device, first, last) SELECT * FROM unnest($1, $2, $3, $4)
      ON CONFLICT (venue, device) DO UPDATE
      SET first = least(presence.first, excluded.first), last = greatest(presence.last, excluded.last)
      WHERE presence.first > excluded.first OR presence.last < excluded.last
      """, [.ints(keys.map(\.venue)), .ints(keys.map(\.device)), .ints(firsts), .ints(lasts)])
  }
}
