public import CordonCore

/// What a monitor must not forget when its process dies. Written in the transaction of the event that changed it.
public struct MonitorState: Hashable, Sendable {
  /// Whether the app asked for monitoring.
  public package(set) var isStarted = false
  /// The person's consent.
  public package(set) var consent: Consent?
  /// Whether monitoring is paused on request.
  public package(set) var isPaused = false
  /// When a pause ends by itself.
  public package(set) var pausedUntil: Instant?
  /// Whether the current consent must still be sent to the server.
  package var isConsentUnsent = false
  /// Whether consent was ever sent to a server; a later reduction is then sent too.
  package var isConsentKnown = false
  /// Whether a server accepted the device for the active venue.
  public package(set) var isActivated = false
  /// Whether a server ever accepted the device under its present name, for any venue: only then can it have its rows.
  package var wasActivated = false
  /// Devices that this phone was, and that a sink has not yet confirmed to have erased: one entry for each device and sink.
  public package(set) var erasures: [Erasure] = []
  /// What became of every fix of this device.
  public package(set) var accounting = Accounting()

  /// A new device's.
  public init() {}
}

/// A device whose erasure is asked of a sink.
public struct Erasure: Hashable, Sendable {
  /// The former device.
  public var device: DeviceID
  /// The sink that must erase it.
  public var sink: SinkID
  /// What proves to the server that the request is the device's own. Kept by the store among its secrets.
  public package(set) var secret: String?
  /// Whether a server ever accepted the device, and so may have rows of it. One that has none cannot prove anything to
  /// the server, which then need not be asked again.
  package var mayHaveRows = true
  /// How often it was asked.
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
