import CordonCrowd
import CordonSimulator
import Foundation
import Measuring

/// A floor on which all people walk, on one thread and on two, with a digest of their final positions.
enum CrowdMeasurements {
  static func run(_ arguments: [String]) {
    guard let path = arguments.first, let bytes = FileManager.default.contents(atPath: path),
      let scenario = try? JSONDecoder().decode(WalkingScenario.self, from: bytes), scenario.fault == nil
    else {
      print("no scenario that can be run")
      exitWithFindings()
    }
    let values = Arguments.values(arguments)
    let step = values["step"] ?? 0.05
    let steps = Int((values["seconds"] ?? 20) / step)
    let model =
      arguments.contains("avm")
      ? CrowdModel.anticipationVelocity(AnticipationVelocity()) : .collisionFreeSpeed(CollisionFreeSpeed())
    for threads in arguments.contains("threads") ? [1, 2] : [1] {
      let begin = cpuSeconds()
      let floor = WalkingCrowd(scenario, settings: CrowdSettings(model: model), seed: 1)
      let ready = cpuSeconds()
      for _ in 0..<min(steps / 10, 100) { floor.step(seconds: step, threads: threads) }
      let warm = floor.crowd.figures.personSteps
      let (start, clock) = (cpuSeconds(), DispatchTime.now().uptimeNanoseconds)
      for _ in 0..<steps { floor.step(seconds: step, threads: threads) }
      let spent = cpuSeconds() - start
      let wall = Double(DispatchTime.now().uptimeNanoseconds - clock) / 1e9
      let made = Double(floor.crowd.figures.personSteps - warm)
      let figures = floor.crowd.figures
      print(
        "\(scenario.agents.count) people, \(threads) thread(s): \(Int(made / spent)) agent-steps/CPU-s, \(Int(made / wall)) a second on the clock, set-up \(ready - begin) s, overlaps \(figures.overlaps), smallest gap \(figures.minimumGap) m, wall crossings \(figures.wallCrossings), arrivals \(floor.arrivals), stuck for 10 s: \(floor.stuck(longerThan: 10)), digest \(String(floor.digest, radix: 16))"
      )
    }
  }
}
