package import CordonCore
package import CordonMonitoring
package import CordonSupport
import CordonWire

/// Settings that a receiver sent in an answer (`set`): signed, with a version, and bounded so that a receiver can never end
/// the contact with the tracker.
package struct RemoteSettings: Hashable, Sendable {
  /// The version; only a higher one than the last takes effect.
  package var version: Int64
  /// The age of the oldest row at which rows are sent, 1 s to 30 min.
  package var sendInterval: TimeSpan?
  /// The rows of a batch, 50 to 1 000.
  package var batchRows: Int?
  /// The minimum distance of two kept fixes in metres, 0 to 500.
  package var minimumDistance: Double?
  /// The interval of which one fix is kept, 1 s to 5 min.
  package var minimumTime: TimeSpan?
  /// The settings that a tracker on Linux does not have, by their names.
  package var ignored: [String] = []

  /// The reason why settings are refused.
  package struct Refusal: Error, Hashable, CustomStringConvertible {
    /// The version, if it could be read from signed settings.
    package var version: Int64?
    /// The reason, in lower case.
    package var description: String

    /// Makes a refusal.
    package init(version: Int64? = nil, description: String) {
      self.version = version
      self.description = description
    }
  }

  /// Reads settings.
  /// - Parameters:
  ///   - set: the object.
  ///   - key: the secret that tracker and receiver share. The member `signature` is the HMAC-SHA-256 of ``canonical(_:)`` in
  ///     hexadecimal digits.
  ///   - last: the highest version that was read before.
  package init(_ set: JSONValue, key: [UInt8], after last: Int64) throws(Refusal) {
    guard let signature = set["signature"]?.stringValue else {
      throw Refusal(description: "the settings are not signed")
    }
    let code = HMAC.code(of: RemoteSettings.canonical(set), key: key).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    guard isSameSecret(Array(code.utf8), Array(signature.lowercased().utf8)) else {
      throw Refusal(description: "the signature is not that of the key")
    }
    guard let version = set["version"]?.integerValue, version > 0 else {
      throw Refusal(description: "the settings have no version")
    }
    guard version > last else { throw Refusal(version: version, description: "version \(last) or later is in use") }
    self.version = version
    func refuse(_ name: String, _ reason: String) -> Refusal {
      Refusal(version: version, description: "\(name) \(reason)")
    }
    for member in set.members ?? [] {
      switch (member.key, member.value) {
      case ("version", _), ("signature", _): break
      case ("send_interval", .string(let text)):
        // Off would be the last that the receiver ever hears of.
        guard let span = TimeSpan(parsing: text), (TimeSpan.seconds(1) ... .minutes(30)).contains(span) else {
          throw refuse("send_interval", "is not 1s to 30m")
        }
        sendInterval = span
      case ("main", .object(let members)): try read(members, refuse)
      default: ignored.append(member.key)
      }
    }
  }

  private mutating func read(
    _ members: [JSONValue.Member], _ refuse: (String, String) -> Refusal
  ) throws(Refusal) {
    for member in members {
      switch (member.key, member.value) {
      case ("tracking_mode", .string("off")): throw refuse("tracking_mode", "must not be off")
      case ("batch_size", let value):
        // The published API has numbers here and texts elsewhere.
        let number = value.integerValue ?? value.stringValue.flatMap(Int64.init)
        guard let rows = number, (50...1_000).contains(rows) else { throw refuse("batch_size", "is not 50 to 1000") }
        batchRows = Int(rows)
      case ("min_distance", .string(let text)):
        let metres = text == "off" ? 0 : text.hasSuffix("m") ? Double(text.dropLast()) : nil
        guard let distance = metres, (0...500).contains(distance) else {
          throw refuse("min_distance", "is not off or 1m to 500m")
        }
        minimumDistance = distance
      case ("min_time", .string(let text)):
        guard let span = TimeSpan(parsing: text), (TimeSpan.seconds(1) ... .minutes(5)).contains(span) else {
          throw refuse("min_time", "is not 1s to 5m")
        }
        minimumTime = span
      default: ignored.append("main.\(member.key)")
      }
    }
  }

  /// Returns the configuration with these settings.
  package func applied(to configuration: MonitorConfiguration) -> MonitorConfiguration {
    var result = configuration
    if let sendInterval { result.flushAfter = sendInterval }
    if let batchRows { result.batchRows = batchRows }
    if let minimumDistance { result.minimumDistance = minimumDistance }
    if let minimumTime { result.thinning = minimumTime }
    // They filter what the person agreed to, and never turn recording outside of venues on.
    if let minimumDistance { result.everywhere?.minimumDistance = minimumDistance }
    if let minimumTime { result.everywhere?.minimumInterval = minimumTime }
    return result
  }

  /// Returns the bytes that are signed: the object without `signature`, its members and those of its objects in the order of
  /// their names, on one line without spaces.
  package static func canonical(_ set: JSONValue) -> [UInt8] {
    func sorted(_ value: JSONValue, isTop: Bool) -> JSONValue {
      switch value {
      case .object(let members):
        return .object(
          members.filter { !isTop || $0.key != "signature" }.sorted { $0.key < $1.key }
            .map { JSONValue.Member($0.key, sorted($0.value, isTop: false)) })
      case .array(let elements): return .array(elements.map { sorted($0, isTop: false) })
      default: return value
      }
    }
    return Array(sorted(set, isTop: true).text().utf8)
  }
}
