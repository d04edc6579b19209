public import CordonCore

extension SQLitePositionStore {
  private static let deviceFields = """
    d.number, d.id, d.kind, v.id, d.type, d.secretHash, d.pendingSecret, d.codeHash, d.generation, d.created, \
    d.lastSeen, d.mayRecord, d.formerHash, d.heldSince
    """

  private func device(_ row: Row) -> StoredDevice? {
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
  public func device(_ id: DeviceID) throws(StoreFault) -> StoredDevice? {
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
    let row = try connection.row(
      "SELECT \(Self.deviceFields) FROM device AS d JOIN venue AS v ON v.number = d.venue WHERE d.id = ?")
    row.bind(1, id.rawValue)
    defer { row.reset() }
    return try row.step() ? device(row) : nil
  }

  /// See ``PositionStore/deviceID(_:)``.
  public func deviceID(_ number: Int64) throws(StoreFault) -> DeviceID? {
    let row = try connection.row("SELECT id FROM device WHERE number = ?")
    row.bind(1, number)
    defer { row.reset() }
    return try row.step() ? DeviceID(row.text(0)) : nil
  }

  /// See ``PositionStore/save(_:)-(StoredDevice)``.
  public func save(_ device: StoredDevice) throws(StoreFault) -> Int64 {
    guard let venue = try knownNumber(of: device.venue) else {
      throw StoreFault(.failed, "a device of a venue that was never stored")
    }
    if recorder != nil {
      let origin = try venues().first { $0.number == venue }?.origin ?? Coordinate(longitude: 0, latitude: 0)
      let former = try self.device(device.id)
      recorder?.note(device, former: former, origin: origin)
    }
    let isNew = device.number == 0
    let row = try connection.row(
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
    row.bind(1, device.id.rawValue)
    row.bind(2, device.kind.rawValue)
    row.bind(3, venue)
    row.bind(4, device.type)
    row.bind(5, device.secretHash)
    row.bind(6, device.pendingSecret)
    row.bind(7, device.codeHash)
    row.bind(8, device.generation)
    row.bind(9, device.created.milliseconds)
    row.bind(10, device.lastSeen.milliseconds)
    row.bind(11, Int64(device.mayRecord ? 1 : 0))
    row.bind(12, device.formerHash)
    row.bind(13, device.heldSince?.milliseconds)
    if !isNew { row.bind(14, device.number) }
    let isSaved = try row.run() > 0
    var saved = device
    if isNew { saved.number = connection.lastInsertNumber }
    // One that has a new name, or another number, may be remembered by the old one.
    if !isNew, devices?[saved.id]?.number != saved.number { devices?.removeAll() }
    if isSaved { remember(saved) }
    return saved.number
  }

  /// See ``PositionStore/devices(in:prefix:after:limit:)``.
  public func devices(
    in venue: VenueID, prefix: String, after: String, limit: Int
  ) throws(StoreFault) -> [StoredDevice] {
    guard let number = try knownNumber(of: venue) else { return [] }
    // Names are compared as bytes, so a prefix is a range: from itself to itself and the highest code point.
    let row = try connection.row(
      """
      SELECT \(Self.deviceFields) FROM device AS d JOIN venue AS v ON v.number = d.venue
      WHERE d.venue = ? AND d.id >= ? AND d.id <= ? AND d.id > ? ORDER BY d.id LIMIT ?
      """)
    row.bind(1, number)
    row.bind(2, prefix)
    row.bind(3, prefix + "\u{10FFFF}")
    row.bind(4, after)
    row.bind(5, Int64(limit))
    var list: [StoredDevice] = []
    while try row.step() { if let device = device(row) { list.append(device) } }
    return list
  }

  /// All devices of a venue.
  func allDevices(in venue: VenueID) throws(StoreFault) -> [StoredDevice] {
    var list: [StoredDevice] = []
    while true {
      let page = try devices(in: venue, prefix: "", after: list.last?.id.rawValue ?? "", limit: 1_000)
      list += page
      if page.count < 1_000 { return list }
    }
  }

  /// See ``PositionStore/deviceCount()``.
  public func deviceCount() throws(StoreFault) -> Int { Int(try connection.int("SELECT count(*) FROM device")) }

  /// See ``PositionStore/erase(device:)``.
  public func erase(device number: Int64) throws(StoreFault) -> Int64 {
    devices?.removeAll()
    let positions = try connection.row("DELETE FROM position WHERE device = ?")
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
      let row = try connection.row(sql)
      row.bind(1, number)
      try row.run()
    }
    return Int64(locations)
  }

  /// See ``PositionStore/erase(device:before:)``.
  public func erase(device number: Int64, before time: Instant) throws(StoreFault) -> Int64 {
    devices?.removeAll()
    let positions = try connection.row("DELETE FROM position WHERE device = ? AND high < ?")
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
      let row = try connection.row(sql)
      row.bind(1, number)
      row.bind(2, limit)
      try row.run()
    }
    return Int64(locations)
  }

