import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonExchange
import CordonSupport

/// What `cordon trace pseudonymise` removes and changes.
struct PseudonymiseOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Keep only points near this place.", valueName: "lon,lat"))
  var near: CoordinateArgument?

  @Option(help: ArgumentHelp("The distance from the place of --near.", valueName: "metres"))
  var radius = DistanceArgument(500)

  @Option(help: ArgumentHelp("Cut this time off both ends of every track.", valueName: "duration"))
  var cutEnds: DurationArgument?

  @Option(help: ArgumentHelp("Move all times back by whole days.", valueName: "days"))
  var daysEarlier: Int?

  @Option(
    help: ArgumentHelp(
      "Move the times of each device by a random amount of its own, up to this far, either way.", valueName: "duration")
  )
  var timeShift: DurationArgument?

  @Option(
    help: ArgumentHelp("Displace points at random, 68 % of them by less than this.", valueName: "metres"))
  var jitter: DistanceArgument?

  @Option(help: ArgumentHelp("Move positions to the middle of squares with this side.", valueName: "metres"))
  var cell: DistanceArgument?

  @Option(
    help: ArgumentHelp("Move times to the beginning of bins of this width.", valueName: "duration"))
  var bin: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Remove points whose cell and bin fewer than k devices share; needs --cell and --bin.", valueName: "k"))
  var kAnonymity: Int?

  @Option(
    help: """
      The seed of all random numbers, for repeatable tests. Knowing it allows undoing names, shifts and jitter: omit it for \
      data to publish. (default: random numbers of the system)
      """)
  var seed: UInt64?

  func validate() throws {
    for (option, value) in [
      ("--radius", radius), ("--jitter", jitter), ("--cell", cell),
    ] { try PseudonymiseOptions.check(option, value) }
    for (option, value) in [("--cut-ends", cutEnds), ("--time-shift", timeShift), ("--bin", bin)] {
      try PseudonymiseOptions.check(option, value)
    }
    if let daysEarlier, !(0...100_000).contains(daysEarlier) {
      throw ValidationError("--days-earlier must be 0 to 100000")
    }
    if let kAnonymity {
      guard kAnonymity >= 2 else { throw ValidationError("--k-anonymity must be 2 or more") }
      guard cell != nil, bin != nil else {
        throw ValidationError("--k-anonymity needs --cell and --bin")
      }
    }
  }

  /// Checks a distance.
  static func check(_ option: String, _ value: DistanceArgument?) throws {
    guard let metres = value?.metres else { return }
    guard metres.isFinite, metres > 0 else { throw ValidationError("\(option) must be more than 0 metres") }
    guard metres <= 1e7 else { throw ValidationError("\(option) must be at most 10000000 metres") }
  }

  /// Checks a duration.
  static func check(_ option: String, _ value: DurationArgument?) throws {
    guard let span = value?.span else { return }
    guard span > .zero, span <= .days(366) else {
      throw ValidationError("\(option) must be more than 0s and at most 366d")
    }
  }
}

/// How uniqueness is measured before and after.
struct UniquenessOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The side of the squares of a sighting.", valueName: "metres"))
  var sightingCell = DistanceArgument(50)

  @Option(help: ArgumentHelp("The width of the bins of time of a sighting.", valueName: "duration"))
  var sightingBin = DurationArgument(.minutes(10))

  func validate() throws {
    try PseudonymiseOptions.check("--sighting-cell", sightingCell)
    try PseudonymiseOptions.check("--sighting-bin", sightingBin)
  }
}

