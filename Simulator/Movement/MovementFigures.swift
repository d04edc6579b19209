/// What a movement model did: how much work, and whether everybody kept to what cannot be broken.
public struct MovementFigures: Hashable, Sendable {
  /// Steps made by people who walked, summed; 0 for models without steps.
  public var agentSteps = 0
  /// Pairs, counted at every step, whose bodies overlapped by more than ``CrowdFigures/overlapLimit``.
  public var overlaps = 0
  /// The smallest gap between two bodies, metres; infinite when nobody met.
  public var leastGap = Double.infinity
  /// Steps that met a wall.
  public var wallCrossings = 0
  /// Steps that ended outside what can be walked on; counted only when every step is checked.
  public var outside = 0
  /// Times that somebody settled for another spot because theirs was taken.
  public var spotsTaken = 0
  /// Stops that somebody gave up because nobody let them through.
  public var givenUp = 0
  /// Times that somebody stayed on for a while, because many waited in front of the stairs that they wanted to.
  public var putOff = 0
  /// Times that somebody who saw how many waited for stairs or a car took another way.
  public var turnedElsewhere = 0
  /// Times that somebody was asked to step aside.
  public var stepsAside = 0
  /// Times that somebody lost sight of their way and looked for it again.
  public var detours = 0
  /// The simulated time, milliseconds since 1970, at which the walk was ended from outside; `nil` for a whole one.
  public var interruptedAt: Int64?

  /// Nothing done yet.
  public init() {}

  /// Whether nobody was in a wall, in another person or outside.
  public var isClean: Bool { overlaps + wallCrossings + outside == 0 }
}

/// Everybody's tracks, and what it took.
public struct MovementResult: Sendable {
  /// By number of the person.
  public var tracks: [Track]
  /// What the model did.
  public var figures = MovementFigures()

  /// Takes the values as they are.
  public init(tracks: [Track], figures: MovementFigures = MovementFigures()) {
    self.tracks = tracks
    self.figures = figures
  }
}
