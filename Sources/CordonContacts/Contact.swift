/// A maximal closed interval in which two devices are within the contact distance on one floor.
public struct Contact: Hashable, Sendable {
  /// Index of the first device; less than ``second``.
  public var first: Int32
  /// Index of the second device.
  public var second: Int32
  /// `FloorOrdinal.thousandths`, or ``Segment/unknownFloor``.
  public var floor: Int32
  /// Microseconds since 1970, UTC.
  public var start: Int64
  /// Microseconds since 1970, UTC; not before `start`. Equal for a touch.
  public var end: Int64
  /// The smallest distance in the interval, metres.
  public var minimumDistance: Double
  /// When it was reached first, microseconds since 1970, UTC.
  public var minimumDistanceTime: Int64
  /// Where it was reached: the point half-way between the two, metres in the frame of the input.
  public var x: Double
  /// Where it was reached: the point half-way between the two, metres in the frame of the input.
  public var y: Double

  @inlinable
  public init(
    first: Int32, second: Int32, floor: Int32, start: Int64, end: Int64, minimumDistance: Double,
    minimumDistanceTime: Int64, x: Double, y: Double
  ) {
    self.first = first
    self.second = second
    self.floor = floor
    self.start = start
    self.end = end
    self.minimumDistance = minimumDistance
    self.minimumDistanceTime = minimumDistanceTime
    self.x = x
    self.y = y
  }

  /// The length of the interval in microseconds.
  @inlinable
  public var duration: Int64 { end - start }
}
