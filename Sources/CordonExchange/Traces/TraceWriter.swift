internal import CordonCore
internal import CordonGeometry
import CordonSupport
internal import CordonWire
internal import Foundation

/// A writer of traces in any supported format.
package enum TraceWriter {
  /// Encodes a trace as a file; equal traces give equal bytes.
  ///
  /// - Throws: ``TraceError`` with the code `unsuitable` if the format does not support the trace, such as positions in
  ///   metres or several devices in one NMEA recording. `missing` if the format needs times and a point has none, and
  ///   `empty` if it needs a point.
  package static func bytes(of trace: Trace, as format: TraceFormat) throws(TraceError) -> [UInt8] {
    switch format {
    case .gpx: try GPXWriter.bytes(of: trace)
    case .kml: try KMLWriter.bytes(of: trace)
    case .nmea: try NMEAWriter.bytes(of: trace)
    case .csv: try CSVTraceWriter.bytes(of: trace)
    case .jupedsim: try JuPedSimWriter.bytes(of: trace)
    case .geojson: try JSONTraceWriter.geoJSON(trace)
    case .mfJSON: try MFJSONWriter.bytes(of: trace)
    case .overland: try JSONTraceWriter.overland(trace)
    case .owntracks: try JSONTraceWriter.ownTracks(trace)
    case .ingest: try JSONTraceWriter.ingest(trace)
    case .capture: try JSONTraceWriter.capture(trace)
    }
  }

  /// Returns the number of values of each kind that a format does not support, by name; empty if it supports all values
  /// of the trace.
  package static func unheld(in trace: Trace, as format: TraceFormat) -> [(name: String, count: Int)] {
    var counts = (elevation: 0, accuracy: 0, floor: 0, stillUntil: 0, mocked: 0)
    for point in trace.tracks.lazy.flatMap(\.points) {
      if point.elevation != nil { counts.elevation += 1 }
      if point.accuracy != nil { counts.accuracy += 1 }
      if point.floor != nil { counts.floor += 1 }
      if point.stillUntil != nil { counts.stillUntil += 1 }
      if point.isMocked { counts.mocked += 1 }
    }
    let isRows = format == .csv || format == .ingest || format == .capture
    let isTrajectory = format == .jupedsim
    let isSentences = format == .nmea
    return [
      ("elevation", isRows || isTrajectory ? counts.elevation : 0), ("accuracy", isTrajectory ? counts.accuracy : 0),
      ("floor", isTrajectory || isSentences ? counts.floor : 0),
      ("still_until", isTrajectory || isSentences ? counts.stillUntil : 0),
      ("mocked", isTrajectory ? counts.mocked : 0),
    ].filter { $0.1 > 0 }.map { (name: $0.0, count: $0.1) }
  }

  /// Compresses bytes with gzip.
  package static func gzipped(_ bytes: [UInt8]) -> [UInt8] { Gzip.compress(bytes) }
}

extension TracePoint {
  /// Returns the position in degrees; throws for a position in metres.
  func degrees() throws(TraceError) -> Coordinate {
    guard case .degrees(let coordinate) = place else {
      throw TraceError(.unsuitable, "its places are metres; say where they lie (--origin)", line: line)
    }
    return coordinate
  }

  func requiredTime(_ format: TraceFormat) throws(TraceError) -> Instant {
    guard let time else {
      throw TraceError(
        .missing, "a point has no time, which \(format.rawValue) needs; say when it began (--start)", line: line)
    }
    return time
  }
}

extension TraceTrack {
  /// The device, otherwise the name; may be empty.
  var label: String { device ?? name }
}

/// A text buffer, with encodings of numbers.
struct TraceText {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Returns a decimal number with at most `places` decimals, without trailing zeros.
  static func number(_ value: Double, places: Int) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "0" }
    var scale: Int64 = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = Int64((value * Double(scale)).rounded())
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
    var text = (scaled < 0 ? "-" : "") + String(whole)
    if rest > 0 {
      var digits = String(rest)
      digits = String(repeating: "0", count: places - digits.utf8.count) + digits
      while digits.hasSuffix("0") { digits.removeLast() }
      text += "." + digits
    }
    return text
  }

  /// Returns a number with exactly `places` decimals and at least `digits` digits before them.
  static func fixed(_ value: Double, places: Int, digits: Int) -> String {
    let parts = number(value, places: places).split(separator: ".")
    let whole = String(repeating: "0", count: max(0, digits - parts[0].utf8.count)) + parts[0]
    let rest = parts.count > 1 ? String(parts[1]) : ""
    return places > 0 ? whole + "." + rest + String(repeating: "0", count: places - rest.utf8.count) : whole
  }
}

