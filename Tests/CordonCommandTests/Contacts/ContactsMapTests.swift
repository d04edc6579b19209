import CordonTestSupport
import Foundation
import Testing

/// A map of two rooms side by side, and one within the right one.
@Suite("cordon contacts with a map")
struct ContactsMapTests {
  /// 2026-01-05T09:00:00Z.
  private static let start: Int64 = 1_767_603_600_000

  private func map(_ scratch: TemporaryFolder) throws -> String {
    func room(_ id: String, _ kind: String, _ west: Double, _ east: Double, _ south: Double, _ north: Double) -> String
    {
      """
      {"type":"Feature","id":"\(id)","properties":{"indoor":"\(kind)","level":"0","name":"\(id)"},"geometry":{"type":\
      "Polygon","coordinates":[[[\(west),\(south)],[\(east),\(south)],[\(east),\(north)],[\(west),\(north)],\
      [\(west),\(south)]]]}}
      """
    }
    let features = [
      room("left", "room", 8, 8.0002, 47, 47.0002), room("right", "room", 8.0002, 8.0004, 47, 47.0002),
      room("closet", "room", 8.00034, 8.00038, 47.00012, 47.00018),
    ]
    return try scratch.write(
      "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}", to: "map.geojson")
  }

  /// For ten minutes a and b are on both sides of the wall, away from the assumed door in its middle, and c and d are in
  /// the closet's room, c in the closet itself. e comes to the left room a minute after a has left.
  private func points(_ scratch: TemporaryFolder) throws -> String {
    var text = "device,t_ms,longitude,latitude,floor,still_until\n"
    for (device, longitude, latitude, from, to) in [
      ("a", 8.00019, 47.00005, 0, 600), ("b", 8.00021, 47.00005, 0, 600), ("c", 8.000345, 47.000125, 0, 600),
      ("d", 8.000335, 47.000125, 60, 600), ("e", 8.00002, 47.00002, 660, 700),
    ] as [(String, Double, Double, Int64, Int64)] {
      text += "\(device),\(Self.start + from * 1_000),\(longitude),\(latitude),0,\(Self.start + to * 1_000)\n"
    }
    return try scratch.write(text, to: "points.csv")
  }

  private func json(_ arguments: [String]) throws -> [String: Any] {
    let result = try CordonProcess.run(["contacts"] + arguments + ["--json"])
    #expect(result.status == 0, "\(arguments): \(result.errors)")
    return try result.json()
  }

  @Test func rowsStatePlaceAndTime() throws {
    let scratch = try TemporaryFolder()
    let arguments = ["find", try points(scratch), "--venue", try map(scratch), "--line-of-sight"]
    #expect(try json(arguments + ["-o", scratch.path("rows.jsonl")])["contacts"] as? Int == 2)
    let rows = try scratch.rows("rows.jsonl").sorted {
      ($0["start"] as? String ?? "") < ($1["start"] as? String ?? "")
    }
    try #require(rows.count == 2)
    #expect(rows.map { $0["device_a"] as? String } == ["a", "c"])
    #expect(rows.map { $0["space_a"] as? String } == ["left", "closet"])
    #expect(rows.map { $0["space_b"] as? String } == ["right", "right"])
    // Both pairs have a wall between them.
    #expect(rows.map { $0["wall_share"] as? Double } == [1, 1])
    #expect(rows.map { $0["start"] as? String } == ["2026-01-05T09:00:00.000000Z", "2026-01-05T09:01:00.000000Z"])
    #expect(rows.allSatisfy { $0["end"] as? String == "2026-01-05T09:10:00.000000Z" })
    #expect(rows.map { $0["duration_s"] as? Double } == [600, 540])
    #expect(rows.allSatisfy { $0["floor"] as? Double == 0 && $0["venue"] == nil })
    for (row, longitude, latitude) in zip3(rows, [8.0002, 8.00034], [47.00005, 47.000125]) {
      #expect(abs((row["longitude"] as? Double ?? 0) - longitude) < 2e-8)
      #expect(abs((row["latitude"] as? Double ?? 0) - latitude) < 2e-8)
    }
    // A metre and a half in longitude, and in metres the distance between the two rows' places.
    let metres = rows.map { ($0["x_m"] as? Double ?? 0, $0["y_m"] as? Double ?? 0) }
    #expect(abs((rows[0]["min_distance_m"] as? Double ?? 0) - 1.5216) < 1e-3)
    #expect(abs(metres[1].0 - metres[0].0 - 0.00014 * 76_079) < 0.02)
    #expect(abs(metres[1].1 - metres[0].1 - 0.000075 * 111_177) < 0.02)
    // The same in CSV, column by column.
    _ = try json(arguments + ["-o", scratch.path("rows.csv")])
    let lines = try String(contentsOfFile: scratch.path("rows.csv"), encoding: .utf8).split(separator: "\n")
    let header = lines[0].split(separator: ",").map(String.init)
    for (line, row) in zip(lines.dropFirst(), try scratch.rows("rows.jsonl")) {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      #expect(cells.count == header.count)
      for (name, cell) in zip(header, cells) {
        switch row[name] {
        case let text as String: #expect(text == cell, "\(name)")
        case let number as Double: #expect(Double(cell) == number, "\(name)")
        default: #expect(cell.isEmpty, "\(name)")
        }
      }
    }
  }

