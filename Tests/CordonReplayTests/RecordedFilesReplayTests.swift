import CordonCore
import CordonExchange
import CordonGeometry
import CordonMonitoring
import CordonReplay
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

/// Real recordings that lie beside the project, through the whole chain.
@Suite struct RecordedFilesReplayTests {
  static let folder = Places.realTraces.path
  static var files: [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".gpx") || $0.hasSuffix(".nmea") }.sorted()
  }

  private func resolve(_ file: String) throws -> ResolvedTrace {
    let trace = try TraceFile.read(path: Self.folder + "/" + file)
    var assumptions = TraceAssumptions()
    assumptions.accuracy = 5
    // Some files were drawn, and have no times.
    if trace.tracks.allSatisfy({ $0.points.allSatisfy { $0.time == nil } }) { assumptions.start = Walk.start }
    return try ResolvedTrace([trace], assumptions)
  }

  /// None was made in the square venue: every fix is refused with a reason, and no output holds its position.
  @Test(.enabled(if: !files.isEmpty, "no recordings beside the project"), arguments: files)
  func recordedTracesElsewhereAreOutside(_ file: String) throws {
    let resolved = try resolve(file)
    let result = try Replay(resolved, in: try Walk.venue()).run(
      ReplayPorts(send: { request, _ in SinkResponse(number: request.number, status: 0) }), received: { [] })
    let counts = result.accounting
    #expect(counts.fixes == UInt64(resolved.fixCount) && counts.fixes > 0)
    #expect(counts.refused == counts.fixes)
    #expect(result.storedOutside.isEmpty && result.contacts.isEmpty)
    for decision in result.decisions {
      if case .fix(let fix) = decision.kind { #expect(fix.verdict.isRefusal && fix.coordinate == nil && fix.line > 0) }
    }
  }

  /// In a venue around their place they are recorded: in time, in order, and twice with the same result.
  @Test(
    .enabled(if: !files.isEmpty, "no recordings beside the project"),
    arguments: ["gpx/korita-zbevnica.gpx", "nmea/ublox-neo-m9n-nmea.nmea", "nmea/bu353s4.nmea"])
  func recordedTracesInTheirVenueAreRecorded(_ file: String) throws {
    let resolved = try resolve(file)
    let places = resolved.devices.flatMap(\.fixes).map(\.fix.coordinate)
    let (west, east) = (places.map(\.longitude).min() ?? 0, places.map(\.longitude).max() ?? 0)
    let (south, north) = (places.map(\.latitude).min() ?? 0, places.map(\.latitude).max() ?? 0)
    let corners = [
      (west - 0.01, south - 0.01), (east + 0.01, south - 0.01), (east + 0.01, north + 0.01),
      (west - 0.01, north + 0.01),
    ].map { Coordinate(longitude: $0.0, latitude: $0.1) }
    var venue = try Walk.venue()
    venue.boundary = GeoMultiPolygon([GeoPolygon(outer: corners)])
    let middle = Coordinate(longitude: (west + east) / 2, latitude: (south + north) / 2)
    venue.geofence = Geofence(center: middle, radius: 50_000, exitRadius: 60_000)
    venue.frameOrigin = middle
    let results = try (0..<2).map { _ in
      let sink = InProcessSink()
      return try Replay(resolved, in: venue).run(
        ReplayPorts(send: { sink.handle($0, now: $1) }), received: { sink.locations })
    }
    let counts = results[0].accounting
    #expect(counts.stored > 0 && counts.stored == counts.acknowledged)
    #expect(counts.refused + counts.thinned + counts.stored == counts.fixes)
    #expect(results[0].jsonLines == results[1].jsonLines)
  }
}
