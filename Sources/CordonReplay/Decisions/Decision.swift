public import CordonCore
public import CordonMonitoring

/// One line of a decision log: an event of a device during the replay.
public struct Decision: Hashable, Sendable {
  /// The kinds of events.
  public enum Kind: Hashable, Sendable {
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
  public struct Row: Hashable, Sendable {
    /// The index of the fix in its device's trace, from 0; `nil` if no fix of the trace matches the row.
    public var fix: Int?
    /// The time of the measurement.
    public var time: Instant
    /// The floor, if known.
    public var floor: FloorOrdinal?
    /// The space, if there is one.
    public var space: SpaceID?
    /// The end of the stay, if there is one.
    public var stillUntil: Instant?
  }

  /// The time of the event on the wall clock of the device.
  public var at: Instant
  /// The name of the device in the trace.
  public var device: String
  /// The event.
  public var kind: Kind
}

/// The result of one fix.
public struct FixDecision: Hashable, Sendable {
  /// The index in the device's trace, from 0.
  public var index: Int
  /// The file of the fix.
  public var file: String
  /// The line in the file, from 1; 0 if the file has no lines, or for an interpolated fix.
  public var line: Int
  /// The time of the measurement.
  public var time: Instant
  /// The monitor's verdict.
  public var verdict: Verdict
  /// The distance to the boundary in metres, for refused fixes with a valid position.
  public var boundaryDistance: Double?
  /// The position; `nil` for a refused fix or one in a private space, unless the replay shows refused fixes.
  public var coordinate: Coordinate?
  /// The 68 % error radius in metres; `nil` if it is unknown.
  public var accuracy: Double?
  /// The floor that the fix reported.
  public var floor: FloorOrdinal?
}

/// A contact derived from the sink's rows.
public struct ReplayContact: Hashable, Sendable {
  /// The two devices, sorted.
  public var devices: [String]
  /// The start of the contact.
  public var start: Instant
  /// The end of the contact.
  public var end: Instant
  /// The minimum distance in metres.
  public var minimumDistance: Double
  /// The floor, if known.
  public var floor: FloorOrdinal?

  /// The duration in seconds.
  public var seconds: Double { (end - start).seconds }
}

extension Verdict {
  /// The verdict as one word.
  public var word: String {
    switch self {
    case .none: "none"
    case .refused(let reason): reason.rawValue
    case .thinned: "thinned"
    case .held: "held"
    case .stored: "stored"
    }
  }

  /// Whether the fix was refused.
  public var isRefusal: Bool { if case .refused = self { true } else { false } }
}
