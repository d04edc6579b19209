import CordonTestSupport
import Foundation
import Testing

@Suite("cordon air")
struct AirCommandTests {
  private let spaces = "space,volume,air_changes\nRoom,50,3\nHall,400,1\n"
  private let stays = """
    person,space,start,end,infectious
    ann,Room,2026-01-05T09:00:00Z,2026-01-05T11:00:00Z,1
    bob,Room,2026-01-05T09:30:00Z,2026-01-05T10:00:00Z,0
    bob,Hall,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z,0

    """

  private func rows(_ path: String) throws -> [[String: String]] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  @Test func aTableOfStaysGivesTheClosedForms() throws {
    let scratch = try TemporaryFolder()
    let arguments = [
      "air", try scratch.write(stays, to: "stays.csv"), "--spaces", try scratch.write(spaces, to: "spaces.csv"),
      "--bin",
      "30m", "--outdoor-co2", "400", "--quiet", "-o", scratch.path("air.csv"), "--people", scratch.path("people.csv"),
    ]
    let result = try CordonProcess.run(arguments)
    #expect(result.status == 0, "\(result.errors)")
    let air = try rows(scratch.path("air.csv"))
    #expect(air.count == 8 && air[0]["space"] == "Room")
    #expect(air[0]["bin_start"]?.hasPrefix("2026-01-05T09:00:00") == true)
    // Half an hour of one person: 0.018 m³/h into 50 m³.
    let level = 400 + 0.018 / 50 * 1e6 / 3 * (1 - exp(-1.5))
    #expect(abs((Double(air[0]["co2_at_end_ppm"] ?? "") ?? 0) - level) < 0.01)
    let people = try rows(scratch.path("people.csv"))
    #expect(people.map { $0["person"] } == ["ann", "bob"] && people[0]["risk"] == "0")
    // The quanta that bob inhales in the room: the integral from 0.5 h to 1 h; the hall has none.
    let k = 3.92
    let dose = 25 / 50 / k * (0.5 - (exp(-k / 2) - exp(-k)) / k) * 0.52
    #expect(abs((Double(people[1]["quanta"] ?? "") ?? 0) - dose) < 1e-8)
    #expect(abs((Double(people[1]["risk"] ?? "") ?? 0) - (1 - exp(-dose))) < 1e-8)
    // The other rule, and the mean of what was emitted.
    let other = try CordonProcess.run(arguments.dropLast(4) + ["--update", "interval-mean", "--json"])
    #expect(try other.json()["update"] as? String == "interval-mean")
    let exact = try CordonProcess.run(arguments.dropLast(4) + ["--json"])
    func peak(_ result: CordonProcess.Result) throws -> Double {
      try #require(try result.json()["peak_co2_ppm"] as? Double)
    }
    #expect(try peak(other) < peak(exact) && peak(other) > 400 + (peak(exact) - 400) / 2)
  }

  @Test func linksLetTheAirOfTheRoomIntoTheHall() throws {
    let scratch = try TemporaryFolder()
    let arguments = [
      "air", try scratch.write(stays, to: "stays.csv"), "--spaces", try scratch.write(spaces, to: "spaces.csv"),
      "--json",
    ]
    let alone = try CordonProcess.run(arguments).json()
    let links = ["--links", try scratch.write("first,second,flow\nRoom,Hall,200\n", to: "links.csv")]
    let joined = try CordonProcess.run(arguments + links).json()
    func peak(_ json: [String: Any], _ index: Int) throws -> Double {
      let spaces = try #require(json["spaces"] as? [[String: Any]])
      return try #require(spaces[index]["peak_quanta_per_m3"] as? Double)
    }
    #expect(try peak(alone, 1) == 0 && peak(joined, 1) > 0 && peak(joined, 0) < peak(alone, 0))
    let refused = try CordonProcess.run(arguments + links + ["--update", "interval-mean"])
    #expect(refused.status == 2)
  }