  /// See ``PositionStore/saveReceipt(_:of:before:)``.
  public func saveReceipt(_ receipt: Tombstone, of device: DeviceID, before: Instant) throws(StoreFault) {
    let decisions = recorder
    recorder = nil
    defer { if recorder == nil { recorder = decisions } }
    try save(receipt)
    recorder = decisions
    recorder?.note(formerErasureOf: device, before: before, receipt: receipt)
  }

  /// See ``PositionStore/save(_:)-(Tombstone)``.
  public func save(_ tombstone: Tombstone) throws(StoreFault) {
    let row = try connection.row(
      "INSERT OR REPLACE INTO tombstone (hash, proof, time, locations) VALUES (?, ?, ?, ?)")
    row.bind(1, tombstone.hash)
    row.bind(2, tombstone.proof)
    row.bind(3, tombstone.time.milliseconds)
    row.bind(4, tombstone.locations)
    try row.run()
    recorder?.note(tombstone)
  }

  /// See ``PositionStore/tombstone(_:)``.
  public func tombstone(_ hash: [UInt8]) throws(StoreFault) -> Tombstone? {
    let row = try connection.row("SELECT hash, proof, time, locations FROM tombstone WHERE hash = ?")
    row.bind(1, hash)
    defer { row.reset() }
    guard try row.step() else { return nil }
    return Tombstone(
      hash: row.optionalBlob(0) ?? [], proof: row.optionalBlob(1), time: Instant(milliseconds: row.int(2)),
      locations: row.int(3))
  }

  /// All tombstones.
  func tombstones() throws(StoreFault) -> [Tombstone] {
    let row = try connection.row("SELECT hash, proof, time, locations FROM tombstone ORDER BY hash")
    var list: [Tombstone] = []
    while try row.step() {
      list.append(
        Tombstone(
          hash: row.optionalBlob(0) ?? [], proof: row.optionalBlob(1), time: Instant(milliseconds: row.int(2)),
          locations: row.int(3)))
    }
    return list
  }

  // MARK: Invite codes

  private static let inviteFields =
    "i.number, i.hash, i.hint, i.kind, v.id, i.uses, i.maximumUses, i.expires, i.created, i.creator"

  private func invite(_ row: Row) -> StoredInvite? {
    guard let venue = VenueID(row.text(4)), let kind = StoredDevice.Kind(rawValue: row.int(3)) else { return nil }
    return StoredInvite(
      number: row.int(0), hash: row.optionalBlob(1) ?? [], hint: row.text(2), kind: kind, venue: venue,
      uses: row.int(5), maximumUses: row.int(6), expires: row.optionalInt(7).map(Instant.init(milliseconds:)),
      created: Instant(milliseconds: row.int(8)), creator: row.text(9))
  }

