internal import CordonCollection
package import CordonCore
internal import CordonIngest
internal import CordonSQLite
internal import CordonStudies
internal import Foundation

/// Forms and studies in backups: a backup of the store carries their files whole, in a table of parts.
///
/// The key of the vault is never in a backup: nobody can read an identity with a backup alone.
extension DataFolder {
  /// A file that a backup carries.
  private struct CarriedFile {
    var name: String
    var path: String
  }

  private static let table = """
    CREATE TABLE carriedFile (name TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (name, part))
      WITHOUT ROWID
    """
  /// The bytes of a part.
  private static let partLength = 1 << 20

  private func vault(_ settings: StudySettings) throws -> DataFolder {
    try settings.vaultFolder.map { try DataFolder($0) } ?? self
  }

  private func carriedFiles(_ settings: StudySettings) throws -> [CarriedFile] {
    [
      CarriedFile(name: "forms", path: formsPath), CarriedFile(name: "studies", path: studiesPath),
      CarriedFile(name: "vault", path: try vault(settings).path + "/vault.sqlite"),
    ]
  }

  /// Makes an empty file that only its owner can read.
  private static func make(_ path: String) throws {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
      throw Fault(description: "\(path): cannot be written")
    }
  }

  // MARK: Into a backup

  /// Puts the files of forms and studies that are there into a backup, each as it is at one moment.
  package func carry(into backup: String, _ settings: StudySettings) throws {
    let files = try carriedFiles(settings).filter { Self.isThere($0.path) }
    guard !files.isEmpty else { return }
    let target = try Connection(path: backup, mode: .readWrite, timeout: 5_000)
    try target.execute("BEGIN IMMEDIATE; \(Self.table)")
    let row = try target.prepare("INSERT INTO carriedFile VALUES (?, ?, ?)")
    for file in files {
      let copy = "\(backup)-\(file.name)"
      try Self.make(copy)
      defer {
        for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
      }
      let other = try Connection(path: copy, mode: .readWrite, timeout: 5_000)
      try Connection(path: file.path, mode: .readOnly, timeout: 60_000).copy(into: other)
      // One file alone, without a log beside it.
      try other.execute("PRAGMA journal_mode = DELETE")
      other.close()
      guard let handle = FileHandle(forReadingAtPath: copy) else { throw Fault(description: "\(copy): cannot be read") }
      defer { try? handle.close() }
      var part: Int64 = 0
      while let bytes = try handle.read(upToCount: Self.partLength), !bytes.isEmpty {
        row.bind(1, file.name)
        row.bind(2, part)
        row.bind(3, Array(bytes))
        try row.finish()
        part += 1
      }
    }
    try target.execute("COMMIT")
  }

  // MARK: Out of a backup

  /// Makes the files of forms and studies that are missing, from a backup, without devices, records and participants that were
  /// erased since. Belongs between making restored files and installing them. Files that are there stay: they are younger.
  /// - Returns: the names of the files that were made.
  package func restoreCarried(from backup: String, _ settings: StudySettings, now: Instant) throws -> [String] {
    let missing = try carriedFiles(settings).filter { !Self.isThere($0.path) }
    let source = try Connection(path: backup, mode: .readOnly, timeout: 5_000)
    let list = try source.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'carriedFile'")
    guard try list.advance(), list.int(0) > 0 else { return [] }
    list.reset()
    let endings = try KnownEndings(
      log: newLogPath, pseudonyms: Pseudonyms(signer: HMACSigner(), keys: try keys()))
    var made: [CarriedFile] = []
    defer {
      for file in made {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + ".new" + suffix) }
      }
    }
    for file in missing {
      let parts = try source.prepare("SELECT bytes FROM carriedFile WHERE name = ? ORDER BY part")
      defer { parts.reset() }
      parts.bind(1, file.name)
      guard try parts.advance() else { continue }
      made.append(file)
      try Self.make(file.path + ".new")
      guard let handle = FileHandle(forWritingAtPath: file.path + ".new") else {
        throw Fault(description: "\(file.path).new: cannot be written")
      }
      repeat { try handle.write(contentsOf: Data(parts.blob(0))) } while try parts.advance()
      try handle.synchronize()
      try handle.close()
    }
    let names = made.map(\.name)
    if names.contains("forms") { try Self.endForms(formsPath + ".new", endings, now: now) }
    // Identities are erased with the participants, so that one of the two is restored only beside the other.
    if names.contains("studies") || names.contains("vault") {
      func place(_ name: String, _ path: String) -> String { names.contains(name) ? path + ".new" : path }
      let vault = try vault(settings)
      try Self.endStudies(
        place("studies", studiesPath), vault: place("vault", vault.path + "/vault.sqlite"),
        key: vault.existingVaultKey(), endings, now: now)
    }
    for file in made {
      guard rename(file.path + ".new", file.path) == 0 else {
        throw Fault(description: "\(file.path): cannot be written")
      }
    }
    return names
  }

  /// Erases what has ended from restored forms.
  private static func endForms(_ path: String, _ endings: KnownEndings, now: Instant) throws {
    let store = try SQLiteFormStore(path: path)
    try FormErasure(store).catchUp(at: now) { (device) throws(StoreFault) in endings.ends(of: device) }
    for form in Set(try store.forms().map(\.form)).sorted() {
      var after = ""
      while true {
        let records = try store.records(of: form, after: after, limit: 1_000)
        for record in records where endings.contains(KnownEndings.name(ofRecord: record)) {
          try store.erase(record, form: form, owner: nil, at: now)
        }
        guard let last = records.last else { break }
        after = last
      }
    }
    try store.scrub()
  }

  /// Erases participants who were erased since from restored studies, and lets those leave who left.
  private static func endStudies(
    _ path: String, vault: String, key: [UInt8], _ endings: KnownEndings, now: Instant
  ) throws {
    let identities = try SQLiteIdentityVault(path: vault, key: key)
    let service = StudyService(store: try SQLiteStudyStore(path: path), vault: identities)
    var present: [ParticipantID] = []
    for study in try service.store.studies() {
      for participant in try service.store.participants(of: study.code) {
        present.append(participant.id)
        if endings.contains(KnownEndings.name(ofErased: participant.id.rawValue)) {
          try service.erase(participant, by: "restore", now: now)
        } else if endings.contains(KnownEndings.name(ofLeft: participant.id.rawValue)) {
          try service.leave(participant, now: now)
        }
      }
    }
    // Participants who are not in younger studies any more.
    try identities.keep(only: present)
    try service.store.finishErasure()
  }

  private func existingVaultKey() throws -> [UInt8] {
    guard let data = try read("vault.key"), data.count == 32 else {
      throw Fault(
        description:
          "\(path)/vault.key: missing; the backup has studies, whose identities need the key: put its copy back first")
    }
    return Array(data)
  }
}
