import CordonTestSupport
import Foundation
import Testing

@Suite("cordon simulate")
struct SimulateTests {
  static let keys = [
    "schema", "people", "planned_people", "never_came", "devices", "fixes", "refused", "thinned", "stored",
    "acknowledged", "on_phone", "quarantined",
    "expired", "erased", "requests", "failed_requests", "bytes_sent", "rows_received", "duplicate_rows",
    "true_contacts", "observed_contacts", "precision_seconds", "recall_seconds",
    "precision_pairs_15min", "recall_pairs_15min", "agent_steps", "movement_cpu_s", "setup_cpu_s", "over_capacity",
    "notes",
    "partial",
    "connectivity", "cpu_s", "peak_mib", "outputs",
  ]

  func simulate(_ venue: String = Places.office, into folder: String, _ more: [String] = []) throws
    -> CordonProcess.Result
  {
    try CordonProcess.run(
      ["simulate", venue, "--people", "60", "--duration", "40m", "--seed", "7", "-o", folder, "--json", "--quiet"]
        + more)
  }

  @Test func everyFixAndEveryRowIsAccountedForOnce() throws {
    let scratch = try TemporaryFolder()
    let result = try simulate(into: scratch.path("run"), ["--phones", "gps"])
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    func count(_ key: String) throws -> Int { try #require(json[key] as? Int, "\(key)") }
    let refused = try #require(json["refused"] as? [String: Int]).values.reduce(0, +)
    #expect(try count("fixes") == refused + count("thinned") + count("stored"))
    #expect(
      try count("stored") == count("acknowledged") + count("on_phone") + count("quarantined") + count("expired")
        + count("erased"))
    #expect(try count("stored") > 1_000)
    #expect(refused > 100)
    #expect(json["schema"] as? String == "cordon.simulate/1")
  }

  @Test func keysAreDocumentedAndOrdered() throws {
    let scratch = try TemporaryFolder()
    let output = try simulate(into: scratch.path("run")).output
    var position = output.startIndex
    for key in SimulateTests.keys {
      let found = try #require(output.range(of: "\"\(key)\":", range: position..<output.endIndex), "\(key)")
      position = found.upperBound
    }
    let json = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    #expect(Set(json.keys) == Set(SimulateTests.keys))
  }

  @Test func equalSeedsGiveEqualFilesInAnotherProcessAndWithMoreThreads() throws {
    let scratch = try TemporaryFolder()
    for (name, more) in [
      ("one", ["--threads", "1"]), ("two", ["--threads", "2"]), ("memory", ["--store", "memory"]),
    ] {
      let result = try simulate(into: scratch.path(name), more)
      #expect(result.status == 0, "\(result.errors)")
    }
    for other in ["two", "memory"] {
      for file in ["contacts.csv", "occupancy.csv", "report.html"] {
        let first = try Data(contentsOf: URL(fileURLWithPath: scratch.path("one/\(file)")))
        let second = try Data(contentsOf: URL(fileURLWithPath: scratch.path("\(other)/\(file)")))
        #expect(first == second, "\(file) of \(other) differs")
        #expect(first.count > 100)
      }
      #expect(try manifest(scratch, "one") == manifest(scratch, other))
    }
  }

  @Test func differentSeedsGiveDifferentRuns() throws {
    let scratch = try TemporaryFolder()
    _ = try simulate(into: scratch.path("one"))
    _ = try simulate(into: scratch.path("two"), ["--seed", "8"])
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: scratch.path("one/contacts.csv")))
        != Data(contentsOf: URL(fileURLWithPath: scratch.path("two/contacts.csv"))))
  }

  @Test func aVenueWithATimeZoneOpensAtNineOnItsClocks() throws {
    let scratch = try TemporaryFolder()
    let map = try Places.text("venues/station.geojson").replacing("Etc/UTC", with: "America/Toronto")
    let result = try CordonProcess.run([
      "simulate", scratch.write(map, to: "station.geojson"), "--people", "2", "--duration", "1m", "--quiet", "-o",
      scratch.path("run"),
    ])
    #expect(result.status == 0, "\(result.errors)")
    #expect("\(try manifest(scratch, "run"))".contains("2026-01-05T14:00:00.000Z"))
  }

  /// The manifest without the members that may differ: timings, and the folder.
  private func manifest(_ scratch: TemporaryFolder, _ name: String) throws -> NSDictionary {
    let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path("\(name)/manifest.json")))
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object.removeValue(forKey: "timings") != nil)
    #expect(object.removeValue(forKey: "output_path") != nil)
    return object as NSDictionary
  }

  @Test func perfectPhonesFindNearlyEveryContact() throws {
    let scratch = try TemporaryFolder()
    let json = try simulate(into: scratch.path("run"), ["--phones", "perfect", "--interval", "1s"]).json()
    #expect(try #require(json["precision_seconds"] as? Double) > 0.95)
    #expect(try #require(json["recall_seconds"] as? Double) > 0.9)
  }

  @Test func runsWithoutPhonesHaveNoObservationsAndNoShares() throws {
    let scratch = try TemporaryFolder()
    let json = try simulate(into: scratch.path("run"), ["--device-share", "0"]).json()
    #expect(json["devices"] as? Int == 0)
    #expect(json["fixes"] as? Int == 0)
    #expect(json["observed_contacts"] as? Int == 0)
    #expect(json["precision_seconds"] is NSNull)
    #expect(json["recall_seconds"] is NSNull)
    #expect(try #require(json["true_contacts"] as? Int) > 0)
  }
}