  /// See ``PositionStore/save(_:)-(StoredInvite)``.
  public func save(_ invite: StoredInvite) throws(StoreFault) -> Int64 {
    if invite.number != 0 {
      let row = try connection.row("UPDATE inviteCode SET uses = ? WHERE number = ?")
      row.bind(1, invite.uses)
      row.bind(2, invite.number)
      try row.run()
      recorder?.note(useOf: invite)
      return invite.number
    }
    guard let venue = try knownNumber(of: invite.venue) else {
      throw StoreFault(.failed, "an invite code of a venue that was never stored")
    }
    let row = try connection.row(
      """
      INSERT INTO inviteCode (hash, hint, venue, kind, uses, maximumUses, expires, created, creator)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    row.bind(1, invite.hash)
    row.bind(2, invite.hint)
    row.bind(3, venue)
    row.bind(4, invite.kind.rawValue)
    row.bind(5, invite.uses)
    row.bind(6, invite.maximumUses)
    row.bind(7, invite.expires?.milliseconds)
    row.bind(8, invite.created.milliseconds)
    row.bind(9, invite.creator)
    try row.run()
    return connection.lastInsertNumber
  }

  /// See ``PositionStore/invite(_:)``.
  public func invite(_ hash: [UInt8]) throws(StoreFault) -> StoredInvite? {
    let row = try connection.row(
      "SELECT \(Self.inviteFields) FROM inviteCode AS i JOIN venue AS v ON v.number = i.venue WHERE i.hash = ?")
    row.bind(1, hash)
    defer { row.reset() }
    return try row.step() ? invite(row) : nil
  }

  /// See ``PositionStore/invites(of:)``.
  public func invites(of venue: VenueID) throws(StoreFault) -> [StoredInvite] {
    let row = try connection.row(
      """
      SELECT \(Self.inviteFields) FROM inviteCode AS i JOIN venue AS v ON v.number = i.venue WHERE v.id = ?
      ORDER BY i.number DESC
      """)
    row.bind(1, venue.rawValue)
    var list: [StoredInvite] = []
    while try row.step() { if let invite = invite(row) { list.append(invite) } }
    return list
  }

  /// See ``PositionStore/removeInvite(_:)``.
  public func removeInvite(_ number: Int64) throws(StoreFault) -> Bool {
    if recorder != nil {
      let code = try connection.row("SELECT hash FROM inviteCode WHERE number = ?")
      code.bind(1, number)
      if try code.step(), let hash = code.optionalBlob(0) { recorder?.note(revocationOfCode: hash) }
      code.reset()
    }
    let row = try connection.row("DELETE FROM inviteCode WHERE number = ?")
    row.bind(1, number)
    return try row.run() > 0
  }

  // MARK: Consents and keys of batches

  /// See ``PositionStore/save(_:of:)``.
  public func save(_ consent: StoredConsent, of device: Int64) throws(StoreFault) {
    let row = try connection.row(
      "INSERT OR REPLACE INTO consent (device, time, version, purposes, received) VALUES (?, ?, ?, ?, ?)")
    row.bind(1, device)
    row.bind(2, consent.time.milliseconds)
    row.bind(3, consent.version)
    row.bind(4, consent.purposes.joined(separator: " "))
    row.bind(5, consent.received.milliseconds)
    try row.run()
    if recorder != nil, let id = try deviceID(device) { recorder?.note(consent, of: id) }
  }

  /// See ``PositionStore/consents(of:)``.
  public func consents(of device: Int64) throws(StoreFault) -> [StoredConsent] {
    let row = try connection.row(
      "SELECT time, version, purposes, received FROM consent WHERE device = ? ORDER BY time, received")
    row.bind(1, device)
    var list: [StoredConsent] = []
    while try row.step() {
      list.append(
        StoredConsent(
          time: Instant(milliseconds: row.int(0)), version: row.text(1),
          purposes: row.text(2).split(separator: " ").map(String.init), received: Instant(milliseconds: row.int(3))))
    }
    return list
  }

  /// See ``PositionStore/batchDigest(of:key:)``.
  public func batchDigest(of device: Int64, key: [UInt8]) throws(StoreFault) -> [UInt8]? {
    let row = try connection.row("SELECT digest FROM batch WHERE device = ? AND key = ?")
    row.bind(1, device)
    row.bind(2, key)
    defer { row.reset() }
    return try row.step() ? row.optionalBlob(0) : nil
  }

  /// See ``PositionStore/saveBatch(of:key:digest:time:)``.
  public func saveBatch(of device: Int64, key: [UInt8], digest: [UInt8], time: Instant) throws(StoreFault) {
    let row = try connection.row("INSERT OR REPLACE INTO batch (device, key, digest, time) VALUES (?, ?, ?, ?)")
    row.bind(1, device)
    row.bind(2, key)
    row.bind(3, digest)
    row.bind(4, time.milliseconds)
    try row.run()
  }
}
