import CordonCore
import CordonExchange
import CordonTestSupport
import Foundation
import Testing

/// The contents decide the format of a file, not its name.
@Suite struct DetectionTests {
  private func read(_ text: String) throws -> Trace { try TraceFile.read(Array(text.utf8), name: "x") }

  @Test func nmeaCanBeginInsideASentence() throws {
    let log = """
      M,48.0,M,,*7E\r
      $GPRMC,080000.00,A,4808.4000,N,01134.8000,E,0.0,0.0,050126,,,A*59\r
      $GPGGA,080000.00,4808.4000,N,01134.8000,E,1,08,1.0,500.0,M,48.0,M,,*6B\r

      """
    let trace = try read(log)
    #expect(trace.format == .nmea && trace.pointCount == 1)
    #expect(trace.faults.allSatisfy { !$0.reason.contains("4808") })
  }

  /// A log cut anywhere in its first sentences is a log.
  @Test(.enabled(if: Places.hasRealTraces, "the shared recordings are not here"), arguments: SharedTraces.files)
  func truncatedLogsAreDetected(name: String) throws {
    guard name.hasSuffix(".nmea") else { return }
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: SharedTraces.folder + "/" + name)))
    let whole = try TraceFile.read(bytes, name: name)
    for cut in [1, 7, 30, 45, 61] {
      let trace = try TraceFile.read(Array(bytes.dropFirst(cut)), name: name)
      #expect(trace.format == .nmea && trace.pointCount + 1 >= whole.pointCount, "\(cut)")
    }
  }

  @Test func theRootElementDecides() throws {
    let kml = """
      <?xml version="1.0"?>
      <!-- made from a .gpx file: <gpx> -->
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3">
      <Placemark><TimeStamp><when>2026-01-05T08:00:00Z</when></TimeStamp><Point><coordinates>8.54,47.37</coordinates></Point></Placemark>
      </kml>
      """
    #expect(try read(kml).format == .kml)
    let gpx = "<g:gpx xmlns:g='x' xmlns:kml='y'><g:trk><g:trkseg><g:trkpt lat='47' lon='8'/></g:trkseg></g:trk></g:gpx>"
    #expect((try? read(gpx).format) ?? .gpx == .gpx)
  }

  @Test func ownTracksRecordsAreReadAsMessages() throws {
    let text = """
      2026-01-05T08:00:01Z\t*                 \t{"_type":"location","tid":"a","lat":47.37,"lon":8.54,"tst":1767600000,"acc":4}
      2026-01-05T08:00:05Z\tlwt               \t{"_type":"lwt","tst":1767600000}
      2026-01-05T08:00:11Z\t*                 \t{"_type":"location","tid":"a","lat":47.37,"lon":8.54,"tst":1767600010,"acc":4}

      """
    let trace = try read(text)
    #expect(trace.format == .owntracks && trace.pointCount == 2)
    #expect(trace.tracks.first?.points.map(\.line) == [1, 3])
  }

  @Test func otherEncodingsAreRead() throws {
    let gpx =
      "<?xml version=\"1.0\" encoding=\"ENC\"?>\n<gpx><trk><name>Bürgli</name><trkseg><trkpt lat=\"47.37\" lon=\"8.54\"/></trkseg></trk></gpx>\n"
    let latin = Array(gpx.replacingOccurrences(of: "ENC", with: "ISO-8859-1").data(using: .isoLatin1) ?? Data())
    let wide =
      [0xFF, 0xFE]
      + Array(gpx.replacingOccurrences(of: "ENC", with: "UTF-16").data(using: .utf16LittleEndian) ?? Data())
    // It claims to be Latin-1, and is not.
    let wrong = Array(gpx.replacingOccurrences(of: "ENC", with: "ISO-8859-1").utf8)
    let csv = Array(
      "device,time_ms,longitude,latitude\rBürgli,1767600000000,8.54,47.37\r".data(using: .isoLatin1) ?? Data())
    for bytes in [latin, wide, wrong, csv] {
      let trace = try TraceFile.read(bytes, name: "x")
      #expect(trace.pointCount == 1 && (trace.tracks.first.map { $0.device ?? $0.name }) == "Bürgli", "\(trace.tracks)")
    }
  }

  /// Times in the form of each format.
  @Test(arguments: [
    "2026-01-05T08:00:00+0000", "2026-01-05 08:00:00+00", "2026-01-05T08:00Z", "2026-01-05T00:00:00-0800",
    "2026-01-05 08:00:00.000000000",
  ])
  func everyFormatReadsTimesAlike(time: String) throws {
    let files = [
      "device,time,longitude,latitude\na,\(time),8.54,47.37\n",
      "<gpx><trk><trkseg><trkpt lat=\"47.37\" lon=\"8.54\"><time>\(time)</time></trkpt></trkseg></trk></gpx>",
      "<kml><Placemark><TimeStamp><when>\(time)</when></TimeStamp><Point><coordinates>8.54,47.37</coordinates></Point></Placemark></kml>",
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[8.54,47.37]},\"properties\":{\"timestamp\":\"\(time)\"}}",
      "{\"locations\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[8.54,47.37]},\"properties\":{\"timestamp\":\"\(time)\"}}]}",
    ]
    for file in files {
      let trace = try read(file)
      #expect(
        trace.faultCount == 0 && trace.tracks.first?.points.first?.time?.rfc3339 == "2026-01-05T08:00:00.000Z",
        "\(file)")
      #expect(trace.remarks.isEmpty == (time.count != 29), "\(trace.remarks)")
    }
  }
}
