import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonIngest
import CordonOperators
import CordonServer
import CordonVenues
import Foundation
import Logging

/// The command `cordon-server serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the server on a data folder and a folder of venue bundles.",
    discussion: """
      The data folder is created if it does not exist. Every file of the venue folder is a bundle that 'cordon venue \
      validate' accepts; the log names bundles that cannot be read, and the others are served. Without a certificate the \
      server listens on loopback only, unless --behind-proxy declares that a proxy ends TLS. Every option can stand in the \
      file of settings or in the environment instead.
      """)

  /// The folders of the server.
  struct Folders: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of positions, keys and operators.", valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("The folder of venue bundles.", valueName: "folder"))
    var venues: String?

    @Option(help: ArgumentHelp("A file of settings, `name = value` lines.", valueName: "file"))
    var config: String?
  }

  /// The address of the server.
  struct Network: ParsableArguments {
    @Option(help: ArgumentHelp("The address to listen on. (default: 127.0.0.1)", valueName: "address"))
    var host: String?

    @Option(help: "The port to listen on, 0 for any free one. (default: 8089)")
    var port: Int?

    @Option(help: ArgumentHelp("The certificate chain, PEM.", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The key of the certificate, PEM.", valueName: "file"))
    var key: String?

    @Flag(help: "A proxy in front of the server ends TLS and sends X-Forwarded-For.")
    var behindProxy = false

    @Option(
      help: ArgumentHelp(
        "The proxies whose X-Forwarded-For is trusted: addresses or prefixes, separated by commas.", valueName: "list"))
    var trustedProxies: String?
  }

  @OptionGroup(title: "Files") var folders: Folders
  @OptionGroup(title: "Network") var network: Network

  func run() async throws {
    var settings = try SettingsFile.read(file: folders.config, environment: ProcessInfo.processInfo.environment)
    if let host = network.host { settings.server.host = host }
    if let port = network.port { settings.server.port = port }
    if network.behindProxy { settings.server.isBehindProxy = true }
    if let trustedProxies = network.trustedProxies {
      do {
        settings.server.trustedProxies = try NetworkRange.list(trustedProxies)
      } catch {
        throw ValidationError(
          "--trusted-proxies: '\(error.text)' is neither an address nor a prefix such as 10.0.0.0/8")
      }
    }
    guard let data = folders.data ?? settings.data else { throw ValidationError("--data is required") }
    guard let venueFolder = folders.venues ?? settings.venues else { throw ValidationError("--venues is required") }
    switch (network.certificate ?? settings.certificate, network.key ?? settings.key) {
    case (let chain?, let key?): settings.server.certificate = (chain, key)
    case (nil, nil): break
    default: throw ValidationError("--certificate needs --key, and --key needs --certificate")
    }
    let host = settings.server.host
    if settings.server.lacksTLS {
      throw ValidationError(
        "TLS is required on \(host), which is not loopback; give --certificate and --key, or --behind-proxy")
    }
    let logger = makeLogger(.info)
    if settings.server.distrustsProxy {
      logger.warning(
        "X-Forwarded-For is trusted from this machine only; name a proxy on another machine in trusted-proxies")
    }
    let folder = try DataFolder(data)
    try folder.checkModes()
    if let key = settings.server.certificate?.key { try DataFolder.checkMode(ofSecret: key) }
    if let config = folders.config, settings.hasSecrets {
      try DataFolder.checkMode(ofSecret: config)
    }
    // A file that cannot be used is noticed now, and not when an event is due.
    if let capacities = settings.server.webhooks.capacities { _ = try SpaceCapacities(path: capacities) }
    if let folder = settings.server.alerts.mailFolder {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue,
        FileManager.default.isWritableFile(atPath: folder)
      else {
        throw CommandError("alert-mail-folder is not a folder that can be written", code: "cannot-write", file: folder)
      }
    }
    if settings.server.studies.isOn { _ = try settings.server.studies.payments() }
    // Held while the process lives.
    let lock = try folder.lock()
    defer { lock.release() }
    let access = try settings.storeAccess(folder, logger, isServing: true)
    do {
      if try access.console.accounts.accounts().isEmpty {
        logger.warning("no operator yet; add one with `cordon-server operator add`")
      }
    } catch let fault as StoreFault where fault.kind == .unavailable {
      // Without a database the server starts all the same.
    }
    let server = IngestServer(
      settings: settings.server, folder: folder, access: access,
      venues: VenueFolder(venueFolder), logger: logger)
    let manager = ServiceManager(environment: ProcessInfo.processInfo.environment)
    let reportStop: (@Sendable (_ port: Int) async throws -> Void)? = manager.map { manager in
      { @Sendable _ in await manager.reportStop() }
    }
    do {
      try await server.run(
        onListening: { port in
          logger.info("listening", metadata: ["host": "\(host)", "port": "\(port)"])
          manager?.report(.ready)
        }, extra: reportStop)
    } catch is NoVenueFault {
      throw CommandError("no venue that can be served", code: "no-venue", file: venueFolder)
    }
  }
}
