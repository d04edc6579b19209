internal import CordonCore
import CordonSupport

/// MF-JSON (OGC 19-045r3): moving points, alone or in collections.
extension JSONTraceReader {
  /// Whether a value is a moving feature, or a collection that begins with one.
  static func isMoving(_ value: PlacedJSON) -> Bool {
    let feature = value["features"]?.elements?.first ?? value
    return feature["temporalGeometry"]?.isObject == true
  }

  /// The crs of features that name none themselves.
  mutating func checkSystem(_ value: PlacedJSON, _ tree: inout JSONTree) throws(TraceError) {
    guard let name = value["crs"]?["properties"]?["name"]?.text else { return }
    let known = ["CRS84", "4326", "WGS84", "WGS 84"]
    guard known.contains(where: { name.contains($0) }) else {
      let system = Quotation.of(name, limit: 60)
      throw TraceError(
        .unsuitable, "is in the coordinate system \(system); only longitude and latitude are read",
        line: tree.line(at: value.offset))
    }
  }

  mutating func takeMoving(_ feature: PlacedJSON, _ tree: inout JSONTree) throws(TraceError) {
    try checkSystem(feature, &tree)
    let properties = feature["properties"] ?? .emptyObject
    let names = [feature["id"], properties["name"]]
    let device = JSONTraceReader.device(properties) ?? names.lazy.compactMap { JSONTraceReader.name($0) }.first
    try takeMoving(feature["temporalGeometry"] ?? .null, of: feature, device, &tree, depth: 0)
  }

  private mutating func takeMoving(
    _ geometry: PlacedJSON, of feature: PlacedJSON, _ device: String?, _ tree: inout JSONTree, depth: Int
  ) throws(TraceError) {
    let line = tree.line(at: geometry.offset)
    switch geometry["type"]?.text {
    case "MovingPoint": break
    case "MovingGeometryCollection" where depth < 8:
      for prism in geometry["prisms"]?.elements ?? geometry["members"]?.elements ?? [] {
        try takeMoving(prism, of: feature, device, &tree, depth: depth + 1)
      }
      return
    case let other:
      let name = other.map { Quotation.of($0, limit: 40) } ?? "without a type"
      return leaveOut(line, "a geometry \(name) is not a moving point")
    }
    let (times, places) = (geometry["datetimes"]?.elements ?? [], geometry["coordinates"]?.elements ?? [])
    guard times.count == places.count else {
      return leaveOut(line, "a moving point with \(places.count) places and \(times.count) times")
    }
    if let way = geometry["interpolation"]?.text, !["Linear", "Discrete"].contains(way) {
      remark("interpolation \(Quotation.of(way, limit: 20)) is read as Linear")
    }
    var points: [TracePoint] = []
    for (time, place) in zip(times, places) {
      guard var point = self.place(place, line) else { continue }
      point.time = self.time(time, line)
      points.append(point)
    }
    for values in feature["temporalProperties"]?.elements ?? [] { fill(&points, from: values, line) }
    for point in points { try add(point, device: device) }
  }

  /// Gives points the values of a temporal property at their times.
  private mutating func fill(_ points: inout [TracePoint], from property: PlacedJSON, _ line: Int) {
    let times = (property["datetimes"]?.elements ?? []).map { time($0, line) }
    for name in ["accuracy", "floor", "still_until", "mocked"] {
      guard let values = property[name]?["values"]?.elements, values.count == times.count else { continue }
      var next = 0
      for (time, value) in zip(times, values) {
        // Both are in the order of time.
        while next < points.count, points[next].time != time { next += 1 }
        guard next < points.count else { break }
        switch name {
        case "accuracy": if let radius = value.double, radius >= 0 { points[next].accuracy = radius }
        case "floor": points[next].floor = floor(value)
        case "still_until": points[next].stillUntil = self.time(value, line)
        default: points[next].isMocked = value.text == "true" || value.bool == true
        }
        next += 1
      }
    }
  }
}
