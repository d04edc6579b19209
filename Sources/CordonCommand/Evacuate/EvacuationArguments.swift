import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSimulator

/// A time of day on the command line: `10:15`.
struct ClockArgument: DescribedArgument, Sendable {
  let time: ClockTime

  init?(argument: String) {
    guard let time = ClockTime(argument) else { return nil }
    self.time = time
  }

  var defaultValueDescription: String { "\(time)" }

  static var valueName: String { "clock" }
  static var forms: String { "a time of day: 10:15 or 10:15:30" }
}

/// A delay on the command line, see `DurationRule.delayForms`.
struct DelayArgument: DescribedArgument, Sendable {
  let rule: DurationRule
  let text: String

  init?(argument: String) {
    guard let rule = DurationRule(delay: argument) else { return nil }
    self.rule = rule
    text = argument
  }

  var defaultValueDescription: String { text }

  static var valueName: String { "delay" }
  static var forms: String { DurationRule.delayForms }
}

/// The people of a load on the command line: `occupant`, `50%` or `300`.
struct LoadArgument: DescribedArgument, Sendable {
  let occupants: Evacuation.Occupants
  let text: String

  init?(argument: String) {
    guard let occupants = Evacuation.Occupants(load: argument) else { return nil }
    self.occupants = occupants
    text = argument
  }

  var defaultValueDescription: String { text }

  static var valueName: String { "load" }
  static var forms: String { Evacuation.Occupants.loadForms }
}

/// The people inside, and when they set off.
struct EvacuationPeopleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The time of the evacuation on the day of the scenario: people are where they are then.", valueName: "clock"))
  var at: ClockArgument?

  @Option(
    help: ArgumentHelp(
      "The people inside, without a day: occupant, a share of it such as 50%, or a number. (default: occupant, for a venue)",
      valueName: "load"))
  var load: LoadArgument?

  @Option(
    help: ArgumentHelp(
      "The time until the alarm, one value for all: 30s, lognormal:60s,0.4 or uniform:10s,60s. (default: 0s, or the scenario's)",
      valueName: "delay"))
  var alarmDelay: DelayArgument?

  @Option(
    help: ArgumentHelp(
      "The time from the alarm until people set off: a delay as above, or awake-familiar, awake-unfamiliar, medical, transport, sleeping. (default: by the kind of venue, or the scenario's)",
      valueName: "delay"))
  var preMovement: DelayArgument?

  @Option(
    help: ArgumentHelp(
      "The share of people who use only the entrance they came by, 0 to 1. (default: 0, or the scenario's)",
      valueName: "share"))
  var familiar: Double?

  func validate() throws {
    if at != nil, load != nil { throw ValidationError("--at and --load exclude each other") }
    if let familiar, !(0...1).contains(familiar) { throw ValidationError("--familiar must be 0 to 1") }
  }

  /// Changes the evacuation of a scenario.
  func apply(to evacuation: inout Evacuation) {
    if let at { evacuation.occupants = .day(at: at.time) }
    if let load { evacuation.occupants = load.occupants }
    if at != nil || load != nil { evacuation.line = 0 }
    if let alarmDelay { evacuation.alarmDelay = alarmDelay.rule }
    if let preMovement { evacuation.setPreMovement(preMovement.rule) }
    if let familiar { evacuation.familiarShare = familiar }
  }

  /// The options again, for a command that repeats this one.
  var words: [String] {
    var words: [String] = []
    if let at { words += ["--at", "\(at.time)"] }
    if let load { words += ["--load", load.text] }
    if let alarmDelay { words += ["--alarm-delay", alarmDelay.text] }
    if let preMovement { words += ["--pre-movement", preMovement.text] }
    if let familiar { words += ["--familiar", "\(familiar)"] }
    return words
  }
}

/// The ways that are left.
struct EvacuationWayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A closed exit: name, identifier or number. Repeat it for more.", valueName: "exit"))
  var closeExit: [String] = []

  @Option(
    help: ArgumentHelp(
      "Closed stairs or another connection: identifier, name or kind. Repeat it for more.", valueName: "connection"))
  var closeConnection: [String] = []

  @Flag(help: "Keep the elevators in service.")
  var elevators = false

  @Option(
    help: ArgumentHelp(
      "The maximum flow through exits, people per second and metre of width. (default: 1.33, or the scenario's)",
      valueName: "flow"))
  var exitFlow: Double?

  @Option(
    help: ArgumentHelp(
      "The time after which the run ends if people are still inside. (default: 1h, or the scenario's)",
      valueName: "duration"))
  var limit: DurationArgument?

  func validate() throws {
    if let exitFlow, !(0.1...10).contains(exitFlow) { throw ValidationError("--exit-flow must be 0.1 to 10") }
    if let limit, !(TimeSpan.seconds(10)...TimeSpan.days(1)).contains(limit.span) {
      throw ValidationError("--limit must be 10s to 1d")
    }
  }

  /// Changes the evacuation of a scenario.
  func apply(to evacuation: inout Evacuation) {
    evacuation.close(exits: closeExit, connections: closeConnection)
    if elevators { evacuation.usesElevators = true }
    if let exitFlow { evacuation.exitFlow = exitFlow }
    if let limit { evacuation.limit = limit.span }
  }

  /// The options again, for a command that repeats this one.
  var words: [String] {
    var words = closeExit.flatMap { ["--close-exit", $0] } + closeConnection.flatMap { ["--close-connection", $0] }
    if elevators { words.append("--elevators") }
    if let exitFlow { words += ["--exit-flow", "\(exitFlow)"] }
    if let limit { words += ["--limit", "\(limit.span)"] }
    return words
  }
}
