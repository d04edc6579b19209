import CordonTestSupport
import Foundation
import Testing

@Suite("cordon presence")
struct PresenceCommandTests {
  /// A morning: at home until 09:00 in Berlin, half an hour of walking outdoors, at a shop 2 km away until 10:30.
  private var trace: String {
    var rows = "time,longitude,latitude,accuracy\n"
    for minute in 0...150 {
      let share = min(max(Double(minute - 60) / 30, 0), 1)
      let accuracy = (60..<90).contains(minute) ? "4.5" : minute > 120 ? "" : "20"
      let time = "2026-01-05T0\(7 + minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60):00Z"
      rows += "\(time),\(11.5 + share * 0.027),48.1,\(accuracy)\n"
    }
    return rows
  }

  private func run(_ text: String, _ more: [String], home: String? = "11.5,48.1,100") throws -> CordonProcess.Result {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(text, to: "day.csv")
    return try CordonProcess.run(
      ["presence", file, "--time-zone", "Europe/Berlin"] + (home.map { ["--home", $0] } ?? []) + more)
  }

  private func days(_ result: CordonProcess.Result) throws -> [[String: Any]] {
    try #require(try result.json()["days"] as? [[String: Any]])
  }

  /// A home on another continent is likely a home whose longitude and latitude are exchanged.
  @Test func aHomeFarAwayIsReported() throws {
    #expect(try run(trace, [], home: "48.1,11.5,100").output.contains("--home begins with the longitude"))
    #expect(try !run(trace, [], home: "11.6,48.2,100").output.contains("begins with the longitude"))
  }

