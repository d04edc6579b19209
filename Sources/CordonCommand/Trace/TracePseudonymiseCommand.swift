import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonExchange
import CordonSupport

/// `cordon trace pseudonymise`
struct TracePseudonymiseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pseudonymise",
    abstract: "Replace names by pseudonyms, and make places and times coarser.",
    discussion: """
      Examples:

        cordon trace pseudonymise walk.gpx --near 8.541,47.377 --radius 300 \\
          -o out.gpx
        cordon trace pseudonymise day.csv --cell 50 --interval 10m --k-anonymity 5 \\
          -o out.csv

      Devices become device-1, device-2 and so on, at random; heights, way-points and the names of tracks go. The options \
      apply in this order: --near, --cut-ends, --days-earlier, --time-shift, --jitter, --cell, --interval, --k-anonymity.

      The result is not anonymous. A track is still one person's, one place after the other, and who knows where \
      somebody was at a few times may find the track. The uniqueness that is printed, before and after, is the share of \
      devices that are the only one with 2 and with 4 random sightings of their own, as they are written. What remains: k-anonymity holds for \
      single cells, not for whole tracks; jitter averages out where a device rests or comes again; a shift of times is \
      undone by one known sighting, and ends contacts; a cell whose devices are all of one group says so of each of \
      them. Publish no more than is needed, and see docs/explanation/privacy.md.
      """)

  @Argument(help: "The recorded file, or - for standard input.")
  var path: String

  @OptionGroup var reading: TraceReading
  @OptionGroup var venue: TraceVenue

  @Option(help: ArgumentHelp("Keep only what lies near this place.", valueName: "lon,lat"))
  var near: CoordinateArgument?

  @Option(help: ArgumentHelp("The distance from that place.", valueName: "metres"))
  var radius = DistanceArgument(500)

  @Option(help: ArgumentHelp("Cut so much off both ends of every track.", valueName: "duration"))
  var cutEnds: DurationArgument?

  @Option(help: "Move all times back by whole days.")
  var daysEarlier: Int?

  @Option(
    help: ArgumentHelp(
      "Move the times of each device by a random span of its own, up to this far, either way.", valueName: "duration"))
  var timeShift: DurationArgument?

  @Option(
    help: ArgumentHelp("Displace points at random, 68 % of them by less than this.", valueName: "metres"))
  var jitter: DistanceArgument?

  @Option(help: ArgumentHelp("Move places to the middle of squares with this side.", valueName: "metres"))
  var cell: DistanceArgument?

  @Option(
    help: ArgumentHelp("Move times to the beginning of intervals of this length.", valueName: "duration"))
  var interval: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Remove points whose cell and interval fewer than k devices share; needs --cell and --interval.",
      valueName: "k"))
  var kAnonymity: Int?

  @Option(help: ArgumentHelp("The side of squares by which uniqueness is measured.", valueName: "metres"))
  var sightingCell = DistanceArgument(50)

  @Option(help: ArgumentHelp("The interval by which uniqueness is measured.", valueName: "duration"))
  var sightingInterval = DurationArgument(.minutes(10))

  @Option(
    help: """
      Decides everything random, so that tests can be repeated. Anybody who guesses it can undo names, shifts and jitter: leave \
      it out for what you publish (default: the system's random numbers).
      """)
  var seed: UInt64?

  @OptionGroup var output: TraceOutput

  func validate() throws {
    for (option, value) in [
      ("--radius", radius), ("--sighting-cell", sightingCell), ("--jitter", jitter), ("--cell", cell),
    ] {
      guard let metres = value?.metres else { continue }
      guard metres.isFinite, metres > 0 else { throw ValidationError("\(option) must be more than 0 metres") }
      guard metres <= 1e7 else { throw ValidationError("\(option) must be at most 10000000 metres") }
    }
    for (option, value) in [
      ("--cut-ends", cutEnds), ("--time-shift", timeShift), ("--interval", interval),
      ("--sighting-interval", sightingInterval),
    ] {
      guard let span = value?.span else { continue }
      guard span > .zero, span <= .days(366) else {
        throw ValidationError("\(option) must be more than 0s and at most 366d")
      }
    }
    if let daysEarlier, !(0...100_000).contains(daysEarlier) {
      throw ValidationError("--days-earlier must be 0 to 100000")
    }
    if let kAnonymity {
      guard kAnonymity >= 2 else { throw ValidationError("--k-anonymity must be 2 or more") }
      guard cell != nil, interval != nil else {
        throw ValidationError("--k-anonymity needs --cell and --interval: what it counts is what is written")
      }
    }
  }

  func run() throws {
    let destination = try output.destination(inputs: [path] + [venue.path].compactMap(\.self))
    let trace = try reading.read(path, floors: venue.floors())
    if let seed {
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
    let uniqueness = TraceUniqueness(grid: SightingGrid(cell: sightingCell.metres, interval: sightingInterval.span))
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
    pseudonymisation.center = near?.coordinate
    pseudonymisation.radius = radius.metres
    pseudonymisation.cutEnds = cutEnds?.span
    pseudonymisation.daysEarlier = daysEarlier
    pseudonymisation.timeShift = timeShift?.span
    pseudonymisation.jitter = jitter?.metres
    pseudonymisation.cell = cell?.metres
    pseudonymisation.interval = interval?.span
    pseudonymisation.minimumDevices = kAnonymity
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
          "cell_m": .number(sightingCell.metres), "interval_s": .number(sightingInterval.span.seconds),
          "before": shares(before), "after": shares(after),
        ]),
    ]
  }

  private func lines(_ result: TracePseudonymisation.Result, _ before: [Double?], _ after: [Double?]) -> [String] {
    let removed = [
      (result.far, "far from --near"), (result.ends, "at ends"), (result.merged, "repeated in a cell"),
      (result.suppressed, "in cells of fewer than \(kAnonymity ?? 0) devices"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    var lines = removed.isEmpty ? [] : ["removed: " + removed.joined(separator: ", ")]
    func percent(_ share: Double?) -> String { share.map { "\(($0 * 1_000).rounded() / 10) %" } ?? "none" }
    let cell = "\(sightingCell.defaultValueDescription) and \(sightingInterval.span)"
    for (index, count) in Self.known.enumerated() {
      lines.append(
        "unique by \(count) sightings of \(cell): \(percent(before[index])) of devices before, \(percent(after[index])) after"
      )
    }
    return lines
  }
}
