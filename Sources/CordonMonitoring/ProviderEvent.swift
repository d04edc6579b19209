public import CordonCore

/// What a provider or a sensor may report: where the device is and what surrounds it, and nothing else.
///
/// Consent, invite codes and the results of requests are not among these events, so a provider cannot forge them.
public enum ProviderEvent: Hashable, Sendable {
  /// A position was measured.
  case fix(Fix)
  /// The operating system reports that the device crossed the geofence.
  case region(RegionCrossing)
  /// The device left the small circle round the place where it rested.
  case leftWakeFence
  /// The operating system's permission changed.
  case permission(Permission)
  /// The device's sensors report whether it moves.
  case motion(Motion)
  /// A floor is known from elsewhere than fixes, or no longer.
  case floor(FloorOrdinal?)
  /// The network changed.
  case network(NetworkState)
}

/// What the operating system lets an app know about the position.
public enum Permission: UInt8, Hashable, Sendable {
  /// Not asked, or refused.
  case none
  /// Only while the app is in front.
  case whenInUse
  /// Always.
  case always
}

/// A crossing of the geofence.
public enum RegionCrossing: Hashable, Sendable {
  case entered
  case exited
}

/// What motion sensors say.
public enum Motion: Hashable, Sendable {
  case still
  case moving
}

/// What kind of network there is.
public enum NetworkState: Hashable, Sendable {
  case none
  case metered
  case unmetered
}
