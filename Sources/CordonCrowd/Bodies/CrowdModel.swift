/// The movement model of a crowd, with its parameters.
package enum CrowdModel: Hashable, Sendable {
  /// The collision-free speed model of Tordeux, Chraibi and Seyfried (2016).
  case collisionFreeSpeed(CollisionFreeSpeed)
  /// The anticipation velocity model of Xu, Chraibi and Seyfried (2021).
  case anticipationVelocity(AnticipationVelocity)
}

/// Parameters of the collision-free speed model (Tordeux, Chraibi, Seyfried, arXiv 1512.05597).
package struct CollisionFreeSpeed: Hashable, Sendable {
  /// Strength of the repulsion between people, relative to the pull of the goal.
  package var neighbourStrength = 8.0
  /// Distance over which the repulsion falls to 1/e, in metres.
  package var neighbourRange = 0.1
  /// Strength of the repulsion of walls.
  package var wallStrength = 5.0
  /// Distance over which the repulsion of walls falls to 1/e, in metres.
  package var wallRange = 0.02

  /// Creates the parameters of the paper's reference implementation.
  package init() {}
}

/// Parameters of the anticipation velocity model (Xu, Chraibi, Seyfried, Transp. Res. C 2021).
package struct AnticipationVelocity: Hashable, Sendable {
  /// Strength of the sideways push, relative to the pull of the goal.
  package var strength = 8.0
  /// Distance over which the push falls to 1/e, in metres.
  package var range = 0.1
  /// Anticipation time: the time over which people extrapolate each other's movement, in seconds.
  package var anticipation = 1.0
  /// Reaction time: the duration of a turn, in seconds.
  package var reaction = 0.3
  /// Distance kept from walls in addition to the body's radius, in metres.
  package var wallBuffer = 0.1
  /// Strength of the turn away from a wall within the buffer.
  package var wallPush = 0.3

  /// Creates the parameters of the paper's reference implementation.
  package init() {}
}

/// The parameters that all crowd models share.
package struct CrowdSettings: Hashable, Sendable {
  /// The model.
  package var model: CrowdModel
  /// Time gap to the person in front at which a person reaches the free speed, in seconds.
  package var timeGap = 0.6
  /// Time gap at doorways up to 1 m wide, in seconds, including the length of the step.
  ///
  /// It applies within ``doorReach`` of the doorway ahead, because people close up there. The value is calibrated on
  /// the flow through doors of 0.8 to 2 m (1.9 persons per second and metre).
  package var doorTimeGap = 0.14
  /// Time gap at doorways of 1.3 m and wider, in seconds. Between 1 m and 1.3 m the gap is interpolated linearly.
  package var wideDoorTimeGap = 0.45
  /// Share of the sum of two body radii that blocks a doorway, because people turn their shoulders.
  package var doorShoulder = 0.8
  /// Distance from a doorway within which the doorway's time gap applies, in metres.
  package var doorReach = 1.5
  /// Minimum distance between the centre of a body and a wall, in metres.
  package var wallDistance = 0.18
  /// Where people walk between walls; `nil` for people who walk straight to the next corner or doorway.
  package var lanes: LaneSettings? = LaneSettings()
  /// Time without progress after which a walking person begins to shuffle, in seconds.
  package var patience = 0.8
  /// Time without progress after which a person begins to shuffle in front of a doorway, in seconds.
  package var doorPatience = 0.4

  /// Creates the default parameters for a model.
  package init(model: CrowdModel) { self.model = model }
}
