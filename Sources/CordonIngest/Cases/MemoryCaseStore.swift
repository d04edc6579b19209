package import CordonCore

/// Cases in memory, for tests and for cores without a folder.
package final class MemoryCaseStore: CaseStore {
  private var files: [Int64: CaseRecord] = [:]
  private var statuses: [Int64: [CaseContact]] = [:]
  private var sent: [Int64: CaseNotice] = [:]
  private var last: (file: Int64, notice: Int64) = (0, 0)

  /// An empty store.
  package init() {}

  /// See ``CaseStore/save(_:)-(CaseRecord)``.
  package func save(_ record: CaseRecord) throws(StoreFault) -> Int64 {
    var record = record
    if record.number == 0 {
      last.file += 1
      record.number = last.file
    }
    files[record.number] = record
    return record.number
  }

  /// See ``CaseStore/record(_:)``.
  package func record(_ number: Int64) throws(StoreFault) -> CaseRecord? { files[number] }

  /// See ``CaseStore/records(of:)``.
  package func records(of venue: VenueID) throws(StoreFault) -> [CaseRecord] {
    files.values.filter { $0.venue == venue }.sorted { $0.number > $1.number }
  }

  /// See ``CaseStore/remove(_:)``.
  package func remove(_ number: Int64) throws(StoreFault) {
    files[number] = nil
    statuses[number] = nil
    sent = sent.filter { $0.value.caseNumber != number }
  }

  /// See ``CaseStore/save(_:of:)``.
  package func save(_ contact: CaseContact, of number: Int64) throws(StoreFault) {
    statuses[number, default: []].removeAll { $0.device == contact.device && $0.holder == contact.holder }
    statuses[number, default: []].append(contact)
  }

  /// See ``CaseStore/contacts(of:)``.
  package func contacts(of number: Int64) throws(StoreFault) -> [CaseContact] {
    (statuses[number] ?? []).sorted {
      $0.device == $1.device
        ? $0.holder < $1.holder : $0.device.rawValue.utf8.lexicographicallyPrecedes($1.device.rawValue.utf8)
    }
  }

  /// See ``CaseStore/save(_:)-(CaseNotice)``.
  package func save(_ notice: CaseNotice) throws(StoreFault) -> Int64 {
    var notice = notice
    if notice.number == 0 {
      let known = sent.values.first {
        $0.caseNumber == notice.caseNumber && $0.device == notice.device && $0.exposed == notice.exposed
          && $0.holder == notice.holder
      }
      if let known { return known.number }
      last.notice += 1
      notice.number = last.notice
    }
    sent[notice.number] = notice
    return notice.number
  }

  /// See ``CaseStore/notices(of:)``.
  package func notices(of number: Int64) throws(StoreFault) -> [CaseNotice] {
    sent.values.filter { $0.caseNumber == number }.sorted { $0.number < $1.number }
  }

  /// See ``CaseStore/notices(to:now:)``.
  package func notices(to device: DeviceID, now: Instant) throws(StoreFault) -> [CaseNotice] {
    sent.values.filter { $0.device == device && $0.expires > now }.sorted { $0.number < $1.number }
  }

  /// See ``CaseStore/forget(_:_:)``.
  package func forget(_ device: DeviceID, _ end: DeviceEnd) throws(StoreFault) {
    for file in files.values.sorted(by: { $0.number < $1.number })
    where file.device == device && end.covers(holder: file.holder, received: file.created) {
      try remove(file.number)
    }
    for number in statuses.keys.sorted() {
      statuses[number]?.removeAll { $0.device == device && end.covers(holder: $0.holder, received: $0.changed) }
    }
    sent = sent.filter {
      $0.value.device != device || !end.covers(holder: $0.value.holder, received: $0.value.created)
    }
  }

  /// See ``CaseStore/expire(before:)``.
  package func expire(before time: Instant) throws(StoreFault) -> Int {
    let ended = files.values.filter { $0.closed.map { $0 < time } ?? false }.map(\.number).sorted()
    for number in ended { try remove(number) }
    sent = sent.filter { $0.value.expires >= time }
    return ended.count
  }
}
