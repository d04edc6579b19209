internal import CordonCore
package import CordonIngest

extension PostgresPositionStore: SharedStore {
  /// What this server holds. All of it ends with the connection.
  struct Holdings {
    /// The epochs of leases, by venue.
    var epochs: [Int64: Int64] = [:]
    /// The number of the last erasure of each venue that was heard of.
    var erasures: [Int64: Int64] = [:]
    /// The number of the last erasure that was heard of.
    var lastErasure: Int64 = 0
    /// Whether it does the work that one server does for all.
    var isMaintainer = false
    /// The venues whose lease was confirmed in this transaction.
    var confirmed: [Int64: Bool] = [:]
    /// The venues whose lease the last transaction needed: the next one confirms them at its start.
    var used: [Int64] = []
    /// Until when leases that were given back are left to other servers.
    var left: [Int64: ContinuousClock.Instant] = [:]
    /// Until when this server counts as one that gets rows of venues whose lease another one has.
    var wanted: [Int64: ContinuousClock.Instant] = [:]
    /// When the server reports next that it lives.
    var nextReport = ContinuousClock.now
  }

  // MARK: One after the other

  /// See ``SharedStore/beginAlone()``.
  package func beginAlone() {
    guard !options.isReadOnly else { return }
    do throws(StoreFault) {
      try open().run("SELECT pg_advisory_lock($1)", [.int(AdvisoryLock.alone)])
      alone = .held
    } catch {
      alone = .lost
    }
  }

  /// See ``SharedStore/endAlone()``.
  package func endAlone() {
    let wasHeld = alone == .held
    alone = .none
    guard wasHeld, let connection = live else { return }
    // Without a connection the database has released it.
    do throws(StoreFault) {
      try connection.run("SELECT pg_advisory_unlock($1)", [.int(AdvisoryLock.alone)])
    } catch {
      disconnect()
    }
  }

  // MARK: Leases

  /// See ``SharedStore/isMaintainer``.
  package var isMaintainer: Bool { holdings.isMaintainer }

  /// See ``SharedStore/tend()``.
  ///
  /// A lease is an advisory lock of the session, which ends with the connection, and an epoch. The epoch counts the holders. Every
  /// transaction that changes contacts locks the row of the lease and compares the epoch: a server that lost its lease without
  /// noticing changes nothing any more.
  package func tend() throws(StoreFault) {
    let now = ContinuousClock.now
    // Each report is a commit.
    let reports = now >= holdings.nextReport
    if reports {
      try run(
        """
        INSERT INTO server (id, seen) VALUES ($1, clock_timestamp()) ON CONFLICT (id) DO UPDATE SET seen = clock_timestamp()
        """, [.text(options.server ?? "")])
      holdings.nextReport = now + Self.reportPause
    }
    if !holdings.isMaintainer {
      let isFree = try run("SELECT pg_try_advisory_lock($1)", [.int(AdvisoryLock.maintenance)]).int(0, 0) != 0
      holdings.isMaintainer = isFree
    }
    if holdings.isMaintainer {
      if reports { try run("DELETE FROM server WHERE seen < clock_timestamp() - interval '1 minute'") }
      try tendVacuum()
    }
    holdings.left = holdings.left.filter { $0.value > now }
    holdings.wanted = holdings.wanted.filter { $0.value > now }
    let held = (Array(holdings.epochs.keys) + holdings.left.keys).sorted()
    // The locks are tried after the venues were chosen, not while they are. A lease that was given back is left to servers that get
    // rows of the venue at first.
    let tried = try run(
      """
      SELECT v.number, pg_try_advisory_lock($1::integer, v.number::integer)
      FROM (
        SELECT number FROM venue WHERE number <> ALL ($2) AND (number = ANY ($3) OR NOT EXISTS (
          SELECT 1 FROM lease WHERE lease.venue = venue.number AND given_back > clock_timestamp() - interval '5 seconds'))
        ORDER BY number OFFSET 0) AS v
      """, [.int(AdvisoryLock.venues), .ints(held), .ints(holdings.wanted.keys.sorted())])
    let free = tried.indices.filter { tried.int($0, 1) != 0 }.map { tried.int($0, 0) }
    guard !free.isEmpty else { return }
    // Waits for transactions of the former holder that are still going on.
    let taken = try run(
      """
      INSERT INTO lease (venue, owner, epoch, taken) SELECT v, $1, 1, clock_timestamp() FROM unnest($2) AS v
      ON CONFLICT (venue) DO UPDATE
      SET owner = $1, epoch = lease.epoch + 1, taken = clock_timestamp(), given_back = NULL
      RETURNING venue, epoch
      """, [.text(options.server ?? ""), .ints(free)])
    for row in taken.indices { holdings.epochs[taken.int(row, 0)] = taken.int(row, 1) }
  }

