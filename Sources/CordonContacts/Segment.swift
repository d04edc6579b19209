/// A piece of one device's track: a straight movement at constant speed, or a rest. A segment that ends when it starts is
/// an instant, such as a lone fix.
///
/// Positions are metres in the local frame of the venue. Devices and floors are numbers so that a
/// record stays small; the caller keeps the table of their names.
public struct Segment: Hashable, Sendable {
  /// Index of the device, 0 or more.
  public var device: Int32
  /// `FloorOrdinal.thousandths`, or ``unknownFloor``.
  public var floor: Int32
  /// Milliseconds since 1970, UTC.
  public var start: Int64
  /// Milliseconds since 1970, UTC; not before `start`.
  public var end: Int64
  /// Metres east of the origin at the start.
  public var x0: Double
  /// Metres north of the origin at the start.
  public var y0: Double
  /// Metres east of the origin at the end.
  public var x1: Double
  /// Metres north of the origin at the end.
  public var y1: Double

  /// The floor number of a segment with an unknown floor.
  public static let unknownFloor = Int32.min

  /// The floor number of a point that reports only that the device was in another venue. It lies beyond all ordinals: no
  /// segment leads to it, and a rest ends there.
  package static let elsewhere = Int32.max

  /// Takes the values as they are.
  @inlinable
  public init(
    device: Int32, floor: Int32, start: Int64, end: Int64, x0: Double, y0: Double, x1: Double,
    y1: Double
  ) {
    self.device = device
    self.floor = floor
    self.start = start
    self.end = end
    self.x0 = x0
    self.y0 = y0
    self.x1 = x1
    self.y1 = y1
  }
}
