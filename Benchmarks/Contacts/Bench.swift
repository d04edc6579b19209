import CordonContacts
import CordonCore
import CordonExchange
import CordonGeometry
import Foundation

/// The measurements, by name. Each gives the best of several runs, since other work on the machine can only slow one down.
enum Bench {
  static func run(_ name: String, _ options: BenchOptions) throws -> [BenchResult] {
    if let workload = Workload.all.first(where: { $0.name == name }) { return try exact(workload, options) }
    switch name {
    case "probable": return [try probable(options)]
    case "walls": return [try walls(options)]
    case "stream": return [try stream(options)]
    case "csv": return [try csv(options)]
    default: throw BenchError(message: "no such workload")
    }
  }

  struct BenchError: Error {
    var message: String
  }

  /// Contacts of points in memory, sorted by device and time; joining them to segments is part of the time.
  private static func exact(_ workload: Workload, _ options: BenchOptions) throws -> [BenchResult] {
    let path = "\(options.data)/\(workload.name).bin"
    let points = try WorkloadFile.read(path: path)
    var best = Double.infinity
    var bestWall = Double.infinity
    var summary = ContactSummary()
    for _ in 0..<max(options.runs, 1) {
      let (cpu, wall) = (Usage.cpu, Usage.wall)
      let tracks = ObservedTracks(points, maximumGap: .milliseconds(workload.gap))
      summary = ContactSummary()
      ContactFinder(distance: 2, threads: options.threads).contacts(in: tracks, into: &summary)
      _ = summary.pairs
      best = min(best, Usage.cpu - cpu)
      bestWall = min(bestWall, Usage.wall - wall)
    }
    let isRight =
      summary.pairs == workload.pairs && summary.contacts == workload.contacts
      && abs(summary.overlapSeconds / workload.seconds - 1) < 1e-6
    let rate = Double(points.count) / best
    var figures: [(String, Double)] = [
      ("points", Double(points.count)), ("pairs", Double(summary.pairs)), ("contacts", Double(summary.contacts)),
      ("overlap_s", summary.overlapSeconds), ("cpu_s", best), ("wall_s", bestWall), ("points_per_cpu_s", rate),
      ("contacts_per_cpu_s", Double(summary.contacts) / best), ("goal_points_per_cpu_s", workload.goal),
      ("peak_mib", Usage.peakMebibytes),
    ]
    var results: [BenchResult] = []
    if !options.meos.isEmpty, workload.meosChunk > 0 {
      let peer = try meos(workload, path, options)
      figures.append(("ratio_to_meos", rate / peer.rate))
      results.append(peer.result)
    }
    return [BenchResult(name: workload.name, isRight: isRight, figures: figures)] + results
  }

