import CordonContacts
import CordonCore
import CordonTestSupport
import Foundation
import Testing

@Suite("cordon contacts find")
struct ContactsFindTests {
  private let sample = TrackSample()

  private func find(_ arguments: [String], input: String? = nil) throws -> [String: Any] {
    let result = try CordonProcess.run(
      ["contacts", "find"] + arguments + ["--distance", "2", "--maximum-gap", "6s", "--json"], input: input)
    #expect(result.status == 0, "\(arguments): \(result.errors)")
    return try result.json()
  }

  @Test func everyInputFormatGivesTheSameContacts() throws {
    let scratch = try TemporaryFolder()
    let csv = try scratch.write(sample.csv, to: "points.csv")
    let zipped = try scratch.write(sample.csv, to: "zipped.csv")
    let lines = try scratch.write(sample.jsonLines, to: "points.jsonl")
    let mapped = try scratch.write(sample.mappedCSV, to: "mapped.txt")
    try sample.workload.write(to: URL(fileURLWithPath: scratch.path("points.bin")))
    let zippedLines = try scratch.write(sample.jsonLines, to: "zipped.jsonl")
    try sample.unsortedWorkload.write(to: URL(fileURLWithPath: scratch.path("unsorted.bin")))
    _ = try TestProcess.run(try #require(TestProcess.tool("gzip")), [zipped, zippedLines])
    let columns = ["device=badge", "time=when", "x=east", "y=north", "floor=storey"].flatMap { ["--column", $0] }
    let expected = sample.contacts
    let pairs = Set(expected.map { [$0.first, $0.second] })
    let seconds = Double(expected.reduce(0) { $0 + $1.duration }) / 1e6
    #expect(expected.count > 100)
    for (arguments, input) in [
      ([csv], nil), ([zipped + ".gz"], nil), ([lines], nil), ([scratch.path("points.bin")], nil),
      ([mapped, "--input-format", "csv"] + columns, nil), (["-"], csv),
      ([csv, "--threads", "2", "--slab", "5s"], nil), ([zippedLines + ".gz"], nil),
      ([scratch.path("unsorted.bin")], nil),
    ] as [([String], String?)] {
      let answer = try find(arguments, input: input)
      #expect(answer["schema"] as? String == "cordon.contacts-find/1")
      #expect(answer["points"] as? Int == sample.points.count, "\(arguments)")
      #expect(answer["devices"] as? Int == 12)
      #expect(answer["pairs"] as? Int == pairs.count, "\(arguments)")
      #expect(answer["contacts"] as? Int == expected.count, "\(arguments)")
      #expect(abs((answer["overlap_s"] as? Double ?? 0) - seconds) < 1e-5, "\(arguments)")
      #expect(answer["pairs_15min"] as? Int == 0)
      for key in ["engine_cpu_s", "input_cpu_s", "peak_mib"] { #expect(answer[key] is NSNumber, "\(key)") }
    }
  }

  /// Microseconds since 1970 of a time with six decimals, such as `2026-01-05T09:00:00.000000Z`.
  private func time(_ value: Any?) -> Int64? {
    guard let text = value as? String, text.count == 27, text.hasSuffix("Z"),
      let seconds = try? Instant(rfc3339: String(text.prefix(19)) + "Z"), let micros = Int64(text.dropLast().suffix(6))
    else { return nil }
    return seconds.milliseconds * 1_000 + micros
  }

  @Test func rowsAreOrderedByTheEndsOfContacts() throws {
    let scratch = try TemporaryFolder()
    let csv = try scratch.write(sample.csv, to: "points.csv")
    _ = try find([csv, "-o", scratch.path("rows.jsonl")])
    let text = try String(contentsOfFile: scratch.path("rows.jsonl"), encoding: .utf8)
    let rows = try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let expected = sample.contacts.sorted {
      ($0.end, $0.start, $0.first, $0.second) < ($1.end, $1.start, $1.first, $1.second)
    }
    try #require(rows.count == expected.count)
    for (row, contact) in zip(rows, expected) {
      #expect(row["device_a"] as? String == TrackSample.name(contact.first))
      #expect(row["device_b"] as? String == TrackSample.name(contact.second))
      #expect(time(row["start"]) == contact.start && time(row["end"]) == contact.end)
      #expect(row["floor"] as? Double == Double(contact.floor) / 1_000)
      #expect(abs((row["min_distance_m"] as? Double ?? -1) - contact.minimumDistance) < 1e-4)
      #expect(time(row["min_distance_time"]) == contact.minimumDistanceTime)
    }
    // Writes the same bytes to another file, however the work is split.
    _ = try find([csv, "-o", scratch.path("again.jsonl"), "--threads", "3", "--slab", "7s"])
    #expect(try String(contentsOfFile: scratch.path("again.jsonl"), encoding: .utf8) == text)
    #expect(try scratch.contents == ["again.jsonl", "points.csv", "rows.jsonl"])
  }

  @Test func probableRowsStateTheProbabilityFromTheAccuracies() throws {
    let scratch = try TemporaryFolder()
    let csv = try scratch.write(sample.csv, to: "points.csv")
    let answer = try find([csv, "--rule", "probable", "-o", scratch.path("rows.jsonl")])
    let texts = try String(contentsOfFile: scratch.path("rows.jsonl"), encoding: .utf8).split(separator: "\n")
    let rows = try scratch.rows("rows.jsonl")
    var sum = 0.0
    for row in rows {
      let (expected, duration) = (row["expected_contact_s"] as? Double ?? -1, row["duration_s"] as? Double ?? -1)
      #expect(expected >= 0 && expected <= duration + 1e-3)
      #expect(row["p_15min"] as? Double == 0)
      let assertable = try #require(row["assertable"] as? Bool)
      let names = [row["device_a"] as? String ?? "", row["device_b"] as? String ?? ""]
      // Devices from the fifth on have fixes of 5 m.
      if names.contains(where: { $0 > "d03" }) { #expect(!assertable) }
      sum += expected
    }
    #expect(rows.contains { $0["assertable"] as? Bool == true })
    #expect(abs((answer["expected_contact_s"] as? Double ?? 0) - sum) < 0.1)
    #expect(answer["assertable"] as? Int == rows.count { $0["assertable"] as? Bool == true })
    // Threads change nothing, nor does the seed while no pair is together for 15 minutes.
    _ = try find([csv, "--rule", "probable", "-o", scratch.path("again.jsonl"), "--threads", "3", "--seed", "9"])
    #expect(try String(contentsOfFile: scratch.path("again.jsonl"), encoding: .utf8).split(separator: "\n") == texts)
    // Devices measured further apart may have been near as well.
    let wider = try find([csv, "--rule", "probable", "--reach", "4"])
    #expect(wider["distance_m"] as? Double == 2)
    #expect((wider["contacts"] as? Int ?? 0) > rows.count)
    #expect((wider["expected_contact_s"] as? Double ?? 0) > sum)
  }

  @Test func sampledAndPublishedRulesAreNamed() throws {
    let scratch = try TemporaryFolder()
    let csv = try scratch.write(sample.csv, to: "points.csv")
    let sampled = try find([csv, "--rule", "sampled", "--tick", "2s"])
    #expect((sampled["pair_ticks"] as? Int ?? 0) > 0)
    #expect((sampled["pairs"] as? Int ?? 0) <= Set(sample.contacts.map { [$0.first, $0.second] }).count)
    let published = try find([csv, "--rule", "published-minutes"])
    #expect(published["rule"] as? String == "published-minutes")
    #expect((published["pair_ticks"] as? Int ?? 0) > 0)
  }

  @Test func aRunIsReadFromItsFolderOrItsFile() throws {
    let scratch = try TemporaryFolder()
    let run = scratch.path("run")
    let made = try CordonProcess.run([
      "simulate", Places.office, "--people", "30", "--duration", "20m", "-o", run, "--quiet", "--json",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let simulated = try made.json()
    for input in [run, run + "/run.sqlite"] {
      for (flags, key) in [(["--source", "truth"], "true_contacts"), ([], "observed_contacts")] {
        let result = try CordonProcess.run(["contacts", "find", input, "--json", "--line-of-sight"] + flags)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try result.json()["contacts"] as? Int == simulated[key] as? Int, "\(input) \(key)")
      }
    }
    // The positions equal those of the run's own table.
    _ = try find([run, "-o", scratch.path("rows.csv")])
    let found = try String(contentsOfFile: scratch.path("rows.csv"), encoding: .utf8).split(separator: "\n")
    let spaces = try #require(found.first?.split(separator: ",").firstIndex(of: "space_a"))
    let cells = found.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let known = try String(contentsOfFile: run + "/contacts.csv", encoding: .utf8)
    #expect(cells.contains { !$0[spaces].isEmpty && !$0[spaces + 1].isEmpty })
    for row in cells where !row[spaces].isEmpty { #expect(known.contains(",\(row[spaces]),")) }
    // The share of each contact with a wall between is in the run's own table.
    let table = try String(contentsOfFile: run + "/contacts.csv", encoding: .utf8).split(separator: "\n")
    let column = try #require(table.first?.split(separator: ",").firstIndex(of: "wall_share"))
    let shares = table.dropFirst().compactMap { row in
      Double(row.split(separator: ",", omittingEmptySubsequences: false)[column])
    }
    #expect(shares.contains(0) && shares.contains { $0 > 0 })
  }
}
