package import CordonCore

/// Everything that a device holds about its owner.
package struct Inventory: Hashable, Sendable {
  /// The pseudonym.
  package var device: DeviceID
  /// The device type that is reported to the servers.
  package var type: String
  /// The venues for which it is activated.
  package var activatedVenues: [VenueID]
  /// The expiry of its token; `nil` without one.
  package var tokenEnd: Instant?
  /// The owner's consent.
  package var consent: Consent?
  /// The fate of every fix.
  package var accounting: Accounting
  /// Every location, oldest first.
  package var locations: [Location]
  /// The pending deliveries of every location.
  package var deliveries: [Delivery]
  /// The exposure notices that have not expired.
  package var notices: [ExposureNotice]
  /// Former pseudonyms whose erasure no server has confirmed yet.
  package var pendingErasures: [DeviceID]
}

extension Runtime {
  /// Returns what the device holds, read from the store.
  package func inventory() throws(StoreError) -> Inventory {
    var venues = record.activations.map(\.venue)
    if record.isActivated, let venue = record.venue { venues.append(venue) }
    return Inventory(
      device: record.id, type: record.type, activatedVenues: venues.sorted { $0.rawValue < $1.rawValue },
      tokenEnd: tokenEnd, consent: monitor.state.consent, accounting: monitor.state.accounting,
      locations: try store.locations(of: record.id), deliveries: try store.deliveries(of: record.id),
      notices: record.notices,
      pendingErasures: Set(monitor.state.erasures.map(\.device)).sorted())
  }
}
