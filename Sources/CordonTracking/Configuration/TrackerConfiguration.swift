import Cordon
import CordonConsole
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
/// Paths are relative to the file. Variables of the environment take precedence over the file. An unknown key is an error
/// because a mistyped limit would otherwise have no effect.
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
  /// The preset of the rules.
  package var preset = Preset.balanced

  /// Creates the default configuration of a gateway, without venue, store and sinks.
  package init() {
    monitor = .balanced
    monitor.deviceType = "gateway"
  }

  /// Reads a file.
  package init(file path: String) throws(TrackerError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw TrackerError("not-found", UnreadableFile.reason(path), file: path)
    }
    self.init()
    do throws(ConfigurationError) {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try ConfigurationFile.read(Array(data), in: folder, into: &self)
    } catch {
      throw TrackerError("bad-configuration", error.message, file: path, place: error.place)
    }
  }

  /// Applies the variables of the environment: `CORDON_TRACK_` and the name of a key in upper case.
  package mutating func apply(environment: [String: String]) throws(TrackerError) {
    do throws(ConfigurationError) {
      try ConfigurationFile.read(environment: environment, into: &self)
    } catch {
      throw TrackerError("bad-configuration", error.message, file: error.source, place: error.place)
    }
  }

  /// Checks the purposes of the sinks and the ranges of the rules.
  /// - Throws: ``TrackerError`` with the code `bad-configuration`.
  package func validate() throws(TrackerError) {
    for (index, sink) in sinks.enumerated() where sink.sink.needsActivation && sink.purposes.contains(.everywhere) {
      throw TrackerError(
        "bad-configuration", "a sink with an invite code takes only the purpose record",
        place: "sinks[\(index)].purposes")
    }
    if monitor.everywhere != nil, !sinks.contains(where: { $0.isRequired && $0.purposes.contains(.everywhere) }) {
      throw TrackerError(
        "bad-configuration", #"the mode everywhere needs a required sink with "purposes": "everywhere""#,
        place: "sinks")
    }
    do throws(MonitorConfigurationError) {
      try completeMonitor.validate()
    } catch {
      throw TrackerError("bad-configuration", error.description)
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
