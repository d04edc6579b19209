import CordonCore
import CordonTestSupport
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
  private func floorless(_ scratch: TemporaryFolder) throws -> String {
    var text = "device,t_ms,x,y,accuracy\n"
    for k in 0..<24 { text += "a,\(k * 5_000),0,0,0.5\nb,\(k * 5_000),1,0,0.5\n" }
    return try scratch.write(text, to: "floorless.csv")
  }

  /// Without floors every rule finds the pair, and none does when such contacts are excluded.
  @Test(arguments: ["exact", "probable", "sampled", "published-minutes"])
  func allRulesTreatUnknownFloorsAlike(rule: String) throws {
    let scratch = try TemporaryFolder()
    let path = try floorless(scratch)
    let flagged = try json(["find", path, "--rule", rule, "-o", scratch.path("rows.jsonl")])
    #expect(flagged["pairs"] as? Int == 1 && flagged["contacts"] as? Int == 1)
    let row = try #require(try scratch.rows("rows.jsonl").first)
    #expect(row["floor"] is NSNull)
    // It is unknown whether they were on one floor.
    if rule == "probable" { #expect(row["assertable"] as? Bool == false) }
    #expect(try json(["find", path, "--rule", rule, "--unknown-floors", "never"])["contacts"] as? Int == 0)
  }

  /// One fix without an accuracy does not change the values of the rest, and unknown is not 0.
  @Test func theShareWithoutAnAccuracyIsReported() throws {
    let scratch = try TemporaryFolder()
    func probable(_ accuracy: (Int) -> String) throws -> (answer: [String: Any], row: [String: Any], text: String) {
      var text = "device,time_ms,x,y,floor,accuracy\n"
      for k in 0...1_800 {
        text += "a,\(Int(Instant.testStart.milliseconds) + k * 1_000),0,0,0,\(accuracy(k))\n"
        text += "b,\(Int(Instant.testStart.milliseconds) + k * 1_000),1,0,0,1\n"
      }
      let path = try scratch.write(text, to: "points.csv")
      let command = ["find", path, "--rule", "probable", "--distance", "2", "--force"]
      let answer = try json(command + ["-o", scratch.path("rows.jsonl")])
      let summary = try CordonProcess.run(["contacts"] + command).output
      return (answer, try #require(try scratch.rows("rows.jsonl").first), summary)
    }
    let whole = try probable { _ in "1" }
    let expected = try #require(whole.answer["expected_contact_s"] as? Double)
    #expect(expected > 1_300 && whole.answer["share_unknown"] as? Double == 0)
    #expect(!whole.text.contains("no known accuracy"))
    let holed = try probable { $0 == 900 ? "" : "1" }
    #expect(abs((holed.answer["expected_contact_s"] as? Double ?? 0) - expected * 1_798 / 1_800) < 0.01)
    #expect(abs((holed.row["share_unknown"] as? Double ?? 0) - 2.0 / 1_800) < 1e-4)
    #expect(abs((holed.answer["share_unknown"] as? Double ?? 0) - 2.0 / 1_800) < 1e-5)
    #expect(holed.text.contains("0.11 % of the contact time has no known accuracy"), "\(holed.text)")
    let none = try probable { _ in "" }
    #expect(none.answer["expected_contact_s"] is NSNull && none.row["expected_contact_s"] is NSNull)
    #expect(none.row["p_15min"] is NSNull && none.row["share_unknown"] as? Double == 1)
    #expect(none.answer["share_unknown"] as? Double == 1 && none.answer["assertable"] as? Int == 0)
  }

  /// Two tracks that share one instant meet, and so does a device with a single fix.
  @Test func aSharedInstantIsAContactOfZeroLength() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write(
      """
      device,time,x,y
      a,2026-01-01T08:00:00Z,0,0
      a,2026-01-01T08:00:01Z,1,0
      b,2026-01-01T08:00:01Z,1,1
      b,2026-01-01T08:00:02Z,2,1
      c,2026-01-01T08:00:00Z,0.5,0

      """, to: "touch.csv")
    let answer = try json(["find", path, "-o", scratch.path("rows.jsonl")])
    #expect(answer["pairs"] as? Int == 2 && answer["contacts"] as? Int == 2 && answer["overlap_s"] as? Double == 0)
    let rows = try scratch.rows("rows.jsonl")
    #expect(rows.map { $0["device_b"] as? String } == ["c", "b"])
    #expect(rows.allSatisfy { $0["start"] as? String == $0["end"] as? String && $0["duration_s"] as? Double == 0 })
  }

  /// The same fix is kept in any order of rows, and the message names the criterion.
  @Test func conflictingFixesAreResolvedInAnyOrder() throws {
    let scratch = try TemporaryFolder()
    let others = (0...10).flatMap { k in
      ["b,\(Int(Instant.testStart.milliseconds) + k * 1_000),0,0,0,1"]
        + (k == 5 ? [] : ["a,\(Int(Instant.testStart.milliseconds) + k * 1_000),1,0,0,1"])
    }
    let time = 1_767_254_405_000
    for (first, second, says) in [
      ("a,\(time),9,0,0,4", "a,\(time),1,0,0,2", "the more accurate fix was kept"),
      ("a,\(time),9,0,0,", "a,\(time),1,0,0,", "nothing says which is right, so the fix on the lowest known floor"),
    ] {
      var answers: Set<Double> = []
      for rows in [[first, second], [second, first]] {
        let path = try scratch.write(
          (["device,time_ms,x,y,floor,accuracy"] + rows + others).joined(separator: "\n") + "\n", to: "rows.csv")
        let result = try CordonProcess.run(["contacts", "find", path, "--json"])
        #expect(result.errors.contains("1 time a device was in two places at once; \(says)"), "\(result.errors)")
        answers.insert(try #require(try result.json()["overlap_s"] as? Double))
      }
      #expect(answers == [10])
    }
  }

  @Test func aNetworkCountsDevicesWithoutContacts() throws {
    let scratch = try TemporaryFolder()
    var text = "device,time_ms,x,y\n"
    for (device, x) in [("a", 0), ("b", 1), ("c", 500)] {
      for k in 0...1 { text += "\(device),\(Int(Instant.testStart.milliseconds) + k * 10_000),\(x),0\n" }
    }
    let path = try scratch.write(text, to: "three.csv")
    let network = try json(["network", path])
    #expect(network["devices"] as? Int == 3 && network["degree_counts"] as? [Int] == [1, 2])
    #expect(abs((network["density"] as? Double ?? 0) - 1.0 / 3) < 1e-9 && network["communities"] as? Int == 1)
    #expect((network["nodes"] as? [[String: Any]])?.map { $0["degree"] as? Int } == [1, 1, 0])
    let output = try CordonProcess.run(["contacts", "network", path]).output
    #expect(output.contains("2 devices met in 1 pair, 1 contact; 1 device without contacts"), "\(output)")
  }

  /// A record with a wrong year gives the same result as one without it.
  @Test(arguments: ["find", "exposures", "network", "occupancy"])
  func aRowWithAWrongYearDoesNotChangeContacts(command: String) throws {
    let scratch = try TemporaryFolder()
    var text = "device,time,x,y\n"
    for (device, x) in [("a", 0), ("b", 1)] {
      for k in 0...1 { text += "\(device),2026-01-01T08:00:\(k)0Z,\(x),0\n" }
    }
    let plain = try json([command, try scratch.write(text, to: "plain.csv")])
    let years = "a,1970-01-01T00:00:00Z,0,0\nb,2240-01-01T00:00:00Z,0,0\n"
    let wrong = try json([command, try scratch.write(text + years, to: "wrong.csv")])
    for key in ["pairs", "contacts", "overlap_s", "exposures", "density", "rows", "places"] {
      #expect(wrong[key] as? NSObject == plain[key] as? NSObject, "\(key)")
    }
  }

  @Test(arguments: [
    ["--rule", "sampled", "--line-of-sight"], ["--rule", "published-minutes", "--slab", "5s"],
    ["--rule", "sampled", "--tick", "0s"], ["--rule", "probable", "--confidence", "0.5"],
    ["--rule", "probable", "--reach", "1"], ["--origin", "8,89.95"],
  ])
  func optionsWithoutEffectAreRefused(options: [String]) throws {
    let scratch = try TemporaryFolder()
    let path = try floorless(scratch)
    let result = try CordonProcess.run(["contacts", "find", path] + options)
    #expect(result.status == 2 && result.output.isEmpty, "\(options)")
    #expect(result.errors.contains(try #require(options.last { $0.hasPrefix("--") })), "\(result.errors)")
  }

  /// The keys that only some rules and options have, and the chosen tick.
  @Test func theTickIsReported() throws {
    let scratch = try TemporaryFolder()
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
      (["find", path, "--rule", "probable"], ["expected_contact_s", "share_unknown", "assertable"]),
      (["network", path, "--index", "a"], ["reachable"]),
    ] {
      let keys = try json(command).keys
      for key in extra { #expect(keys.contains(key) && documented.contains("`\(key)`"), "\(key)") }
    }
  }

  /// With fixes every five seconds, the chosen gap of fifteen seconds joins what a gap of ten separates.
  @Test(arguments: ["csv", "bin"])
  func theGapCanFollowFromTheInput(format: String) throws {
    let scratch = try TemporaryFolder()
    let sample = TrackSample()
    let path = scratch.path("points.\(format)")
    try (format == "bin" ? sample.workload : Data(sample.csv.utf8)).write(to: URL(fileURLWithPath: path))
    let result = try CordonProcess.run(["contacts", "find", path, "--maximum-gap", "auto", "--json"])
    // The sample's fixes are two seconds apart.
    #expect(result.errors.contains("--maximum-gap auto: 6s"), "\(result.errors)")
    #expect(try result.json()["max_gap_s"] as? Double == 6)
    #expect(try result.json()["contacts"] as? Int == sample.contacts.count)
    for command in ["exposures", "network", "occupancy"] {
      #expect(try json([command, path, "--maximum-gap", "auto"])["max_gap_s"] as? Double == 6, "\(command)")
    }
    let trace = try json(["backtrace", path, "--index", format == "bin" ? "1" : "d01", "--onset", "2026-01-05"])
    #expect(trace["max_gap_s"] as? Double == 30 && trace["distance_m"] as? Double == 2)
  }

  /// A run records the distance and the gap of its contacts.
  @Test func aRunSuppliesItsGapAndDistance() throws {
    let scratch = try TemporaryFolder()
    let run = scratch.path("run")
    let made = try CordonProcess.run([
      "simulate", Places.office, "--people", "30", "--duration", "20m", "--distance", "3", "--maximum-gap", "70s", "-o",
      run,
      "--quiet", "--json",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let simulated = try made.json()
    for (flags, key) in [(["--source", "truth"], "true_contacts"), ([], "observed_contacts")] {
      let found = try json(["find", run] + flags)
      #expect(found["contacts"] as? Int == simulated[key] as? Int, "\(key)")
      #expect(found["distance_m"] as? Double == 3 && found["max_gap_s"] as? Double == 70)
    }
    let network = try json(["network", run])
    #expect(network["contacts"] as? Int == simulated["observed_contacts"] as? Int)
    #expect(network["distance_m"] as? Double == 3)
    #expect(try json(["find", run, "--distance", "2", "--maximum-gap", "30s"])["distance_m"] as? Double == 2)
    let auto = try CordonProcess.run(["contacts", "find", run, "--source", "truth", "--maximum-gap", "auto"])
    #expect(auto.status == 2 && auto.errors.contains("--maximum-gap auto"))
  }
}

extension TemporaryFolder {
  /// The objects of a file of JSON Lines.
  func rows(_ name: String) throws -> [[String: Any]] {
    try String(contentsOfFile: path(name), encoding: .utf8).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }
}
