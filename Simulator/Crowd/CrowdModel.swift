/// Which movement model a crowd follows, with its parameters.
public enum CrowdModel: Hashable, Sendable {
  /// The collision-free speed model of Tordeux, Chraibi and Seyfried (2016).
  case collisionFreeSpeed(CollisionFreeSpeed)
  /// The anticipation velocity model of Xu, Chraibi and Seyfried (2021).
  case anticipationVelocity(AnticipationVelocity)
}

/// Parameters of the collision-free speed model (Tordeux, Chraibi, Seyfried, arXiv 1512.05597).
public struct CollisionFreeSpeed: Hashable, Sendable {
  /// Strength of the push away from others, as a multiple of the wish to go on.
  public var neighbourStrength = 8.0
  /// Metres over which it falls to 1/e.
  public var neighbourRange = 0.1
  /// Strength of the push away from walls.
  public var wallStrength = 5.0
  /// Metres over which it falls to 1/e.
  public var wallRange = 0.02

  /// The parameters of the paper's reference implementation.
  public init() {}
}

/// Parameters of the anticipation velocity model (Xu, Chraibi, Seyfried, Transp. Res. C 2021).
public struct AnticipationVelocity: Hashable, Sendable {
  /// Strength of the push to the side, as a multiple of the wish to go on.
  public var strength = 8.0
  /// Metres over which it falls to 1/e.
  public var range = 0.1
  /// Seconds ahead that people reckon with each other's movement.
  public var anticipation = 1.0
  /// Seconds that turning takes.
  public var reaction = 0.3
  /// Metres kept from walls besides the body.
  public var wallBuffer = 0.1
  /// How strongly people turn away from a wall that is too near.
  public var wallPush = 0.3

  /// The parameters of the paper's reference implementation.
  public init() {}
}

/// What all models share.
public struct CrowdSettings: Hashable, Sendable {
  /// The model.
  public var model: CrowdModel
  /// Seconds to the person in front at which the free speed is walked.
  public var timeGap = 0.6
  /// The same within ``doorReach`` of a doorway one is heading for, the step included: people close up there. For
  /// doorways up to 1 m wide; calibrated on the flow through doors of 0.8 to 2 m, 1.9 persons per second and metre.
  public var doorTimeGap = 0.14
  /// The same for doorways of 1.3 m and more; in between it changes evenly.
  public var wideDoorTimeGap = 0.45
  /// What part of two bodies' widths is in each other's way there: people turn their shoulders.
  public var doorShoulder = 0.8
  /// Metres from a doorway at which the shorter gap holds.
  public var doorReach = 1.5
  /// Metres between a centre and the nearest wall that nobody goes below.
  public var wallDistance = 0.18
  /// Seconds of standing still on the way after which somebody begins to shuffle.
  public var patience = 0.8
  /// The same in front of a doorway.
  public var doorPatience = 0.4

  /// Settings for a model.
  public init(model: CrowdModel) { self.model = model }
}
