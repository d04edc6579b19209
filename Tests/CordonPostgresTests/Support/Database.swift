import CordonIngest
import CordonPostgres
import CordonTestSupport

/// An empty database of one test, in the server that the tests share.
struct Database {
  let server: PostgresServer
  let url: String

  init() throws {
    server = try PostgresServer.shared.get()
    url = try server.database()
  }

  func store(isReadOnly: Bool = false) throws -> PostgresPositionStore {
    var options = PostgresPositionStore.Options()
    options.isReadOnly = isReadOnly
    return PostgresPositionStore(try PostgresAddress(url), options: options)
  }

  /// Runs statements in the schema of the store.
  @discardableResult
  func sql(_ statements: String) throws -> String { try server.sql("SET search_path = cordon; \(statements)", at: url) }
}

extension Duration {
  /// Longer than any test: a loaded machine lets a server of a test stand still, too.
  static let patientForTests = Duration.seconds(600)
}
