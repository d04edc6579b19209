internal import CordonCore
internal import CordonGeometry
import CordonSupport

/// A reader of all JSON formats: GeoJSON, MF-JSON, Overland, OwnTracks, rows of the published ingest API and of /v1, and
/// captured requests. The first value determines the format. A file can contain several consecutive values.
struct JSONTraceReader: TraceReader {
  private let options: TraceReadOptions
  private var document: TraceDocument
  private var clock: TraceClock
  private var trace: Trace
  private var tracks: [String: Int] = [:]
  private var count = 0

  init(_ options: TraceReadOptions) {
    self.options = options
    document = TraceDocument(limit: options.limits.documentBytes)
    clock = TraceClock(options)
    trace = Trace(format: options.format ?? .geojson)
  }

  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(TraceError) { try document.append(bytes) }

  mutating func finish() throws(TraceError) -> Trace {
    let bytes = JSONTraceReader.messages(document.bytes)
    let result: Result<Void, TraceError> = bytes.withUnsafeBufferPointer { buffer in
      do throws(TraceError) {
        var tree = JSONTree(buffer, maximumDepth: options.limits.depth)
        var isEmpty = true
        while let (value, start) = try tree.next() {
          if isEmpty, let format = JSONTraceReader.format(of: value) { trace.format = format }
          isEmpty = false
          try take(value, line: start, in: &tree)
        }
        if isEmpty { throw TraceError(.empty, "is empty", line: 1) }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    if let assumption = clock.assumption { trace.remark(assumption) }
    return trace
  }

  /// Returns the bytes without the time of arrival and the kind that the OwnTracks recorder writes before each message.
  private static func messages(_ bytes: [UInt8]) -> [UInt8] {
    let first = bytes.prefix { $0 != 0x0A }
    guard FileKind.isOwnTracksRecord(Substring(String(decoding: first.prefix(FileKind.headLength), as: UTF8.self)))
    else {
      return bytes
    }
    var messages = bytes
    var k = 0
    while k < messages.count {
      // Spaces, so that places in the file stay what they are; a line without a message has none.
      while k < messages.count, messages[k] != UInt8(ascii: "{"), messages[k] != 0x0A {
        messages[k] = 0x20
        k += 1
      }
      while k < messages.count, messages[k] != 0x0A { k += 1 }
      k += 1
    }
    return messages
  }

  /// Returns the format of a value; `nil` if it is unknown.
  static func format(of value: PlacedJSON) -> TraceFormat? {
    if value["method"]?.text != nil, value["path"]?.text != nil { return .capture }
    if value["_type"]?.text != nil { return .owntracks }
    if value["locations"]?.elements != nil { return .overland }
    if value["rows"]?.elements != nil { return .ingest }
    if JSONTraceReader.isMoving(value) { return .mfJSON }
    if value["type"]?.text != nil { return .geojson }
    if value["lonlat"] != nil { return .ingest }
    if let first = value.elements?.first { return format(of: first) }
    return value.elements?.isEmpty == true ? .ingest : nil
  }

  private mutating func take(_ value: PlacedJSON, line start: Int, in tree: inout JSONTree) throws(TraceError) {
    guard let format = JSONTraceReader.format(of: value) else {
      throw TraceError(.unknownFormat, "is JSON, but none that is known here", line: start)
    }
    switch format {
    case .capture: try takeCapture(value, line: start, &tree)
    case .geojson, .mfJSON: try takeGeoJSON(value, &tree, depth: 0)
    case .owntracks:
      for message in value.elements ?? [value] { try takeOwnTracks(message, &tree) }
    case .overland:
      for feature in value["locations"]?.elements ?? [] { try takeFeature(feature, &tree) }
    default:
      for row in value["rows"]?.elements ?? value.elements ?? [value] { try takeRow(row, &tree) }
    }
  }

  // MARK: Parts

  mutating func leaveOut(_ line: Int, _ reason: String) { trace.leaveOut(line: line, reason) }

  mutating func remark(_ sentence: String) { trace.remark(sentence) }

  mutating func add(_ point: TracePoint, device: String?) throws(TraceError) {
    count += 1
    guard count <= options.limits.points else {
      throw TraceError(.tooLarge, "has more than \(options.limits.points) points", line: point.line)
    }
    trace.append(point, device: device ?? "", index: &tracks)
  }

  mutating func place(_ value: PlacedJSON?, _ line: Int) -> TracePoint? {
    guard let numbers = value?.elements, numbers.count >= 2, let longitude = numbers[0].double,
      let latitude = numbers[1].double, Coordinate(longitude: longitude, latitude: latitude).isValid
    else {
      trace.leaveOut(line: line, "the place is no [longitude, latitude] in range")
      return nil
    }
    return TracePoint(
      place: .degrees(Coordinate(longitude: longitude, latitude: latitude)),
      elevation: numbers.count > 2 ? numbers[2].double : nil, line: line)
  }

  mutating func time(_ value: PlacedJSON?, _ line: Int) -> Instant? {
    guard let value, !value.isNull else { return nil }
    guard let instant = clock.instant(value) else {
      trace.leaveOut(line: line, "the time cannot be read; its point has none")
      return nil
    }
    return instant
  }

  private mutating func fill(_ point: inout TracePoint, from properties: PlacedJSON) {
    point.time = time(properties.first("time", "timestamp", "datetime", "time_ms", "tst", "t"), point.line)
    let accuracy = properties.first("accuracy", "acc", "horizontal_accuracy", "accuracy_m")?.double
    if let accuracy, accuracy >= 0 { point.accuracy = accuracy }
    point.floor = floor(properties.first("floor", "ordinal", "level", "floor_level"))
    point.stillUntil = time(properties.first("still_until", "stillUntil"), point.line)
    if properties["mocked"]?.bool == true { point.isMocked = true }
    if point.elevation == nil { point.elevation = properties.first("altitude", "alt")?.double }
  }

  /// An ordinal, or the name or identifier of a floor of the venue.
  func floor(_ value: PlacedJSON?) -> FloorOrdinal? {
    if let number = value?.double { return FloorOrdinal(number) }
    return value?.text.flatMap { options.columns.floors[$0.trimmed.lowercased()] }
  }

  static func name(_ value: PlacedJSON?) -> String? {
    switch value {
    case .string(let text): text
    case .number(let number): number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
    default: nil
    }
  }

  static func device(_ properties: PlacedJSON) -> String? {
    name(
      properties.first(
        "device", "device_id", "deviceId", "device_name", "unique_id", "user_id", "uid", "trajectory_id", "traj_id",
        "id"))
  }

  // MARK: Formats

  private mutating func takeGeoJSON(_ value: PlacedJSON, _ tree: inout JSONTree, depth: Int) throws(TraceError) {
    switch value["type"]?.text {
    case "FeatureCollection":
      if JSONTraceReader.isMoving(value) { try checkSystem(value, &tree) }
      for feature in value["features"]?.elements ?? [] { try takeFeature(feature, &tree) }
    case "Feature": try takeFeature(value, &tree)
    case "GeometryCollection":
      guard depth < 8 else { return trace.leaveOut(line: tree.line(at: value.offset), "collections lie too deep") }
      for geometry in value["geometries"]?.elements ?? [] { try takeGeoJSON(geometry, &tree, depth: depth + 1) }
    default: try takeGeometry(value, properties: .emptyObject, &tree)
    }
  }

  private mutating func takeFeature(_ feature: PlacedJSON, _ tree: inout JSONTree) throws(TraceError) {
    if feature["temporalGeometry"]?.isObject == true { return try takeMoving(feature, &tree) }
    let line = tree.line(at: feature.offset)
    guard feature["type"]?.text == "Feature", let geometry = feature["geometry"], geometry.isObject else {
      return trace.leaveOut(line: line, "is not a feature with a geometry")
    }
    try takeGeometry(geometry, properties: feature["properties"] ?? .emptyObject, &tree)
  }

  private mutating func takeGeometry(
    _ geometry: PlacedJSON, properties: PlacedJSON, _ tree: inout JSONTree
  ) throws(TraceError) {
    let line = tree.line(at: geometry.offset)
    let device = JSONTraceReader.device(properties) ?? JSONTraceReader.name(properties["name"])
    switch geometry["type"]?.text {
    case "Point":
      guard var point = place(geometry["coordinates"], line) else { return }
      fill(&point, from: properties)
      try add(point, device: device)
    case "LineString":
      try takeLine(geometry["coordinates"], times: JSONTraceReader.times(properties), properties, device, line)
    case "MultiLineString":
      let lists = JSONTraceReader.times(properties)?.elements
      for (index, part) in (geometry["coordinates"]?.elements ?? []).enumerated() {
        let times = lists.flatMap { $0.indices.contains(index) ? $0[index] : nil }
        try takeLine(part, times: times, properties, device, line)
      }
    default:
      trace.leaveOut(
        line: line,
        "a geometry \(geometry["type"]?.text.map { Quotation.of($0, limit: 40) } ?? "without a type") holds no track")
    }
  }

  private static func times(_ properties: PlacedJSON) -> PlacedJSON? {
    properties.first("coordTimes", "times", "datetimes")
      ?? properties["coordinateProperties"]?.first("times", "coordTimes")
  }

  private mutating func takeLine(
    _ coordinates: PlacedJSON?, times: PlacedJSON?, _ properties: PlacedJSON, _ device: String?, _ line: Int
  ) throws(TraceError) {
    let places = coordinates?.elements ?? []
    let times = times?.elements
    if let times, times.count != places.count {
      return trace.leaveOut(line: line, "a line with \(places.count) places and \(times.count) times")
    }
    let data = properties["coordinateProperties"]
    let accuracies = (properties["accuracies"] ?? data?["accuracies"])?.elements
    let floors = (properties["floors"] ?? data?["floors"])?.elements
    for index in places.indices {
      guard var point = place(places[index], line) else { continue }
      point.time = time(times?[index], line)
      if let accuracies, accuracies.indices.contains(index), let accuracy = accuracies[index].double, accuracy >= 0 {
        point.accuracy = accuracy
      }
      if let floors, floors.indices.contains(index) { point.floor = floor(floors[index]) }
      try add(point, device: device)
    }
  }

  private mutating func takeOwnTracks(_ message: PlacedJSON, _ tree: inout JSONTree) throws(TraceError) {
    let line = tree.line(at: message.offset)
    // Way-points, transitions and status messages are not positions.
    guard message["_type"]?.text == "location" else {
      if message["_type"]?.text == "encrypted" { trace.leaveOut(line: line, "is encrypted") }
      return
    }
    guard var point = place(.array([message["lon"] ?? .null, message["lat"] ?? .null]), line) else { return }
    fill(&point, from: message)
    let topic = message["topic"]?.text?.split(separator: "/").last.map(String.init)
    try add(point, device: message["device"]?.text ?? topic ?? JSONTraceReader.name(message["tid"]))
  }

  private mutating func takeRow(_ row: PlacedJSON, _ tree: inout JSONTree) throws(TraceError) {
    let line = tree.line(at: row.offset)
    guard var point = place(row["lonlat"], line) else { return }
    fill(&point, from: row)
    if row["userConsent"]?.bool == false {
      return trace.leaveOut(line: line, "a row without the person's consent")
    }
    try add(point, device: JSONTraceReader.name(row["device"]))
  }

  private mutating func takeCapture(_ capture: PlacedJSON, line: Int, _ tree: inout JSONTree) throws(TraceError) {
    guard let body = capture["body"], body.isObject || body.elements != nil else { return }
    guard let format = JSONTraceReader.format(of: body), format != .capture else { return }
    try take(body, line: line, in: &tree)
  }
}
