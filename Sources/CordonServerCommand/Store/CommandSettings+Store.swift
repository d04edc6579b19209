import CordonCommandLine
import CordonIngest
import CordonOperators
import CordonPostgres
import CordonServer
import Foundation
import Logging

extension CommandSettings {
  /// How the server opens its store: the file in the data folder, or the database of the settings.
  /// - Parameter isServing: whether accounts of operators in the folder are put into a database that has none.
  /// - Throws: `CommandError` for a folder that has a store while the settings name a database.
  func storeAccess(_ folder: DataFolder, _ logger: Logger, isServing: Bool = false) throws -> StoreAccess {
    guard let store else { return .file(of: folder) }
    guard !FileManager.default.fileExists(atPath: folder.storePath) else {
      throw CommandError(
        "the data folder has a store of its own; copy it into the database with 'cordon-server migrate-store', or take "
          + "'store' out of the settings", code: "two-stores", file: folder.storePath)
    }
    if !store.isEncrypted || standby?.isEncrypted == false {
      logger.warning("the connection to the database is not encrypted: its sslmode is weaker than require")
    }
    var options = PostgresPositionStore.Options()
    options.patience = .seconds(statementSeconds)
    var writer = options
    // A new process is another holder of leases.
    writer.server = UUID().uuidString
    writer.keys = try folder.keysDigest()
    options.isReadOnly = true
    options.patience = .seconds(server.querySeconds + 5)
    let (reading, sharing, copy) = (options, writer, standby ?? store)
    let (patience, name) = (Duration.seconds(statementSeconds), writer.server ?? "")
    let services = fileServices
    var access = StoreAccess(
      isInFolder: false,
      console: StoreAccess.Console(
        cases: { PostgresCaseStore(store, patience: patience) },
        alerts: { PostgresAlertStore(store, patience: patience) }, sessions: { PostgresSessionStore(store) },
        accounts: databaseAccounts(store, folder, adopts: isServing)),
      hints: { PostgresHints(store, server: name, onHint: $0, onEvents: $1) },
      writer: { _ in
        var options = sharing
        options.sealing = try sealing(folder, mayMake: true)
        let decisions = try folder.openDatabaseLog()
        if isServing { options.services = FileServices(folder: decisions.name, host: Self.host, names: services) }
        let opened = PostgresPositionStore(store, options: options)
        opened.record(
          in: decisions.log, pseudonyms: decisions.pseudonyms, name: decisions.name, isNew: decisions.isNew)
        do throws(StoreFault) {
          try opened.connect()
        } catch {
          // Without a database the server starts all the same, and answers 503 until there is one.
          guard error.kind == .unavailable else { throw error }
          logger.error("no connection to the database", metadata: ["fault": "\(error)"])
        }
        return opened
      },
      reader: {
        var options = reading
        options.sealing = try sealing(folder)
        return PostgresPositionStore($0 == .operators ? copy : store, options: options)
      },
      // The database checks its own pages (data checksums, amcheck).
      check: { _ in .sound })
    access.webhooks = { PostgresWebhookQueue(store, server: name, patience: patience) }
    access.servicesElsewhere = {
      // A folder that was never served has no name, and no files either.
      let known = try folder.databaseLogName() ?? ""
      let own = FileServices(folder: known, host: Self.host, names: services)
      return try PostgresPositionStore(store, options: reading).elsewhere(own).map {
        StoreAccess.ServiceElsewhere(clause: $0.clause, remedy: $0.remedy)
      }
    }
    return access
  }

  /// The services of the settings whose records are files of the data folder.
  private var fileServices: Set<FileServices.Name> {
    var names: Set<FileServices.Name> = []
    if server.servesForms { names.insert(.forms) }
    if server.studies.isOn { names.insert(.studies) }
    return names
  }

  /// The name of this machine.
  private static var host: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The accounts in a database. Those of the folder's file are those of a database that has never had any.
  func databaseAccounts(_ store: PostgresAddress, _ folder: DataFolder, adopts: Bool = false) -> PostgresAccounts {
    PostgresAccounts(store, seal: folder.accountSeal, adopts: adopts) { try folder.accounts() }
  }

  /// The accounts and sessions of operators for commands: those of the database of the settings, whose tables are made where there
  /// are none, or those of the data folder.
  /// - Throws: `CommandError` for the folder of a server that has its accounts in a database which the settings do not name.
  func operatorStores(_ folder: DataFolder) throws -> (accounts: any OperatorAccounts, sessions: any SessionStore) {
    guard let store else {
      guard !folder.isOfDatabase else {
        throw CommandError(
          "the accounts of this server are in a database; name it with --config or CORDON_STORE", code: "no-database",
          file: folder.path)
      }
      return (folder.sealedAccounts, try SQLiteSessionStore(path: folder.sessionsPath))
    }
    var options = PostgresPositionStore.Options()
    options.keys = try folder.keysDigest()
    options.sealing = try sealing(folder, mayMake: true)
    try PostgresPositionStore(store, options: options).connect()
    return (databaseAccounts(store, folder), PostgresSessionStore(store))
  }

  /// The keys of sealed columns; `nil` unless they are sealed.
  /// - Parameter mayMake: whether they are made where there are none.
  func sealing(_ folder: DataFolder, mayMake: Bool = false) throws -> SealingKeys? {
    guard isSealed else { return nil }
    return SealingKeys(
      try folder.sealingKeys(mayMake: mayMake).map { SealingKeys.Key(id: $0.id, secret: $0.secret) })
  }
}
