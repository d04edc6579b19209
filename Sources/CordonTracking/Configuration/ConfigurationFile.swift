import CordonCore
package import CordonMonitoring
import Foundation

/// The file as written; ``configuration(in:)`` interprets it.
struct ConfigurationFile: Decodable {
  struct SinkEntry: Decodable {
    var kind: String
    var url: String?
    var path: String?
    var token: String?
    var required: Bool?
    var any_success: Bool?
    var activation: Bool?
    var number: UInt8?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case kind, url, path, token, required, any_success, activation, number
    }

    init(from decoder: any Decoder) throws {
      try decoder.refuseUnknownKeys(CodingKeys.self)
      let values = try decoder.container(keyedBy: CodingKeys.self)
      kind = try values.decode(String.self, forKey: .kind)
      url = try values.decodeIfPresent(String.self, forKey: .url)
      path = try values.decodeIfPresent(String.self, forKey: .path)
      token = try values.decodeIfPresent(String.self, forKey: .token)
      required = try values.decodeIfPresent(Bool.self, forKey: .required)
      any_success = try values.decodeIfPresent(Bool.self, forKey: .any_success)
      activation = try values.decodeIfPresent(Bool.self, forKey: .activation)
      number = try values.decodeIfPresent(UInt8.self, forKey: .number)
    }

