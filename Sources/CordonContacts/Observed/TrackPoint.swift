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

  /// Within a millimetre on one floor.
  func isSamePlace(as other: TrackPoint) -> Bool {
    let (dx, dy) = (x - other.x, y - other.y)
    return dx * dx + dy * dy <= 1e-6 && floor == other.floor
  }
}
