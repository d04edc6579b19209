/// One estimate of a device's position, as a provider reports it.
///
/// A fix is an observation, not a record: only fixes that a monitor accepts become ``Location``s.
public struct Fix: Hashable, Sendable {
  /// The estimated position.
  public var coordinate: Coordinate
  /// The radius in metres of the circle that holds the true position with probability 0.68; `nil` when the provider
  /// reports none. An unknown accuracy never counts as a good one.
  public var accuracy: Double?
  /// The floor, or `nil` when it is not known.
  public var floor: FloorOrdinal?
  /// When the position was measured (not when it was delivered).
  public var time: Instant
  /// Whether the platform reports that software generated the position.
  public var isMocked: Bool

  /// Makes a fix without validation; a monitor validates it.
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