  @Test func aRunIsComparedWithMeasuredCarbonDioxide() throws {
    let scratch = try TemporaryFolder()
    let scenario = """
      venue: {generate: {kind: office, floors: 1, area: 600, seed: 2}}
      time: {start: 2026-01-05T09:00, duration: 1h, zone: Europe/Berlin}
      populations: [{name: all, size: 15, arrival: {window: [09:00, 09:10]}, visit: 50m, devices: 0}]
      movement: {model: meso}
      """
    let run = scratch.path("run")
    let file = try scratch.write(scenario, to: "day.yaml")
    let simulated = try CordonProcess.run(["simulate", file, "--set", "air.air_changes=2", "--quiet", "-o", run])
    #expect(simulated.status == 0, "\(simulated.errors)")
    let rows = try rows(run + "/air.csv")
    let fullest = try #require(rows.max { Double($0["co2_ppm"] ?? "") ?? 0 < Double($1["co2_ppm"] ?? "") ?? 0 })
    let space = try #require(fullest["space"])
    // Another day, at the same times, 50 ppm higher.
    var measured = "time,co2,space\n"
    for row in rows where row["space"] == space {
      let time = try #require(row["bin_start"]).replacingOccurrences(of: "2026-01-05", with: "2026-02-10")
      measured += "\(time),\((Double(row["co2_ppm"] ?? "") ?? 0) + 50),\(space)\n"
    }
    measured += "2026-02-10T08:30:00Z,500,Attic\n"
    let table = try scratch.write(measured, to: "co2.csv")
    let result = try CordonProcess.run(["compare", run, "--measured", table, "--json", "-o", scratch.path("page.html")])
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    let spaces = try #require(json["spaces"] as? [[String: Any]])
    #expect(spaces.count == 1 && spaces[0]["space"] as? String == space && json["unmatched"] as? [String] == ["Attic"])
    #expect(abs((spaces[0]["bias_ppm"] as? Double ?? 0) + 50) < 1e-6)
    #expect(abs((spaces[0]["mean_absolute_error_ppm"] as? Double ?? 0) - 50) < 1e-6)
    #expect(abs((spaces[0]["correlation"] as? Double ?? 0) - 1) < 1e-9)
    let page = try String(contentsOfFile: scratch.path("page.html"), encoding: .utf8)
    #expect(page.contains("root mean square, ppm") && page.contains("by time of day"))
    // Two runs are compared by the figures of their air, those of spaces included.
    let fresh = scratch.path("fresh")
    #expect(try CordonProcess.run(["simulate", file, "--set", "air.air_changes=6", "-q", "-o", fresh]).status == 0)
    let both = try CordonProcess.run(["compare", run, fresh, "--json"]).json()
    let differences = try #require(both["differences"] as? [[String: Any]])
    for name in ["air_mean_co2_ppm", "air_expected_infections", "air_peak_co2_ppm[\(space)]"] {
      let row = try #require(differences.first { $0["name"] as? String == name }, "\(name)")
      let (first, second) = (row["first"] as? Double ?? 0, row["second"] as? Double ?? 0)
      #expect(second < first && (name.hasSuffix("infections") || second > 420), "\(name): \(first), \(second)")
    }
    // A run without air, and a table with a fault.
    let plain = scratch.path("plain")
    #expect(try CordonProcess.run(["simulate", file, "--quiet", "-o", plain]).status == 0)
    let without = try CordonProcess.run(["compare", plain, "--measured", table])
    #expect(without.status == 2 && without.errors.contains("needs the key 'air'"), "\(without.errors)")
    let bad = try scratch.write("space,time,co2\n\(space),9 o'clock,500\n", to: "bad.csv")
    let fault = try CordonProcess.run(["compare", run, "--measured", bad])
    #expect(fault.status == 2 && fault.errors.contains("line 2"), "\(fault.errors)")
  }

  @Test func faultsNameTheFileAndTheLine() throws {
    let scratch = try TemporaryFolder()
    let bad = try scratch.write(
      "person,space,start,end\nann,Attic,2026-01-05T09:00:00Z,2026-01-05T10:00:00Z\n", to: "bad.csv")
    let result = try CordonProcess.run(["air", bad, "--spaces", try scratch.write(spaces, to: "spaces.csv")])
    #expect(result.status == 2)
    #expect(
      result.errors.contains("bad.csv: 'Attic' is not in the table of spaces (line 2, column 2 (space))"),
      "\(result.errors)")
    let range = try CordonProcess.run(["air", bad, "--spaces", scratch.path("spaces.csv"), "--mask-exhaled", "2"])
    #expect(range.status == 2 && range.errors.contains("--mask-exhaled must be 0.0 to 1.0"), "\(range.errors)")
  }
}
