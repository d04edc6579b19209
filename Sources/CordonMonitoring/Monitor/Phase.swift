/// The state of a monitor between consent and recording.
public enum Phase: String, Hashable, Sendable, CaseIterable {
  /// The app has not started monitoring.
  case off
  /// The monitor waits for consent.
  case needsConsent = "needs_consent"
  /// The monitor waits for an invite code, or for the answer to one.
  case needsActivation = "needs_activation"
  /// The monitor waits for a venue.
  case needsVenue = "needs_venue"
  /// The operating system does not give the app the position.
  case suspended
  /// The app or the person paused monitoring.
  case paused
  /// The monitor watches the geofence; positioning is off.
  case armed
  /// The device is in the geofence; positioning is on.
  case tracking
  /// The device is in the geofence and still; positioning is off, and the last location is confirmed regularly.
  case resting
}
