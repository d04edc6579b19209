import CordonTestSupport
import Foundation
import Testing

/// Tables of other programs are read unchanged.
@Suite("Tables of other programs")
struct ForeignTablesTests {
  @Test(arguments: ForeignTable.all)
  func contactsAreFound(in table: ForeignTable) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write(table.text + "\n", to: "points.csv")
    let out = scratch.path("contacts.csv")
    let result = try CordonProcess.run(["contacts", "find", path, "--strict", "--json", "-o", out] + table.options)
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    #expect(json["points"] as? Int == 4 && json["devices"] as? Int == 2 && json["bad_rows"] as? Int == 0)
    let rows = try Rows(path: out)
    #expect(rows.rows.count == 1)
    #expect(rows["device_a"] == table.devices[0] && rows["device_b"] == table.devices[1])
    #expect(rows["start"] == "2026-01-05T08:00:00.000000Z" && rows["end"] == "2026-01-05T08:00:10.000000Z")
    #expect(rows["floor"] == (table.hasFloor ? "1" : ""))
    let distance = try #require(rows["min_distance_m"].flatMap(Double.init))
    #expect(abs(distance - 0.755) < 0.001, "\(distance) m")
    let assumed = try #require(json["assumed"] as? [String])
    #expect(assumed.count == table.assumes.count, "\(assumed)")
    for sentence in table.assumes { #expect(assumed.contains { $0.contains(sentence) }, "\(assumed)") }
  }

  @Test(arguments: ForeignTable.all)
  func tracesAreRead(from table: ForeignTable) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write(table.text + "\n", to: "points.csv")
    let result = try CordonProcess.run(["trace", "info", path, "--json"] + table.options)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let json = try result.json()
    #expect(json["points"] as? Int == 4 && json["with_time"] as? Int == 4 && json["devices"] as? Int == 2)
    #expect(json["with_accuracy"] as? Int == (table.hasAccuracy ? 4 : 0))
    #expect(json["with_floor"] as? Int == (table.hasFloor ? 4 : 0))
    #expect(json["first"] as? String == "2026-01-05T08:00:00.000Z")
    #expect(json["last"] as? String == "2026-01-05T08:00:10.000Z")
    let remarks = try #require(json["remarks"] as? [String])
    for sentence in table.assumes { #expect(remarks.contains { $0.contains(sentence) }, "\(remarks)") }
    // The rows, to the last digit.
    let out = scratch.path("rows.csv")
    #expect(try CordonProcess.run(["trace", "convert", path, "-o", out] + table.options).status == 0)
    let rows = try Rows(path: out).rows
    let expected = zip([0, 0, 1, 1], ["1767600000000", "1767600010000", "1767600000000", "1767600010000"]).map {
      [table.devices[$0], $1, $0 == 0 ? "8.54" : "8.54001", "47.37"]
    }
    let found = rows.map { row in ["device", "time_ms", "longitude", "latitude"].map { row[$0] ?? "" } }
    #expect(found == expected)
    #expect(rows.allSatisfy { table.hasFloor ? $0["floor"] == "1" : ($0["floor"] ?? "").isEmpty })
    #expect(rows.allSatisfy { table.hasAccuracy ? $0["accuracy"] == "4" : ($0["accuracy"] ?? "").isEmpty })
  }

  /// A file of GeoLife is one device; its name is that of the file.
  @Test func geoLifeTrajectoriesTakeDevicesFromTheirFiles() throws {
    let scratch = try TemporaryFolder()
    let head = "Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track,0,0,2,8421376\n0\n"
    let rows = { (longitude: String) in
      "47.37,\(longitude),0,492,46027.3,2026-01-05,08:00:00\n47.37,\(longitude),0,492,46027.3,2026-01-05,08:00:10\n"
    }
    let paths = [
      try scratch.write(head + rows("8.54"), to: "p1.plt"), try scratch.write(head + rows("8.54001"), to: "p2.plt"),
    ]
    let out = scratch.path("contacts.csv")
    let result = try CordonProcess.run(["contacts", "find", "--strict", "--json", "-o", out] + paths)
    #expect(result.status == 0, "\(result.errors)")
    let found = try Rows(path: out)
    #expect(found["device_a"] == "p1" && found["device_b"] == "p2")
    #expect(found["start"] == "2026-01-05T08:00:00.000000Z" && found["end"] == "2026-01-05T08:00:10.000000Z")
    let info = try CordonProcess.run(["trace", "info", paths[0], "--json"]).json()
    #expect(info["points"] as? Int == 2 && info["first"] as? String == "2026-01-05T08:00:00.000Z")
  }
}

/// The rows of a CSV file without quotes.
struct Rows {
  var rows: [[String: String]] = []

  init(path: String) throws {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let fields = { (line: Substring) in line.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let names = lines.first.map(fields) ?? []
    rows = lines.dropFirst().map { Dictionary(zip(names, fields($0)), uniquingKeysWith: { first, _ in first }) }
  }

  /// A value of the first row.
  subscript(name: String) -> String? { rows.first?[name] }
}
