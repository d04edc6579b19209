package import CordonCore

/// The accesses of operators that pages repeat, by what they ask, with the entries of the audit that count them.
struct PolledAccesses {
  struct Access: Hashable {
    var `operator`: String
    var role: String
    var action: String
    var venue: String?
    var reason: String
  }

  private var hour: Int64 = 0
  private var numbers: [Access: Int64] = [:]

  /// The entry of this hour that counts an access.
  mutating func entry(of access: Access, now: Instant) -> Int64? {
    let hour = now.milliseconds / 3_600_000
    if hour != self.hour {
      self.hour = hour
      numbers.removeAll()
    }
    return numbers[access]
  }

  mutating func remember(_ number: Int64, of access: Access) {
    // Reasons are free text: what is beyond any use is not remembered, and has entries of its own.
    if numbers.count < 1_000 { numbers[access] = number }
  }
}

extension Ingest {
  /// Notes that something outside of the store ends for good, see ``KnownEndings``. Belongs before the end itself, so that no restore
  /// undoes it.
  package func note(endOf name: String, now: Instant) throws(Problem) {
    try stored { () throws(StoreFault) in
      try transaction { () throws(StoreFault) in try store.note(endOf: name, at: now) }
    }
  }

  /// Records an access. Requests that pages repeat are counted in one entry an hour.
  package func note(_ entry: AuditEntry, now: Instant) throws(Problem) {
    guard AuditEntry.polledActions.contains(entry.action), entry.device == nil else {
      _ = try stored { () throws(StoreFault) in
        try transaction { () throws(StoreFault) in try store.save(entry) }
      }
      return
    }
    let access = PolledAccesses.Access(
      operator: entry.operator, role: entry.role, action: entry.action, venue: entry.venue, reason: entry.reason)
    let known = polledAccesses.entry(of: access, now: now)
    let number = try stored { () throws(StoreFault) in
      try transaction { () throws(StoreFault) in
        if let known, try store.countAccess(known, at: now) { return known }
        return try store.save(entry)
      }
    }
    polledAccesses.remember(number, of: access)
  }
}
