internal import CordonCore
import CordonSupport

/// A writer of MF-JSON Prism (OGC 19-045r3): a moving point for each device.
///
/// Accuracy, floor, rest and mocked positions are temporal properties, each with the times at which it is known.
enum MFJSONWriter {
  static func bytes(of trace: Trace) throws(TraceError) -> [UInt8] {
    var text = TraceText()
    text.put(
      """
      {"type":"FeatureCollection",
      "crs":{"type":"Name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},
      "trs":{"type":"Name","properties":{"name":"urn:ogc:data:time:iso8601"}},
      "features":[

      """)
    var isFirst = true
    for track in trace.tracks where !track.points.isEmpty {
      if !isFirst { text.put(",\n") }
      isFirst = false
      text.put(try feature(track).text())
    }
    text.put("\n]}\n")
    return text.bytes
  }

  private static func feature(_ track: TraceTrack) throws(TraceError) -> JSONValue {
    var times: [JSONValue] = []
    var places: [JSONValue] = []
    for point in track.points {
      let place = try point.degrees()
      var coordinates = [place.longitude, place.latitude].map { JSONValue.number(($0 * 1e9).rounded() / 1e9) }
      if let elevation = point.elevation { coordinates.append(metres(elevation)) }
      times.append(.string(try point.requiredTime(.mfJSON).rfc3339))
      places.append(.array(coordinates))
    }
    let label = track.label.isEmpty ? "device" : track.label
    var properties: [JSONValue] = []
    func add(_ name: String, _ type: [JSONValue.Member], _ value: (TracePoint) -> JSONValue?) {
      let known = zip(times, track.points).compactMap { time, point in value(point).map { (time, $0) } }
      guard !known.isEmpty else { return }
      let values: JSONValue = .object(type + [.init("values", .array(known.map(\.1))), .init("interpolation", "Step")])
      properties.append(.object([.init("datetimes", .array(known.map(\.0))), .init(name, values)]))
    }
    add("accuracy", [.init("type", "Measure"), .init("form", "MTR")]) { $0.accuracy.map(metres) }
    add("floor", [.init("type", "Measure")]) { $0.floor.map { .number($0.value) } }
    add("still_until", [.init("type", "Text")]) { $0.stillUntil.map { .string($0.rfc3339) } }
    add("mocked", [.init("type", "Text")]) { $0.isMocked ? "true" : nil }
    return [
      "type": "Feature", "id": .string(label),
      "temporalGeometry": [
        "type": "MovingPoint", "datetimes": .array(times), "coordinates": .array(places), "interpolation": "Linear",
      ],
      "temporalProperties": .array(properties), "properties": ["device": .string(label)],
    ]
  }

  private static func metres(_ value: Double) -> JSONValue { .number((value * 1e3).rounded() / 1e3) }
}
