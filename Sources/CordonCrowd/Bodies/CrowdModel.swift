/// The movement model of a crowd, with its parameters.
public enum CrowdModel: Hashable, Sendable {
  /// The collision-free speed model of Tordeux, Chraibi and Seyfried (2016).
  case collisionFreeSpeed(CollisionFreeSpeed)
  /// The anticipation velocity model of Xu, Chraibi and Seyfried (2021).
  case anticipationVelocity(AnticipationVelocity)
}

/// Parameters of the collision-free speed model (Tordeux, Chraibi, Seyfried, arXiv 1512.05597).
public struct CollisionFreeSpeed: Hashable, Sendable {
  /// Strength of the repulsion between people, relative to the pull of the goal.
  public var neighbourStrength = 8.0
  /// Distance over which the repulsion falls to 1/e, in metres.
  public var neighbourRange = 0.1
  /// Strength of the repulsion of walls.
  public var wallStrength = 5.0
  /// Distance over which the repulsion of walls falls to 1/e, in metres.
  public var wallRange = 0.02

  /// Creates the parameters of the paper's reference implementation.
  public init() {}
}

/// Parameters of the anticipation velocity model (Xu, Chraibi, Seyfried, Transp. Res. C 2021).
public struct AnticipationVelocity: Hashable, Sendable {
  /// Strength of the sideways push, relative to the pull of the goal.
  public var strength = 8.0
  /// Distance over which the push falls to 1/e, in metres.
  public var range = 0.1
  /// Anticipation time: the time over which people extrapolate each other's movement, in seconds.
  public var anticipation = 1.0
  /// Reaction time: the duration of a turn, in seconds.
  public var reaction = 0.3
  /// Distance kept from walls in addition to the body's radius, in metres.
  public var wallBuffer = 0.1
  /// Strength of the turn away from a wall within the buffer.
  public var wallPush = 0.3

  /// Creates the parameters of the paper's reference implementation.
  public init() {}
}

/// The parameters that all crowd models share.
public struct CrowdSettings: Hashable, Sendable {
  /// The model.
  public var model: CrowdModel
  /// Time gap to the person in front at which a person reaches the free speed, in seconds.
  public var timeGap = 0.6
  /// Time gap at doorways up to 1 m wide, in seconds, including the length of the step.
  ///
  /// It applies within ``doorReach`` of the doorway ahead, because people close up there. The value is calibrated on
  /// the flow through doors of 0.8 to 2 m (1.9 persons per second and metre).
  public var doorTimeGap = 0.14
  /// Time gap at doorways of 1.3 m and wider, in seconds. Between 1 m and 1.3 m the gap is interpolated linearly.
  public var wideDoorTimeGap = 0.45
  /// Share of the sum of two body radii that blocks a doorway, because people turn their shoulders.
  public var doorShoulder = 0.8
  /// Distance from a doorway within which the doorway's time gap applies, in metres.
  public var doorReach = 1.5
  /// Minimum distance between the centre of a body and a wall, in metres.
  public var wallDistance = 0.18
  /// Time without progress after which a walking person begins to shuffle, in seconds.
  public var patience = 0.8
  /// Time without progress after which a person begins to shuffle in front of a doorway, in seconds.
  public var doorPatience = 0.4

  /// Creates the default parameters for a model.
  public init(model: CrowdModel) { self.model = model }
}
