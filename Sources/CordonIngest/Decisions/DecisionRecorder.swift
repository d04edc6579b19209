package import CordonCore

/// Collects the decisions of a transaction, and writes them to the log before the transaction is committed.
package struct DecisionRecorder {
  package let log: DecisionLog
  let pseudonyms: Pseudonyms
  private var pending: [Decision] = []
  /// The latest time that was heard of: what is saved does not always say when.
  private var latest = Instant.epoch

  /// A recorder that writes to a log.
  package init(log: DecisionLog, pseudonyms: Pseudonyms) {
    self.log = log
    self.pseudonyms = pseudonyms
  }

  /// How many decisions were collected.
  package var count: Int { pending.count }

  /// Whether no decision was collected.
  package var isEmpty: Bool { pending.isEmpty }

  /// Forgets what was collected, of a transaction that is undone.
  package mutating func discard() { pending.removeAll() }

  /// Writes what was collected; the number of the last record.
  /// - Parameter number: numbers come after it.
  package mutating func flush(after number: Int64 = 0) throws(StoreFault) -> Int64 {
    try log.append(pending, after: number)
    pending.removeAll()
    return log.last
  }

  /// Collects an erasure.
  package mutating func note(_ tombstone: Tombstone) {
    latest = max(latest, tombstone.time)
    pending.append(
      Decision(
        .erasure, time: tombstone.time, subject: tombstone.hash, amount: tombstone.locations, proof: tombstone.proof))
  }

  /// Collects the erasure of a former holder's part of a device.
  package mutating func note(formerErasureOf device: DeviceID, before: Instant, receipt: Tombstone) {
    latest = max(latest, receipt.time)
    pending.append(
      Decision(
        .formerErasure, time: receipt.time, subject: pseudonyms.device(device), amount: receipt.locations,
        since: before.milliseconds, proof: receipt.hash))
  }

  /// Collects a consent, or its withdrawal.
  package mutating func note(_ consent: StoredConsent, of device: DeviceID) {
    latest = max(latest, consent.received)
    pending.append(Decision(consent, of: pseudonyms.device(device)))
  }

  /// Collects an activation, a revocation or a reset.
  /// - Parameter former: the device as it was; only what a restore must not undo is noted.
  package mutating func note(_ device: StoredDevice, former: StoredDevice?, origin: Coordinate) {
    latest = max(latest, device.lastSeen, device.heldSince ?? device.created)
    if let former, former.number == device.number, former.generation == device.generation,
      former.secretHash == device.secretHash, former.formerHash == device.formerHash,
      former.heldSince == device.heldSince, former.venue == device.venue
    {
      return
    }
    pending.append(Decision(device, pseudonyms.device(device.id), origin: origin, time: latest))
  }

  /// Collects the use of a code.
  package mutating func note(useOf invite: StoredInvite) {
    pending.append(
      Decision(.codeUse, time: latest, subject: pseudonyms.invite(invite.hash), amount: invite.uses))
  }

  /// Collects the revocation of a code.
  package mutating func note(revocationOfCode hash: [UInt8]) {
    pending.append(Decision(.codeRevocation, time: latest, subject: pseudonyms.invite(hash)))
  }

  /// Collects the end of something outside of the store.
  package mutating func note(endOf name: String, at time: Instant) {
    latest = max(latest, time)
    pending.append(Decision(.ending, time: time, subject: pseudonyms.ending(name)))
  }

  /// Collects an access of an operator.
  package mutating func note(_ access: AuditEntry, at device: DeviceID?) {
    latest = max(latest, access.time)
    pending.append(Decision(access, at: device.map(pseudonyms.device)))
  }
}

extension Decision {
  init(_ consent: StoredConsent, of subject: [UInt8]) {
    self.init(
      .consent, time: consent.received, subject: subject, amount: consent.time.milliseconds,
      words: [consent.version] + consent.purposes)
  }

  /// The consent that it is.
  var storedConsent: StoredConsent? {
    guard kind == .consent, let version = words.first else { return nil }
    return StoredConsent(
      time: Instant(milliseconds: amount), version: version, purposes: Array(words.dropFirst()), received: time)
  }

  init(_ device: StoredDevice, _ subject: [UInt8], origin: Coordinate, time: Instant) {
    self.init(
      .holder, time: time, subject: subject, amount: device.generation, since: device.heldSince?.milliseconds,
      proof: device.secretHash, former: device.formerHash,
      words: [device.venue.rawValue, "\(origin.longitude)", "\(origin.latitude)"]
        + (device.mayRecord ? ["records"] : []))
  }

  init(_ access: AuditEntry, at subject: [UInt8]?) {
    self.init(
      .access, time: access.time, subject: subject,
      words: [access.operator, access.role, access.action, access.venue ?? "", access.reason])
  }

  /// The entry of the audit that it is.
  func auditEntry(device: Int64?) -> AuditEntry? {
    guard kind == .access, words.count == 5 else { return nil }
    return AuditEntry(
      time: time, operator: words[0], role: words[1], action: words[2], venue: words[3].isEmpty ? nil : words[3],
      device: device, reason: words[4])
  }
}
