/// Counters of a movement model: work done, and violations of physical limits.
package struct MovementFigures: Hashable, Sendable {
  /// The number of steps, summed over the walking people; 0 for models without steps.
  package var agentSteps = 0
  /// Pairs of bodies that overlapped by more than ``CrowdFigures/overlapLimit``, counted at every step.
  package var overlaps = 0
  /// The minimum gap between two bodies, in metres; infinity if no two people were close.
  package var minimumGap = Double.infinity
  /// The number of steps of one person that crossed a wall.
  package var wallCrossings = 0
  /// The number of steps that ended outside the walkable area; counted only if every step is checked.
  package var outside = 0
  /// The number of times a person accepted another spot because the planned one was taken.
  package var replacedSpots = 0
  /// The number of stops that were given up because others blocked the way.
  package var abandonedStops = 0
  /// The number of times a person left a queue because its last server had closed.
  package var unserved = 0
  /// The number of times a person extended a stay because many people waited for the next stairs or car.
  package var postponedDepartures = 0
  /// The number of times a person took another way because many people waited for stairs or a car.
  package var reroutes = 0
  /// The number of times a person waited because a space was full.
  package var waitsForRoom = 0
  /// The number of stops that were given up after such a wait.
  package var roomsGivenUp = 0
  /// The number of times a person was asked to step aside.
  package var stepsAside = 0
  /// The number of times two people in counterflow passed each other by an exchange of their places, in evacuations.
  package var exchanges = 0
  /// The number of times a person lost sight of the way and searched again.
  package var detours = 0
  /// The simulated time at which the walk was interrupted, in milliseconds since 1970; `nil` for a complete walk.
  package var interruptedAt: Int64?

  /// Creates counters at zero.
  package init() {}

  /// Whether no step ended in a wall, in another body or outside the walkable area.
  package var isClean: Bool { overlaps + wallCrossings + outside == 0 }
}

/// The tracks of all people, and the counters of the model.
package struct MovementResult: Sendable {
  /// The tracks, by number of the person.
  package var tracks: [Track]
  /// Counters of the model.
  package var figures = MovementFigures()

  /// Creates a result from its parts.
  package init(tracks: [Track], figures: MovementFigures = MovementFigures()) {
    self.tracks = tracks
    self.figures = figures
  }
}
