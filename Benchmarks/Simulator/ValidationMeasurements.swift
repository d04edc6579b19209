import CordonCrowd
import CordonSimulator

/// The cases of the validation with other parameters than the defaults, for calibration.
enum ValidationMeasurements {
  static func run(_ arguments: [String]) {
    let values = Arguments.values(arguments)
    var settings = CrowdSettings(
      model: arguments.contains("avm")
        ? .anticipationVelocity(AnticipationVelocity()) : .collisionFreeSpeed(CollisionFreeSpeed()))
    if let gap = values["gap"] { settings.timeGap = gap }
    let seeds = UInt64(values["seeds"] ?? 20)
    let validation = MovementValidation(
      settings: settings, step: values["step"] ?? 0.1, seeds: Array(1...max(seeds, 1)), scale: values["scale"] ?? 1)
    let names = MovementValidation.names.filter { !arguments.contains("only-rimea") || $0.hasPrefix("rimea") }
    let cases = arguments.contains("densities") ? validation.densities() : validation.run(only: names)
    for item in cases {
      print(item.isPassed ? "pass" : "FAIL", item.id, item.value, item.band, item.note)
    }
    if arguments.contains("studies") {
      for study in validation.studies() { print(study.id, study.series.map { ($0.name, $0.points) }, study.remarks) }
    }
  }
}

/// Arguments of the form `name=number`.
enum Arguments {
  static func values(_ arguments: [String]) -> [String: Double] {
    var values: [String: Double] = [:]
    for argument in arguments {
      let parts = argument.split(separator: "=")
      if parts.count == 2, let value = Double(parts[1]) { values[String(parts[0])] = value }
    }
    return values
  }
}
