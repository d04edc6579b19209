public import CordonCore

/// One reading of both clocks: what time it is, and how much time has passed.
///
/// The wall clock may be set back and forth by people and networks; the monotonic one only counts.
/// How old a fix is, is judged by the first; timers run by the second.
public struct ClockReading: Hashable, Sendable {
  /// The wall clock.
  public var wall: Instant
  /// Time since some fixed point, such as the start of the machine; never falls while a process lives.
  public var monotonic: TimeSpan

  /// A reading of both clocks.
  @inlinable
  public init(wall: Instant, monotonic: TimeSpan) {
    self.wall = wall
    self.monotonic = monotonic
  }

  /// A reading of a virtual clock, on which both run alike.
  @inlinable
  public init(virtual wall: Instant) {
    self.init(wall: wall, monotonic: TimeSpan(milliseconds: wall.milliseconds))
  }

  /// The moment `span` later on both clocks.
  @inlinable
  public static func + (lhs: ClockReading, rhs: TimeSpan) -> ClockReading {
    ClockReading(wall: lhs.wall + rhs, monotonic: lhs.monotonic + rhs)
  }
}
