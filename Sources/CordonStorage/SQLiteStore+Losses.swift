public import CordonCore
public import CordonMonitoring
import CordonSQLite

extension SQLiteStore {
  /// Removes a row that can never be opened again, and counts it for ``takeUnreadableRows(of:)``.
  func lose(_ name: FixID, of device: Int64) throws(StoreError) {
    let isSetAside = try isQuarantined(device, name)
    for sink in sinks.sorted() { try dropDelivery(device, sink, name) }
    let deletion = try statement("DELETE FROM locationRow WHERE deviceNumber = ? AND fixHigh = ? AND fixLow = ?")
    deletion.bind(1, device)
    deletion.bind(name, at: 2)
    try deletion.run()
    let count = try statement(
      isSetAside
        ? "UPDATE device SET lostQuarantined = lostQuarantined + 1 WHERE number = ?"
        : "UPDATE device SET lostWaiting = lostWaiting + 1 WHERE number = ?")
    count.bind(1, device)
    try count.run()
  }

  /// See `Store.takeUnreadableRows(of:)`.
  public func takeUnreadableRows(of device: DeviceID) throws(StoreError) -> DeletionCount {
    guard seal != nil else { return DeletionCount(waiting: 0, quarantined: 0) }
    let selection = try statement("SELECT lostWaiting, lostQuarantined FROM device WHERE id = ?")
    selection.bind(1, device.rawValue)
    guard try selection.step() else { return DeletionCount(waiting: 0, quarantined: 0) }
    // A damaged file can contain any number.
    let counts = [selection.int(0), selection.int(1)].map { Int(min(max($0, 0), 1 << 32)) }
    let removal = DeletionCount(waiting: counts[0], quarantined: counts[1])
    selection.reset()
    if removal.waiting + removal.quarantined > 0 {
      let update = try statement("UPDATE device SET lostWaiting = 0, lostQuarantined = 0 WHERE id = ?")
      update.bind(1, device.rawValue)
      try update.run()
    }
    return removal
  }
}
