internal import CordonCore

/// How much a device sent in this hour, and how often an address failed in this minute: for one name, and at all.
///
/// Failures are counted after the credentials were checked, so right ones always pass, whatever others at the same address do. An
/// address that fails too often is answered with 429 in place of the reason. Where a name is all that a client shows, the count
/// is checked first (``wait(for:name:limit:now:)``).
///
/// Both are in memory and bounded: they keep a server usable, and are not a record.
struct Quotas {
  private var hour: Int64 = 0
  private var rows: [Int64: Int] = [:]
  private var minute: Int64 = 0
  private var failures: [String: Int] = [:]
  private var attempts: [Attempt: Int] = [:]
  /// How many times as often as for one name a peer may fail for all names together.
  static let namesOfPeer = 10
  /// The most names that are counted separately; beyond them the count of the peer is all.
  static let maximumAttempts = 20_000
  /// The most peers that are counted separately; the others share one count.
  static let maximumPeers = 10_000

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

  private struct Attempt: Hashable {
    var peer: String
    var name: String

    init(_ peer: String, _ name: String) {
      self.peer = peer
      // An unverified name may be of any length.
      self.name = String(name.prefix(128))
    }
  }

  /// The seconds to wait if an address failed too often, for a name or at all.
  mutating func wait(for peer: String, name: String?, limit: Int, now: Instant) -> Int? {
    roll(now)
    let isNameTried = name.map { attempts[Attempt(peer, $0), default: 0] >= limit } ?? false
    guard isNameTried || isPeerOver(peer, limit: limit) else { return nil }
    return max(1, Int((minute + 1) * 60_000 - now.milliseconds) / 1_000)
  }

  /// Counts a failure; returns the seconds to wait if there were too many before it.
  mutating func fail(_ peer: String, name: String?, limit: Int, now: Instant) -> Int? {
    if let wait = wait(for: peer, name: name, limit: limit, now: now) { return wait }
    failures[key(peer), default: 0] += 1
    guard let name else { return nil }
    let attempt = Attempt(peer, name)
    if attempts.count < Quotas.maximumAttempts || attempts[attempt] != nil { attempts[attempt, default: 0] += 1 }
    return nil
  }

  private func isPeerOver(_ peer: String, limit: Int) -> Bool {
    failures[key(peer), default: 0] >= limit * Quotas.namesOfPeer
  }

  private func key(_ peer: String) -> String {
    failures.count < Quotas.maximumPeers || failures[peer] != nil ? peer : ""
  }

  private mutating func roll(_ now: Instant) {
    let minute = now.milliseconds / 60_000
    guard minute != self.minute else { return }
    self.minute = minute
    failures.removeAll(keepingCapacity: true)
    attempts.removeAll(keepingCapacity: true)
  }
}
