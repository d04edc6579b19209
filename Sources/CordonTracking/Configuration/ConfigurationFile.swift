import Cordon
import CordonConsole
import CordonCore
import CordonFHIR
package import CordonMonitoring
import CordonSignIn
import CordonWire
import Foundation

/// The keys of a tracker's configuration, in its file and in the environment.
enum ConfigurationFile {
  private typealias Key = ConfigurationKey<TrackerConfiguration>
  private typealias SinkKey = ConfigurationKey<SinkEntry>

  /// The prefix of the variables of the environment.
  static let prefix = "CORDON_TRACK_"

  private static let span = TimeSpan.zero...TimeSpan.days(36_500)

  /// The keys with a single value.
  /// - Parameter folder: the folder of relative paths.
  private static func keys(in folder: URL) -> [Key] {
    func path(_ name: String, _ help: String, _ path: WritableKeyPath<TrackerConfiguration, String?>) -> Key {
      Key(name, help, shown: { $0[keyPath: path] }) { target, text in
        target[keyPath: path] = URL(fileURLWithPath: text, relativeTo: folder).absoluteURL.path
      }
    }
    return [
      Key("venue", "a map, a packed venue, or the address of a venue at a server") {
        target, text throws(ConfigurationError) in target.venues.append(try venue(text, in: folder))
      },
      .durationOrOff("venue_refresh", "interval of requests for new versions of venues", \.venueRefresh, span),
      path("store", "the store, an SQLite file", \.store),
      path("keys", "the file of keys that seal the store", \.keys),
      .flag("sealed", "whether positions and tokens are sealed", \.isSealed),
      Key("gpsd", "the address of gpsd", shown: { $0.gpsd }) { target, text throws(ConfigurationError) in
        target.gpsd = text
        guard target.gpsdAddress != nil else { throw ConfigurationError("'\(text)' is not HOST or HOST:PORT") }
      },
      .number("maximum_accuracy_m", "maximum accuracy radius of a kept fix", \.monitor.maximumAccuracy, 1...10_000),
      Key("mode", "where positions are recorded: venue or everywhere", shown: { $0.mode }) {
        target, text throws(ConfigurationError) in try target.setMode(text)
      },
      .duration("thinning", "interval of which one fix is kept", \.monitor.thinning, span),
      .number("minimum_distance_m", "minimum distance of two kept fixes", \.monitor.minimumDistance, 0...1_000),
      .duration("still_after", "time without movement before rest", \.monitor.stillAfter, span),
      Key("heartbeat", "interval of confirmations at rest, at least 5s", shown: { "\($0.monitor.heartbeat)" }) {
        target, text throws(ConfigurationError) in
        guard let value = TimeSpan(parsing: text), value >= .zero else {
          throw ConfigurationError("'\(text)' is not a duration, such as 60s")
        }
        target.monitor.heartbeat = max(value, .seconds(5))
      },
      .durationOrOff("flush_after", "age of the oldest row at which rows are sent", \.monitor.flushAfter, span),
      .integer("flush_rows", "number of rows at which rows are sent", \.monitor.flushRows, 1...100_000),
      .integer("batch_rows", "rows of a batch", \.monitor.batchRows, 1...10_000),
      .integer("maximum_rows", "rows that the store keeps", \.monitor.maximumRows, 100...100_000_000),
      .integer("maximum_bytes", "bytes that the store keeps", \.monitor.maximumBytes, 65_536...(1 << 40)),
      .duration("maximum_age", "age of a row that the store keeps", \.monitor.maximumAge, span),
      Key("device_type", "the reported kind of device", shown: { $0.monitor.deviceType }) {
        $0.monitor.deviceType = $1
      },
    ]
  }

  private static func venue(_ name: String, in folder: URL) throws(ConfigurationError) -> String {
    guard VenueAddress.isAddress(name) else {
      return URL(fileURLWithPath: name, relativeTo: folder).absoluteURL.path
    }
    do throws(TrackerError) {
      _ = try VenueAddress(name)
    } catch {
      throw ConfigurationError(error.message)
    }
    return name
  }

