/// One estimate of a device's position, as a provider reports it.
///
/// A fix is an observation, not a record: only what a monitor lets through becomes a ``Location``.
public struct Fix: Hashable, Sendable {
  /// Where the device seems to be.
  public var coordinate: Coordinate
  /// Radius in metres of the circle that holds the true position with probability 0.68;
  /// `nil` when the provider does not say, which is never read as "accurate".
  public var accuracy: Double?
  /// The floor, or `nil` when it is not known.
  public var floor: FloorOrdinal?
  /// When the position was measured (not when it was delivered).
  public var time: Instant
  /// Whether the platform says that the position was made up by software.
  public var isMocked: Bool

  /// Takes the values as they are; a monitor judges them.
  public init(
    coordinate: Coordinate, accuracy: Double?, floor: FloorOrdinal? = nil, time: Instant, isMocked: Bool = false
  ) {
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.floor = floor
    self.time = time
    self.isMocked = isMocked
  }
}