  /// The time between two reports that a server lives.
  private static let reportPause = Duration.seconds(15)
  /// For how long a server leaves a lease that it gave back to others, and servers without rows of the venue to those with rows.
  private static let leavePause = Duration.seconds(5)
  /// For how long a server that got rows of a venue counts as one that gets them.
  private static let wantedPause = Duration.seconds(30)

  /// See ``SharedStore/giveBack(_:)``.
  package func giveBack(_ venue: Int64) throws(StoreFault) {
    guard holdings.epochs.removeValue(forKey: venue) != nil else { return }
    holdings.left[venue] = ContinuousClock.now + Self.leavePause
    try run("UPDATE lease SET given_back = clock_timestamp() WHERE venue = $1", [.int(venue)])
    try run(
      "SELECT pg_advisory_unlock($1::integer, $2::integer)", [.int(AdvisoryLock.venues), .int(venue)])
    try run("SELECT pg_notify($1, $2)", [.text(PostgresHints.channel), .text(hint("free"))])
  }

  /// See ``SharedStore/leave()``.
  package func leave() {
    guard let connection = live else { return }
    do throws(StoreFault) {
      try connection.run("SELECT pg_advisory_unlock_all()")
      holdings = Holdings()
      try connection.run("DELETE FROM server WHERE id = $1", [.text(options.server ?? "")])
      try connection.run("SELECT pg_notify($1, $2)", [.text(PostgresHints.channel), .text(hint("free"))])
    } catch {
      // The end of the connection frees the leases as well.
      disconnect()
    }
  }

  func hint(_ word: String) -> String { "\(options.server ?? "") \(word)" }

  /// The time between two hints of a server.
  private static let hintPause = Duration.milliseconds(200)

  /// Hints to the holder of a lease that there are late rows. Without the hint, or when it is lost, the holder looks within a second.
  func hintLateRows(of venue: Int64) throws(StoreFault) {
    guard options.server != nil, holdings.epochs[venue] == nil else { return }
    let now = ContinuousClock.now
    holdings.wanted[venue] = now + Self.wantedPause
    guard now >= nextHint else { return }
    nextHint = now + Self.hintPause
    try post("SELECT pg_notify($1, $2)", [.text(PostgresHints.channel), .text(hint("late"))])
  }

  /// The leases that are confirmed at the start of a transaction at most.
  private static let maximumUsed = 64

  /// Learns of erasures, and keeps others from beginning before the transaction ends. Confirms the leases that the last transaction
  /// needed, in the same round trip.
  func holdErasures() throws(StoreFault) {
    let used = holdings.used.filter { holdings.epochs[$0] != nil }.prefix(Self.maximumUsed)
    let rows = try run(
      """
      SELECT 0::bigint, number FROM (SELECT number FROM erasure FOR SHARE) AS e UNION ALL
      SELECT venue, epoch FROM (SELECT venue, epoch FROM lease WHERE owner = $1 AND venue = ANY ($2) FOR SHARE) AS l
      """, [.text(options.server ?? ""), .ints(Array(used))])
    var number = holdings.lastErasure
    var epochs: [Int64: Int64] = [:]
    for row in rows.indices {
      let venue = rows.int(row, 0)
      if venue == 0 { number = rows.int(row, 1) } else { epochs[venue] = rows.int(row, 1) }
    }
    for venue in used { confirm(venue, epochs[venue] == holdings.epochs[venue]) }
    guard number != holdings.lastErasure else { return }
    let erased = try run("SELECT venue, number FROM erased_venue WHERE number > $1", [.int(holdings.lastErasure)])
    for row in erased.indices { holdings.erasures[erased.int(row, 0)] = erased.int(row, 1) }
    holdings.lastErasure = number
  }

