import CordonContacts
import CordonCore
import CordonExchange

/// The measurements, by name. Each gives the best of several runs, since other work on the machine can only slow a
/// run.
///
/// The timed part begins with points in memory, in the order of the file, and ends with the result: it includes
/// joining points to segments, slabs, solving and summing. It excludes reading files, except for the row about
/// reading.
enum Bench {
  static func run(_ name: String, _ options: BenchOptions) throws -> [BenchResult] {
    switch name {
    case "threads": return try ["w1", "w2"].map { try threads($0, options) }
    case "sight": return try ["w1", "w2"].map { try sight($0, options) }
    case "probable": return [try probable(options)]
    case "stream": return [try stream(options)]
    case "csv": return [try csv(options)]
    default: return try exact(Workload.named(name), options)
    }
  }

  /// Returns the processor and wall time of the fastest of several runs.
  static func quickest(_ runs: Int, _ body: () -> Void) -> (cpu: Double, wall: Double) {
    var best = (cpu: Double.infinity, wall: Double.infinity)
    for _ in 0..<runs {
      let (cpu, wall) = (Usage.cpu, Usage.wall)
      body()
      best = (min(best.cpu, Usage.cpu - cpu), min(best.wall, Usage.wall - wall))
    }
    return best
  }

  /// The same for two measurements in turns, so that both suffer the same load of the machine.
  static func quickest(
    _ runs: Int, _ one: () -> Void, and two: () -> Void
  ) -> ((cpu: Double, wall: Double), (cpu: Double, wall: Double)) {
    var best = ((cpu: Double.infinity, wall: Double.infinity), (cpu: Double.infinity, wall: Double.infinity))
    for _ in 0..<runs {
      let (first, second) = (quickest(1, one), quickest(1, two))
      best.0 = (min(best.0.cpu, first.cpu), min(best.0.wall, first.wall))
      best.1 = (min(best.1.cpu, second.cpu), min(best.1.wall, second.wall))
    }
    return best
  }

  static func points(_ workload: Workload, _ options: BenchOptions) throws -> [TrackPoint] {
    try WorkloadFile.read(path: "\(options.data)/\(workload.name).bin")
  }

  static func summary(_ points: [TrackPoint], _ workload: Workload, threads: Int = 1) -> ContactSummary {
    let tracks = ObservedTracks(points, maximumGap: .milliseconds(workload.gap), threads: threads)
    var summary = ContactSummary()
    ContactFinder(distance: 2, threads: threads).contacts(in: tracks, into: &summary)
    _ = summary.pairs
    return summary
  }

  /// Contacts of points in memory, sorted by device and time, and the peers on the same file.
  private static func exact(_ workload: Workload, _ options: BenchOptions) throws -> [BenchResult] {
    let points = try points(workload, options)
    var found = ContactSummary()
    let best = quickest(workload.contacts > 10_000_000 ? 1 : options.runs) { found = summary(points, workload) }
    let rate = Double(points.count) / best.cpu
    var result = BenchResult(
      name: workload.name, isRight: workload.isRight(found),
      figures: [
        ("points", Double(points.count)), ("pairs", Double(found.pairs)), ("contacts", Double(found.contacts)),
        ("overlap_s", found.overlapSeconds), ("pairs_15min", Double(found.pairsOf15Minutes)), ("cpu_s", best.cpu),
        ("points_per_cpu_s", rate), ("contacts_per_cpu_s", Double(found.contacts) / best.cpu),
        ("peak_mib", Usage.peakMebibytes),
      ], goals: [.init(figure: "points_per_cpu_s", bound: workload.goal, isLeast: true)])
    if workload.memory > 0 {
      result.goals.append(.init(figure: "peak_mib", bound: workload.memory, isLeast: false))
    }
    let peers = try Peers.run(workload, options)
    for (peer, theirs) in peers { result.figures.append(("times_\(peer)", rate / theirs.rate)) }
    return [result] + peers.map(\.1.result)
  }

  /// Probable contacts compared with exact ones, with accuracies of 1 to 5 m.
  private static func probable(_ options: BenchOptions) throws -> BenchResult {
    let workload = try Workload.named("w2")
    let points = try points(workload, options)
    var random = RandomStream(seed: 1, stream: 1)
    let accuracies = points.map { _ in Float(random.nextUniform(in: 1...5)) }
    let tracks = ObservedTracks(points, accuracies: accuracies, maximumGap: .milliseconds(workload.gap))
    let finder = ContactFinder(distance: 2)
    var (plain, sink) = (ContactSummary(), AssessingSink(ContactAssessor(tracks, distance: 2)))
    let (exact, assessed) = quickest(options.runs) {
      plain = ContactSummary()
      finder.contacts(in: tracks, into: &plain)
    } and: {
      sink = AssessingSink(ContactAssessor(tracks, distance: 2))
      finder.contacts(in: tracks, into: &sink)
    }
    return BenchResult(
      name: "probable w2",
      isRight: workload.isRight(plain) && workload.isRight(sink.summary) && sink.expected > 0
        && sink.expected < plain.overlapSeconds,
      figures: [
        ("exact_cpu_s", exact.cpu), ("probable_cpu_s", assessed.cpu), ("times_exact", assessed.cpu / exact.cpu),
        ("expected_contact_s", sink.expected), ("assertable", Double(sink.assertable)),
        ("peak_mib", Usage.peakMebibytes),
      ], goals: [.init(figure: "times_exact", bound: 3, isLeast: false)], note: "joining points to segments apart")
  }

  /// Reading CSV, from the file to points in memory.
  private static func csv(_ options: BenchOptions) throws -> BenchResult {
    let path = "\(options.data)/w1.csv"
    let file = try WorkloadFile.read(path: "\(options.data)/w1.bin")
    guard let bytes = try? FileSize.of(path) else { throw BenchError(message: "\(path) is missing") }
    var table: PointTable?
    var failure: (any Error)?
    let best = quickest(options.runs) {
      do { table = try PointCSV.read(path: path) } catch { failure = error }
    }
    if let failure { throw failure }
    let read = table?.groups.first?.points ?? []
    let isRight =
      read.count == file.count
      && zip(read, file).allSatisfy { $0.device == $1.device && $0.time == $1.time && $0.floor == $1.floor }
    return BenchResult(
      name: "csv w1", isRight: isRight,
      figures: [
        ("bytes", bytes), ("points", Double(read.count)), ("cpu_s", best.cpu), ("mb_per_cpu_s", bytes / best.cpu / 1e6),
        ("peak_mib", Usage.peakMebibytes),
      ], goals: [.init(figure: "mb_per_cpu_s", bound: 150, isLeast: true)])
  }
}

/// Assesses contacts and sums them.
struct AssessingSink: ContactSink {
  var assessor: ContactAssessor
  var summary = ContactSummary()
  var expected = 0.0
  var assertable = 0
  var needsOrder: Bool { false }

  init(_ assessor: ContactAssessor) { self.assessor = assessor }

  mutating func receive(_ contacts: [Contact]) {
    summary.receive(contacts)
    for contact in contacts {
      let assessed = assessor.assess(contact)
      expected += assessed.expectedSeconds ?? 0
      assertable += assessed.isAssertable ? 1 : 0
    }
  }
}
