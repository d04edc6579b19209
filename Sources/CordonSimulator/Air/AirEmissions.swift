import CordonAir
import CordonCore
import CordonCrowd
import CordonVenues

/// The loads of people: by posture, activity, mask, and whether a person is infectious.
struct AirEmissions: Sendable {
  /// The posture of a person at one time.
  enum Posture: Int, Sendable {
    case seated, standing, walking
  }

  private let postures: [AirActivity]
  private let postureMasks: [Bool]
  /// The activity of each space in which one of the scenario's activities has values of its own, by number.
  private let bySpace: [Int: (activity: AirActivity, hasMasks: Bool)]
  private let masks: AirRules.Masks?

  private static let names = ["seated", "standing", "walking"]

  init(_ rules: AirRules, scenario: Scenario, venue: Venue, places: RunPlaces) throws(ScenarioError) {
    var postures = [AirActivity.seated, .standing, .walking]
    var postureMasks = [true, true, true]
    for emission in rules.activities {
      guard let index = Self.names.firstIndex(of: emission.target.name) else { continue }
      postures[index] = emission.activity(instead: postures[index])
      postureMasks[index] = emission.hasMasks
    }
    var bySpace: [Int: (activity: AirActivity, hasMasks: Bool)] = [:]
    for emission in rules.activities where !Self.names.contains(emission.target.name) {
      guard let activity = scenario.activities.first(where: { $0.name == emission.target.name }) else {
        throw ScenarioError(
          line: emission.target.line, path: "air.activities",
          message: "'\(emission.target.name)' is not an activity of the scenario, and not seated, standing or walking")
      }
      for name in activity.kinds.map(\.rawValue) + activity.spaces {
        for space in SpaceGroup.spaces(name, in: venue) {
          let number = Int(places.number(of: space))
          if number >= 0 { bySpace[number] = (emission.activity(instead: postures[0]), emission.hasMasks) }
        }
      }
    }
    self.postures = postures
    self.postureMasks = postureMasks
    self.bySpace = bySpace
    masks = rules.masks
  }

  /// Returns the activity of a person at rest or on the way in a space, and whether masks are worn.
  func activity(_ posture: Posture, in space: Int) -> (activity: AirActivity, hasMasks: Bool) {
    if posture == .seated, let own = bySpace[space] { return own }
    return (postures[posture.rawValue], postureMasks[posture.rawValue])
  }

  /// Returns the load of a person.
  func load(_ posture: Posture, in space: Int, isInfectious: Bool, wearsMask: Bool) -> AirLoad {
    let (activity, hasMasks) = activity(posture, in: space)
    let mask = wearsMask && hasMasks ? masks : nil
    return activity.load(isInfectious: isInfectious, exhaled: mask?.exhaled ?? 0, inhaled: mask?.inhaled ?? 0)
  }
}

extension AirRules.Emission {
  /// Returns the values, with those of a posture where none are stated.
  fileprivate func activity(instead posture: AirActivity) -> AirActivity {
    AirActivity(
      co2: co2 ?? posture.co2, breathing: breathing ?? posture.breathing, quanta: quanta ?? posture.quanta)
  }
}
