package import CordonCore
package import CordonMonitoring

/// The settings of a replay.
package struct ReplaySettings: Sendable {
  /// The settings of the monitor; their sinks determine where rows go.
  package var monitor = MonitorConfiguration()
  /// Whether the log contains the positions of refused fixes.
  package var showsRefused = false
  /// The version of the consent that is given for the test, and logged.
  package var consentVersion = "replay-test"
  /// An invite code for sinks that need activation.
  package var inviteCode: String?
  /// The maximum time between two rows that are joined into a segment.
  package var maximumGap = TimeSpan.seconds(30)
  /// The maximum distance of a contact in metres.
  package var contactDistance = 2.0
  /// The virtual time after the last fix for the upload of queues.
  package var afterwards = TimeSpan.minutes(10)

  /// Creates the default settings: all rows go to one sink without activation, and mocked fixes are refused in every
  /// build.
  package init() {
    monitor.acceptsMocked = false
    monitor.sinks = [Sink(.cordon, needsActivation: false)]
  }
}

/// The connections of a replay.
package struct ReplayPorts {
  /// Creates the store of a device.
  package var store: (_ device: String) throws(StoreError) -> any Store
  /// Sends a request and returns the response.
  package var send: (SinkRequest, Instant) throws -> SinkResponse
  /// Called before each event with its virtual time; a replay in real time waits here.
  package var pace: (Instant) throws -> Void

  /// Creates ports; by default the stores are in memory and nothing waits.
  package init(
    store: @escaping (String) throws(StoreError) -> any Store = { (_) throws(StoreError) in MemoryStore() },
    send: @escaping (SinkRequest, Instant) throws -> SinkResponse, pace: @escaping (Instant) throws -> Void = { _ in }
  ) {
    self.store = store
    self.send = send
    self.pace = pace
  }
}
