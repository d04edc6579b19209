internal import CordonContacts
package import CordonCore

extension MemoryPositionStore {
  /// See ``PositionStore/device(_:)``.
  package func device(_ id: DeviceID) throws(StoreFault) -> StoredDevice? {
    tables.numbers[id].flatMap { shelves[$0]?.device }
  }

  /// See ``PositionStore/deviceID(_:)``.
  package func deviceID(_ number: Int64) throws(StoreFault) -> DeviceID? { shelves[number]?.device?.id }

  /// See ``PositionStore/save(_:)-(StoredDevice)``.
  package func save(_ device: StoredDevice) throws(StoreFault) -> Int64 {
    try willWrite()
    guard knownNumber(of: device.venue) != nil else {
      throw StoreFault(.failed, "a device of a venue that was never stored")
    }
    if device.number != 0, shelves[device.number]?.device == nil { return device.number }
    if let known = tables.numbers[device.id], known != device.number {
      throw StoreFault(.failed, "a device of a name that another one has")
    }
    var new = device
    if new.number == 0 {
      tables.lastDevice += 1
      new.number = tables.lastDevice
      touch(new.number)
    } else {
      guard let old = shelves[new.number]?.device else { return new.number }
      if old.id != new.id { tables.numbers[old.id] = nil }
      note(.device(new.number, old))
    }
    if tables.numbers[new.id] == nil { tables.numbers[new.id] = new.number }
    shelves[new.number, default: Shelf()].device = new
    return new.number
  }

  /// See ``PositionStore/devices(in:prefix:after:limit:)``.
  package func devices(
    in venue: VenueID, prefix: String, after: String, limit: Int
  ) throws(StoreFault) -> [StoredDevice] {
    Array(
      tables.numbers.values.compactMap { shelves[$0]?.device }
        .filter {
          $0.venue == venue && $0.id.rawValue.utf8.starts(with: prefix.utf8)
            && after.utf8.lexicographicallyPrecedes($0.id.rawValue.utf8)
        }
        .sorted { $0.id < $1.id }.prefix(max(0, limit)))
  }

  /// See ``PositionStore/deviceCount()``.
  package func deviceCount() throws(StoreFault) -> Int { tables.numbers.count }

  /// See ``PositionStore/erase(device:)``.
  package func erase(device number: Int64) throws(StoreFault) -> Int64 {
    try willWrite()
    return remove(number)
  }

  @discardableResult
  private func remove(_ number: Int64) -> Int64 {
    touch(number)
    let shelf = shelves.removeValue(forKey: number)
    forgetViewerMember(number)
    if let id = shelf?.device?.id { tables.numbers[id] = nil }
    tables.contacts.removeAll { Int64($0.contact.first) == number || Int64($0.contact.second) == number }
    // The audit entry stays; the identity of the viewed device does not.
    for index in tables.audit.indices where tables.audit[index].device == number { tables.audit[index].device = nil }
    return Int64(shelf?.positions.count ?? 0)
  }

  /// See ``PositionStore/erase(device:before:)``.
  package func erase(device number: Int64, before time: Instant) throws(StoreFault) -> Int64 {
    try willWrite()
    touch(number)
    guard var shelf = shelves[number] else { return 0 }
    let first = time.milliseconds
    let cutoff = SQLitePositionStore.high(of: first)
    let count = shelf.positions.prefix { Int64(bitPattern: $0.id.high) < cutoff }.count
    shelf.positions.removeFirst(count)
    shelf.presence = shelf.presence.filter { $0.value.upperBound >= first }
      .mapValues { max($0.lowerBound, first)...$0.upperBound }
    shelf.lateSpans = shelf.lateSpans.filter { $0.value.upperBound >= first }
      .mapValues { max($0.lowerBound, first)...$0.upperBound }
    shelf.consents.removeAll { $0.received < time }
    shelf.batches = shelf.batches.filter { $0.value.time >= time }
    shelves[number] = shelf
    tables.contacts.removeAll {
      (Int64($0.contact.first) == number || Int64($0.contact.second) == number) && $0.contact.start < first * 1_000
    }
    for index in tables.audit.indices where tables.audit[index].device == number && tables.audit[index].time < time {
      tables.audit[index].device = nil
    }
    return Int64(count)
  }

  /// See ``PositionStore/saveReceipt(_:of:before:)``.
  package func saveReceipt(_ receipt: Tombstone, of device: DeviceID, before: Instant) throws(StoreFault) {
    try save(receipt)
  }

  /// See ``PositionStore/save(_:)-(Tombstone)``.
  package func save(_ tombstone: Tombstone) throws(StoreFault) {
    try willWrite()
    tables.tombstones[tombstone.hash] = tombstone
  }

  /// See ``PositionStore/tombstone(_:)``.
  package func tombstone(_ hash: [UInt8]) throws(StoreFault) -> Tombstone? { tables.tombstones[hash] }

  // MARK: Consents and keys of batches

  /// See ``PositionStore/save(_:of:)``.
  package func save(_ consent: StoredConsent, of device: Int64) throws(StoreFault) {
    try willWrite()
    touch(device)
    var consents = shelves[device]?.consents ?? []
    consents.removeAll { $0.time == consent.time && $0.received == consent.received }
    consents.append(consent)
    consents.sort { ($0.time, $0.received) < ($1.time, $1.received) }
    shelves[device, default: Shelf()].consents = consents
  }

  /// See ``PositionStore/consents(of:)``.
  package func consents(of device: Int64) throws(StoreFault) -> [StoredConsent] { shelves[device]?.consents ?? [] }

