import CordonCore
import CordonSQLite

/// Makes a store of a backup without undoing what was decided since: a backup knows nothing of those who were erased,
/// withdrew or were revoked after it was made.
package enum Restoration {
  /// The data that was carried over.
  package struct Report: Hashable, Sendable {
    /// Decisions that were known.
    package var decisions = 0
    /// Devices of the backup that were erased again.
    package var erased = 0
    /// Devices of the backup whose consent or secret changed since.
    package var changed = 0
    /// Invite codes of the backup that were used or revoked since.
    package var codes = 0
    /// Accesses of operators since.
    package var accesses = 0
  }

  /// Where a restore learns what was decided since the backup.
  package struct Sources: Sendable {
    /// The log of decisions of the folder.
    package var log: String?
    /// The store that was there; it is asked when there is no log.
    package var store: String?
    /// Copies of the log from elsewhere.
    package var copies: [String] = []

    /// No sources yet.
    package init() {}

    /// Whether the decisions since the backup are unknown.
    package var isEmpty: Bool { log == nil && store == nil && copies.isEmpty }
  }

  /// Makes a store and its log of a backup and of all that is known of decisions. The files of the sources are only read.
  /// - Parameters:
  ///   - store: the file to make; nobody else uses it, and none is there.
  ///   - log: the log to make.
  ///   - backup: a checked backup.
  ///   - sources: where later decisions stand; empty for a restore without them, which ends all tokens, consents and codes.
  ///   - pseudonyms: the key of the server.
  /// - Throws: ``StoreFault`` when a source is damaged, or does not reach back to the backup.
  package static func make(
    store: String, log: String, from backup: String, sources: Sources, pseudonyms: Pseudonyms
  ) throws(StoreFault) -> Report {
    try Connection(path: backup, vfs: nil, isReadOnly: true).copy(to: store)
    var records: [DecisionLog.Record] = []
    var pruned: Int64 = 0
    for path in [sources.log].compactMap({ $0 }) + sources.copies + (DecisionLog.isIn(backup) ? [backup] : []) {
      // Without any other source a backup is taken even of a server with other keys.
      if path == backup, sources.isEmpty, (try? DecisionLog.read(path, pseudonyms)) == nil { continue }
      let source = try DecisionLog.read(path, pseudonyms)
      records += source.records
      pruned = max(pruned, source.pruned)
    }
    let restored = try SQLitePositionStore(path: store)
    // Bins since the backup are not counted a second time for viewers: they would get other numbers for the same bins.
    try restored.connection.script(
      """
      DROP TABLE IF EXISTS decision; DROP TABLE IF EXISTS decisionHead; DROP TABLE IF EXISTS carriedFile;
      DELETE FROM viewerMark
      """)
    try ConsoleBackup.drop(from: restored.connection)
    if !sources.isEmpty, try restored.decided() < pruned {
      throw StoreFault(
        .corrupt, "\(backup): the backup is older than what the log of decisions reaches back to")
    }
    let new = try DecisionLog(path: log, pseudonyms: pseudonyms, isNew: true)
    try new.merge(records, pruned: pruned)
    if let former = sources.store, sources.log == nil || isAhead(former, of: new.last) {
      var known = counts(of: records.map(\.decision))
      let decisions = try decisions(of: former, pseudonyms, restored).filter {
        $0.kind != .access || !known.take(Access($0))
      }
      try new.append(decisions)
    }
    let all = try new.records(after: 0)
    let report = try apply(all, to: restored, pseudonyms: pseudonyms, isWhole: true, last: new.last)
    if sources.isEmpty { try endEverything(in: restored) }
    guard try restored.scrub(), try new.scrub() else { throw StoreFault(.busy, "\(store): in use") }
    return report
  }

  /// Makes the log of decisions anew from a store whose log was lost.
  package static func makeLog(
    _ path: String, from source: any DecidedStore, pseudonyms: Pseudonyms
  ) throws(StoreFault) {
    let log = try DecisionLog(path: path, pseudonyms: pseudonyms, isNew: true)
    // Beyond whatever the store has seen, so that the log is not taken for an older one.
    try log.begin(after: source.decided())
    try log.append(decisions(of: source, pseudonyms))
    try source.begin()
    try source.setDecided(log.last)
    try source.commit()
    try log.scrub()
  }

  /// Brings a store up to date with its log: the process may have died between the two, or an earlier copy of the store
  /// may have been put in its place.
  ///
  /// An activation that was the last thing written was answered by nobody: it is left out, so that the device can try again.
  /// - Parameters:
  ///   - isWhole: whether the store may have some of the decisions already.
  ///   - isShared: whether other servers write to the store: a later holder of a device than the log knows stays.
  /// - Throws: ``StoreFault`` when the log is an earlier one than the store has seen.
  @discardableResult
  package static func catchUp(
    _ store: any DecidedStore, with log: DecisionLog, pseudonyms: Pseudonyms, isWhole: Bool = false,
    isShared: Bool = false
  ) throws(StoreFault) -> Report {
    let mark = try store.decided()
    guard mark <= log.last else {
      throw StoreFault(
        .corrupt, "the log of decisions is an earlier one than the store has seen: put the latest copy of it back")
    }
    guard mark >= log.pruned else {
      throw StoreFault(.corrupt, "the store is older than what the log of decisions reaches back to: restore a backup")
    }
    var records = try log.records(after: mark)
    guard !records.isEmpty else { return Report() }
    let group = records.last?.group
    if records.contains(where: { $0.group == group && $0.decision.kind == .codeUse }) {
      records.removeAll { $0.group == group && [.codeUse, .holder].contains($0.decision.kind) }
    }
    return try apply(
      records, to: store, pseudonyms: pseudonyms, isWhole: isWhole, isShared: isShared, last: log.last)
  }

  // MARK: Decisions in a store

  /// Whether a store has seen later decisions than a log has: the log is an earlier copy of its own. `false` for a store that
  /// cannot be read.
  private static func isAhead(_ path: String, of last: Int64) -> Bool {
    var options = SQLitePositionStore.Options()
    options.isReadOnly = true
    guard let store = try? SQLitePositionStore(path: path, options: options), let mark = try? store.decided() else {
      return false
    }
    return mark > last
  }

  /// The decisions that can be read from a store, and what it lacks of a backup.
  private static func decisions(
    of path: String, _ pseudonyms: Pseudonyms, _ restored: SQLitePositionStore
  ) throws(StoreFault) -> [Decision] {
    var options = SQLitePositionStore.Options()
    options.isReadOnly = true
    let store = try SQLitePositionStore(path: path, options: options)
    var list = try decisions(of: store, pseudonyms)
    for venue in try restored.venues() {
      for code in try restored.invites(of: venue.id) where try store.invite(code.hash) == nil {
        list.append(Decision(.codeRevocation, time: code.created, subject: pseudonyms.invite(code.hash)))
      }
    }
    return list
  }

  private static func decisions(
    of store: any DecidedStore, _ pseudonyms: Pseudonyms
  ) throws(StoreFault) -> [Decision] {
    var list = try store.tombstones().map {
      Decision(.erasure, time: $0.time, subject: $0.hash, amount: $0.locations, proof: $0.proof)
    }
    for venue in try store.venues() {
      for code in try store.invites(of: venue.id) where code.uses > 0 {
        list.append(
          Decision(.codeUse, time: code.created, subject: pseudonyms.invite(code.hash), amount: code.uses))
      }
      for device in try store.allDevices(in: venue.id) {
        let subject = pseudonyms.device(device.id)
        for consent in try store.consents(of: device.number).sorted(by: { $0.received < $1.received }) {
          list.append(Decision(consent, of: subject))
        }
        list.append(Decision(device, subject, origin: venue.origin, time: device.lastSeen))
      }
    }
    var before: Int64?
    while true {
      let page = try store.audit(device: nil, before: before, limit: 10_000)
      for entry in page {
        let device = try entry.device.flatMap { (number) throws(StoreFault) in try store.deviceID(number) }
        list.append(Decision(entry, at: device.map(pseudonyms.device)))
      }
      guard let last = page.last else { break }
      before = last.number
    }
    return list
  }

  // MARK: Applying

  private struct Access: Hashable {
    var time: Instant
    var subject: [UInt8]?
    var words: [String]

    init(_ decision: Decision) { (time, subject, words) = (decision.time, decision.subject, decision.words) }
  }

  /// Accesses that are known, each as often as there were some.
  private struct KnownLooks {
    var counts: [Access: Int] = [:]

    /// Takes one away; answers whether there was one.
    mutating func take(_ access: Access) -> Bool {
      guard let count = counts[access], count > 0 else { return false }
      counts[access] = count - 1
      return true
    }
  }

  private static func counts(of decisions: [Decision]) -> KnownLooks {
    var known = KnownLooks()
    for decision in decisions where decision.kind == .access { known.counts[Access(decision), default: 0] += 1 }
    return known
  }

  /// Applies decisions in their order.
  /// - Parameters:
  ///   - isWhole: whether the store may have some of the accesses already.
  ///   - isShared: whether later holders of devices than those of the records stay.
  private static func apply(
    _ records: [DecisionLog.Record], to store: any DecidedStore, pseudonyms: Pseudonyms, isWhole: Bool,
    isShared: Bool = false, last: Int64
  ) throws(StoreFault) -> Report {
    var report = Report(decisions: records.count)
    var numbers: [[UInt8]: DeviceID] = [:]
    var names: [Int64: [UInt8]] = [:]
    var codes: [[UInt8]: StoredInvite] = [:]
    for venue in try store.venues() {
      for device in try store.allDevices(in: venue.id) {
        let subject = pseudonyms.device(device.id)
        numbers[subject] = device.id
        names[device.number] = subject
      }
      for code in try store.invites(of: venue.id) { codes[pseudonyms.invite(code.hash)] = code }
    }
    var known = KnownLooks()
    if isWhole {
      let accesses = try store.audit(device: nil, before: nil, limit: .max)
      known = counts(of: accesses.map { Decision($0, at: $0.device.flatMap { names[$0] }) })
    }
    var changed: Set<[UInt8]> = []
    try store.begin()
    do throws(StoreFault) {
      for record in records {
        let decision = record.decision
        let device = try decision.subject.flatMap { numbers[$0] }.flatMap { (id) throws(StoreFault) in
          try store.device(id)
        }
        switch decision.kind {
        case .erasure:
          guard let hash = decision.subject else { continue }
          try store.save(
            Tombstone(hash: hash, proof: decision.proof, time: decision.time, locations: decision.amount))
          if let device {
            _ = try store.erase(device: device.number)
            report.erased += 1
          }
        case .formerErasure:
          if let hash = decision.proof {
            try store.save(Tombstone(hash: hash, proof: nil, time: decision.time, locations: decision.amount))
          }
          if let device, let since = decision.since {
            _ = try store.erase(device: device.number, before: Instant(milliseconds: since))
            // An earlier restore lost the device, and its holder erased it then: it does not come back.
            let holder = device.secretHash.map { pseudonyms.formerHolder(of: device.id, secretHash: $0) }
            if let holder, holder == decision.proof { _ = try store.erase(device: device.number) }
            report.erased += 1
          }
        case .consent:
          guard var device, let consent = decision.storedConsent else { continue }
          let former = try store.consents(of: device.number)
          device.mayRecord = consent.allowsRows && !consent.isOver(former, heldSince: device.heldSince)
          try store.save(consent, of: device.number)
          _ = try store.save(device)
          if !former.contains(consent), let subject = decision.subject { changed.insert(subject) }
        case .holder:
          if device == nil, let subject = decision.subject {
            // It was activated after the backup. Its holder gets a receipt for 0 locations.
            for secretHash in [decision.proof, decision.former].compactMap({ $0 }) {
              let hash = pseudonyms.holderWithoutReceipt(of: subject, secretHash: secretHash)
              guard try store.tombstone(hash) == nil else { continue }
              try store.save(Tombstone(hash: hash, proof: nil, time: decision.time, locations: 0))
            }
          }
          if isShared, let device, isOver(decision, at: device) { continue }
          if try apply(decision, to: device, store), let subject = decision.subject { changed.insert(subject) }
        case .codeUse:
          guard let subject = decision.subject, var code = codes[subject], code.uses < decision.amount else { continue }
          code.uses = decision.amount
          _ = try store.save(code)
          codes[subject] = code
          report.codes += 1
        case .codeRevocation:
          if let code = decision.subject.flatMap({ codes[$0] }), try store.removeInvite(code.number) {
            report.codes += 1
          }
        case .access:
          if !known.take(Access(decision)), let entry = decision.auditEntry(device: device?.number) {
            try store.save(entry)
            report.accesses += 1
          }
        // Outside of the store; see `KnownEndings`.
        case .ending: break
        }
      }
      try store.setDecided(last)
      try store.commit()
    } catch {
      store.rollback()
      throw error
    }
    report.changed = changed.count
    return report
  }

  /// Whether a device has had a later holder, or was revoked, since a decision.
  private static func isOver(_ decision: Decision, at device: StoredDevice) -> Bool {
    decision.amount < device.generation || (device.heldSince ?? device.created) > decision.time
  }

  /// Gives a device the secrets, venue and generation that it had; answers whether that changed anything.
  private static func apply(
    _ decision: Decision, to device: StoredDevice?, _ store: any DecidedStore
  ) throws(StoreFault) -> Bool {
    guard var device, decision.words.count >= 3, let venue = VenueID(decision.words[0]),
      let longitude = Double(decision.words[1]), let latitude = Double(decision.words[2])
    else { return false }
    let before = device
    device.generation = max(device.generation, decision.amount)
    if device.secretHash != decision.proof {
      device.pendingSecret = nil
      device.codeHash = nil
    }
    device.secretHash = decision.proof
    device.formerHash = decision.former
    device.heldSince = decision.since.map(Instant.init(milliseconds:))
    device.mayRecord = decision.words.contains("records")
    device.venue = venue
    _ = try store.number(of: venue, origin: Coordinate(longitude: longitude, latitude: latitude))
    _ = try store.save(device)
    return device != before
  }

  /// Ends all tokens, consents and codes, because a restore without the later decisions cannot rely on them.
  private static func endEverything(in store: any DecidedStore) throws(StoreFault) {
    try store.begin()
    do throws(StoreFault) {
      for venue in try store.venues() {
        for var device in try store.allDevices(in: venue.id) {
          // Beyond any that was given since.
          device.generation += 1 << 20
          device.mayRecord = device.kind == .published
          _ = try store.save(device)
        }
        for code in try store.invites(of: venue.id) { _ = try store.removeInvite(code.number) }
      }
      try store.commit()
    } catch {
      store.rollback()
      throw error
    }
  }
}
