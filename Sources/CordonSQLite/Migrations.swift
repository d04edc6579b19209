/// The versions of the tables of a file, from an empty file to the current version.
///
/// The table `grdb_migrations` holds the names of the versions that a file has. The name is that of the library that made earlier
/// files, so that these stay readable.
package struct Migrations: Sendable {
  /// A version of the tables.
  package struct Version: Sendable {
    /// The name, which is stored in the file.
    package let name: String
    /// The statements that make this version of the one before.
    package let script: String

    package init(_ name: String, _ script: String) {
      self.name = name
      self.script = script
    }
  }

  /// The versions, oldest first. A released one never changes.
  package let versions: [Version]

  package init(_ versions: [Version]) { self.versions = versions }

  /// Returns whether a newer program wrote the file: it has a version that is not in the list.
  package func isOlder(than connection: Connection) throws(SQLiteFault) -> Bool {
    let known = Set(versions.map(\.name))
    return try !applied(in: connection).allSatisfy(known.contains)
  }

  /// Makes the missing versions, each in a transaction of its own: a failure leaves the version before.
  package func apply(to connection: Connection) throws(SQLiteFault) {
    try connection.execute("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    let present = try applied(in: connection)
    for version in versions where !present.contains(version.name) {
      try connection.execute("BEGIN IMMEDIATE")
      do throws(SQLiteFault) {
        try connection.execute(version.script)
        let row = try connection.prepareOnce("INSERT INTO grdb_migrations (identifier) VALUES (?)")
        row.bind(1, version.name)
        try row.finish()
        try connection.execute("COMMIT")
      } catch {
        connection.rollBack()
        throw error
      }
    }
  }

  private func applied(in connection: Connection) throws(SQLiteFault) -> Set<String> {
    let table = try connection.prepareOnce(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'grdb_migrations'")
    guard try table.advance(), table.int(0) > 0 else { return [] }
    table.reset()
    let rows = try connection.prepareOnce("SELECT identifier FROM grdb_migrations")
    var names: Set<String> = []
    while try rows.advance() { names.insert(rows.text(0)) }
    return names
  }
}
