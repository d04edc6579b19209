import CordonTestSupport
import Foundation
import Testing

@Suite("cordon fit")
struct FitCommandTests {
  private let scenario = """
    # Rough numbers.
    name: office
    venue: {generate: {kind: office, floors: 1, area: 700, seed: 2}}
    time: {start: 2026-01-05T08:00, duration: 4h}
    populations:
      - {name: staff, size: 5, arrival: {window: [08:00, 12:00]}, visit: 3h}
    movement: {model: meso}
    """

  /// Two weeks of counts of the building at every half hour, as a German spreadsheet writes them.
  private var counts: String {
    var text = "\u{feff}Datum;Uhrzeit;Personen\r\n"
    for day in 5..<19 {
      for step in 0..<48 {
        let isOpen = (16..<32).contains(step) && (day - 5) % 7 < 5
        let time = "\(step / 2):\(step % 2 == 0 ? "00" : "30")"
        text += "\(day < 10 ? "0" : "")\(day).01.2026;\(time);\(isOpen ? "\(10 + day % 3),5" : "0,0")\r\n"
      }
    }
    return text
  }

  @Test func aScenarioIsFittedToASpreadsheet() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(scenario, to: "day.yaml")
    let measured = try scratch.write(counts, to: "counts.csv")
    let output = scratch.path("out/fitted.yaml")
    try FileManager.default.createDirectory(atPath: scratch.path("out"), withIntermediateDirectories: false)
    let arguments = [
      "fit", file, "--measured", measured, "--replicas", "5", "--corrections", "1", "-q", "--page",
      scratch.path("page.html"),
    ]
    let result = try CordonProcess.run(arguments + ["-o", output])
    #expect(result.status == 0, "\(result.errors)")
    for words in [
      "populations[staff].arrival", "building: 4 days", "fitted scenario", "unfitted scenario",
      "smaller than that of the",
    ] {
      #expect(result.output.contains(words), "\(words): \(result.output)")
    }
    #expect(result.output.contains("2026-01-15, 2026-01-16, 2026-01-17, 2026-01-18"))
    let text = try String(contentsOfFile: output, encoding: .utf8)
    #expect(text.hasPrefix("# Fitted by 'cordon fit' to counts.csv: 10 days.") && text.contains("name: office"))
    #expect(text.contains("mon:") && !text.contains("size:"))
    let page = try String(contentsOfFile: scratch.path("page.html"), encoding: .utf8)
    #expect(page.components(separatedBy: "class=\"linechart\"").count - 1 == 4, "one chart a held-out day")
    #expect(page.components(separatedBy: "<summary>Values</summary>").count - 1 == 4, "each with its table")
    // The file is a scenario that runs, and a second fit writes the same bytes.
    let run = ["simulate", output, "--duration", "2h", "--device-share", "0", "-q", "-o", scratch.path("run")]
    #expect(try CordonProcess.run(run).status == 0)
    let json = try CordonProcess.run(arguments + ["-o", output, "--force", "--json"]).json()
    #expect(try String(contentsOfFile: output, encoding: .utf8) == text)
    let places = try #require(json["places"] as? [[String: Any]])
    let predictions = try #require(places.first?["predictions"] as? [[String: Any]])
    let errors = predictions.compactMap { $0["mean_absolute_error_people"] as? Double }
    #expect(errors.count == 4 && errors[0] < errors[1] && errors[0] < errors[2], "\(errors)")
  }

  @Test(arguments: [
    ("time;count\n07:00;3\n", [String](), "line 2, column 1 (time)", "give the day with --date"),
    ("time;count\n2026-01-05 07:00;x\n", [], "line 2, column 2 (count)", "'x' is not a number of people"),
    ("time;Lab\n2026-01-05 07:00;3\n", [], "no space 'Lab'", "--space 'Lab=NAME'"),
    ("time;Lab\n2026-01-05 07:00;3\n", ["--space", "Lob=*"], "the measured files have no 'Lob'", "did you mean 'Lab'"),
    ("time;count\n2026-01-05 07:00;3\n", ["--hold-out", "2026-01-09"], "--hold-out", "one of the days 2026-01-05"),
    ("time;count\n2026-01-05 07:00;3\n", ["--bin", "7m"], "--bin must be", "divide a day"),
    ("time;count\n2026-01-05 07:00;3\n", ["--population", "guests"], "no population 'guests'", "staff"),
    ("time;count\n2026-01-05 07:00;3\n", ["--date", "5.1."], "--date", "is not a date"),
  ])
  func faultsNameTheirPlace(table: String, options: [String], place: String, message: String) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(scenario, to: "day.yaml")
    let measured = try scratch.write(table, to: "counts.csv")
    let result = try CordonProcess.run(
      ["fit", file, "--measured", measured, "-q", "-o", scratch.path("f.yaml")] + options)
    #expect(result.status != 0 && result.errors.contains(place) && result.errors.contains(message), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("f.yaml")))
  }

  private static let rooms = (1...2).map {
    Places.realData.appendingPathComponent("sdu-room-occupancy/occ_data_room_\($0).csv").path
  }

  /// Head counts of two real rooms: better than both baselines on days that the fit did not use.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: FitCommandTests.rooms[0]),
      "the head counts of two rooms are not beside the checkout"))
  func daysOfARealRoomArePredicted() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(
      scenario.replacingOccurrences(of: "size: 5", with: "size: 150").replacingOccurrences(of: "3h", with: "90m"),
      to: "day.yaml")
    let result = try CordonProcess.run(
      [
        "fit", file, "--measured", Self.rooms[0], "--space", "Room 1=*", "--replicas", "4", "--corrections", "1",
        "--bin", "1h", "--json", "-q", "-o", scratch.path("fitted.yaml"),
      ])
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    #expect(json["held_out_days"] as? [String] == (10...14).map { "day \($0)" })
    let places = try #require(json["places"] as? [[String: Any]])
    let predictions = try #require(places.first?["predictions"] as? [[String: Any]])
    let errors = predictions.compactMap { $0["mean_absolute_error_people"] as? Double }
    #expect(errors[0] < errors[1] && errors[0] < errors[2], "\(errors)")
  }
}
