/// A maximal closed interval in which two devices are within the contact distance on one floor.
public struct Contact: Hashable, Sendable {
  /// Index of the first device; less than ``second``.
  public var first: Int32
  /// Index of the second device.
  public var second: Int32
  /// `FloorOrdinal.thousandths`, or ``Segment/unknownFloor`` if the floor of either device is unknown. The contact is then
  /// possible rather than certain.
  public var floor: Int32
  /// Microseconds since 1970, UTC.
  public var start: Int64
  /// Microseconds since 1970, UTC; not before `start`. Equal for a touch.
  public var end: Int64
  /// The smallest distance in the interval, metres.
  public var minimumDistance: Double
  /// The earliest instant of the smallest distance, microseconds since 1970, UTC.
  public var minimumDistanceTime: Int64
  /// The midpoint between the two devices at that instant, metres east in the frame of the input.
  public var x: Double
  /// The midpoint between the two devices at that instant, metres north in the frame of the input.
  public var y: Double
  /// The offset from the first device to the second one at that instant, metres east.
  public var separationX: Float
  /// The offset from the first device to the second one at that instant, metres north.
  public var separationY: Float
  /// The time in the interval during which a wall stood between the two, microseconds; ``wallsNotAsked`` if no walls were
  /// given.
  public var obstructed: Int64

  /// The value of ``obstructed`` in contacts found without walls.
  public static let wallsNotAsked: Int64 = -1

  /// Takes the values as they are.
  @inlinable
  public init(
    first: Int32, second: Int32, floor: Int32, start: Int64, end: Int64, minimumDistance: Double,
    minimumDistanceTime: Int64, x: Double, y: Double, separationX: Float = 0,
    separationY: Float = 0,
    obstructed: Int64 = Contact.wallsNotAsked
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
    self.separationX = separationX
    self.separationY = separationY
    self.obstructed = obstructed
  }

  /// The length of the interval in microseconds.
  @inlinable
  public var duration: Int64 { end - start }

  /// The share of the interval, 0 ... 1, in which a wall stood between the two; `nil` if no walls were given. A touch is
  /// obstructed wholly or not at all.
  @inlinable
  public var obstructedShare: Double? {
    guard obstructed >= 0 else { return nil }
    return duration > 0 ? Double(obstructed) / Double(duration) : (obstructed > 0 ? 1 : 0)
  }

  /// The listing order of contacts: by start, then by devices, then by floor.
  @inlinable
  public static func isListedBefore(_ lhs: Contact, _ rhs: Contact) -> Bool {
    if lhs.start != rhs.start { return lhs.start < rhs.start }
    if lhs.first != rhs.first { return lhs.first < rhs.first }
    if lhs.second != rhs.second { return lhs.second < rhs.second }
    if lhs.floor != rhs.floor { return lhs.floor < rhs.floor }
    return lhs.end < rhs.end
  }
}
