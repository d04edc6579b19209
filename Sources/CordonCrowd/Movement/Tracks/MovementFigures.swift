/// Counters of a movement model: work done, and violations of physical limits.
public struct MovementFigures: Hashable, Sendable {
  /// The number of steps, summed over the walking people; 0 for models without steps.
  public var agentSteps = 0
  /// Pairs of bodies that overlapped by more than ``CrowdFigures/overlapLimit``, counted at every step.
  public var overlaps = 0
  /// The minimum gap between two bodies, in metres; infinity if no two people were close.
  public var minimumGap = Double.infinity
  /// The number of steps of one person that crossed a wall.
  public var wallCrossings = 0
  /// The number of steps that ended outside the walkable area; counted only if every step is checked.
  public var outside = 0
  /// The number of times a person accepted another spot because the planned one was taken.
  public var replacedSpots = 0
  /// The number of stops that were given up because others blocked the way.
  public var abandonedStops = 0
  /// The number of times a person extended a stay because many people waited for the next stairs or car.
  public var postponedDepartures = 0
  /// The number of times a person took another way because many people waited for stairs or a car.
  public var reroutes = 0
  /// The number of times a person was asked to step aside.
  public var stepsAside = 0
  /// The number of times a person lost sight of the way and searched again.
  public var detours = 0
  /// The simulated time at which the walk was interrupted, in milliseconds since 1970; `nil` for a complete walk.
  public var interruptedAt: Int64?

  /// Creates counters at zero.
  public init() {}

  /// Whether no step ended in a wall, in another body or outside the walkable area.
  public var isClean: Bool { overlaps + wallCrossings + outside == 0 }
}

/// The tracks of all people, and the counters of the model.
public struct MovementResult: Sendable {
  /// The tracks, by number of the person.
  public var tracks: [Track]
  /// Counters of the model.
  public var figures = MovementFigures()

  /// Creates a result from its parts.
  public init(tracks: [Track], figures: MovementFigures = MovementFigures()) {
    self.tracks = tracks
    self.figures = figures
  }
}
