import Foundation
import Testing

@Suite("Rules and options of cordon contacts")
struct ContactsRulesTests {
  private func json(_ arguments: [String], status: Int32 = 0) throws -> [String: Any] {
    let result = try CordonProcess.run(["contacts"] + arguments + ["--json"])
    #expect(result.status == status, "\(arguments): \(result.errors)")
    return try result.json()
  }

  /// Two a metre apart for two minutes, fixes every five seconds; no column for floors.
  private func floorless(_ scratch: ScratchFolder) throws -> String {
    var text = "device,t_ms,x,y,accuracy\n"
    for k in 0..<24 { text += "a,\(k * 5_000),0,0,0.5\nb,\(k * 5_000),1,0,0.5\n" }
    return try scratch.write(text, to: "floorless.csv")
  }

  /// Without floors all rules find the two; and none does when such contacts are not wanted.
  @Test(arguments: ["exact", "probable", "sampled", "published-minutes"])
  func unknownFloorsAreTheSameForAllRules(rule: String) throws {
    let scratch = try ScratchFolder()
    let path = try floorless(scratch)
    let flagged = try json(["find", path, "--rule", rule, "-o", scratch.path("rows.jsonl")])
    #expect(flagged["pairs"] as? Int == 1 && flagged["contacts"] as? Int == 1)
    let row = try #require(try scratch.rows("rows.jsonl").first)
    #expect(row["floor"] is NSNull)
    // Nobody can say that they were on one floor.
    if rule == "probable" { #expect(row["assertable"] as? Bool == false) }
    #expect(try json(["find", path, "--rule", rule, "--unknown-floors", "never"])["contacts"] as? Int == 0)
  }

  @Test(arguments: [
    ["--rule", "sampled", "--line-of-sight"], ["--rule", "published-minutes", "--slab", "5s"],
    ["--rule", "sampled", "--tick", "0s"], ["--rule", "probable", "--confidence", "0.5"],
    ["--rule", "probable", "--reach", "1"], ["--origin", "8,89.95"],
  ])
  func optionsThatMeanNothingAreRefused(options: [String]) throws {
    let scratch = try ScratchFolder()
    let path = try floorless(scratch)
    let result = try CordonProcess.run(["contacts", "find", path] + options)
    #expect(result.status == 2 && result.output.isEmpty, "\(options)")
    #expect(result.errors.contains(try #require(options.last { $0.hasPrefix("--") })), "\(result.errors)")
  }

  /// The keys that only some rules and options have, and the tick that was chosen.
  @Test func theTickIsSaid() throws {
    let scratch = try ScratchFolder()
    let path = try floorless(scratch)
    #expect(try json(["find", path, "--rule", "sampled"])["tick_s"] as? Double == 5)
    #expect(try json(["find", path, "--rule", "sampled", "--tick", "2s"])["tick_s"] as? Double == 2)
    #expect(try json(["find", path, "--rule", "published-minutes"])["tick_s"] as? Double == 60)
    #expect(try json(["find", path])["tick_s"] == nil)
    let text = try CordonProcess.run(["contacts", "find", path, "--rule", "sampled"]).output
    #expect(text.contains("in ticks of 5"), "\(text)")
    let documented = try String(
      contentsOf: Places.package.appendingPathComponent("docs/reference/json.md"), encoding: .utf8)
    for (command, extra) in [
      (["find", path, "--rule", "sampled"], ["tick_s", "pair_ticks"]),
      (["find", path, "--rule", "probable"], ["expected_contact_s", "assertable"]),
      (["network", path, "--from", "a"], ["reachable"]),
    ] {
      let keys = try json(command).keys
      for key in extra { #expect(keys.contains(key) && documented.contains("`\(key)`"), "\(key)") }
    }
  }

  /// Fixes every five seconds: fifteen seconds join what a gap of ten leaves apart.
  @Test(arguments: ["csv", "bin"])
  func theGapMayBeChosenByTheInput(format: String) throws {
    let scratch = try ScratchFolder()
    let sample = TrackSample()
    let path = scratch.path("points.\(format)")
    try (format == "bin" ? sample.workload : Data(sample.csv.utf8)).write(to: URL(fileURLWithPath: path))
    let result = try CordonProcess.run(["contacts", "find", path, "--max-gap", "auto", "--json"])
    // The sample's fixes are two seconds apart.
    #expect(result.errors.contains("--max-gap auto: 6s"), "\(result.errors)")
    #expect(try result.json()["max_gap_s"] as? Double == 6)
    #expect(try result.json()["contacts"] as? Int == sample.contacts.count)
    for command in ["exposures", "network", "occupancy"] {
      #expect(try json([command, path, "--max-gap", "auto"])["max_gap_s"] as? Double == 6, "\(command)")
    }
    let trace = try json(["backtrace", path, "--index", format == "bin" ? "1" : "d01", "--onset", "2026-01-05"])
    #expect(trace["max_gap_s"] as? Double == 30 && trace["distance_m"] as? Double == 2)
  }

  /// A run says itself how far and over which gap its contacts are.
  @Test func aRunBringsItsGapAndDistance() throws {
    let scratch = try ScratchFolder()
    let run = scratch.path("run")
    let made = try CordonProcess.run([
      "simulate", Places.office, "--people", "30", "--duration", "20m", "--distance", "3", "--max-gap", "70s", "-o",
      run,
      "--quiet", "--json",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let simulated = try made.json()
    for (flags, key) in [(["--truth"], "true_contacts"), ([], "observed_contacts")] {
      let found = try json(["find", run] + flags)
      #expect(found["contacts"] as? Int == simulated[key] as? Int, "\(key)")
      #expect(found["distance_m"] as? Double == 3 && found["max_gap_s"] as? Double == 70)
    }
    let network = try json(["network", run])
    #expect(network["contacts"] as? Int == simulated["observed_contacts"] as? Int)
    #expect(network["distance_m"] as? Double == 3)
    #expect(try json(["find", run, "--distance", "2", "--max-gap", "30s"])["distance_m"] as? Double == 2)
    let auto = try CordonProcess.run(["contacts", "find", run, "--truth", "--max-gap", "auto"])
    #expect(auto.status == 2 && auto.errors.contains("--max-gap auto"))
  }
}

extension ScratchFolder {
  /// The objects of a file of JSON Lines.
  func rows(_ name: String) throws -> [[String: Any]] {
    try String(contentsOfFile: path(name), encoding: .utf8).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }
}
