package import CordonCore
package import CordonIngest

/// Forms in memory, for tests: the twin of ``SQLiteFormStore``.
package final class MemoryFormStore: FormStore {
  private struct Tables {
    var forms: [StoredForm] = []
    var keys: [FormKey] = []
    var entries: [FormEntry] = []
    var identifiers: Set<String> = []
    var last: (key: Int64, entry: Int64) = (0, 0)
  }

  private var tables = Tables()

  /// An empty store.
  package init() {}

  package func transaction<T>(_ body: () throws(StoreFault) -> T) throws(StoreFault) -> T {
    let before = tables
    do throws(StoreFault) { return try body() } catch {
      tables = before
      throw error
    }
  }

  package func forms() throws(StoreFault) -> [StoredForm] {
    tables.forms.sorted { ($0.form, $0.version) < ($1.form, $1.version) }
  }

  package func save(_ form: StoredForm) throws(StoreFault) {
    tables.forms.removeAll { $0.form == form.form && $0.version == form.version }
    tables.forms.append(form)
  }

  package func keys(of form: String) throws(StoreFault) -> [FormKey] { tables.keys.filter { $0.form == form } }

  package func key(_ hash: [UInt8]) throws(StoreFault) -> FormKey? { tables.keys.first { $0.hash == hash } }

  package func save(_ key: FormKey) throws(StoreFault) -> Int64 {
    var key = key
    tables.last.key += 1
    key.number = tables.last.key
    tables.keys.append(key)
    return key.number
  }

  package func remove(key number: Int64, of form: String) throws(StoreFault) -> Bool {
    let count = tables.keys.count
    tables.keys.removeAll { $0.number == number && $0.form == form }
    return tables.keys.count < count
  }

  package func add(_ entry: FormEntry) throws(StoreFault) -> Bool {
    if let id = entry.id, !tables.identifiers.insert(id).inserted { return false }
    var entry = entry
    tables.last.entry += 1
    entry.sequence = tables.last.entry
    tables.entries.append(entry)
    return true
  }

  package func entries(
    of form: String, after sequence: Int64, limit: Int, owner: FormOwner?, without: String?
  ) throws(StoreFault) -> [FormEntry] {
    Array(
      tables.entries.lazy.filter { entry in
        entry.sequence > sequence && entry.form == form && (owner == nil || entry.owner == owner)
          && (without == nil || entry.id == nil || entry.device != without)
      }.prefix(limit))
  }

  package func lastSequence() throws(StoreFault) -> Int64 { tables.last.entry }

  package func history(of record: String) throws(StoreFault) -> [FormEntry] {
    tables.entries.filter { $0.record == record }
  }

  package func records(of form: String, after record: String, limit: Int) throws(StoreFault) -> [String] {
    let all = Set(tables.entries.filter { $0.form == form && $0.id != nil && $0.record > record }.map(\.record))
    return Array(all.sorted().prefix(limit))
  }

  package func records(of device: String) throws(StoreFault) -> [String] {
    Set(tables.entries.filter { $0.device == device && $0.id != nil }.map(\.record)).sorted()
  }

  package func devices() throws(StoreFault) -> [String] {
    Set(tables.entries.map(\.device)).subtracting([""]).sorted()
  }

  package func claim(_ id: String, since: Instant) throws(StoreFault) {
    for index in tables.entries.indices where tables.entries[index].id == id && tables.entries[index].holder == nil {
      tables.entries[index].holder = since
    }
  }

  package func erasures(naming device: String) throws(StoreFault) -> [FormEntry] {
    tables.entries.filter { $0.device == device && $0.id == nil }
  }

  package func blank(_ sequence: Int64) throws(StoreFault) {
    for index in tables.entries.indices
    where tables.entries[index].sequence == sequence && tables.entries[index].id == nil {
      tables.entries[index].device = ""
    }
  }

  package func records(receivedBefore time: Instant, limit: Int) throws(StoreFault) -> [String] {
    var last: [String: Instant] = [:]
    for entry in tables.entries where entry.id != nil {
      last[entry.record] = max(last[entry.record] ?? entry.received, entry.received)
    }
    return Array(last.filter { $0.value < time }.keys.sorted().prefix(limit))
  }

  package func erase(_ record: String, form: String, owner: FormOwner?, at time: Instant) throws(StoreFault) {
    for entry in tables.entries where entry.record == record { if let id = entry.id { tables.identifiers.remove(id) } }
    tables.entries.removeAll { $0.record == record }
    _ = try add(
      FormEntry(
        form: form, record: record, id: nil, device: owner?.device ?? "", holder: owner?.since, received: time, body: []
      ))
  }

  package func scrub() throws(StoreFault) {}
}
