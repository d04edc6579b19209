package import CordonCore
package import CordonIngest

extension PostgresPositionStore {
  static let deviceFields = """
    d.number, d.id, d.kind, v.id, d.type, d.secret_hash, d.pending_secret, d.code_hash, d.generation, d.created, \
    d.last_seen, d.may_record, d.former_hash, d.held_since
    """

  func device(_ rows: PostgresRows, _ row: Int) -> StoredDevice? {
    guard let id = DeviceID(rows.text(row, 1)), let venue = VenueID(rows.text(row, 3)),
      let kind = StoredDevice.Kind(rawValue: rows.int(row, 2))
    else { return nil }
    var device = StoredDevice(
      id: id, kind: kind, venue: venue, type: rows.text(row, 4), created: Instant(milliseconds: rows.int(row, 9)))
    device.number = rows.int(row, 0)
    device.secretHash = rows.optionalBlob(row, 5)
    device.pendingSecret = rows.optionalText(row, 6)
    device.codeHash = rows.optionalBlob(row, 7)
    device.generation = rows.int(row, 8)
    device.lastSeen = Instant(milliseconds: rows.int(row, 10))
    device.mayRecord = rows.int(row, 11) != 0
    device.formerHash = rows.optionalBlob(row, 12)
    device.heldSince = rows.optionalInt(row, 13).map(Instant.init(milliseconds:))
    return device
  }

  /// See ``PositionStore/device(_:)``.
  ///
  /// Within a transaction of a store that writes, nobody erases the device until the transaction ends.
  package func device(_ id: DeviceID) throws(StoreFault) -> StoredDevice? {
    if let device = heldDevices[id] { return device }
    if expected.missing.contains(id) { return nil }
    let isHeld = isInTransaction && !options.isReadOnly
    let rows = try run(
      "SELECT \(Self.deviceFields) FROM device AS d JOIN venue AS v ON v.number = d.venue WHERE d.id = $1"
        + (isHeld ? " FOR KEY SHARE OF d" : ""), [.text(id.rawValue)])
    guard rows.count > 0, let found = device(rows, 0) else { return nil }
    if isHeld { heldDevices[id] = found }
    return found
  }

  /// See ``PositionStore/deviceID(_:)``.
  package func deviceID(_ number: Int64) throws(StoreFault) -> DeviceID? {
    let rows = try run("SELECT id FROM device WHERE number = $1", [.int(number)])
    return rows.count > 0 ? DeviceID(rows.text(0, 0)) : nil
  }

  /// See ``PositionStore/save(_:)-(StoredDevice)``.
  package func save(_ device: StoredDevice) throws(StoreFault) -> Int64 {
    guard let venue = try knownNumber(of: device.venue) else {
      throw StoreFault(.failed, "a device of a venue that was never stored")
    }
    if isRecording {
      let origin = try venues().first { $0.number == venue }?.origin ?? Coordinate(longitude: 0, latitude: 0)
      let former = try self.device(device.id)
      try note { $0.note(device, former: former, origin: origin) }
    }
    // An error of the server would end the whole transaction.
    let known = try run(
      "SELECT number FROM device WHERE id = $1 OR number = $2", [.text(device.id.rawValue), .int(device.number)])
    let numbers = known.indices.map { known.int($0, 0) }
    if device.number != 0, !numbers.contains(device.number) { return device.number }
    guard numbers.allSatisfy({ $0 == device.number }) else {
      throw StoreFault(.failed, "a device of a name that another one has")
    }
    var saved = device
    let isNew = device.number == 0
    if isNew { saved.number = try nextNumber("device") }
    try post(
      isNew
        ? """
        INSERT INTO device (id, kind, venue, type, secret_hash, pending_secret, code_hash, generation, created, last_seen,
          may_record, former_hash, held_since, number) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        """
        : """
        UPDATE device SET id = $1, kind = $2, venue = $3, type = $4, secret_hash = $5, pending_secret = $6, code_hash = $7,
          generation = $8, created = $9, last_seen = $10, may_record = $11, former_hash = $12, held_since = $13
        WHERE number = $14
        """,
      [
        .text(device.id.rawValue), .int(device.kind.rawValue), .int(venue), .text(device.type),
        .optionalBytes(device.secretHash), .optionalText(device.pendingSecret), .optionalBytes(device.codeHash),
        .int(device.generation), .int(device.created.milliseconds), .int(device.lastSeen.milliseconds),
        .int(device.mayRecord ? 1 : 0), .optionalBytes(device.formerHash), .optionalInt(device.heldSince?.milliseconds),
        .int(saved.number),
      ])
    heldDevices.removeAll()
    expected = Expected()
    return saved.number
  }

