internal import CordonCore

/// The looks of operators that pages repeat, by what they ask, with the entries of the audit that count them.
struct PolledLooks {
  struct Look: Hashable {
    var `operator`: String
    var role: String
    var action: String
    var venue: String?
    var reason: String
  }

  private var hour: Int64 = 0
  private var numbers: [Look: Int64] = [:]

  /// The entry of this hour that counts a look.
  mutating func entry(of look: Look, now: Instant) -> Int64? {
    let hour = now.milliseconds / 3_600_000
    if hour != self.hour {
      self.hour = hour
      numbers.removeAll()
    }
    return numbers[look]
  }

  mutating func remember(_ number: Int64, of look: Look) {
    // Reasons are free text: what is beyond any use is not remembered, and has entries of its own.
    if numbers.count < 1_000 { numbers[look] = number }
  }
}

extension Ingest {
  /// Notes a look. What pages ask for again and again is counted in one entry an hour.
  func note(_ entry: AuditEntry, now: Instant) throws(Problem) {
    guard AuditEntry.polledActions.contains(entry.action), entry.device == nil else {
      _ = try stored { () throws(StoreFault) in
        try transaction { () throws(StoreFault) in try store.save(entry) }
      }
      return
    }
    let look = PolledLooks.Look(
      operator: entry.operator, role: entry.role, action: entry.action, venue: entry.venue, reason: entry.reason)
    let known = polledLooks.entry(of: look, now: now)
    let number = try stored { () throws(StoreFault) in
      try transaction { () throws(StoreFault) in
        if let known, try store.countLook(known, at: now) { return known }
        return try store.save(entry)
      }
    }
    polledLooks.remember(number, of: look)
  }
}
