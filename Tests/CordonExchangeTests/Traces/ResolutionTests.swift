import CordonCore
import CordonExchange
import CordonGeometry
import Testing

/// Assumptions that replace missing data are reported.
@Suite struct ResolutionTests {
  private func waypoints(_ times: [Int64?]) -> Trace {
    var trace = Trace(format: .gpx, name: "walk.gpx")
    trace.tracks = [
      TraceTrack(
        kind: .waypoints,
        points: times.enumerated().map { index, time in
          TracePoint(
            place: .degrees(Coordinate(longitude: 8 + Double(index) * 0.001, latitude: 47)),
            time: time.map { Instant(milliseconds: $0) }, line: index + 1)
        })
    ]
    return trace
  }

  @Test func missingValuesAreNotInvented() throws {
    let resolved = try ResolvedTrace([waypoints([0, 5_000])], TraceAssumptions())
    #expect(resolved.devices.map(\.name) == ["walk"])
    #expect(resolved.devices[0].fixes.allSatisfy { $0.fix.accuracy == nil && $0.fix.floor == nil })
    #expect(resolved.assumed.isEmpty)
  }

  @Test func filesWithoutTimesNeedTheTimeOption() throws {
    #expect(throws: TraceError.self) { try ResolvedTrace([waypoints([nil, nil])], TraceAssumptions()) }
    var assumptions = TraceAssumptions()
    assumptions.start = Instant(milliseconds: 1_000_000)
    let resolved = try ResolvedTrace([waypoints([nil, nil])], assumptions)
    #expect(resolved.devices[0].fixes.map { $0.fix.time.milliseconds } == [1_000_000, 1_001_000])
    #expect(resolved.assumed.count == 1)
  }

  @Test func wayPointsAreJoinedAsInXcode() throws {
    var assumptions = TraceAssumptions()
    assumptions.interpolation = .seconds(1)
    assumptions.accuracy = 5
    assumptions.floor = FloorOrdinal(0)
    let resolved = try ResolvedTrace([waypoints([0, 5_000, 7_000])], assumptions)
    let fixes = resolved.devices[0].fixes
    #expect(fixes.map { $0.fix.time.milliseconds } == [0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000])
    #expect(abs(fixes[1].fix.coordinate.longitude - 8.0002) < 1e-12)
    #expect(fixes.map(\.isInterpolated) == [false, true, true, true, true, false, true, false])
    #expect(fixes.allSatisfy { $0.fix.accuracy == 5 && $0.fix.floor == FloorOrdinal(0) })
    #expect(resolved.assumed.count == 3)
  }

  /// Bearings, with the place of 30 m along x and 40 m along y for each: metres east and north.
  private static let turns: [[Double]] = [
    [0, 30, 40], [90, 40, -30], [180, -30, -40], [270, -40, 30], [-90, -40, 30], [30, 45.98, 19.64],
  ]

  /// The y axis of a file's own metres points `bearing` degrees clockwise from north, and x a quarter turn further.
  @Test(arguments: turns)
  func metresAreRotatedByTheBearing(_ turn: [Double]) throws {
    var trace = waypoints([0])
    trace.tracks[0].points[0].place = .metres(PlanePoint(x: 30, y: 40))
    var assumptions = TraceAssumptions()
    assumptions.origin = Coordinate(longitude: 8.54, latitude: 47.37)
    assumptions.bearing = turn[0]
    let resolved = try ResolvedTrace([trace], assumptions)
    let place = try #require(resolved.devices.first?.fixes.first?.fix.coordinate)
    // A degree of the sphere of 6 371 km, which is within half a percent of any ellipsoid's.
    let metres = 111_195.0
    #expect(abs((place.latitude - 47.37) * metres - turn[2]) < 0.3)
    #expect(abs((place.longitude - 8.54) * metres * 0.677_3 - turn[1]) < 0.3)
  }

  @Test func floorsBetweenFloorsAreUnknown() throws {
    var trace = waypoints([0, 4_000])
    trace.tracks[0].points[0].floor = FloorOrdinal(0)
    trace.tracks[0].points[1].floor = FloorOrdinal(1)
    var assumptions = TraceAssumptions()
    assumptions.interpolation = .seconds(1)
    #expect(try ResolvedTrace([trace], assumptions).devices[0].fixes[2].fix.floor == nil)
  }

  @Test(arguments: [
    (TraceAssumptions.DeviceSource.name, ["a", "b"]), (.file, ["walk"]), (.track, ["walk-1", "walk-2"]),
  ])
  func devicesComeFromTheChosenSource(_ source: TraceAssumptions.DeviceSource, _ expected: [String]) throws {
    var trace = waypoints([0])
    trace.tracks = [
      TraceTrack(name: "a", points: trace.tracks[0].points), TraceTrack(name: "b", points: trace.tracks[0].points),
    ]
    var assumptions = TraceAssumptions()
    assumptions.deviceFrom = source
    #expect(try ResolvedTrace([trace], assumptions).devices.map(\.name) == expected)
  }

