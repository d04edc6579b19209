package import CordonCore
package import CordonIngest

/// Slows attempts to guess a password: after some failures each one doubles the time to the next attempt.
///
/// Failures count three times: for the name at one address, for the name at all addresses, and for the address with all names. So
/// neither many names nor many addresses help, and a stranger elsewhere hardly locks an operator out.
package struct AttemptLimiter {
  private let store: any FailureStore
  private let key: [UInt8]
  private var swept = Instant.epoch

  /// A count begins anew after this time without a failure.
  static let memory = TimeSpan.hours(2)

  /// A limiter.
  /// - Parameters:
  ///   - store: where failures are counted; servers that have it in common slow the same attempts.
  ///   - key: the key of the hashes under which names and addresses are counted; the same at all servers.
  package init(store: any FailureStore = MemoryFailureStore(), key: [UInt8] = []) {
    self.store = store
    self.key = key
  }

  /// How many failures of a subject cost nothing.
  private static func free(_ kind: FailureSubject.Kind) -> Int64 { kind == .signInNameAtAddress ? 5 : 50 }

  /// The longest wait. That of a name at all addresses is short: else strangers could lock an operator out for good.
  private static func longest(_ kind: FailureSubject.Kind) -> TimeSpan {
    kind == .signInName ? .seconds(30) : .minutes(15)
  }

  private static let kinds: [FailureSubject.Kind] = [.signInNameAtAddress, .signInName, .signInAddress]

  private func subjects(_ name: String, _ address: String) -> [FailureSubject] {
    [
      FailureSubject(.signInNameAtAddress, name, address, key: key), FailureSubject(.signInName, name, key: key),
      FailureSubject(.signInAddress, address, key: key),
    ]
  }

  private static func wait(_ counts: [FailureCount], now: Instant) -> Int? {
    let end = counts.filter { $0.ends > now }.map(\.free).max() ?? .epoch
    guard end > now else { return nil }
    return max(1, Int((end - now).seconds.rounded(.up)))
  }

  private static func fail(_ counts: inout [FailureCount], now: Instant) {
    for (index, kind) in kinds.enumerated() where index < counts.count {
      var count = counts[index].ends > now ? counts[index] : FailureCount()
      count.failures += 1
      count.ends = now + memory
      let over = count.failures - free(kind)
      if over > 0 { count.free = now + min(.seconds(1 << min(over, 20)), longest(kind)) }
      counts[index] = count
    }
  }

  /// Begins an attempt: counts it as one that fails, which ``succeed(name:address:)`` takes back. Attempts at once count as well, at
  /// one server or at several.
  /// - Returns: the seconds until the next attempt is allowed; `nil` for an attempt that was begun.
  package mutating func begin(name: String, address: String, now: Instant) throws(StoreFault) -> Int? {
    try forgetOld(now)
    return try store.update(subjects(name, address)) { counts in
      if let wait = Self.wait(counts, now: now) { return wait }
      Self.fail(&counts, now: now)
      return nil
    }
  }

  /// Returns the seconds until the next attempt is allowed; `nil` for now.
  package mutating func wait(name: String, address: String, now: Instant) throws(StoreFault) -> Int? {
    try forgetOld(now)
    return Self.wait(try store.counts(of: subjects(name, address)), now: now)
  }

  /// Counts a failed attempt.
  package func fail(name: String, address: String, now: Instant) throws(StoreFault) {
    try store.update(subjects(name, address)) { Self.fail(&$0, now: now) }
  }

  /// Forgets the failures of a name at an address, and takes back what the attempt counted elsewhere.
  package func succeed(name: String, address: String) throws(StoreFault) {
    try store.update(subjects(name, address)) { counts in
      for (index, kind) in Self.kinds.enumerated() where index < counts.count {
        if kind == .signInNameAtAddress {
          counts[index] = FailureCount()
        } else {
          counts[index].failures = max(0, counts[index].failures - 1)
        }
      }
    }
  }

  private mutating func forgetOld(_ now: Instant) throws(StoreFault) {
    guard now >= swept + .minutes(10) || now < swept else { return }
    swept = now
    try store.expire(failuresAt: now)
  }
}
