import CordonContacts
import CordonCore
import CordonExchange
import CordonSupport
import CordonTestSupport
import Foundation
import Testing

/// The readers' interpretation of values.
@Suite struct PointFilesTests {
  private func table(
    _ text: String, name: String = "points.csv", options: PointFileOptions = PointFileOptions()
  ) throws -> PointTable {
    let scratch = try TemporaryFolder()
    let folder = scratch.url
    let url = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return try PointFiles.read([PointFile(path: url.path)], options: options)
  }

  /// The same point in every form; the first one fixes that places are degrees.
  @Test(arguments: [
    "POINT (8.54 47.37)", "point(8.54 47.37)", "POINT Z (8.54 47.37 400)", "SRID=4326;POINT(8.54 47.37)",
    "0101000020E610000014AE47E17A1421408FC2F5285CAF4740", "010100000014ae47e17a1421408fc2f5285caf4740",
    "\\x010100000014ae47e17a1421408fc2f5285caf4740", "00000000014021147ae147ae144047af5c28f5c28f",
  ])
  func databaseGeometriesAreRead(geometry: String) throws {
    var options = PointFileOptions()
    options.origin = Coordinate(longitude: 8.54, latitude: 47.37)
    let found = try table("id,t_ms,geom\na,0,\(geometry)\n", options: options)
    #expect(found.badRowCount == 0, "\(found.badRows)")
    let point = try #require(found.groups.first?.points.first)
    #expect(abs(point.x) < 1e-3 && abs(point.y) < 1e-3)
  }

  @Test(arguments: [
    "", "POINT EMPTY", "POINT (8.54)", "LINESTRING (8 47, 9 47)", "POINT (8.54 47.37", "0102000000", "01010000", "xyz",
    "SRID=3857;POINT(950000 6000000)", "POINT (nan 47)", "0101000000zz", "SRID=;POINT(8 47)", "POINT (200 47)",
    "01010000000000000000000080000000000000F87F",
  ])
  func otherGeometriesAreBadRows(geometry: String) throws {
    let found = try table("id,t_ms,geom\na,0,\"\(geometry)\"\nb,0,POINT(8 47)\n")
    #expect(found.badRowCount == 1 && found.groups.first?.points.count == 1, "\(found.badRows)")
    #expect(!found.badRows.contains { $0.reason.contains("47") })
  }

  /// Geometries in metres: by their coordinate system, or by the option.
  @Test func geometriesCanBeInMetres() throws {
    let swiss = try table("id,t_ms,geom\na,0,SRID=2056;POINT(2600000 1200000)\n")
    #expect(swiss.groups.first?.points.first?.x == 2_600_000 && swiss.groups.first?.frame == nil)
    var options = PointFileOptions()
    options.isMetres = true
    let hall = try table("id,t_ms,geom\na,0,POINT(12.5 3.25)\n", options: options)
    #expect(hall.groups.first?.points.first?.x == 12.5)
  }

  /// Lengths are metres, whatever unit a name has in brackets; that is reported.
  @Test func anotherUnitOfAColumnIsReported() throws {
    let centimetres = try table("id,t_ms,x (cm),y (cm)\na,0,150,20\n")
    #expect(centimetres.groups.first?.points.first?.x == 150)
    #expect(centimetres.reading.assumed == ["the column x (cm) is read as metres; convert other units before"])
    #expect(try table("id,t_ms,x (m),y (m)\na,0,1.5,0.2\n").reading.assumed.isEmpty)
  }