  /// Reads a file into a configuration.
  static func read(
    _ data: [UInt8], in folder: URL, into configuration: inout TrackerConfiguration
  ) throws(ConfigurationError) {
    let node: ConfigurationNode
    do throws(ConfigurationError) {
      node = try ConfigurationNode(json: data)
    } catch {
      throw syntaxError(in: data) ?? error
    }
    guard let members = node.members else {
      throw ConfigurationError("is not a JSON object")
    }
    for name in ["venue", "store", "keys", "gpsd", "device_type"] where members[name]?.isNumber == true {
      throw ConfigurationError("is a number, not a text", place: name)
    }
    if let preset = members["preset"] { try set(preset: preset.text ?? "", of: &configuration, at: "preset") }
    try ConfigurationReader(keys(in: folder)).read(
      members: members, except: ["preset", "sinks", "venues", "everywhere"], into: &configuration)
    if let rules = members["everywhere"] { try readEverywhere(rules, into: &configuration) }
    if let venues = members["venues"] {
      guard let items = venues.items else { throw ConfigurationError("is not a list", place: "venues") }
      for (index, item) in items.enumerated() {
        do throws(ConfigurationError) {
          guard let text = item.text else { throw ConfigurationError("is not a text") }
          configuration.venues.append(try venue(text, in: folder))
        } catch {
          throw ConfigurationError(error.message, place: "venues[\(index)]")
        }
      }
    }
    if let sinks = members["sinks"] {
      guard let items = sinks.items else { throw ConfigurationError("is not a list", place: "sinks") }
      for (index, item) in items.enumerated() {
        let sink = try sink(item, in: folder, at: "sinks[\(index)]")
        guard !configuration.sinks.contains(where: { $0.id == sink.id }) else {
          throw ConfigurationError(
            "another sink has the number \(sink.id.number); give one a \"number\" of 16 to 255",
            place: "sinks[\(index)]")
        }
        configuration.sinks.append(sink)
      }
    }
  }

  /// The first syntax error of a file with its line; `nil` where the reader of JSON finds none.
  private static func syntaxError(in data: [UInt8]) -> ConfigurationError? {
    do throws(WireError) {
      _ = try JSONReader.value(of: data)
      return nil
    } catch {
      let line = 1 + data.prefix(error.offset).count { $0 == UInt8(ascii: "\n") }
      return ConfigurationError("is not JSON: \(error.reason)", place: "line \(line)")
    }
  }

  /// Reads the variables of the environment, such as `CORDON_TRACK_STORE`, into a configuration.
  static func read(
    environment: [String: String], into configuration: inout TrackerConfiguration
  ) throws(ConfigurationError) {
    let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    if let name = environment[prefix + "PRESET"] { try set(preset: name, of: &configuration, at: prefix + "PRESET") }
    var changed = configuration
    if environment[prefix + "VENUE"] != nil { changed.venues = [] }
    let preset = Key("preset", "the rules of recording: high-resolution, balanced or saver") { _, _ in }
    try ConfigurationReader(keys(in: folder) + [preset]).read(environment: environment, prefix: prefix, into: &changed)
    configuration = changed
  }

  private static func set(
    preset name: String, of configuration: inout TrackerConfiguration, at place: String
  ) throws(ConfigurationError) {
    do throws(TrackerError) {
      try configuration.apply(preset: name)
    } catch {
      throw ConfigurationError(error.message, place: place)
    }
  }

  // MARK: - Sinks

  private struct SinkEntry {
    var kind: String?
    var url: String?
    var path: String?
    var token: String?
    var isRequired = true
    var purposes = Consent.Purposes.record
    var overland = OverlandFormat()
    var settingsKey: String?
    var needsActivation: Bool?
    var number: UInt8?
    var patient: String?
    var device: String?
    var dataType = FHIRDataType.geoposition
    var version = FHIRVersion.r5
    var hasIEEECode = false
    var issuer: String?
    var client: String?
    var redirect = "http://127.0.0.1:8766/signed-in"
    var scopes = "openid"
  }

