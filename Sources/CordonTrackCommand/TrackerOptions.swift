import ArgumentParser
import Cordon
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonSealing
import CordonStorage
import CordonTracking
import Foundation

/// The options of every subcommand; the command line takes precedence over the file.
struct TrackerOptions: ParsableArguments {
  @Option(name: [.short, .customLong("config")], help: ArgumentHelp("A configuration in JSON.", valueName: "file"))
  var configuration: String?

  @Option(
    help: ArgumentHelp(
      "A map, what 'cordon venue pack' made of it, or https://SERVER/v1/venues/NAME. May be repeated: a position makes its venue the active one.",
      valueName: "place"))
  var venue: [String] = []

  @Option(help: ArgumentHelp("The store, an SQLite file; made if it is not there.", valueName: "file"))
  var store: String?

  @Option(help: ArgumentHelp("The keys that seal the store. (default: STORE.keys)", valueName: "file"))
  var keys: String?

  @Flag(help: "Leave positions and tokens readable in the store.")
  var unsealed = false

  @Option(help: ArgumentHelp("Where gpsd is. (default: localhost:2947)", valueName: "host:port"))
  var gpsd: String?

  @Option(
    help: ArgumentHelp(
      "Where locations go: cordon, ingest, overland or owntracks with an address, file with a path. May be repeated.",
      valueName: "kind=address"))
  var sink: [String] = []

  @Option(help: ArgumentHelp("high-resolution, balanced or saver.", valueName: "name"))
  var preset: String?

  /// Returns the configuration of the file and the command line.
  func load() throws -> TrackerConfiguration {
    var result = TrackerConfiguration()
    if let configuration { result = try TrackerConfiguration(file: configuration) }
    if let preset { result.monitor = try TrackerConfiguration.preset(preset) }
    if !venue.isEmpty { result.venues = venue }
    result.store = store ?? result.store
    result.keys = keys ?? result.keys
    if unsealed { result.isSealed = false }
    result.gpsd = gpsd ?? result.gpsd
    if result.gpsdAddress == nil { throw TrackerError("usage", "--gpsd: \"\(result.gpsd)\" is not HOST or HOST:PORT") }
    if !sink.isEmpty { result.sinks = try sink.map { try TrackerSink(parsing: $0) } }
    if Set(result.sinks.map(\.id)).count < result.sinks.count {
      throw TrackerError("usage", "--sink: two sinks of one kind; use the configuration, and give one a \"number\"")
    }
    return result
  }
}

extension TrackerConfiguration {
  /// The sealer of the store; `nil` if the store is not sealed.
  var sealer: (any Sealer)? { keysPath.map { AESGCMSealer(keys: FileKeyStore(path: $0)) } }

  /// Creates a monitor on the store.
  ///
  /// - Throws: ``TrackerError`` with the code `busy` if another process has the store open.
  func monitor(venue: (any VenueGate)?, provider: any LocationProvider) throws -> ContactMonitor {
    let path = try storePath()
    let store: SQLiteStore
    do throws(StoreError) {
      store = try SQLiteStore(path: path, sealer: sealer)
    } catch {
      if error.kind == .inUse { throw TrackerError("busy", "another tracker has the store", file: path) }
      throw error
    }
    return try ContactMonitor(
      venue: venue, endpoints: sinks.map(\.endpoint), provider: provider, store: store, configuration: completeMonitor)
  }
}
