import CordonCommandLine
import CordonIngest
import CordonPostgres
import CordonServer
import Foundation
import Logging

extension CommandSettings {
  /// How the server opens its store: the file in the data folder, or the database of the settings.
  /// - Throws: `CommandError` for a folder that has a store while the settings name a database.
  func storeAccess(_ folder: DataFolder, _ logger: Logger) throws -> StoreAccess {
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
    return StoreAccess(
      isInFolder: false,
      console: StoreAccess.Console(
        cases: { PostgresCaseStore(store, patience: patience) },
        alerts: { PostgresAlertStore(store, patience: patience) }, sessions: { PostgresSessionStore(store) }),
      hints: { PostgresHints(store, server: name, onWake: $0, onEvents: $1) },
      writer: { _ in
        var options = sharing
        options.sealing = try sealing(folder, mayMake: true)
        let opened = PostgresPositionStore(store, options: options)
        let decisions = try folder.openDatabaseLog()
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
  }

  /// The keys of sealed columns; `nil` unless they are sealed.
  /// - Parameter mayMake: whether they are made where there are none.
  func sealing(_ folder: DataFolder, mayMake: Bool = false) throws -> SealingKeys? {
    guard isSealed else { return nil }
    return SealingKeys(
      try folder.sealingKeys(mayMake: mayMake).map { SealingKeys.Key(id: $0.id, secret: $0.secret) })
  }
}
