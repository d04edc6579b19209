import CordonCore
import CordonExchange
import CordonGeometry
import CordonMonitoring
import CordonReplay
import CordonTestSupport
import CordonTesting
import Testing

/// A square venue with a hole in its middle, and people who walk through it.
enum Walk {
  static let origin = Coordinate(longitude: 8.54, latitude: 47.37)
  static let frame = LocalFrame(origin: origin)
  static let start = Instant.testStart

  static func square(_ half: Double, at east: Double = 0) -> [Coordinate] {
    [(-half, -half), (half, -half), (half, half), (-half, half)].map {
      frame.unproject(PlanePoint(x: east + $0.0, y: $0.1))
    }
  }

  /// - Parameter east: the recording policy of the eastern room.
  static func venue(east: GateVerdict.Recording = .full) throws -> PackedVenue {
    let area = GeoMultiPolygon([GeoPolygon(outer: square(40.5), holes: [square(5)])])
    let floor = FloorID("f0")
    func room(_ name: String, _ east: Double, _ recording: GateVerdict.Recording = .full) -> PackedVenue.Space {
      PackedVenue.Space(
        id: SpaceID(name), floor: floor, recording: recording, kind: "room",
        outline: GeoMultiPolygon([GeoPolygon(outer: square(8, at: east))]))
    }
    return PackedVenue(
      venue: try #require(VenueID("square")), contentHash: String(repeating: "a", count: 64),
      geofence: Geofence(center: origin, radius: 100, exitRadius: 200), boundary: area, frameOrigin: origin,
      floors: [PackedVenue.Floor(id: floor, ordinal: FloorOrdinal(0))],
      spaces: [room("west", -25), room("east", 25, east), room("wc", 60, .unrecorded)])
  }

  /// From the west to the east along y = 10, a metre a second; inside from x = -40.5 to 40.5.
  static func trace(_ device: String = "walk", from: Int = -60, to: Int = 60, y: Double = 7) -> Trace {
    var track = TraceTrack(device: device)
    for (number, x) in (from...to).enumerated() {
      track.points.append(
        TracePoint(
          place: .degrees(frame.unproject(PlanePoint(x: Double(x), y: y))),
          time: start + .seconds(Int64(number)), accuracy: 3, floor: FloorOrdinal(0), line: number + 2))
    }
    return Trace(format: .csv, name: "walk.csv", tracks: [track])
  }

  static func run(
    _ traces: [Trace], in place: PackedVenue? = nil, _ change: (inout ReplaySettings) -> Void = { _ in }
  ) throws -> ReplayResult {
    var settings = ReplaySettings()
    settings.monitor.thinning = .seconds(5)
    change(&settings)
    let sink = InProcessSink()
    let ports = ReplayPorts(send: { sink.handle($0, now: $1) })
    return try Replay(
      try ResolvedTrace(traces, TraceAssumptions()), in: try place ?? venue(), settings: settings
    )
    .run(ports, received: { sink.locations })
  }
}
