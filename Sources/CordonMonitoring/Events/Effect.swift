public import CordonCore
public import CordonGeometry

/// An action that a monitor requests. The runtime performs effects in order.
package enum Effect: Sendable {
  /// Write a location, to be sent to every sink.
  case store(Location)
  /// Write that the device stayed at this location until its `Location.stillUntil`.
  case extendDwell(Location)
  /// Lease up to `limit` of the oldest rows and send them.
  case upload(SinkID, limit: Int)
  /// Ask for a token.
  case requestToken
  /// Ask for activation.
  case requestActivation(code: String)
  /// Remove every location of the device.
  case wipe
  /// Forget the device's token, and that it is activated.
  case forgetCredentials
  /// Put the active venue's credentials aside, and use those of another venue.
  case takeVenue(VenueID)
  /// Report the person's current consent to the sink.
  case reportConsent(Consent)
  /// Remove the queue of a sink, and store nothing more for it.
  case discard(SinkID)
  /// Remove every location that was recorded outside of venues.
  case purge
  /// Become a new device that nothing links to the erased one.
  case renewIdentity
  /// Ask a sink to erase a device.
  case requestErasure(DeviceID, SinkID)
  /// Every sink confirmed the erasure; forget its secret.
  case erasureDone(DeviceID)
  /// Remove the locations that exceed the limits.
  case expire
  /// Write the monitor's own state, with everything above, in one transaction.
  case persist(Durability)
  /// Send a command to the operating system.
  case command(ProviderCommand)
  /// Send a notice to the app.
  case notice(MonitorNotice)
}

/// The failures that a write must survive before a step continues.
public enum Durability: Hashable, Sendable {
  /// Survives a killed process; a power loss may take the last transactions.
  case normal
  /// Survives a power loss.
  case full
}

/// A command to the operating system.
public enum ProviderCommand: Hashable, Sendable {
  /// Start delivering fixes.
  case startPositioning
  /// Stop delivering fixes.
  case stopPositioning
  /// Deliver one fix.
  case requestFix
  /// Watch the circle around the venue.
  case watchRegion(Geofence)
  /// Stop watching the circle around the venue.
  case unwatchRegion
  /// Watch the small circle around the place of rest; radius in metres.
  case watchWakeFence(center: Coordinate, radius: Double)
  /// Stop watching the circle around the place of rest.
  case unwatchWakeFence
  /// Measure as a policy says, until the next such command; `nil` measures as in venues: with the best accuracy and
  /// without a filter.
  case usePolicy(TrackingPolicy?)
  /// Report significant changes of the position as fixes.
  case watchSignificantChanges
  /// Stop reporting significant changes.
  case unwatchSignificantChanges
  /// Report visits.
  case watchVisits
  /// Stop reporting visits.
  case unwatchVisits
  /// Watch the circle around the place where positioning was paused; radius in metres. The region has an identifier of
  /// its own.
  case watchExitFence(center: Coordinate, radius: Double)
  /// Stop watching the circle around the place of the pause.
  case unwatchExitFence
}

/// A notice for the app.
public enum MonitorNotice: Hashable, Sendable {
  /// The monitor entered another phase.
  case phase(Phase)
  /// A limit removed locations.
  case expired(ExpiryRule, count: Int)
  /// A request with rows ended.
  case delivery(SinkID, DeliveryOutcome)
  /// The store failed; the text says where.
  case storeFailed(StoreError)
  /// A server refused the invite code.
  case inviteRefused
  /// The invite code was valid, but for another venue than the active one. The activation is kept until that venue is
  /// active.
  case activatedElsewhere(VenueID)
  /// Another of the known venues became the active one.
  case venueChanged(VenueID)
  /// The device may no longer send; it needs a new invite code.
  case deactivated
  /// Every sink that can erase has confirmed that it erased a device.
  case erased(DeviceID)
  /// The server reported that it erased this device: the consent has ended, and the locations on the device are
  /// deleted.
  case erasedByServer
  /// The device entered a space, stayed in it or left it; see ``MonitorConfiguration/reportsSpaces``.
  case space(SpaceEvent)
  /// An exposure notice arrived. It is reported once; `DeviceRecord.notices` holds it until it expires.
  case exposure(ExposureNotice)
  /// Tracking outside of venues began, paused or ended: the lifecycle log.
  case tracking(TrackingEvent)
  /// The consent ended, but this sink cannot erase what it received from the device.
  case notErased(DeviceID, SinkID)
}

/// A list of effects that keeps its memory between events.
package struct EffectBuffer: Sendable {
  /// The effects, in the order in which the runtime performs them.
  package private(set) var effects: [Effect] = []

  /// An empty list.
  package init() {}

  /// Adds an effect at the end.
  @inlinable
  package mutating func append(_ effect: Effect) { push(effect) }

  @usableFromInline
  mutating func push(_ effect: Effect) { effects.append(effect) }

  /// Removes the effects and keeps the memory.
  package mutating func removeAll() {
    if !effects.isEmpty { effects.removeAll(keepingCapacity: true) }
  }

  /// Whether there are no effects.
  package var isEmpty: Bool { effects.isEmpty }
}
