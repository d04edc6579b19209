public import CordonCore
public import CordonMonitoring

/// Why there is data, or why there is none: the question that users of every tracker ask most.
public struct MonitorStatus: Hashable, Sendable {
  /// Where the monitor stands.
  public var phase: Phase
  /// What became of every fix.
  public var accounting: Accounting
  /// Why the last refused fix was refused.
  public var lastRefusal: RefusalReason?
  /// The time of the last fix that was kept.
  public var lastKept: Instant?
  /// When a sink last answered for rows.
  public var lastDelivery: Instant?
  /// The last failure of the store.
  public var lastError: StoreError?
  /// Whether a withdrawal or another write still waits for a store that works.
  public var hasUnfinishedWrites: Bool
  private let now: Instant

  init(_ runtime: Runtime, lastDelivery: Instant?, lastError: StoreError?, at now: Moment) {
    phase = runtime.phase
    accounting = runtime.accounting
    lastRefusal = runtime.monitor.lastRefusal
    lastKept = runtime.monitor.lastKept
    hasUnfinishedWrites = runtime.hasUnfinishedWrites
    self.lastDelivery = lastDelivery
    self.lastError = lastError
    self.now = now.wall
  }

  /// One sentence for people.
  public var sentence: String {
    switch phase {
    case .off: "Monitoring is off."
    case .needsConsent: "Nobody has consented to recording, so nothing is recorded."
    case .needsActivation: "The device is not activated at its server."
    case .needsVenue: "No venue is known."
    case .suspended: "The operating system does not let the app know the position."
    case .paused: "Monitoring is paused."
    case .armed: "Waiting to enter the venue; positioning is off."
    case .resting: "In the venue and still; the last place is confirmed every minute."
    case .tracking:
      if let lastKept, now - lastKept < .minutes(2) {
        "Recording. \(accounting.onPhone) locations wait to be sent."
      } else if let lastRefusal {
        "In the geofence, but the last fix was refused (\(lastRefusal.rawValue))."
      } else {
        "In the geofence, but no fix has arrived."
      }
    }
  }

  /// What to do about it; `nil` when all is well.
  public var remedy: String? {
    if let lastError, hasUnfinishedWrites {
      return lastError.kind == .full ? "Make room on the disk." : "Look at the store: \(lastError.description)."
    }
    switch phase {
    case .off: return "Call start()."
    case .needsConsent: return "Ask the person, and call consent(to:) with what they agreed to."
    case .needsActivation: return "Enter an invite code."
    case .needsVenue: return "Load the venue."
    case .suspended: return "Allow location access in the system's settings, best \"always\"."
    case .paused: return "Call resume(), or wait for the end of the pause."
    case .armed, .resting: return nil
    case .tracking: return trackingRemedy
    }
  }

  private var trackingRemedy: String? {
    if let lastKept, now - lastKept < .minutes(2) { return nil }
    switch lastRefusal {
    case .tooInaccurate: return "Turn on precise location and Wi-Fi, or raise maximumAccuracy."
    case .unknownAccuracy: return "Use a provider that reports its accuracy."
    case .outside: return "None, if the device is outside; else look at the venue's outline."
    case .future, .stale: return "Set the device's clock."
    case .mocked: return "Turn off the app that makes up positions."
    case .storeFailed: return "Look at the disk."
    case nil: return "Look at the receiver: it delivers nothing."
    default: return nil
    }
  }
}
