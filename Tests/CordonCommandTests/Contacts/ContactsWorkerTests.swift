import CordonContacts
import CordonCore
import CordonTestSupport
import Foundation
import Testing

/// Requests that one process answers.
@Suite("cordon contacts worker")
struct ContactsWorkerTests {
  private let sample = TrackSample()
  /// The columns of a table of contacts as columns of points.
  private let columns = ["device=device_a", "time=start", "x=x_m", "y=y_m"].flatMap { ["--column", $0] }

  /// Contacts as points, in the form of streams.
  private func stream(_ scratch: TemporaryFolder) throws -> Data {
    let csv = try scratch.write(sample.csv, to: "points.csv")
    let path = scratch.path("points.arrows")
    let made = try CordonProcess.run(["contacts", "find", csv, "--maximum-gap", "6s", "-o", path])
    #expect(made.status == 0, "\(made.errors)")
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func request(_ words: [String], _ input: Data = Data()) throws -> Data {
    try JSONSerialization.data(withJSONObject: words) + Data("\n".utf8) + input
  }

  private func answers(_ input: Data, _ scratch: TemporaryFolder) throws -> TestProcess.Result {
    let path = scratch.path("requests")
    try input.write(to: URL(fileURLWithPath: path))
    return try CordonProcess.run(["contacts", "worker", "--json"], input: path)
  }

  /// A summary without what the time of day and the machine decide.
  private func stable(_ line: some StringProtocol) throws -> [String: Any] {
    let summary = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    return summary.filter { !$0.key.hasSuffix("cpu_s") && $0.key != "peak_mib" }
  }

  @Test func answersAreThoseOfSeparateProcesses() throws {
    let scratch = try TemporaryFolder()
    let points = try stream(scratch)
    let shared = ["-", "--input-format", "arrow", "--metres", "--json"] + columns
    let requests = [
      ["find"] + shared, ["occupancy"] + shared + ["-o", scratch.path("bins.csv")],
      ["find"] + shared + ["--distance", "5", "--maximum-gap", "1m", "-o", scratch.path("rows.csv")],
      ["find", scratch.path("points.csv"), "--json"], ["find"] + shared,
    ]
    let input = try requests.map { try request($0, $0[1] == "-" ? points : Data()) }.reduce(Data(), +)
    let result = try answers(input, scratch)
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == requests.count)
    let files = try ["bins.csv", "rows.csv"].map { try String(contentsOfFile: scratch.path($0), encoding: .utf8) }
    for (words, line) in zip(requests, lines) {
      let alone = try CordonProcess.run(["contacts"] + words + ["--force"], input: scratch.path("points.arrows"))
      #expect(alone.status == 0, "\(alone.errors)")
      #expect(try stable(line) as NSDictionary == stable(alone.output) as NSDictionary, "\(words)")
    }
    #expect(
      try files == ["bins.csv", "rows.csv"].map { try String(contentsOfFile: scratch.path($0), encoding: .utf8) })
    #expect(try stable(lines[0])["contacts"] as? Int != stable(lines[2])["contacts"] as? Int)
  }

  @Test func theFirstErrorEndsTheProcess() throws {
    let scratch = try TemporaryFolder()
    let points = try stream(scratch)
    let good = try request(["find", "-", "--input-format", "arrow", "--metres", "--json"] + columns, points)
    for (bad, status, code) in [
      (Data("find\n".utf8), 2, "usage"), (Data(#"["find"]"#.utf8), 2, "usage"),
      (Data(count: 1 << 21), 2, "usage"), (try request(["worker"]), 2, "usage"),
      (try request(["find", "-", "--distance", "-1"]), 2, "usage"), (try request(["seek", "-"]), 2, "usage"),
      (try request(["find", scratch.path("missing.csv")]), 2, "unreadable"),
      (try request(["find", "-", "--input-format", "arrow"], points.prefix(points.count / 2)), 2, "missing-column"),
    ] as [(Data, Int32, String)] {
      let result = try answers(good + bad + good, scratch)
      #expect(result.status == status, "\(result.errors)")
      // The answer before it is there; nothing is answered after it.
      #expect(result.output.split(separator: "\n").count == 1)
      let error = try stable(result.errors.split(separator: "\n").last { $0.hasPrefix("{") } ?? "")
      #expect(error["schema"] as? String == "cordon.error/1" && error["code"] as? String == code, "\(error)")
    }
  }

  /// Without requests it ends by itself: a pipe that stays open has neither bytes nor an end.
  @Test func idleProcessesEnd() throws {
    let process = Process()
    process.executableURL = CordonProcess.executable
    process.arguments = ["contacts", "worker", "--idle", "50ms"]
    let pipe = Pipe()
    process.standardInput = pipe
    try process.start()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    try pipe.fileHandleForWriting.close()
    let refused = try CordonProcess.run(["contacts", "worker", "--idle", "0"])
    #expect(refused.status == 2 && refused.errors.contains("--idle must be"), "\(refused.errors)")
  }

  @Test func contactsAreThoseThatStartInASpan() throws {
    let scratch = try TemporaryFolder()
    let csv = try scratch.write(sample.csv, to: "points.csv")
    let starts = sample.contacts.map(\.start)
    // Whole milliseconds, and both sides of a start.
    let start = try #require(starts.sorted().dropFirst(starts.count / 3).first { $0 % 1_000 == 0 })
    let (from, before) = (start / 1_000, start / 1_000 + 90_000)
    func count(_ options: [String]) throws -> Int {
      let result = try CordonProcess.run(
        ["contacts", "find", csv, "--maximum-gap", "6s", "--json", "-o", scratch.path("rows.csv"), "-f"] + options)
      let rows = try String(contentsOfFile: scratch.path("rows.csv"), encoding: .utf8).split(separator: "\n").count - 1
      #expect(try result.json()["contacts"] as? Int == rows, "\(result.errors)")
      return rows
    }
    let times = [from, before].map { Instant(milliseconds: $0).rfc3339 }
    let (early, inside, late) = try (
      count(["--starting-before", times[0]]), count(["--starting-from", times[0], "--starting-before", times[1]]),
      count(["--starting-from", times[1]])
    )
    #expect(early == starts.count { $0 < start } && late == starts.count { $0 >= before * 1_000 })
    #expect(early + inside + late == starts.count && min(early, inside, late) > 0)
    #expect(try count(["--starting-from", times[1], "--starting-before", times[0]]) == 0)
  }
}
