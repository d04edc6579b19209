package import CordonCore
package import CordonSupport

/// The messages of the Overland receiver API: GeoJSON points in, one word out.
package enum Overland {
  /// The contents of a payload besides the locations.
  package struct Options: Sendable {
    /// The value of `device_id`; `nil` for the pseudonym.
    package var deviceID: String?
    /// Whether `unique_id` is included: the pseudonym, which the person cannot choose.
    package var includesUniqueID = false
    /// Whether the properties about tracking itself are included.
    package var includesStatistics = false
    /// The offset of local time from UTC in seconds at a time, for the timestamps.
    package var offset: @Sendable (Instant) -> Int = { _ in 0 }
    /// The most recent location, when more than two batches wait.
    package var current: Location?
    /// The trip in progress.
    package var trip: Trip?
    /// Whether a location is a visit, which has a shape of its own.
    package var isVisit: @Sendable (Location) -> Bool = { _ in false }
    /// The acknowledgement of settings: a JSON object.
    package var acknowledgement: JSONValue?

    /// Makes the default options.
    package init() {}

    /// The options for records of places, in which a visit is a location as any other.
    var withoutVisits: Options {
      var options = self
      options.isVisit = { _ in false }
      return options
    }
  }

  /// The body of a `POST`: `{"locations": [Feature]}` with all properties of the API. A value that is not measured is the one that
  /// the API has for it: -1, an empty list or text, `unknown`. Floor, rest and identity travel as properties of ours.
  package static func encode(_ locations: [Location], _ options: Options = Options()) -> [UInt8] {
    let acknowledgement = options.acknowledgement?.text() ?? ""
    var capacity = 128 + acknowledgement.utf8.count + (options.trip?.room ?? 0)
    let others = [options.current, options.trip?.startLocation, options.trip?.currentLocation].compactMap(\.self)
    for location in locations + others { capacity += room(for: location, options) }
    let plain = options.withoutVisits
    let body = JSONWriter.bytes(capacity: capacity) { writer in
      writer.put("{\"locations\":[")
      var isFirst = true
      for location in locations {
        if !isFirst { writer.put(UInt8(ascii: ",")) }
        isFirst = false
        write(location, options, locations.count, &writer)
      }
      writer.put("]")
      if let current = options.current {
        writer.put(",\"current\":")
        write(current, plain, locations.count, &writer)
      }
      if let trip = options.trip {
        writer.put(",\"trip\":")
        write(trip, plain, locations.count, &writer)
      }
      if acknowledgement.isEmpty { writer.put("}") }
    }
    return acknowledgement.isEmpty ? body : body + Array(",\"settings\":\(acknowledgement)}".utf8)
  }

  /// The most bytes that a feature takes.
  static func room(for location: Location, _ options: Options) -> Int {
    1_024 + 2 * JSONWriter.room(for: location.device.rawValue) + JSONWriter.room(for: options.deviceID ?? "")
  }

  static func write(_ time: Instant, _ options: Options, _ writer: inout JSONWriter) {
    writer.put(string: timestamp(time, offset: options.offset(time)))
  }

  /// Writes the members of a feature up to the value of its `timestamp`.
  static func open(_ coordinate: Coordinate, _ time: Instant, _ options: Options, _ writer: inout JSONWriter) {
    writer.put("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
    writer.put(coordinate.longitude, places: 7)
    writer.put(UInt8(ascii: ","))
    writer.put(coordinate.latitude, places: 7)
    writer.put("]},\"properties\":{\"timestamp\":")
    write(time, options, &writer)
  }

  /// Writes the properties that every feature has.
  static func writeDevice(_ device: DeviceID, _ options: Options, _ writer: inout JSONWriter) {
    writer.put(",\"battery_state\":\"unknown\",\"battery_level\":-1,\"wifi\":\"\",\"device_id\":")
    writer.put(string: options.deviceID ?? device.rawValue)
    if options.includesUniqueID {
      writer.put(",\"unique_id\":")
      writer.put(string: device.rawValue)
    }
  }

  static func write(
    _ location: Location, _ options: Options, _ count: Int, _ writer: inout JSONWriter
  ) {
    if options.isVisit(location) { return writeVisit(location, options, &writer) }
    open(location.coordinate, location.time, options, &writer)
    writer.put(",\"altitude\":0,\"speed\":-1,\"course\":-1,\"horizontal_accuracy\":")
    writer.put(location.accuracy, places: 3)
    writer.put(",\"vertical_accuracy\":-1,\"speed_accuracy\":-1,\"course_accuracy\":-1,\"motion\":[")
    if location.stillUntil != nil { writer.put("\"stationary\"") }
    writer.put("]")
    writeDevice(location.device, options, &writer)
    if options.includesStatistics {
      writer.put(",\"pauses\":true,\"activity\":\"other\",\"desired_accuracy\":0,\"deferred\":0")
      writer.put(",\"significant_change\":\"disabled\",\"locations_in_payload\":")
      writer.put(Int64(count))
    }
    writer.put(",\"fix_id\":")
    writer.put(location.id)
    if let floor = location.floor {
      writer.put(",\"floor\":")
      writer.put(floor.value, places: 3)
    }
    if let end = location.stillUntil {
      writer.put(",\"still_until\":")
      write(end, options, &writer)
    }
    writer.put("}}")
  }

  /// Returns local time with its offset: `2026-01-31T10:30:00.250+01:00`.
  /// - Parameters:
  ///   - time: the time.
  ///   - offset: seconds east of UTC; parts of a minute are dropped.
  package static func timestamp(_ time: Instant, offset: Int) -> String {
    let minutes = min(max(offset / 60, -1_439), 1_439)
    var text = (time + .minutes(Int64(minutes))).rfc3339
    if text.hasSuffix("Z") { text.removeLast() }
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    let size = abs(minutes)
    return text + (minutes < 0 ? "-" : "+") + two(size / 60) + ":" + two(size % 60)
  }

  /// Whether a body is the answer `{"result": "ok"}`; nothing else means that the locations were taken.
  package static func isAccepted(_ body: [UInt8]) -> Bool {
    guard let members = try? JSONReader.members(of: body, "result") else { return false }
    return members[0] == "ok"
  }

  /// Returns the text of an answer `{"error": "..."}`: at most 200 characters without control characters; `nil` for other
  /// answers.
  package static func error(in body: [UInt8]) -> String? {
    guard let value = try? JSONReader.value(of: body), let text = value["error"]?.stringValue, !text.isEmpty else {
      return nil
    }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.controlsTerminal }.prefix(200)))
  }

  /// Returns the settings that an answer asks for (`set`); `nil` without any.
  package static func settings(in body: [UInt8]) -> JSONValue? {
    guard body.count <= 1 << 16, let value = try? JSONReader.value(of: body), let set = value["set"], set.members != nil
    else { return nil }
    return set
  }

  // MARK: - Addresses with parameters

  private static let parameters = ["%TS", "%LAT", "%LON", "%ACC", "%SPD", "%ALT", "%BAT"]

  /// Returns a template of an address as an address: the percent signs of its parameters are encoded.
  package static func address(ofTemplate text: String) -> String {
    var text = text
    for name in parameters {
      // A template that was encoded already stays.
      text = text.replacing(name, with: "%25" + name.dropFirst())
    }
    return text
  }

  /// Returns an address with the values of a location, percent-encoded, in place of its parameters.
  package static func address(_ text: String, for location: Location) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    func number(_ value: Double, _ places: Int) -> String {
      String(decoding: JSONWriter.bytes(capacity: 64) { $0.put(value, places: places) }, as: UTF8.self)
    }
    // Whole seconds, as the API has them: without `.000`.
    let seconds = Instant(milliseconds: location.time.milliseconds / 1_000 * 1_000).rfc3339.dropLast(5) + "Z"
    let values = [
      String(seconds), number(location.coordinate.latitude, 7), number(location.coordinate.longitude, 7),
      number(location.accuracy, 3), "-1", "0", "-1",
    ]
    var text = text
    for (name, value) in zip(parameters, values) {
      text = text.replacing("%25" + name.dropFirst(), with: PercentEncoding.encode(value))
    }
    return text
  }
}
