internal import CordonCore
package import CordonIngest

extension PostgresPositionStore {
  /// See ``PositionStore/expire(_:)``.
  ///
  /// A day that is past as a whole goes with its partition, however many rows are left in it; of the day that the limit falls into
  /// rows are deleted, so that retention is as exact as in a file.
  package func expire(_ limits: RetentionLimits) throws(StoreFault) -> RetentionReport {
    var report = RetentionReport()
    let cutoff = SQLitePositionStore.high(of: limits.positions.milliseconds)
    if let dropped = try dropPartitions(before: cutoff) {
      // Readers wait while the lock on the table is held: the rest follows in a transaction of its own.
      report.positions = dropped
      report.isPartial = true
      return report
    }
    try expirePositions(limits, cutoff, &report)
    report.contacts = try delete("contact WHERE end_time < $1", limits.contacts.milliseconds * 1_000)
    report.others += try delete("audit WHERE time < $1", limits.audit.milliseconds)
    report.others += try delete("tombstone WHERE time < $1", limits.tombstones.milliseconds)
    report.others += try delete("batch WHERE time < $1", limits.batches.milliseconds)
    // A used-up code is not needed to activate the same device again: that is found by what the device says.
    report.others += Int64(
      try run(
        """
        DELETE FROM invite_code WHERE expires < $1 OR (uses >= maximum_uses AND created < $1)
          OR (expires IS NULL AND uses = 0 AND created < $2)
        """, [.int(limits.invites.milliseconds), .int(limits.unusedInvites.milliseconds)]
      ).changes)
    try expireLog(limits)
    try expireViewers(before: limits.positions.milliseconds)
    try post("DELETE FROM quota WHERE hour < $1", [.int(limits.batches.milliseconds / 3_600_000)])
    heldDevices.removeAll()
    // Devices that were named by somebody who never came back with the secret: they have no rows.
    report.others += try delete(
      """
      device WHERE pending_secret IS NOT NULL AND last_seen < $1
        AND NOT EXISTS (SELECT 1 FROM presence AS p WHERE p.device = device.number)
      """, limits.batches.milliseconds)
    try expireDevices(before: limits.devices, &report)
    return report
  }

  private func delete(_ what: String, _ limit: Int64) throws(StoreFault) -> Int64 {
    Int64(try run("DELETE FROM \(what)", [.int(limit)]).changes)
  }

  private func expireViewers(before time: Int64) throws(StoreFault) {
    try post("DELETE FROM viewer_count WHERE start_time < $1", [.int(time)])
    try post("DELETE FROM viewer_place WHERE time < $1", [.int(time)])
    try post(
      """
      DELETE FROM viewer_member AS m WHERE NOT EXISTS (
        SELECT 1 FROM viewer_place AS p WHERE p.venue = m.venue AND p.floor = m.floor AND p.space = m.space)
      """)
  }

  // MARK: Positions

  /// Drops the partitions of days that ended before a time; returns how many rows they had. `nil` when there is none, or when
  /// queries use the table at the moment: the next call tries again.
  private func dropPartitions(before cutoff: Int64) throws(StoreFault) -> Int64? {
    let old = try partitions().filter { $0.end <= cutoff }
    guard !old.isEmpty else { return nil }
    var count: Int64 = 0
    for partition in old { count += try run("SELECT count(*) FROM \(partition.name)").int(0, 0) }
    try run("SAVEPOINT dropping")
    do throws(StoreFault) {
      try run("LOCK TABLE position IN ACCESS EXCLUSIVE MODE NOWAIT")
    } catch {
      guard error.kind == .busy else { throw error }
      try run("ROLLBACK TO SAVEPOINT dropping")
      return nil
    }
    for partition in old { try run("DROP TABLE \(partition.name)") }
    days.removeAll()
    return count
  }

  /// The devices that are looked through with one statement.
  private static let devicesAtOnce = 2_000

  private func expirePositions(
    _ limits: RetentionLimits, _ cutoff: Int64, _ report: inout RetentionReport
  ) throws(StoreFault) {
    let first = limits.positions.milliseconds
    var deleted: Int64 = 0
    defer { report.positions += deleted }
    var after = Int64.min
    while true {
      let due = try run(
        """
        SELECT d.device, (SELECT count(*) FROM position AS p WHERE p.device = d.device AND p.high < $2)
        FROM (SELECT DISTINCT device FROM presence WHERE first < $1 AND device > $3 ORDER BY device LIMIT $4) AS d
        ORDER BY d.device
        """, [.int(first), .int(cutoff), .int(after), .int(Int64(Self.devicesAtOnce))])
      var whole: [Int64] = []
      var room = Int64(limits.maximumPositions) - deleted
      var isFull = false
      for row in due.indices {
        let (device, count) = (due.int(row, 0), due.int(row, 1))
        guard room > 0, count <= room else {
          isFull = true
          // Some of one millisecond are not parted.
          if room > 0 { deleted += try deleteOldest(of: device, count: room, before: cutoff) }
          break
        }
        whole.append(device)
        room -= count
        after = device
      }
      deleted += try forget(whole, first: first, cutoff: cutoff)
      if isFull { report.isPartial = true }
      if isFull || due.count < Self.devicesAtOnce { return }
    }
  }

  /// Deletes the old positions of devices; returns their number.
  private func forget(_ devices: [Int64], first: Int64, cutoff: Int64) throws(StoreFault) -> Int64 {
    guard !devices.isEmpty else { return 0 }
    let count = try run("DELETE FROM position WHERE device = ANY($1) AND high < $2", [.ints(devices), .int(cutoff)])
      .changes
    try post("DELETE FROM presence WHERE device = ANY($1) AND last < $2", [.ints(devices), .int(first)])
    try post("UPDATE presence SET first = $2 WHERE device = ANY($1) AND first < $2", [.ints(devices), .int(first)])
    return Int64(count)
  }

  private func deleteOldest(of device: Int64, count: Int64, before cutoff: Int64) throws(StoreFault) -> Int64 {
    let next = try run(
      "SELECT high FROM position WHERE device = $1 AND high < $2 ORDER BY high, low LIMIT 1 OFFSET $3",
      [.int(device), .int(cutoff), .int(count)])
    guard next.count > 0 else { return 0 }
    return Int64(
      try run("DELETE FROM position WHERE device = $1 AND high <= $2", [.int(device), .int(next.int(0, 0))]).changes)
  }

  private func expireDevices(before time: Instant, _ report: inout RetentionReport) throws(StoreFault) {
    let silent = try run(
      """
      SELECT number FROM device AS d WHERE last_seen < $1
        AND NOT EXISTS (SELECT 1 FROM presence AS p WHERE p.device = d.number)
        AND NOT EXISTS (SELECT 1 FROM contact AS c WHERE c.first = d.number)
        AND NOT EXISTS (SELECT 1 FROM contact AS c WHERE c.second = d.number)
      ORDER BY number LIMIT $2
      """, [.int(time.milliseconds), .int(Int64(SQLitePositionStore.maximumSilentDevices))])
    for row in silent.indices { _ = try erase(device: silent.int(row, 0)) }
    report.devices = Int64(silent.count)
    if silent.count == SQLitePositionStore.maximumSilentDevices { report.isPartial = true }
  }
}
