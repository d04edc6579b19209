import CordonTestSupport
import Foundation
import Testing

/// Compares a run with head counts of real rooms, which lie beside the checkout.
@Suite("Runs against measured days")
struct MeasuredDayTests {
  private static let counts = Places.realData.appendingPathComponent("sdu-room-occupancy/occ_data_room_1.csv").path

  /// People counted by minute of the day, over some days of the table.
  private func counted(days: Set<Int>) throws -> [Int: [Double]] {
    var counted: [Int: [Double]] = [:]
    let lines = try String(contentsOfFile: Self.counts, encoding: .utf8).split(whereSeparator: \.isNewline)
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",")
      let clock = cells[1].split(separator: ":").compactMap { Int($0) }
      guard let day = Int(cells[0]), days.contains(day), let people = Double(cells[4]) else { continue }
      counted[clock[0] * 60 + clock[1], default: []].append(people)
    }
    return counted
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: MeasuredDayTests.counts),
      "the head counts of two rooms are not beside the checkout"))
  func aRunIsComparedWithRealHeadCounts() throws {
    let scratch = try TemporaryFolder()
    let scenario = """
      venue: {generate: {kind: office, floors: 1, area: 600, seed: 2}}
      time: {start: 2026-01-05T09:00, duration: 2h, zone: Europe/Copenhagen}
      populations: [{name: class, arrival: {batches: [{at: 09:15, size: 20, spread: 5m}]}, visit: 60m}]
      movement: {model: meso}
      """
    let run = scratch.path("run")
    let file = try scratch.write(scenario, to: "class.yaml")
    #expect(try CordonProcess.run(["simulate", file, "--device-share", "0", "--quiet", "-o", run]).status == 0)
    // The working days among the fifteen.
    let days = [1, 2, 3, 4, 5, 6, 8, 9, 11, 13, 14]
    let arguments = [
      "compare", run, "--measured", Self.counts, "--days", days.map(String.init).joined(separator: ","), "--time-zone",
      "Europe/Copenhagen", "--json", "-o", scratch.path("page.html"),
    ]
    let result = try CordonProcess.run(arguments)
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    #expect(json["measured_days"] as? Int == days.count)
    let times = try #require(json["times"] as? [[String: Double]])
    #expect(times.map { $0["minute_of_day"] } == stride(from: 540.0, to: 660, by: 5).map { $0 })
    let real = try counted(days: Set(days))
    var (differences, inside) = ([Double](), 0)
    for time in times {
      let minute = Int(try #require(time["minute_of_day"]))
      let people = (minute..<minute + 5).flatMap { real[$0] ?? [] }
      let mean = people.reduce(0, +) / Double(people.count)
      let mine = try #require(time["run"])
      #expect(abs(try #require(time["measured"]) - mean) < 1e-9, "\(minute)")
      #expect(time["measured_least"] == people.min() && time["measured_most"] == people.max(), "\(minute)")
      differences.append(mine - mean)
      if try #require(people.min()) <= mine, mine <= (try #require(people.max())) { inside += 1 }
    }
    let count = Double(times.count)
    func near(_ key: String, _ value: Double) throws {
      #expect(abs(try #require(json[key] as? Double) - value) < 1e-9, "\(key)")
    }
    try near("bias_people", differences.reduce(0, +) / count)
    try near("mean_absolute_error_people", differences.reduce(0) { $0 + abs($1) } / count)
    try near("root_mean_square_error_people", (differences.reduce(0) { $0 + $1 * $1 } / count).squareRoot())
    try near("share_in_range", Double(inside) / count)
    // The class is there, and the real room is not empty at that time.
    #expect(times.contains { ($0["run"] ?? 0) > 15 } && times.contains { ($0["measured"] ?? 0) > 1 })
    #expect(try String(contentsOfFile: scratch.path("page.html"), encoding: .utf8).contains("<polygon"))
  }
}
