package import CordonCore
package import CordonIngest

extension FormDesk {
  /// Erases the records of a device, or of its former holders, that was erased while a request of it was answered.
  package func forget(_ device: DeviceID, _ end: DeviceEnd, now: Instant) throws(Problem) {
    try stored { () throws(StoreFault) in try FormErasure(store).forget(device, end, at: now) }
  }
}

/// Erases the records of erased devices and holders, on the thread of the core: with a connection of its own.
package final class FormErasure: DeviceFollower {
  private let store: any FormStore

  /// Erases in a store.
  package init(_ store: any FormStore) { self.store = store }

  /// See ``DeviceFollower/forget(_:_:at:)``.
  package func forget(_ device: DeviceID, _ end: DeviceEnd, at time: Instant) throws(StoreFault) {
    let records = try store.records(of: device.rawValue)
    try store.transaction { () throws(StoreFault) in
      for record in records {
        let history = try store.history(of: record)
        // A record that others also wrote is the record of somebody else; it stays with them.
        guard let form = history.first?.form,
          history.allSatisfy({ $0.device == device.rawValue && $0.isCovered(by: end) })
        else { continue }
        try store.erase(record, form: form, owner: nil, at: time)
      }
      for erasure in try store.erasures(naming: device.rawValue) where erasure.isCovered(by: end) {
        try store.blank(erasure.sequence)
      }
    }
    // Also without records: an earlier attempt may have ended before its scrub.
    try store.scrub()
  }

  /// Erases the records of devices and holders that were erased while their records were not: the process ended between the two,
  /// or an earlier copy of the file was put in its place. Belongs to the start of a server.
  package func catchUp(
    at time: Instant, ends: (DeviceID) throws(StoreFault) -> [DeviceEnd]
  ) throws(StoreFault) {
    for name in try store.devices() {
      guard let device = DeviceID(name) else { continue }
      for end in try ends(device) { try forget(device, end, at: time) }
    }
  }
}

extension FormEntry {
  /// Whether an erasure of its device or of its holder is one of the entry too.
  fileprivate func isCovered(by end: DeviceEnd) -> Bool {
    end.covers(holder: begin, received: received)
  }
}
