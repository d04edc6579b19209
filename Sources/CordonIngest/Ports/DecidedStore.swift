package import CordonCore

/// A store that knows up to which record of a log of decisions it has what was decided.
package protocol DecidedStore: PositionStore {
  /// The number of the last record of the log that the store has.
  func decided() throws(StoreFault) -> Int64
  /// Notes that number. Belongs into a transaction.
  func setDecided(_ number: Int64) throws(StoreFault)
  /// All tombstones, by their hashes.
  func tombstones() throws(StoreFault) -> [Tombstone]
}

extension PositionStore {
  /// All devices of a venue, by name.
  package func allDevices(in venue: VenueID) throws(StoreFault) -> [StoredDevice] {
    var list: [StoredDevice] = []
    while true {
      let page = try devices(in: venue, prefix: "", after: list.last?.id.rawValue ?? "", limit: 1_000)
      list += page
      if page.count < 1_000 { return list }
    }
  }
}