  /// Every combination of a comma and a point; a comma inside quotes of a comma-separated file is not a decimal
  /// comma.
  @Test func decimalCommasAreReadWhenCommasDoNotSeparate() throws {
    let found = try table("id;t_ms;x;y;accuracy\na;0;1,5;-2,25;3\nb;0;1.5;-2.25;\nc;0;1,5,5;0;\n")
    #expect(
      found.groups.first?.points.map(\.x) == [1.5, 1.5] && found.groups.first?.points.map(\.y) == [-2.25, -2.25])
    #expect(found.badRowCount == 1 && found.reading.assumed == ["commas in numbers are read as decimal points"])
    #expect(try table("id,t_ms,x,y\na,0,\"1,5\",0\nb,0,1,0\n").badRowCount == 1)
  }

  /// Every hour of the two nights in which clocks change, in both directions; and the readings that clocks skip or
  /// repeat.
  @Test func localTimesBecomeInstants() throws {
    let zone = try #require(LocalZone("Europe/Berlin"))
    var options = PointFileOptions()
    options.timeZone = zone
    let cases = [
      ("2026-03-29 01:59:59", "2026-03-29T00:59:59.000Z"), ("2026-03-29 03:00:00", "2026-03-29T01:00:00.000Z"),
      // Skipped: as if clocks had not been set forward.
      ("2026-03-29 02:30:00", "2026-03-29T01:30:00.000Z"), ("2026-10-25 01:59:59", "2026-10-24T23:59:59.000Z"),
      // Shown twice: the first time.
      ("2026-10-25 02:30:00", "2026-10-25T00:30:00.000Z"), ("2026-10-25 03:00:00", "2026-10-25T02:00:00.000Z"),
      // A zone in the text decides.
      ("2026-10-25 02:30:00Z", "2026-10-25T02:30:00.000Z"),
    ]
    let rows = cases.enumerated().map { "d\(10 + $0.offset),\($0.element.0),0,0\n" }.joined()
    let found = try table("id,time,x,y\n" + rows, options: options)
    #expect(found.groups.first?.points.map { Instant(milliseconds: $0.time).rfc3339 } == cases.map(\.1))
    #expect(found.reading.assumed == ["times without a zone are read in the zone Europe/Berlin"])
    // A column named UTC needs no zone, and no assumption.
    let utc = try table("id,time_utc,x,y\na,2026-07-05 08:00:00,0,0\n", options: options)
    #expect(utc.groups.first?.points.first?.time == 1_783_238_400_000 && utc.reading.assumed.isEmpty)
    #expect(LocalZone("Mars/Olympus") == nil && LocalZone("") == nil && LocalZone("+25:00") == nil)
  }

  /// The message about a missing column holds names of columns, and nothing that may be personal.
  @Test(arguments: [
    ("when,who,where\n", true), ("Jane Doe,2026-01-05T08:00:00Z,11.58\n", false), ("jane@example.org,x\n", false),
  ])
  func messagesQuoteNamesOfColumnsOnly(header: String, isQuoted: Bool) {
    let error = #expect(throws: PointFileError.self) { try table(header) }
    let message = error?.message ?? ""
    #expect(
      message.contains("who") == isQuoted && !message.contains("Jane") && !message.contains("example"), "\(message)")
  }

  /// Names that differ only in letters outside UTF-8 stay two, in any piece of the file.
  @Test func namesThatAreNotUTF8StayDistinct() throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url
    let path = folder.appendingPathComponent("p.csv")
    var data = Data("device,t_ms,x,y\n".utf8)
    // The first non-ASCII letters come after some pieces.
    for k in 0..<150_000 { data += Data("d\(k % 7),\(k),0,0\n".utf8) }
    data += Data([0x4D, 0xFC]) + Data("ller,1,0,0\n".utf8) + Data([0x4D, 0xF6]) + Data("ller,1,0,0\n".utf8)
    for k in 0..<150_000 { data += Data("d\(k % 7)\u{FC},\(k),0,0\n".data(using: .isoLatin1) ?? Data()) }
    try data.write(to: path)
    let found = try PointFiles.read([PointFile(path: path.path)])
    #expect(found.devices.contains("Müller") && found.devices.contains("Möller") && found.devices.contains("d3ü"))
    #expect(found.devices.count == 16 && found.badRowCount == 0 && found.rows == 300_002)
    #expect(found.reading.assumed == ["text that is not UTF-8 is read as Windows-1252"])
    // A file in both encodings: nothing is lost, and names stay distinct.
    try (Data("device,t_ms,x,y\nMüller,0,0,0\n".utf8) + Data([0x4D, 0xFC]) + Data("ller,0,1,0\n".utf8)).write(to: path)
    #expect(try Set(PointFiles.read([PointFile(path: path.path)]).devices).count == 2)
  }

  /// A name that ``CSVCell`` escaped reads back unchanged, so a device has one name in every table.
  @Test func escapedNamesReadBackUnchanged() throws {
    for name in [
      "=cmd|calc", "'=cmd", "-1", "'-1", "-1+1", "b\u{1b}[31mred", "b\\u{1b}[31mred", "say \"=\", a", "'h", "plain",
    ] {
      let found = try table("id,t_ms,x,y\n\(CSVCell.text(name)),0,0,0\n\(CSVCell.text(name)),1,0,0\n")
      #expect(found.devices == [name])
    }
  }

  /// Floors below the ground stay numbers; everything else that begins like a formula gets an apostrophe.
  @Test(arguments: [
    ("-1", "-1"), ("+2", "+2"), ("-0.5", "-0.5"), ("-", "'-"), ("-1+1", "'-1+1"), ("-.5", "'-.5"), ("-1.", "'-1."),
    ("-1.2.3", "'-1.2.3"), ("--1", "'--1"), ("'-1", "''-1"), ("=1", "'=1"), ("-1e5", "'-1e5"), ("1", "1"),
  ])
  func signedNumbersStayNumbers(text: String, cell: String) {
    #expect(CSVCell.text(text) == cell)
    #expect(CSVCell.plain(cell) == text)
  }

  /// Rows out of order are counted, per device and file.
  @Test func rowsOutOfOrderAreCounted() throws {
    let found = try table("id,t_ms,x,y\na,5,0,0\nb,1,0,0\na,4,0,0\na,5,0,0\na,6,0,0\nb,0,0,0\na,1,0,0\n")
    #expect(found.reading.outOfOrder == 3 && found.rows == 7)
  }
}

/// Real tables beside the checkout.
enum RealTables {
  static let folder = Places.realData
  static let isThere = FileManager.default.fileExists(atPath: folder.path)
}

@Suite(.enabled(if: RealTables.isThere, "the measured data are not here"))
struct RealTablesTests {

  /// Every row of the files except the header is a point; assumptions are reported.
  @Test(arguments: [
    ("sdu-xovis-uwb/raw_uwbtags.csv", "times without a zone are read as UTC", ""),
    ("sdu-xovis-uwb/raw_xovis.csv", "", ""),
    ("juelich-pedpy/n34_cam2.csv", "", "Frame"), ("juelich-pedpy/n56_cam1.csv", "", "Frame"),
  ])
  func everyRowBecomesAPoint(name: String, assumed: String, time: String) throws {
    let path = RealTables.folder.appendingPathComponent(name).path
    var options = PointFileOptions()
    options.isStrict = true
    if !time.isEmpty {
      options.columns[.time] = time
      options.timeUnit = .milliseconds
    }
    let found = try PointFiles.read([PointFile(path: path)], options: options)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline).count
    #expect(found.rows == lines - 1 && found.groups.reduce(0) { $0 + $1.points.count } == lines - 1)
    #expect(found.reading.assumed == (assumed.isEmpty ? [] : [assumed]))
  }
}
