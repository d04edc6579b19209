/// One observed position of one device, in the local frame of its venue.
public struct TrackPoint: Hashable, Sendable {
  /// Index of the device, 0 or more.
  public var device: Int32
  /// `FloorOrdinal.thousandths`, or ``Segment/unknownFloor``.
  public var floor: Int32
  /// Milliseconds since 1970, UTC.
  public var time: Int64
  /// Metres east of the frame's origin.
  public var x: Double
  /// Metres north of the frame's origin.
  public var y: Double

  /// Takes the values as they are.
  @inlinable
  public init(device: Int32, floor: Int32, time: Int64, x: Double, y: Double) {
    self.device = device
    self.floor = floor
    self.time = time
    self.x = x
    self.y = y
  }

  /// Whether the engine can use it: coordinates, time and device are within its limits.
  package var isUsable: Bool {
    device >= 0 && time >= -Segment.timeLimit && time <= Segment.timeLimit && abs(x) <= Segment.coordinateLimit
      && abs(y) <= Segment.coordinateLimit
  }

  /// Whether a way leads from here to a later fix of the device, after a rest that ends at `rest`, milliseconds.
  @inline(__always)
  func isJoined(to next: TrackPoint, after rest: Int64, gap: Int64) -> Bool {
    next.floor == floor && next.time > rest && next.time - rest <= gap
  }

  /// The moment at `time` at which the device was here.
  @inline(__always)
  func instant(at time: Int64) -> Segment {
    Segment(device: device, floor: floor, start: time, end: time, x0: x, y0: y, x1: x, y1: y)
  }

  /// Whether this fix is kept rather than another one of its device and time, by what they say and not by which came first:
  /// the more accurate one; of equally accurate ones one whose floor is known, then the one on the lower floor, then the
  /// one further west, then the one further south.
  func isKept(overOneAt other: TrackPoint, accuracy: Float, otherAccuracy: Float) -> Bool {
    let (radius, otherRadius) = (TrackPoint.radius(of: accuracy), TrackPoint.radius(of: otherAccuracy))
    if radius != otherRadius { return radius < otherRadius }
    if floorRank != other.floorRank { return floorRank < other.floorRank }
    return (floor, x, y) < (other.floor, other.x, other.y)
  }

  /// The accuracy as a radius in metres; infinite when it is unknown.
  static func radius(of accuracy: Float) -> Float { accuracy >= 0 ? accuracy : .infinity }

  private var floorRank: Int {
    switch floor {
    case Segment.elsewhere: 2
    case Segment.unknownFloor: 1
    default: 0
    }
  }

  /// Within a millimetre on one floor.
  func isSamePlace(as other: TrackPoint) -> Bool {
    let (dx, dy) = (x - other.x, y - other.y)
    return dx * dx + dy * dy <= 1e-6 && floor == other.floor
  }
}
