import CordonTestSupport
import Foundation
import Testing

@Suite("Trips and presence of cordon-track")
struct TrackPresenceTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(
      #"{"venue": "\#(Places.office)", "store": "s.sqlite", "sinks": [{"kind": "file", "path": "rows.jsonl"}]}"#,
      to: "tracker.json")
  }

  private func run(_ arguments: [String]) throws -> (status: Int32, text: String, errors: String) {
    try Tracker.run(arguments + ["-c", file], in: folder.url)
  }

  /// Rows as the sink writes them: one every 10 s, 15 m apart.
  private func write(from start: Int64, count: Int) throws {
    var rows = ""
    for index in 0..<count {
      let time = start + Int64(index) * 10_000
      rows +=
        #"{"id":"\#(index)","device":"box","time":\#(time),"lonlat":[\#(11.58 + Double(index) * 0.0002),48.14],"acc":4}"#
        + "\n"
    }
    // A row that was written twice, and a line that a crash cut short.
    rows += rows.prefix { $0 != "\n" } + "\n" + #"{"id":"x","ti"#
    _ = try folder.write(rows, to: "rows.jsonl")
  }

  @Test func aTripNeedsConsentAndKeepsNoPosition() throws {
    let refused = try run(["trip", "start"])
    #expect(refused.status == 2, "\(refused.errors)")
    #expect(try run(["consent", "1"]).status == 0)
    let started = try run(["trip", "start", "--mode", "walk", "--json"])
    #expect(started.status == 0, "\(started.errors)")
    #expect(try Tracker.json(started.text)["mode"] as? String == "walk")
    #expect(try run(["status"]).text.contains("trip: walk, since "))
    let again = try run(["trip", "start"])
    #expect(again.status == 2 && again.errors.contains("in progress"))
    let text = try String(contentsOfFile: folder.path("s.sqlite.trip"), encoding: .utf8)
    #expect(text.contains("walk") && !text.contains("11.5"))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("s.sqlite.trip"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try run(["withdraw"]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.sqlite.trip")))
  }

  @Test func thePageShowsStatusDaysStaysAndWays() throws {
    #expect(try run(["consent", "1 <b>"]).status == 0)
    try write(from: 1_767_600_000_000, count: 60)
    let written = try run(["page", "-o", "diary.html"])
    #expect(written.status == 0, "\(written.errors)")
    let page = try String(contentsOfFile: folder.path("diary.html"), encoding: .utf8)
    #expect(page.contains("2026-01-05") && page.contains("<polyline") && page.contains("1 &lt;b&gt;"))
    #expect(!page.contains("<script") && !page.contains("http://") && !page.contains("https://"))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("diary.html"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try run(["page", "-o", "diary.html"]).status == 2, "an existing file stays")
  }

  @Test func aConsentForOtherPlacesIsGivenAndTakenBackAlone() throws {
    let config = try folder.write(
      #"{"mode": "everywhere", "store": "e.sqlite", "sinks": [{"kind": "file", "path": "e.jsonl", "purposes": "everywhere"}]}"#,
      to: "everywhere.json")
    let given = try Tracker.run(["consent", "1", "--everywhere", "-c", config], in: folder.url)
    #expect(given.status == 0 && given.text.contains("record, share, everywhere"), "\(given.errors)")
    let taken = try Tracker.run(["withdraw", "--everywhere", "-c", config], in: folder.url)
    #expect(taken.status == 0 && taken.text.contains("consent: 1 (record, share)\n"), "\(taken.text)")
  }

  @Test func aTripHasTheLengthOfTheRecordedPositions() throws {
    #expect(try run(["consent", "1"]).status == 0)
    #expect(try run(["trip", "start", "--mode", "walk"]).status == 0)
    let none = try run(["trip", "stop"])
    #expect(none.status == 0 && none.text.contains("no position was recorded"), "\(none.errors)")
    #expect(try run(["trip", "stop"]).errors.contains("no trip is in progress"))
    // Ten minutes ago a trip began; the positions of its first 5 minutes are there, and some before it.
    let start = Int64(Date().timeIntervalSince1970 * 1_000) - 600_000
    _ = try folder.write(#"{"mode":"bicycle","start":\#(start)}"#, to: "s.sqlite.trip")
    try write(from: start - 100_000, count: 41)
    let result = try run(["trip", "stop", "--steps", "7", "--json"])
    let trip = try Tracker.json(result.text)
    // 30 steps of 0.0002 degrees.
    #expect(trip["fixes"] as? Int == 31 && trip["steps"] as? Int == 7 && trip["mode"] as? String == "bicycle")
    let distance = trip["distance_m"] as? Double ?? 0
    #expect(abs(distance - 446.1) < 10, "\(result.text)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.sqlite.trip")))
  }

  /// The file has a row again when its rest has ended.
  @Test func aLaterLineHasTheEndOfARest() throws {
    let row = #"{"id":"r","device":"box","time":1767600000000,"lonlat":[11.58,48.14],"acc":4"#
    _ = try folder.write(row + "}\n" + row + #","still_until":1767607200000}"# + "\n", to: "rows.jsonl")
    let json = try Tracker.json(try run(["presence", "--json"]).text)
    let visit = try #require((json["visits"] as? [[String: Any]])?.first)
    #expect(visit["dwell_s"] as? Double == 7_200 && visit["departure_uncertainty_s"] is NSNull)
    #expect((json["days"] as? [[String: Any]])?.first?["fixes"] as? Int == 1)
  }

  @Test func presenceIsThatOfTheFile() throws {
    try write(from: 1_767_600_000_000, count: 121)
    let result = try run(["presence", "--json"])
    #expect(result.status == 0, "\(result.errors)")
    let json = try Tracker.json(result.text)
    let day = try #require((json["days"] as? [[String: Any]])?.first)
    #expect(
      day["date"] as? String == "2026-01-05" && day["covered_s"] as? Double == 1_200 && day["fixes"] as? Int == 121)
    #expect(json["unreadable"] as? Int == 1)
    let trip = try #require((json["trips"] as? [[String: Any]])?.first)
    #expect(trip["duration_s"] as? Double == 1_200 && trip["start_known"] as? Bool == false, "\(trip)")
    #expect(abs((trip["distance_m"] as? Double ?? 0) - 1_787) < 20, "\(trip)")
    let text = try run(["presence"]).text
    #expect(text.contains("2026-01-05  20 min recorded"))
    #expect(text.contains("trip from 2026-01-05T08:00:00.000Z, 20 min, 1"), "\(text)")
    let other = try folder.write(#"{"venue": "\#(Places.office)", "store": "s.sqlite"}"#, to: "other.json")
    let refused = try Tracker.run(["presence", "-c", other], in: folder.url)
    #expect(refused.status == 2 && refused.errors.contains("no sink keeps positions"))
  }
}
