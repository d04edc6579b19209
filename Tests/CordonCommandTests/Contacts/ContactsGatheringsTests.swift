import CordonTestSupport
import Foundation
import Testing

@Suite("cordon contacts gatherings, and tables in Arrow")
struct ContactsGatheringsTests {
  /// Five at one table: three for ten minutes, two more for a part of it; a pair far away.
  private func meeting(_ scratch: TemporaryFolder) throws -> String {
    var text = "device,t_ms,x,y,floor,still_until\n"
    for (device, x, from, to) in [
      ("ana", 0.0, 0, 600), ("ben", 1.5, 0, 600), ("cleo", 3.0, 0, 600), ("dan", 4.5, 120, 420), ("eve", 6.0, 240, 300),
      ("fred", 60.0, 0, 600), ("gus", 61.0, 0, 600),
    ] as [(String, Double, Int64, Int64)] {
      text += "\(device),\(1_767_600_000_000 + from * 1_000),\(x),5,1,\(1_767_600_000_000 + to * 1_000)\n"
    }
    return try scratch.write(text, to: "meeting.csv")
  }

  private func run(_ arguments: [String]) throws -> TestProcess.Result {
    let result = try CordonProcess.run(["contacts"] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return result
  }

  @Test func aGatheringHasItsTimesItsPeakAndItsMembers() throws {
    let scratch = try TemporaryFolder()
    let answer = try run(["gatherings", try meeting(scratch), "--minimum-duration", "5m", "--json"]).json()
    #expect(answer["gatherings"] as? Int == 1 && answer["peak"] as? Int == 5)
    let row = try #require((answer["rows"] as? [[String: Any]])?.first)
    #expect(row["start"] as? String == "2026-01-05T08:00:00.000000Z" && row["duration_s"] as? Double == 600)
    #expect(row["members"] as? [String] == ["ana", "ben", "cleo", "dan", "eve"])
    #expect(row["peak_time"] as? String == "2026-01-05T08:04:00.000000Z" && row["floor"] as? Double == 1)
    #expect(row["device_s"] as? Double == 2_160)
    // The mean of the middles of four contacts.
    #expect(row["x_m"] as? Double == 3 && row["y_m"] as? Double == 5)
    let four = try run(["gatherings", scratch.path("meeting.csv"), "--minimum-size", "4", "--json"]).json()
    #expect((four["rows"] as? [[String: Any]])?.map { $0["duration_s"] as? Double } == [300])
    let longer = try run(["gatherings", scratch.path("meeting.csv"), "--minimum-duration", "11m", "--json"]).json()
    #expect(longer["gatherings"] as? Int == 0)
    let text = try run(["gatherings", scratch.path("meeting.csv")]).output
    #expect(text.contains("1 gathering of 3 or more devices") && text.contains("5 at once"))
  }

  @Test func aTableOfGatheringsHasOneCellOfMembers() throws {
    let scratch = try TemporaryFolder()
    _ = try run(["gatherings", try meeting(scratch), "-o", scratch.path("g.csv")])
    let lines = try String(contentsOfFile: scratch.path("g.csv"), encoding: .utf8).split(separator: "\n")
    #expect(
      lines.count == 2 && lines[1].hasSuffix("\"[\"\"ana\"\",\"\"ben\"\",\"\"cleo\"\",\"\"dan\"\",\"\"eve\"\"]\""))
  }

  /// Contacts of a table in Arrow are those of the same table in CSV, and points that are converted are read again.
  @Test func contactsInArrowAreReadAgain() throws {
    let scratch = try TemporaryFolder()
    let path = try meeting(scratch)
    for name in ["c.arrow", "c.arrows"] {
      _ = try run(["find", path, "-o", scratch.path(name)])
      // A contact is a row with a device, a time and a place too.
      let columns = ["--column", "device=device_a", "--column", "time=start", "--column", "x=x_m", "--column", "y=y_m"]
      let answer = try run(["find", scratch.path(name), "--metres", "--json"] + columns).json()
      #expect(answer["points"] as? Int == 5 && answer["devices"] as? Int == 5, "\(name)")
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path("c.arrow")))
    #expect(bytes.prefix(6) == Data("ARROW1".utf8) && bytes.suffix(6) == Data("ARROW1".utf8))
    let piped = try CordonProcess.run(
      [
        "contacts", "find", "-", "--input-format", "arrow", "--metres", "--column", "device=device_a", "--column",
        "time=start",
        "--column", "x=x_m", "--column", "y=y_m", "--json",
      ], input: scratch.path("c.arrows"))
    #expect(try piped.json()["points"] as? Int == 5)
  }

  /// Positions of a run are points: the contacts of its table in Arrow are those of its table in CSV.
  @Test func positionsOfARunAreExportedInArrow() throws {
    let scratch = try TemporaryFolder()
    let run = scratch.path("run")
    let simulate = ["simulate", Places.office, "--people", "6", "--duration", "4m", "-o", run, "--quiet"]
    #expect(try CordonProcess.run(simulate).status == 0)
    var answers: [[String: Any]] = []
    for name in ["ways.csv", "ways.arrow", "ways.arrows"] {
      let export = ["run", "export", run, "--interval", "2s", "-o", scratch.path(name), "--quiet"]
      #expect(try CordonProcess.run(export).status == 0)
      answers.append(try self.run(["find", scratch.path(name), "--json"]).json())
    }
    for key in ["points", "devices", "contacts", "overlap_s"] {
      #expect(Set(answers.map { $0[key] as? Double ?? -1 }).count == 1, "\(key)")
    }
    #expect(answers[0]["points"] as? Int ?? 0 > 100)
    let moving = ["run", "export", run, "--interval", "2s", "-o", scratch.path("ways.mfjson"), "--quiet"]
    #expect(try CordonProcess.run(moving).status == 0)
    let info = try CordonProcess.run(["trace", "info", scratch.path("ways.mfjson"), "--json"]).json()
    #expect(info["format"] as? String == "mf-json" && info["points"] as? Int == answers[0]["points"] as? Int)
  }

  @Test func aDamagedArrowFileIsAnErrorWithItsPlace() throws {
    let scratch = try TemporaryFolder()
    _ = try run(["find", try meeting(scratch), "-o", scratch.path("c.arrows")])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path("c.arrows")))
    try bytes.prefix(bytes.count - 60).write(to: URL(fileURLWithPath: scratch.path("cut.arrow")))
    let result = try CordonProcess.run([
      "contacts", "find", scratch.path("cut.arrow"), "--column", "device=device_a", "--column", "time=start", "--json",
    ])
    #expect(result.status == 2 && result.errors.contains("\"code\":\"truncated\""))
    #expect(result.errors.contains("\"place\":\"byte ") && result.errors.contains("cut.arrow"))
  }
}
