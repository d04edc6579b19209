import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonCrowd
import CordonSimulator
import CordonSupport
import Foundation

/// `cordon bench crowd`
struct CrowdBenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crowd",
    abstract: "Time a pedestrian model on a floor where everybody walks.",
    discussion: """
      Example:

        cordon bench crowd office-2000.json --model csm --step 50ms --duration 20s \\
          --json

      Processor time of all threads counts. Reading the file is not part of the set-up; walls, ways and \
      placing everybody are. A tenth of the duration, at most 100 steps, is walked before the clock starts.

      The file's time_gap is not used: both models walk with the 0.6 s that doors, corridors and crowds were \
      calibrated with (docs/records/validation.md), and with less in front of doorways. --time-gap 1s takes another away from \
      doorways, such as the file's.

      Ctrl-C ends the walk; the figures are of the steps made until then, and marked as partial.
      """)

  @Argument(help: "A scenario file: rings, rooms with doors, journeys and agents, in JSON.")
  var scenario: String

  @Option(help: "The movement model: csm (collision-free speed) or avm (anticipation velocity).")
  var model = ModelArgument.csm

  @Option(help: ArgumentHelp("The length of a step, at most 150ms.", valueName: "duration"))
  var step = DurationArgument(.milliseconds(50))

  @Option(help: ArgumentHelp("How long the timed part is.", valueName: "duration"))
  var duration = DurationArgument(.seconds(20))

  @Option(
    help: ArgumentHelp(
      "Time to the person in front at which the free speed is walked, 100ms to 2s. (default: 600ms)",
      valueName: "duration"))
  var timeGap: DurationArgument?

  @Option(help: "How many threads may work; the result does not depend on it.")
  var threads = 1

  @Option(help: "Decides the few random numbers.")
  var seed: UInt64 = 1

  @Flag(help: "Print one JSON object instead of lines.")
  var json = false

  @Flag(name: [.short, .long], help: "Show no progress.")
  var quiet = false

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
    guard step.span > .zero, Double(step.span.milliseconds) / 1_000 <= CrowdSettings.maximumStep else {
      throw ValidationError("--step must be more than zero and at most 150ms")
    }
    guard duration.span >= step.span, duration.span <= .days(1) else {
      throw ValidationError("--duration must be at least one step and at most 1d")
    }
    if let timeGap, !(TimeSpan.milliseconds(100)...TimeSpan.seconds(2)).contains(timeGap.span) {
      throw ValidationError("--time-gap must be between 100ms and 2s")
    }
    guard (1...256).contains(threads) else { throw ValidationError("--threads must be in 1 ... 256") }
  }

  func run() throws {
    Interruption.watch()
    let progress = ProgressLine(quiet: quiet)
    defer { progress.finish() }
    progress.begin(phase: "setting up")
    let scenario = try read()
    var settings = model.settings
    if let timeGap { settings.timeGap = timeGap.span.seconds }
    let seconds = Double(step.span.milliseconds) / 1_000
    let steps = Int(duration.span.milliseconds / step.span.milliseconds)
    let begin = ProcessResources.cpuSeconds
    let floor = WalkingCrowd(scenario, settings: settings, seed: seed)
    let ready = ProcessResources.cpuSeconds
    for _ in 0..<min(steps / 10, 100) where !Interruption.isRequested { floor.step(seconds: seconds, threads: threads) }
    let warm = floor.crowd.figures.personSteps
    let (start, clock) = (ProcessResources.cpuSeconds, ContinuousClock.now)
    var made = 0
    while made < steps, !Interruption.isRequested {
      floor.step(seconds: seconds, threads: threads)
      made += 1
      // Telling it costs a look at the clock, which is not to be measured.
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
    if json {
      try Output.print([
        "schema": "cordon.bench-crowd/1", "model": .string(model.rawValue), "step_s": .number(seconds),
        "people": .integer(Int64(scenario.agents.count)), "steps": .integer(Int64(made)),
        "time_gap_s": .number(settings.timeGap),
        "agent_steps": .integer(Int64(timed)), "agent_steps_per_cpu_s": JSONValue(rate),
        "setup_cpu_s": .number(ready - begin), "run_cpu_s": .number(spent),
        "run_wall_s": .number(wall), "threads": .integer(Int64(threads)),
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
        steps             \(made) of \(step.span)\(isPartial ? ", interrupted: \(steps) were asked for" : "")
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
        "interrupted after \(made) of \(steps) steps: the figures are of those", code: "interrupted",
        status: .interrupted)
    }
  }

  private func read() throws -> WalkingScenario {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: scenario))
    } catch {
      throw CommandError("cannot be read: \(Output.reason(of: error))", code: "not-found", file: scenario)
    }
    let read: WalkingScenario
    do {
      read = try JSONDecoder().decode(WalkingScenario.self, from: bytes)
    } catch let error as DecodingError {
      throw CommandError(
        "not a scenario: \(error.sentence)", code: "not-a-scenario", file: scenario, place: error.pointer)
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
