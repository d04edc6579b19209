public import CordonCore
public import CordonMonitoring

/// How a trace is replayed.
public struct ReplaySettings: Sendable {
  /// The monitor's settings; its sinks decide where rows go.
  public var monitor = Settings()
  /// Whether the log tells where refused fixes were.
  public var showsRefused = false
  /// The version of the consent that is given for the test, and logged.
  public var consentVersion = "replay-test"
  /// An invite code, for sinks that need activation.
  public var inviteCode: String?
  /// Two rows farther apart in time than this are not joined into a contact.
  public var maximumGap = TimeSpan.seconds(30)
  /// Metres within which two devices are in contact.
  public var contactDistance = 2.0
  /// Virtual time after the last fix, for queues to be sent.
  public var afterwards = TimeSpan.minutes(10)

  /// Everything goes to a sink in the same process that answers at once. Fixes that software made up are refused, as apps do,
  /// whatever build this is.
  public init() {
    monitor.acceptsMocked = false
    monitor.sinks = [Sink(.cordon, needsActivation: false)]
  }
}

/// What a replay is connected to.
public struct ReplayPorts {
  /// Makes the store of a device.
  public var store: (_ device: String) throws(StoreError) -> any Store
  /// Carries a request and brings the answer.
  public var carry: (Request, Instant) throws -> Response
  /// Called before each event with its virtual time: waits, for a replay in real time.
  public var pace: (Instant) throws -> Void

  /// Ports; by default memory, and no waiting.
  public init(
    store: @escaping (String) throws(StoreError) -> any Store = { (_) throws(StoreError) in MemoryStore() },
    carry: @escaping (Request, Instant) throws -> Response, pace: @escaping (Instant) throws -> Void = { _ in }
  ) {
    self.store = store
    self.carry = carry
    self.pace = pace
  }
}
