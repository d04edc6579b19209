public import CordonCore

/// The part of a monitor that survives the process. Written in the transaction of the event that changed it.
package struct MonitorState: Hashable, Sendable {
  /// Whether the app started monitoring.
  package var isStarted = false
  /// The person's consent.
  package var consent: Consent?
  /// Whether monitoring is paused on request.
  package var isPaused = false
  /// The time at which a pause ends by itself.
  package var pausedUntil: Instant?
  /// Whether the current consent must still be sent to the server.
  package var isConsentUnsent = false
  /// Whether consent was ever sent to a server; a later reduction is then sent too.
  package var isConsentKnown = false
  /// Whether a server accepted the device for the active venue.
  package var isActivated = false
  /// Whether a server ever accepted the device under its current pseudonym, for any venue. Only then can it have its
  /// rows.
  package var wasActivated = false
  /// Former pseudonyms whose erasure is not confirmed yet: one entry for each device and sink.
  package var erasures: [Erasure] = []
  /// The fate of every fix of this device.
  package var accounting = Accounting()

  /// Makes the state of a new device.
  package init() {}
}

/// A pending erasure of a device by a sink.
public struct Erasure: Hashable, Sendable {
  /// The former device.
  public var device: DeviceID
  /// The sink that must erase it.
  public var sink: SinkID
  /// The secret that proves the request comes from the device. The store keeps it among its secrets.
  public package(set) var secret: String?
  /// Whether a server ever accepted the device, and so may have rows of it. A device without rows there has no way to
  /// prove its request, so the server is not asked again.
  package var mayHaveRows = true
  /// The number of requests made.
  package var attempts = 0
  package var notBefore: Int64 = .min
  package var isInFlight = false

  init(device: DeviceID, sink: SinkID, mayHaveRows: Bool) {
    self.device = device
    self.sink = sink
    self.mayHaveRows = mayHaveRows
  }

  package init(device: DeviceID, sink: SinkID = .cordon, secret: String?) {
    self.device = device
    self.sink = sink
    self.secret = secret
  }
}
