import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonCrowd
import CordonSimulator
import CordonSupport

/// The command `cordon validate evacuation`.
struct ValidateEvacuationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evacuation",
    abstract: "Test evacuations: NIST Technical Note 1822 and RiMEA.",
    discussion: """
      Each test runs a small building and compares one figure with its criterion. Tests of what the model does not contain, \
      such as smoke, are listed as not modelled. Exit status 1 when a case fails; 130 after Ctrl-C, with the cases \
      completed so far.

        cordon validate evacuation -o evacuation.html
      """)

  /// The model and the cases.
  struct CaseOptions: ParsableArguments {
    @Option(help: "The movement model: csm (collision-free speed) or avm (anticipation velocity).")
    var model = CrowdBenchCommand.ModelArgument.csm

    @Option(help: ArgumentHelp("The time step, 10ms to 150ms.", valueName: "duration"))
    var step = DurationArgument(.milliseconds(100))

    @Option(help: "The seed of all random numbers.")
    var seed: UInt64 = 1

    @Option(
      help: ArgumentHelp("The factor of the number of people in the largest cases, 0.1 to 1.", valueName: "factor"))
    var scale = 1.0

    @Option(
      help: ArgumentHelp(
        "Only this test: \(EvacuationValidation.names.joined(separator: ", ")). Repeat it for more.", valueName: "name")
    )
    var only: [String] = []
  }

  @OptionGroup(title: "Model") var own: CaseOptions
  @OptionGroup(title: "Output") var output: PageOptions

  func validate() throws {
    guard (10...150).contains(own.step.span.milliseconds) else {
      throw ValidationError("--step must be between 10ms and 150ms")
    }
    guard (0.1...1).contains(own.scale) else { throw ValidationError("--scale must be 0.1 to 1") }
    for name in own.only where !EvacuationValidation.names.contains(name) {
      throw ValidationError("--only: no test '\(name)'")
    }
  }

  func run() throws {
    let destination = try output.destination(inputs: [])
    Interruption.watch()
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    var validation = EvacuationValidation(
      model: CrowdMovement(own.model.settings, step: own.step.span.milliseconds), scale: own.scale, seed: own.seed)
    validation.isInterrupted = { Interruption.isRequested }
    let cases = try validation.run(only: own.only) {
      progress.update(phase: "validating", done: Double($0), total: Double($1), unit: "tests")
    }
    progress.finish()
    let isPartial = Interruption.isRequested
    let page = EvacuationCasesPage(model: own.model.rawValue, cases: cases, isPartial: isPartial)
    try destination?.write(page.html)
    func count(_ verdict: EvacuationCase.Verdict) -> Int { cases.count { $0.verdict == verdict } }
    let failed = count(.fail)
    try output.report(
      [
        "schema": "cordon.validate-evacuation/1", "model": .string(own.model.rawValue),
        "step_s": .number(Double(own.step.span.milliseconds) / 1_000),
        "cases": .array(cases.map(EvacuationCasesPage.object)), "passed": JSONValue(count(.pass)),
        "failed": JSONValue(failed), "not_modelled": JSONValue(count(.notModelled)), "partial": .bool(isPartial),
      ], (isPartial ? MovementPage.partialNote + "\n" : "") + cases.map(EvacuationCasesPage.line).joined())
    if isPartial {
      throw CommandError(
        "interrupted: the report covers the \(cases.count) completed cases", code: "interrupted", status: .interrupted)
    }
    if failed > 0 {
      throw CommandError("\(failed) of \(cases.count) cases fail", code: "validation", status: .findings)
    }
  }
}
