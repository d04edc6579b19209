import CordonCrowd
import CordonSimulator

/// The flow through doors, by model, step and width: the mean over seeds, compared with 1.9 persons per second and
/// metre.
enum DoorMeasurements {
  static func run(_ arguments: [String]) {
    var values: [String: Double] = [:]
    for argument in arguments {
      let parts = argument.split(separator: "=")
      if parts.count == 2, let value = Double(parts[1]) { values[String(parts[0])] = value }
    }
    let seeds = Int(values["seeds"] ?? 20)
    let first = UInt64(values["first"] ?? 101)
    let models: [(String, CrowdModel)] = [
      ("csm", .collisionFreeSpeed(CollisionFreeSpeed())), ("avm", .anticipationVelocity(AnticipationVelocity())),
    ]
    for (name, model) in models where !arguments.contains(name == "csm" ? "avm" : "csm") {
      var model = model
      if case .anticipationVelocity(var parameters) = model {
        if let reaction = values["reaction"] { parameters.reaction = reaction }
        model = .anticipationVelocity(parameters)
      }
      var settings = CrowdSettings(model: model)
      if let gap = values["gap"] { settings.doorTimeGap = gap }
      if let gap = values["wide"] { settings.wideDoorTimeGap = gap }
      if let shoulder = values["shoulder"] { settings.doorShoulder = shoulder }
      if let patience = values["patience"] { settings.doorPatience = patience }
      if let reach = values["reach"] { settings.doorReach = reach }
      do {
        for step in [0.05, 0.1] where values["step"].map({ $0 == step }) ?? true {
          var line =
            "\(name) gap \(settings.doorTimeGap) \(settings.wideDoorTimeGap) shoulder \(settings.doorShoulder) reach \(settings.doorReach) step \(step):"
          for width in [0.8, 1.0, 1.2, 1.6, 2.0]
          where width >= values["from"] ?? 0 && width <= values["to"] ?? .infinity {
            let runs = (0..<seeds).map {
              DoorFlow.oneWay(width: width, settings: settings, step: step, seed: first + UInt64($0))
            }
            let mean = runs.reduce(0) { $0 + $1.flow } / Double(runs.count)
            let jams = runs.count { $0.isJammed }
            line += "  \(width): \((mean / width / 1.9 * 100).rounded() / 100)"
            if jams > 0 { line += " (\(jams) jams)" }
          }
          line += "  two-way"
          for width in [0.8, 0.9, 1.2] where !arguments.contains("one-way") {
            let runs = (0..<seeds).map {
              DoorFlow.twoWay(width: width, settings: settings, step: step, seed: first + UInt64($0))
            }
            let mean = runs.reduce(0) { $0 + $1.flow } / Double(runs.count)
            let jams = runs.count { $0.isJammed }
            line += "  \(width): \((mean / width / 1.9 * 100).rounded() / 100)"
            if jams > 0 { line += " (\(jams) jams)" }
          }
          print(line)
        }
      }
    }
  }
}
