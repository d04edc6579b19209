import CordonTestSupport
import Foundation
import Testing

/// Input that is not a table of points, or not in the usual form.
@Suite("Input in other forms")
struct ForeignInputTests {
  private let near =
    "a,2026-01-05T08:00:00Z,0,0\na,2026-01-05T08:00:10Z,0,0\nb,2026-01-05T08:00:00Z,1,0\nb,2026-01-05T08:00:10Z,1,0\n"

  // MARK: Files of another kind

  /// The file is recognised, the error names the remedy, and the file's contents are not printed.
  @Test func filesOfAnotherFormatAreNamedAndNotQuoted() throws {
    let scratch = try TemporaryFolder()
    let point =
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[11.58123,48.14321]},\"properties\":{}}"
    let geojson =
      "{\"type\":\"FeatureCollection\",\"features\":[\(Array(repeating: point, count: 20_000).joined(separator: ","))]}"
    let files: [(name: String, data: Data, says: [String])] = [
      ("j.gpx", Data("<gpx><author>Jane Doe</author><trk/></gpx>".utf8), ["is GPX", "cordon trace convert"]),
      ("j.geojson", Data(geojson.utf8), ["is GeoJSON", "cordon trace convert"]),
      ("j.csv", Data(geojson.utf8), ["is GeoJSON", "cordon trace convert"]),
      (
        "j.kml", Data("<kml><Placemark><name>Jane Doe</name></Placemark></kml>".utf8),
        ["is KML", "cordon trace convert"]
      ),
      (
        "j.nmea", Data("$GPRMC,080000,A,4808.4,N,01134.8,E,0,0,050126,,*1F\n".utf8),
        ["is NMEA", "cordon trace convert"]
      ),
      ("j.rec", Data("2026-01-05T08:00:00Z\t*\t{\"_type\":\"location\",\"lat\":48.14321}\n".utf8), ["is OwnTracks"]),
      ("j.parquet", Data("PAR1".utf8) + Data(count: 100), ["is Parquet", "CSV"]),
      ("j.gpkg", Data("SQLite format 3\0".utf8) + Data(count: 52) + Data("GPKG".utf8), ["GeoPackage"]),
      ("j.xlsx", Data("PK\u{3}\u{4}xxxx[Content_Types].xml".utf8), ["Excel", "CSV"]),
      ("j.png", Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]) + Data(count: 20), ["PNG"]),
      ("j.dat", Data([1, 2, 0, 3, 0, 4]) + Data("Jane Doe".utf8), ["binary"]),
      ("k.csv", Data("Jane Doe,11.58123,48.14321\nJane Doe,11.58123,48.14321\n".utf8), ["no column for"]),
      ("n.csv", Data("Ausweis;Zeitpunkt;Länge [°];Breite [°]\n".utf8), ["its columns are Ausweis, Zeitpunkt"]),
      ("m.csv", Data((String(repeating: "secret,", count: 1_000_000) + "\n").utf8), ["no column for"]),
    ]
    for file in files {
      let path = scratch.path(file.name)
      try file.data.write(to: URL(fileURLWithPath: path))
      let result = try CordonProcess.run(["contacts", "find", path])
      #expect(result.status == 2 && result.output.isEmpty, "\(file.name)")
      for word in file.says { #expect(result.errors.contains(word), "\(file.name): \(result.errors.prefix(600))") }
      for secret in ["Jane", "11.58", "48.14", "\0", "\u{FFFD}"] {
        #expect(!result.errors.contains(secret), "\(file.name): \(result.errors.prefix(600))")
      }
      #expect(result.errors.utf8.count < 700, "\(file.name): \(result.errors.utf8.count) bytes")
    }
  }

  /// The same for the other files of a replay.
  @Test func aWrongFileOfExpectationsIsNotQuoted() throws {
    let scratch = try TemporaryFolder()
    let walk = TraceLibrary.folder.appendingPathComponent("in-and-out.gpx").path
    let path = try scratch.write("a: [11.58123, 48.14321\nJane Doe: }\n", to: "e.yaml")
    let result = try CordonProcess.run(["replay", walk, "--venue", Places.office, "--expect", path])
    #expect(result.status == 2 && result.errors.contains("is not YAML"), "\(result.errors)")
    #expect(result.errors.contains("line 2") && !result.errors.contains("Jane") && !result.errors.contains("11.58"))
  }

  /// The command in the message does what it says.
  @Test func theSuggestedCommandWorks() throws {
    let scratch = try TemporaryFolder()
    let source = TraceLibrary.folder.appendingPathComponent("two-who-meet.gpx")
    try FileManager.default.copyItem(at: source, to: scratch.url.appendingPathComponent("walk.gpx"))
    let refused = try CordonProcess.run(["contacts", "find", "walk.gpx"], in: scratch.url)
    let advice = try #require(
      refused.errors.split(separator: "\n").first?.components(separatedBy: "with: cordon ").last)
    let words = advice.split(separator: " ").map(String.init)
    #expect(try CordonProcess.run(words, in: scratch.url).status == 0, "\(words)")
    let found = try CordonProcess.run(["contacts", "find", "walk.csv", "--json"], in: scratch.url)
    #expect(found.status == 0, "\(found.errors)")
    #expect(try found.json()["devices"] as? Int == 2)
  }

  // MARK: Encodings

  @Test func textInOtherEncodingsIsRead() throws {
    let scratch = try TemporaryFolder()
    let text =
      "device,time,x,y\nMüller,2026-01-05T08:00:00Z,0,0\nMüller,2026-01-05T08:00:10Z,0,0\nMöller,2026-01-05T08:00:00Z,1,0\nMöller,2026-01-05T08:00:10Z,1,0\n"
    let forms: [(name: String, data: Data?, says: String?)] = [
      ("utf8", text.data(using: .utf8), nil), ("bom", Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8), nil),
      ("latin1", text.data(using: .isoLatin1), "Windows-1252"),
      ("utf16le", Data([0xFF, 0xFE]) + (text.data(using: .utf16LittleEndian) ?? Data()), "UTF-16"),
      ("utf16be", Data([0xFE, 0xFF]) + (text.data(using: .utf16BigEndian) ?? Data()), "UTF-16"),
      ("returns", text.replacingOccurrences(of: "\n", with: "\r").data(using: .utf8), "carriage returns"),
      ("mac", text.replacingOccurrences(of: "\n", with: "\r").data(using: .isoLatin1), "Windows-1252"),
    ]
    for form in forms {
      let (path, out) = (scratch.path("\(form.name).csv"), scratch.path("\(form.name)-out.csv"))
      try #require(form.data).write(to: URL(fileURLWithPath: path))
      let result = try CordonProcess.run(["contacts", "find", path, "--strict", "--json", "-o", out])
      #expect(result.status == 0, "\(form.name): \(result.errors)")
      let rows = try Rows(path: out)
      #expect(rows["device_a"] == "Möller" && rows["device_b"] == "Müller", "\(form.name): \(rows.rows)")
      let assumed = try #require(try result.json()["assumed"] as? [String])
      #expect(form.says.map { says in assumed.contains { $0.contains(says) } } ?? assumed.isEmpty, "\(assumed)")
      let info = try CordonProcess.run(["trace", "info", path, "--json"]).json()
      #expect(info["points"] as? Int == 4 && info["devices"] as? Int == 2, "\(form.name)")
    }
  }

  // MARK: Places

  @Test func degreesInColumnsOfMetresAreRefused() throws {
    let scratch = try TemporaryFolder()
    let text = """
      id,time,x,y
      a,2026-01-01T08:00:00Z,-73.9772,40.7527
      a,2026-01-01T08:00:10Z,-73.9772,40.7527
      b,2026-01-01T08:00:00Z,-73.2,40.1
      b,2026-01-01T08:00:10Z,-73.2,40.1

      """
    let path = try scratch.write(text, to: "points.csv")
    for command in [["contacts", "find"], ["trace", "info"]] {
      let refused = try CordonProcess.run(command + [path])
      #expect(refused.status == 2, "\(command)")
      for word in ["look like degrees", "--metres", "--column longitude=x"] {
        #expect(refused.errors.contains(word), "\(refused.errors)")
      }
      #expect(try CordonProcess.run(command + [path, "--metres"]).status == 0)
      #expect(
        try CordonProcess.run(command + [path, "--column", "longitude=x", "--column", "latitude=y"]).status == 0)
    }
    let metres = try CordonProcess.run(["contacts", "find", path, "--metres", "--json"]).json()
    #expect(metres["contacts"] as? Int == 1)
    let degrees = ["--column", "longitude=x", "--column", "latitude=y", "--json"]
    #expect(try CordonProcess.run(["contacts", "find", path] + degrees).json()["contacts"] as? Int == 0)
  }

  /// Two people who walk through a hall are not treated as one who moves at two thousand kilometres a second.
  @Test func metresWithDecimalsAreMetres() throws {
    let scratch = try TemporaryFolder()
    var text = "device,t_s,x,y\n"
    for second in 0..<20 {
      text += "a,\(second),\(Double(second) * 1.2 + 3.125),4.125\nb,\(second),\(Double(second) + 3.375),5.125\n"
    }
    let path = try scratch.write(text, to: "points.csv")
    #expect(try CordonProcess.run(["contacts", "find", path, "--json"]).json()["contacts"] as? Int == 1)
  }

  @Test func theChoiceBetweenDegreesAndMetresIsReported() throws {
    let scratch = try TemporaryFolder()
    let text = """
      device,time,x,y,lon,lat
      a,2026-01-01T08:00:00Z,0,0,8.54,47.37
      a,2026-01-01T08:00:10Z,0,0,8.54,47.37
      b,2026-01-01T08:00:00Z,1,0,8.55,47.37
      b,2026-01-01T08:00:10Z,1,0,8.55,47.37

      """
    let path = try scratch.write(text, to: "points.csv")
    let degrees = try CordonProcess.run(["contacts", "find", path, "--json"])
    #expect(try degrees.json()["contacts"] as? Int == 0)
    #expect(degrees.errors.contains("x and y are not used"), "\(degrees.errors)")
    let info = try CordonProcess.run(["trace", "info", path])
    #expect(info.output.contains("x and y are not used"), "\(info.output)")
    let metres = try CordonProcess.run(["contacts", "find", path, "--metres", "--json"])
    #expect(try metres.json()["contacts"] as? Int == 1)
    #expect(metres.errors.isEmpty)
  }

  // MARK: Floors

  @Test func floorsAreNamedByTheVenue() throws {
    let scratch = try TemporaryFolder()
    let venue = try CordonProcess.run(["venue", "info", Places.office, "--json"]).json()
    let floor = try #require((venue["floors"] as? [[String: Any]])?.last)
    let (id, ordinal) = (try #require(floor["id"] as? String), try #require(floor["ordinal"] as? Double))
    var text = "device,time,lon,lat,floor\n"
    for (device, name) in [("a", id), ("b", id.uppercased())] {
      for second in ["00", "10"] { text += "\(device),2026-01-05T08:00:\(second)Z,11.5803,48.1401,\(name)\n" }
    }
    let path = try scratch.write(text, to: "points.csv")
    let out = scratch.path("contacts.csv")
    let without = try CordonProcess.run(["contacts", "find", path])
    #expect(without.status == 2 && without.errors.contains("--venue gives floors their names"), "\(without.errors)")
    let found = try CordonProcess.run(["contacts", "find", path, "--venue", Places.office, "--strict", "-o", out])
    #expect(found.status == 0, "\(found.errors)")
    #expect(try Rows(path: out)["floor"].flatMap(Double.init) == ordinal)
    let info = try CordonProcess.run(["trace", "info", path, "--venue", Places.office, "--json"])
    #expect(info.status == 0, "\(info.output)")
    #expect(try info.json()["with_floor"] as? Int == 4)
    #expect(try CordonProcess.run(["trace", "info", path]).status == 1)
  }

  // MARK: Several files

  @Test func severalFilesAreReadAsOne() throws {
    let scratch = try TemporaryFolder()
    let lines = near.split(separator: "\n")
    let paths = [
      try scratch.write("device,time,x,y\n" + lines[..<2].joined(separator: "\n") + "\n", to: "1.csv"),
      try scratch.write(
        "{\"device\":\"b\",\"time\":\"2026-01-05T08:00:00Z\",\"x\":1,\"y\":0}\n{\"device\":\"b\",\"time\":1767600010000,\"x\":1,\"y\":0}\n",
        to: "2.jsonl"),
      try scratch.write("when;badge;east;north\n", to: "3.csv"),
    ]
    for command in ["find", "exposures", "network", "occupancy"] {
      let result = try CordonProcess.run(["contacts", command, "--json"] + paths.prefix(2))
      #expect(result.status == 0, "\(command): \(result.errors)")
    }
    let found = try CordonProcess.run(["contacts", "find", "--json"] + paths.prefix(2)).json()
    #expect(found["points"] as? Int == 4 && found["devices"] as? Int == 2 && found["contacts"] as? Int == 1)
    // The error names the file.
    let wrong = try CordonProcess.run(["contacts", "find"] + paths)
    #expect(wrong.status == 2 && wrong.errors.contains("3.csv: has no column"), "\(wrong.errors)")
    try Data("device,time,x,y\nb,soon,0,0\n".utf8).write(to: URL(fileURLWithPath: paths[2]))
    let bad = try CordonProcess.run(["contacts", "find"] + paths)
    #expect(bad.status == 0 && bad.errors.contains("3.csv: line 2: the time cannot be read"), "\(bad.errors)")
    try Data("device,time,lon,lat\nb,2026-01-05T08:00:00Z,0,0\n".utf8).write(to: URL(fileURLWithPath: paths[2]))
    let mixed = try CordonProcess.run(["contacts", "find"] + paths)
    #expect(mixed.status == 2 && mixed.errors.contains("the files before it in metres"), "\(mixed.errors)")
    #expect(try CordonProcess.run(["contacts", "find", "-", "-"]).status == 2)
    let run = try CordonProcess.run(["contacts", "find", paths[0], scratch.url.path])
    #expect(run.status == 2 && run.errors.contains("read alone"), "\(run.errors)")
    // No input file is overwritten.
    #expect(try CordonProcess.run(["contacts", "find", paths[0], paths[1], "-o", paths[0], "--force"]).status == 2)
  }

  @Test func verticalBarsSeparateFields() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(
      "device|time|lon|lat\na|2026-01-05T08:00:00Z|8,54|47,37\nb|2026-01-05T08:00:00Z|8,54001|47,37\n", to: "bars.csv")
    let found = try CordonProcess.run(["contacts", "find", "--json", file]).json()
    #expect(found["points"] as? Int == 2 && found["contacts"] as? Int == 1)
    let trace = try CordonProcess.run(["trace", "info", file])
    #expect(trace.status == 0, "\(trace.errors)")
  }

  /// The American and the British day of 01/02/2026 differ, so neither is guessed.
  @Test func anUnreadableTimeHasARemedy() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write("device,time,lon,lat\na,01/02/2026 10:00:00,8.54,47.37\n", to: "dates.csv")
    let result = try CordonProcess.run(["contacts", "find", file])
    #expect(result.status == 2 && result.errors.contains("it is written as 2026-01-31T10:00:00Z"), "\(result.errors)")
    #expect(!result.errors.contains("01/02"))
  }

  @Test func aFileCanNameItsDevice() throws {
    let scratch = try TemporaryFolder()
    let head = "time,lat,lon,elevation,accuracy,provider\n"
    let paths = try ["8.54", "8.54001"].enumerated().map { number, longitude in
      try scratch.write(
        head
          + "2026-01-05T08:00:00.000Z,47.37,\(longitude),400,4,gps\n2026-01-05T08:00:10.000Z,47.37,\(longitude),400,4,gps\n",
        to: "phone-\(number + 1).csv")
    }
    let refused = try CordonProcess.run(["contacts", "find"] + paths)
    #expect(refused.status == 2 && refused.errors.contains("--device-from file"), "\(refused.errors)")
    let out = scratch.path("contacts.csv")
    let found = try CordonProcess.run(["contacts", "find", "--device-from", "file", "--json", "-o", out] + paths)
    #expect(try found.json()["contacts"] as? Int == 1, "\(found.errors)")
    let rows = try Rows(path: out)
    #expect(rows["device_a"] == "phone-1" && rows["device_b"] == "phone-2")
  }

  // MARK: Times and order

  /// 08:00 in Zurich on a winter's day is 07:00 UTC, on a summer's day 06:00; the days of exposures follow the zone too.
  @Test(arguments: [("2026-01-05", "2026-01-05T07:00:00.000000Z"), ("2026-07-05", "2026-07-05T06:00:00.000000Z")])
  func timesWithoutAZoneAreReadInTheGivenZone(day: String, start: String) throws {
    let scratch = try TemporaryFolder()
    let text =
      "device,time,x,y\n"
      + near.replacingOccurrences(of: "2026-01-05", with: day).replacingOccurrences(of: "Z", with: "")
    let path = try scratch.write(text, to: "points.csv")
    let out = scratch.path("contacts.csv")
    for zone in ["Europe/Zurich", day.contains("-07-") ? "+02:00" : "+01:00"] {
      let result = try CordonProcess.run(["contacts", "find", path, "--time-zone", zone, "-o", out, "--force"])
      #expect(result.status == 0 && result.errors.contains("read in the zone \(zone)"), "\(result.errors)")
      #expect(try Rows(path: out)["start"] == start)
    }
    let info = try CordonProcess.run(["trace", "info", path, "--time-zone", "Europe/Zurich", "--json"]).json()
    #expect((info["first"] as? String)?.prefix(19) == start.prefix(19))
    let wrong = try CordonProcess.run(["contacts", "find", path, "--time-zone", "Mars"])
    #expect(wrong.status == 2 && wrong.errors.contains("Europe/Berlin"), "\(wrong.errors)")
  }

  /// The order of rows changes nothing, and every command reports it.
  @Test func theOrderOfRowsDoesNotChangeTheResult() throws {
    let scratch = try TemporaryFolder()
    let walk = TraceLibrary.folder.appendingPathComponent("in-and-out.gpx").path
    let sorted = scratch.path("sorted.csv")
    #expect(try CordonProcess.run(["trace", "convert", walk, "-o", sorted]).status == 0)
    var lines = try String(contentsOfFile: sorted, encoding: .utf8).split(separator: "\n").map(String.init)
    lines = [lines[0]] + lines.dropFirst().reversed()
    // The file name does not matter: the fixes of both have one device.
    let folder = scratch.url.appendingPathComponent("mixed")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let mixed = folder.appendingPathComponent("sorted.csv").path
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: mixed))
    let late = lines.count - 2
    let info = try CordonProcess.run(["trace", "info", mixed, "--json"]).json()
    #expect(info["out_of_order"] as? Int == late)
    #expect(try CordonProcess.run(["trace", "info", mixed]).output.contains("not in the order of time"))
    #expect(try CordonProcess.run(["trace", "info", sorted]).output.contains("in the order of time"))
    let replays = try [sorted, mixed].map {
      try CordonProcess.run(["replay", $0, "--venue", Places.office, "--json"]).json()
    }
    #expect(replays[0]["stored"] as? Int == replays[1]["stored"] as? Int)
    #expect((replays[1]["refused"] as? [String: Int])?["stale"] == nil)
    #expect((replays[1]["assumed"] as? [String])?.contains { $0.contains("times decide") } == true, "\(replays[1])")
    // A phone that gets them late refuses them, and the summary names the reason.
    let told = try CordonProcess.run(["replay", mixed, "--venue", Places.office, "--file-order"])
    #expect(told.output.contains(" stale"), "\(told.output.suffix(400))")
    #expect(told.output.contains("delivered so"))
    let table = try scratch.write(
      "device,time,x,y\n" + near.split(separator: "\n").reversed().joined(separator: "\n") + "\n", to: "near.csv")
    let found = try CordonProcess.run(["contacts", "find", table, "--json"])
    #expect(try found.json()["out_of_order"] as? Int == 2 && found.json()["contacts"] as? Int == 1)
    #expect(found.errors.contains("2 rows after a later one of the device"), "\(found.errors)")
  }

  @Test(arguments: ["find", "exposures", "network", "occupancy"])
  func inputWithoutUsablePointsIsAnError(command: String) throws {
    let scratch = try TemporaryFolder()
    let far = try scratch.write(
      "device,time,x,y\na,2026-01-05T08:00:00Z,2e9,0\na,2026-01-05T08:00:10Z,2e9,0\n", to: "far.csv")
    let old = try scratch.write("device,time_s,x,y\na,1e11,0,0\na,1e11,0,0\n", to: "old.csv")
    for path in [far, old] {
      for strict in [[], ["--strict"]] {
        let result = try CordonProcess.run(["contacts", command, path, "--json"] + strict)
        #expect(result.status == 2 && result.output.isEmpty, "\(path) \(strict): \(result.output)\(result.errors)")
        #expect(result.errors.contains("usable") || result.errors.contains("1678"), "\(result.errors)")
      }
    }
  }
}
