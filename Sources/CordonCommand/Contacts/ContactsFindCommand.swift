import ArgumentParser
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
        zcat points.csv.gz | cordon contacts find - --column device=badge --column time=when

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

  @Option(help: "For sampled: the length of a tick; the usual time between two fixes by default.")
  var tick: DurationArgument?

  @Option(help: "For probable: find contacts up to so many metres; --distance by default.")
  var reach: Double?

  @Option(help: "For probable: the mean probability from which on a contact is assertable.")
  var confidence = 0.8

  @Option(help: "For probable: the seed of the plays that give p_15min.")
  var seed: UInt64 = 1

  @Flag(help: "Say for what share of each contact a wall was between the two. Needs a run or --venue.")
  var lineOfSight = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write the contacts; JSON Lines when it ends in .jsonl, else CSV.", valueName: "file"))
  var output: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if let reach, !(reach.isFinite && reach >= options.distance) {
      throw ValidationError("--reach must be a number of metres, not less than --distance")
    }
    guard confidence > 0, confidence <= 1 else { throw ValidationError("--confidence must be above 0 and at most 1") }
    if output == "-", json { throw ValidationError("--json and -o - both want standard output") }
  }

  func run() throws {
    let file = try output.map { try RowFile(path: $0) }
    let isJSONLines = output.map { $0.hasSuffix(".jsonl") || $0.hasSuffix(".ndjson") } ?? false
    if !isJSONLines { try file?.write(ContactRows.header) }
    let result = try find(file, isJSONLines)
    try file?.finish()
    if json { Output.print(result.json) } else if output != "-" { Output.print(result.text) }
  }

  private func find(_ file: RowFile?, _ isJSONLines: Bool) throws -> FindResult {
    if rule == .exact, input.format == .workload, !lineOfSight, input.venuePath == nil,
      let streamed = try findInWindows(file, isJSONLines)
    {
      return streamed
    }
    var clock = CPUClock()
    let dataset = try input.load()
    dataset.warn(maximumGap: input.maxGap.span)
    var result = FindResult(rule: rule, distance: options.distance, maximumGap: input.maxGap.span)
    result.inputCPU = clock.lap()
    result.points = dataset.pointCount
    result.devices = dataset.deviceCount
    result.badRows = dataset.badRowCount
    var finder = options.finder
    if rule == .probable, let reach { finder.distance = reach }
    if lineOfSight {
      guard let map = dataset.map else {
        throw Failure("--line-of-sight needs the walls of a run or of --venue", code: "usage")
      }
      finder.walls = map.walls
    }
    for group in dataset.groups { try find(in: group, of: dataset, finder, file, isJSONLines, &result) }
    result.engineCPU = max(clock.lap() - result.outputCPU, 0)
    return result
  }

  private func find(
    in group: ContactDataset.Group, of dataset: ContactDataset, _ finder: ContactFinder, _ file: RowFile?,
    _ isJSONLines: Bool, _ result: inout FindResult
  ) throws {
    var assessor: ContactAssessor?
    if rule == .probable {
      guard case .observed(let tracks) = group.source else {
        throw Failure("the truth has no accuracies; --rule probable is for observed points", code: "usage")
      }
      assessor = ContactAssessor(tracks, distance: options.distance)
      assessor?.confidence = confidence
      assessor?.seed = seed
    }
    var rows = ContactRows(file: file, isJSON: isJSONLines, dataset: dataset, group: group, assessor: assessor)
    switch (rule, group.source) {
    case (.exact, .observed(let tracks)), (.probable, .observed(let tracks)):
      try finder.contacts(in: tracks, into: &rows)
      result.add(tracks.report)
    case (.exact, .known(let segments)):
      let rejected = try finder.contacts(in: segments, into: &rows)
      result.unusable += rejected.unusable + rejected.overlapping
    case (_, .observed(let tracks)):
      let sampled = sampler(tracks).contacts(in: tracks)
      try rows.receive(sampled.contacts)
      result.add(tracks.report)
      result.pairTicks = (result.pairTicks ?? 0) + sampled.pairTicks
    case (_, .known):
      throw Failure("the truth has no ticks; sampled rules are for observed points", code: "usage")
    }
    result.add(rows)
  }

  private func sampler(_ tracks: ObservedTracks) -> SampledFinder {
    if rule == .publishedMinutes { return .publishedMinutes }
    return SampledFinder(
      bucket: tick?.span ?? tracks.typicalInterval, rule: .within(metres: options.distance))
  }

  /// Workload files that are sorted are read window by window; `nil` when the file is not, or is small.
  private func findInWindows(_ file: RowFile?, _ isJSONLines: Bool) throws -> FindResult? {
    let size = ((try? FileManager.default.attributesOfItem(atPath: input.path))?[.size] as? NSNumber)?.intValue ?? 0
    guard size > 1 << 26 else { return nil }
    var clock = CPUClock()
    guard let windows = try WorkloadWindows(path: input.path, gap: input.maxGap.span.milliseconds) else { return nil }
    var result = FindResult(rule: rule, distance: options.distance, maximumGap: input.maxGap.span)
    result.points = windows.pointCount
    result.devices = windows.deviceCount
    result.intervals = windows.intervals
    result.intervalsBeyondGap = windows.intervalsBeyondGap
    ContactDataset.warn(beyondGap: windows.intervalsBeyondGap, of: windows.intervals, gap: input.maxGap.span)
    var rows = ContactRows(file: file, isJSON: isJSONLines, dataset: nil, group: nil, assessor: nil)
    let session = ContactSession(finder: options.finder)
    // Half a million points at a time, more for several threads; at least one slab.
    let perPoint = windows.typicalInterval / Int64(max(windows.deviceCount, 1)) + 1
    let wanted = Int64(500_000 * max(options.threads, 1)) * perPoint
    let length = max(wanted, options.slab?.span.milliseconds ?? 0, windows.typicalInterval * 4)
    result.inputCPU += clock.lap()
    try windows.forEach(length: length) { window in
      result.inputCPU += clock.lap()
      let tracks = ObservedTracks(window.points, maximumGap: input.maxGap.span)
      try session.run(
        tracks, from: Instant(milliseconds: window.start), to: Instant(milliseconds: window.end), into: &rows)
      result.engineCPU += clock.lap()
      return !Interruption.isRequested
    }
    try session.finish(into: &rows)
    result.add(rows)
    result.engineCPU = max(result.engineCPU + clock.lap() - result.outputCPU, 0)
    return result
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
