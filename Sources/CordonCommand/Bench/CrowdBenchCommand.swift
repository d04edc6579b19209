import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonCrowd
import CordonSimulator
import CordonSupport
import Foundation

/// The command `cordon bench crowd`.
struct CrowdBenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crowd",
    abstract: "Measure the speed of a pedestrian model on a floor full of walkers.",
    discussion: """
      Example:

        cordon bench crowd office-2000.json --model csm --step 50ms --duration 20s \\
          --json

      Processor time of all threads counts. The set-up covers walls, ways and the placement of people, not the reading of \
      the file. A tenth of the duration, at most 100 steps, is simulated before the measurement.

      The time_gap of the file is ignored: both models use the calibrated 0.6 s (docs/records/validation.md), and less in \
      front of doorways. --time-gap sets another one away from doorways.

      Ctrl-C ends the measurement; the figures cover the steps so far and are marked as partial.
      """)

  @Argument(help: "A scenario file: rings, rooms with doors, journeys and agents, in JSON.")
  var scenario: String

  /// The options of the simulation.
  struct BenchOptions: ParsableArguments {
    @Option(help: "The movement model: csm (collision-free speed) or avm (anticipation velocity).")
    var model = ModelArgument.csm

    @Option(help: ArgumentHelp("The time step, at most 150ms.", valueName: "duration"))
    var step = DurationArgument(.milliseconds(50))

    @Option(help: ArgumentHelp("The simulated time of the measurement.", valueName: "duration"))
    var duration = DurationArgument(.seconds(20))

    @Option(
      help: ArgumentHelp(
        "The time gap to the person in front at free speed, 100ms to 2s. (default: 600ms)", valueName: "duration"))
    var timeGap: DurationArgument?

    @Option(help: "The seed of all random numbers.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The maximum number of threads; the result does not depend on it.", valueName: "count"))
    var threads = 1
  }

  @OptionGroup(title: "Model") var own: BenchOptions
  @OptionGroup(title: "Output") var output: PrintFlags

  /// The models by the names that scripts use.
  enum ModelArgument: String, ExpressibleByArgument, CaseIterable {
    case csm, avm

    var settings: CrowdSettings {
      switch self {
      case .csm: CrowdSettings(model: .collisionFreeSpeed(CollisionFreeSpeed()))
      case .avm: CrowdSettings(model: .anticipationVelocity(AnticipationVelocity()))
      }
    }
  }

  func validate() throws {
    guard own.step.span > .zero, Double(own.step.span.milliseconds) / 1_000 <= CrowdSettings.maximumStep else {
      throw ValidationError("--step must be more than zero and at most 150ms")
    }
    guard own.duration.span >= own.step.span, own.duration.span <= .days(1) else {
      throw ValidationError("--duration must be at least one step and at most 1d")
    }
    if let timeGap = own.timeGap, !(TimeSpan.milliseconds(100)...TimeSpan.seconds(2)).contains(timeGap.span) {
      throw ValidationError("--time-gap must be between 100ms and 2s")
    }
    guard (1...256).contains(own.threads) else { throw ValidationError("--threads must be 1 to 256") }
  }

  func run() throws {
    Interruption.watch()
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    progress.begin(phase: "setting up")
    let scenario = try read()
    var settings = own.model.settings
    if let timeGap = own.timeGap { settings.timeGap = timeGap.span.seconds }
    let seconds = Double(own.step.span.milliseconds) / 1_000
    let steps = Int(own.duration.span.milliseconds / own.step.span.milliseconds)
    let begin = ProcessResources.cpuSeconds
    let floor = WalkingCrowd(scenario, settings: settings, seed: own.seed)
    let ready = ProcessResources.cpuSeconds
    for _ in 0..<min(steps / 10, 100) where !Interruption.isRequested {
      floor.step(seconds: seconds, threads: own.threads)
    }
    let warm = floor.crowd.figures.personSteps
    let (start, clock) = (ProcessResources.cpuSeconds, ContinuousClock.now)
    var made = 0
    while made < steps, !Interruption.isRequested {
      floor.step(seconds: seconds, threads: own.threads)
      made += 1
      // A report of progress reads the clock, which is not to be measured.
      if made & 15 == 0 { progress.update(phase: "walking", done: made, total: steps, unit: "steps") }
    }
    let spent = ProcessResources.cpuSeconds - start
    let elapsed = ContinuousClock.now - clock
    let wall = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
    let figures = floor.crowd.figures
    let timed = figures.personSteps - warm
    let isPartial = made < steps
    progress.finish()
    let rate = spent > 0 ? Double(timed) / spent : nil
    if output.json {
      try Output.print([
        "schema": "cordon.bench-crowd/1", "model": .string(own.model.rawValue), "step_s": .number(seconds),
        "people": .integer(Int64(scenario.agents.count)), "steps": .integer(Int64(made)),
        "time_gap_s": .number(settings.timeGap),
        "agent_steps": .integer(Int64(timed)), "agent_steps_per_cpu_s": JSONValue(rate),
        "setup_cpu_s": .number(ready - begin), "run_cpu_s": .number(spent),
        "run_wall_s": .number(wall), "threads": .integer(Int64(own.threads)),
        "digest": .string(String(floor.digest, radix: 16)),
        "overlaps": .integer(Int64(figures.overlaps)),
        "min_gap_m": figures.minimumGap.isFinite ? .number(figures.minimumGap) : .null,
        "wall_crossings": .integer(Int64(figures.wallCrossings)), "arrivals": .integer(Int64(floor.arrivals)),
        "peak_mib": .number(ProcessResources.peakMebibytes), "partial": .bool(isPartial),
      ])
    } else {
      try Output.print(
        """
        people            \(scenario.agents.count)
        steps             \(made) of \(own.step.span)\(isPartial ? ", interrupted: \(steps) were asked for" : "")
        time gap          \(settings.timeGap) s
        agent-steps/CPU-s \(rate.map { "\(Int($0))" } ?? "-")
        set-up            \(((ready - begin) * 1_000).rounded() / 1_000) CPU-s
        overlaps          \(figures.overlaps)
        smallest gap      \((figures.minimumGap * 1_000).rounded() / 1_000) m
        wall crossings    \(figures.wallCrossings)

        """)
    }
    if isPartial {
      throw CommandError(
        "interrupted after \(made) of \(steps) steps: the figures cover those", code: "interrupted",
        status: .interrupted)
    }
  }

  private func read() throws -> WalkingScenario {
    let bytes = try TextFile.read(scenario, code: "not-a-scenario").bytes
    let read: WalkingScenario
    do {
      read = try JSONDecoder().decode(WalkingScenario.self, from: bytes)
    } catch let error as DecodingError {
      throw CommandError(
        "is not a scenario: \(error.sentence)", code: "not-a-scenario", file: scenario, place: error.pointer)
    }
    if let fault = read.fault {
      throw CommandError(fault.message, code: "not-a-scenario", file: scenario, place: fault.pointer)
    }
    return read
  }
}

extension DecodingError {
  private var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }

  /// RFC 6901 pointer to the place.
  fileprivate var pointer: String? {
    context.map { $0.codingPath.map { "/\($0.intValue.map(String.init) ?? $0.stringValue)" }.joined() }
  }

  fileprivate var sentence: String {
    if case .keyNotFound(let key, _) = self { return "\(key.stringValue) is missing" }
    return context?.debugDescription ?? "unreadable"
  }
}
