import CordonCore
import CordonExchange
import CordonGeometry
import Foundation
import Testing

/// A written trace reads back unchanged.
@Suite struct RoundTripTests {
  private func plain(_ trace: Trace, elevations: Bool, names: Bool = false) -> [TraceTrack] {
    trace.tracks.map { track in
      var track = track
      if !names { track.name = "" }
      for index in track.points.indices {
        track.points[index].line = 0
        if !elevations { track.points[index].elevation = nil }
      }
      return track
    }
  }

  @Test(arguments: [TraceFormat.gpx, .kml, .csv, .geojson, .mfJSON, .overland, .owntracks, .ingest, .capture])
  func roundTripsKeepEverything(_ format: TraceFormat) throws {
    let trace = SampleTrace.make()
    let bytes = try TraceWriter.bytes(of: trace, as: format)
    let read = try TraceFile.read(bytes, name: "x")
    #expect(read.format == format)
    #expect(read.faultCount == 0)
    // KML has no way to leave a height out; CSV and rows have no heights.
    let hasNames = format == .gpx || format == .kml
    #expect(plain(read, elevations: false, names: hasNames) == plain(trace, elevations: false, names: hasNames))
    #expect(read.tracks.contains { $0.points.contains { $0.isMocked } })
    // Writing what was read gives the same bytes.
    if format != .kml { #expect(try TraceWriter.bytes(of: read, as: format) == bytes) }
  }

  private static let namesWithControls = [
    "b\u{1b}[31mred", "b\\u{1b}[31mred", "\u{9b}2J", "del\u{7f}", "\\u{5c}u{1b}", "a\\b", "\\", "\\u{", "\\u{zz}",
    "Müller Â",
  ]

  /// No spreadsheet evaluates a name, no terminal runs it, and yet it reads back unchanged.
  @Test func namesLikeFormulasAreEscapedAndKept() throws {
    for name in ["=1+1", "-a", "+b", "@c", "|d", "%e", "'=f", "''-g", "'h", "=a,\"b\"", "plain"]
      + Self.namesWithControls
    {
      var trace = SampleTrace.make(devices: 1)
      trace.tracks[0].device = name
      let bytes = try TraceWriter.bytes(of: trace, as: .csv)
      let cell = String(decoding: bytes, as: UTF8.self).split(separator: "\n")[1]
      #expect(!cell.hasPrefix("=") && !cell.hasPrefix("-") && !cell.hasPrefix("+") && !cell.hasPrefix("@"))
      #expect(!cell.hasPrefix("\"=") && !cell.hasPrefix("|") && !cell.hasPrefix("%"))
      #expect(!bytes.contains { $0 == 0x1B || $0 == 0x7F }, "\(cell)")
      #expect(!cell.unicodeScalars.contains { (0x80...0x9F).contains($0.value) }, "\(cell)")
      let read = try TraceFile.read(bytes, name: "x")
      #expect(read.tracks.map(\.device) == [name])
      #expect(try TraceWriter.bytes(of: read, as: .csv) == bytes)
    }
  }

  /// The names of devices survive any number of round trips.
  @Test(arguments: [TraceFormat.gpx, .kml, .csv, .geojson, .mfJSON, .overland, .owntracks, .ingest, .capture])
  func namesWithQuotesAndMarksAreKept(_ format: TraceFormat) throws {
    var sample = SampleTrace.make(devices: 1)
    sample.tracks[0].points = Array(sample.tracks[0].points.prefix(2))
    let parts = ["a", "\"", "\"\"", ",", ";", "b c", "é"]
    for index in 0..<(parts.count * parts.count * parts.count) {
      let middle = parts[index % 7] + parts[index / 7 % 7] + parts[index / 49]
      var trace = sample
      trace.tracks[0].device = "n" + middle + (index % 2 == 0 ? "z" : "\"")
      let bytes = try TraceWriter.bytes(of: trace, as: format)
      let read = try TraceFile.read(bytes, name: "x")
      #expect(read.tracks.map(\.device) == [trace.tracks[0].device], "\(format)")
    }
  }

  @Test func compressedFilesReadEqual() throws {
    let bytes = try TraceWriter.bytes(of: SampleTrace.make(), as: .gpx)
    let packed = TraceWriter.gzipped(bytes)
    let path = "/tmp/cordon-trace-\(bytes.count).gpx.gz"
    try packed.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: path)) }
    defer { try? FileManager.default.removeItem(atPath: path) }
    let read = try TraceFile.read(path: path)
    #expect(try TraceWriter.bytes(of: read, as: .gpx) == bytes)
  }

  @Test func sentencesKeepPlaceTimeAndAccuracy() throws {
    let trace = SampleTrace.make(devices: 1)
    let read = try TraceFile.read(try TraceWriter.bytes(of: trace, as: .nmea), name: "x")
    #expect(read.faultCount == 0)
    let (before, after) = (trace.tracks[0].points, read.tracks[0].points)
    #expect(before.map { $0.time.map { $0.milliseconds / 10 } } == after.map { $0.time.map { $0.milliseconds / 10 } })
    for (a, b) in zip(before, after) {
      guard case .degrees(let p) = a.place, case .degrees(let q) = b.place else { continue }
      #expect(abs(p.longitude - q.longitude) < 2e-9)
      #expect(abs(p.latitude - q.latitude) < 2e-9)
      #expect((a.accuracy == nil) == (b.accuracy == nil))
      #expect(a.isMocked == b.isMocked)
      #expect(abs((a.accuracy ?? 0) - (b.accuracy ?? 0)) < 1e-3)
    }
  }

  /// A format reports everything that it cannot hold; everything else reads back (see above).
  @Test(arguments: TraceFormat.allCases)
  func lossesOfAFormatAreCounted(_ format: TraceFormat) throws {
    let trace = SampleTrace.make(devices: 1)
    let points = trace.tracks[0].points
    let read = try TraceFile.read(try TraceWriter.bytes(of: trace, as: format), name: "x").tracks[0].points
    var lost: [String: Int] = [:]
    func compare(_ name: String, _ has: (TracePoint) -> Bool) {
      let missing = points.count(where: has) - read.count(where: has)
      if missing > 0 { lost[name] = missing }
    }
    compare("elevation") { $0.elevation != nil }
    compare("accuracy") { $0.accuracy != nil }
    compare("floor") { $0.floor != nil }
    compare("still_until") { $0.stillUntil != nil }
    compare("mocked", \.isMocked)
    let told = TraceWriter.unheld(in: trace, as: format).map { ($0.name, $0.count) }
    #expect(Dictionary(uniqueKeysWithValues: told) == lost)
  }

  /// The file has one column more, only when a position was generated.
  @Test func syntheticPositionsAreMarkedInAColumn() throws {
    var trace = SampleTrace.make(devices: 1, hasMocked: false)
    func header() throws -> Substring {
      let text = String(decoding: try TraceWriter.bytes(of: trace, as: .csv), as: UTF8.self)
      return try #require(text.split(separator: "\n").first)
    }
    #expect(try header() == "device,time_ms,longitude,latitude,accuracy,floor,still_until")
    trace.tracks[0].points[3].isMocked = true
    #expect(try header() == "device,time_ms,longitude,latitude,accuracy,floor,still_until,mocked")
    let text = "time,lon,lat,Mocked\n0,8,47,TRUE\n1,8,47,1\n2,8,47,no\n3,8,47,\n"
    let read = try TraceFile.read(Array(text.utf8), name: "x")
    #expect(read.tracks[0].points.map(\.isMocked) == [true, true, false, false])
  }

  @Test func sentencesHoldOneDeviceOnly() {
    #expect(throws: TraceError.self) { try TraceWriter.bytes(of: SampleTrace.make(), as: .nmea) }
  }

  @Test func trajectoriesKeepMetresAndFrames() throws {
    let trace = SampleTrace.make()
    let read = try TraceFile.read(try TraceWriter.bytes(of: trace, as: .jupedsim), name: "x")
    #expect(read.format == .jupedsim)
    #expect(read.tracks.map { $0.points.count } == [40, 40])
    #expect(read.tracks[0].points[3].time == Instant(milliseconds: 3 * 5_250))
    guard case .degrees(let origin) = trace.tracks[0].points[0].place else { return }
    var assumptions = TraceAssumptions()
    assumptions.origin = origin
    assumptions.start = trace.tracks[0].points[0].time
    let resolved = try ResolvedTrace([read], assumptions)
    guard case .degrees(let place) = trace.tracks[1].points[9].place else { return }
    let fix = resolved.devices[1].fixes[9].fix
    #expect(abs(fix.coordinate.longitude - place.longitude) < 2e-9)
    #expect(abs(fix.coordinate.latitude - place.latitude) < 2e-9)
    #expect(fix.time == trace.tracks[1].points[9].time)
    #expect(resolved.assumed.contains { $0.contains("metres count from") })
  }

  @Test(arguments: TraceFormat.allCases)
  func metresAreNotReadAsDegrees(_ format: TraceFormat) throws {
    var trace = Trace(format: .jupedsim)
    trace.tracks = [TraceTrack(device: "1", points: [TracePoint(place: .metres(.init(x: 1, y: 2)), time: .epoch)])]
    if format == .csv || format == .jupedsim {
      #expect(try !TraceWriter.bytes(of: trace, as: format).isEmpty)
    } else {
      #expect(throws: TraceError.self) { try TraceWriter.bytes(of: trace, as: format) }
    }
  }
}
