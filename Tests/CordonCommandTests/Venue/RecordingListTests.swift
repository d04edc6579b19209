import CordonTestSupport
import Foundation
import Testing

/// The list of recorded spaces is available before any recording.
@Suite("Which spaces are recorded")
struct RecordingListTests {
  @Test func infoReadsAPackedVenue() throws {
    let scratch = try TemporaryFolder()
    let file = scratch.path("office.cvp")
    let packed = try CordonProcess.run(["venue", "pack", Places.office, "--floor-only", "office", "-o", file])
    #expect(packed.status == 0, "\(packed.errors)")
    #expect(packed.output.contains("venue office-7,"))
    let info = try CordonProcess.run(["venue", "info", file])
    #expect(info.status == 0, "\(info.errors)")
    #expect(info.output.contains("office-7  (packed venue)"))
    for line in packed.output.split(separator: "\n") where line.contains("unrecorded:") {
      let count = try #require(line.split(separator: " ").first { Int($0) != nil })
      #expect(info.output.contains("unrecorded: \(count) "), "\(line)")
    }
    let json = try CordonProcess.run(["venue", "info", file, "--json"]).json()
    #expect(json["schema"] as? String == "cordon.venue-info-packed/1" && json["id"] as? String == "office-7")
    let recording = try #require(json["recording"] as? [String: Any])
    let unrecorded = try #require(recording["unrecorded"] as? [[String: Any]])
    #expect(!unrecorded.isEmpty && unrecorded.count == recording["unrecorded_count"] as? Int)
    #expect(Set(unrecorded.compactMap { $0["kind"] as? String }).isSubset(of: ["restroom", "prayer-room"]))
    let floorOnly = try #require(recording["floor_only"] as? [[String: Any]])
    #expect(!floorOnly.isEmpty && floorOnly.allSatisfy { $0["kind"] as? String == "office" })
    let full = try #require(recording["full_count"] as? Int)
    #expect(full + floorOnly.count + unrecorded.count == json["space_count"] as? Int)
  }

  @Test func otherCommandsReportThatAVenueIsPacked() throws {
    let scratch = try TemporaryFolder()
    let file = scratch.path("office.cvp")
    _ = try CordonProcess.run(["venue", "pack", Places.office, "-o", file])
    for command in ["validate", "distances", "pack"] {
      let output = command == "pack" ? ["-o", scratch.path("again.cvp")] : []
      let result = try CordonProcess.run(["venue", command, file] + output)
      #expect(result.status == 2 && result.errors.contains("is a packed venue"), "\(result.errors)")
    }
    let traces = Places.package.path + "/Tests/Traces/"
    for arguments in [
      ["simulate", file, "-o", scratch.path("run")],
      ["replay", "run", traces + "in-and-out.gpx", "--venue", file],
      ["contacts", "occupancy", traces + "in-and-out.csv", "--venue", file],
    ] {
      let result = try CordonProcess.run(arguments)
      #expect(result.status == 2 && result.errors.contains("is a packed venue"), "\(result.errors)")
    }
  }

