import ArgumentParser
import CordonConsole
import CordonCore
import CordonIngest
import CordonIngestHTTP
import CordonVenues
import Foundation
import Logging

/// `cordon-server serve`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves from a data folder and a folder of venue bundles.",
    discussion: """
      The data folder is made when it is not there. Every file of the venue folder is a bundle that
      `cordon venue validate` accepts; one that cannot be read is named in the log, and costs only itself.
      Without a certificate the server listens on loopback only, unless --behind-proxy says that one in front
      of it speaks TLS. Every option can stand in the file of settings or in the environment instead.
      """)

  @Option(help: "The folder for positions, keys and operators.") var data: String?
  @Option(help: "The folder of venue bundles.") var venues: String?
  @Option(help: "A file of settings, `name = value` lines.") var config: String?
  @Option(help: "The address to listen at.") var host: String?
  @Option(help: "The port to listen at.") var port: Int?
  @Option(help: "The certificate chain, PEM.") var certificate: String?
  @Option(help: "The certificate's key, PEM.") var key: String?
  @Flag(help: "A proxy in front of the server speaks TLS and sends X-Forwarded-For.") var behindProxy = false
  @Option(help: "The proxies whose X-Forwarded-For is believed: addresses, prefixes.") var trustedProxies: String?

  func run() async throws {
    var settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    if let host { settings.server.host = host }
    if let port { settings.server.port = port }
    if behindProxy { settings.server.isBehindProxy = true }
    if let trustedProxies {
      do {
        settings.server.trustedProxies = try NetworkRange.list(trustedProxies)
      } catch {
        throw ValidationError(
          "--trusted-proxies: \"\(error.text)\" is neither an address nor a prefix such as 10.0.0.0/8")
      }
    }
    guard let data = data ?? settings.data else { throw ValidationError("--data: the server's folder is needed") }
    guard let venueFolder = venues ?? settings.venues else {
      throw ValidationError("--venues: a folder of venue bundles is needed")
    }
    switch (certificate ?? settings.certificate, key ?? settings.key) {
    case (let chain?, let key?): settings.server.certificate = (chain, key)
    case (nil, nil): break
    default: throw ValidationError("--certificate and --key belong together")
    }
    let host = settings.server.host
    let isLoopback = ["127.0.0.1", "::1", "localhost"].contains(host)
    if settings.server.certificate == nil, !isLoopback, !settings.server.isBehindProxy {
      throw ValidationError(
        "\(host): positions do not travel without TLS; give --certificate and --key, or --behind-proxy")
    }
    let logger = makeLogger(.info)
    if settings.server.isBehindProxy, !isLoopback, settings.server.trustedProxies.allSatisfy(\.isLoopback) {
      logger.warning(
        "X-Forwarded-For is believed from this machine only; name the proxy in trusted-proxies if it is elsewhere")
    }
    let folder = try DataFolder(data)
    try folder.checkModes()
    if let key = settings.server.certificate?.key { try DataFolder.checkMode(ofSecret: key) }
    if let config, settings.server.ingest.published != nil { try DataFolder.checkMode(ofSecret: config) }
    // For as long as the process lives.
    let lock = try folder.lock()
    defer { lock.release() }
    if try folder.namedOperators().isEmpty {
      logger.warning("there is no operator yet; add one with `cordon-server operator add`")
    }
    let limits = settings.server.ingest
    let venues = VenueFolder(venueFolder)
    let server = IngestServer(settings: settings.server, folder: folder, logger: logger) {
      let (catalog, refused) = try venues.load()
      for bundle in refused {
        logger.error("venue not served", metadata: ["path": "\(bundle.path)", "reason": "\(bundle.reason)"])
      }
      for (id, venue) in catalog.venues.sorted(by: { $0.key < $1.key }) {
        for finding in venue.findings {
          logger.warning("\(finding.code)", metadata: ["venue": "\(id)", "reason": "\(finding.message)"])
        }
      }
      guard !catalog.venues.isEmpty else { throw CommandError("\(venueFolder): no venue that can be served") }
      return RequestPreprocessor(
        settings: limits, catalog: catalog, signer: HMACSigner(), keys: try folder.keys(),
        operators: try folder.operators())
    }
    try await server.run(onListening: { port in
      logger.info("listening", metadata: ["host": "\(host)", "port": "\(port)"])
    })
  }
}

/// `cordon-server settings`
struct ListSettings: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Lists every setting with its meaning and value.")

  @Option(help: "A file of settings.") var config: String?

  func run() throws {
    let settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    for entry in SettingsFile.entries {
      try StandardOutput.write(lines: "# \(entry.help)\n\(entry.line(settings))\n\n")
    }
  }
}
