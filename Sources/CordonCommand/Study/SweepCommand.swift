import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonSimulator
import CordonSupport
import Foundation

/// The kinds of phones of a sweep, and what counts as good enough.
struct SweepOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Positioning error presets, separated by commas: \(PresetArgument.allValueStrings.joined(separator: ", ")).",
      valueName: "list"))
  var phones = "rtt,ble,wifi,gps"

  @Option(help: ArgumentHelp("Times between two fixes, separated by commas.", valueName: "list"))
  var interval = "5s,15s,60s"

  @Option(
    help: ArgumentHelp(
      "When phones make fixes, separated by commas: library, continuous, motion, motion:TIME, distance:METRES. (default: the scenario's)",
      valueName: "list"))
  var sampling: String?

  @Option(help: ArgumentHelp("Shares of people with a phone, separated by commas.", valueName: "list"))
  var deviceShare = "1"

  @Option(help: ArgumentHelp("The required share of true pairs that are warned.", valueName: "share"))
  var recall = 0.8

  @Option(help: ArgumentHelp("The required share of warned pairs that are true.", valueName: "share"))
  var precision = 0.8

  func validate() throws {
    for (value, name) in [(recall, "--recall"), (precision, "--precision")] where !(0...1).contains(value) {
      throw ValidationError("\(name) is a share, 0 to 1, such as 0.8")
    }
  }
}

/// The command `cordon sweep`.
struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Compare positioning technologies, sampling rates and adoption.",
    discussion: """
      People move once; every kind of phones observes the same movement.

        cordon sweep venues/scenarios/museum.yaml --phones rtt,ble,wifi \\
          --interval 5s,30s --device-share 0.5,1

      Sampling states when positioning is on: 'continuous' always; 'library' until the library detects rest; 'motion:5m' \
      until five minutes after the last movement ('motion' alone means that); 'distance:5' for a fix only after five metres.

        cordon sweep venues/scenarios/office-day.yaml --phones rtt --interval 5s \\
          --sampling continuous,motion:2m,distance:5

      Ctrl-C while people move ends the movement, and phones observe it up to then; a second Ctrl-C ends the observation. \
      The result is then marked as partial.
      """)

  @Argument(help: ArgumentHelp("The scenario.", valueName: "scenario.yaml"))
  var scenario: String

  /// The scenario's seed.
  struct SeedOption: ParsableArguments {
    @Option(help: "The seed of all random numbers. (default: the scenario's)")
    var seed: UInt64?
  }

  @OptionGroup(title: "Scenario") var changes: ScenarioChanges
  @OptionGroup(title: "Scenario") var overlay: OverlayOptions
  @OptionGroup(title: "Scenario") var reachability: ReachabilityOptions
  @OptionGroup(title: "Scenario") var seedOption: SeedOption
  @OptionGroup(title: "Phones") var own: SweepOptions
  @OptionGroup(title: "Processing") var workers: WorkerThreads
  @OptionGroup(title: "Output") var output: PageOptions

  func run() throws {
    let destination = try output.destination(inputs: [scenario])
    let presets = try list(
      own.phones, "--phones", wanted: "one of " + PresetArgument.allValueStrings.joined(separator: ", ")
    ) { PhonePreset(rawValue: $0) }
    let intervals = try list(own.interval, "--interval", wanted: "a duration from 100ms to 1h") { text in
      TimeSpan(parsing: text).flatMap { (TimeSpan.milliseconds(100)...TimeSpan.hours(1)).contains($0) ? $0 : nil }
    }
    let samplings =
      try own.sampling.map {
        try list($0, "--sampling", wanted: "continuous, motion, motion:TIME or distance:METRES") {
          PhoneSetup.Sampling($0)
        }
      } ?? []
    let shares = try list(own.deviceShare, "--device-share", wanted: "a share, 0 to 1") { text in
      Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
    }
    let input = try SimulationInput.read(scenario, overlay: overlay.choice, changes: changes.list())
    guard var plan = input.scenario else { throw CommandError("is not a scenario", code: "usage", file: scenario) }
    if let seed = seedOption.seed { plan.seed = seed }
    // The first signal ends the movement of people, the second the observation by phones.
    Interruption.watch(endingAt: 3)
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    let sweep: PositioningSweep
    do {
      sweep = try reachability.checked {
        try PositioningSweep(
          venue: input.venue, scenario: plan,
          kinds: .init(presets: presets, intervals: intervals, samplings: samplings, shares: shares),
          maximumUnreachableShare: reachability.maximumUnreachableShare, threads: workers.threads,
          progress: { phase, done, total in
            if phase == .phones {
              progress.update(phase: phase.text, done: done, total: Double(total), unit: "kinds")
            } else {
              progress.update(phase: phase.text, done: done * 100, total: 100, unit: "%")
            }
          },
          isWalkInterrupted: { Interruption.answer() }, isInterrupted: { Interruption.isPending })
      }
    } catch var error as ScenarioError {
      error.file = scenario
      throw error
    }
    progress.finish()
    let page = SweepPage(sweep, scenario: plan, recall: own.recall, precision: own.precision)
    try destination?.write(page.html)
    if !output.json { Output.note(sweep.remarks) }
    try output.report(page.json, page.text)
    if sweep.isPartial {
      throw CommandError(
        "interrupted: \(sweep.rows.count) of \(presets.count * intervals.count * max(samplings.count, 1) * shares.count) kinds of phones were evaluated"
          + (sweep.reached.map { ", on the movement until \($0.rfc3339)" } ?? ""),
        code: "interrupted", status: .interrupted)
    }
  }

  private func list<Value>(
    _ text: String, _ option: String, wanted: String, _ read: (String) -> Value?
  ) throws -> [Value] {
    let values = try text.split(separator: ",").map { part in
      let word = part.trimmingCharacters(in: .whitespaces)
      guard let value = read(word) else { throw CommandError("\(option): '\(word)' is not \(wanted)", code: "usage") }
      return value
    }
    guard !values.isEmpty else { throw CommandError("\(option) is empty", code: "usage") }
    return values
  }
}