  @Test func aDayIsReportedWithItsTimes() throws {
    let result = try run(trace, ["--json"])
    #expect(result.status == 0, "\(result.errors)")
    let day = try #require(try days(result).first)
    #expect(day["date"] as? String == "2026-01-05" && day["start"] as? String == "2026-01-04T23:00:00.000000Z")
    // The person is 125 m and more away from the third minute of the walk on.
    for (key, minutes) in [
      ("home_s", 62), ("away_s", 88), ("outdoors_s", 28), ("indoors_s", 31), ("undetermined_s", 29),
      ("unknown_s", 1_290),
    ] {
      #expect(day[key] as? Double == Double(minutes * 60), "\(key)")
    }
    let json = try result.json()
    let trips = try #require(json["trips"] as? [[String: Any]])
    #expect(trips.count == 1 && trips[0]["start_place"] as? String == "home")
    let visits = try #require(json["visits"] as? [[String: Any]])
    #expect(visits.count == 2 && visits[0]["place"] as? String == "home" && visits[1]["place"] is NSNull)
    let text = try run(trace, [])
    #expect(
      text.output.contains("2026-01-05") && text.output.contains("1:02") && text.output.contains("2 visits, 1 trip"))
  }

  @Test func theTableHasThePublishedColumns() throws {
    let result = try run(trace, ["--csv"])
    #expect(result.status == 0, "\(result.errors)")
    // RFC 4180: lines end with CR LF.
    let lines = result.output.components(separatedBy: "\r\n")
    #expect(lines.count == 153 && lines.last == "")
    #expect(
      lines.first
        == "Timestamp,Latitude,Longitude,Accuracy,IsAwayFromHome,IsOutdoors,CumulativeTimeAwayHome(minutes),CumulativeTimeOutdoors(minutes)"
    )
    #expect(lines[1] == "2026-01-05T07:00:00.000Z,48.1000000,11.5000000,20.0,0,0,0.00,0.00")
    #expect(lines[64] == "2026-01-05T08:03:00.000Z,48.1000000,11.5027000,4.5,1,1,1.00,1.00")
    // An unknown accuracy is not outdoors: the cell is empty.
    #expect(lines[151] == "2026-01-05T09:30:00.000Z,48.1000000,11.5270000,N/A,1,,88.00,28.00")
  }

  @Test func rowsInAnotherOrderGiveTheSame() throws {
    let lines = trace.split(separator: "\n")
    let turned = ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\n")
    #expect(try run(turned, ["--json"]).output == run(trace, ["--json"]).output)
    #expect(try run(turned, ["--csv"]).output == run(trace, ["--csv"]).output)
  }

  @Test func laterDataMarkTheirDay() throws {
    let scratch = try TemporaryFolder()
    let home = ["--home", "11.5,48.1,100", "--time-zone", "Europe/Berlin", "--json"]
    let lines = trace.split(separator: "\n")
    let early = try scratch.write(lines.prefix(60).joined(separator: "\n"), to: "early.csv")
    let first = try CordonProcess.run(["presence", early] + home)
    let previous = ["--previous", try scratch.write(first.output, to: "first.json")]
    let same = try days(try CordonProcess.run(["presence", early] + home + previous))
    #expect(same.first?["is_updated"] as? Bool == false && same.first?["revision"] as? Int == 0)
    let whole = try scratch.write(trace, to: "whole.csv")
    let second = try CordonProcess.run(["presence", whole] + home + previous)
    #expect(try days(second).first?["is_updated"] as? Bool == true)
    #expect(try days(second).first?["revision"] as? Int == 1)
    let refused = try CordonProcess.run(["presence", whole] + home + ["--previous", whole])
    #expect(refused.status == 2 && refused.errors.contains("is not the --json of cordon presence"))
  }

  @Test func aPageIsWritten() throws {
    let scratch = try TemporaryFolder()
    let page = scratch.path("day.html")
    let result = try run(trace, ["-o", page])
    #expect(result.status == 0, "\(result.errors)")
    let text = try String(contentsOfFile: page, encoding: .utf8)
    for part in ["class=\"strips\"", "class=\"trackmap\"", "at home, h", "Quality of the data", "2026-01-05"] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("src=") && !text.contains("<link") && !text.contains("url("))
  }

  @Test func visitsAndTripsAreFeatures() throws {
    let result = try run(trace, ["-o", "-", "--output-format", "geojson"])
    let features = try #require(try result.json()["features"] as? [[String: Any]])
    let properties = features.compactMap { $0["properties"] as? [String: Any] }
    #expect(properties.map { $0["action"] as? String ?? $0["type"] as? String } == ["visit", "trip", "visit"])
    #expect(properties.first?["arrival_date"] is NSNull && properties.first?["place"] as? String == "home")
    #expect(properties.last?["departure_date"] is NSNull)
    let trip = try #require(properties.dropFirst().first)
    #expect(trip["start"] as? String == "2026-01-05T08:01:00.000Z")
    let end = try #require((trip["end_location"] as? [String: Any])?["geometry"] as? [String: Any])
    #expect(end["type"] as? String == "Point")
  }

  @Test func mapsOfVenuesAndBuildingsAreUsed() throws {
    let result = try run(
      trace,
      ["--buildings", Places.office, "--venue", Places.office, "--travel", "2026-01-05T08:30:00Z=UTC", "--json"],
      home: nil)
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    #expect(json["buildings"] as? Int == 1)
    #expect(try days(result).first?["length_s"] as? Double == 25 * 3_600)
    #expect(try days(result).first?["home_s"] is NSNull)
  }

  @Test func wrongInputIsRefusedWithAReason() throws {
    for (arguments, words) in [
      (["--home", "11.5,48.1,20"], "50 to 500 metres"), (["--home", "11.5"], "LON,LAT,RADIUS"),
      (["--day", "2026-02-30"], "is not a date"), (["--maximum-gap", "0"], "must be more than 0s"),
      (["--day", "2026-01-06"], "no fix on 2026-01-06"), (["--csv", "--json"], "excludes"),
    ] {
      let result = try run(trace, arguments, home: nil)
      #expect(result.status == 2 && result.errors.contains(words), "\(arguments): \(result.errors)")
    }
    let two = try run("device,time,lon,lat\na,2026-01-05T07:00:00Z,1,1\nb,2026-01-05T07:00:00Z,1,1\n", [])
    #expect(two.status == 2 && two.errors.contains("--device"))
    let empty = try run("time,lon,lat\n", [])
    #expect(empty.status == 2)
  }
}