  /// See ``PositionStore/batchDigest(of:key:)``.
  package func batchDigest(of device: Int64, key: [UInt8]) throws(StoreFault) -> [UInt8]? {
    shelves[device]?.batches[key]?.digest
  }

  /// See ``PositionStore/saveBatch(of:key:digest:time:)``.
  package func saveBatch(of device: Int64, key: [UInt8], digest: [UInt8], time: Instant) throws(StoreFault) {
    try willWrite()
    touch(device)
    shelves[device, default: Shelf()].batches[key] = (digest, time)
  }

  // MARK: Audit

  /// See ``PositionStore/save(_:)-(AuditEntry)``.
  @discardableResult
  package func save(_ entry: AuditEntry) throws(StoreFault) -> Int64 {
    try willWrite()
    tables.lastAudit += 1
    tables.audit.append(entry)
    tables.audit[tables.audit.count - 1].number = tables.lastAudit
    return tables.lastAudit
  }

  /// See ``PositionStore/countAccess(_:at:)``.
  package func countAccess(_ number: Int64, at time: Instant) throws(StoreFault) -> Bool {
    try willWrite()
    guard let index = tables.audit.firstIndex(where: { $0.number == number }) else { return false }
    tables.audit[index].count += 1
    tables.audit[index].last = time
    return true
  }

  /// See ``PositionStore/audit(device:before:limit:)``.
  package func audit(device: Int64?, before: Int64?, limit: Int) throws(StoreFault) -> [AuditEntry] {
    latest(limit) { entry in
      (device == nil || entry.device == device) && before.map { entry.number < $0 } ?? true
    }
  }

  /// See ``PositionStore/accesses(to:limit:)``.
  package func accesses(to device: StoredDevice, limit: Int) throws(StoreFault) -> [AuditEntry] {
    latest(limit) { entry in
      entry.device == device.number
        || (entry.device == nil && entry.venue == device.venue.rawValue && entry.time >= device.created
          && AuditEntry.actionsOnMany.contains(entry.action))
    }
  }

  private func latest(_ limit: Int, _ isAsked: (AuditEntry) -> Bool) -> [AuditEntry] {
    Array(tables.audit.reversed().lazy.filter(isAsked).prefix(max(0, limit)))
  }

  // MARK: Retention

  /// See ``PositionStore/expire(_:)``.
  package func expire(_ limits: RetentionLimits) throws(StoreFault) -> RetentionReport {
    try willWrite()
    var report = RetentionReport()
    let first = limits.positions.milliseconds
    let cutoff = SQLitePositionStore.high(of: first)
    for number in shelves.keys.sorted() {
      guard let shelf = shelves[number], shelf.presence.values.contains(where: { $0.lowerBound < first }) else {
        continue
      }
      let room = limits.maximumPositions - Int(report.positions)
      guard room > 0 else {
        report.isPartial = true
        break
      }
      touch(number)
      let old = shelf.positions.prefix { Int64(bitPattern: $0.id.high) < cutoff }
      if old.count > room {
        let last = old[room].id.high
        let count = old.prefix { $0.id.high <= last }.count
        shelves[number]?.positions.removeFirst(count)
        report.positions += Int64(count)
        report.isPartial = true
        break
      }
      shelves[number]?.positions.removeFirst(old.count)
      report.positions += Int64(old.count)
      shelves[number]?.presence = shelf.presence.filter { $0.value.upperBound >= first }
        .mapValues { max($0.lowerBound, first)...$0.upperBound }
    }
    expireViewers(before: first)
    let contacts = tables.contacts.count
    tables.contacts.removeAll { $0.contact.end < limits.contacts.milliseconds * 1_000 }
    report.contacts = Int64(contacts - tables.contacts.count)
    let others = tables.audit.count + tables.tombstones.count + tables.invites.count
    tables.audit.removeAll { $0.time < limits.audit }
    tables.tombstones = tables.tombstones.filter { $0.value.time >= limits.tombstones }
    tables.invites.removeAll { code in
      if code.uses >= code.maximumUses, code.created < limits.invites { return true }
      return code.expires.map { $0 < limits.invites } ?? (code.uses == 0 && code.created < limits.unusedInvites)
    }
    report.others += Int64(others - tables.audit.count - tables.tombstones.count - tables.invites.count)
    for number in shelves.keys.sorted() {
      guard let shelf = shelves[number] else { continue }
      let batches = shelf.batches.filter { $0.value.time >= limits.batches }
      if batches.count < shelf.batches.count {
        touch(number)
        shelves[number]?.batches = batches
        report.others += Int64(shelf.batches.count - batches.count)
      }
      // Devices that were named by somebody who never came back with the secret: they have no rows.
      if let device = shelf.device, device.pendingSecret != nil, device.lastSeen < limits.batches,
        shelf.presence.isEmpty
      {
        touch(number)
        tables.numbers[device.id] = nil
        shelves[number]?.device = nil
        report.others += 1
      }
    }
    expireDevices(before: limits.devices, &report)
    return report
  }

  private func expireDevices(before time: Instant, _ report: inout RetentionReport) {
    let partners = Set(tables.contacts.flatMap { [Int64($0.contact.first), Int64($0.contact.second)] })
    let silent = shelves.keys.sorted().filter { number in
      guard let shelf = shelves[number], let device = shelf.device else { return false }
      return device.lastSeen < time && shelf.presence.isEmpty && !partners.contains(number)
    }.prefix(SQLitePositionStore.maximumSilentDevices)
    for number in silent { remove(number) }
    report.devices = Int64(silent.count)
    if silent.count == SQLitePositionStore.maximumSilentDevices { report.isPartial = true }
  }
}
