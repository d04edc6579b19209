import CordonContacts
import CordonCore
import CordonExchange
import CordonGeometry
import CordonTestSupport
import Foundation
import Testing

/// Files of points: accepted ones, and refused ones with their messages.
@Suite struct PointFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ text: String, _ name: String = "points.csv") throws -> String {
    try folder.write(text, to: name)
  }

  @Test func commonColumnNamesAreRecognised() throws {
    let table = try PointCSV.read(
      path: file(
        "\u{FEFF}Device_ID,t_ms,LON,lat,floor,acc,note\r\nb,1700000000000,8.5,47.25,-1,3.5,x\r\n\"a, \"\"1\"\"\",1700000000500,8.5,47.25,0.5,,\r\n"
      ))
    #expect(table.devices == ["a, \"1\"", "b"])
    let group = try #require(table.groups.first)
    #expect(group.points.map(\.device) == [1, 0])
    #expect(group.points.map(\.floor) == [-1_000, 500])
    #expect(group.points.map(\.time) == [1_700_000_000_000, 1_700_000_000_500])
    #expect(group.accuracies[0] == 3.5 && group.accuracies[1].isNaN)
    #expect(group.frame?.origin == Coordinate(longitude: 8.5, latitude: 47.25))
    #expect(group.points.map(\.x) == [0, 0])
  }

  @Test func columnsCanBeNamed() throws {
    var options = PointFileOptions()
    options.columns = [.device: "badge", .x: "east", .y: "north", .time: "when"]
    let table = try PointCSV.read(
      path: file(
        "badge;east;north;when;lon;lat\n7;1.5;-2.25;2026-01-05T09:00:00Z;8;50\n10;1;2;2026-01-05T09:00:01.5Z;8;50\n"),
      options: options)
    #expect(table.devices == ["7", "10"])
    #expect(table.groups[0].points.map(\.x) == [1.5, 1])
    #expect(table.groups[0].points.map(\.time) == [1_767_603_600_000, 1_767_603_601_500])
    #expect(table.groups[0].frame == nil)
    options.columns[.device] = "nobody"
    let path = try file("badge,east\n")
    let error = #expect(throws: PointFileError.self) { try PointCSV.read(path: path, options: options) }
    #expect(error?.code == .missingColumn)
  }

  @Test(arguments: [
    ("t", "1700000000", 1_700_000_000_000), ("t", "1700000000.25", 1_700_000_000_250),
    ("t", "1700000000000", 1_700_000_000_000), ("t", "1700000000000999", 1_700_000_000_000),
    ("t_s", "12", 12_000), ("t_ms", "12", 12), ("time_us", "-1", -1), ("t", "1970-01-01T00:00:01+01:00", -3_599_000),
  ])
  func timesAreReadInTheirUnit(column: String, text: String, milliseconds: Int64) throws {
    let table = try PointCSV.read(path: file("id,\(column),x,y\n1,\(text),0,0\n"))
    #expect(table.groups[0].points.map(\.time) == [milliseconds])
  }

  @Test func mixedUnitsAreRefusedWithTheFirstDifferingLine() throws {
    let path = try file(
      "id,t,x,y\n1,1700000000,0,0\n1,1700000001,0,0\n1,1700000002000,0,0\n1,1700000003000,0,0\n1,1600000000,0,0\n")
    let error = #expect(throws: PointFileError.self) { try PointCSV.read(path: path) }
    #expect(error?.code == .mixedUnits && error?.line == 4)
    #expect(error?.message.contains("1700000002000 here and 1700000000 before") == true)
    let later = try file("id,t,x,y\n1,1700000000000,0,0\n1,1700000001,0,0\n")
    #expect(#expect(throws: PointFileError.self) { try PointCSV.windows(path: later) }?.line == 3)
    let lines = try file(
      "{\"id\":1,\"t\":1700000000,\"x\":0,\"y\":0}\n{\"id\":1,\"t\":1700000000000000,\"x\":0,\"y\":0}\n")
    #expect(#expect(throws: PointFileError.self) { try PointJSONLines.windows(path: lines) }?.line == 2)
  }

  @Test func badRowsAreCountedAndListed() throws {
    var rows = "id,t,lon,lat,floor,acc\n"
    let bad = [
      "1,x,8,50,,", "1,1700000000,8,,,", ",1700000000,8,50,,", "1,1700000000,181,50,,", "1,1700000000,8,91,,",
      "1,1700000000,8,50,up,", "1,1700000000,8,50,,much", "1,1700000000,8", "1,1700000000,nan,50,,",
      "1,1700000000,inf,50,,", "1,1700000000,8,5,50,5,1,", "1,1700000000,8,89.95,,",
    ]
    rows += bad.joined(separator: "\n") + "\n1,1700000000,8,50,,0,,\n\n2,1700000000,8,50,,-1"
    var options = PointFileOptions()
    options.badRowLimit = 3
    let path = try file(rows)
    let table = try PointCSV.read(path: path, options: options)
    #expect(table.badRowCount == bad.count)
    #expect(table.badRows.map(\.line) == [2, 3, 4])
    #expect(table.pointCount == 2)
    // A negative radius, or 0, is how platforms mark an unknown accuracy.
    #expect(table.groups[0].accuracies.isEmpty)
    options.isStrict = true
    let error = #expect(throws: PointFileError.self) { try PointCSV.read(path: path, options: options) }
    #expect(error?.code == .badRow && error?.line == 2)
  }

  @Test func venuesAreKeptApart() throws {
    let table = try PointCSV.read(
      path: file(
        "device,venue,time,lon,lat\na,north,1700000000,8,50\nb,south,1700000000,20,-30\na,south,1700000001,20,-30\n"))
    #expect(table.groups.map(\.venue) == ["north", "south"])
    #expect(table.groups.map(\.points.count) == [1, 2])
    #expect(table.groups.compactMap(\.frame?.origin.longitude) == [8, 20])
  }

  /// Whichever side the first point is on.
  @Test(arguments: [179.999999, -179.999999])
  func pointsOnBothSidesOfTheAntimeridianAreClose(first: Double) throws {
    let table = try PointCSV.read(
      path: file("id,t_ms,lon,lat\na,0,\(first),10\na,1000,\(-first),10\nb,0,\(-first),10\nb,1000,\(first),10\n"))
    let group = try #require(table.groups.first)
    #expect(group.points.allSatisfy { abs($0.x) < 30 })
    let contacts = ContactFinder(distance: 1).contacts(in: ObservedTracks(group.points))
    // They are 0.22 m apart and pass each other in the middle.
    #expect(contacts.map(\.duration) == [1_000_000])
    #expect(abs((contacts.first?.minimumDistance ?? 1) - 0) < 1e-6)
    #expect(abs((contacts.first?.minimumDistanceTime ?? 0) - 500_000) <= 1)
  }

  @Test func jsonLinesAreReadLikeRows() throws {
    let table = try PointJSONLines.read(
      path: file(
        """
        {"device": "p1", "t_ms": 5, "x": 1, "y": -2e0, "extra": {"a": [1, "}"]}, "floor": null}
        not json
        {"device":"p2","t_ms":6,"x":"3","y":4,"floor":1,"accuracy":2.5,"still_until":66}

        """, "points.jsonl"))
    #expect(table.devices == ["p1", "p2"])
    #expect(table.badRows.map(\.line) == [2])
    let group = table.groups[0]
    #expect(group.points.map(\.floor) == [Segment.unknownFloor, 1_000])
    #expect(group.points.map(\.x) == [1, 3])
    #expect(group.stillUntil == [.min, 66])
    #expect(group.accuracies[1] == 2.5)
  }

  /// One name in several spellings.
  @Test func escapesInNamesAreDecoded() throws {
    let lines = try file(
      """
      {"device": "caf\\u00e9 \\ud83d\\ude00", "t_ms": 1, "x": 1, "y": 1}
      {"device": "café 😀", "t_ms": 2, "x": 1, "y": 1}
      {"device": "a\\"b\\\\c\\/d", "t_ms": 2, "x": 1, "y": 1}
      {"device": "tab\\there", "t_ms": 2, "x": 1, "y": 1}
      {"device": "half\\ud83d", "t_ms": 2, "x": 1, "y": 1}
      {"device": "nobody", "venue": "\\x", "t_ms": 2, "x": 1, "y": 1}
      {"device": "café 😀", "venue": "v", "t_ms": 9, "x": 1, "y": 1}
      {"device": "new", "venue": "v", "t_ms": 9, "x": 1, "y": 1}

      """, "names.jsonl")
    let table = try PointJSONLines.read(path: lines)
    #expect(table.devices == ["a\"b\\c/d", "café 😀", "new"])
    #expect(table.badRows.map(\.line) == [4, 5, 6])
    #expect(table.groups.map(\.venue) == ["", "v"] && table.groups.map(\.points.count) == [3, 2])
    let rows = try PointCSV.read(path: file("id,t_ms,x,y\n\"a \"\"b\"\"\",1,0,0\n\"a b\",1,0,0\na b,2,0,0\n"))
    #expect(rows.devices == ["a \"b\"", "a b"])
  }

  /// A fault of the first line does not affect the others.
  @Test func theFirstLineMayBeBad() throws {
    let text = """
      half a line"}
      {"device":"p0","t_ms":4,"x":null,"y":4}
      {"device":"p1","t_ms":5,"x":1,"y":4}
      nonsense
      {"device":"p2","t_ms":6,"x":3,"y":4}

      """
    let path = try file(text, "first.jsonl")
    let table = try PointJSONLines.read(path: path)
    #expect(table.devices == ["p1", "p2"] && table.rows == 5)
    #expect(table.badRowCount == 3 && table.badRows.map(\.line) == [1, 2, 4])
    var options = PointFileOptions()
    options.isStrict = true
    let error = #expect(throws: PointFileError.self) { try PointJSONLines.read(path: path, options: options) }
    #expect(error?.code == .badRow && error?.line == 1)
    let none = try file("x\n{\"a\":1}\n", "none.jsonl")
    #expect(#expect(throws: PointFileError.self) { try PointJSONLines.read(path: none) }?.line == 1)
  }

  /// Five may be seconds, milliseconds or microseconds since the beginning.
  @Test(arguments: ["5", "0", "12.5"])
  func timesOfAnUnknownUnitAreRefused(time: String) throws {
    let path = try file("id,t,x,y\n1,\(time),0,0\n")
    let error = #expect(throws: PointFileError.self) { try PointCSV.windows(path: path) }
    #expect(error?.code == .unknownUnit && error?.line == 2)
    #expect(error?.message.contains("--time-unit") == true)
    var options = PointFileOptions()
    options.timeUnit = .seconds
    let table = try PointCSV.read(path: path, options: options)
    #expect(table.groups[0].points.map(\.time) == [Int64((Double(time) ?? -1) * 1_000)])
    let lines = try file("{\"id\":1,\"t\":\(time),\"x\":0,\"y\":0}\n", "small.jsonl")
    #expect(#expect(throws: PointFileError.self) { try PointJSONLines.read(path: lines) }?.code == .unknownUnit)
  }

  @Test func emptyAndMissingFilesAreReported() throws {
    for (text, code) in [("", PointFileError.Code.empty), ("a,b\n1,2\n", .missingColumn)] {
      let path = try file(text)
      let error = #expect(throws: PointFileError.self) { try PointCSV.read(path: path) }
      #expect(error?.code == code)
    }
    let error = #expect(throws: PointFileError.self) { try PointCSV.read(path: folder.path("none")) }
    #expect(error?.code == .unreadable)
    #expect(throws: PointFileError.self) { try PointCSV.read(path: folder.url.path) }
  }

  @Test func longLinesAndManyChunksAreReadCompletely() throws {
    var text = "id,t_ms,x,y,note\n"
    for k in 0..<60_000 { text += "\(k % 700),\(k),\(k).5,-\(k),\(String(repeating: "n", count: k % 90))\n" }
    let table = try PointCSV.read(path: file(text))
    #expect(table.pointCount == 60_000)
    #expect(table.devices.count == 700)
    #expect(table.groups[0].points[59_999].x == 59_999.5)
    #expect(table.groups[0].points.enumerated().allSatisfy { $1.time == Int64($0) && $1.y == -Double($0) })
  }

  @Test func workloadFilesReadCompletelyAndInWindows() throws {
    let segments = RandomTracks(devices: 6, span: 90_000, floors: [0, 1, 2], isSynchronous: true).segments(seed: 3)
    let points = segments.map { TrackPoint(device: $0.device, floor: $0.floor, time: $0.start, x: $0.x0, y: $0.y0) }
      .sorted { ($0.device, $0.time) < ($1.device, $1.time) }
    let path = try file("", "w.bin")
    try points.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: path)) }
    let whole = try WorkloadFile.read(path: path)
    #expect(whole.map(\.floor) == points.map { $0.floor * 1_000 })
    let tracks = ObservedTracks(whole, maximumGap: .seconds(3))
    let expected = ContactFinder(distance: 2).contacts(in: tracks)
    #expect(!expected.isEmpty)
    let windows = try #require(try WorkloadWindows(path: path, gap: 3_000))
    #expect(windows.pointCount == points.count)
    #expect(windows.intervalsBeyondGap == tracks.report.intervalsBeyondGap)
    #expect(windows.intervals == tracks.report.intervals)
    for length in [2_500, 20_000, 1_000_000] as [Int64] {
      let session = ContactSession(finder: ContactFinder(distance: 2))
      var list = ContactList()
      try windows.forEach(length: length, gap: 3_000) { window in
        session.run(
          ObservedTracks(window.points, maximumGap: .seconds(3)), from: Instant(milliseconds: window.start),
          to: Instant(milliseconds: window.end), into: &list)
        return true
      }
      session.finish(into: &list)
      #expect(
        list.contacts.sorted(by: { ($0.start, $0.first, $0.second) < ($1.start, $1.first, $1.second) }) == expected)
    }
    try Data(count: 33).write(to: URL(fileURLWithPath: path))
    #expect(throws: WorkloadFile.Failure.truncated(path: path, bytes: 33)) { try WorkloadFile.read(path: path) }
  }
}