/// A writer of GPX 1.1: a track for each device. Accuracy, floor and rest are in Cordon's own namespace, which other
/// programs skip.
enum GPXWriter {
  static func bytes(of trace: Trace) throws(TraceError) -> [UInt8] {
    var text = TraceText()
    text.put(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="cordon" xmlns="http://www.topografix.com/GPX/1/1" xmlns:cordon="urn:cordon:trace:1">

      """)
    // The schema requires way-points first, then routes, then tracks.
    for kind in [TraceTrack.Kind.waypoints, .route, .track] {
      for track in trace.tracks where track.kind == kind { try put(track, &text) }
    }
    text.put("</gpx>\n")
    return text.bytes
  }

  private static func put(_ track: TraceTrack, _ text: inout TraceText) throws(TraceError) {
    let tag = track.kind == .track ? "trkpt" : track.kind == .route ? "rtept" : "wpt"
    let outer = track.kind == .track ? "trk" : "rte"
    if track.kind != .waypoints {
      text.put("<\(outer)>")
      let name = track.name.isEmpty ? track.label : track.name
      if !name.isEmpty { text.put("<name>\(MarkupText.escaped(name))</name>") }
      if let device = track.device {
        text.put("<extensions><cordon:device>\(MarkupText.escaped(device))</cordon:device></extensions>")
      }
      text.put(track.kind == .track ? "<trkseg>\n" : "\n")
    }
    for point in track.points {
      let place = try point.degrees()
      text.put(
        "<\(tag) lat=\"\(TraceText.number(place.latitude, places: 9))\" lon=\"\(TraceText.number(place.longitude, places: 9))\">"
      )
      if let elevation = point.elevation { text.put("<ele>\(TraceText.number(elevation, places: 3))</ele>") }
      if let time = point.time { text.put("<time>\(time.rfc3339)</time>") }
      var more = ""
      if let accuracy = point.accuracy {
        more += "<cordon:accuracy>\(TraceText.number(accuracy, places: 3))</cordon:accuracy>"
      }
      if let floor = point.floor { more += "<cordon:floor>\(floor)</cordon:floor>" }
      if let until = point.stillUntil { more += "<cordon:stillUntil>\(until.rfc3339)</cordon:stillUntil>" }
      if point.isMocked { more += "<cordon:mocked>true</cordon:mocked>" }
      if !more.isEmpty { text.put("<extensions>\(more)</extensions>") }
      text.put("</\(tag)>\n")
    }
    if track.kind != .waypoints { text.put(track.kind == .track ? "</trkseg></trk>\n" : "</rte>\n") }
  }
}

/// A writer of KML: a `gx:Track` for each device, with accuracy and floor as its arrays.
enum KMLWriter {
  static func bytes(of trace: Trace) throws(TraceError) -> [UInt8] {
    var text = TraceText()
    text.put(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>

      """)
    for track in trace.tracks {
      text.put("<Placemark>")
      let name = track.name.isEmpty ? track.label : track.name
      if !name.isEmpty { text.put("<name>\(MarkupText.escaped(name))</name>") }
      if let device = track.device {
        text.put(
          "<ExtendedData><Data name=\"device\"><value>\(MarkupText.escaped(device))</value></Data></ExtendedData>")
      }
      text.put("<gx:Track>\n")
      for point in track.points { text.put("<when>\(try point.requiredTime(.kml).rfc3339)</when>\n") }
      for point in track.points {
        let place = try point.degrees()
        let height = TraceText.number(point.elevation ?? 0, places: 3)
        text.put(
          "<gx:coord>\(TraceText.number(place.longitude, places: 9)) \(TraceText.number(place.latitude, places: 9)) \(height)</gx:coord>\n"
        )
      }
      put(
        "accuracy", track.points.map { $0.accuracy.map { TraceText.number($0, places: 3) } ?? "" }, &text, isFirst: true
      )
      put("floor", track.points.map { $0.floor?.description ?? "" }, &text)
      put("mocked", track.points.map { $0.isMocked ? "true" : "" }, &text)
      put("stillUntil", track.points.map { $0.stillUntil?.rfc3339 ?? "" }, &text)
      text.put("</SchemaData></ExtendedData></gx:Track></Placemark>\n")
    }
    text.put("</Document></kml>\n")
    return text.bytes
  }

