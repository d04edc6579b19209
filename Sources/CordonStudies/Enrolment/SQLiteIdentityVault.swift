internal import CCleanPages
internal import CordonSQLite
internal import CordonSupport
internal import CordonWire
internal import Crypto
internal import Foundation

/// A vault in a SQLite file of its own. Rows are sealed (AES-256-GCM), and their names are HMACs of pseudonyms or of keys of orders,
/// both under keys that follow from the vault's key: the file alone names nobody, and cannot be joined with a study.
package final class SQLiteIdentityVault: IdentityVault {
  private let connection: Connection
  private let sealingKey: SymmetricKey
  private let namingKey: [UInt8]

  private static let migrations = Migrations([
    .init("vault", "CREATE TABLE identity (name BLOB PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID"),
    .init("payments", "CREATE TABLE payment (name BLOB PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID"),
  ])

  /// Opens a file, and makes it if it is not there.
  /// - Parameter key: the 32 bytes of the vault's key.
  package init(path: String, key: [UInt8]) throws(StudyError) {
    guard key.count == 32 else { throw StudyError(.vault, "the key of the vault has 32 bytes") }
    sealingKey = SymmetricKey(data: HMAC.code(of: Array("cordon vault sealing".utf8), key: key))
    namingKey = HMAC.code(of: Array("cordon vault naming".utf8), key: key)
    guard let layer = cordon_clean_pages_layer(nil) else { throw StudyError(.storage, "\(path): no file layer") }
    do throws(SQLiteFault) {
      connection = try Connection(
        storeAt: path, layer: String(cString: layer), timeout: 10_000,
        settings: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON",
        tables: Self.migrations)
    } catch {
      throw StudyError(.storage, error.description)
    }
    try? finishErasure()
  }

  /// For tests: called before every step of every statement; `true` fails the statement there.
  package var refusal: ((_ sql: String) -> Bool)? {
    get { connection.refusal }
    set { connection.refusal = newValue }
  }

  private func name(_ participant: ParticipantID) -> [UInt8] {
    HMAC.code(of: Array(participant.rawValue.utf8), key: namingKey)
  }

  private func run(_ sql: String, _ blobs: [[UInt8]]) throws(StudyError) {
    do throws(SQLiteFault) {
      let statement = try connection.prepare(sql)
      for (index, blob) in blobs.enumerated() { statement.bind(Int32(index + 1), blob) }
      try statement.finish()
    } catch {
      throw StudyError(.storage, error.description)
    }
  }

  package func save(_ identity: Identity, of participant: ParticipantID) throws(StudyError) {
    let document: JSONValue = [
      "name": JSONValue(identity.name), "email": JSONValue(identity.email),
      "push_service": JSONValue(identity.pushService), "push_token": JSONValue(identity.pushToken),
      "payment": JSONValue(identity.payment),
    ]
    try put(Array(document.text().utf8), "identity", name(participant))
  }

  // MARK: Rows

  private func put(_ contents: [UInt8], _ table: String, _ name: [UInt8]) throws(StudyError) {
    // The name is authenticated with the contents, so that rows cannot be exchanged.
    guard let sealed = try? AES.GCM.seal(contents, using: sealingKey, authenticating: name).combined else {
      throw StudyError(.vault, "a row of the vault cannot be sealed")
    }
    try run("INSERT OR REPLACE INTO \(table) VALUES (?, ?)", [name, Array(sealed)])
  }

  private func row(_ table: String, _ name: [UInt8]) throws(StudyError) -> [UInt8]? {
    let sealed: [UInt8]
    do throws(SQLiteFault) {
      let statement = try connection.prepare("SELECT sealed FROM \(table) WHERE name = ?")
      defer { statement.reset() }
      statement.bind(1, name)
      guard try statement.advance() else { return nil }
      sealed = statement.blob(0)
    } catch {
      throw StudyError(.storage, error.description)
    }
    guard let box = try? AES.GCM.SealedBox(combined: sealed),
      let opened = try? AES.GCM.open(box, using: sealingKey, authenticating: name)
    else { throw StudyError(.vault, "a row of the vault cannot be opened with its key") }
    return Array(opened)
  }

  // MARK: Signed transactions

  private func name(ofOrder key: String) -> [UInt8] { HMAC.code(of: Array("order \(key)".utf8), key: namingKey) }

  package func save(transaction: [UInt8], of order: String) throws(StudyError) {
    try put(transaction, "payment", name(ofOrder: order))
  }

  package func transaction(of order: String) throws(StudyError) -> [UInt8]? {
    try row("payment", name(ofOrder: order))
  }

  package func forgetTransaction(of order: String) throws(StudyError) {
    try run("DELETE FROM payment WHERE name = ?", [name(ofOrder: order)])
    try finishErasure()
  }

  // MARK: Identities

  package func identity(of participant: ParticipantID) throws(StudyError) -> Identity? {
    guard let opened = try row("identity", name(participant)) else { return nil }
    guard let value = try? JSONReader.value(of: opened) else {
      throw StudyError(.vault, "an identity of the vault cannot be read")
    }
    return Identity(
      name: value["name"]?.stringValue, email: value["email"]?.stringValue,
      pushService: value["push_service"]?.stringValue, pushToken: value["push_token"]?.stringValue,
      payment: value["payment"]?.stringValue)
  }

  package func erase(_ participant: ParticipantID) throws(StudyError) {
    try run("DELETE FROM identity WHERE name = ?", [name(participant)])
    try finishErasure()
  }

  /// Deletes the identities of all but some participants, from a vault that is older than its studies.
  package func keep(only participants: [ParticipantID]) throws(StudyError) {
    let kept = Set(participants.map { name($0) })
    var gone: [[UInt8]] = []
    do throws(SQLiteFault) {
      let statement = try connection.prepare("SELECT name FROM identity")
      defer { statement.reset() }
      while try statement.advance() { if !kept.contains(statement.blob(0)) { gone.append(statement.blob(0)) } }
    } catch {
      throw StudyError(.storage, error.description)
    }
    for name in gone { try run("DELETE FROM identity WHERE name = ?", [name]) }
    try finishErasure()
  }

  package func finishErasure() throws(StudyError) {
    do throws(SQLiteFault) {
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA shrink_memory")
    } catch {
      throw StudyError(.storage, error.description)
    }
  }
}