  /// See ``PositionStore/devices(in:prefix:after:limit:)``.
  package func devices(
    in venue: VenueID, prefix: String, after: String, limit: Int
  ) throws(StoreFault) -> [StoredDevice] {
    guard let number = try knownNumber(of: venue) else { return [] }
    // Names are compared as bytes, so a prefix is a range: from itself to itself and the highest code point.
    let rows = try run(
      """
      SELECT \(Self.deviceFields) FROM device AS d JOIN venue AS v ON v.number = d.venue
      WHERE d.venue = $1 AND d.id >= $2 AND d.id <= $3 AND d.id > $4 ORDER BY d.id LIMIT $5
      """, [.int(number), .text(prefix), .text(prefix + "\u{10FFFF}"), .text(after), .int(Int64(limit))])
    return rows.indices.compactMap { device(rows, $0) }
  }

  /// See ``PositionStore/deviceCount()``.
  package func deviceCount() throws(StoreFault) -> Int { Int(try run("SELECT count(*) FROM device").int(0, 0)) }

  /// See ``PositionStore/erase(device:)``.
  package func erase(device number: Int64) throws(StoreFault) -> Int64 {
    try noteErasure(of: number)
    // Batches of other servers that are being stored end first: their rows are deleted as well.
    try run("SELECT 1 FROM device WHERE number = $1 FOR UPDATE", [.int(number)])
    let locations = try deletePositions("device = $1", [.int(number)])
    deviceKeys[number] = nil
    if isCatchingUp {
      // Cases and rules came back with an earlier state of the database.
      for table in ["case_file", "case_contact", "notice", "alert_rule"] {
        try post("DELETE FROM \(table) WHERE device = (SELECT id FROM device WHERE number = $1)", [.int(number)])
      }
    }
    for sql in [
      "DELETE FROM device_key WHERE device = $1",
      "DELETE FROM presence WHERE device = $1", "DELETE FROM contact WHERE first = $1",
      "DELETE FROM contact WHERE second = $1", "DELETE FROM unsettled WHERE device = $1",
      "DELETE FROM consent WHERE device = $1", "DELETE FROM batch WHERE device = $1",
      "DELETE FROM viewer_member WHERE device = $1", "DELETE FROM quota WHERE device = $1",
      // The audit entry stays; the identity of the viewed device does not.
      "UPDATE audit SET device = NULL WHERE device = $1", "DELETE FROM device WHERE number = $1",
    ] { try post(sql, [.int(number)]) }
    heldDevices.removeAll()
    expected = Expected()
    return locations
  }

  /// Deletes positions, and notes their days, whose partitions are to be vacuumed. Returns their number.
  private func deletePositions(_ condition: String, _ parameters: [PostgresParameter]) throws(StoreFault) -> Int64 {
    try run(
      """
      WITH gone AS (DELETE FROM position WHERE \(condition) RETURNING high),
        noted AS (
          INSERT INTO vacuum_due SELECT DISTINCT (high >> 16) / \(Self.dayLength) FROM gone ON CONFLICT DO NOTHING)
      SELECT count(*) FROM gone
      """, parameters
    ).int(0, 0)
  }

  /// See ``PositionStore/erase(device:before:)``.
  package func erase(device number: Int64, before time: Instant) throws(StoreFault) -> Int64 {
    try noteErasure(of: number)
    try run("SELECT 1 FROM device WHERE number = $1 FOR UPDATE", [.int(number)])
    let locations = try deletePositions(
      "device = $1 AND high < $2", [.int(number), .int(SQLitePositionStore.high(of: time.milliseconds))])
    for (sql, limit) in [
      ("DELETE FROM contact WHERE first = $1 AND start_time < $2", time.milliseconds * 1_000),
      ("DELETE FROM contact WHERE second = $1 AND start_time < $2", time.milliseconds * 1_000),
      ("DELETE FROM presence WHERE device = $1 AND last < $2", time.milliseconds),
      ("DELETE FROM unsettled WHERE device = $1 AND last < $2", time.milliseconds),
      ("DELETE FROM consent WHERE device = $1 AND received < $2", time.milliseconds),
      ("DELETE FROM batch WHERE device = $1 AND time < $2", time.milliseconds),
      ("UPDATE presence SET first = $2 WHERE device = $1 AND first < $2", time.milliseconds),
      ("UPDATE unsettled SET first = $2 WHERE device = $1 AND first < $2", time.milliseconds),
      ("UPDATE audit SET device = NULL WHERE device = $1 AND time < $2", time.milliseconds),
    ] { try post(sql, [.int(number), .int(limit)]) }
    try replaceKey(of: number)
    heldDevices.removeAll()
    expected = Expected()
    return locations
  }

