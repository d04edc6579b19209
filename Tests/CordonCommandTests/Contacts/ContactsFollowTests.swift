import CordonContacts
import CordonTestSupport
import Foundation
import Testing

@Suite("cordon contacts exposures, backtrace, network, occupancy")
struct ContactsFollowTests {
  /// Two at a table for 8 minutes before and 8 after midnight of Berlin (23:00 UTC), a third for a day earlier.
  private static let midnight: Int64 = 1_767_567_600_000

  private func rests(_ scratch: TemporaryFolder) throws -> String {
    var text = "device,t_ms,x,y,still_until\n"
    let minute: Int64 = 60_000
    for (device, x, from, to) in [
      ("a", 0.0, -480, 480), ("b", 1.0, -480, 480), ("c", 0.5, -3_000, -2_960), ("a", 0.0, -3_000, -2_960),
    ] as [(String, Double, Int64, Int64)] {
      let unit: Int64 = from > -1_000 ? 1_000 : minute
      text += "\(device),\(Self.midnight + from * unit),\(x),0,\(Self.midnight + to * unit)\n"
    }
    return try scratch.write(text, to: "rests.csv")
  }

  private func json(_ arguments: [String]) throws -> [String: Any] {
    let result = try CordonProcess.run(["contacts"] + arguments + ["--json"])
    #expect(result.status == 0, "\(result.errors)")
    return try result.json()
  }

  @Test func anExposureAroundMidnightCountsByWindowButNotByDay() throws {
    let scratch = try TemporaryFolder()
    let path = try rests(scratch)
    for (flags, days) in [([], 2), (["--time-zone", "Europe/Berlin"], 1), (["--day-offset", "1h"], 1)] {
      let answer = try json(["exposures", path] + flags)
      #expect(answer["exposures"] as? Int == 2)
      // a and c met for 40 minutes within a day; a and b for 8 on each of two.
      #expect(answer["exposures_by_day"] as? Int == days, "\(flags)")
    }
  }

  @Test func onlyContactsWithTheIndexCaseAroundOnsetCount() throws {
    let scratch = try TemporaryFolder()
    let path = try rests(scratch)
    let answer = try json(["exposures", path, "--index", "a", "--onset", "2026-01-06", "--all"])
    // c was met more than two days before that.
    let rows = try #require(answer["rows"] as? [[String: Any]])
    #expect(rows.map { $0["device_b"] as? String } == ["b"])
    #expect(rows.first?["total_s"] as? Double == 960)
    let wider = try json(["exposures", path, "--index", "a", "--onset", "2026-01-06", "--before", "4d"])
    #expect(wider["exposures"] as? Int == 2)
    #expect(try json(["exposures", path, "--index", "c"])["pairs"] as? Int == 1)
  }

  /// Bands of 1, 2 and 4 m: a half metre apart for eight minutes, three metres for twenty, the second after the window.
  @Test func weightedMinutesCoverTheWindow() throws {
    let scratch = try TemporaryFolder()
    let day: Int64 = 86_400_000
    var text = "device,t_ms,x,y,still_until\n"
    for (device, x, from, minutes) in [
      ("a", 0.0, 0, 8), ("b", 0.5, 0, 8), ("a", 0.0, 20 * day, 20), ("b", 1.5, 20 * day, 20), ("c", 0.0, 40 * day, 6),
      ("b", 3.0, 40 * day, 6),
    ] as [(String, Double, Int64, Int64)] {
      text += "\(device),\(Self.midnight + from),\(x),0,\(Self.midnight + from + minutes * 60_000)\n"
    }
    let path = try scratch.write(text, to: "weighted.csv")
    func minutes(_ flags: [String]) throws -> [Double?] {
      let rows = try json(["exposures", path, "--weighted", "--all"] + flags)["rows"] as? [[String: Any]]
      return (rows ?? []).map { $0["weighted_min"] as? Double }
    }
    // A device that came no nearer than 3 m is not within 2 m, and has no row.
    #expect(try minutes([]) == [8 * 1.5 + 20])
    #expect(try minutes(["--index", "a", "--onset", "2026-01-05"]) == [8 * 1.5])
    #expect(try minutes(["--index", "b", "--onset", "2026-01-20", "--before", "1d"]) == [20])
    #expect(try minutes(["--distance", "4"]) == [8 * 1.5 + 20, 6 * 0.5])
  }

