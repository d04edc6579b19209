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
    #expect(air.count == 8 && air[0]["space"] == "Room" && air[0]["bin_start"]?.hasPrefix("2026-01-05T09:00:00") == true)
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

  @Test func faultsNameTheFileAndTheLine() throws {
    let scratch = try TemporaryFolder()
    let bad = try scratch.write(
      "person,space,start,end\nann,Attic,2026-01-05T09:00:00Z,2026-01-05T10:00:00Z\n", to: "bad.csv")
    let result = try CordonProcess.run(["air", bad, "--spaces", try scratch.write(spaces, to: "spaces.csv")])
    #expect(result.status == 2)
    #expect(result.errors.contains("bad.csv: 'Attic' is not in the table of spaces (line 2)"), "\(result.errors)")
    let range = try CordonProcess.run(["air", bad, "--spaces", scratch.path("spaces.csv"), "--mask-exhaled", "2"])
    #expect(range.status == 2 && range.errors.contains("--mask-exhaled must be 0.0 to 1.0"), "\(range.errors)")
  }
}