  /// See ``PositionStore/saveReceipt(_:of:before:)``.
  package func saveReceipt(_ receipt: Tombstone, of device: DeviceID, before: Instant) throws(StoreFault) {
    try store(receipt)
    try note { $0.note(formerErasureOf: device, before: before, receipt: receipt) }
  }

  /// See ``PositionStore/save(_:)-(Tombstone)``.
  package func save(_ tombstone: Tombstone) throws(StoreFault) {
    try store(tombstone)
    try note { $0.note(tombstone) }
  }

  private func store(_ tombstone: Tombstone) throws(StoreFault) {
    try post(
      """
      INSERT INTO tombstone (hash, proof, time, locations) VALUES ($1, $2, $3, $4) ON CONFLICT (hash) DO UPDATE
      SET proof = $2, time = $3, locations = $4
      """,
      [
        .bytes(tombstone.hash), .optionalBytes(tombstone.proof), .int(tombstone.time.milliseconds),
        .int(tombstone.locations),
      ])
  }

  /// See ``PositionStore/tombstone(_:)``.
  package func tombstone(_ hash: [UInt8]) throws(StoreFault) -> Tombstone? {
    let rows = try run("SELECT hash, proof, time, locations FROM tombstone WHERE hash = $1", [.bytes(hash)])
    guard rows.count > 0 else { return nil }
    return Tombstone(
      hash: rows.blob(0, 0), proof: rows.optionalBlob(0, 1), time: Instant(milliseconds: rows.int(0, 2)),
      locations: rows.int(0, 3))
  }

  // MARK: Consents and keys of batches

  /// See ``PositionStore/save(_:of:)``.
  package func save(_ consent: StoredConsent, of device: Int64) throws(StoreFault) {
    try post(
      """
      INSERT INTO consent (device, time, version, purposes, received) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (device, time, received) DO UPDATE SET version = $3, purposes = $4
      """,
      [
        .int(device), .int(consent.time.milliseconds), .text(consent.version),
        .text(consent.purposes.joined(separator: " ")), .int(consent.received.milliseconds),
      ])
    if isRecording, let id = try deviceID(device) { try note { $0.note(consent, of: id) } }
  }

  /// See ``PositionStore/consents(of:)``.
  package func consents(of device: Int64) throws(StoreFault) -> [StoredConsent] {
    let rows = try run(
      "SELECT time, version, purposes, received FROM consent WHERE device = $1 ORDER BY time, received", [.int(device)])
    return rows.indices.map { row in
      StoredConsent(
        time: Instant(milliseconds: rows.int(row, 0)), version: rows.text(row, 1),
        purposes: rows.text(row, 2).split(separator: " ").map(String.init),
        received: Instant(milliseconds: rows.int(row, 3)))
    }
  }

  /// See ``PositionStore/batchDigest(of:key:)``.
  package func batchDigest(of device: Int64, key: [UInt8]) throws(StoreFault) -> [UInt8]? {
    if let known = expected.digests[Expected.Batch(device: device, key: key)] { return known }
    let rows = try run("SELECT digest FROM batch WHERE device = $1 AND key = $2", [.int(device), .bytes(key)])
    return rows.count > 0 ? rows.blob(0, 0) : nil
  }

  /// See ``PositionStore/saveBatch(of:key:digest:time:)``.
  package func saveBatch(of device: Int64, key: [UInt8], digest: [UInt8], time: Instant) throws(StoreFault) {
    try post(
      """
      INSERT INTO batch (device, key, digest, time) VALUES ($1, $2, $3, $4)
      ON CONFLICT (device, key) DO UPDATE SET digest = $3, time = $4
      """, [.int(device), .bytes(key), .bytes(digest), .int(time.milliseconds)])
    if isInTransaction { expected.digests[Expected.Batch(device: device, key: key)] = .some(digest) }
  }
}