  /// The second device arrives after two minutes and leaves after five of ten.
  @Test func stretchesHaveAConstantNumberOfDevices() throws {
    let scratch = try TemporaryFolder()
    let start = Self.midnight
    let rows = ["a,\(start),0,0,\(start + 600_000)", "b,\(start + 120_250),1,0,\(start + 300_000)"]
    let path = try scratch.write("device,t_ms,x,y,still_until\n" + rows.joined(separator: "\n") + "\n", to: "two.csv")
    let table = try CordonProcess.run(["contacts", "occupancy", path, "--stretches", "-o", "-"])
    #expect(table.status == 0, "\(table.errors)")
    #expect(
      table.output.split(separator: "\n") == [
        "venue,floor,space,name,start,end,devices",
        ",,,,2026-01-04T23:00:00.000000Z,2026-01-04T23:02:00.250000Z,1",
        ",,,,2026-01-04T23:02:00.250000Z,2026-01-04T23:05:00.000000Z,2",
        ",,,,2026-01-04T23:05:00.000000Z,2026-01-04T23:10:00.000000Z,1",
      ])
    let refused = try CordonProcess.run(["contacts", "occupancy", path, "--stretches"])
    #expect(refused.status == 2 && refused.errors.contains("--stretches needs --output"), "\(refused.errors)")
  }

  /// A table without rows has the same columns as one with rows.
  @Test(arguments: [["exposures"], ["exposures", "--weighted"], ["occupancy"]])
  func tablesWithoutRowsHaveColumns(command: [String]) throws {
    let scratch = try TemporaryFolder()
    let path = try rests(scratch)
    let apart = try scratch.write("device,t_ms,x,y\na,0,0,0\nb,500000,9,9\n", to: "apart.csv")
    var headers: [String] = []
    for (input, count) in [(path, 2...100_000), (apart, 1...1)] {
      let result = try CordonProcess.run(["contacts"] + command + [input, "-o", "-"])
      #expect(result.status == 0, "\(result.errors)")
      let lines = result.output.split(separator: "\n")
      #expect(count.contains(lines.count), "\(command) \(result.output.prefix(300))")
      headers.append(lines.first.map(String.init) ?? "")
    }
    #expect(headers[0] == headers[1] && headers[0].contains(","))
  }

  @Test(arguments: [
    ["find"], ["exposures"], ["network"], ["occupancy"], ["backtrace", "--index", "a", "--onset", "2026-01-05"],
  ])
  func theInputIsNotOverwritten(command: [String]) throws {
    let scratch = try TemporaryFolder()
    let path = try rests(scratch)
    let before = try String(contentsOfFile: path, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: scratch.path("link.csv"), withDestinationPath: path)
    for output in [path, scratch.path("link.csv")] {
      let result = try CordonProcess.run(["contacts"] + command + [path, "-o", output])
      #expect(result.status == 2 && result.output.isEmpty)
      #expect(result.errors.contains("is what is read"), "\(result.errors)")
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
  }

  @Test func aBacktraceIsWrittenAsTableAndGraph() throws {
    let scratch = try TemporaryFolder()
    let path = try rests(scratch)
    let answer = try json([
      "backtrace", path, "--index", "b", "--onset", "2026-01-05", "--direction", "backward", "--generations", "2",
      "-o", scratch.path("steps.csv"), "--graph", scratch.path("steps.graphml"),
    ])
    let nodes = try #require(answer["nodes"] as? [[String: Any]])
    #expect(nodes.map { $0["device"] as? String } == ["b", "a", "c"])
    #expect(nodes.map { $0["generation"] as? Int } == [0, 1, 2])
    let table = try String(contentsOfFile: scratch.path("steps.csv"), encoding: .utf8).split(separator: "\n")
    #expect(table.count == 3 && table[1].hasPrefix("1,b,a,") && table[2].hasPrefix("2,a,c,"))
    let graph = try XMLCount(path: scratch.path("steps.graphml"))
    #expect(graph.ids == ["a", "b", "c"])
    #expect(Set(graph.edges) == [["b", "a"], ["a", "c"]])
  }

  @Test func everyNetworkFormatReadsBack() throws {
    let scratch = try TemporaryFolder()
    let sample = TrackSample()
    let path = try scratch.write(sample.csv, to: "points.csv")
    let contacts = sample.contacts
    let pairs = Set(contacts.map { [TrackSample.name($0.first), TrackSample.name($0.second)] })
    for format in ["csv", "jsonl", "tij", "graphml", "gexf"] {
      let answer = try json(["network", path, "--maximum-gap", "6s", "-o", scratch.path("net.\(format)")])
      #expect(answer["pairs"] as? Int == pairs.count)
      #expect(answer["contacts"] as? Int == contacts.count)
    }
    func lines(_ name: String) throws -> [Substring] {
      try String(contentsOfFile: scratch.path(name), encoding: .utf8).split(separator: "\n")
    }
    #expect(Set(try lines("net.csv").dropFirst().map { $0.split(separator: ",").prefix(2).map(String.init) }) == pairs)
    var seconds = 0.0
    for line in try lines("net.jsonl") {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      seconds += object["contact_s"] as? Double ?? 0
    }
    #expect(abs(seconds - Double(contacts.reduce(0) { $0 + $1.duration }) / 1e6) < 1e-3)
    let ticks = try lines("net.tij").map { $0.split(separator: "\t").map(String.init) }
    #expect(ticks.allSatisfy { $0.count == 3 && Int64($0[0]).map { $0 % 20 == 0 } == true })
    let lasting = Set(
      contacts.filter { $0.duration > 0 }.map { [TrackSample.name($0.first), TrackSample.name($0.second)] })
    #expect(Set(ticks.map { Array($0[1...]) }) == lasting)
    for name in ["net.graphml", "net.gexf"] {
      let graph = try XMLCount(path: scratch.path(name))
      #expect(Set(graph.edges) == pairs, "\(name)")
      #expect(graph.ids == Set(pairs.joined()).sorted(), "\(name)")
    }
  }

  @Test func occupancyCountsDevicesOnFloors() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write(
      "device,t_ms,x,y,floor,still_until\na,0,0,0,0,600000\nb,60000,5,5,0,120000\nc,0,0,0,1,30000\n",
      to: "points.csv")
    let places = try #require(
      try json(["occupancy", path, "-o", scratch.path("bins.csv")])["places"] as? [[String: Any]])
    #expect(places.map { $0["floor"] as? Double } == [0, 1])
    #expect(places.map { $0["peak"] as? Int } == [2, 1])
    #expect(places.map { $0["device_s"] as? Double } == [660, 30])
    #expect(places.map { $0["pair_s"] as? Double } == [60, 0])
    let bins = try String(contentsOfFile: scratch.path("bins.csv"), encoding: .utf8).split(separator: "\n")
    #expect(bins.count == 1 + 10 + 1)
  }
}
