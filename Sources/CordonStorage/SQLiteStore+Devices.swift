public import CordonCore
public import CordonMonitoring
import CordonSQLite

extension SQLiteStore {
  private static let fields = "id, authToken, expiresAt, isActivated, type, venue, secret, state"

  /// See `Store.device(_:)`.
  public func device(_ id: DeviceID) throws(StoreError) -> DeviceRecord? {
    let statement = try self.statement("SELECT \(SQLiteStore.fields) FROM device WHERE id = ?")
    statement.bind(1, id.rawValue)
    defer { statement.reset() }
    return try statement.step() ? try record(statement) : nil
  }

  /// See `Store.devices()`.
  public func devices() throws(StoreError) -> [DeviceRecord] {
    let statement = try self.statement("SELECT \(SQLiteStore.fields) FROM device ORDER BY id")
    var devices: [DeviceRecord] = []
    while try statement.step() {
      if let record = try record(statement) { devices.append(record) }
    }
    return devices
  }

  private func record(_ row: PreparedStatement) throws(StoreError) -> DeviceRecord? {
    guard let id = row.optionalText(0).flatMap(DeviceID.init) else { return nil }
    var record = DeviceRecord(id: id, type: row.text(4))
    record.authToken = try text(row, 1, "token", id)
    record.expiresAt = row.optionalInt(2).map(Instant.init(milliseconds:))
    record.isActivated = row.int(3) != 0
    record.venue = row.optionalText(5).flatMap(VenueID.init(_:))
    record.secret = try text(row, 6, "secret", id)
    record.state = states[id] ?? row.blob(7)
    let number = try number(of: id)
    let activations = try statement(
      "SELECT venueId, secret, authToken, expiresAt FROM activation WHERE deviceNumber = ? ORDER BY venueId")
    activations.bind(1, number)
    while try activations.step() {
      guard let venue = activations.optionalText(0).flatMap(VenueID.init(_:)),
        let secret = try text(activations, 1, "secret for \(venue)", id)
      else { continue }
      record.activations.append(
        Activation(
          venue: venue, secret: secret, authToken: try text(activations, 2, "token for \(venue)", id),
          expiresAt: activations.optionalInt(3).map(Instant.init(milliseconds:))))
    }
    let erasures = try statement("SELECT id, secret FROM erasure WHERE deviceNumber = ?")
    erasures.bind(1, number)
    while try erasures.step() {
      guard let erased = erasures.optionalText(0).flatMap(DeviceID.init),
        let secret = try text(erasures, 1, "secret of \(erased)", id)
      else { continue }
      record.erasureSecrets[erased] = secret
    }
    record.notices = try notices(of: id, number)
    return record
  }

  func bind(
    _ statement: PreparedStatement, _ index: Int32, _ text: String?, _ name: String, _ device: DeviceID
  ) throws(StoreError) {
    if let seal, let text {
      statement.bind(index, try seal.seal(text, named: name, of: device))
    } else {
      statement.bind(index, text)
    }
  }

  /// Returns a text of a device, opened if it is sealed; `nil` if there is none, or if it cannot be opened.
  func text(
    _ row: PreparedStatement, _ column: Int32, _ name: String, _ device: DeviceID
  ) throws(StoreError) -> String? {
    guard row.isBlob(column) else { return row.optionalText(column) }
    return try seal?.open(row.blob(column), named: name, of: device)
  }

  /// See `Store.save(_:)`.
  public func save(_ device: DeviceRecord) throws(StoreError) {
    let statement = try self.statement(
      """
      INSERT INTO device (\(SQLiteStore.fields)) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
      authToken = excluded.authToken, expiresAt = excluded.expiresAt, isActivated = excluded.isActivated,
      type = excluded.type, venue = excluded.venue, secret = excluded.secret, state = excluded.state
      """)
    statement.bind(1, device.id.rawValue)
    try bind(statement, 2, device.authToken, "token", device.id)
    statement.bind(3, device.expiresAt?.milliseconds)
    statement.bind(4, Int64(device.isActivated ? 1 : 0))
    statement.bind(5, device.type)
    statement.bind(6, device.venue?.rawValue)
    try bind(statement, 7, device.secret, "secret", device.id)
    statement.bind(8, device.state)
    states[device.id] = nil
    try statement.run()
    let number = try number(of: device.id)
    try forgetSecrets(number)
    for activation in device.activations {
      let insertion = try self.statement("INSERT INTO activation VALUES (?, ?, ?, ?, ?)")
      insertion.bind(1, number)
      insertion.bind(2, activation.venue.rawValue)
      try bind(insertion, 3, activation.secret, "secret for \(activation.venue)", device.id)
      try bind(insertion, 4, activation.authToken, "token for \(activation.venue)", device.id)
      insertion.bind(5, activation.expiresAt?.milliseconds)
      try insertion.run()
    }
    for (erased, secret) in device.erasureSecrets {
      let insertion = try self.statement("INSERT INTO erasure VALUES (?, ?, ?)")
      insertion.bind(1, number)
      insertion.bind(2, erased.rawValue)
      try bind(insertion, 3, secret, "secret of \(erased)", device.id)
      try insertion.run()
    }
    try save(device.notices, of: device.id, number)
  }

