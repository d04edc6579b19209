internal import CordonCore

/// A reader of GPX 1.0 and 1.1: tracks, routes and way-points, with accuracy and floor from extensions if there are
/// any.
struct GPXReader: XMLTraceReader {
  static let formatName = "GPX"

  var source: XMLTraceSource
  private var clock: TraceClock
  private var trace = Trace(format: .gpx)
  private var waypoints = TraceTrack(kind: .waypoints)
  private var track: TraceTrack?
  private var point: TracePoint?
  private var isPlaced = true

  init(_ options: TraceReadOptions) {
    source = XMLTraceSource(options)
    clock = TraceClock(options)
  }

  mutating func finish() throws(TraceError) -> Trace {
    try readElements()
    if !waypoints.points.isEmpty { trace.tracks.append(waypoints) }
    if let assumption = clock.assumption { trace.remark(assumption) }
    return trace
  }

  mutating func start(_ element: XMLPullParser.XMLElement) {
    switch element.name {
    case "trk": track = TraceTrack(kind: .track)
    case "rte": track = TraceTrack(kind: .route)
    case "wpt", "trkpt", "rtept":
      let longitude = element["lon"].flatMap { Double($0.trimmed) }
      let latitude = element["lat"].flatMap { Double($0.trimmed) }
      let coordinate = Coordinate(longitude: longitude ?? .nan, latitude: latitude ?? .nan)
      isPlaced = coordinate.isValid
      if !isPlaced { trace.leaveOut(line: element.line, "<\(element.name)> without a lon and lat in range") }
      point = TracePoint(place: .degrees(coordinate), line: element.line)
    default: break
    }
  }

  mutating func end(_ name: String, value: String, line: Int) {
    switch name {
    case "wpt", "trkpt", "rtept":
      if let point, isPlaced {
        if name == "wpt" { waypoints.points.append(point) } else { track?.points.append(point) }
      }
      point = nil
    case "trk", "rte":
      if let track, !track.points.isEmpty { trace.tracks.append(track) }
      track = nil
    case "name" where point == nil && (source.parent == "trk" || source.parent == "rte"): track?.name = value
    case "device" where point == nil: track?.device = value
    case "time" where point != nil && source.parent.map(GPXReader.isPoint) == true: note(time: value, line: line)
    case "ele" where source.parent.map(GPXReader.isPoint) == true: point?.elevation = Double(value)
    case "accuracy", "hacc", "horizontal_accuracy":
      if let number = Double(value), number >= 0, number.isFinite { point?.accuracy = number }
    case "floor", "level": if let number = Double(value) { point?.floor = FloorOrdinal(number) }
    case "stilluntil", "stillUntil": point?.stillUntil = clock.instant(value)
    case "mocked": point?.isMocked = value == "true" || value == "1"
    default: break
    }
  }

  private static func isPoint(_ name: String) -> Bool { name == "wpt" || name == "trkpt" || name == "rtept" }

  private mutating func note(time text: String, line: Int) {
    guard let instant = clock.instant(text) else {
      trace.leaveOut(line: line, "the time cannot be read; its point has none")
      return
    }
    point?.time = instant
  }
}
