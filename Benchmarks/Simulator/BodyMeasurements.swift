import CordonGeometry
import CordonSimulator

/// Nobody in a wall, nobody in anybody: ten million steps of people of every model, through doors both ways, in
/// steps of 0.05 and 0.1 s. Ends with status 1 when somebody was.
enum BodyMeasurements {
  static func run(_ arguments: [String]) {
    let wanted = Int(Arguments.values(arguments)["steps"] ?? 10_000_000)
    var isClean = true
    for (name, model) in [
      ("csm", CrowdModel.collisionFreeSpeed(CollisionFreeSpeed())),
      ("avm", .anticipationVelocity(AnticipationVelocity())),
    ] {
      for step in [0.05, 0.1] {
        var made = 0
        var seed: UInt64 = 1
        var (overlaps, crossings) = (0, 0)
        var least = Double.infinity
        while made < wanted / 4 {
          let settings = CrowdSettings(model: model)
          for width in [0.8, 1.2, 2.0] {
            for run in [
              DoorFlow.oneWay(width: width, people: 150, settings: settings, step: step, seed: seed),
              DoorFlow.twoWay(width: width, people: 60, settings: settings, step: step, seed: seed),
            ] {
              made += run.figures.personSteps
              overlaps += run.figures.overlaps
              crossings += run.figures.wallCrossings
              least = min(least, run.figures.leastGap)
            }
          }
          seed += 1
        }
        print(
          "\(name) step \(step) s: \(made) agent-steps, \(overlaps) overlaps, \(crossings) wall crossings, smallest gap \(least) m"
        )
        if overlaps + crossings > 0 { isClean = false }
      }
    }
    if !isClean { exitWithFindings() }
  }
}
