package import CordonCore
package import CordonMonitoring

/// One line of a decision log: an event of a device during the replay.
package struct Decision: Hashable, Sendable {
  /// The kinds of events.
  package enum Kind: Hashable, Sendable {
    /// A consent for the test was given; it is not a person's consent.
    case consent(version: String)
    /// The operating system's state of the geofence changed.
    case region(RegionCrossing)
    /// A fix was judged.
    case fix(FixDecision)
    /// The monitor entered another phase.
    case phase(Phase)
    /// A row was stored; its fix is given by an index.
    case stored(Row)
    /// The end of a row's stay moved to a later time.
    case extended(Row)
    /// Rows were sent.
    case batch(number: UInt64, rows: Int)
    /// A sink answered a batch.
    case answered(number: UInt64, status: Int, acknowledged: Int, quarantined: Int, kept: Int)
    /// A limit removed rows.
    case expired(rule: ExpiryRule, count: Int)
    /// The store failed.
    case storeFailed(String)
    /// Two devices were in contact.
    case contact(ReplayContact)
  }

  /// The part of a row that the log contains.
  package struct Row: Hashable, Sendable {
    /// The index of the fix in its device's trace, from 0; `nil` if no fix of the trace matches the row.
    package var fix: Int?
    /// The time of the measurement.
    package var time: Instant
    /// The floor, if known.
    package var floor: FloorOrdinal?
    /// The space, if there is one.
    package var space: SpaceID?
    /// The end of the stay, if there is one.
    package var stillUntil: Instant?
  }

  /// The time of the event on the wall clock of the device.
  package var at: Instant
  /// The name of the device in the trace.
  package var device: String
  /// The event.
  package var kind: Kind
}

/// The result of one fix.
package struct FixDecision: Hashable, Sendable {
  /// The index in the device's trace, from 0.
  package var index: Int
  /// The file of the fix.
  package var file: String
  /// The line in the file, from 1; 0 if the file has no lines, or for an interpolated fix.
  package var line: Int
  /// The time of the measurement.
  package var time: Instant
  /// The monitor's verdict.
  package var verdict: Verdict
  /// The distance to the boundary in metres, for refused fixes with a valid position.
  package var boundaryDistance: Double?
  /// The position; `nil` for a refused fix or one in a private space, unless the replay shows refused fixes.
  package var coordinate: Coordinate?
  /// The 68 % error radius in metres; `nil` if it is unknown.
  package var accuracy: Double?
  /// The floor that the fix reported.
  package var floor: FloorOrdinal?
}

/// A contact derived from the sink's rows.
package struct ReplayContact: Hashable, Sendable {
  /// The two devices, sorted.
  package var devices: [String]
  /// The start of the contact.
  package var start: Instant
  /// The end of the contact.
  package var end: Instant
  /// The minimum distance in metres.
  package var minimumDistance: Double
  /// The floor, if known.
  package var floor: FloorOrdinal?

  /// The duration in seconds.
  package var seconds: Double { (end - start).seconds }
}

extension Verdict {
  /// The verdict as one word.
  package var word: String {
    switch self {
    case .none: "none"
    case .refused(let reason): reason.rawValue
    case .thinned: "thinned"
    case .held: "held"
    case .stored: "stored"
    }
  }

  /// Whether the fix was refused.
  package var isRefusal: Bool { if case .refused = self { true } else { false } }
}
