public import CordonCore
public import CordonGeometry
import CordonSupport

/// A rectangular venue with one floor plan for all floors: a gate for tests that need no map.
public struct SmallVenue: VenueGate {
  /// The name.
  public let venue: VenueID
  /// A hash of name, place and size.
  public let contentHash: String
  /// The circle: half the diagonal plus 50 m to enter, and 100 m more to leave.
  public let geofence: Geofence
  private let frame: LocalFrame
  private let width: Double
  private let depth: Double
  /// Named rectangles in metres from the centre of the venue, with their recording policies.
  public var rooms: [Room] = []

  /// A rectangle of a ``SmallVenue``.
  public struct Room: Sendable {
    /// Its name.
    public var space: SpaceID
    /// Metres east of the venue's centre.
    public var x: ClosedRange<Double>
    /// Metres north of the venue's centre.
    public var y: ClosedRange<Double>
    /// The recording policy.
    public var recording: GateVerdict.Recording

    /// Makes a room.
    public init(
      _ space: String, x: ClosedRange<Double>, y: ClosedRange<Double>, recording: GateVerdict.Recording = .full
    ) {
      self.space = SpaceID(space)
      self.x = x
      self.y = y
      self.recording = recording
    }
  }

  /// Makes a venue of `width` by `depth` metres around a place, by default 60 m by 40 m.
  public init(
    _ name: String = "small-venue", center: Coordinate = Coordinate(longitude: 8.54, latitude: 47.37),
    width: Double = 60, depth: Double = 40
  ) {
    venue = VenueID(slugging: name) ?? SmallVenue.fallback
    contentHash = SHA256.hexDigest(of: Array("\(name) \(center) \(width) \(depth)".utf8))
    frame = LocalFrame(origin: center)
    self.width = width
    self.depth = depth
    let radius = (width * width + depth * depth).squareRoot() / 2
    geofence = Geofence(center: center, radius: radius + 50, exitRadius: radius + 150)
  }

  // A literal that is a valid identifier.
  private static let fallback = VenueID(slugging: "venue").unsafelyUnwrapped

  /// Returns whether a position is inside the rectangle, and its room.
  public func judge(_ coordinate: Coordinate, floor: FloorOrdinal?) -> GateVerdict {
    let point = frame.project(coordinate)
    guard abs(point.x) <= width / 2, abs(point.y) <= depth / 2 else { return .outside }
    for room in rooms where room.x.contains(point.x) && room.y.contains(point.y) {
      return GateVerdict(isInside: true, recording: room.recording, space: floor == nil ? nil : room.space)
    }
    return GateVerdict(isInside: true)
  }

  /// Returns the place at a distance in metres east and north of the venue's centre.
  public func place(east: Double, north: Double) -> Coordinate {
    frame.unproject(PlanePoint(x: east, y: north))
  }
}