  private static func put(_ name: String, _ values: [String], _ text: inout TraceText, isFirst: Bool = false) {
    if isFirst { text.put("<ExtendedData><SchemaData>") }
    guard values.contains(where: { !$0.isEmpty }) else { return }
    text.put("<gx:SimpleArrayData name=\"\(name)\">")
    for value in values { text.put("<gx:value>\(value)</gx:value>") }
    text.put("</gx:SimpleArrayData>\n")
  }
}

/// A writer of NMEA 0183: RMC and GGA for each point, and GST if its accuracy is known.
enum NMEAWriter {
  static func bytes(of trace: Trace) throws(TraceError) -> [UInt8] {
    guard Set(trace.tracks.map(\.label)).count <= 1 else {
      throw TraceError(.unsuitable, "holds several devices, and NMEA sentences name none; pick one (--device)")
    }
    var text = TraceText()
    for track in trace.tracks {
      for point in track.points {
        let place = try point.degrees()
        let time = try point.requiredTime(.nmea)
        // 2026-01-31T09:30:00.250Z
        let stamp = Array(time.rfc3339)
        guard stamp.count == 24, stamp[0].isNumber else {
          throw TraceError(.unsuitable, "a year beyond 9999", line: point.line)
        }
        let clock = String(stamp[11...12]) + String(stamp[14...15]) + String(stamp[17...22])
        let date = String(stamp[8...9]) + String(stamp[5...6]) + String(stamp[2...3])
        let where_ = angle(place.latitude, 2, "N", "S") + "," + angle(place.longitude, 3, "E", "W")
        let quality = point.isMocked ? "8" : "1"
        let height = point.elevation.map { TraceText.fixed($0, places: 1, digits: 1) } ?? ""
        put("GNGGA,\(clock),\(where_),\(quality),,,\(height),M,,M,,", &text)
        if let accuracy = point.accuracy {
          let sigma = TraceText.fixed(accuracy / 1.5096, places: 4, digits: 1)
          put("GNGST,\(clock),,,,,\(sigma),\(sigma),", &text)
        }
        // Last, as in receivers: some programs treat it as the end of a fix.
        put("GNRMC,\(clock),A,\(where_),,,\(date),,,\(point.isMocked ? "S" : "A")", &text)
      }
    }
    return text.bytes
  }

  private static func angle(_ value: Double, _ digits: Int, _ positive: String, _ negative: String) -> String {
    // In whole units of 1e-7 minutes, so that 60.0 minutes are impossible.
    let units = Int64((abs(value) * 60e7).rounded())
    let (degrees, rest) = units.quotientAndRemainder(dividingBy: 600_000_000)
    let whole = String(degrees)
    let minutes = TraceText.fixed(Double(rest) / 1e7, places: 7, digits: 2)
    return String(repeating: "0", count: max(0, digits - whole.utf8.count)) + whole + minutes + ","
      + (value < 0 ? negative : positive)
  }

  private static func put(_ sentence: String, _ text: inout TraceText) {
    let sum = sentence.utf8.reduce(UInt8(0)) { $0 ^ $1 }
    text.put("$\(sentence)*\(NMEAReader.hex(sum))\r\n")
  }
}

