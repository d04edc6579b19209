import CordonCore

/// People have bodies: they walk by a pedestrian model, make room for each other, stand in line for elevators and
/// service points, and keep beside their company.
///
/// Everybody who walks moves at every step; people who stay cost nothing, but are walked round. On stairs and the like people
/// walk on what each floor shows of them, those who go on the one side and those who come on the other, and are on the other floor
/// half-way, as soon as there is room; in elevators they stand in the car.
public struct CrowdMovement: MovementModel {
  /// The pedestrian model.
  public var settings: CrowdSettings
  /// Milliseconds of a step, 10 ... 150.
  public var step: Int64
  /// Whether the place of everybody who walks is held against the plan at every step; several times slower.
  public var checksEveryStep: Bool
  /// Asked once a simulated second; `true` ends the walk there. The tracks then say that everybody stayed where they
  /// were from ``MovementFigures/interruptedAt`` on.
  public var isInterrupted: (@Sendable () -> Bool)?

  /// The default step: a tenth of a second.
  public static let usualStep: Int64 = 100

  /// A model and its step.
  public init(
    _ settings: CrowdSettings = CrowdSettings(model: .collisionFreeSpeed(CollisionFreeSpeed())),
    step: Int64 = CrowdMovement.usualStep, checksEveryStep: Bool = false
  ) {
    self.settings = settings
    self.step = min(max(step, 10), 150)
    self.checksEveryStep = checksEveryStep
  }

  /// Moves everybody together, step by step.
  public func tracks(
    of itineraries: [Itinerary], fields: RouteFields, world: World, scenario: CrowdScenario, threads: Int,
    progress: (@Sendable (Double) -> Void)?
  ) -> MovementResult {
    let walk = BuildingWalk(
      itineraries, fields: fields, world: world, scenario: scenario, model: self, threads: threads)
    return walk.run(progress: progress)
  }
}
