public import CordonCore
public import CordonMonitoring

/// One line of a decision log: what happened to a device at a moment of the replay.
public struct Decision: Hashable, Sendable {
  /// What can happen.
  public enum Kind: Hashable, Sendable {
    /// A consent was given for the test; nobody's own.
    case consent(version: String)
    /// The operating system's view of the geofence changed.
    case region(RegionCrossing)
    /// A fix was judged.
    case fix(FixDecision)
    /// The monitor is in another phase.
    case phase(Phase)
    /// A row was written; the fix is that of an index.
    case stored(Row)
    /// The stay of a row was lengthened.
    case extended(Row)
    /// Rows were sent.
    case batch(number: UInt64, rows: Int)
    /// What a sink answered to a batch.
    case answered(number: UInt64, status: Int, acknowledged: Int, quarantined: Int, kept: Int)
    /// A limit removed rows.
    case expired(rule: ExpiryRule, count: Int)
    /// The store failed.
    case storeFailed(String)
    /// Two devices met.
    case contact(ReplayContact)
  }

  /// A row of the store, as far as the log tells of it.
  public struct Row: Hashable, Sendable {
    /// The index of the fix in its device's trace, from 0; `nil` when no fix of the trace is that row.
    public var fix: Int?
    /// When it was measured.
    public var time: Instant
    /// Its floor.
    public var floor: FloorOrdinal?
    /// Its space.
    public var space: SpaceID?
    /// The end of the stay.
    public var stillUntil: Instant?
  }

  /// The moment of the replay, by the wall clock of the device.
  public var at: Instant
  /// The device, as the trace calls it.
  public var device: String
  /// What happened.
  public var kind: Kind
}

/// What became of one fix.
public struct FixDecision: Hashable, Sendable {
  /// Its place in the device's trace, from 0.
  public var index: Int
  /// The file and line it came from.
  public var file: String
  /// Counted from 1; 0 when the file has none, or the fix was interpolated.
  public var line: Int
  /// When it was measured.
  public var time: Instant
  /// The monitor's verdict.
  public var verdict: Verdict
  /// Metres to the boundary, for refused fixes that have a place.
  public var boundaryDistance: Double?
  /// Where it was: `nil` for refused fixes, unless they were asked for.
  public var coordinate: Coordinate?
  /// The radius at 68 %.
  public var accuracy: Double?
  /// The floor that the fix gave.
  public var floor: FloorOrdinal?
}

/// A contact that the sink's rows show.
public struct ReplayContact: Hashable, Sendable {
  /// The two devices, sorted.
  public var devices: [String]
  /// From when.
  public var start: Instant
  /// Until when.
  public var end: Instant
  /// The least distance, metres.
  public var minimumDistance: Double
  /// The floor, when known.
  public var floor: FloorOrdinal?

  /// How long, seconds.
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