/// A writer of CSV with the columns that all commands read.
enum CSVTraceWriter {
  static func bytes(of trace: Trace) throws(TraceError) -> [UInt8] {
    var text = TraceText()
    var isMetres = false
    for track in trace.tracks {
      for point in track.points { if case .metres = point.place { isMetres = true } }
    }
    // Few files need this column.
    let hasMocked = trace.tracks.contains { $0.points.contains(where: \.isMocked) }
    text.put("device,time_ms,\(isMetres ? "x,y" : "longitude,latitude"),accuracy,floor,still_until")
    text.put(hasMocked ? ",mocked\n" : "\n")
    for track in trace.tracks {
      // A line break within a cell is read by few programs.
      let name = String(track.label.map { $0.isNewline ? " " : $0 })
      let label = name.isEmpty ? "device" : CSVCell.text(name)
      for point in track.points {
        let places: (Double, Double, Int)
        switch point.place {
        case .degrees(let coordinate):
          if isMetres { throw TraceError(.unsuitable, "mixes metres and degrees", line: point.line) }
          places = (coordinate.longitude, coordinate.latitude, 9)
        case .metres(let point): places = (point.x, point.y, 4)
        }
        let time = point.time.map { String($0.milliseconds) } ?? ""
        let accuracy = point.accuracy.map { TraceText.number($0, places: 3) } ?? ""
        let until = point.stillUntil.map { String($0.milliseconds) } ?? ""
        text.put("\(label),\(time),")
        text.put("\(TraceText.number(places.0, places: places.2)),\(TraceText.number(places.1, places: places.2)),")
        text.put("\(accuracy),\(point.floor?.description ?? ""),\(until)")
        if hasMocked { text.put(point.isMocked ? ",true" : ",") }
        text.put("\n")
      }
    }
    return text.bytes
  }
}

/// A writer of text trajectories: numbers for devices, frames of the greatest common time step, positions in metres.
enum JuPedSimWriter {
  static func bytes(of trace: Trace) throws(TraceError) -> [UInt8] {
    var times: [Int64] = []
    var origin: Coordinate?
    for track in trace.tracks {
      for point in track.points {
        times.append(try point.requiredTime(.jupedsim).milliseconds)
        if case .degrees(let coordinate) = point.place { origin = origin ?? coordinate }
      }
    }
    guard let first = times.min() else { throw TraceError(.empty, "holds no point") }
    var step: Int64 = 0
    for time in times {
      var (a, b) = (step, time - first)
      while b != 0 { (a, b) = (b, a % b) }
      step = a
    }
    if step == 0 { step = 1_000 }
    var text = TraceText()
    text.put("#framerate: \(TraceText.number(1_000 / Double(step), places: 9))\n")
    text.put("#start: \(Instant(milliseconds: first).rfc3339)\n")
    let frame = origin.map { LocalFrame(origin: $0) }
    if let origin {
      text.put(
        "#origin: \(TraceText.number(origin.longitude, places: 9)),\(TraceText.number(origin.latitude, places: 9))\n")
    }
    for (index, track) in trace.tracks.enumerated() where !track.label.isEmpty {
      text.put("#\(index + 1) is \(track.label.replacingOccurrences(of: "\n", with: " "))\n")
    }
    text.put("#id\tframe\tx/m\ty/m\tz/m\n")
    for (index, track) in trace.tracks.enumerated() {
      for point in track.points {
        let place: PlanePoint
        switch point.place {
        case .metres(let metres): place = metres
        case .degrees(let coordinate): place = frame?.projectRounded(coordinate) ?? PlanePoint(x: 0, y: 0)
        }
        let number = ((point.time?.milliseconds ?? first) - first) / step
        text.put(
          "\(index + 1)\t\(number)\t\(TraceText.number(place.x, places: 4))\t\(TraceText.number(place.y, places: 4))\t0\n"
        )
      }
    }
    return text.bytes
  }
}

/// Writers of the JSON formats.
enum JSONTraceWriter {
  private static func pair(_ coordinate: Coordinate) -> JSONValue {
    .array([round(coordinate.longitude), round(coordinate.latitude)])
  }

  private static func round(_ degrees: Double) -> JSONValue { .number((degrees * 1e9).rounded() / 1e9) }

  private static func metres(_ value: Double) -> JSONValue { .number((value * 1e3).rounded() / 1e3) }

  static func geoJSON(_ trace: Trace) throws(TraceError) -> [UInt8] {
    try lines(trace, head: "{\"type\":\"FeatureCollection\",\"features\":[\n", separator: ",\n", tail: "\n]}\n") {
      point, label throws(TraceError) in
      let place = try point.degrees()
      var coordinates: [JSONValue] = [round(place.longitude), round(place.latitude)]
      if let elevation = point.elevation { coordinates.append(metres(elevation)) }
      var properties: [JSONValue.Member] = [.init("device", .string(label))]
      if let time = point.time { properties.append(.init("time", .string(time.rfc3339))) }
      properties += more(point)
      return [
        "type": "Feature", "geometry": ["type": "Point", "coordinates": .array(coordinates)],
        "properties": .object(properties),
      ]
    }
  }