  private func zip3<A, B, C>(_ a: [A], _ b: [B], _ c: [C]) -> [(A, B, C)] { a.indices.map { (a[$0], b[$0], c[$0]) } }

  @Test func laterVisitorsOfTheRoomAreIndirectContacts() throws {
    let scratch = try TemporaryFolder()
    let arguments = [
      "backtrace", try points(scratch), "--venue", try map(scratch), "--index", "a", "--onset", "2026-01-05",
    ]
    func reached(_ flags: [String]) throws -> [String] {
      let nodes = try json(arguments + flags)["nodes"] as? [[String: Any]] ?? []
      return nodes.dropFirst().compactMap { $0["device"] as? String }
    }
    #expect(try reached([]) == ["b"])
    #expect(try reached(["--indirect", "30s"]) == ["b"])
    #expect(try reached(["--indirect", "5m"]) == ["b", "e"])
    let rows = try #require(try json(arguments + ["--indirect", "5m"])["rows"] as? [[String: Any]])
    #expect(rows.map { $0["indirect"] as? Bool } == [false, true])
    // With a limit of six hours, nine hours after onset is too late, and forty days before it is too early for any
    // contact.
    #expect(try reached(["--after", "6h"]).isEmpty)
    var back = arguments + ["--direction", "backward"]
    back[back.firstIndex(of: "2026-01-05") ?? 0] = "2026-01-10"
    #expect((try json(back)["reached"] as? Int) == 1)
    #expect((try json(back + ["--incubation", "2d"])["reached"] as? Int) == 0)
  }

  @Test func spacesWithContactsAndDevicesAreListed() throws {
    let scratch = try TemporaryFolder()
    let (path, map) = (try points(scratch), try map(scratch))
    let network = try json(["network", path, "--venue", map, "--index", "a"])
    // Half-way between c and d is on the closet's side of its wall or on the other.
    let spaces = try #require(network["spaces"] as? [[String: Any]])
    #expect(spaces.reduce(0) { $0 + ($1["contacts"] as? Int ?? 0) } == 2)
    #expect(spaces.reduce(0) { $0 + ($1["contact_s"] as? Double ?? 0) } == 1_140)
    func reachable(_ flags: [String]) throws -> [String?] {
      let found = try json(["network", path, "--index", "a"] + flags)["reachable"] as? [[String: Any]]
      return (found ?? []).map { $0["device"] as? String }
    }
    #expect(try reachable([]).contains("b") && !reachable([]).contains("c"))
    #expect(try !reachable(["--start", "2026-01-05T10:00:00Z"]).contains("b"))
    let places = try #require(try json(["occupancy", path, "--venue", map])["places"] as? [[String: Any]])
    let devices = Dictionary(
      uniqueKeysWithValues: places.map { ($0["space"] as? String ?? "floor", $0["devices"] as? Int) })
    #expect(devices == ["floor": 5, "left": 2, "right": 2, "closet": 1])
  }
}