  /// The map and its packed venue give the same answers about what both know.
  @Test func locateAndGeofenceReadAPackedVenue() throws {
    let scratch = try TemporaryFolder()
    let file = scratch.path("office.cvp")
    #expect(try CordonProcess.run(["venue", "pack", Places.office, "-o", file]).status == 0)
    var random = SystemRandomNumberGenerator()
    let lines = (0..<400).map { _ in
      "\(Double.random(in: 11.5795...11.5812, using: &random)),\(Double.random(in: 48.1397...48.1406, using: &random)),0,5"
    }
    let points = try scratch.write(lines.joined(separator: "\n"), to: "points.csv")
    func located(_ venue: String) throws -> [[String: Any]] {
      let result = try CordonProcess.run(["venue", "locate", venue, "--points", points, "--json"])
      #expect(result.status == 0, "\(result.errors)")
      return try #require(try result.json()["points"] as? [[String: Any]])
    }
    let (one, two) = (try located(Places.office), try located(file))
    #expect(one.count == 400 && two.count == 400)
    #expect(one.contains { $0["inside"] as? Bool == true } && one.contains { $0["inside"] as? Bool == false })
    for (map, packed) in zip(one, two) {
      #expect(map["inside"] as? Bool == packed["inside"] as? Bool)
      #expect(map["space"] as? String == packed["space"] as? String)
      let distance = (map["signed_distance_m"] as? Double ?? 0) - (packed["signed_distance_m"] as? Double ?? 1)
      #expect(abs(distance) < 0.01)
    }
    let fences = try [Places.office, file].map {
      try #require(try CordonProcess.run(["venue", "geofence", $0, "--json"]).json() as [String: Any]?)
    }
    let circles = fences.compactMap { $0["geofence"] as? [String: Any] }
    let radii = circles.compactMap { $0["radius_m"] as? Double }
    #expect(radii.count == 2 && abs(radii[0] - radii[1]) < 0.01)
    let areas = fences.compactMap { $0["area_m2"] as? Double }
    #expect(areas.count == 2 && abs(areas[0] - areas[1]) < areas[0] * 1e-3)
    #expect(fences[1]["boundary"] as? String == "packed")
    // Decisions of packing cannot be changed afterwards.
    for option in [["--padding", "9"], ["--boundary", "spaces"]] {
      let result = try CordonProcess.run(["venue", "geofence", file] + option)
      #expect(result.status == 2 && result.errors.contains("decided \(option[0])"), "\(result.errors)")
    }
  }

  @Test func aDamagedPackedVenueReportsTheOffset() throws {
    let scratch = try TemporaryFolder()
    let file = scratch.path("office.cvp")
    _ = try CordonProcess.run(["venue", "pack", Places.office, "-o", file])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: file))
    let result = try CordonProcess.run(["venue", "info", file])
    #expect(result.status == 2 && result.errors.contains("packed venue: "), "\(result.errors)")
  }

  @Test func aPossiblyPrivateRoomIsAFinding() throws {
    let scratch = try TemporaryFolder()
    let map = try scratch.write(Self.map, to: "rooms.geojson")
    let json = try CordonProcess.run(["venue", "validate", map, "--json"]).json()
    let findings = try #require(json["findings"] as? [[String: Any]])
    let found = findings.filter { $0["code"] as? String == "possible-private-space" }.compactMap {
      $0["object"] as? String
    }
    #expect(Set(found) == ["quiet", "pray"], "\(findings)")
    let packed = try CordonProcess.run(["venue", "pack", map, "-o", scratch.path("rooms.cvp")])
    #expect(packed.output.contains("possible-private-space") && packed.output.contains("--unrecorded-space quiet"))
    let left = try CordonProcess.run([
      "venue", "pack", map, "--unrecorded-space", "quiet", "--unrecorded-space", "pray", "-o", scratch.path("b.cvp"),
    ])
    #expect(!left.output.contains("possible-private-space"))
    #expect(left.output.contains("Quiet Room"))
  }

  /// Three rooms: two with names that their kinds do not explain, one whose kind does.
  static let map: String = {
    func room(_ id: String, _ name: String, _ kind: String, _ x: Int) -> String {
      let (west, east) = (8.5 + Double(x) * 1e-4, 8.5 + Double(x + 1) * 1e-4)
      return """
        {"type":"Feature","id":"\(id)","properties":{"indoor":"room","level":"0","name":"\(name)",\(kind)},
        "geometry":{"type":"Polygon","coordinates":[[[\(west),47],[\(east),47],[\(east),47.0001],[\(west),47.0001],[\(west),47]]]}}
        """
    }
    let rooms = [
      room("quiet", "Quiet Room", #""room":"office""#, 0), room("pray", "Gebetsraum", #""room":"storage""#, 1),
      room("wc", "WC", #""amenity":"toilets""#, 2), room("office", "Office 3", #""room":"office""#, 3),
    ]
    return #"{"type":"FeatureCollection","features":["# + rooms.joined(separator: ",") + "]}"
  }()
}
