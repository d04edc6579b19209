package import CordonCore
internal import CordonSQLite

extension SQLitePositionStore {
  private static let deviceFields = """
    d.number, d.id, d.kind, v.id, d.type, d.secretHash, d.pendingSecret, d.codeHash, d.generation, d.created, \
    d.lastSeen, d.mayRecord, d.formerHash, d.heldSince
    """

  private func device(_ row: PreparedStatement) -> StoredDevice? {
    guard let id = DeviceID(row.text(1)), let venue = VenueID(row.text(3)),
      let kind = StoredDevice.Kind(rawValue: row.int(2))
    else { return nil }
    var device = StoredDevice(
      id: id, kind: kind, venue: venue, type: row.text(4), created: Instant(milliseconds: row.int(9)))
    device.number = row.int(0)
    device.secretHash = row.optionalBlob(5)
    device.pendingSecret = row.optionalText(6)
    device.codeHash = row.optionalBlob(7)
    device.generation = row.int(8)
    device.lastSeen = Instant(milliseconds: row.int(10))
    device.mayRecord = row.int(11) != 0
    device.formerHash = row.optionalBlob(12)
    device.heldSince = row.optionalInt(13).map(Instant.init(milliseconds:))
    return device
  }

  /// See ``PositionStore/device(_:)``.
  package func device(_ id: DeviceID) throws(StoreFault) -> StoredDevice? {
    if let device = devices?[id] { return device }
    let found = try readDevice(id)
    if let found { remember(found) }
    return found
  }

  /// The most devices that are kept in memory.
  private static let maximumDevices = 20_000

  private func remember(_ device: StoredDevice) {
    guard let count = devices?.count else { return }
    if count >= Self.maximumDevices { devices?.removeAll(keepingCapacity: true) }
    devices?[device.id] = device
  }

  private func readDevice(_ id: DeviceID) throws(StoreFault) -> StoredDevice? {
    let statement = try connection.statement(
      "SELECT \(Self.deviceFields) FROM device AS d JOIN venue AS v ON v.number = d.venue WHERE d.id = ?")
    statement.bind(1, id.rawValue)
    defer { statement.reset() }
    return try statement.step() ? device(statement) : nil
  }

  /// See ``PositionStore/deviceID(_:)``.
  package func deviceID(_ number: Int64) throws(StoreFault) -> DeviceID? {
    let statement = try connection.statement("SELECT id FROM device WHERE number = ?")
    statement.bind(1, number)
    defer { statement.reset() }
    return try statement.step() ? DeviceID(statement.text(0)) : nil
  }

  /// See ``PositionStore/save(_:)-(StoredDevice)``.
  package func save(_ device: StoredDevice) throws(StoreFault) -> Int64 {
    guard let venue = try knownNumber(of: device.venue) else {
      throw StoreFault(.failed, "a device of a venue that was never stored")
    }
    if recorder != nil {
      let origin = try venues().first { $0.number == venue }?.origin ?? Coordinate(longitude: 0, latitude: 0)
      let former = try self.device(device.id)
      recorder?.note(device, former: former, origin: origin)
    }
    let isNew = device.number == 0
    let statement = try connection.statement(
      isNew
        ? """
        INSERT INTO device (id, kind, venue, type, secretHash, pendingSecret, codeHash, generation, created, lastSeen,
          mayRecord, formerHash, heldSince) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
        """
        : """
        UPDATE device SET id = ?1, kind = ?2, venue = ?3, type = ?4, secretHash = ?5, pendingSecret = ?6, codeHash = ?7,
          generation = ?8, created = ?9, lastSeen = ?10, mayRecord = ?11, formerHash = ?12, heldSince = ?13
        WHERE number = ?14
        """)
    statement.bind(1, device.id.rawValue)
    statement.bind(2, device.kind.rawValue)
    statement.bind(3, venue)
    statement.bind(4, device.type)
    statement.bind(5, device.secretHash)
    statement.bind(6, device.pendingSecret)
    statement.bind(7, device.codeHash)
    statement.bind(8, device.generation)
    statement.bind(9, device.created.milliseconds)
    statement.bind(10, device.lastSeen.milliseconds)
    statement.bind(11, Int64(device.mayRecord ? 1 : 0))
    statement.bind(12, device.formerHash)
    statement.bind(13, device.heldSince?.milliseconds)
    if !isNew { statement.bind(14, device.number) }
    let isSaved = try statement.run() > 0
    var saved = device
    if isNew { saved.number = connection.lastInsertNumber }
    // One that has a new name, or another number, may be remembered by the old one.
    if !isNew, devices?[saved.id]?.number != saved.number { devices?.removeAll() }
    if isSaved { remember(saved) }
    return saved.number
  }

