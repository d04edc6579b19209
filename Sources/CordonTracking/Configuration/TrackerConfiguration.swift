import Cordon
package import CordonCore
package import CordonMonitoring
package import Foundation

/// The contents of a tracker's configuration file: the venue, the store, the receiver and the sinks.
///
/// ```json
/// {
///   "venue": "office.cvp", "store": "/var/lib/cordon/track.sqlite", "gpsd": "localhost:2947",
///   "sinks": [{"kind": "cordon", "url": "https://cordon.example.org"}],
///   "preset": "balanced", "flush_after": "5m"
/// }
/// ```
///
/// Paths are relative to the file. An unknown key is an error because a misspelt limit would otherwise have no effect.
package struct TrackerConfiguration: Sendable {
  /// The possible venues of the machine: paths of maps or packed venues, and addresses at servers.
  ///
  /// The first one is active until a position lies in another.
  package var venues: [String] = []
  /// The interval of requests for new versions of venues; `nil` to request each only until it is there.
  package var venueRefresh: TimeSpan? = .hours(1)
  /// The path of the store.
  package var store: String?
  /// The path of the file of keys; by default beside the store.
  package var keys: String?
  /// Whether positions and tokens are sealed in the store.
  package var isSealed = true
  /// The address of gpsd.
  package var gpsd = "localhost:2947"
  /// The sinks of locations.
  package var sinks: [TrackerSink] = []
  /// The rules of recording and upload, without the sinks.
  package var monitor: MonitorConfiguration

  /// Creates the default configuration of a gateway, without venue, store and sinks.
  package init() {
    monitor = .balanced
    monitor.deviceType = "gateway"
  }

  /// Reads a file.
  package init(file path: String) throws(TrackerError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw TrackerError("not-found", "there is no such configuration, or it cannot be read", file: path)
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    do {
      self = try JSONDecoder().decode(ConfigurationFile.self, from: data).configuration(in: folder)
    } catch let error as TrackerError {
      throw TrackerError(error.code, error.message, file: path, place: error.place)
    } catch let error as DecodingError {
      throw TrackerError(decoding: error, file: path)
    } catch {
      throw TrackerError("bad-configuration", "\(error)", file: path)
    }
  }

  /// The settings with the sinks.
  package var completeMonitor: MonitorConfiguration {
    var monitor = monitor
    monitor.sinks = sinks.map(\.sink)
    return monitor
  }

  /// The host and the port of gpsd; `nil` if ``gpsd`` is invalid.
  package var gpsdAddress: (host: String, port: UInt16)? {
    var host = gpsd
    var port: UInt16 = 2947
    if let colon = gpsd.lastIndex(of: ":"), gpsd.last != "]", !gpsd[..<colon].contains(":") || gpsd.first == "[" {
      guard let number = UInt16(gpsd[gpsd.index(after: colon)...]), number > 0 else { return nil }
      port = number
      host = String(gpsd[..<colon])
    }
    host = host.trimmingCharacters(in: ["[", "]"])
    return host.isEmpty ? nil : (host, port)
  }

  /// Returns the path of the store; throws if there is none.
  package func storePath() throws(TrackerError) -> String {
    guard let store else {
      throw TrackerError("no-store", "no store is given; name one with \"store\" or --store")
    }
    return store
  }

  /// The folder of the venues from servers, beside the store.
  package var venueFolder: URL? { store.map { URL(fileURLWithPath: $0 + ".venues") } }

  /// The path of the file of keys; `nil` if the store is not sealed.
  package var keysPath: String? { isSealed ? keys ?? store.map { $0 + ".keys" } : nil }
}

extension TrackerError {
  init(decoding error: DecodingError, file: String) {
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.reduce("") { text, key in
        if let index = key.intValue { return "\(text)[\(index)]" }
        return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
      }
    }
    switch error {
    case .typeMismatch(let type, let context):
      self.init("bad-configuration", "not a value of type \(type)", file: file, place: place(context))
    case .keyNotFound(let key, let context):
      self.init("bad-configuration", "\"\(key.stringValue)\" is missing", file: file, place: place(context))
    case .valueNotFound(_, let context):
      self.init("bad-configuration", "null has no meaning here", file: file, place: place(context))
    case .dataCorrupted(let context):
      self.init("bad-configuration", context.debugDescription, file: file, place: place(context))
    @unknown default:
      self.init("bad-configuration", "\(error)", file: file)
    }
  }
}
