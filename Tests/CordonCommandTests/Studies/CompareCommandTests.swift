import CordonTestSupport
import Foundation
import Testing

@Suite("cordon compare")
struct CompareCommandTests {
  private let scenario = """
    venue: {generate: {kind: office, floors: 1, area: 600, seed: 2}}
    time: {start: 2026-01-05T09:00, duration: 30m}
    populations: [{name: all, size: 15, arrival: {window: [09:00, 09:10]}, visit: 15m}]
    movement: {model: meso}
    """

  @Test func oneSideIsChangedWithoutACopy() throws {
    let scratch = try TemporaryFolder()
    let base = try scratch.write(scenario, to: "base.yaml")
    let few = try scratch.write(scenario.replacingOccurrences(of: "size: 15", with: "size: 5"), to: "few.yaml")
    func differences(_ arguments: [String]) throws -> [[String: Any]] {
      let result = try CordonProcess.run(["compare"] + arguments + ["--replicas", "2", "--quiet", "--json"])
      #expect(result.status == 0, "\(result.errors)")
      return try #require(try result.json()["differences"] as? [[String: Any]])
    }
    func numbers(_ rows: [[String: Any]]) -> [[Double]] {
      rows.map { [$0["first"], $0["second"], $0["low"], $0["high"]].map { $0 as? Double ?? .nan } }
    }
    let copied = try differences([base, few])
    let changed = try differences([base, "--set", "B:populations[all].size=5"])
    #expect(numbers(copied).description == numbers(changed).description && !copied.isEmpty)
    // A value for all sides changes both.
    let all = try differences([base, "--set", "populations[all].size=5", "--set", "B:populations[all].size=6"])
    let people = try #require(all.first { $0["name"] as? String == "people" })
    #expect(people["first"] as? Double == 5 && people["second"] as? Double == 6)
    #expect(people["side"] as? String == "B" && people["part"] as? String == "building")
    let three = try differences([base, few, "--set", "C:populations[all].size=9", "--per", "building"])
    #expect(Set(three.compactMap { $0["side"] as? String }) == ["B", "C"])
    #expect(Set(three.compactMap { $0["part"] as? String }) == ["building"])
    #expect(
      three.first { $0["name"] as? String == "people" && $0["side"] as? String == "C" }?["second"] as? Double == 9)
  }

  @Test func thePageHasATableOfEachPart() throws {
    let scratch = try TemporaryFolder()
    let base = try scratch.write(scenario + "\ngroups: {Offices: [office]}", to: "base.yaml")
    let page = scratch.path("page.html")
    let result = try CordonProcess.run(
      ["compare", base, "--set", "B:policies.stagger=10m", "--set", "C:seed=7", "--replicas", "2", "-q", "-o", page])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("B is base.yaml with policies.stagger=10m, C is base.yaml with seed=7"))
    #expect(result.output.contains("hold together with 95 % confidence"))
    let html = try String(contentsOfFile: page, encoding: .utf8)
    for heading in ["Building", "Groups", "Spaces"] { #expect(html.contains("<h2 class=\"sub\">\(heading)</h2>")) }
    #expect(html.contains("C - A"))
    // Spaces without a clear difference are in a part of the page that can be opened.
    #expect(html.contains("figures show no clear difference</summary>"))
  }

  @Test func finishedRunsAreComparedByTheirFigures() throws {
    let scratch = try TemporaryFolder()
    let base = try scratch.write(scenario + "\nreplicas: 3", to: "base.yaml")
    for (name, size) in [("many", "15"), ("few", "6")] {
      let result = try CordonProcess.run(
        [
          "simulate", base, "--set", "populations[all].size=\(size)", "--device-share", "0", "-q", "-o",
          scratch.path(name),
        ])
      #expect(result.status == 0, "\(result.errors)")
    }
    let result = try CordonProcess.run(["compare", scratch.path("many"), scratch.path("few"), "--json"])
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    #expect(json["paired"] as? Bool == false && json["replicas"] as? Int == 3)
    let rows = try #require(json["differences"] as? [[String: Any]])
    let people = try #require(rows.first { $0["name"] as? String == "people" })
    #expect(people["first"] as? Double == 15 && people["second"] as? Double == 6 && people["low"] is NSNull)
    #expect(rows.contains { $0["part"] as? String == "space" && $0["low"] is Double }, "spaces have intervals")
    // The same scenario as a comparison has the same means.
    let lines = try CordonProcess.run(["compare", scratch.path("many"), scratch.path("many")])
    #expect(lines.output.contains("people who arrived: 15 in A, 15 in B"), "\(lines.output)")
  }

  @Test(arguments: [
    (["--set", "D:seed=2"], "side B has neither a file nor a value of its own"),
    (["--set", "B:seed"], "is not KEY=VALUE or SIDE:KEY=VALUE"),
    (["--set", "B:policies.stager=1m"], "did you mean 'stagger'"),
    (["--set", "seed=2"], "give another scenario to compare it with"),
    (["--set", "B:seed=2", "--per", "room"], "'room' is not one of building, group, space, desk, queue"),
  ])
  func impossibleSidesAreReported(options: [String], says: String) throws {
    let scratch = try TemporaryFolder()
    let base = try scratch.write(scenario, to: "base.yaml")
    let result = try CordonProcess.run(["compare", base, "--replicas", "2", "-q"] + options)
    #expect(result.status == 2 && result.errors.contains(says), "\(result.errors)")
  }
}