  /// Notes within a transaction whether a lease is still that of this server.
  private func confirm(_ venue: Int64, _ isHeld: Bool) {
    if !isHeld { holdings.epochs[venue] = nil }
    if isInTransaction { holdings.confirmed[venue] = isHeld }
  }

  /// Notes an erasure, first of all that it does. Waits for transactions that change contacts.
  func noteErasure(of device: Int64) throws(StoreFault) {
    let number = try run("UPDATE erasure SET number = number + 1 RETURNING number").int(0, 0)
    try post(
      """
      INSERT INTO erased_venue (venue, number) SELECT DISTINCT venue, $2 FROM presence WHERE device = $1
      ON CONFLICT (venue) DO UPDATE SET number = $2
      """, [.int(device), .int(number)])
  }

  /// See ``SharedStore/lease(of:)``.
  package func lease(of venue: Int64) throws(StoreFault) -> VenueLease? {
    guard let epoch = holdings.epochs[venue] else { return nil }
    if holdings.confirmed[venue] == nil {
      let rows = try run(
        "SELECT 1 FROM lease WHERE venue = $1 AND owner = $2 AND epoch = $3 FOR SHARE",
        [.int(venue), .text(options.server ?? ""), .int(epoch)])
      confirm(venue, rows.count > 0)
      guard rows.count > 0 else { return nil }
    }
    return VenueLease(epoch: epoch, revision: holdings.erasures[venue] ?? 0)
  }

  // MARK: Quotas and devices

  /// See ``SharedStore/count(_:of:hour:limit:)``. What other servers count at the same moment is not seen: a device that sends to
  /// several can exceed the limit by what is in their transactions.
  package func count(_ rows: Int, of device: Int64, hour: Int64, limit: Int) throws(StoreFault) -> Bool {
    let key = Expected.Hour(device: device, hour: hour)
    if expected.rows[key] == nil {
      let found = try run("SELECT rows FROM quota WHERE device = $1 AND hour = $2", [.int(device), .int(hour)])
      expected.rows[key] = found.count > 0 ? found.int(0, 0) : 0
    }
    let sum = (expected.rows[key] ?? 0) + Int64(rows)
    guard sum <= Int64(limit) else { return false }
    expected.rows[key] = isInTransaction ? sum : nil
    countedRows[key, default: 0] += Int64(rows)
    if !isInTransaction { try flushCounts() }
    return true
  }

  /// Writes the counts of rows. In the order of devices, so that two servers lock them in the same order.
  func flushCounts() throws(StoreFault) {
    guard !countedRows.isEmpty else { return }
    let counts = countedRows.sorted { ($0.key.device, $0.key.hour) < ($1.key.device, $1.key.hour) }
    countedRows.removeAll(keepingCapacity: true)
    try post(
      """
      INSERT INTO quota (device, hour, rows) SELECT * FROM unnest($1, $2, $3)
      ON CONFLICT (device, hour) DO UPDATE SET rows = quota.rows + excluded.rows
      """, [.ints(counts.map { $0.key.device }), .ints(counts.map { $0.key.hour }), .ints(counts.map { $0.value })])
  }

  /// See ``SharedStore/touch(device:at:)``.
  package func touch(device number: Int64, at milliseconds: Int64) throws(StoreFault) {
    try post("UPDATE device SET last_seen = $2 WHERE number = $1", [.int(number), .int(milliseconds)])
  }

  /// See ``SharedStore/describe(venue:spaces:)``.
  package func describe(venue number: Int64, spaces: [SpaceOutline]) throws(StoreFault) {
    try post("DELETE FROM space_outline WHERE venue = $1", [.int(number)])
    try post(
      """
      INSERT INTO space_outline (venue, space, floor, area, outline)
      SELECT $1, u.* FROM unnest($2, $3, $4, $5) AS u (space, floor, area, outline)
      """,
      [
        .int(number), .optionalTexts(spaces.map { $0.id.rawValue }), .smallInts(spaces.map { $0.floor.thousandths }),
        .reals(spaces.map { $0.area }), .optionalTexts(spaces.map { $0.text }),
      ])
  }
}