  private func milliseconds(_ trace: ResolvedTrace) -> [Int64] {
    trace.devices[0].fixes.map { $0.fix.time.milliseconds }
  }

  @Test func staysBecomeFixesInPlace() throws {
    var trace = waypoints([0])
    trace.tracks[0].points[0].stillUntil = Instant(milliseconds: 95_000)
    trace.tracks[0].points[0].accuracy = 4
    let resolved = try ResolvedTrace([trace], TraceAssumptions())
    #expect(milliseconds(resolved) == [0, 30_000, 60_000, 90_000, 95_000])
    let fixes = resolved.devices[0].fixes
    #expect(Set(fixes.map(\.fix.coordinate)).count == 1)
    #expect(fixes.allSatisfy { $0.fix.accuracy == 4 && $0.line == 1 && !$0.isInterpolated })
    #expect(resolved.assumed == ["1 stays are replayed as 4 more fixes at their places, one every 30s"])
    var assumptions = TraceAssumptions()
    assumptions.stayInterval = .seconds(10)
    assumptions.start = Instant(milliseconds: 1_000)
    let times = Array(stride(from: Int64(1_000), to: 92_000, by: 10_000)) + [96_000]
    #expect(milliseconds(try ResolvedTrace([trace], assumptions)) == times)
  }

  @Test func aFixElsewhereEndsAStay() throws {
    var trace = waypoints([0, 60_000, 90_000])
    trace.tracks[0].points[0].stillUntil = Instant(milliseconds: 80_000)
    var resolved = try ResolvedTrace([trace], TraceAssumptions())
    #expect(milliseconds(resolved) == [0, 30_000, 60_000, 90_000])
    #expect(resolved.assumed.contains { $0.hasPrefix("1 stays end early") })
    // A repeated row is not another place, and a line begins where the stay ends.
    trace = waypoints([0, 0, 4_000])
    trace.tracks[0].points[1].place = trace.tracks[0].points[0].place
    for index in 0...1 { trace.tracks[0].points[index].stillUntil = Instant(milliseconds: 2_000) }
    var assumptions = TraceAssumptions()
    assumptions.interpolation = .seconds(1)
    resolved = try ResolvedTrace([trace], assumptions)
    #expect(milliseconds(resolved) == [0, 0, 1_000, 2_000, 3_000, 4_000])
    #expect(!resolved.assumed.contains { $0.hasPrefix("1 stays end early") })
    let fixes = resolved.devices[0].fixes
    #expect(fixes[2].fix.coordinate == fixes[0].fix.coordinate)
    #expect(fixes[4].fix.coordinate != fixes[0].fix.coordinate)
  }

