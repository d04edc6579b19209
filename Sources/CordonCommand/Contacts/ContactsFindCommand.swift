import ArgumentParser
import CordonCommandLine
import CordonContacts
import CordonCore
import CordonExchange
import CordonSupport
import Foundation

/// The definitions of a contact.
enum FindRule: String, ExpressibleByArgument, CaseIterable {
  case exact, sampled, probable
  case publishedMinutes = "published-minutes"
}

/// The rule of `cordon contacts find`.
struct FindOptions: ParsableArguments {
  @Option(help: "The definition of a contact.")
  var rule: FindRule = .exact

  @Option(
    help: ArgumentHelp("Rule sampled: the length of a tick. (default: the typical interval)", valueName: "duration"))
  var tick: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Rule probable: the distance up to which contacts are found. (default: --distance)", valueName: "metres"))
  var reach: DistanceArgument?

  @Option(
    help: ArgumentHelp("Rule probable: the mean probability, above 0.5, of an assertable contact.", valueName: "share"))
  var confidence = 0.8

  @Option(help: "Rule probable: the seed of the simulations of p_15min.")
  var seed: UInt64 = 1

  @Flag(help: "Report the share of each contact with a wall between the two. Needs a run or --venue.")
  var lineOfSight = false

  @Option(help: ArgumentHelp("Only contacts that start at this time or later.", valueName: "time"))
  var startingFrom: InstantArgument?

  @Option(help: ArgumentHelp("Only contacts that start before this time.", valueName: "time"))
  var startingBefore: InstantArgument?

  /// The starts of the contacts that are reported, microseconds.
  var starts: Range<Int64> {
    // Years have four digits.
    let from = startingFrom.map { $0.instant.milliseconds * 1_000 } ?? .min
    return from..<max(startingBefore.map { $0.instant.milliseconds * 1_000 } ?? .max, from)
  }

  func validate() throws {
    if let reach, !reach.metres.isFinite { throw ValidationError("--reach must be a number of metres") }
    guard confidence > 0.5, confidence <= 1 else {
      throw ValidationError("--confidence must be above 0.5 and at most 1")
    }
    if let tick, tick.span.milliseconds < 1 { throw ValidationError("--tick must be at least 1ms") }
  }
}

