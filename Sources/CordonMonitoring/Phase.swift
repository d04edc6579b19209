/// Where a monitor stands on its way from consent to recording.
public enum Phase: String, Hashable, Sendable, CaseIterable {
  /// Nobody asked for monitoring.
  case off
  /// Waits for consent.
  case needsConsent = "needs_consent"
  /// Waits for an invite code, or for the answer to one.
  case needsActivation = "needs_activation"
  /// Waits for a venue.
  case needsVenue = "needs_venue"
  /// The operating system does not let the app know the position.
  case suspended
  /// Resting on request.
  case paused
  /// Watches the geofence; positioning is off.
  case armed
  /// In the geofence; positioning is on.
  case tracking
  /// In the geofence and still; positioning is off, the last location is confirmed now and then.
  case resting
}
