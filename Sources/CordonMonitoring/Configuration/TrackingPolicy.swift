public import CordonCore

/// The rules of recording outside of venues, see ``MonitorConfiguration/everywhere``.
///
/// Inside of a venue the rules of the venue hold. A fix outside is recorded only with the person's consent to
/// `Consent.Purposes.everywhere`, and only sinks with that purpose receive it.
public struct TrackingPolicy: Hashable, Sendable {
  /// The sources of fixes outside of venues.
  public enum Mode: String, CaseIterable, Hashable, Sendable {
    /// None: nothing is recorded outside of venues, except during a trip.
    case off
    /// Positioning.
    case standard
    /// Significant changes of the position only, which costs little energy.
    case significant
    /// Positioning and significant changes, which also launch an app that the system ended.
    case both
    /// Visits only: arrivals at places and departures from them.
    case visits
  }

  /// The accuracy that the receiver aims at.
  public enum Accuracy: String, CaseIterable, Hashable, Sendable {
    /// The best, with further sensors: for navigation on external power.
    case navigation
    /// The best of the receiver.
    case best
    case tenMetres = "10m"
    case hundredMetres = "100m"
    case kilometre = "1km"
    case threeKilometres = "3km"

    /// The radius in metres at which the receiver may stop to improve; 0 for the best accuracy.
    package var metres: Double {
      switch self {
      case .navigation, .best: 0
      case .tenMetres: 10
      case .hundredMetres: 100
      case .kilometre: 1_000
      case .threeKilometres: 3_000
      }
    }
  }

  /// The activity for which the system tunes positioning and its pauses.
  public enum Activity: String, CaseIterable, Hashable, Sendable {
    case other, car, fitness, navigation, air

    /// The maximum speed in metres per second; a fix that needs a higher one, beyond both radii of uncertainty, is
    /// refused.
    package var maximumSpeed: Double { self == .air ? 350 : 120 }
  }

  /// The sources of fixes.
  public var mode = Mode.standard
  /// The accuracy that the receiver aims at.
  public var desiredAccuracy = Accuracy.hundredMetres
  /// The activity.
  public var activity = Activity.other
  /// The largest radius (68 %, metres) of a fix that is kept.
  public var maximumAccuracy = 200.0
  /// A fix nearer than this to the last kept one, in metres, is thinned; zero keeps all.
  public var minimumDistance = 0.0
  /// A fix earlier than this after the last kept one is thinned; zero keeps all.
  public var minimumInterval = TimeSpan.seconds(1)
  /// The interval in place of ``minimumInterval`` while sensors report that the device is still; `nil` for none.
  public var stillInterval: TimeSpan?
  /// The interval in place of ``minimumInterval`` while the app is in the background; `nil` for none. The longer one
  /// of several intervals counts.
  public var backgroundInterval: TimeSpan?

  /// Whether positioning pauses when the device stays in one place.
  public var pausesAutomatically = false
  /// The time in one place before a pause. A system that pauses by itself may do so earlier.
  public var pauseAfter = TimeSpan.minutes(10)
  /// The radius in metres of the circle around the place of a pause; leaving it ends the pause.
  public var exitFence = 200.0
  /// Whether visits are recorded in other modes than `visits` too.
  public var recordsVisits = false
  /// The time without a fix while positioning is on after which ``TrackingEvent/stale`` is reported once; `nil` for
  /// never.
  public var staleAfter: TimeSpan?

  /// The defaults.
  public init() {}

  /// Whether the system's visits are recorded.
  var findsVisits: Bool { mode == .visits || recordsVisits }

  /// A policy of a preset: `highResolution` measures as often and as well as possible, `saver` by significant changes
  /// and visits.
  public init(preset: Preset) {
    switch preset {
    case .highResolution:
      desiredAccuracy = .best
      minimumInterval = .zero
      exitFence = 100
    case .balanced:
      minimumDistance = 10
      minimumInterval = .seconds(5)
      pausesAutomatically = true
    case .saver:
      mode = .significant
      desiredAccuracy = .kilometre
      minimumDistance = 100
      minimumInterval = .seconds(60)
      pausesAutomatically = true
      exitFence = 500
      recordsVisits = true
    }
  }
}

/// A step in the life of tracking outside of venues. It names no place.
public enum TrackingEvent: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
  /// Recording outside of venues began.
  case started
  /// It ended: by the consent, a pause of the person, a stop, the permission or the policy.
  case stopped
  /// Positioning paused because the device stays in one place.
  case paused
  /// Positioning goes on after a pause.
  case resumed
  /// No fix came for ``TrackingPolicy/staleAfter``.
  case stale
  /// The consent to recording outside of venues ended; all such locations on the device are deleted.
  case purged

  /// One line for logs.
  public var description: String {
    switch self {
    case .started: "tracking outside of venues started"
    case .stopped: "tracking outside of venues stopped"
    case .paused: "positioning paused; the device stays in one place"
    case .resumed: "positioning resumed"
    case .stale: "no position was measured for some time"
    case .purged: "locations outside of venues were deleted"
    }
  }
}

extension MonitorConfiguration {
  /// Checks the purposes of sinks and the policy outside of venues.
  func validateOutside() throws(MonitorConfigurationError) {
    let known: Consent.Purposes = [.record, .everywhere]
    for sink in sinks where sink.purposes.isEmpty || !sink.purposes.isSubset(of: known) {
      throw MonitorConfigurationError(
        field: "sinks", value: "\(sink.id) with the purposes \(sink.purposes.rawValue)",
        allowed: "record, everywhere or both as purposes")
    }
    // A server with activations judges each row by its venue, and refuses those from outside.
    for sink in sinks where sink.needsActivation && sink.purposes.contains(.everywhere) {
      throw MonitorConfigurationError(
        field: "sinks", value: "\(sink.id) with the purpose everywhere",
        allowed: "only record for a sink that needs an activation")
    }
    guard let policy = everywhere else { return }
    guard sinks.contains(where: { $0.isRequired && $0.purposes.contains(.everywhere) }) else {
      throw MonitorConfigurationError(
        field: "everywhere", value: "a policy without a sink", allowed: "a required sink with the purpose everywhere")
    }
    try check("everywhere.maximumAccuracy", policy.maximumAccuracy, 1...10_000, unit: "metres")
    try check("everywhere.minimumDistance", policy.minimumDistance, 0...10_000, unit: "metres")
    try check("everywhere.minimumInterval", policy.minimumInterval, .zero ... .days(1))
    if let still = policy.stillInterval { try check("everywhere.stillInterval", still, .zero ... .days(1)) }
    if let back = policy.backgroundInterval { try check("everywhere.backgroundInterval", back, .zero ... .days(1)) }

    try check("everywhere.pauseAfter", policy.pauseAfter, .minutes(1) ... .days(1))
    try check("everywhere.exitFence", policy.exitFence, 100...2_000, unit: "metres")
    if let stale = policy.staleAfter { try check("everywhere.staleAfter", stale, .minutes(1) ... .days(7)) }
  }
}
