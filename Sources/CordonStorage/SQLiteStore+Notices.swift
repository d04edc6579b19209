import CordonCore
import CordonMonitoring
import CordonSQLite

extension SQLiteStore {
  /// Returns the exposure notices of a device, oldest first. Notices that can never be opened again are left out.
  func notices(of device: DeviceID, _ number: Int64) throws(StoreError) -> [ExposureNotice] {
    let row = try statement(
      """
      SELECT number, contents, createdAt, expiresAt, receivedAt, acknowledgedAt, isSent FROM notice
      WHERE deviceNumber = ? ORDER BY number
      """)
    row.bind(1, number)
    var notices: [ExposureNotice] = []
    while try row.step() {
      guard let contents = try text(row, 1, "notice \(row.int(0))", device) else { continue }
      let parts = contents.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      notices.append(
        ExposureNotice(
          id: row.int(0), template: String(parts[0]), day: String(parts[1]), advice: String(parts[2]),
          created: Instant(milliseconds: row.int(2)), expires: Instant(milliseconds: row.int(3)),
          received: Instant(milliseconds: row.int(4)),
          acknowledged: row.optionalInt(5).map(Instant.init(milliseconds:)), isAcknowledgementSent: row.int(6) != 0))
    }
    return notices
  }

  /// Replaces the exposure notices of a device.
  func save(_ notices: [ExposureNotice], of device: DeviceID, _ number: Int64) throws(StoreError) {
    try forgetNotices(number)
    for notice in notices {
      let insertion = try statement("INSERT OR REPLACE INTO notice VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      insertion.bind(1, number)
      insertion.bind(2, notice.id)
      // Neither name holds a line break; the advice may.
      let head = [notice.template, notice.day].map { $0.filter { !$0.isNewline } }
      try bind(insertion, 3, (head + [notice.advice]).joined(separator: "\n"), "notice \(notice.id)", device)
      insertion.bind(4, notice.created.milliseconds)
      insertion.bind(5, notice.expires.milliseconds)
      insertion.bind(6, notice.received.milliseconds)
      insertion.bind(7, notice.acknowledged?.milliseconds)
      insertion.bind(8, Int64(notice.isAcknowledgementSent ? 1 : 0))
      try insertion.run()
    }
  }

  /// Deletes the exposure notices of a device.
  func forgetNotices(_ number: Int64) throws(StoreError) {
    let deletion = try statement("DELETE FROM notice WHERE deviceNumber = ?")
    deletion.bind(1, number)
    if try deletion.run() > 0 { needsRewrite = true }
  }
}
