import CordonCore
import CordonExchange
import Testing

/// Files that were made to do harm.
@Suite struct HostileFilesTests {
  private func read(_ text: String, _ change: (inout TraceReadOptions) -> Void = { _ in }) throws -> Trace {
    var options = TraceReadOptions()
    change(&options)
    return try TraceFile.read(Array(text.utf8), name: "x", options: options)
  }

  private func reason(_ text: String, _ change: (inout TraceReadOptions) -> Void = { _ in }) -> String {
    do {
      _ = try read(text, change)
      return "was read"
    } catch {
      return "\(error)"
    }
  }

  @Test func entitiesAreNotExpanded() {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
      <gpx><wpt lat="1" lon="2"><name>&b;</name></wpt></gpx>
      """
    #expect(reason(bomb).contains("declares entities"))
    #expect(reason("<gpx><trk><name>&b;</name></trk></gpx>").contains("unknown entity b"))
  }

  /// Data that is not text has no format, and the reason quotes none of it.
  @Test func binaryDataHasNoFormat() {
    let bytes: [UInt8] = Array("PNG,abc;def".utf8) + [0, 1, 2, 0x1b] + Array(",x\n1,2,3\n".utf8)
    #expect {
      try TraceFile.read(bytes, name: "x.csv")
    } throws: { error in
      (error as? TraceError)?.code == .unknownFormat
    }
  }

  @Test func depthAndSizeAreBounded() {
    let deep = "<gpx>" + String(repeating: "<a>", count: 100_000)
    #expect(reason(deep).contains("more than 64 deep"))
    let json = "{\"type\":" + String(repeating: "[", count: 100_000)
    #expect(reason(json).contains("more than 64 deep"))
    #expect(reason("<gpx></gpx>") { $0.limits.documentBytes = 5 }.contains("larger than 5 bytes"))
  }

  @Test(arguments: [
    ("<gpx><trk>", "ends inside of <trk>"), ("<gpx></trk></gpx>", "where </gpx> belongs"),
    ("<gpx><wpt lat='1' lon=2/></gpx>", "without quotes"), ("<html></html>", "is HTML"),
    ("", "is empty"), ("hello", "not a trace of a known format"), ("{\"a\": 1}", "none that is known"),
    ("{\"type\": \"Feature\", ", "is not JSON"), ("1 2 3 4\n", "frame rate"),
    ("device,time\nx,1\n", "no column"),
  ]) func brokenFilesAreRefusedWithTheReason(_ text: String, _ expected: String) {
    #expect(reason(text).contains(expected))
  }

  @Test func positionsOutOfRangeAreSkippedWithTheirLine() throws {
    let trace = try read(
      """
      <gpx><trk><trkseg>
      <trkpt lat="91" lon="2"/>
      <trkpt lat="1" lon="2"><time>2026-01-01T00:00:00Z</time></trkpt>
      <trkpt lat="nan" lon="2"/>
      </trkseg></trk></gpx>
      """)
    #expect(trace.pointCount == 1)
    #expect(trace.faults.map(\.line) == [2, 4])
  }

  @Test func sentencesWithWrongChecksumsAreSkipped() throws {
    let good = "$GPRMC,030719.000,A,3747.0873,S,17518.8938,E,0.69,181.39,311214,,,A*7D"
    let trace = try read(good + "\n" + good.replacing("3747", with: "3748") + "\n")
    #expect(trace.pointCount == 1)
    #expect(trace.faults.map(\.line) == [2])
    #expect(trace.tracks[0].points[0].time == (try? Instant(rfc3339: "2014-12-31T03:07:19Z")))
    guard case .degrees(let place) = trace.tracks[0].points[0].place else { return }
    #expect(abs(place.latitude - -37.784788333) < 1e-8)
    #expect(abs(place.longitude - 175.314896667) < 1e-8)
  }

  @Test func datesAdvanceAtMidnight() throws {
    func gga(_ time: String) -> String { "$GPGGA,\(time),0000.000,N,00000.000,E,1,,,,M,,M,," }
    let rmc = "$GPRMC,235958,A,0000.000,N,00000.000,E,,,311225,,"
    let trace = try read([rmc, gga("235959"), gga("000000"), gga("000001")].joined(separator: "\n"))
    #expect(
      trace.tracks[0].points.compactMap { $0.time?.rfc3339 } == [
        "2025-12-31T23:59:58.000Z", "2025-12-31T23:59:59.000Z", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z",
      ])
  }

  @Test func corruptedFilesDoNotCrash() throws {
    let samples = try TraceFormat.allCases.map {
      try TraceWriter.bytes(of: SampleTrace.make(devices: 1), as: $0)
    }
    for (number, sample) in samples.enumerated() {
      var random = RandomStream(seed: 11, stream: 2, entity: UInt64(number))
      for _ in 0..<300 {
        var bytes = sample
        for _ in 0..<1 + random.nextIndex(below: 6) {
          switch random.nextIndex(below: 3) {
          case 0: bytes[random.nextIndex(below: bytes.count)] = UInt8(random.nextIndex(below: 256))
          case 1: bytes.removeLast(random.nextIndex(below: bytes.count / 2))
          default:
            bytes.insert(
              contentsOf: bytes.prefix(random.nextIndex(below: 60)), at: random.nextIndex(below: bytes.count))
          }
          if bytes.isEmpty { bytes = [0x20] }
        }
        guard let trace = try? TraceFile.read(bytes, name: "x") else { continue }
        for point in trace.tracks.flatMap(\.points) {
          if case .degrees(let place) = point.place { #expect(place.isValid) }
        }
      }
    }
  }
}
