import CordonCore
import CordonExchange
import CordonTestSupport
import Foundation
import Testing

/// GPSBabel, the common tool for recorded positions: it reads our files, and we read its files.
@Suite struct GPSBabelTests {
  static let tool = TestProcess.tool("gpsbabel")

  private func convert(_ bytes: [UInt8], from: String, to: String) throws -> [UInt8] {
    let scratch = try TemporaryFolder()
    let folder = scratch.url
    let (input, output) = (folder.appendingPathComponent("in").path, folder.appendingPathComponent("out").path)
    try Data(bytes).write(to: URL(fileURLWithPath: input))
    let arguments = ["-t", "-i", from, "-f", input, "-o", to, "-F", output]
    #expect(try TestProcess.run(try #require(Self.tool), arguments).status == 0)
    return Array(try Data(contentsOf: URL(fileURLWithPath: output)))
  }

  private func expectSame(_ one: [TracePoint], _ two: [TracePoint], within degrees: Double) {
    #expect(one.count == two.count)
    for (a, b) in zip(one, two) {
      guard case .degrees(let p) = a.place, case .degrees(let q) = b.place else {
        Issue.record("not in degrees")
        continue
      }
      #expect(abs(p.longitude - q.longitude) <= degrees && abs(p.latitude - q.latitude) <= degrees)
      #expect(abs((a.time?.milliseconds ?? 0) - (b.time?.milliseconds ?? 0)) <= 10)
    }
  }

  @Test(
    .enabled(if: tool != nil, "gpsbabel is not installed"),
    arguments: [(TraceFormat.gpx, "gpx"), (.kml, "kml"), (.nmea, "nmea")])
  func gpsBabelReadsOurFiles(_ format: TraceFormat, _ name: String) throws {
    // The format has no mark for generated fixes, and leaves them out.
    let trace = SampleTrace.make(devices: 1, hasMocked: false)
    let written = try TraceWriter.bytes(of: trace, as: format)
    let back = try TraceFile.read(try convert(written, from: name, to: "gpx"), name: "x")
    let points = back.tracks.filter { $0.kind == .track }.flatMap(\.points)
    expectSame(points, trace.tracks[0].points, within: 2e-7)
  }

  @Test(
    .enabled(if: tool != nil, "gpsbabel is not installed"),
    arguments: ["gpx,gpxver=1.0", "gpx", "kml,points=0,lines=0,track=1", "nmea"])
  func filesOfGPSBabelAreRead(_ format: String) throws {
    // The format has no mark for generated fixes, and leaves them out.
    let trace = SampleTrace.make(devices: 1, hasMocked: false)
    // From GPX without <fix> it writes sentences that are marked as void.
    let written = try TraceWriter.bytes(of: trace, as: format == "nmea" ? .nmea : .gpx)
    let source = format == "nmea" ? "nmea" : "gpx"
    let read = try TraceFile.read(try convert(written, from: source, to: format), name: "x")
    let tracks = read.tracks.filter { $0.kind == .track && !$0.points.isEmpty }
    expectSame(
      tracks.last?.points ?? [], trace.tracks[0].points,
      // It writes thousandths of a minute in NMEA.
      within: format.hasPrefix("gpx") ? 2e-7 : format == "nmea" ? 9e-6 : 2e-6)
  }
}
