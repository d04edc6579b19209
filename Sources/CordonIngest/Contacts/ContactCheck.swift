internal import CordonContacts
internal import CordonCore
internal import CordonGeometry

/// Compares the contacts in a store with those of its positions, found from scratch.
package enum ContactCheck {
  /// The result of a check.
  package struct Report: Hashable, Sendable {
    /// Contacts in the store that lie wholly in the time of the positions.
    package var stored = 0
    /// Contacts of the positions.
    package var found = 0
    /// Those that are only in one of the two.
    package var different = 0
    /// Those that are in both, but for the time with a wall between: found when the map was another one.
    package var otherWalls = 0
  }

  /// Compares, venue by venue. Reads every position.
  /// - Parameters:
  ///   - store: the positions and contacts.
  ///   - settings: the distance, the gap and the accuracy that contacts are found with.
  ///   - catalog: the maps, for walls.
  package static func run(
    _ store: any PositionStore, settings: IngestSettings, catalog: VenueCatalog
  ) throws(StoreFault) -> Report {
    var report = Report()
    var live = LiveContacts(settings: settings, catalog: catalog)
    for venue in try store.venues() {
      let found = Set(try live.all(of: venue.number, store: store))
      // Positions go before contacts do, so older contacts have none to be found from.
      let start = try live.earliestPosition(of: venue.number, store: store) ?? Int64.max
      let stored = Set(
        try store.contacts(in: venue.number, device: nil, overlapping: Int64.min...Int64.max, limit: Int.max)
          .filter { $0.start / 1_000 >= start })
      report.stored += stored.count
      report.found += found.count
      let plain = { (contacts: Set<Contact>) in Set(contacts.map(\.withoutWalls)) }
      report.different += plain(stored).symmetricDifference(plain(found)).count
      let both = plain(stored).intersection(plain(found))
      report.otherWalls += found.subtracting(stored).count { both.contains($0.withoutWalls) }
    }
    return report
  }
}

extension Contact {
  fileprivate var withoutWalls: Contact {
    var contact = self
    contact.obstructed = Contact.wallsNotAsked
    return contact
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
