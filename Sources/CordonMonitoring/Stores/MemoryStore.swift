public import CordonCore

/// A store in memory: for simulations, tests and devices that may lose their data at exit.
///
/// A journal undoes transactions, so that the store behaves like the SQLite store when something fails.
public final class MemoryStore: Store {
  struct Way {
    var sink: SinkID
    var status = Delivery.Status.pending
    var leaseEnd = Instant.epoch
    var attempts = 0
    var reason: String?
  }

  struct Row {
    var location: Location
    var deliveries: [Way]

    var isQuarantined: Bool { deliveries.contains { $0.status == .quarantined } }
  }

  struct Shelf {
    var record: DeviceRecord
    /// Ordered by identifier, and so by time.
    var rows: [Row] = []
  }

  enum Undo {
    case shelf(DeviceID, Shelf?)
    case record(DeviceRecord)
    case state(DeviceID, [UInt8])
    case inserted(DeviceID, FixID)
    case changed(DeviceID, Row)
    case way(DeviceID, FixID, Way)
    case removed(DeviceID, Row)
  }

  var shelves: [DeviceID: Shelf] = [:]
  var journal: [Undo] = []
  private var isOpen = false

  /// An empty store.
  public init() {}

  /// See ``Store/begin(_:)``.
  public func begin(_ durability: Durability) throws(StoreError) {
    if isOpen { throw StoreError(.failed, "begin: a transaction is open") }
    isOpen = true
  }

  /// See ``Store/commit()``.
  public func commit() throws(StoreError) {
    isOpen = false
    journal.removeAll(keepingCapacity: true)
  }

  /// See ``Store/rollback()``.
  public func rollback() {
    isOpen = false
    for undo in journal.reversed() {
      switch undo {
      case .shelf(let id, let shelf): shelves[id] = shelf
      case .record(let record): shelves[record.id]?.record = record
      case .state(let device, let state): shelves[device]?.record.state = state
      case .inserted(let device, let id):
        if let place = shelves[device]?.place(of: id) { shelves[device]?.rows.remove(at: place.index) }
      case .changed(let device, let row):
        if let place = shelves[device]?.place(of: row.location.id), place.isThere {
          shelves[device]?.rows[place.index] = row
        }
      case .way(let device, let id, let way):
        if let place = shelves[device]?.place(of: id), place.isThere,
          let which = shelves[device]?.rows[place.index].way(to: way.sink)
        {
          shelves[device]?.rows[place.index].deliveries[which] = way
        }
      case .removed(let device, let row):
        if let place = shelves[device]?.place(of: row.location.id), !place.isThere {
          shelves[device]?.rows.insert(row, at: place.index)
        }
      }
    }
    journal.removeAll(keepingCapacity: true)
  }

  /// See ``Store/device(_:)``.
  public func device(_ id: DeviceID) throws(StoreError) -> DeviceRecord? { shelves[id]?.record }

  /// See ``Store/devices()``.
  public func devices() throws(StoreError) -> [DeviceRecord] {
    shelves.values.map(\.record).sorted { $0.id < $1.id }
  }

  /// See ``Store/save(_:)``.
  public func save(_ device: DeviceRecord) throws(StoreError) {
    if let old = shelves[device.id]?.record {
      note(.record(old))
      shelves[device.id]?.record = device
    } else {
      note(.shelf(device.id, nil))
      shelves[device.id] = Shelf(record: device)
    }
  }

  /// See ``Store/save(state:of:)``.
  public func save(state: [UInt8], of device: DeviceID) throws(StoreError) {
    guard let shelf = shelves.index(forKey: device) else { return }
    var state = state
    swap(&state, &shelves.values[shelf].record.state)
    note(.state(device, state))
  }

  /// See ``Store/remove(_:)``.
  public func remove(_ device: DeviceID) throws(StoreError) {
    guard let shelf = shelves.removeValue(forKey: device) else { return }
    note(.shelf(device, shelf))
  }

  func note(_ undo: @autoclosure () -> Undo) {
    if isOpen { journal.append(undo()) }
  }
}

extension MemoryStore {
  /// Returns the index of a row, or the index at which it would be inserted.
  static func place(of id: FixID, in rows: [Row]) -> (index: Int, isThere: Bool) {
    if let last = rows.last, last.location.id < id { return (rows.count, false) }
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].location.id < id { low = middle + 1 } else { high = middle }
    }
    return (low, low < rows.count && rows[low].location.id == id)
  }
}

extension MemoryStore.Shelf {
  /// Returns the index of a row, or the index at which it would be inserted.
  func place(of id: FixID) -> (index: Int, isThere: Bool) { MemoryStore.place(of: id, in: rows) }
}
