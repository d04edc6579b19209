import CordonCore
import CordonCrowd
import CordonSimulator
import CordonVenues

/// A search for overlaps, wall crossings and steps outside, over ten million steps of every model, of 0.05 and 0.1 s. Half
/// of them lead through doors in both directions, half through buildings of three floors with a check of every step.
/// Exits with status 1 after a finding.
enum BodyMeasurements {
  /// The findings so far.
  private struct Tally {
    var steps = 0
    var overlaps = 0
    var crossings = 0
    var outside = 0
    var least = Double.infinity
    var closest = Double.infinity

    var isClean: Bool { overlaps + crossings + outside == 0 && closest > 0.4 - 0.02 - 2 * 0.0142 }

    mutating func add(_ figures: CrowdFigures) {
      steps += figures.personSteps
      overlaps += figures.overlaps
      crossings += figures.wallCrossings
      least = min(least, figures.minimumGap)
    }

    mutating func add(_ figures: MovementFigures) {
      steps += figures.agentSteps
      overlaps += figures.overlaps
      crossings += figures.wallCrossings
      outside += figures.outside
      least = min(least, figures.minimumGap)
    }
  }

  static func run(_ arguments: [String]) {
    let wanted = Int(Arguments.values(arguments)["steps"] ?? 10_000_000)
    var isClean = true
    for (name, model) in [
      ("csm", CrowdModel.collisionFreeSpeed(CollisionFreeSpeed())),
      ("avm", .anticipationVelocity(AnticipationVelocity())),
    ] {
      for step in [0.05, 0.1] {
        let settings = CrowdSettings(model: model)
        var tally = Tally()
        doors(settings, step: step, steps: wanted / 8, into: &tally)
        do {
          try buildings(settings, step: step, steps: wanted / 4 - tally.steps, into: &tally)
        } catch {
          print("a building cannot be walked in: \(error)")
          isClean = false
        }
        print(
          "\(name) step \(step) s: \(tally.steps) agent-steps, \(tally.overlaps) overlaps, \(tally.crossings) wall crossings, \(tally.outside) outside, smallest gap \(tally.least) m; nearest centres in the recorded ways \(tally.closest) m"
        )
        if !tally.isClean { isClean = false }
      }
    }
    if !isClean { exitWithFindings() }
  }

  private static func doors(_ settings: CrowdSettings, step: Double, steps: Int, into tally: inout Tally) {
    var seed: UInt64 = 1
    while tally.steps < steps {
      for width in [0.8, 1.2, 2.0] {
        tally.add(DoorFlow.oneWay(width: width, people: 150, settings: settings, step: step, seed: seed).figures)
        tally.add(DoorFlow.twoWay(width: width, people: 60, settings: settings, step: step, seed: seed).figures)
      }
      seed += 1
    }
  }

  private static func buildings(_ settings: CrowdSettings, step: Double, steps: Int, into tally: inout Tally) throws {
    let movement = CrowdMovement(settings, step: Int64(step * 1_000 + 0.5), checksEveryStep: true)
    var seed: UInt64 = 1
    let begin = tally.steps
    while tally.steps - begin < steps {
      for kind in BuildingMeasurements.kinds where tally.steps - begin < steps {
        let (_, truth) = try BuildingMeasurements.walk(kind, people: 400, minutes: 15, movement: movement, seed: seed)
        tally.add(truth.figures)
        // Also checks the recorded ways, which deviate by at most a centimetre on each axis.
        if let closest = TruthCheck.closest(in: truth, every: .milliseconds(100)) {
          tally.closest = min(tally.closest, closest.distance)
        }
      }
      seed += 1
    }
  }
}