/// The command `cordon contacts find`.
struct ContactsFindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Find pairs of devices within a distance, with start and end.",
    discussion: """
      Examples:

        cordon contacts find points.csv --distance 2 --maximum-gap 30s \\
          -o contacts.csv
        cordon contacts find out/monday --line-of-sight -o contacts.jsonl
        cordon contacts find points.csv --rule probable --reach 6 --json
        cordon contacts find monday.csv tuesday.csv --time-zone Europe/Berlin
        zcat points.csv.gz | cordon contacts find - --column device=badge \\
          --column time=when

      A contact is a maximal interval in which two devices are within --distance on one floor. Consecutive fixes of a device \
      are joined by straight segments when at most --maximum-gap lies between them. No contact is found in longer gaps, and \
      the summary reports their share.

      Rules: exact joins fixes and solves for the times of entry and exit. probable does the same and assesses what the \
      accuracies of the fixes allow. sampled compares the fixes of the same tick. published-minutes takes the first fix of \
      each minute and a distance below both accuracies and 5 m, for comparison. A probable contact is assertable when its \
      mean probability reaches --confidence; two fixes of 5 m never prove 2 m.
      """)

  @OptionGroup(title: "Input") var input: ContactInput
  @OptionGroup(title: "Contacts") var options: FinderOptions

  @OptionGroup(title: "Rule") var own: FindOptions
  @OptionGroup(title: "Output") var output: OutputOptions<RowFormat>

  func validate() throws {
    if own.rule == .sampled || own.rule == .publishedMinutes {
      // These rules neither look along lines nor search slabs.
      if own.lineOfSight { throw ValidationError("--line-of-sight needs the rule exact or probable") }
      if options.slab != nil { throw ValidationError("--slab needs the rule exact or probable") }
    }
  }

  func run() throws {
    let destination = try output.destination(inputs: input.files)
    let file = try destination.map {
      try RowFile($0.file, as: $0.format, name: "contacts", columns: ContactRows.columns)
    }
    let result = try find(file)
    try file?.finish()
    try output.report(result.json, result.text)
  }

  private func find(_ file: RowFile?) throws -> FindResult {
    var clock = CPUClock()
    let tracks = try input.open(readingInPlace: own.rule == .exact)
    if tracks.isTruth, own.rule == .probable {
      throw CommandError(
        "--rule probable needs accuracies, and the truth has none; use --source observed", code: "usage")
    }
    if tracks.isTruth, own.rule != .exact {
      throw CommandError("sampled rules need fixes, and the truth has none; use --source observed", code: "usage")
    }
    var finder = options.finder(for: tracks)
    if own.rule == .probable, let reach = own.reach?.metres {
      guard reach >= finder.distance else {
        throw CommandError("--reach must be at least the contact distance, \(finder.distance) m", code: "usage")
      }
      finder.distance = reach
    }
    if own.lineOfSight {
      guard let map = tracks.map else {
        throw CommandError("--line-of-sight needs the walls of a run or of --venue", code: "usage")
      }
      finder.walls = map.walls
    }
    var result = FindResult(rule: own.rule, distance: options.distance(in: tracks), maximumGap: tracks.maximumGap)
    // One for all venues: a pair that meets in two is one pair.
    var summary = ContactSummary()
    let sampled = try sampledFinder(of: tracks)
    result.tick = sampled?.bucket
    result.inputCPU = clock.lap()
    for venue in tracks.venues.indices {
      var rows = ContactRows(file: file, tracks: tracks, venue: tracks.venues[venue], starts: own.starts)
      // Moved, not copied.
      swap(&rows.summary, &summary)
      if let sampled {
        try findSampled(in: tracks, venue, sampled, &rows, &result, &clock)
      } else {
        try findExact(in: tracks, venue, finder, &rows, &result, &clock)
      }
      swap(&rows.summary, &summary)
      result.add(rows)
    }
    result.add(summary)
    result.engineCPU += clock.lap()
    result.add(tracks)
    result.engineCPU = max(result.engineCPU - result.outputCPU, 0)
    tracks.warn()
    try tracks.checkThatPointsAreUsable()
    return result
  }

  /// Half a million points at a time, more for several threads; at least one slab.
  private var lengths: ContactTracks.Lengths {
    ContactTracks.Lengths(
      least: options.slab?.span.milliseconds ?? 0, points: 500_000 * max(min(options.threads, 64), 1),
      threads: options.threads)
  }

  private func findExact(
    in tracks: ContactTracks, _ venue: Int, _ finder: ContactFinder, _ rows: inout ContactRows,
    _ result: inout FindResult, _ clock: inout CPUClock
  ) throws {
    let session = ContactSession(finder: finder)
    // A contact is assessed from its first point on.
    let keeping: () -> DeviceTimes? = { own.rule == .probable ? session.openStarts : nil }
    try tracks.forEach(
      of: venue, lengths, keeping: keeping, whenRead: { result.inputCPU += clock.lap() }
    ) { stretch in
      if own.rule == .probable, case .observed(let window) = stretch.feed {
        assess(window, result.distance, &rows)
      }
      try session.run(stretch, into: &rows)
      result.engineCPU += clock.lap()
    }
    try session.finish(into: &rows)
  }

  private func assess(_ window: ObservedTracks, _ distance: Double, _ rows: inout ContactRows) {
    guard rows.assessor == nil else {
      rows.assessor?.move(to: window)
      return
    }
    var assessor = ContactAssessor(window, distance: distance)
    assessor.confidence = own.confidence
    assessor.seed = own.seed
    rows.assessor = assessor
  }

  /// How ticks are compared; `nil` for the rules that compare ways.
  private func sampledFinder(of tracks: ContactTracks) throws -> SampledFinder? {
    var finder: SampledFinder
    switch own.rule {
    case .exact, .probable: return nil
    case .publishedMinutes: finder = .publishedMinutes
    case .sampled:
      finder = SampledFinder(
        bucket: try own.tick?.span ?? tracks.typicalInterval(), rule: .within(metres: options.distance(in: tracks)))
    }
    finder.unknownFloors = options.unknownFloors.value
    return finder
  }

  private func findSampled(
    in tracks: ContactTracks, _ venue: Int, _ finder: SampledFinder, _ rows: inout ContactRows,
    _ result: inout FindResult, _ clock: inout CPUClock
  ) throws {
    var session = SampledSession(finder)
    let lengths = ContactTracks.Lengths(multiple: session.finder.bucket.milliseconds)
    try tracks.forEach(of: venue, lengths, whenRead: { result.inputCPU += clock.lap() }) { stretch in
      guard case .observed(let window) = stretch.feed else { return }
      try rows.receive(session.contacts(in: window, from: stretch.start, to: stretch.end))
      result.engineCPU += clock.lap()
    }
    try rows.receive(session.finish())
    result.pairTicks = (result.pairTicks ?? 0) + session.pairTicks
  }
}

/// Processor time between two looks.
struct CPUClock {
  private var last = ProcessResources.cpuSeconds

  mutating func lap() -> Double {
    let now = ProcessResources.cpuSeconds
    defer { last = now }
    return now - last
  }
}
