internal import CordonCore

/// A reader of KML: placemarks of a point with a time, lines, and `gx:Track` with its times and data.
struct KMLReader: XMLTraceReader {
  static let formatName = "KML"

  var source: XMLTraceSource
  private var clock: TraceClock
  private var trace = Trace(format: .kml)
  private var name = ""
  private var time: String?
  private var coordinates: [(text: String, line: Int)] = []
  private var whens: [(text: String, line: Int)] = []
  private var arrays: [String: [String]] = [:]
  private var arrayName = ""
  private var single = TraceTrack(kind: .waypoints)
  private var device: String?

  init(_ options: TraceReadOptions) {
    source = XMLTraceSource(options)
    clock = TraceClock(options)
  }

  mutating func finish() throws(TraceError) -> Trace {
    try readElements()
    if !single.points.isEmpty { trace.tracks.append(single) }
    if let assumption = clock.assumption { trace.remark(assumption) }
    return trace
  }

  mutating func start(_ element: XMLPullParser.XMLElement) {
    switch element.name {
    case "Placemark":
      name = ""
      time = nil
      device = nil
      arrays = [:]
    case "Track":
      coordinates = []
      whens = []
      arrays = [:]
    case "SimpleArrayData", "Data", "SimpleData": arrayName = element["name"] ?? ""
    default: break
    }
  }

  mutating func end(_ element: String, value: String, line: Int) {
    switch element {
    case "name" where source.parent == "Placemark": name = value
    case "when":
      if source.parent == "Track" { whens.append((value, line)) } else { time = value }
    case "coord": coordinates.append((value, line))
    case "value":
      if source.parent == "SimpleArrayData" {
        arrays[arrayName, default: []].append(value)
      } else if arrayName == "device" {
        device = value
      } else {
        arrays[arrayName] = [value]
      }
    case "SimpleData": arrays[arrayName] = [value]
    case "Track": endTrack(line: line)
    case "coordinates" where source.parent == "Point": endPoint(value, line: line)
    case "coordinates" where source.parent == "LineString":
      let points = value.split(whereSeparator: \.isWhitespace).compactMap { point($0, ",", line: line) }
      if !points.isEmpty { trace.tracks.append(TraceTrack(name: name, device: device, points: points)) }
    default: break
    }
  }

  private mutating func point(_ text: some StringProtocol, _ separator: Character, line: Int) -> TracePoint? {
    let numbers = text.split(separator: separator).map { Double($0) }
    guard numbers.count >= 2, let longitude = numbers[0], let latitude = numbers[1],
      Coordinate(longitude: longitude, latitude: latitude).isValid
    else {
      trace.leaveOut(line: line, "the place is not a longitude and latitude in range")
      return nil
    }
    return TracePoint(
      place: .degrees(Coordinate(longitude: longitude, latitude: latitude)),
      elevation: numbers.count > 2 ? numbers[2] : nil, line: line)
  }

  private mutating func instant(_ text: String, line: Int) -> Instant? {
    guard let instant = clock.instant(text) else {
      trace.leaveOut(line: line, "the time cannot be read; its point has none")
      return nil
    }
    return instant
  }

  private mutating func fill(_ point: inout TracePoint, _ index: Int) {
    func value(_ names: String...) -> String? {
      for name in names { if let list = arrays[name], list.indices.contains(index) { return list[index] } }
      return nil
    }
    if let number = value("accuracy", "horizontal_accuracy").flatMap({ Double($0) }), number >= 0, number.isFinite {
      point.accuracy = number
    }
    point.floor = value("floor", "level").flatMap { Double($0) }.flatMap { FloorOrdinal($0) }
    point.isMocked = value("mocked") == "true"
    point.stillUntil = value("stillUntil").flatMap { clock.instant($0) }
  }

  private mutating func endTrack(line: Int) {
    if whens.count != coordinates.count {
      trace.leaveOut(line: line, "a track with \(coordinates.count) places and \(whens.count) times")
      return
    }
    var points: [TracePoint] = []
    for index in coordinates.indices {
      // An empty coord is a time without a position.
      if coordinates[index].text.isEmpty { continue }
      guard var made = point(coordinates[index].text, " ", line: coordinates[index].line) else { continue }
      made.time = instant(whens[index].text, line: whens[index].line)
      fill(&made, index)
      points.append(made)
    }
    if !points.isEmpty { trace.tracks.append(TraceTrack(name: name, device: device, points: points)) }
    coordinates = []
    whens = []
  }

  private mutating func endPoint(_ value: String, line: Int) {
    guard var made = point(value, ",", line: line) else { return }
    if let time { made.time = instant(time, line: line) }
    fill(&made, 0)
    if made.time != nil {
      // Placemarks with one time each form one track of their device.
      if trace.tracks.last?.kind == .track, trace.tracks.last?.name == name, trace.tracks.last?.device == device {
        trace.tracks[trace.tracks.count - 1].points.append(made)
      } else {
        trace.tracks.append(TraceTrack(name: name, device: device, points: [made]))
      }
    } else {
      single.points.append(made)
    }
  }
}
