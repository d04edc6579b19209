public import CordonCore

/// A reading of both clocks: the time of day, and the time that has passed.
///
/// People and networks may set the wall clock back and forth; the monotonic clock only counts up. The age of a fix is
/// measured by the wall clock, timers by the monotonic clock.
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

  /// Makes a reading of a virtual clock, where both clocks show the same time.
  @inlinable
  public init(virtual wall: Instant) {
    self.init(wall: wall, monotonic: TimeSpan(milliseconds: wall.milliseconds))
  }

  /// Returns the reading `span` later on both clocks.
  @inlinable
  public static func + (lhs: ClockReading, rhs: TimeSpan) -> ClockReading {
    ClockReading(wall: lhs.wall + rhs, monotonic: lhs.monotonic + rhs)
  }
}
