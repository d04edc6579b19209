public import CordonCore

/// The interface between a monitor and a venue: the geofence, and a test of positions.
public protocol VenueGate: Sendable {
  /// The venue's identifier.
  var venue: VenueID { get }
  /// The SHA-256 of the venue's contents, 64 hexadecimal digits.
  var contentHash: String { get }
  /// The circle for region monitoring by the operating system.
  var geofence: Geofence { get }
  /// Judges a reported position. Must not allocate memory for a verdict of outside.
  func judge(_ coordinate: Coordinate, floor: FloorOrdinal?) -> GateVerdict
  /// Judges a reported position with a 68 % error radius of `accuracy` metres, `nil` if it is unknown.
  ///
  /// A gate with a minimum probability of being inside decides here; other gates judge the position alone.
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
  /// The part of a fix that may be kept.
  public enum Recording: String, Hashable, Sendable {
    /// Everything may be kept.
    case full
    /// Floor only: the floor may be kept, but not the position, because people expect privacy there.
    case floorOnly
    /// Nothing may be kept.
    case unrecorded
  }

  /// Whether the position is in the venue. The boundary is inside, holes are outside.
  public var isInside: Bool
  /// The part of the fix that may be kept. Valid only for a position inside.
  public var recording: Recording
  /// The space, if the floor is known and the position lies in a space.
  public var space: SpaceID?

  /// Creates a verdict from its parts.
  public init(isInside: Bool, recording: Recording = .full, space: SpaceID? = nil) {
    self.isInside = isInside
    self.recording = recording
    self.space = space
  }

  /// The verdict for a position outside the venue.
  public static let outside = GateVerdict(isInside: false)
}
