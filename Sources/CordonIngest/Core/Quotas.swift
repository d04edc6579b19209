internal import CordonCore

/// How much a device sent in this hour.
///
/// The counts are in memory and bounded by the number of devices: they keep a server usable, and are not a record.
struct Quotas {
  private var hour: Int64 = 0
  private var rows: [Int64: Int] = [:]

  /// Counts rows of a device; answers the seconds to wait if they are too many.
  mutating func take(_ count: Int, device: Int64, limit: Int, now: Instant) -> Int? {
    let hour = now.milliseconds / 3_600_000
    if hour != self.hour {
      self.hour = hour
      rows.removeAll(keepingCapacity: true)
    }
    let sum = rows[device, default: 0] + count
    guard sum <= limit else { return Self.wait(forHourAfter: hour, now: now) }
    rows[device] = sum
    return nil
  }

  /// The seconds until an hour, counted since 1970, is over; at least 1.
  static func wait(forHourAfter hour: Int64, now: Instant) -> Int {
    max(1, Int((hour + 1) * 3_600_000 - now.milliseconds) / 1_000)
  }

  /// Takes back what was counted for rows that could not be stored.
  mutating func giveBack(_ count: Int, device: Int64) {
    if let sum = rows[device] { rows[device] = max(0, sum - count) }
  }
}
