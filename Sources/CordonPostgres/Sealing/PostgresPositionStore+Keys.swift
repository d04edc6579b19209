package import CordonIngest
internal import Crypto

extension PostgresPositionStore {
  /// Whether the columns that say where somebody was are encrypted.
  var isSealed: Bool { options.sealing != nil }

  /// The keys of devices. Within a transaction they stay in memory, and nowhere else: a key that was destroyed is not used again.
  /// - Parameters:
  ///   - devices: the numbers of the devices.
  ///   - isMaking: whether a device without a key gets one. Belongs into a transaction.
  /// - Returns: the keys that there are; a device whose key was destroyed has none.
  func keys(of devices: some Sequence<Int64>, making isMaking: Bool = false) throws(StoreFault) -> [Int64: SymmetricKey]
  {
    let missing = Set(devices).filter { deviceKeys[$0] == nil }.sorted()
    guard !missing.isEmpty else { return deviceKeys }
    guard let sealing = options.sealing else {
      throw StoreFault(.failed, "the rows are sealed; this server has no sealing.json, or 'sealed-columns = no'")
    }
    var found = try read(missing, sealing)
    // In the order of numbers, so that two servers make the same keys in the same order.
    let lacking = missing.filter { found[$0] == nil }
    if isMaking, !lacking.isEmpty {
      var new: [SymmetricKey] = []
      var sealed: [[UInt8]] = []
      var id = ""
      for device in lacking {
        let key = SymmetricKey(size: .bits256)
        let made = try sealing.seal(key, of: device)
        new.append(key)
        sealed.append(made.bytes)
        id = made.id
      }
      let rows = try run(
        """
        INSERT INTO device_key (device, key_id, sealed) SELECT d, $1, s FROM unnest($2, $3) AS u (d, s)
        ON CONFLICT DO NOTHING RETURNING device
        """, [.text(id), .ints(lacking), .optionalBytesList(sealed)])
      let made = Set(rows.indices.map { rows.int($0, 0) })
      for (device, key) in zip(lacking, new) where made.contains(device) { found[device] = key }
      // Another server was faster.
      if made.count < lacking.count { found.merge(try read(lacking.filter { !made.contains($0) }, sealing)) { $1 } }
    }
    guard isInTransaction else { return deviceKeys.merging(found) { $1 } }
    deviceKeys.merge(found) { $1 }
    return deviceKeys
  }

  private func read(_ devices: [Int64], _ sealing: SealingKeys) throws(StoreFault) -> [Int64: SymmetricKey] {
    let rows = try run("SELECT device, key_id, sealed FROM device_key WHERE device = ANY ($1)", [.ints(devices)])
    var found: [Int64: SymmetricKey] = [:]
    for row in rows.indices {
      found[rows.int(row, 0)] = try sealing.open(rows.blob(row, 2), under: rows.text(row, 1), of: rows.int(row, 0))
    }
    return found
  }

  /// Makes the keys of devices that are to be written, all at once.
  func makeKeys(of devices: some Sequence<Int64>) throws(StoreFault) {
    if isSealed { _ = try keys(of: devices, making: true) }
  }

  /// The key of a device that is written; a new one if it has none.
  func writingKey(of device: Int64) throws(StoreFault) -> SymmetricKey {
    guard let key = try keys(of: CollectionOfOne(device), making: true)[device] else {
      throw StoreFault(.failed, "a device without a key")
    }
    return key
  }

