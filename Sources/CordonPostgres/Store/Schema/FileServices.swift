package import CordonIngest

/// The services of a server whose records are files of its data folder, and not in the database that it shares.
///
/// The database notes which data folder has them. Two servers with forms would each have a part of the records.
package struct FileServices: Hashable, Sendable {
  /// A service.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case forms
    case studies

    /// Its row in the table of settings.
    var setting: String { "files_of_\(rawValue)" }
  }

  /// The name of the data folder, a word.
  package var folder: String
  /// The name of the machine, for people.
  package var host: String
  /// The services that the server has.
  package var names: Set<Name>

  /// Takes the values as they are.
  package init(folder: String, host: String, names: Set<Name>) {
    self.folder = folder
    self.host = host
    self.names = names
  }

  /// A service whose records are files of another server.
  package struct Elsewhere: Hashable, Sendable {
    /// The service.
    package var name: Name
    /// The machine of the server that has the files.
    package var host: String

    /// The problem, as a clause.
    package var clause: String { "the files of \(name.rawValue) are in another data folder, on the machine '\(host)'" }
    /// What to do.
    package var remedy: String {
      "set '\(name.rawValue) = no' here, or move the files: start that server with '\(name.rawValue) = no' first"
    }
  }

  /// The services of this server whose files the database has noted of another one.
  func elsewhere(_ connection: PostgresConnection) throws(StoreFault) -> [Elsewhere] {
    var list: [Elsewhere] = []
    for name in Name.allCases where names.contains(name) {
      let rows = try connection.run("SELECT value FROM setting WHERE name = $1", [.text(name.setting)])
      guard rows.count > 0 else { continue }
      let words = rows.text(0, 0).split(separator: " ", maxSplits: 1)
      if words.first.map(String.init) != folder { list.append(Elsewhere(name: name, host: words.dropFirst().joined())) }
    }
    return list
  }

  /// Notes the services of this server, and takes away notes of services that it has no longer.
  /// - Throws: ``StoreFault/Kind/failed`` for a service whose files are those of another server.
  func claim(_ connection: PostgresConnection) throws(StoreFault) {
    for name in Name.allCases {
      if names.contains(name) {
        try connection.run(
          "INSERT INTO setting VALUES ($1, $2) ON CONFLICT DO NOTHING",
          [.text(name.setting), .text("\(folder) \(host)")])
      } else {
        try connection.run(
          "DELETE FROM setting WHERE name = $1 AND split_part(value, ' ', 1) = $2",
          [.text(name.setting), .text(folder)])
      }
    }
    if let first = try elsewhere(connection).first { throw StoreFault(.failed, "\(first.clause); \(first.remedy)") }
  }
}

extension PostgresPositionStore {
  /// The services of a server whose files are those of another server.
  package func elsewhere(_ services: FileServices) throws(StoreFault) -> [FileServices.Elsewhere] {
    try services.elsewhere(try open())
  }
}
