import CordonTestSupport
import Foundation
import Testing

@Suite("Evacuations on the command line")
struct EvacuateTests {
  private let scenario = """
    name: drill
    venue: {generate: {kind: office, floors: 1, area: 600, seed: 2}}
    time: {start: 2026-01-05T09:00, duration: 30m, zone: Europe/Berlin}
    populations: [{name: all, size: 15, arrival: {window: [09:00, 09:05]}, leave: [09:28, 09:29]}]
    seed: 5
    evacuation: {at: 09:15, pre_movement: "uniform:5s,20s"}
    """

  private func rows(_ path: String) throws -> [[String]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func aScenarioGivesAFolderOfTables() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(scenario, to: "drill.yaml")
    let arguments = ["evacuate", file, "--replicas", "2", "--json", "-q"]
    let json = try CordonProcess.run(arguments + ["-o", scratch.path("one")]).json()
    let figures = try #require(json["figures"] as? [[String: Any]])
    func figure(_ name: String) -> [String: Any] { figures.first { $0["name"] as? String == name } ?? [:] }
    #expect(figure("people")["mean"] as? Double == 15)
    #expect(figure("people_out")["mean"] as? Double == 15)
    let last = try #require(figure("last_out_s")["mean"] as? Double)
    #expect(last > 5 && last < 300)
    #expect(figures.allSatisfy { $0["low"] as? Double ?? 0 >= 0 }, "no figure is negative")
    // The tables hold the same result.
    let people = try rows(scratch.path("one/people.csv"))
    #expect(people.count == 16 && people.dropFirst().allSatisfy { $0.last == "out" })
    let replicas = try rows(scratch.path("one/replicas.csv"))
    let lasts = try replicas.dropFirst().map { try #require(Double($0.last ?? "")) }
    #expect(lasts.count == 2 && abs(lasts.reduce(0, +) / 2 - last) < 0.06)
    let inside = try rows(scratch.path("one/inside.csv"))
    #expect(inside[1][1] == "15" && inside.last?[1] == "0")
    let page = try String(contentsOfFile: scratch.path("one/report.html"), encoding: .utf8)
    #expect(page.contains("must not be used for certification") && page.contains("class=\"player-data\""))
    #expect(page.contains("\"zone\":\"Europe/Berlin\""), "the clock is that of the scenario")
    #expect(page.contains("circle class=\"exit\"") && page.components(separatedBy: "class=\"linechart\"").count == 3)
    #expect(!page.contains("src=") && !page.contains("href="))
    let spaces = try #require(page.components(separatedBy: "<h2>Spaces</h2>").last)
    let names = spaces.components(separatedBy: "class=\"name\">").dropFirst().map { $0.prefix { $0 != "<" } }
    #expect(names.count > 3 && Set(names).count == names.count, "no two rows have the same name: \(names)")
    // The same command gives the same bytes with one thread.
    #expect(try CordonProcess.run(arguments + ["-o", scratch.path("two"), "--threads", "1"]).status == 0)
    for name in ["people.csv", "bottlenecks.csv", "density.csv", "evacuation.json", "trajectories.ctrj", "report.html"]
    {
      let files = try ["one", "two"].map { try Data(contentsOf: URL(fileURLWithPath: scratch.path("\($0)/\(name)"))) }
      #expect(files[0] == files[1] && !files[0].isEmpty, "\(name)")
    }
  }

  @Test func aFolderIsReplacedOnlyOnRequest() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(scenario, to: "drill.yaml")
    let arguments = ["evacuate", file, "-q", "-o", scratch.path("out")]
    #expect(try CordonProcess.run(arguments).status == 0)
    let again = try CordonProcess.run(arguments)
    #expect(again.status == 2 && again.errors.contains("exists already"))
    #expect(try CordonProcess.run(arguments + ["--force"]).status == 0)
  }

  @Test(arguments: [
    (["--at", "12:00"], ["12:00 is not within", "evacuation.at"]), (["--at", "noon"], ["a time of day"]),
    (["--at", "09:10", "--load", "5"], ["exclude each other"]), (["--load", "0"], ["occupant, a share"]),
    (["--pre-movement", "sometimes"], ["awake-familiar"]), (["--close-exit", "Nowhere"], ["no exit 'Nowhere'"]),
    (["--familiar", "2"], ["--familiar must be 0 to 1"]), (["--replicas", "0"], ["--replicas must be"]),
  ])
  func impossibleOptionsAreRefused(options: [String], words: [String]) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(scenario, to: "drill.yaml")
    let result = try CordonProcess.run(["evacuate", file, "-q", "-o", scratch.path("out")] + options)
    #expect(result.status == 2 && result.output.isEmpty)
    for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
    #expect(!FileManager.default.fileExists(atPath: scratch.path("out")))
  }

  @Test func aScenarioWithoutAnEvacuationNeedsATime() throws {
    let scratch = try TemporaryFolder()
    let text = scenario.split(separator: "\n").filter { !$0.hasPrefix("evacuation") }.joined(separator: "\n")
    let result = try CordonProcess.run(
      ["evacuate", try scratch.write(text, to: "day.yaml"), "-q", "-o", scratch.path("out")])
    #expect(result.status == 2 && result.errors.contains("give --at TIME or --load occupant"))
  }
}