  @Test func aStayWithoutAnEndIsRefused() throws {
    var trace = waypoints([0])
    trace.tracks[0].points[0].stillUntil = Instant(milliseconds: .max)
    #expect {
      try ResolvedTrace([trace], TraceAssumptions())
    } throws: { error in
      (error as? TraceError)?.code == .tooLarge && (error as? TraceError)?.line == 1
    }
  }

  @Test func unreadableRecordsAreReported() throws {
    let good = "$GPRMC,030719.000,A,3747.0873,S,17518.8938,E,0.69,181.39,311214,,,A*7D"
    let bad = good.replacing("3747", with: "3748")
    let trace = try TraceFile.read(Array([good, bad, bad].joined(separator: "\n").utf8), name: "walk.nmea")
    let sentence = try #require(try ResolvedTrace([trace], TraceAssumptions()).assumed.first)
    #expect(sentence.hasPrefix("walk.nmea: 2 places could not be read, the first in line 2: the checksum"))
    let whole = try Trace.resolved([trace, trace], TraceAssumptions())
    #expect(whole.assumed.contains(sentence))
    #expect(whole.trace.faultCount == 4 && whole.trace.faults.count == 4)
  }

  /// Names of devices for files that name none.
  private static let files: [([String], [String])] = [
    (["phone.1.nmea", "phone.2.nmea"], ["phone.1", "phone.2"]), (["walk.gpx", "walk.gpx"], ["walk", "walk-2"]),
    (["walk.gpx.gz", "walk-2.gpx", "walk.nmea"], ["walk", "walk-2", "walk-3"]), ([".gpx", "walk"], ["trace", "walk"]),
  ]

  @Test(arguments: files)
  func unnamedFilesAreSeparateDevices(_ names: [String], _ devices: [String]) throws {
    let traces = names.map { name in
      var trace = waypoints([0])
      trace.name = name
      return trace
    }
    for source in [nil, TraceAssumptions.DeviceSource.file, .name] {
      var assumptions = TraceAssumptions()
      assumptions.deviceFrom = source
      let resolved = try ResolvedTrace(traces, assumptions)
      #expect(resolved.devices.map(\.name) == devices)
      let numbered = resolved.assumed.filter { $0.contains("its device is called walk-") }
      #expect(numbered.count == (devices.contains { $0 == "walk-2" || $0 == "walk-3" } ? 1 : 0))
      // One output file has as many devices.
      #expect(try Trace.resolved(traces, assumptions).trace.tracks.map(\.device) == devices)
    }
  }

  /// A file may have the name of a device in another one.
  @Test func unnamedFilesDoNotTakeUsedNames() throws {
    var named = waypoints([0])
    named.name = "others.csv"
    named.tracks[0].device = "walk"
    for traces in [[waypoints([0]), named], [named, waypoints([0])]] {
      let resolved = try ResolvedTrace(traces, TraceAssumptions())
      #expect(resolved.devices.map(\.name) == ["walk", "walk-2"])
      #expect(resolved.devices[0].fixes[0].file == "others.csv")
      #expect(resolved.assumed == ["walk.gpx: its device is called walk-2, as another is called walk"])
    }
  }

  @Test func conversionsKeepDeviceNamesByDefault() throws {
    var trace = waypoints([0])
    trace.tracks = ["a", "b"].map { TraceTrack(name: $0, device: "phone", points: trace.tracks[0].points) }
    func devices(_ source: TraceAssumptions.DeviceSource?) throws -> [String?] {
      var assumptions = TraceAssumptions()
      assumptions.deviceFrom = source
      return try Trace.resolved([trace], assumptions).trace.tracks.map(\.device)
    }
    #expect(try devices(nil) == ["phone", "phone"])
    #expect(try devices(.name) == ["phone", "phone"])
    #expect(try devices(.file) == ["walk", "walk"])
    #expect(try devices(.track) == ["walk-1", "walk-2"])
    // No name is assumed without an option.
    #expect(try Trace.resolved([waypoints([0])], TraceAssumptions()).trace.tracks.map(\.device) == [nil])
  }

  @Test func pseudonymisedTracesHideNamesAndHomes() throws {
    var trace = waypoints([86_400_000, 86_405_000])
    trace.tracks[0].device = "Anna's phone"
    trace.tracks[0].points[0].elevation = 12
    var pseudonymisation = TracePseudonymisation()
    pseudonymisation.center = Coordinate(longitude: 8.001, latitude: 47)
    pseudonymisation.radius = 20
    pseudonymisation.daysEarlier = 1
    var random = RandomStream(seed: 1, stream: 1)
    let result = try pseudonymisation.apply(to: trace, using: &random).trace
    #expect(result.tracks.map(\.device) == ["device-1"])
    #expect(result.tracks[0].points.compactMap { $0.time?.milliseconds } == [5_000])
    for format in [TraceFormat.gpx, .csv, .geojson, .owntracks] {
      let text = String(decoding: try TraceWriter.bytes(of: result, as: format), as: UTF8.self)
      #expect(!text.contains("Anna"))
    }
  }

  @Test func fuzzingDependsOnlyOnTheSeed() {
    let trace = SampleTrace.make()
    let first = TraceFuzzing(rate: 0.5, seed: 3).apply(to: trace)
    #expect(first.trace == TraceFuzzing(rate: 0.5, seed: 3).apply(to: trace).trace)
    #expect(first.trace != TraceFuzzing(rate: 0.5, seed: 4).apply(to: trace).trace)
    #expect(first.faults.values.reduce(0, +) > 10)
    #expect(TraceFuzzing(rate: 0, seed: 3).apply(to: trace).trace == trace)
  }

  @Test func capturedRequestsAreRead() throws {
    let body = Array(#"{"rows":[{"device":"a","time":1000,"lonlat":[8.5,47.5],"acc":3,"floor":1,"venue":"v"}]}"#.utf8)
    let line = TraceCapture.line(
      received: Instant(milliseconds: 2_000), method: "POST", path: "/v1/positions", body: body)
    let other = TraceCapture.line(received: Instant(milliseconds: 2_000), method: "GET", path: "/v1/health", body: [])
    let trace = try TraceFile.read(line + other, name: "x")
    #expect(trace.format == .capture)
    #expect(trace.pointCount == 1)
    #expect(trace.tracks[0].device == "a")
    #expect(TraceCapture.line(received: .epoch, method: "POST", path: "/", body: Array("no json".utf8)).isEmpty)
  }
}