  /// See ``PositionStore/devices(in:prefix:after:limit:)``.
  package func devices(
    in venue: VenueID, prefix: String, after: String, limit: Int
  ) throws(StoreFault) -> [StoredDevice] {
    guard let number = try knownNumber(of: venue) else { return [] }
    // Names are compared as bytes, so a prefix is a range: from itself to itself and the highest code point.
    let statement = try connection.statement(
      """
      SELECT \(Self.deviceFields) FROM device AS d JOIN venue AS v ON v.number = d.venue
      WHERE d.venue = ? AND d.id >= ? AND d.id <= ? AND d.id > ? ORDER BY d.id LIMIT ?
      """)
    statement.bind(1, number)
    statement.bind(2, prefix)
    statement.bind(3, prefix + "\u{10FFFF}")
    statement.bind(4, after)
    statement.bind(5, Int64(limit))
    var list: [StoredDevice] = []
    while try statement.step() { if let device = device(statement) { list.append(device) } }
    return list
  }

  /// See ``PositionStore/deviceCount()``.
  package func deviceCount() throws(StoreFault) -> Int { Int(try connection.int("SELECT count(*) FROM device")) }

  /// See ``PositionStore/erase(device:)``.
  package func erase(device number: Int64) throws(StoreFault) -> Int64 {
    devices?.removeAll()
    let positions = try connection.statement("DELETE FROM position WHERE device = ?")
    positions.bind(1, number)
    let locations = try positions.run()
    for sql in [
      "DELETE FROM presence WHERE device = ?", "DELETE FROM contact WHERE first = ?",
      "DELETE FROM contact WHERE second = ?", "DELETE FROM unsettled WHERE device = ?",
      "DELETE FROM consent WHERE device = ?", "DELETE FROM batch WHERE device = ?",
      "DELETE FROM viewerMember WHERE device = ?",
      // The audit entry stays; the identity of the viewed device does not.
      "UPDATE audit SET device = NULL WHERE device = ?", "DELETE FROM device WHERE number = ?",
    ] {
      let statement = try connection.statement(sql)
      statement.bind(1, number)
      try statement.run()
    }
    return Int64(locations)
  }

  /// See ``PositionStore/erase(device:before:)``.
  package func erase(device number: Int64, before time: Instant) throws(StoreFault) -> Int64 {
    devices?.removeAll()
    let positions = try connection.statement("DELETE FROM position WHERE device = ? AND high < ?")
    positions.bind(1, number)
    positions.bind(2, SQLitePositionStore.high(of: time.milliseconds))
    let locations = try positions.run()
    for (sql, limit) in [
      ("DELETE FROM contact WHERE first = ? AND start < ?", time.milliseconds * 1_000),
      ("DELETE FROM contact WHERE second = ? AND start < ?", time.milliseconds * 1_000),
      ("DELETE FROM presence WHERE device = ? AND last < ?", time.milliseconds),
      ("DELETE FROM unsettled WHERE device = ? AND last < ?", time.milliseconds),
      ("DELETE FROM consent WHERE device = ? AND received < ?", time.milliseconds),
      ("DELETE FROM batch WHERE device = ? AND time < ?", time.milliseconds),
      ("UPDATE presence SET first = ?2 WHERE device = ?1 AND first < ?2", time.milliseconds),
      ("UPDATE unsettled SET first = ?2 WHERE device = ?1 AND first < ?2", time.milliseconds),
      ("UPDATE audit SET device = NULL WHERE device = ? AND time < ?", time.milliseconds),
    ] {
      let statement = try connection.statement(sql)
      statement.bind(1, number)
      statement.bind(2, limit)
      try statement.run()
    }
    return Int64(locations)
  }

