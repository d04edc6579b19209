public import CordonCore

/// A report of a provider or sensor: the device's position and surroundings.
///
/// Consent, invite codes and the results of requests are not among these events, so a provider cannot forge them.
public enum ProviderEvent: Hashable, Sendable {
  /// A position was measured.
  case fix(Fix)
  /// The operating system reports that the device crossed the geofence.
  case region(RegionCrossing)
  /// The device left the small circle around the place where it rested.
  case leftWakeFence
  /// The operating system's permission changed.
  case permission(Permission)
  /// The device's sensors report whether it moves.
  case motion(Motion)
  /// Another source than fixes reports the floor; `nil` when it no longer knows it.
  case floor(FloorOrdinal?)
  /// The network changed.
  case network(NetworkState)
  /// The operating system reports a visit: an arrival, a departure, or both.
  case visit(Visit)
  /// The operating system paused positioning by itself.
  case pausedPositioning
  /// The device left the circle around the place of a pause.
  case leftExitFence
  /// The app came to the foreground, or left it.
  case foreground(Bool)
}

/// The operating system's permission to see the position.
public enum Permission: UInt8, Hashable, Sendable {
  /// Not requested yet, or refused.
  case none
  /// Only while the app is in the foreground.
  case whenInUse
  /// Always.
  case always
}

/// A crossing of the geofence.
public enum RegionCrossing: Hashable, Sendable {
  case entered
  case exited
}

/// A report of the motion sensors.
public enum Motion: Hashable, Sendable {
  case still
  case moving
}

/// The kind of network.
public enum NetworkState: Hashable, Sendable {
  case none
  case metered
  case unmetered
}
