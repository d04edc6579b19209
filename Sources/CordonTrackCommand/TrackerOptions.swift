import ArgumentParser
import Cordon
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonSealing
import CordonStorage
import CordonTracking
import Foundation

/// The options of every subcommand. They take precedence over the environment, and the environment over the file.
struct TrackerOptions: ParsableArguments {
  /// The configuration and the venues.
  struct Configuration: ParsableArguments {
    @Option(
      name: [.short, .customLong("config")],
      help: ArgumentHelp("The configuration of the tracker, JSON.", valueName: "file"))
    var configuration: String?

    @Option(
      help: ArgumentHelp(
        "A map, a packed venue (.cvp) or https://SERVER/v1/venues/NAME. Repeat it for more venues: the one that holds the position is active.",
        valueName: "place"))
    var venue: [String] = []

    @Option(help: ArgumentHelp("The rules of recording: high-resolution, balanced or saver.", valueName: "name"))
    var preset: String?
  }

  /// The store and its keys.
  struct Store: ParsableArguments {
    @Option(help: ArgumentHelp("The store, an SQLite file. It is created if it does not exist.", valueName: "file"))
    var store: String?

    @Option(help: ArgumentHelp("The file of keys that seal the store. (default: STORE.keys)", valueName: "file"))
    var keys: String?

    @Flag(help: "Leave positions and tokens readable in the store.")
    var unsealed = false
  }

  /// The receiver and the sinks.
  struct Devices: ParsableArguments {
    @Option(help: ArgumentHelp("The address of gpsd. (default: localhost:2947)", valueName: "host:port"))
    var gpsd: String?

    @Option(
      help: ArgumentHelp(
        "A destination of positions: cordon, ingest, overland or owntracks with a URL, file with a path. Repeat it for more. A FHIR server is named in the configuration.",
        valueName: "kind=address"))
    var sink: [String] = []
  }

  @OptionGroup(title: "Configuration") var file: Configuration
  @OptionGroup(title: "Store") var storage: Store
  @OptionGroup(title: "Receiver and sinks") var devices: Devices

  /// Returns the configuration of the file, the environment and the command line.
  func load() throws -> TrackerConfiguration {
    var result = TrackerConfiguration()
    if let path = file.configuration { result = try TrackerConfiguration(file: path) }
    try result.apply(environment: ProcessInfo.processInfo.environment)
    if let preset = file.preset { try result.apply(preset: preset) }
    if !file.venue.isEmpty { result.venues = file.venue }
    result.store = storage.store ?? result.store
    result.keys = storage.keys ?? result.keys
    if storage.unsealed { result.isSealed = false }
    result.gpsd = devices.gpsd ?? result.gpsd
    if result.gpsdAddress == nil { throw TrackerError("usage", "--gpsd: '\(result.gpsd)' is not HOST or HOST:PORT") }
    if !devices.sink.isEmpty { result.sinks = try TrackerSink.list(parsing: devices.sink) }
    return result
  }
}

extension TrackerConfiguration {
  /// The sealer of the store; `nil` if the store is not sealed.
  var sealer: (any Sealer)? { keysPath.map { AESGCMSealer(keys: FileKeyStore(path: $0)) } }

  /// Creates a monitor on the store.
  ///
  /// - Throws: ``TrackerError`` with the code `busy` if another process has the store open, and with the code
  ///   `bad-configuration` if the configuration is invalid.
  ///
  /// - Parameters:
  ///   - venue: the gate of the active venue.
  ///   - provider: the source of locations.
  ///   - endpoints: the endpoints of the sinks; `nil` for those of the configuration.
  ///   - rules: the rules of recording and sending; `nil` for those of the configuration.
  func monitor(
    venue: (any VenueGate)?, provider: any LocationProvider, endpoints: [SinkEndpoint]? = nil,
    rules: MonitorConfiguration? = nil
  ) throws -> ContactMonitor {
    try validate()
    let path = try storePath()
    let store: SQLiteStore
    do throws(StoreError) {
      store = try SQLiteStore(path: path, sealer: sealer)
    } catch {
      if error.kind == .inUse { throw TrackerError("busy", "another tracker has the store", file: path) }
      throw error
    }
    return try ContactMonitor(
      venue: venue, endpoints: endpoints ?? sinks.map(endpoint(of:)), provider: provider, store: store,
      configuration: rules ?? completeMonitor)
  }
}
