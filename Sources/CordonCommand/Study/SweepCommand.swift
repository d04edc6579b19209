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
      "Positioning error presets or own models, separated by commas: \(PresetArgument.allValueStrings.joined(separator: ", ")), {error: 0.3m, correlation: 30s}.",
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

  @Option(
    help: ArgumentHelp(
      "Observed contact times from which a pair is warned, separated by commas. (default: the scenario's)",
      valueName: "list"))
  var warnAfter: String?
}

/// The figures that a kind of phone must reach, and prices.
struct SweepTargets: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The figures to reach: recall (true pairs that are warned), precision (warned pairs that are true), reach (recall with people without phones). (default: recall=0.8,precision=0.8)",
      valueName: "list"))
  var target: [String] = []

  @Option(help: ArgumentHelp("The required share of true pairs that are warned.", valueName: "share"))
  var recall = 0.8

  @Option(help: ArgumentHelp("The required share of warned pairs that are true.", valueName: "share"))
  var precision = 0.8

  @Option(
    help: ArgumentHelp("The price of a device, for all kinds (20) or by name (20,uwb=35).", valueName: "price"))
  var priceDevice: String?

  @Option(
    help: ArgumentHelp("The price of an anchor, for all kinds (50) or by name (ble=15,uwb=150).", valueName: "price"))
  var priceAnchor: String?

  func validate() throws {
    for (value, name) in [(recall, "--recall"), (precision, "--precision")] where !(0...1).contains(value) {
      throw ValidationError("\(name) is a share, 0 to 1, such as 0.8")
    }
  }

  /// The target of all three options.
  func targets() throws -> SweepTarget {
    var result = SweepTarget()
    (result.recall, result.precision) = (recall, precision)
    for text in target {
      if let part = result.set(text) {
        throw CommandError(
          "--target: '\(part)' is not recall=SHARE, precision=SHARE or reach=SHARE, such as recall=0.9", code: "usage")
      }
    }
    return result
  }

  /// The prices; `nil` without any.
  func prices() throws -> SweepPrice? {
    guard priceDevice != nil || priceAnchor != nil else { return nil }
    func read(_ text: String?, _ option: String) throws -> (common: Double, named: [String: Double]) {
      guard let text else { return (0, [:]) }
      guard let price = SweepPrice.read(text) else {
        throw CommandError(
          "\(option): '\(text)' is not a price such as 20, or prices by name such as ble=15,uwb=150", code: "usage")
      }
      return price
    }
    var prices = SweepPrice()
    (prices.device, prices.devices) = try read(priceDevice, "--price-device")
    (prices.anchor, prices.anchors) = try read(priceAnchor, "--price-anchor")
    return prices
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

      --seeds repeats the movement, for 95 % confidence intervals. With prices, the cheapest kind that reaches the target is \
      recommended; the number of anchors follows from the floor area:

        cordon sweep day.yaml --seeds 5 --target recall=0.9 \\
          --phones 'uwb,ble,{name: lab, error: 0.3m, correlation: 30s}' \\
          --price-device 20,uwb=35 --price-anchor uwb=150,ble=15

      Ctrl-C while people move ends the movement, and phones observe it up to then; a second Ctrl-C ends the observation. \
      The result is then marked as partial.
      """)

  @Argument(help: ArgumentHelp("The scenario.", valueName: "scenario.yaml"))
  var scenario: String

  /// The scenario's seed, and the number of repetitions.
  struct SeedOption: ParsableArguments {
    @Option(help: "The seed of all random numbers. (default: the scenario's)")
    var seed: UInt64?

    @Option(help: ArgumentHelp("The number of repetitions, each with other random numbers.", valueName: "count"))
    var seeds = 1

    func validate() throws {
      guard (1...1_000).contains(seeds) else { throw ValidationError("--seeds must be 1 to 1000") }
    }
  }

  @OptionGroup(title: "Scenario") var changes: ScenarioChanges
  @OptionGroup(title: "Scenario") var overlay: OverlayOptions
  @OptionGroup(title: "Scenario") var reachability: ReachabilityOptions
  @OptionGroup(title: "Scenario") var seedOption: SeedOption
  @OptionGroup(title: "Phones") var own: SweepOptions
  @OptionGroup(title: "Answer") var targets: SweepTargets
  @OptionGroup(title: "Processing") var workers: WorkerThreads
  @OptionGroup(title: "Output") var output: PageOptions

  func run() throws {
    let destination = try output.destination(inputs: [scenario])
    let phones = try PhoneKind.split(own.phones).map(phone)
    guard !phones.isEmpty else { throw CommandError("--phones is empty", code: "usage") }
    let (target, prices) = (try targets.targets(), try targets.prices())
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
    let warnings =
      try own.warnAfter.map {
        try list($0, "--warn-after", wanted: "a duration from 1s to 31d") { text in
          TimeSpan(parsing: text).flatMap { (TimeSpan.seconds(1)...TimeSpan.days(31)).contains($0) ? $0 : nil }
        }
      } ?? []
    let kinds = PositioningSweep.Kinds(
      phones: phones, intervals: intervals, samplings: samplings, shares: shares, warnings: warnings)
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
          venue: input.venue, scenario: plan, kinds: kinds, repetitions: seedOption.seeds, prices: prices,
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
    let page = SweepPage(sweep, scenario: plan, target: target)
    try destination?.write(page.html)
    if !output.json { Output.note(sweep.remarks) }
    try output.report(page.json, page.text)
    if sweep.isPartial {
      throw CommandError(
        "interrupted: \(sweep.rows.count) of \(phones.count * intervals.count * max(samplings.count, 1) * shares.count * max(warnings.count, 1)) kinds of phones were evaluated in \(sweep.repetitions) of \(seedOption.seeds) repetitions"
          + (sweep.reached.map { ", on the movement until \($0.rfc3339)" } ?? ""),
        code: "interrupted", status: .interrupted)
    }
  }

  private func phone(_ text: String) throws -> PhoneKind {
    do {
      return try PhoneKind(parsing: text)
    } catch let error as ScenarioError {
      throw CommandError("--phones: \(error.message)", code: "usage")
    } catch let fault as PhoneKind.Fault {
      throw CommandError("--phones: '\(text)': \(fault.message)", code: "usage")
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
