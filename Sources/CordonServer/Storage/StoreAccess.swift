package import CordonIngest
package import CordonOperators

/// How a server opens its store: for the writer, and for those who only read beside it.
package struct StoreAccess: Sendable {
  /// Those who read, each with a store of their own.
  package enum Readers: Hashable, Sendable {
    /// Persons who ask for their own data.
    case persons
    /// Operators.
    case operators
  }

  /// Whether the store lies in the data folder, and fills its disk.
  package var isInFolder: Bool
  /// Opens the store to write. The parameter is the maximum size of its log between two checkpoints, bytes; `nil` for the default.
  package var writer: @Sendable (_ logBytes: Int?) throws -> any PositionStore
  /// Opens the store to read.
  package var reader: @Sendable (Readers) throws -> any PositionStore
  /// Checks the store within a time limit.
  package var check: @Sendable (_ limit: Duration) throws -> SQLitePositionStore.Soundness
  /// The stores of the operators' console.
  package var console: Console
  /// Starts to listen to other servers on the store; `nil` for a store of one server.
  package var hints: Hints?
  /// Opens the queue of webhooks that all servers on the store share; `nil` for a store of one server, whose queue is a file.
  package var webhooks: (@Sendable () throws -> sending any WebhookQueue)?
  /// The services that this server has by its settings although their records are files of another server on the same store.
  package var servicesElsewhere: @Sendable () throws -> [ServiceElsewhere] = { [] }

  /// A service whose records are files of another server.
  package struct ServiceElsewhere: Hashable, Sendable {
    /// The problem, as a clause.
    package var clause: String
    /// What to do.
    package var remedy: String

    /// Takes the texts as they are.
    package init(clause: String, remedy: String) {
      self.clause = clause
      self.remedy = remedy
    }
  }

  /// How a server listens to others.
  /// - Parameters:
  ///   - onHint: called when there may be something to do.
  ///   - onEvents: called with what happened at another server.
  package typealias Hints =
    @Sendable (
      _ onHint: @escaping @Sendable (StoreHint) -> Void, _ onEvents: @escaping @Sendable ([LiveEvent]) -> Void
    ) -> any StoreHints

  /// How the stores of the operators' console are opened.
  package struct Console: Sendable {
    /// Cases and notices.
    package var cases: @Sendable () throws -> any CaseStore
    /// Rules and alerts.
    package var alerts: @Sendable () throws -> any AlertStore
    /// Sessions of operators and events of accounts.
    package var sessions: @Sendable () throws -> any SessionStore
    /// Accounts of operators, which any thread may use.
    package var accounts: any OperatorAccounts

    /// Takes the functions as they are.
    package init(
      cases: @escaping @Sendable () throws -> any CaseStore, alerts: @escaping @Sendable () throws -> any AlertStore,
      sessions: @escaping @Sendable () throws -> any SessionStore, accounts: any OperatorAccounts
    ) {
      self.cases = cases
      self.alerts = alerts
      self.sessions = sessions
      self.accounts = accounts
    }

    /// The files of a data folder.
    package static func files(of folder: DataFolder) -> Console {
      Console(
        cases: { try SQLiteCaseStore(path: folder.casesPath) },
        alerts: { try SQLiteAlertStore(path: folder.alertsPath) },
        sessions: { try SQLiteSessionStore(path: folder.sessionsPath) }, accounts: folder.sealedAccounts)
    }
  }

  /// Takes the functions as they are.
  package init(
    isInFolder: Bool, console: Console, hints: Hints? = nil,
    writer: @escaping @Sendable (_ logBytes: Int?) throws -> any PositionStore,
    reader: @escaping @Sendable (Readers) throws -> any PositionStore,
    check: @escaping @Sendable (_ limit: Duration) throws -> SQLitePositionStore.Soundness
  ) {
    self.isInFolder = isInFolder
    self.console = console
    self.hints = hints
    self.writer = writer
    self.reader = reader
    self.check = check
  }

  /// The file `cordon.sqlite` of a data folder.
  package static func file(of folder: DataFolder) -> StoreAccess {
    @Sendable func reader() throws -> SQLitePositionStore {
      var options = SQLitePositionStore.Options()
      options.isReadOnly = true
      return try SQLitePositionStore(path: folder.storePath, options: options)
    }
    return StoreAccess(
      isInFolder: true, console: .files(of: folder),
      writer: { logBytes in
        let store = try folder.openStore()
        if let logBytes { try store.limitLog(bytes: logBytes) }
        return store
      }, reader: { _ in try reader() }, check: { limit in try reader().check(for: limit) })
  }
}
