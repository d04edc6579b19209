import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonSimulator
import CordonSupport
import Foundation

/// The command `cordon validate movement`.
struct ValidateMovementCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "movement",
    abstract: "Test a movement model: RiMEA cases, door flow, Weidmann's speeds.",
    discussion: """
      The page shows flows and speeds with the reference curves. Exit status 1 when a case lies outside of its band; 130 \
      after Ctrl-C, with the cases completed so far.

        cordon validate movement --model avm -o movement.html
      """)

  /// The model and the cases.
  struct CaseOptions: ParsableArguments {
    @Option(help: "The movement model: csm (collision-free speed) or avm (anticipation velocity).")
    var model = CrowdBenchCommand.ModelArgument.csm

    @Option(help: ArgumentHelp("The time step, 10ms to 150ms.", valueName: "duration"))
    var step = DurationArgument(.milliseconds(50))

    @Option(help: ArgumentHelp("The number of runs of each door, with seeds 1, 2 and so on.", valueName: "count"))
    var replicas = 20

    @Option(
      help: ArgumentHelp(
        "Only this case: \((MovementValidation.names + MovementValidation.studyNames).joined(separator: ", ")). Repeat it for more.",
        valueName: "name"))
    var only: [String] = []
  }

  @OptionGroup(title: "Model") var own: CaseOptions
  @OptionGroup(title: "Output") var output: PageOptions

  func validate() throws {
    guard (10...150).contains(own.step.span.milliseconds) else {
      throw ValidationError("--step must be between 10ms and 150ms")
    }
    for name in own.only where !(MovementValidation.names + MovementValidation.studyNames).contains(name) {
      throw ValidationError("--only: no case '\(name)'")
    }
    guard (1...1_000).contains(own.replicas) else { throw ValidationError("--replicas must be 1 to 1000") }
  }

  func run() throws {
    let destination = try output.destination(inputs: [])
    Interruption.watch()
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    var validation = MovementValidation(
      settings: own.model.settings, step: Double(own.step.span.milliseconds) / 1_000,
      seeds: (1...UInt64(own.replicas)).map { $0 })
    validation.isInterrupted = { Interruption.isRequested }
    let cases = validation.run(only: own.only) {
      progress.update(phase: "validating", done: $0, total: Double($1), unit: "cases")
    }
    let studies = validation.studies(only: own.only) {
      progress.update(phase: "studying", done: $0, total: $1, unit: "studies")
    }
    progress.finish()
    let isPartial = Interruption.isRequested
    if let destination {
      let page = MovementPage(
        model: own.model.rawValue, step: "\(own.step.span)", cases: cases, studies: studies, isPartial: isPartial)
      try destination.write(page.html)
    }
    let failed = cases.count { !$0.isPassed }
    let partialNote = isPartial ? MovementPage.partialNote + "\n" : ""
    try output.report(
      [
        "schema": "cordon.validate-movement/1", "model": .string(own.model.rawValue),
        "step_s": .number(Double(own.step.span.milliseconds) / 1_000), "replicas": .integer(Int64(own.replicas)),
        "cases": .array(cases.map(object)), "studies": .array(studies.map(object)),
        "passed": .integer(Int64(cases.count - failed)),
        "failed": .integer(Int64(failed)), "partial": .bool(isPartial),
      ], partialNote + cases.map(line).joined() + studies.map(lines).joined())
    if isPartial {
      throw CommandError(
        "interrupted: the report covers the \(cases.count) completed cases", code: "interrupted",
        status: .interrupted)
    }
    if failed > 0 {
      throw CommandError(
        "\(failed) of \(cases.count) cases lie outside of their bands", code: "validation", status: .findings)
    }
  }

  private func object(_ item: MovementCase) -> JSONValue {
    [
      "id": .string(item.id), "title": .string(item.title),
      "value": item.value.isFinite ? .number(item.value) : .null, "unit": .string(item.unit),
      "band": [.number(item.band.lowerBound), .number(item.band.upperBound)], "pass": .bool(item.isPassed),
      "note": .string(item.note),
    ]
  }

  private func object(_ study: MovementStudy) -> JSONValue {
    [
      "id": .string(study.id), "title": .string(study.title), "x": .string(study.xName), "y": .string(study.yName),
      "series": .array(
        study.series.map { series in
          [
            "name": .string(series.name),
            "points": .array(series.points.map { [.number($0.x), $0.y.isFinite ? .number($0.y) : .null] }),
          ]
        }),
      "remarks": .array(study.remarks.map(JSONValue.string)),
    ]
  }

  private func lines(_ study: MovementStudy) -> String {
    "study \(study.id)  \(study.title)\n" + study.remarks.map { "      \($0)\n" }.joined()
  }

  private func line(_ item: MovementCase) -> String {
    let band = "\(MovementPage.plain(item.band.lowerBound)) to \(MovementPage.plain(item.band.upperBound))"
    return
      "\(item.isPassed ? "pass" : "FAIL")  \(item.id)  \(MovementPage.plain(item.value)) \(item.unit) (\(band))  \(item.title)\n"
  }
}
