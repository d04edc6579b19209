/// Counters of a movement model: work done, and violations of physical limits.
public struct MovementFigures: Hashable, Sendable {
  /// Steps of walking people, summed; 0 for models without steps.
  public var agentSteps = 0
  /// Pairs, counted at every step, whose bodies overlapped by more than ``CrowdFigures/overlapLimit``.
  public var overlaps = 0
  /// The smallest gap between two bodies in metres; infinite when no two people came close.
  public var minimumGap = Double.infinity
  /// Steps that crossed a wall.
  public var wallCrossings = 0
  /// Steps that ended outside the walkable area; counted only when every step is checked.
  public var outside = 0
  /// The number of times that a person settled for another spot because theirs was taken.
  public var spotsTaken = 0
  /// Stops that were given up because others blocked the way.
  public var givenUp = 0
  /// The number of times that a person extended a stay because many people waited in front of their stairs.
  public var putOff = 0
  /// The number of times that a person took another way because many people waited for stairs or a car.
  public var turnedElsewhere = 0
  /// The number of times that a person was asked to step aside.
  public var stepsAside = 0
  /// The number of times that a person lost sight of their way and searched again.
  public var detours = 0
  /// The simulated time at which the walk was interrupted, in milliseconds since 1970; `nil` for a complete one.
  public var interruptedAt: Int64?

  /// Creates counters at zero.
  public init() {}

  /// Whether no step ended in a wall, in another body or outside.
  public var isClean: Bool { overlaps + wallCrossings + outside == 0 }
}

/// The tracks of all people, and the counters of the model.
public struct MovementResult: Sendable {
  /// Tracks by number of the person.
  public var tracks: [Track]
  /// Counters of the model.
  public var figures = MovementFigures()

  /// Creates a result from its parts.
  public init(tracks: [Track], figures: MovementFigures = MovementFigures()) {
    self.tracks = tracks
    self.figures = figures
  }
}