  /// Gives a device a new key, and seals its remaining rows under that: the erased ones cannot be opened any more.
  func replaceKey(of device: Int64) throws(StoreFault) {
    guard isSealed else { return }
    let positions = try run("SELECT high, low, sealed FROM position WHERE device = $1", [.int(device)])
    let contacts = try run(
      """
      SELECT first, second, start_time, floor, venue, sealed FROM contact WHERE first = $1
      UNION ALL SELECT first, second, start_time, floor, venue, sealed FROM contact WHERE second = $1 AND first <> $1
      """, [.int(device)])
    var places: [(high: Int64, low: Int64, place: SealedPlace)] = []
    let old = try keys(of: [device] + contacts.indices.flatMap { [contacts.int($0, 0), contacts.int($0, 1)] })
    for row in positions.indices {
      guard let key = old[device] else { continue }
      let (high, low) = (positions.int(row, 0), positions.int(row, 1))
      places.append((high, low, try SealedPlace(positions.blob(row, 2), under: key, device, high, low)))
    }
    var meetings: [(key: [Int64], meeting: SealedMeeting)] = []
    for row in contacts.indices {
      let key = (0..<5).map { contacts.int(row, Int32($0)) }
      if let meeting = try meeting(contacts.blob(row, 5), key, old) { meetings.append((key, meeting)) }
    }
    try post("DELETE FROM device_key WHERE device = $1", [.int(device)])
    deviceKeys[device] = nil
    var columns: (high: [Int64], low: [Int64], sealed: [[UInt8]?]) = ([], [], [])
    let new = try writingKey(of: device)
    for row in places {
      columns.high.append(row.high)
      columns.low.append(row.low)
      columns.sealed.append(try row.place.sealed(under: new, device, row.high, row.low))
    }
    try post(
      """
      UPDATE position AS p SET sealed = u.sealed FROM unnest($2, $3, $4) AS u (high, low, sealed)
      WHERE p.device = $1 AND p.high = u.high AND p.low = u.low
      """, [.int(device), .ints(columns.high), .ints(columns.low), .optionalBytesList(columns.sealed)])
    for (key, meeting) in meetings {
      let other = try writingKey(of: key[0] == device ? key[1] : key[0])
      let pair = key[0] == device ? RowSeal.pair(new, other) : RowSeal.pair(other, new)
      let bytes = try meeting.sealed(under: pair, key)
      try post(
        """
        UPDATE contact SET sealed = $6
        WHERE first = $1 AND second = $2 AND start_time = $3 AND floor = $4 AND venue = $5
        """, key.map { .int($0) } + [.bytes(bytes)])
    }
  }

  /// Decrypts the meeting of a contact; `nil` when the key of one of the two was destroyed.
  /// - Parameter key: first, second, start, floor and venue.
  func meeting(
    _ sealed: [UInt8], _ key: [Int64], _ keys: [Int64: SymmetricKey]
  ) throws(StoreFault) -> SealedMeeting? {
    guard let one = keys[key[0]], let other = keys[key[1]] else { return nil }
    return try SealedMeeting(sealed, under: RowSeal.pair(one, other), key)
  }

  /// Seals the keys of all devices under the first key of this server, so that what was sealed under former ones cannot be opened
  /// with it any more: not in the write-ahead log, and not in backups.
  /// - Returns: how many keys there are.
  package func resealKeys() throws(StoreFault) -> Int {
    guard let sealing = options.sealing else { throw StoreFault(.failed, "the store is not sealed") }
    try begin()
    do throws(StoreFault) {
      // One server does maintenance while any runs.
      guard try run("SELECT pg_try_advisory_xact_lock($1)", [.int(AdvisoryLock.maintenance)]).int(0, 0) != 0 else {
        throw StoreFault(.busy, "a server runs on the database; stop all of them first")
      }
      try run("LOCK TABLE device_key IN EXCLUSIVE MODE")
      let rows = try run("SELECT device, key_id, sealed FROM device_key ORDER BY device")
      var columns: (devices: [Int64], sealed: [[UInt8]?], id: String) = ([], [], sealing.keys.first?.id ?? "")
      for row in rows.indices {
        let device = rows.int(row, 0)
        let key = try sealing.open(rows.blob(row, 2), under: rows.text(row, 1), of: device)
        columns.devices.append(device)
        columns.sealed.append(try sealing.seal(key, of: device).bytes)
      }
      try run(
        """
        UPDATE device_key AS k SET key_id = $1, sealed = u.sealed FROM unnest($2, $3) AS u (device, sealed)
        WHERE k.device = u.device
        """, [.text(columns.id), .ints(columns.devices), .optionalBytesList(columns.sealed)])
      try run("UPDATE setting SET value = $1 WHERE name = 'sealing_key'", [.text(columns.id)])
      try commit()
      try PostgresVacuum.rewriteKeys(try open())
      return rows.count
    } catch {
      rollback()
      throw error
    }
  }
}
