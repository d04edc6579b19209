import CordonCore

/// Movement with bodies: people walk by a pedestrian model, make room for each other, queue and stay beside their
/// company.
///
/// Every walking person moves at every step. Staying people cost nothing, but others walk around them. People queue for
/// elevators, stairs and service points.
///
/// On stairs, escalators and ramps, people walk on the part that each floor's plan shows: they leave on one side and
/// arrive on the other. They change floors half-way, as soon as there is room. In elevators they stand in the car.
package struct CrowdMovement: MovementModel {
  /// The pedestrian model and its parameters.
  package var settings: CrowdSettings
  /// Length of a step in milliseconds, 10 ... 150.
  package var step: Int64
  /// Whether every step of every walking person is checked against the plan; several times slower.
  package var checksEveryStep: Bool
  /// The maximum number of people at a destination in a space, by its index in ``World/destinations``.
  ///
  /// People who would stay in a full space wait in front of it, and give up after some time. People who pass through
  /// do not count.
  package var limits: [Int: Int] = [:]
  /// The rules for people with an ``Itinerary/evacuee``; `nil` for runs without them.
  package var evacuation: EvacuationRules?
  /// Polled once per simulated second; `true` ends the walk.
  ///
  /// From ``MovementFigures/interruptedAt`` on, tracks then show people at their last positions.
  package var isInterrupted: (@Sendable () -> Bool)?

  /// The default step: 100 ms.
  package static let defaultStep: Int64 = 100

  /// Creates a movement model from a pedestrian model and its step.
  /// - Parameters:
  ///   - settings: the pedestrian model and its parameters.
  ///   - step: the length of a step in milliseconds, limited to 10 ... 150.
  ///   - checksEveryStep: whether every step is checked against the plan.
  package init(
    _ settings: CrowdSettings = CrowdSettings(model: .collisionFreeSpeed(CollisionFreeSpeed())),
    step: Int64 = CrowdMovement.defaultStep, checksEveryStep: Bool = false
  ) {
    self.settings = settings
    self.step = min(max(step, 10), 150)
    self.checksEveryStep = checksEveryStep
  }

  /// Moves all people together, step by step.
  package func tracks(
    of itineraries: [Itinerary], fields: RouteFields, world: World, replication: Replication, threads: Int,
    progress: (@Sendable (Double) -> Void)?
  ) -> MovementResult {
    let walk = BuildingWalk(
      itineraries, fields: fields, world: world, replication: replication, model: self, threads: threads)
    return walk.run(progress: progress)
  }
}
