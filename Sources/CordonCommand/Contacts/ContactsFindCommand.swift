import ArgumentParser
import CordonCommandLine
import CordonContacts
import CordonCore
import CordonExchange
import Foundation

/// What makes a contact.
enum FindRule: String, ExpressibleByArgument, CaseIterable {
  case exact, sampled, probable
  case publishedMinutes = "published-minutes"
}

/// `cordon contacts find`
struct ContactsFindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Find who was within a distance of whom, from when to when.",
    discussion: """
      Examples:

        cordon contacts find points.csv --distance 2 --max-gap 30s -o contacts.csv
        cordon contacts find out/monday --line-of-sight -o contacts.jsonl
        cordon contacts find points.csv --rule probable --reach 6 --json
        cordon contacts find monday.csv tuesday.csv --time-zone Europe/Berlin
        zcat points.csv.gz | cordon contacts find - --column device=badge \\
          --column time=when

      A contact is a maximal time in which two devices are at most --distance apart on one floor. Fixes of a device are \
      joined to straight ways when no more than --max-gap lies between them; no contact is found in longer gaps, and \
      their share is said.

      Rules: exact (positions are joined to straight ways, and the moments of coming and going are solved for), probable \
      (the same, and what the accuracies of the fixes allow to say), sampled (fixes of the same tick are compared), \
      published-minutes (the first fix of each minute, and a distance below both accuracies and 5 m: for \
      comparison). A probable contact is assertable when the mean probability that the two were truly so near reaches \
      --confidence; two fixes of 5 m never prove 2 m.
      """)

  @OptionGroup var input: ContactInput
  @OptionGroup var options: FinderOptions

  @Option(help: "What makes a contact: exact, probable, sampled, published-minutes.")
  var rule: FindRule = .exact

  @Option(
    help: ArgumentHelp(
      "For sampled: the length of a tick; the usual time between two fixes by default.", valueName: "duration"))
  var tick: DurationArgument?

  @Option(help: ArgumentHelp("For probable: find contacts up to this; --distance by default.", valueName: "metres"))
  var reach: DistanceArgument?

  @Option(help: "For probable: the mean probability, above 0.5, from which on a contact is assertable.")
  var confidence = 0.8

  @Option(help: "For probable: the seed of the plays that give p_15min.")
  var seed: UInt64 = 1

  @Flag(help: "Say for what share of each contact a wall was between the two. Needs a run or --venue.")
  var lineOfSight = false

  @OptionGroup var output: OutputOptions<RowFormat>

  func validate() throws {
    if let reach, !reach.metres.isFinite { throw ValidationError("--reach must be a number of metres") }
    guard confidence > 0.5, confidence <= 1 else {
      throw ValidationError("--confidence must be above 0.5 and at most 1: what is not likely is not proven")
    }
    if let tick, tick.span.milliseconds < 1 { throw ValidationError("--tick must be at least 1ms") }
    if rule == .sampled || rule == .publishedMinutes {
      // No line is looked along, and no slab is searched.
      if lineOfSight { throw ValidationError("--line-of-sight is for the rules exact and probable") }
      if options.slab != nil { throw ValidationError("--slab is for the rules exact and probable") }
    }
  }

  func run() throws {
    let destination = try output.destination(inputs: input.files)
    let file = try destination.map { try RowFile($0.file, as: $0.format, columns: ContactRows.columns) }
    let result = try find(file)
    try file?.finish()
    try output.report(result.json, result.text)
  }

  private func find(_ file: RowFile?) throws -> FindResult {
    var clock = CPUClock()
    let tracks = try input.open(readingInPlace: rule == .exact)
    if tracks.isTruth, rule == .probable {
      throw CommandError("the truth has no accuracies; --rule probable is for observed points", code: "usage")
    }
    if tracks.isTruth, rule != .exact {
      throw CommandError("the truth has no ticks; sampled rules are for observed points", code: "usage")
    }
    var finder = options.finder(for: tracks)
    if rule == .probable, let reach = reach?.metres {
      guard reach >= finder.distance else {
        throw CommandError("--reach must not be less than the contact distance, \(finder.distance) m", code: "usage")
      }
      finder.distance = reach
    }
    if lineOfSight {
      guard let map = tracks.map else {
        throw CommandError("--line-of-sight needs the walls of a run or of --venue", code: "usage")
      }
      finder.walls = map.walls
    }
    var result = FindResult(rule: rule, distance: options.distance(in: tracks), maximumGap: tracks.maximumGap)
    // One for all venues: a pair that meets in two is one pair.
    var summary = ContactSummary()
    let sampled = try sampledFinder(of: tracks)
    result.tick = sampled?.bucket
    result.inputCPU = clock.lap()
    for venue in tracks.venues.indices {
      var rows = ContactRows(file: file, tracks: tracks, venue: tracks.venues[venue])
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
    let keeping: () -> DeviceTimes? = { rule == .probable ? session.openStarts : nil }
    try tracks.forEach(
      of: venue, lengths, keeping: keeping, whenRead: { result.inputCPU += clock.lap() }
    ) { stretch in
      if rule == .probable, case .observed(let window) = stretch.feed {
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
    assessor.confidence = confidence
    assessor.seed = seed
    rows.assessor = assessor
  }

  /// How ticks are compared; `nil` for the rules that compare ways.
  private func sampledFinder(of tracks: ContactTracks) throws -> SampledFinder? {
    var finder: SampledFinder
    switch rule {
    case .exact, .probable: return nil
    case .publishedMinutes: finder = .publishedMinutes
    case .sampled:
      finder = SampledFinder(
        bucket: try tick?.span ?? tracks.typicalInterval(), rule: .within(metres: options.distance(in: tracks)))
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