    func sink(in folder: URL, at index: Int) throws -> TrackerSink {
      let place = "sinks[\(index)]"
      guard let kind = TrackerSink.Kind(rawValue: kind) else {
        let names = TrackerSink.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw TrackerError("bad-configuration", "the kinds of sinks are \(names)", place: "\(place).kind")
      }
      guard let address = kind == .file ? path ?? url : url else {
        throw TrackerError(
          "bad-configuration", "a sink needs an address", place: "\(place).\(kind == .file ? "path" : "url")")
      }
      if let number, number < 16 {
        throw TrackerError("bad-configuration", "the number of a sink must be 16 to 255", place: "\(place).number")
      }
      do throws(TrackerError) {
        return try TrackerSink(
          kind, address, number: number, token: token, isRequired: required ?? true,
          acceptsAnySuccess: any_success ?? false,
          needsActivation: activation, relativeTo: folder)
      } catch {
        throw TrackerError(error.code, error.message, place: place)
      }
    }
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case venue, venues, venue_refresh, store, keys, sealed, gpsd, sinks, preset
    case maximum_accuracy_m, thinning, minimum_distance_m, still_after, heartbeat, flush_after, flush_rows, batch_rows
    case maximum_rows, maximum_bytes, maximum_age, device_type
  }

  private let values: KeyedDecodingContainer<CodingKeys>
  private let sinks: [SinkEntry]

  init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownKeys(CodingKeys.self)
    values = try decoder.container(keyedBy: CodingKeys.self)
    sinks = try values.decodeIfPresent([SinkEntry].self, forKey: .sinks) ?? []
  }

  private func text(_ key: CodingKeys) throws -> String? { try values.decodeIfPresent(String.self, forKey: key) }

  private func span(_ key: CodingKeys) throws -> TimeSpan? {
    guard let text = try text(key) else { return nil }
    guard let span = TimeSpan(parsing: text), span >= .zero else {
      throw TrackerError("bad-configuration", "not a duration, such as 5m", place: key.rawValue)
    }
    return span
  }

  func configuration(in folder: URL) throws -> TrackerConfiguration {
    func path(_ key: CodingKeys) throws -> String? {
      try text(key).map { URL(fileURLWithPath: $0, relativeTo: folder).absoluteURL.path }
    }
    var configuration = TrackerConfiguration()
    let others = try values.decodeIfPresent([String].self, forKey: .venues) ?? []
    configuration.venues = try ([text(.venue)].compactMap { $0 } + others).map { name in
      guard VenueAddress.isAddress(name) else { return URL(fileURLWithPath: name, relativeTo: folder).absoluteURL.path }
      do throws(TrackerError) {
        _ = try VenueAddress(name)
      } catch {
        throw TrackerError(error.code, error.message, place: others.contains(name) ? "venues" : "venue")
      }
      return name
    }
    configuration.venueRefresh =
      try text(.venue_refresh) == "off" ? nil : span(.venue_refresh) ?? configuration.venueRefresh
    configuration.store = try path(.store)
    configuration.keys = try path(.keys)
    configuration.isSealed = try values.decodeIfPresent(Bool.self, forKey: .sealed) ?? true
    configuration.gpsd = try text(.gpsd) ?? configuration.gpsd
    if configuration.gpsdAddress == nil {
      throw TrackerError("bad-configuration", "not HOST or HOST:PORT", place: "gpsd")
    }
    configuration.sinks = try sinks.enumerated().map { try $1.sink(in: folder, at: $0) }
    for (index, sink) in configuration.sinks.enumerated()
    where configuration.sinks[..<index].contains(where: { $0.id == sink.id }) {
      throw TrackerError(
        "bad-configuration", "another sink has the number \(sink.id.number); give one a \"number\" of 16 to 255",
        place: "sinks[\(index)]")
    }
    if let name = try text(.preset) { configuration.monitor = try TrackerConfiguration.preset(name) }
    try adjust(&configuration.monitor)
    return configuration
  }

  private func adjust(_ monitor: inout MonitorConfiguration) throws {
    func number<T: Decodable & Comparable>(_ key: CodingKeys, _ range: ClosedRange<T>) throws -> T? {
      guard let value = try values.decodeIfPresent(T.self, forKey: key) else { return nil }
      guard range.contains(value) else {
        throw TrackerError("bad-configuration", "from \(range.lowerBound) to \(range.upperBound)", place: key.rawValue)
      }
      return value
    }
    monitor.maximumAccuracy = try number(.maximum_accuracy_m, 1...10_000.0) ?? monitor.maximumAccuracy
    monitor.minimumDistance = try number(.minimum_distance_m, 0...1_000.0) ?? monitor.minimumDistance
    monitor.thinning = try span(.thinning) ?? monitor.thinning
    monitor.stillAfter = try span(.still_after) ?? monitor.stillAfter
    monitor.heartbeat = max(try span(.heartbeat) ?? monitor.heartbeat, .seconds(5))
    if try text(.flush_after) == "off" {
      monitor.flushAfter = nil
    } else {
      monitor.flushAfter = try span(.flush_after) ?? monitor.flushAfter
    }
    monitor.flushRows = try number(.flush_rows, 1...100_000) ?? monitor.flushRows
    monitor.batchRows = try number(.batch_rows, 1...10_000) ?? monitor.batchRows
    monitor.maximumRows = try number(.maximum_rows, 100...100_000_000) ?? monitor.maximumRows
    monitor.maximumBytes = try number(.maximum_bytes, 65_536...(1 << 40)) ?? monitor.maximumBytes
    monitor.maximumAge = try span(.maximum_age) ?? monitor.maximumAge
    monitor.deviceType = try text(.device_type) ?? monitor.deviceType
  }
}

extension TrackerConfiguration {
  /// Returns the settings of a preset by its name.
  package static func preset(_ name: String) throws(TrackerError) -> MonitorConfiguration {
    var monitor: MonitorConfiguration
    switch name {
    case "high-resolution": monitor = .highResolution
    case "balanced": monitor = .balanced
    case "saver": monitor = .saver
    default:
      throw TrackerError(
        "bad-preset", "the presets are high-resolution, balanced and saver, not \"\(name)\"", place: "preset")
    }
    monitor.deviceType = "gateway"
    return monitor
  }
}

/// Any key of an object.
private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// Throws for the first key in alphabetical order that the type does not know.
  fileprivate func refuseUnknownKeys<Key: CodingKey & CaseIterable>(_ known: Key.Type) throws {
    let names = Set(known.allCases.map(\.stringValue))
    let found = try container(keyedBy: AnyKey.self).allKeys
    guard let stranger = found.map(\.stringValue).filter({ !names.contains($0) }).min() else { return }
    let list = names.sorted().joined(separator: ", ")
    throw DecodingError.dataCorrupted(
      .init(codingPath: codingPath, debugDescription: "\"\(stranger)\" is not known here; the keys are \(list)"))
  }
}
