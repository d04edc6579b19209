import ArgumentParser
import CordonConsole
import CordonCore
import CordonGeometry
import CordonIngest
import CordonServer
import CordonVenueTools
import CordonVenues
import Foundation
import Logging

/// The command `cordon-server demo`.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Run a demonstration: a temporary store, loopback only, simulated devices.",
    discussion: """
      Two venues have a week of recorded positions and a live crowd. Prints the address of the operators' console \
      and the credentials of its operators. Stop it with Ctrl-C; the folder is removed at the end.
      """)

  @Option(help: "The port to listen on, 0 for any free one.") var port = 8089
  @Option(help: "The number of simulated devices, 1 to 4000.") var devices = 80
  @Option(help: "The seed of the venue and of the devices.") var seed: UInt64 = 7

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535") }
    guard (1...4_000).contains(devices) else { throw ValidationError("--devices must be 1 to 4000") }
  }

  func run() async throws {
    let path = NSTemporaryDirectory() + "cordon-demo-\(UUID().uuidString)"
    let folder = try DataFolder(path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let places = try DemoVenue.all(seed: seed)
    let admin = try folder.addOperator(name: "demo", role: .admin, venues: nil)
    let viewer = try folder.addOperator(name: "demo viewer", role: .viewer, venues: nil)
    var settings = try SettingsFile.read(file: nil, environment: ProcessInfo.processInfo.environment).server
    settings.host = "127.0.0.1"
    settings.port = port
    settings.servesForms = true
    let limits = settings.ingest
    let catalog = VenueCatalog(try places.map { try VenueCatalog.serve($0.map) })
    @Sendable func load(_ limits: IngestSettings) throws -> RequestPreprocessor {
      RequestPreprocessor(
        settings: limits, catalog: catalog, signer: HMACSigner(), keys: try folder.keys(),
        operators: try folder.operators())
    }
    StandardOutput.note("cordon-server: recording a week in \(places.count) venues ...\n")
    let week = DemoWeek(places: places, seed: seed, admin: admin)
    try week.fill(folder, limits, load: load)
    let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    // The console shows the first venue by its identifier.
    if let venue = places.map(\.map.id).min(by: { $0.rawValue < $1.rawValue }) {
      try DemoForms.fill(folder, venue: venue, seed: seed, now: now)
    }
    let server = IngestServer(settings: settings, folder: folder, logger: makeLogger(.warning)) { try load(limits) }
    let clients = places.enumerated().map { index, place in
      DemoClients(
        place: place, count: max(1, (devices + index) / places.count), seed: seed + UInt64(index), admin: admin)
    }
    let names = places.map(\.map.id.rawValue).joined(separator: " and ")
    let count = clients.reduce(0) { $0 + $1.count }
    try await server.run(
      onListening: { port in
        let text = """
          Cordon demo: venues \(names), \(count) live devices, loopback only, nothing is kept.

            console   http://127.0.0.1:\(port)/
            operator  \(admin.id)
            key       \(admin.key)
            viewer    \(viewer.id)   key \(viewer.key)

          Try:
            curl -u \(admin.id):\(admin.key) 'http://127.0.0.1:\(port)/v1/operator/occupancy?venue=\(places[0].map.id)'
            curl -u \(admin.id):\(admin.key) 'http://127.0.0.1:\(port)/metrics'

          Ctrl-C ends it.

          """
        do {
          try StandardOutput.write(lines: text)
        } catch {
          let reason = (error as? OutputError)?.message ?? "\(error)"
          StandardOutput.note("cordon-server: \(StandardOutput.name): \(reason)\n")
        }
      },
      extra: { port in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for crowd in clients { group.addTask { try await crowd.run(port: port) } }
          try await group.waitForAll()
        }
      })
  }
}
