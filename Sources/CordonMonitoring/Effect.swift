public import CordonCore
public import CordonGeometry

/// Something that a monitor wants done. The runtime does it, in order.
public enum Effect: Sendable {
  /// Write a location, to be sent to every sink.
  case store(Location)
  /// Write that the device was still at this location until its `Location.stillUntil`.
  case extendDwell(Location)
  /// Take up to so many of the oldest rows and send them.
  case upload(SinkID, limit: Int)
  /// Ask for a token.
  case requestToken
  /// Ask for activation.
  case requestActivation(code: String)
  /// Remove every location of the device.
  case wipe
  /// Forget the device's token, and that it is activated.
  case forgetCredentials
  /// Put the active venue's credentials aside, and take those of another up.
  case takeVenue(VenueID)
  /// Tell the sink what the person agrees to now.
  case reportConsent(Consent)
  /// Become a new device: nothing may tie it to the erased one.
  case renewIdentity
  /// Ask a sink to erase a device.
  case requestErasure(DeviceID, SinkID)
  /// Every sink confirmed the erasure; forget its secret.
  case erasureDone(DeviceID)
  /// Remove what the limits say.
  case expire
  /// Write the monitor's own state, with everything above, in one transaction.
  case persist(Durability)
  /// Tell the operating system something.
  case command(ProviderCommand)
  /// Tell the app something.
  case notice(MonitorNotice)
}

/// How certain a write must be before a step goes on.
public enum Durability: Hashable, Sendable {
  /// Survives a killed process; a power loss may take the last transactions.
  case normal
  /// Survives a power loss.
  case full
}

/// What the operating system is asked for.
public enum ProviderCommand: Hashable, Sendable {
  /// Deliver fixes from now on.
  case startPositioning
  /// Deliver no more fixes.
  case stopPositioning
  /// Deliver one fix.
  case requestFix
  /// Watch the circle round the venue.
  case watchRegion(Geofence)
  /// Watch it no more.
  case unwatchRegion
  /// Watch the small circle round the place of rest; radius in metres.
  case watchWakeFence(center: Coordinate, radius: Double)
  /// Watch it no more.
  case unwatchWakeFence
}

/// What an app may want to know.
public enum MonitorNotice: Hashable, Sendable {
  /// The monitor is in another phase.
  case phase(Phase)
  /// A limit removed locations.
  case expired(ExpiryRule, count: Int)
  /// A sink confirmed rows, or not.
  case delivery(SinkID, DeliveryOutcome)
  /// The store failed; the text says where.
  case storeFailed(StoreError)
  /// The invite code was not accepted.
  case inviteRefused
  /// The invite code was good, but for another venue than the active one. It is kept for when that one is active.
  case activatedElsewhere(VenueID)
  /// Another of the known venues is the active one now.
  case venueChanged(VenueID)
  /// The device may no longer send; it needs a new invite code.
  case deactivated
  /// Every sink that can erase has confirmed that it erased a device.
  case erased(DeviceID)
  /// The server said that it erased this device: the consent has ended, and what was here is gone.
  case erasedByServer
  /// The device entered a space, stayed in it or left it; see ``MonitorConfiguration/reportsSpaces``.
  case space(SpaceEvent)
  /// The consent ended, but this sink cannot erase what it received from the device.
  case notErased(DeviceID, SinkID)
}

/// A list of effects that keeps its memory between events.
public struct EffectBuffer: Sendable {
  /// The effects, in the order in which they are to be done.
  public private(set) var effects: [Effect] = []

  /// An empty list.
  public init() {}

  /// Adds an effect at the end.
  @inlinable
  public mutating func append(_ effect: Effect) { push(effect) }

  @usableFromInline
  mutating func push(_ effect: Effect) { effects.append(effect) }

  /// Forgets the effects and keeps the memory.
  public mutating func removeAll() {
    if !effects.isEmpty { effects.removeAll(keepingCapacity: true) }
  }

  /// Whether there is nothing to do.
  public var isEmpty: Bool { effects.isEmpty }
}
