internal import CordonCore

/// How often an address may fail in a minute: for one name, and at all.
///
/// Failures are counted after the credentials were checked, so right ones always pass, whatever others at the same address do. An
/// address that fails too often is answered with 429 in place of the reason. Where a name is all that a client shows, the count
/// is checked first (``wait(for:name:in:now:)``).
struct FailedAttempts {
  /// The maximum number of failures of an address in a minute for one name.
  let limit: Int
  /// The key of the hashes under which they are counted.
  let key: [UInt8]

  /// How many times as often as for one name an address may fail for all names together.
  static let namesOfPeer = 10

  /// The address first, then the name at it. An unverified name may be of any length.
  private func subjects(_ peer: String, _ name: String?) -> [FailureSubject] {
    [FailureSubject(.peer, peer, key: key)]
      + (name.map { [FailureSubject(.nameAtPeer, peer, String($0.prefix(128)), key: key)] } ?? [])
  }

  private static func end(_ now: Instant) -> Instant {
    Instant(milliseconds: (now.milliseconds / 60_000 + 1) * 60_000)
  }

  /// The seconds until the minute is over if the counts of it are at their limits.
  private func wait(_ counts: [FailureCount], now: Instant) -> Int? {
    let end = Self.end(now)
    let limits = [Int64(limit * Self.namesOfPeer), Int64(limit)]
    guard zip(counts, limits).contains(where: { $0.ends == end && $0.failures >= $1 }) else { return nil }
    return max(1, Int((end - now).seconds))
  }

  /// Returns the seconds to wait if an address failed too often, for a name or at all.
  func wait(for peer: String, name: String?, in store: any FailureStore, now: Instant) throws(StoreFault) -> Int? {
    wait(try store.counts(of: subjects(peer, name)), now: now)
  }

  /// Counts a failure; returns the seconds to wait, and counts nothing, if there were too many before it.
  func count(_ peer: String, name: String?, in store: any FailureStore, now: Instant) throws(StoreFault) -> Int? {
    let end = Self.end(now)
    return try store.update(subjects(peer, name)) { counts in
      if let wait = wait(counts, now: now) { return wait }
      for index in counts.indices {
        // A count of another minute begins anew.
        if counts[index].ends != end { counts[index] = FailureCount() }
        counts[index].failures += 1
        counts[index].ends = end
      }
      return nil
    }
  }
}