/// The command `cordon trace pseudonymise`.
struct TracePseudonymiseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pseudonymise",
    abstract: "Replace names by pseudonyms, and make places and times coarser.",
    discussion: """
      Examples:

        cordon trace pseudonymise walk.gpx --near 8.541,47.377 --radius 300 \\
          -o out.gpx
        cordon trace pseudonymise day.csv --cell 50 --bin 10m --k-anonymity 5 \\
          -o out.csv

      Devices become device-1, device-2 and so on, in random order; elevations, way-points and names of tracks are removed. \
      The options apply in this order: --near, --cut-ends, --days-earlier, --time-shift, --jitter, --cell, --bin, \
      --k-anonymity.

      The result is not anonymous. A track still belongs to one person, and a few known sightings may identify it. The \
      command prints the uniqueness before and after: the share of devices that are the only one with 2 and with 4 random \
      sightings of their own. Remaining risks: k-anonymity holds for single cells, not for whole tracks; jitter averages out \
      where a device rests or returns; one known sighting undoes a time shift, and shifts end contacts; a cell whose devices \
      all belong to one group reveals that of each of them. Publish no more than is needed; see docs/explanation/privacy.md.
      """)

  @Argument(help: "The trace, or - for standard input.")
  var path: String

  @OptionGroup(title: "Input") var reading: TraceReading
  @OptionGroup(title: "Input") var venue: TraceVenue

  @OptionGroup(title: "Changes") var own: PseudonymiseOptions
  @OptionGroup(title: "Uniqueness") var sightings: UniquenessOptions
  @OptionGroup(title: "Output") var output: TraceOutput

  func run() throws {
    let destination = try output.destination(inputs: [path] + [venue.path].compactMap(\.self))
    let trace = try reading.read(path, floors: venue.floors())
    if let seed = own.seed {
      var random = RandomStream(seed: seed, stream: 0x7b)
      try run(trace, to: destination, using: &random)
    } else {
      var random = SystemRandomNumberGenerator()
      try run(trace, to: destination, using: &random)
    }
  }

  private func run(
    _ trace: Trace, to destination: TraceDestination, using random: inout some RandomNumberGenerator
  ) throws {
    let result: TracePseudonymisation.Result
    let before: [Double?]
    let after: [Double?]
    let uniqueness = TraceUniqueness(
      grid: SightingGrid(cell: sightings.sightingCell.metres, interval: sightings.sightingBin.span))
    do {
      result = try pseudonymisation.apply(to: trace, using: &random)
      before = try uniqueness.shares(of: trace, knowing: Self.known, using: &random)
      after = try uniqueness.shares(of: result.trace, knowing: Self.known, using: &random)
    } catch {
      throw CommandError(error.message, code: error.code.rawValue, file: path, place: error.line.map { "line \($0)" })
    }
    guard result.trace.pointCount > 0 else {
      throw CommandError("nothing is left of \(Counted.of(trace.pointCount, "point"))", code: "empty", file: path)
    }
    // Neither the file's name nor by how many days it was moved: both would take back what this command gives.
    try output.write(
      result.trace, to: destination, command: ["cordon", "trace", "pseudonymise"],
      schema: "cordon.trace-pseudonymise/1", more: members(result, before, after), lines: lines(result, before, after))
  }

  /// How many sightings somebody knows, for the figures of uniqueness.
  private static let known = [2, 4]

  private var pseudonymisation: TracePseudonymisation {
    var pseudonymisation = TracePseudonymisation()
    pseudonymisation.center = own.near?.coordinate
    pseudonymisation.radius = own.radius.metres
    pseudonymisation.cutEnds = own.cutEnds?.span
    pseudonymisation.daysEarlier = own.daysEarlier
    pseudonymisation.timeShift = own.timeShift?.span
    pseudonymisation.jitter = own.jitter?.metres
    pseudonymisation.cell = own.cell?.metres
    pseudonymisation.interval = own.bin?.span
    pseudonymisation.minimumDevices = own.kAnonymity
    return pseudonymisation
  }

  private func members(
    _ result: TracePseudonymisation.Result, _ before: [Double?], _ after: [Double?]
  ) -> [JSONValue.Member] {
    func shares(_ shares: [Double?]) -> JSONValue {
      .object(zip(Self.known, shares).map { .init("sightings_\($0)", JSONValue($1)) })
    }
    return [
      .init("devices", .count(Set(result.trace.tracks.map(\.device)).count)),
      .init(
        "removed",
        [
          "far": .count(result.far), "ends": .count(result.ends), "merged": .count(result.merged),
          "suppressed": .count(result.suppressed),
        ]),
      .init(
        "uniqueness",
        [
          "cell_m": .number(sightings.sightingCell.metres), "interval_s": .number(sightings.sightingBin.span.seconds),
          "before": shares(before), "after": shares(after),
        ]),
    ]
  }

  private func lines(_ result: TracePseudonymisation.Result, _ before: [Double?], _ after: [Double?]) -> [String] {
    let removed = [
      (result.far, "far from --near"), (result.ends, "at ends"), (result.merged, "repeated in a cell"),
      (result.suppressed, "in cells of fewer than \(own.kAnonymity ?? 0) devices"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    var lines = removed.isEmpty ? [] : ["removed: " + removed.joined(separator: ", ")]
    func percent(_ share: Double?) -> String { share.map { "\(($0 * 1_000).rounded() / 10) %" } ?? "none" }
    let cell = "\(sightings.sightingCell.defaultValueDescription) and \(sightings.sightingBin.span)"
    for (index, count) in Self.known.enumerated() {
      lines.append(
        "unique by \(count) sightings of \(cell): \(percent(before[index])) of devices before, \(percent(after[index])) after"
      )
    }
    return lines
  }
}
