/// What a monitor decided about one fix.
public enum Verdict: Hashable, Sendable {
  /// The event was not a fix.
  case none
  /// The fix is forgotten, and counted under its reason.
  case refused(RefusalReason)
  /// The fix was good, but another of its interval was kept.
  case thinned
  /// The fix is the best of its interval so far; it will be stored or thinned when the interval ends.
  case held
  /// The fix is being stored.
  case stored
}

/// Why a fix was not kept. The raw value is its name in counters, JSON and reports.
public enum RefusalReason: String, CaseIterable, Hashable, Sendable {
  /// A coordinate out of range or not a number, a negative accuracy, or a time before 1970.
  case invalid
  /// Measured later than now, by more than clocks may differ.
  case future
  /// Measured before this tracking session began.
  case stale
  /// The same fix was seen a moment ago, or is already stored.
  case duplicate
  /// Farther from the previous fix than a person gets in the time between.
  case tooFast = "too_fast"
  /// Made up by software.
  case mocked
  /// The radius of uncertainty is larger than the settings allow.
  case tooInaccurate = "too_inaccurate"
  /// The provider did not say how accurate it is.
  case unknownAccuracy = "unknown_accuracy"
  /// Not in the venue.
  case outside
  /// In a space where nothing is recorded.
  case unrecorded = "unrecorded_space"
  /// Nobody consented to recording.
  case noConsent = "no_consent"
  /// Monitoring is off, paused, not yet activated, or knows no venue.
  case notTracking = "not_tracking"
  /// The store could not write it.
  case storeFailed = "store_failed"

  /// The position in ``Accounting``'s table.
  package var index: Int {
    switch self {
    case .invalid: 0
    case .future: 1
    case .stale: 2
    case .duplicate: 3
    case .tooFast: 4
    case .mocked: 5
    case .tooInaccurate: 6
    case .unknownAccuracy: 7
    case .outside: 8
    case .unrecorded: 9
    case .noConsent: 10
    case .notTracking: 11
    case .storeFailed: 12
    }
  }
}