  /// See ``PositionStore/saveReceipt(_:of:before:)``.
  package func saveReceipt(_ receipt: Tombstone, of device: DeviceID, before: Instant) throws(StoreFault) {
    let decisions = recorder
    recorder = nil
    defer { if recorder == nil { recorder = decisions } }
    try save(receipt)
    recorder = decisions
    recorder?.note(formerErasureOf: device, before: before, receipt: receipt)
  }

  /// See ``PositionStore/save(_:)-(Tombstone)``.
  package func save(_ tombstone: Tombstone) throws(StoreFault) {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO tombstone (hash, proof, time, locations) VALUES (?, ?, ?, ?)")
    statement.bind(1, tombstone.hash)
    statement.bind(2, tombstone.proof)
    statement.bind(3, tombstone.time.milliseconds)
    statement.bind(4, tombstone.locations)
    try statement.run()
    recorder?.note(tombstone)
  }

  /// See ``PositionStore/tombstone(_:)``.
  package func tombstone(_ hash: [UInt8]) throws(StoreFault) -> Tombstone? {
    let statement = try connection.statement("SELECT hash, proof, time, locations FROM tombstone WHERE hash = ?")
    statement.bind(1, hash)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Tombstone(
      hash: statement.optionalBlob(0) ?? [], proof: statement.optionalBlob(1),
      time: Instant(milliseconds: statement.int(2)),
      locations: statement.int(3))
  }

  /// See ``DecidedStore/tombstones()``.
  package func tombstones() throws(StoreFault) -> [Tombstone] {
    let statement = try connection.statement("SELECT hash, proof, time, locations FROM tombstone ORDER BY hash")
    var list: [Tombstone] = []
    while try statement.step() {
      list.append(
        Tombstone(
          hash: statement.optionalBlob(0) ?? [], proof: statement.optionalBlob(1),
          time: Instant(milliseconds: statement.int(2)),
          locations: statement.int(3)))
    }
    return list
  }

  // MARK: Invite codes

  private static let inviteFields =
    "i.number, i.hash, i.hint, i.kind, v.id, i.uses, i.maximumUses, i.expires, i.created, i.creator"

  private func invite(_ row: PreparedStatement) -> StoredInvite? {
    guard let venue = VenueID(row.text(4)), let kind = StoredDevice.Kind(rawValue: row.int(3)) else { return nil }
    return StoredInvite(
      number: row.int(0), hash: row.optionalBlob(1) ?? [], hint: row.text(2), kind: kind, venue: venue,
      uses: row.int(5), maximumUses: row.int(6), expires: row.optionalInt(7).map(Instant.init(milliseconds:)),
      created: Instant(milliseconds: row.int(8)), creator: row.text(9))
  }

