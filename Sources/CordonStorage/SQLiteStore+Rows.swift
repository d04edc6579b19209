public import CordonCore
public import CordonMonitoring
import CordonSQLite

extension SQLiteStore {
  /// Returns the name of a location in the file.
  func name(of id: FixID) -> FixID { seal?.name(of: id) ?? id }

  /// See `Store.insert(_:sinks:)`.
  public func insert(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    let device = try number(of: location.device)
    let bundle = try number(of: Bundle(venue: location.venue, hash: location.venueHash))
    let name = name(of: location.id)
    let row = try statement("INSERT OR IGNORE INTO locationRow VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    row.bind(1, device)
    row.bind(name, at: 2)
    row.bind(8, location.time.milliseconds)
    row.bind(9, location.stillUntil?.milliseconds)
    row.bind(11, bundle)
    row.bind(12, Int64(location.isMocked ? 1 : 0))
    if let seal {
      let contents = Seal.Contents(
        id: location.id, coordinate: location.coordinate, accuracy: location.accuracy, floor: location.floor,
        space: location.space)
      for column in [4, 5, 6, 7, 10] as [Int32] { row.bindNull(column) }
      row.bind(13, try seal.seal(contents, as: name, of: device))
    } else {
      row.bind(4, location.coordinate.longitude)
      row.bind(5, location.coordinate.latitude)
      row.bind(6, location.accuracy)
      row.bind(7, location.floor.map { Int64($0.thousandths) })
      row.bind(10, location.space?.rawValue)
      row.bindNull(13)
    }
    guard try row.run() > 0 else { return false }
    let delivery = try statement("INSERT INTO delivery VALUES (?, ?, ?, ?, 0, 0, 0, NULL)")
    delivery.bind(1, device)
    delivery.bind(name, at: 3)
    for sink in sinks.members {
      self.sinks.insert(sink.number)
      delivery.bind(2, Int64(sink.number))
      try delivery.run()
    }
    return true
  }

  /// See `Store.extend(_:sinks:)`.
  public func extend(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    if try insert(location, sinks: sinks) { return true }
    let update = try statement(
      """
      UPDATE locationRow SET stillUntil = ?4
      WHERE deviceNumber = ?1 AND fixHigh = ?2 AND fixLow = ?3 AND ?4 > coalesce(stillUntil, createdAt)
      """)
    update.bind(1, try number(of: location.device))
    update.bind(name(of: location.id), at: 2)
    update.bind(4, location.stillUntil?.milliseconds)
    guard try update.run() > 0, sinks.members.count > 1 else { return false }
    // A sink that acknowledged the shorter stay, while another had not, gets the longer one too.
    let delivery = try statement("INSERT OR IGNORE INTO delivery VALUES (?, ?, ?, ?, 0, 0, 0, NULL)")
    delivery.bind(1, try number(of: location.device))
    delivery.bind(name(of: location.id), at: 3)
    for sink in sinks.members {
      delivery.bind(2, Int64(sink.number))
      try delivery.run()
    }
    return false
  }

  /// See `Store.lease(_:sink:venue:limit:now:until:)`.
  public func lease(
    _ device: DeviceID, sink: SinkID, venue: VenueID?, limit: Int, now: Instant, until: Instant
  ) throws(StoreError) -> [Location] {
    guard limit > 0 else { return [] }
    let number = try number(of: device)
    let venue = try filter(venue)
    // A lease that ends later than any new lease would is older than a change of the clock.
    let selection = try statement(
      """
      SELECT r.fixHigh, r.fixLow, longitude, latitude, accuracy, floor, createdAt, stillUntil, space, bundleNumber,
        sealed, mocked
      FROM delivery AS d JOIN locationRow AS r USING (deviceNumber, fixHigh, fixLow)
      WHERE deviceNumber = ?1 AND sink = ?2 AND (status = 0 OR (status = 1 AND (leaseEnd <= ?3 OR leaseEnd > ?4)))
        \(venue == nil ? "" : "AND bundleNumber IN (SELECT number FROM bundle WHERE venueId = ?6)")
      ORDER BY d.fixHigh, d.fixLow LIMIT ?5
      """)
    selection.bind(1, number)
    selection.bind(2, Int64(sink.number))
    selection.bind(3, now.milliseconds)
    selection.bind(4, until.milliseconds)
    selection.bind(5, Int64(limit))
    if let venue { selection.bind(6, venue.rawValue) }
    var names: [FixID] = []
    var lost: [FixID] = []
    var locations: [Location] = []
    while try selection.step() {
      let name = selection.id(at: 0)
      if let location = try location(selection, device, number) {
        names.append(name)
        locations.append(location)
      } else {
        lost.append(name)
      }
    }
    // An unreadable row can never be sent, and must not block the others.
    for name in lost { try lose(name, of: number) }
    guard let last = names.last else { return locations }
    // Without a venue filter, one statement leases all rows up to the last one.
    let update = try statement(
      """
      UPDATE delivery SET status = 1, leaseEnd = ?1, attempts = attempts + 1
      WHERE deviceNumber = ?2 AND sink = ?3 AND
      \(venue == nil ? "(fixHigh, fixLow) <= (?4, ?5)" : "fixHigh = ?4 AND fixLow = ?5")
      AND (status = 0 OR (status = 1 AND (leaseEnd <= ?6 OR leaseEnd > ?7)))
      """)
    update.bind(1, until.milliseconds)
    update.bind(2, number)
    update.bind(3, Int64(sink.number))
    update.bind(6, now.milliseconds)
    update.bind(7, until.milliseconds)
    for name in venue == nil ? [last] : names {
      update.bind(name, at: 4)
      try update.run()
    }
    return locations
  }

  /// Returns the venue filter of a query; `nil` if every row is of that venue, so that no join is necessary.
  private func filter(_ venue: VenueID?) throws(StoreError) -> VenueID? {
    guard let venue else { return nil }
    let others = try statement("SELECT 1 FROM bundle WHERE venueId <> ? LIMIT 1")
    others.bind(1, venue.rawValue)
    defer { others.reset() }
    return try others.step() ? venue : nil
  }

  /// Reads a row.
  ///
  /// - Returns: the location; `nil` for a sealed row that can never be opened again.
  private func location(
    _ row: PreparedStatement, _ device: DeviceID, _ number: Int64
  ) throws(StoreError) -> Location? {
    let bundle = try bundle(row.int(9))
    let time = Instant(milliseconds: row.int(6))
    let stillUntil = row.optionalInt(7).map(Instant.init(milliseconds:))
    let name = row.id(at: 0)
    if row.isBlob(10) {
      guard let contents = try seal?.open(row.blob(10), as: name, of: number) else { return nil }
      return Location(
        id: contents.id, device: device, venue: bundle.venue, coordinate: contents.coordinate,
        accuracy: contents.accuracy, floor: contents.floor, time: time, stillUntil: stillUntil, space: contents.space,
        venueHash: bundle.hash, isMocked: row.int(11) != 0)
    }
    return Location(
      id: name, device: device, venue: bundle.venue,
      coordinate: Coordinate(longitude: row.double(2), latitude: row.double(3)), accuracy: row.double(4),
      floor: row.optionalInt(5).map { FloorOrdinal(thousandths: Int32(clamping: $0)) }, time: time,
      stillUntil: stillUntil, space: row.optionalText(8).map(SpaceID.init(_:)), venueHash: bundle.hash,
      isMocked: row.int(11) != 0)
  }

  /// See `Store.completeLease(_:sink:rows:required:)`.
  public func completeLease(
    _ device: DeviceID, sink: SinkID, rows: [DeliveryResult], required: SinkSet
  ) throws(StoreError) -> DeliveryCounts {
    var counts = DeliveryCounts()
    let number = try number(of: device)
    let others = sinks.filter { $0 != sink.number && required.contains(SinkID(number: $0)) }
    for var row in rows {
      row.id = name(of: row.id)
      switch row.outcome {
      case .kept: counts.kept += try setStatus(0, number, sink, row.id)
      case .refused:
        if required.contains(sink) {
          let isFirst = try !isQuarantined(number, row.id)
          let changed = try setStatus(2, number, sink, row.id)
          if changed > 0, let reason = row.reason { try keep(reason, number, sink, row.id, device) }
          if isFirst { counts.quarantined += changed }
        } else {
          counts.acknowledged += try dropDelivery(number, sink.number, row.id)
        }
      case .acknowledged:
        guard try dropDelivery(number, sink.number, row.id, unlessQuarantined: true) > 0 else { continue }
        counts.acknowledged += 1
        let isLast = try !isWanted(number, others, row.id)
        if isLast, required.contains(sink) {
          if try dropRow(number, row) {
            for other in sinks where other != sink.number { try dropDelivery(number, other, row.id) }
            counts.removed += 1
          } else {
            try sendAgain(number, sink, row.id)
          }
        } else if try hasGrown(number, row) {
          try sendAgain(number, sink, row.id)
        }
      }
    }
    return counts
  }

  private func setStatus(_ status: Int64, _ device: Int64, _ sink: SinkID, _ id: FixID) throws(StoreError) -> Int {
    let update = try statement(
      """
      UPDATE delivery SET status = ?1, leaseEnd = 0
      WHERE deviceNumber = ?2 AND sink = ?3 AND fixHigh = ?4 AND fixLow = ?5 AND status <> 2
      """)
    update.bind(1, status)
    update.bind(2, device)
    update.bind(3, Int64(sink.number))
    update.bind(id, at: 4)
    return try update.run()
  }

  /// Keeps the reason of a refusal with its row.
  private func keep(
    _ reason: String, _ number: Int64, _ sink: SinkID, _ id: FixID, _ device: DeviceID
  ) throws(StoreError) {
    let update = try statement(
      "UPDATE delivery SET reason = ?1 WHERE deviceNumber = ?2 AND sink = ?3 AND fixHigh = ?4 AND fixLow = ?5")
    try bind(update, 1, reason, SQLiteStore.reasonName, device)
    update.bind(2, number)
    update.bind(3, Int64(sink.number))
    update.bind(id, at: 4)
    try update.run()
  }

  /// The name under which reasons are sealed.
  private static let reasonName = "refusal"

  @discardableResult
  func dropDelivery(
    _ device: Int64, _ sink: UInt8, _ id: FixID, unlessQuarantined: Bool = false
  ) throws(StoreError) -> Int {
    let deletion = try statement(
      "DELETE FROM delivery WHERE deviceNumber = ? AND sink = ? AND fixHigh = ? AND fixLow = ? AND status < ?")
    deletion.bind(1, device)
    deletion.bind(2, Int64(sink))
    deletion.bind(id, at: 3)
    deletion.bind(5, Int64(unlessQuarantined ? 2 : 3))
    return try deletion.run()
  }

  /// Queues a location again that was extended while it was in transit.
  private func sendAgain(_ device: Int64, _ sink: SinkID, _ id: FixID) throws(StoreError) {
    let insertion = try statement(
      """
      INSERT INTO delivery SELECT deviceNumber, ?2, fixHigh, fixLow, 0, 0, 0, NULL FROM locationRow
      WHERE deviceNumber = ?1 AND fixHigh = ?3 AND fixLow = ?4
      """)
    insertion.bind(1, device)
    insertion.bind(2, Int64(sink.number))
    insertion.bind(id, at: 3)
    try insertion.run()
  }

  /// Removes a location unless it was extended since it was sent.
  private func dropRow(_ device: Int64, _ row: DeliveryResult) throws(StoreError) -> Bool {
    let deletion = try statement(
      "DELETE FROM locationRow WHERE deviceNumber = ? AND fixHigh = ? AND fixLow = ? AND stillUntil IS ?")
    deletion.bind(1, device)
    deletion.bind(row.id, at: 2)
    deletion.bind(4, row.stillUntil?.milliseconds)
    return try deletion.run() > 0
  }

  private func hasGrown(_ device: Int64, _ row: DeliveryResult) throws(StoreError) -> Bool {
    let selection = try statement(
      "SELECT stillUntil IS NOT ?4 FROM locationRow WHERE deviceNumber = ?1 AND fixHigh = ?2 AND fixLow = ?3")
    selection.bind(1, device)
    selection.bind(row.id, at: 2)
    selection.bind(4, row.stillUntil?.milliseconds)
    defer { selection.reset() }
    return try selection.step() && selection.int(0) != 0
  }

  private func isWanted(_ device: Int64, _ sinks: Set<UInt8>, _ id: FixID) throws(StoreError) -> Bool {
    for sink in sinks {
      let selection = try statement(
        "SELECT 1 FROM delivery WHERE deviceNumber = ? AND sink = ? AND fixHigh = ? AND fixLow = ?")
      selection.bind(1, device)
      selection.bind(2, Int64(sink))
      selection.bind(id, at: 3)
      defer { selection.reset() }
      if try selection.step() { return true }
    }
    return false
  }

  func isQuarantined(_ device: Int64, _ id: FixID) throws(StoreError) -> Bool {
    for sink in sinks {
      let selection = try statement(
        "SELECT 1 FROM delivery WHERE deviceNumber = ? AND sink = ? AND fixHigh = ? AND fixLow = ? AND status = 2")
      selection.bind(1, device)
      selection.bind(2, Int64(sink))
      selection.bind(id, at: 3)
      defer { selection.reset() }
      if try selection.step() { return true }
    }
    return false
  }

  /// See `Store.queue(of:sink:venue:now:)`.
  public func queue(
    of device: DeviceID, sink: SinkID, venue: VenueID?, now: Instant
  ) throws(StoreError) -> QueueSummary {
    let venue = try filter(venue)
    let source =
      venue == nil
      ? "delivery"
      : """
      delivery JOIN locationRow USING (deviceNumber, fixHigh, fixLow) JOIN bundle
        ON bundle.number = bundleNumber AND venueId = ?4
      """
    let selection = try statement(
      """
      SELECT count(*) FILTER (WHERE status = 0 OR leaseEnd <= ?3), count(*),
        min(fixHigh) FILTER (WHERE status = 0 OR leaseEnd <= ?3)
      FROM \(source) WHERE deviceNumber = ?1 AND sink = ?2 AND status < 2
      """)
    selection.bind(1, try number(of: device))
    selection.bind(2, Int64(sink.number))
    selection.bind(3, now.milliseconds)
    if let venue { selection.bind(4, venue.rawValue) }
    defer { selection.reset() }
    guard try selection.step() else { return QueueSummary(sink: sink, pending: 0, oldest: nil) }
    let pending = Int(selection.int(0))
    let oldest = selection.optionalInt(2).map { FixID(high: UInt64(bitPattern: $0), low: 0).time }
    return QueueSummary(sink: sink, pending: pending, leased: Int(selection.int(1)) - pending, oldest: oldest)
  }

  /// See `Store.bytesPerRow`. A sealed row is longer by its nonce, tag and identifier.
  public var bytesPerRow: Int {
    seal == nil ? MonitorConfiguration.bytesPerRow : MonitorConfiguration.bytesPerSealedRow
  }

  /// See `Store.usage(of:)`.
  public func usage(of device: DeviceID) throws(StoreError) -> StoreUsage {
    let selection = try statement("SELECT count(*) FROM locationRow WHERE deviceNumber = ?")
    selection.bind(1, try number(of: device))
    defer { selection.reset() }
    let rows = try selection.step() ? Int(selection.int(0)) : 0
    return StoreUsage(rows: rows, bytes: rows * bytesPerRow)
  }

  /// See `Store.expire(_:before:)`.
  public func expire(_ device: DeviceID, before time: Instant) throws(StoreError) -> DeletionCount {
    // Identifiers begin with the time.
    let clamped = min(max(time.milliseconds, 0), 0x7fff_ffff_ffff)
    return try remove(FixID(high: UInt64(clamped) << 16, low: 0), of: device)
  }

  /// See `Store.expire(_:oldest:)`.
  public func expire(_ device: DeviceID, oldest count: Int) throws(StoreError) -> DeletionCount {
    guard count > 0 else { return DeletionCount(waiting: 0, quarantined: 0) }
    let selection = try statement(
      "SELECT fixHigh, fixLow FROM locationRow WHERE deviceNumber = ? ORDER BY fixHigh, fixLow LIMIT 1 OFFSET ?")
    selection.bind(1, try number(of: device))
    selection.bind(2, Int64(count))
    guard try selection.step() else { return try wipe(device) }
    let end = FixID(high: UInt64(bitPattern: selection.int(0)), low: UInt64(bitPattern: selection.int(1)))
    selection.reset()
    return try remove(end, of: device)
  }

  /// See `Store.wipe(_:)`.
  public func wipe(_ device: DeviceID) throws(StoreError) -> DeletionCount {
    try remove(FixID(high: UInt64(Int64.max), low: .max), of: device)
  }

  /// See `Store.wipe(_:venue:)`.
  public func wipe(_ device: DeviceID, venue: VenueID) throws(StoreError) -> DeletionCount {
    let number = try number(of: device)
    let isOfVenue = "deviceNumber = ?1 AND bundleNumber IN (SELECT number FROM bundle WHERE venueId = ?2)"
    let ids = "SELECT fixHigh, fixLow FROM locationRow WHERE \(isOfVenue)"
    let selection = try statement(
      """
      SELECT count(DISTINCT fixHigh || ',' || fixLow) FROM delivery
      WHERE deviceNumber = ?1 AND status = 2 AND (fixHigh, fixLow) IN (\(ids))
      """)
    selection.bind(1, number)
    selection.bind(2, venue.rawValue)
    let quarantined = try selection.step() ? Int(selection.int(0)) : 0
    selection.reset()
    let deliveries = try statement("DELETE FROM delivery WHERE deviceNumber = ?1 AND (fixHigh, fixLow) IN (\(ids))")
    deliveries.bind(1, number)
    deliveries.bind(2, venue.rawValue)
    try deliveries.run()
    let deletion = try statement("DELETE FROM locationRow WHERE \(isOfVenue)")
    deletion.bind(1, number)
    deletion.bind(2, venue.rawValue)
    return DeletionCount(waiting: try deletion.run() - quarantined, quarantined: quarantined)
  }

  /// Removes every location before an identifier.
  private func remove(_ end: FixID, of device: DeviceID) throws(StoreError) -> DeletionCount {
    let number = try number(of: device)
    let selection = try statement(
      """
      SELECT count(DISTINCT fixHigh || ',' || fixLow) FROM delivery
      WHERE deviceNumber = ? AND (fixHigh, fixLow) < (?, ?) AND status = 2
      """)
    selection.bind(1, number)
    selection.bind(end, at: 2)
    let quarantined = try selection.step() ? Int(selection.int(0)) : 0
    selection.reset()
    let deletion = try statement("DELETE FROM locationRow WHERE deviceNumber = ? AND (fixHigh, fixLow) < (?, ?)")
    deletion.bind(1, number)
    deletion.bind(end, at: 2)
    let rows = try deletion.run()
    for sink in sinks {
      let deliveries = try statement(
        "DELETE FROM delivery WHERE deviceNumber = ? AND sink = ? AND (fixHigh, fixLow) < (?, ?)")
      deliveries.bind(1, number)
      deliveries.bind(2, Int64(sink))
      deliveries.bind(end, at: 3)
      try deliveries.run()
    }
    // Identifiers begin with the time, sealed or not.
    return DeletionCount(
      waiting: rows - quarantined, quarantined: quarantined, end: Instant(milliseconds: Int64(end.high >> 16)))
  }

  /// See `Store.locations(of:)`. A sealed row that can never be opened again is left out.
  public func locations(of device: DeviceID) throws(StoreError) -> [Location] {
    let selection = try statement(
      """
      SELECT fixHigh, fixLow, longitude, latitude, accuracy, floor, createdAt, stillUntil, space, bundleNumber, sealed,
        mocked
      FROM locationRow WHERE deviceNumber = ? ORDER BY fixHigh, fixLow
      """)
    let number = try number(of: device)
    selection.bind(1, number)
    var locations: [Location] = []
    while try selection.step() {
      if let location = try location(selection, device, number) { locations.append(location) }
    }
    return locations
  }

  /// See `Store.deliveries(of:)`.
  public func deliveries(of device: DeviceID) throws(StoreError) -> [Delivery] {
    let number = try number(of: device)
    let selection = try statement(
      """
      SELECT fixHigh, fixLow, sink, status, leaseEnd, attempts, sealed, reason
      FROM delivery JOIN locationRow USING (deviceNumber, fixHigh, fixLow)
      WHERE deviceNumber = ? ORDER BY fixHigh, fixLow, sink
      """)
    selection.bind(1, number)
    var deliveries: [Delivery] = []
    while try selection.step() {
      var id = selection.id(at: 0)
      if selection.isBlob(6) {
        guard let contents = try seal?.open(selection.blob(6), as: id, of: number) else { continue }
        id = contents.id
      }
      let status: Delivery.Status = [.pending, .leased, .quarantined][Int(min(max(selection.int(3), 0), 2))]
      deliveries.append(
        Delivery(
          id: id, sink: SinkID(number: UInt8(clamping: selection.int(2))), status: status,
          leaseEnd: status == .leased ? Instant(milliseconds: selection.int(4)) : nil, attempts: Int(selection.int(5)),
          reason: try text(selection, 7, SQLiteStore.reasonName, device)))
    }
    return deliveries
  }
}