  /// MEOS on the same file: reading apart, building its sequences included, the test of boxes given for nothing.
  private static func meos(
    _ workload: Workload, _ path: String, _ options: BenchOptions
  ) throws -> (rate: Double, result: BenchResult) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: options.meos)
    process.arguments = [path, "2", String(workload.gap), String(workload.meosChunk), "99999999999"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let rate = (object["pts_per_cpu_s"] as? NSNumber)?.doubleValue,
      let pairs = (object["pairs"] as? NSNumber)?.intValue,
      let seconds = (object["overlap_s"] as? NSNumber)?.doubleValue
    else { throw BenchError(message: "the answer of \(options.meos) cannot be read") }
    let result = BenchResult(
      name: "\(workload.name) MEOS", isRight: pairs == workload.pairs && abs(seconds / workload.seconds - 1) < 1e-6,
      figures: [("pairs", Double(pairs)), ("overlap_s", seconds), ("points_per_cpu_s", rate)],
      note: "tdwithin in chunks of \(workload.meosChunk / 1_000) s")
    return (rate, result)
  }

  /// Probable against exact contacts, on w2 with accuracies of 1 to 5 m.
  private static func probable(_ options: BenchOptions) throws -> BenchResult {
    let points = try WorkloadFile.read(path: "\(options.data)/w2.bin")
    var random = RandomStream(seed: 1, stream: 1)
    let accuracies = points.map { _ in Float(random.nextUniform(in: 1...5)) }
    let tracks = ObservedTracks(points, accuracies: accuracies, maximumGap: .milliseconds(15_000))
    let finder = ContactFinder(distance: 2)
    var (exact, assessed) = (Double.infinity, Double.infinity)
    var (summary, sink) = (ContactSummary(), AssessingSink(ContactAssessor(tracks, distance: 2)))
    for _ in 0..<max(options.runs, 1) {
      var start = Usage.cpu
      summary = ContactSummary()
      finder.contacts(in: tracks, into: &summary)
      exact = min(exact, Usage.cpu - start)
      start = Usage.cpu
      sink = AssessingSink(ContactAssessor(tracks, distance: 2))
      finder.contacts(in: tracks, into: &sink)
      assessed = min(assessed, Usage.cpu - start)
    }
    return BenchResult(
      name: "probable w2", isRight: sink.summary.contacts == summary.contacts,
      figures: [
        ("exact_cpu_s", exact), ("probable_cpu_s", assessed), ("times_exact", assessed / exact), ("goal_times", 3),
        ("expected_contact_s", sink.expected),
      ])
  }

  /// Line of sight on floors with 300 walls each, against contacts without.
  private static func walls(_ options: BenchOptions) throws -> BenchResult {
    let points = try WorkloadFile.read(path: "\(options.data)/w2.bin")
    let tracks = ObservedTracks(points, maximumGap: .milliseconds(15_000))
    var random = RandomStream(seed: 2, stream: 1)
    let (left, right) = (points.map(\.x).min() ?? 0, points.map(\.x).max() ?? 1)
    let (bottom, top) = (points.map(\.y).min() ?? 0, points.map(\.y).max() ?? 1)
    var walls: [Int32: WallIndex] = [:]
    for floor in Set(points.map(\.floor)).sorted() {
      walls[floor] = WallIndex(
        (0..<300).map { k in
          let start = PlanePoint(x: random.nextUniform(in: left...right), y: random.nextUniform(in: bottom...top))
          let length = random.nextUniform(in: 2...10)
          let end =
            k % 2 == 0 ? PlanePoint(x: start.x + length, y: start.y) : PlanePoint(x: start.x, y: start.y + length)
          return WallSegment(start, end)
        })
    }
    var (without, with) = (Double.infinity, Double.infinity)
    var (plain, sighted) = (ContactSummary(), ContactSummary())
    for _ in 0..<max(options.runs, 1) {
      var start = Usage.cpu
      plain = ContactSummary()
      ContactFinder(distance: 2).contacts(in: tracks, into: &plain)
      without = min(without, Usage.cpu - start)
      start = Usage.cpu
      sighted = ContactSummary()
      var finder = ContactFinder(distance: 2)
      finder.walls = walls
      finder.contacts(in: tracks, into: &sighted)
      with = min(with, Usage.cpu - start)
    }
    return BenchResult(
      name: "walls w2", isRight: plain.contacts == sighted.contacts,
      figures: [("cpu_s", without), ("sight_cpu_s", with), ("extra_share", with / without - 1), ("goal_share", 0.3)])
  }

  /// Reading CSV.
  private static func csv(_ options: BenchOptions) throws -> BenchResult {
    let path = "\(options.data)/w1.csv"
    let bytes = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.doubleValue ?? 0
    var best = Double.infinity
    var count = 0
    for _ in 0..<max(options.runs, 1) {
      let start = Usage.cpu
      count = try PointCSV.read(path: path).pointCount
      best = min(best, Usage.cpu - start)
    }
    return BenchResult(
      name: "csv w1", isRight: count == 1_526_628,
      figures: [("bytes", bytes), ("cpu_s", best), ("mb_per_cpu_s", bytes / best / 1e6), ("goal_mb_per_cpu_s", 150)])
  }
}

/// Assesses contacts and adds up.
struct AssessingSink: ContactSink {
  var assessor: ContactAssessor
  var summary = ContactSummary()
  var expected = 0.0
  var needsOrder: Bool { false }

  init(_ assessor: ContactAssessor) { self.assessor = assessor }

  mutating func receive(_ contacts: [Contact]) {
    summary.receive(contacts)
    for contact in contacts { expected += assessor.assess(contact).expectedSeconds ?? 0 }
  }
}
