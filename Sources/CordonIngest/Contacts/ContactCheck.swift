internal import CordonContacts
internal import CordonCore
internal import CordonGeometry

/// Compares the contacts in a store with those of its positions, found from scratch.
public enum ContactCheck {
  /// What came of it.
  public struct Report: Hashable, Sendable {
    /// Contacts in the store that lie wholly in the time of the positions.
    public var stored = 0
    /// Contacts of the positions.
    public var found = 0
    /// Those that are only in one of the two.
    public var different = 0
  }

  /// Compares, venue by venue. Reads every position.
  public static func run(_ store: any PositionStore, settings: IngestSettings) throws(StoreFault) -> Report {
    var report = Report()
    let live = LiveContacts(settings: settings)
    for venue in try store.venues() {
      let found = Set(try live.all(of: venue.number, store: store, frame: LocalFrame(origin: venue.origin)))
      // Positions go before contacts do, so older contacts have none to be found from.
      let start = try live.earliestPosition(of: venue.number, store: store) ?? Int64.max
      let stored = Set(
        try store.contacts(in: venue.number, device: nil, overlapping: Int64.min...Int64.max, limit: Int.max)
          .filter { $0.start / 1_000 >= start })
      report.stored += stored.count
      report.found += found.count
      report.different += stored.symmetricDifference(found).count
    }
    return report
  }
}

extension LiveContacts {
  func earliestPosition(of venue: Int64, store: any PositionStore) throws(StoreFault) -> Int64? {
    var earliest: Int64?
    for device in try store.devices(in: venue, during: 0...Int64.max) {
      if let first = try store.positions(of: device, after: nil, limit: 1).first {
        earliest = min(earliest ?? first.time, first.time)
      }
    }
    return earliest
  }
}