  private static func more(_ point: TracePoint) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let accuracy = point.accuracy { members.append(.init("accuracy", metres(accuracy))) }
    if let floor = point.floor { members.append(.init("floor", .number(floor.value))) }
    if let until = point.stillUntil { members.append(.init("still_until", .string(until.rfc3339))) }
    if point.isMocked { members.append(.init("mocked", true)) }
    return members
  }

  static func overland(_ trace: Trace) throws(TraceError) -> [UInt8] {
    try lines(trace, head: "{\"locations\":[\n", separator: ",\n", tail: "\n]}\n") { point, label throws(TraceError) in
      var properties: [JSONValue.Member] = [
        .init("timestamp", .string(try point.requiredTime(.overland).rfc3339)), .init("device_id", .string(label)),
      ]
      if let accuracy = point.accuracy { properties.append(.init("horizontal_accuracy", metres(accuracy))) }
      if let elevation = point.elevation { properties.append(.init("altitude", metres(elevation))) }
      properties += more(point).filter { $0.key != "accuracy" }
      return [
        "type": "Feature", "geometry": ["type": "Point", "coordinates": pair(try point.degrees())],
        "properties": .object(properties),
      ]
    }
  }

  static func ownTracks(_ trace: Trace) throws(TraceError) -> [UInt8] {
    try lines(trace, head: "", separator: "\n", tail: "\n") { point, label throws(TraceError) in
      let place = try point.degrees()
      let time = try point.requiredTime(.owntracks)
      var members: [JSONValue.Member] = [
        .init("_type", "location"), .init("topic", .string("owntracks/cordon/\(label)")),
        .init("lat", round(place.latitude)), .init("lon", round(place.longitude)),
        .init(
          "tst",
          time.milliseconds % 1_000 == 0
            ? .integer(time.milliseconds / 1_000) : .number(Double(time.milliseconds) / 1_000)),
      ]
      if let accuracy = point.accuracy { members.append(.init("acc", metres(accuracy))) }
      if let elevation = point.elevation { members.append(.init("alt", metres(elevation))) }
      members += more(point).filter { $0.key != "accuracy" }
      return .object(members)
    }
  }

  /// Writes rows without consent because a trace cannot prove the consent of a person.
  static func ingest(_ trace: Trace) throws(TraceError) -> [UInt8] {
    try lines(trace, head: "[\n", separator: ",\n", tail: "\n]\n") { point, label throws(TraceError) in
      try row(point, label)
    }
  }

  private static func row(_ point: TracePoint, _ label: String) throws(TraceError) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("device", .string(label)), .init("time", .integer(try point.requiredTime(.ingest).milliseconds)),
      .init("lonlat", pair(try point.degrees())),
    ]
    if let accuracy = point.accuracy { members.append(.init("acc", metres(accuracy))) }
    if let floor = point.floor { members.append(.init("floor", .number(floor.value))) }
    if let until = point.stillUntil { members.append(.init("still_until", .integer(until.milliseconds))) }
    if point.isMocked { members.append(.init("mocked", true)) }
    return .object(members)
  }

  static func capture(_ trace: Trace) throws(TraceError) -> [UInt8] {
    try lines(trace, head: "", separator: "\n", tail: "\n") { point, label throws(TraceError) in
      [
        "received_ms": .integer(try point.requiredTime(.capture).milliseconds), "method": "POST",
        "path": "/v1/positions", "body": ["rows": [try row(point, label)]],
      ]
    }
  }

  private static func lines(
    _ trace: Trace, head: String, separator: String, tail: String,
    _ make: (TracePoint, String) throws(TraceError) -> JSONValue
  ) throws(TraceError) -> [UInt8] {
    var text = TraceText()
    text.put(head)
    var isFirst = true
    for track in trace.tracks {
      let label = track.label.isEmpty ? "device" : track.label
      for point in track.points {
        if !isFirst { text.put(separator) }
        isFirst = false
        text.put(try make(point, label).text())
      }
    }
    text.put(tail)
    return text.bytes
  }
}
