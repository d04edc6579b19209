internal import CordonIngest

/// The connection of a store that lies beside that of positions: made at its first use, and again after it ended. Every statement
/// is a transaction of its own, unless its user begins one. It belongs to one thread at a time.
final class PostgresLink {
  private let address: PostgresAddress
  private let patience: Duration
  private var connection: PostgresConnection?
  private var reconnection = Reconnection()

  init(_ address: PostgresAddress, patience: Duration) {
    self.address = address
    self.patience = patience
  }

  /// The connection, which is made if there is none.
  func open() throws(StoreFault) -> PostgresConnection {
    if let connection, connection.isUsable { return connection }
    connection = nil
    try reconnection.begin()
    let opened = try PostgresConnection(address, patience: patience)
    try opened.script("SET search_path = \(PostgresSchema.name)")
    // A database whose tables are not there yet is asked again without a pause.
    reconnection.succeed()
    try PostgresPositionStore.requireCurrentVersion(opened)
    connection = opened
    return opened
  }

  /// Runs a statement and returns its rows.
  /// - Throws: ``StoreFault/Kind/unavailable`` without a database, or without its tables.
  @discardableResult
  func run(_ sql: String, _ parameters: [PostgresParameter] = []) throws(StoreFault) -> PostgresRows {
    try open().run(sql, parameters)
  }
}
