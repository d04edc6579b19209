public import CordonCore
public import CordonMonitoring

/// The settings of a replay.
public struct ReplaySettings: Sendable {
  /// The settings of the monitor; their sinks determine where rows go.
  public var monitor = MonitorConfiguration()
  /// Whether the log contains the positions of refused fixes.
  public var showsRefused = false
  /// The version of the consent that is given for the test, and logged.
  public var consentVersion = "replay-test"
  /// An invite code for sinks that need activation.
  public var inviteCode: String?
  /// The maximum time between two rows that are joined into a segment.
  public var maximumGap = TimeSpan.seconds(30)
  /// The maximum distance of a contact in metres.
  public var contactDistance = 2.0
  /// The virtual time after the last fix for the upload of queues.
  public var afterwards = TimeSpan.minutes(10)

  /// Creates the default settings: all rows go to one sink without activation, and mocked fixes are refused in every
  /// build.
  public init() {
    monitor.acceptsMocked = false
    monitor.sinks = [Sink(.cordon, needsActivation: false)]
  }
}

/// The connections of a replay.
public struct ReplayPorts {
  /// Creates the store of a device.
  public var store: (_ device: String) throws(StoreError) -> any Store
  /// Sends a request and returns the response.
  public var send: (SinkRequest, Instant) throws -> SinkResponse
  /// Called before each event with its virtual time; a replay in real time waits here.
  public var pace: (Instant) throws -> Void

  /// Creates ports; by default the stores are in memory and nothing waits.
  public init(
    store: @escaping (String) throws(StoreError) -> any Store = { (_) throws(StoreError) in MemoryStore() },
    send: @escaping (SinkRequest, Instant) throws -> SinkResponse, pace: @escaping (Instant) throws -> Void = { _ in }
  ) {
    self.store = store
    self.send = send
    self.pace = pace
  }
}