  private static var sinkKeys: [SinkKey] {
    [
      .text("kind", "the kind of the sink", \.kind), .text("url", "the address", \.url),
      .text("path", "the file, of the kind file", \.path), .text("token", "the bearer token of the receiver", \.token),
      .flag("required", "whether rows wait for it", \.isRequired),
      SinkKey("purposes", "the rows that it receives: record, everywhere or both") {
        target, text throws(ConfigurationError) in target.purposes = try purposes(text)
      },
      .flag("any_success", "whether every 2xx answer of an Overland receiver counts", \.overland.acceptsAnySuccess),
      .text("device_id", "the property device_id for an Overland receiver", \.overland.deviceID),
      .flag("unique_id", "whether an Overland receiver gets the property unique_id", \.overland.includesUniqueID),
      .flag(
        "statistics", "whether an Overland receiver gets the properties about tracking", \.overland.includesStatistics),
      SinkKey("time_zone", "the time zone of timestamps for an Overland receiver") {
        target, text throws(ConfigurationError) in
        guard let zone = TimeZone(identifier: text) else {
          throw ConfigurationError("'\(text)' is not a time zone, such as Europe/Berlin")
        }
        target.overland.timeZone = zone
      },
      SinkKey("settings_key", "the secret that signs the settings of an Overland receiver") {
        target, text throws(ConfigurationError) in
        guard text.utf8.count >= 32 else { throw ConfigurationError("the secret needs 32 characters or more") }
        target.settingsKey = text
      },
      SinkKey("activation", "whether the server needs an invite code") { target, text throws(ConfigurationError) in
        target.needsActivation = try SinkKey.flag(text)
      },
      SinkKey("number", "the number of the sink, 16 to 255") { target, text throws(ConfigurationError) in
        guard let number = UInt8(text), number >= 16 else {
          throw ConfigurationError("the number of a sink is 16 to 255, not '\(text)'")
        }
        target.number = number
      },
      .text("patient", "the Patient at the FHIR server", \.patient),
      .text("device", "the Device at the FHIR server", \.device),
      SinkKey("data_type", "the Observations for a FHIR server: geoposition or time-interval") {
        target, text throws(ConfigurationError) in
        guard let type = FHIRDataType(rawValue: text) else {
          throw ConfigurationError("the types of data are geoposition and time-interval, not '\(text)'")
        }
        target.dataType = type
      },
      SinkKey("fhir_version", "the version of the FHIR server: R5 or R4") { target, text throws(ConfigurationError) in
        guard let version = FHIRVersion(rawValue: text) else {
          throw ConfigurationError("the versions of FHIR are R5 and R4, not '\(text)'")
        }
        target.version = version
      },
      .flag("ieee_code", "whether intervals carry the code of IEEE 1752.1 too", \.hasIEEECode),
      .text("issuer", "the provider of the sink's tokens (OpenID Connect)", \.issuer),
      .text("client", "the identifier of the tracker at that provider", \.client),
      SinkKey("redirect", "the address of loopback to which a browser returns") { $0.redirect = $1 },
      SinkKey("scopes", "the scopes of a sign-in, separated by spaces") { $0.scopes = $1 },
    ]
  }

  private static func sink(
    _ node: ConfigurationNode, in folder: URL, at place: String
  ) throws(ConfigurationError) -> TrackerSink {
    guard let members = node.members else { throw ConfigurationError("is not a JSON object", place: place) }
    var entry = SinkEntry()
    try ConfigurationReader(sinkKeys).read(members: members, at: place, into: &entry)
    guard let kind = entry.kind.flatMap({ TrackerSink.Kind(rawValue: $0) }) else {
      let names = TrackerSink.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      let given = entry.kind.map { ", not '\($0)'" } ?? ""
      throw ConfigurationError("the kinds of sinks are \(names)\(given)", place: "\(place).kind")
    }
    guard let address = kind == .file ? entry.path ?? entry.url : entry.url else {
      throw ConfigurationError("a sink needs an address", place: "\(place).\(kind == .file ? "path" : "url")")
    }
    let target = try kind == .fhir ? target(of: entry, at: place) : nil
    let signIn = try signIn(of: entry, at: place)
    do throws(TrackerError) {
      var sink = try TrackerSink(
        kind, address, number: entry.number, token: entry.token, isRequired: entry.isRequired,
        overland: entry.overland, needsActivation: entry.needsActivation, target: target,
        signIn: signIn, relativeTo: folder)
      sink.settingsKey = kind == .overland ? entry.settingsKey : nil
      sink.purposes = entry.purposes
      return sink
    } catch {
      throw ConfigurationError(error.message, place: place)
    }
  }

  private static func signIn(
    of entry: SinkEntry, at place: String
  ) throws(ConfigurationError) -> SignInMachine.Configuration? {
    guard let text = entry.issuer else {
      guard entry.client == nil else { throw ConfigurationError("a sign-in needs an issuer", place: "\(place).issuer") }
      return nil
    }
    guard entry.token == nil else {
      throw ConfigurationError("a sink has a token or a sign-in, not both", place: "\(place).token")
    }
    guard let issuer = URL(string: text), ProviderMetadata.isProtected(issuer) else {
      throw ConfigurationError("is not an address that begins with https://", place: "\(place).issuer")
    }
    guard let client = entry.client, !client.isEmpty else {
      throw ConfigurationError("a sign-in needs the identifier of the tracker", place: "\(place).client")
    }
    guard let redirect = URL(string: entry.redirect) else {
      throw ConfigurationError("is not an address", place: "\(place).redirect")
    }
    return SignInMachine.Configuration(
      issuer: issuer, client: client, redirect: redirect,
      scopes: entry.scopes.split(separator: " ").map(String.init))
  }

  private static func target(of entry: SinkEntry, at place: String) throws(ConfigurationError) -> FHIRTarget {
    do throws(FHIRError) {
      return try FHIRTarget(
        patient: entry.patient ?? "", device: entry.device ?? "", dataType: entry.dataType, version: entry.version,
        hasIEEECode: entry.hasIEEECode)
    } catch {
      throw ConfigurationError(error.reason, place: "\(place).\(error.place)")
    }
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
        "bad-preset", "the presets are high-resolution, balanced and saver, not '\(name)'", place: "preset")
    }
    monitor.deviceType = "gateway"
    return monitor
  }
}
