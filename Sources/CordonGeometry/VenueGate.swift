public import CordonCore

/// What a monitor asks of a venue: the circle to watch, and whether a position is in it.
public protocol VenueGate: Sendable {
  /// The venue.
  var venue: VenueID { get }
  /// SHA-256 of the venue's contents, 64 hexadecimal digits.
  var contentHash: String { get }
  /// The circle that an operating system can watch.
  var geofence: Geofence { get }
  /// Judges a reported position. Must not allocate when the answer is outside.
  func judge(_ coordinate: Coordinate, floor: FloorOrdinal?) -> GateVerdict
  /// Judges a reported position whose error is known: with 68 % it is within `accuracy` metres, `nil` when nobody knows.
  /// A gate that asks for a minimum probability of being inside decides here; others judge the position alone.
  func judge(_ coordinate: Coordinate, floor: FloorOrdinal?, accuracy: Double?) -> GateVerdict
}

extension VenueGate {
  /// Judges the position alone.
  public func judge(_ coordinate: Coordinate, floor: FloorOrdinal?, accuracy: Double?) -> GateVerdict {
    judge(coordinate, floor: floor)
  }
}

/// A gate's answer about one position.
public struct GateVerdict: Hashable, Sendable {
  /// How much of a fix may be kept at a place.
  public enum Recording: String, Hashable, Sendable {
    /// Everything.
    case full
    /// The floor, not the position: the place is one where people expect not to be seen closely.
    case coarse
    /// Nothing at all.
    case unrecorded
  }

  /// Whether the position is in the venue. The boundary is inside, holes are outside.
  public var isInside: Bool
  /// How much may be kept. Only meaningful inside.
  public var recording: Recording
  /// The space, when the floor is known and the position lies in one.
  public var space: SpaceID?

  /// An answer.
  public init(isInside: Bool, recording: Recording = .full, space: SpaceID? = nil) {
    self.isInside = isInside
    self.recording = recording
    self.space = space
  }

  /// The answer for a position that is not in the venue.
  public static let outside = GateVerdict(isInside: false)
}
