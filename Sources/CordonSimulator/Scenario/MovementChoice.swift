package import CordonCrowd

/// The movement models, by the names that settings use.
public enum MovementChoice: String, Hashable, Sendable, CaseIterable {
  /// Bodies that keep apart, by the collision-free speed model.
  case csm
  /// Bodies that keep apart, by the anticipation velocity model.
  case avm
  /// People follow their ways at their own speed and pass through each other.
  case way
  /// Travel times between doors only, for ensembles of many days.
  case meso

  /// The name of the model in the parameters of a run.
  public var name: String {
    switch self {
    case .csm: "collision-free-speed"
    case .avm: "anticipation-velocity"
    case .way: "way-following"
    case .meso: "mesoscopic"
    }
  }

  /// The pedestrian model with its default parameters; `nil` for models without bodies.
  package var crowd: CrowdModel? {
    switch self {
    case .csm: .collisionFreeSpeed(CollisionFreeSpeed())
    case .avm: .anticipationVelocity(AnticipationVelocity())
    case .way, .meso: nil
    }
  }
}

extension Scenario.Movement {
  /// The movement model with its step.
  package var movementModel: any MovementModel {
    switch model {
    case .csm, .avm:
      CrowdMovement(crowdSettings, step: step, checksEveryStep: checksEveryStep)
    case .way: WayFollowing()
    case .meso: Mesoscopic()
    }
  }

  private var crowdSettings: CrowdSettings {
    var settings = CrowdSettings(model: model.crowd ?? .collisionFreeSpeed(CollisionFreeSpeed()))
    settings.lanes = lanes
    return settings
  }
}