  /// See ``PositionStore/save(_:)-(StoredInvite)``.
  package func save(_ invite: StoredInvite) throws(StoreFault) -> Int64 {
    if invite.number != 0 {
      let statement = try connection.statement("UPDATE inviteCode SET uses = ? WHERE number = ?")
      statement.bind(1, invite.uses)
      statement.bind(2, invite.number)
      try statement.run()
      recorder?.note(useOf: invite)
      return invite.number
    }
    guard let venue = try knownNumber(of: invite.venue) else {
      throw StoreFault(.failed, "an invite code of a venue that was never stored")
    }
    let statement = try connection.statement(
      """
      INSERT INTO inviteCode (hash, hint, venue, kind, uses, maximumUses, expires, created, creator)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    statement.bind(1, invite.hash)
    statement.bind(2, invite.hint)
    statement.bind(3, venue)
    statement.bind(4, invite.kind.rawValue)
    statement.bind(5, invite.uses)
    statement.bind(6, invite.maximumUses)
    statement.bind(7, invite.expires?.milliseconds)
    statement.bind(8, invite.created.milliseconds)
    statement.bind(9, invite.creator)
    try statement.run()
    return connection.lastInsertNumber
  }

  /// See ``PositionStore/invite(_:)``.
  package func invite(_ hash: [UInt8]) throws(StoreFault) -> StoredInvite? {
    let statement = try connection.statement(
      "SELECT \(Self.inviteFields) FROM inviteCode AS i JOIN venue AS v ON v.number = i.venue WHERE i.hash = ?")
    statement.bind(1, hash)
    defer { statement.reset() }
    return try statement.step() ? invite(statement) : nil
  }

  /// See ``PositionStore/invites(of:)``.
  package func invites(of venue: VenueID) throws(StoreFault) -> [StoredInvite] {
    let statement = try connection.statement(
      """
      SELECT \(Self.inviteFields) FROM inviteCode AS i JOIN venue AS v ON v.number = i.venue WHERE v.id = ?
      ORDER BY i.number DESC
      """)
    statement.bind(1, venue.rawValue)
    var list: [StoredInvite] = []
    while try statement.step() { if let invite = invite(statement) { list.append(invite) } }
    return list
  }

  /// See ``PositionStore/removeInvite(_:)``.
  package func removeInvite(_ number: Int64) throws(StoreFault) -> Bool {
    if recorder != nil {
      let code = try connection.statement("SELECT hash FROM inviteCode WHERE number = ?")
      code.bind(1, number)
      if try code.step(), let hash = code.optionalBlob(0) { recorder?.note(revocationOfCode: hash) }
      code.reset()
    }
    let statement = try connection.statement("DELETE FROM inviteCode WHERE number = ?")
    statement.bind(1, number)
    return try statement.run() > 0
  }

  // MARK: Consents and keys of batches

  /// See ``PositionStore/save(_:of:)``.
  package func save(_ consent: StoredConsent, of device: Int64) throws(StoreFault) {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO consent (device, time, version, purposes, received) VALUES (?, ?, ?, ?, ?)")
    statement.bind(1, device)
    statement.bind(2, consent.time.milliseconds)
    statement.bind(3, consent.version)
    statement.bind(4, consent.purposes.joined(separator: " "))
    statement.bind(5, consent.received.milliseconds)
    try statement.run()
    if recorder != nil, let id = try deviceID(device) { recorder?.note(consent, of: id) }
  }

  /// See ``PositionStore/consents(of:)``.
  package func consents(of device: Int64) throws(StoreFault) -> [StoredConsent] {
    let statement = try connection.statement(
      "SELECT time, version, purposes, received FROM consent WHERE device = ? ORDER BY time, received")
    statement.bind(1, device)
    var list: [StoredConsent] = []
    while try statement.step() {
      list.append(
        StoredConsent(
          time: Instant(milliseconds: statement.int(0)), version: statement.text(1),
          purposes: statement.text(2).split(separator: " ").map(String.init),
          received: Instant(milliseconds: statement.int(3))))
    }
    return list
  }

  /// See ``PositionStore/batchDigest(of:key:)``.
  package func batchDigest(of device: Int64, key: [UInt8]) throws(StoreFault) -> [UInt8]? {
    let statement = try connection.statement("SELECT digest FROM batch WHERE device = ? AND key = ?")
    statement.bind(1, device)
    statement.bind(2, key)
    defer { statement.reset() }
    return try statement.step() ? statement.optionalBlob(0) : nil
  }

  /// See ``PositionStore/saveBatch(of:key:digest:time:)``.
  package func saveBatch(of device: Int64, key: [UInt8], digest: [UInt8], time: Instant) throws(StoreFault) {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO batch (device, key, digest, time) VALUES (?, ?, ?, ?)")
    statement.bind(1, device)
    statement.bind(2, key)
    statement.bind(3, digest)
    statement.bind(4, time.milliseconds)
    try statement.run()
  }
}
