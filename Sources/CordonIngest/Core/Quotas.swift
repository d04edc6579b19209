internal import CordonCore

/// How much a device sent in this hour, and how often a peer failed in this minute.
///
/// Both are in memory and bounded: they keep a server usable, and are no record.
struct Quotas {
  private var hour: Int64 = 0
  private var rows: [Int64: Int] = [:]
  private var minute: Int64 = 0
  private var failures: [String: Int] = [:]
  /// The most peers that are told apart; the others share one count.
  static let maximumPeers = 10_000

  /// Counts rows of a device; answers the seconds to wait if they are too many.
  mutating func take(_ count: Int, device: Int64, limit: Int, now: Instant) -> Int? {
    let hour = now.milliseconds / 3_600_000
    if hour != self.hour {
      self.hour = hour
      rows.removeAll(keepingCapacity: true)
    }
    let sum = rows[device, default: 0] + count
    guard sum <= limit else { return max(1, Int((hour + 1) * 3_600_000 - now.milliseconds) / 1_000) }
    rows[device] = sum
    return nil
  }

  /// Whether a peer failed too often; the seconds to wait.
  mutating func wait(for peer: String, limit: Int, now: Instant) -> Int? {
    roll(now)
    guard failures[key(peer), default: 0] >= limit else { return nil }
    return max(1, Int((minute + 1) * 60_000 - now.milliseconds) / 1_000)
  }

  /// Counts a failure.
  mutating func fail(_ peer: String, now: Instant) {
    roll(now)
    failures[key(peer), default: 0] += 1
  }

  private func key(_ peer: String) -> String {
    failures.count < Quotas.maximumPeers || failures[peer] != nil ? peer : ""
  }

  private mutating func roll(_ now: Instant) {
    let minute = now.milliseconds / 60_000
    guard minute != self.minute else { return }
    self.minute = minute
    failures.removeAll(keepingCapacity: true)
  }
}
