import CordonCore
import CordonExchange
import CordonTestSupport
import Foundation
import Testing

/// Real recordings: each is read, or refused with the reason.
@Suite struct RecordedFilesTests {
  @Test(.enabled(if: Places.hasRealTraces), arguments: SharedTraces.files)
  func recordedFilesAreReadOrRefusedWithTheReason(_ file: String) throws {
    do {
      let trace = try TraceFile.read(path: SharedTraces.folder + "/" + file)
      #expect(trace.format == (file.hasSuffix(".gpx") ? .gpx : .nmea))
      #expect(trace.pointCount > 0)
      for point in trace.tracks.flatMap(\.points) { #expect(point.line > 0) }
      // Each omission is named with its line.
      #expect(trace.faults.count == min(trace.faultCount, Trace.listedFaults))
    } catch {
      // Only a recording that never had a fix may be refused.
      Issue.record("\(file): \(error)")
    }
  }

  @Test(.enabled(if: Places.hasRealTraces))
  func countsAgreeWithOtherPrograms() throws {
    func read(_ file: String) throws -> Trace { try TraceFile.read(path: SharedTraces.folder + "/" + file) }
    // Counted with grep, independent of this reader.
    let points = try read("gpx/korita-zbevnica.gpx").tracks.filter { $0.kind == .track }.flatMap(\.points).count
    let written = try count("gpx/korita-zbevnica.gpx", "<trkpt")
    #expect(points == written)
    let waypoints = try count("gpx/mappedin-office.gpx", "<wpt")
    #expect(try read("gpx/mappedin-office.gpx").pointCount == waypoints)
    #expect(try read("nmea/bu353s4.nmea").pointCount == 25)
    #expect(try read("nmea/ublox-neo-m9n-nmea.nmea").pointCount == 61)
    #expect(try read("nmea/ublox-neo-m9n-nmea.nmea").tracks.first?.points.allSatisfy { $0.accuracy != nil } == true)
    #expect(try read("nmea/bu353s4.nmea").tracks.first?.points.allSatisfy { $0.accuracy == nil } == true)
  }

  private func count(_ file: String, _ mark: String) throws -> Int {
    try String(contentsOfFile: SharedTraces.folder + "/" + file, encoding: .utf8).components(separatedBy: mark).count
      - 1
  }
}
