import CordonIngest
import CordonTestSupport
import Testing

@testable import CordonPostgres

/// Forms and studies are files of one of the servers on a database; the database notes of which.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct FileServiceTests {
  private func start(_ folder: String, _ names: Set<FileServices.Name>, _ database: Database) throws {
    var options = PostgresPositionStore.Options()
    options.server = folder
    options.services = FileServices(folder: folder, host: "host of \(folder)", names: names)
    try PostgresPositionStore(try PostgresAddress(database.url), options: options).connect()
  }

  private func elsewhere(
    _ folder: String, _ names: Set<FileServices.Name>, _ database: Database
  ) throws -> [FileServices.Elsewhere] {
    try database.store(isReadOnly: true).elsewhere(FileServices(folder: folder, host: "any", names: names))
  }

  @Test func anotherServerWithFormsDoesNotStart() throws {
    let database = try Database()
    try start("one", [.forms, .studies], database)
    // A server that starts anew has its own files.
    try start("one", [.forms, .studies], database)
    let fault = #expect(throws: StoreFault.self) { try start("two", [.forms], database) }
    #expect(fault?.kind == .failed)
    #expect(fault?.message.contains("'host of one'") == true && fault?.message.contains("forms = no") == true)
    try start("two", [], database)
    #expect(
      try elsewhere("two", [.forms, .studies], database) == [
        FileServices.Elsewhere(name: .forms, host: "host of one"),
        FileServices.Elsewhere(name: .studies, host: "host of one"),
      ])
    #expect(try elsewhere("two", [], database).isEmpty)
    #expect(try elsewhere("one", [.forms, .studies], database).isEmpty)
    // A folder that was never served has no name.
    #expect(try elsewhere("", [.forms], database).count == 1)
  }

  /// A service moves when the server that has it starts without it.
  @Test func aServiceMoves() throws {
    let database = try Database()
    try start("one", [.forms, .studies], database)
    try start("one", [.studies], database)
    try start("two", [.forms], database)
    #expect(throws: StoreFault.self) { try start("one", [.forms, .studies], database) }
    #expect(throws: StoreFault.self) { try start("two", [.forms, .studies], database) }
    #expect(try elsewhere("one", [.forms, .studies], database).map(\.name) == [.forms])
    // The server that had them is lost: an administrator takes the note away (docs/how-to/run-several-servers.md).
    try database.sql("DELETE FROM cordon.setting WHERE name IN ('files_of_forms', 'files_of_studies')")
    try start("three", [.forms, .studies], database)
  }
}
