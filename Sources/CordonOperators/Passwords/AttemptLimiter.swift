package import CordonCore

/// Slows attempts to guess a password: after some failures each one doubles the time to the next attempt.
///
/// Failures count three times: for the name at one address, for the name at all addresses, and for the address with all names. So
/// neither many names nor many addresses help, and a stranger elsewhere hardly locks an operator out.
package struct AttemptLimiter: Sendable {
  /// The subject of a count.
  private enum Subject: Hashable, Sendable {
    case nameAtAddress(String, String)
    case name(String)
    case address(String)

    /// How many failures cost nothing.
    var free: Int {
      switch self {
      case .nameAtAddress: 5
      case .name, .address: 50
      }
    }

    /// The longest wait. That of a name at all addresses is short: else strangers could lock an operator out for good.
    var longest: TimeSpan {
      switch self {
      case .name: .seconds(30)
      case .nameAtAddress, .address: .minutes(15)
      }
    }
  }

  private struct Count: Sendable {
    var failures = 0
    var last = Instant.epoch
    var free: Instant = .epoch
  }

  private var counts: [Subject: Count] = [:]
  private var swept = Instant.epoch

  /// A count begins anew after this time without a failure.
  static let memory = TimeSpan.hours(2)
  /// The most counts; beyond them all further subjects share one.
  static let maximumCounts = 30_000

  /// A limiter that has seen nothing.
  package init() {}

  /// Returns the seconds until the next attempt is allowed; `nil` for now.
  package mutating func wait(name: String, address: String, now: Instant) -> Int? {
    forgetOld(now)
    let end = subjects(name, address).compactMap { counts[$0]?.free }.max() ?? .epoch
    guard end > now else { return nil }
    return max(1, Int((end - now).seconds.rounded(.up)))
  }

  /// Counts a failed attempt, or one that may fail: ``succeed(name:address:)`` takes it back.
  package mutating func fail(name: String, address: String, now: Instant) {
    for subject in subjects(name, address) {
      var count = counts[subject] ?? Count()
      count.failures += 1
      count.last = now
      let over = count.failures - subject.free
      if over > 0 { count.free = now + min(.seconds(1 << Int64(min(over, 20))), subject.longest) }
      counts[subject] = count
    }
  }

  /// Forgets the failures of a name at an address, and takes back what the attempt counted elsewhere.
  package mutating func succeed(name: String, address: String) {
    for subject in subjects(name, address) {
      if case .nameAtAddress = subject { counts[subject] = nil }
      counts[subject]?.failures -= 1
    }
  }

  private func subjects(_ name: String, _ address: String) -> [Subject] {
    [.nameAtAddress(name, address), .name(name), .address(address)].map { subject in
      counts.count < Self.maximumCounts || counts[subject] != nil ? subject : .address("")
    }
  }

  private mutating func forgetOld(_ now: Instant) {
    guard now >= swept + .minutes(10) || now < swept else { return }
    swept = now
    counts = counts.filter { $0.value.last + Self.memory > now }
  }
}
