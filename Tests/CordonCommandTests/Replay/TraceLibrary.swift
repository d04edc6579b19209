import CordonCore
import CordonExchange
import CordonGeometry
import CordonTestSupport
import CordonVenues
import Foundation
import Testing

/// The recordings in `Tests/Traces`, which the project generates: people who come from the street, walk through the
/// sample office, rest, and leave again.
enum TraceLibrary {
  static let folder = Places.package.appendingPathComponent("Tests/Traces")
  static let start = Instant(milliseconds: 1_767_600_000_000)

  /// Every file of the library, by name.
  static func files() throws -> [(name: String, bytes: [UInt8])] {
    let venue = try VenueLoader.load(path: Places.office).venue
    let route = try self.route(through: venue)
    var files: [(String, [UInt8])] = []
    for format in [TraceFormat.gpx, .nmea, .geojson, .kml, .csv, .owntracks] {
      let suffix = format == .owntracks ? "owntracks.jsonl" : format.fileExtension
      files.append(("in-and-out.\(suffix)", try TraceWriter.bytes(of: route, as: format)))
    }
    var pair = route
    pair.tracks.append(second(of: route))
    files.append(("two-who-meet.gpx", try TraceWriter.bytes(of: pair, as: .gpx)))
    let spoilt = TraceFuzzing(rate: 0.3, seed: 5).apply(to: route).trace
    files.append(("spoilt.csv", try TraceWriter.bytes(of: spoilt, as: .csv)))
    var points = route
    points.tracks = [waypoints(of: route)]
    files.append(("way-points.gpx", try TraceWriter.bytes(of: points, as: .gpx)))
    return files.map { (name: $0.0, bytes: $0.1) }
  }

  /// From 250 m south of the geofence's middle through the middles of some spaces of the ground floor, with a rest of
  /// eight minutes, and out in the north.
  private static func route(through venue: Venue) throws -> Trace {
    let fence = try venue.geofence(around: try venue.boundary(.buildings))
    let frame = LocalFrame(origin: fence.center)
    let ground = venue.floors.filter { $0.ordinal == FloorOrdinal(0) }.map(\.id)
    let middles = venue.spaces.filter { ground.contains($0.floor) && $0.kind == .office || $0.kind == .meetingRoom }
      .filter { ground.contains($0.floor) }.compactMap(\.outline.centroid).map(frame.project)
    let stops = [PlanePoint(x: 0, y: -320)] + middles.prefix(3) + [PlanePoint(x: 0, y: 320)]
    var track = TraceTrack(device: "walker")
    var time = start
    func add(_ place: PlanePoint, floor: FloorOrdinal?) {
      let degrees = frame.unproject(place)
      let rounded = Coordinate(
        longitude: (degrees.longitude * 1e7).rounded() / 1e7, latitude: (degrees.latitude * 1e7).rounded() / 1e7)
      track.points.append(TracePoint(place: .degrees(rounded), time: time, accuracy: 4, floor: floor))
      time = time + .seconds(5)
    }
    for (index, (from, to)) in zip(stops, stops.dropFirst()).enumerated() {
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let length = (dx * dx + dy * dy).squareRoot()
      let steps = max(1, Int(length / 6))
      for step in 0..<steps {
        let share = Double(step) / Double(steps)
        add(PlanePoint(x: from.x + share * dx, y: from.y + share * dy), floor: FloorOrdinal(0))
      }
      if index == 1 { for _ in 0..<96 { add(to, floor: FloorOrdinal(0)) } }
    }
    return Trace(format: .gpx, name: "in-and-out", tracks: [track])
  }

  /// A person who walks a metre beside the first, a second later.
  private static func second(of route: Trace) -> TraceTrack {
    var track = route.tracks[0]
    track.device = "companion"
    for index in track.points.indices {
      if case .degrees(var place) = track.points[index].place {
        place.latitude = ((place.latitude + 1e-5) * 1e7).rounded() / 1e7
        track.points[index].place = .degrees(place)
      }
      track.points[index].time = track.points[index].time.map { $0 + .seconds(1) }
    }
    return track
  }

  /// A way-point every minute, without accuracy and floor, as in Xcode's files.
  private static func waypoints(of route: Trace) -> TraceTrack {
    var track = TraceTrack(kind: .waypoints)
    for (index, point) in route.tracks[0].points.enumerated() where index % 12 == 0 {
      track.points.append(TracePoint(place: point.place, time: point.time))
    }
    return track
  }
}