  private func forgetSecrets(_ device: Int64) throws(StoreError) {
    for sql in ["DELETE FROM activation WHERE deviceNumber = ?", "DELETE FROM erasure WHERE deviceNumber = ?"] {
      let deletion = try statement(sql)
      deletion.bind(1, device)
      if try deletion.run() > 0 { needsRewrite = true }
    }
  }

  /// See `Store.save(state:of:)`.
  public func save(state: [UInt8], of device: DeviceID) throws(StoreError) {
    if isGrouped { states[device] = state } else { try write(state, of: device) }
  }

  func write(_ state: [UInt8], of device: DeviceID) throws(StoreError) {
    let statement = try self.statement("UPDATE device SET state = ? WHERE number = ?")
    statement.bind(1, state)
    statement.bind(2, try number(of: device))
    try statement.run()
  }

  /// See `Store.remove(_:)`.
  public func remove(_ device: DeviceID) throws(StoreError) {
    let selection = try self.statement("SELECT number FROM device WHERE id = ?")
    selection.bind(1, device.rawValue)
    guard try selection.step() else { return }
    let number = selection.int(0)
    selection.reset()
    _ = try wipe(device)
    needsRewrite = true
    try forgetSecrets(number)
    try forgetNotices(number)
    let statement = try self.statement("DELETE FROM device WHERE id = ?")
    statement.bind(1, device.rawValue)
    try statement.run()
    numbers[device] = nil
    states[device] = nil
  }

  /// Returns the number of a device in the file.
  func number(of device: DeviceID) throws(StoreError) -> Int64 {
    if let number = numbers[device] { return number }
    let statement = try self.statement("SELECT number FROM device WHERE id = ?")
    statement.bind(1, device.rawValue)
    defer { statement.reset() }
    guard try statement.step() else { throw StoreError(.failed, "device \(device) was never saved") }
    let number = statement.int(0)
    numbers[device] = number
    return number
  }

  /// Returns the number of a version of a venue, and adds it if necessary.
  func number(of bundle: Bundle) throws(StoreError) -> Int64 {
    if let number = bundles[bundle] { return number }
    let insertion = try statement("INSERT OR IGNORE INTO bundle (venueId, venueHash) VALUES (?, ?)")
    insertion.bind(1, bundle.venue.rawValue)
    insertion.bind(2, bundle.hash)
    try insertion.run()
    let statement = try self.statement("SELECT number FROM bundle WHERE venueId = ? AND venueHash = ?")
    statement.bind(1, bundle.venue.rawValue)
    statement.bind(2, bundle.hash)
    defer { statement.reset() }
    guard try statement.step() else { throw StoreError(.failed, "bundle of \(bundle.venue) is not there") }
    bundles[bundle] = statement.int(0)
    return statement.int(0)
  }

  /// Returns the version of a venue with a number.
  func bundle(_ number: Int64) throws(StoreError) -> Bundle {
    if let bundle = bundleNames[number] { return bundle }
    let statement = try self.statement("SELECT venueId, venueHash FROM bundle WHERE number = ?")
    statement.bind(1, number)
    defer { statement.reset() }
    guard try statement.step(), let venue = statement.optionalText(0).flatMap(VenueID.init(_:)),
      let hash = statement.optionalText(1)
    else { throw StoreError(.corrupt, "bundle \(number) is not there") }
    let bundle = Bundle(venue: venue, hash: hash)
    bundleNames[number] = bundle
    return bundle
  }
}
