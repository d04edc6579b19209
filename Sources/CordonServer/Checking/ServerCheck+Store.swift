internal import CordonConsole
internal import CordonCore
internal import CordonIngest
internal import Foundation

extension ServerCheck {
  /// The size of a store beyond which it cannot grow, in bytes: 2^24 pages of 4 KiB.
  static let largestStore = 1 << 36

  /// Checks the data folder with keys, store and log of decisions; returns the time of the latest position as well.
  func storeFindings() -> (findings: [DiagnosisFinding], latest: Instant?) {
    guard let data = files.data else { return ([], nil) }
    func finding(_ level: DiagnosisFinding.Level, _ code: String, _ sentence: String, _ remedy: String? = nil)
      -> DiagnosisFinding
    { DiagnosisFinding(level, "store", code, sentence, remedy: remedy) }
    guard let folder else {
      return (
        [
          Self.exists(data)
            ? finding(.failure, "no-folder", "\(data) is not a folder.", "Name a folder in 'data'.")
            : finding(
              .failure, "no-folder", "There is no folder \(data).",
              "Run: cordon-server operator add --data \(data) --name NAME --role admin.")
        ], nil
      )
    }
    if let owner = foreignOwner {
      return (
        [
          finding(
            .warning, "foreign-owner", "\(data) belongs to \(owner), so its files were not opened.",
            "Run the check as \(owner); with the Debian package: cordon-server-admin check.")
        ], nil
      )
    }
    var findings = Self.fault("store", "open-folder") { try folder.checkModes() }
    findings += Self.fault("store", "restore-pending") { try folder.checkNoRestoreIsPending() }
    if let database { return (findings + databaseFindings(database) + logFindings(folder, data, "--config FILE"), nil) }
    guard Self.exists(folder.storePath) else {
      if Self.exists(folder.logPath) {
        findings.append(
          finding(
            .failure, "store-missing", "\(folder.storePath) is missing beside its log of decisions.",
            "Restore a backup: cordon-server restore --data \(data) FILE."))
      } else {
        findings.append(finding(.ok, "no-store", "There is no store yet; the server makes it."))
      }
      return (findings, nil)
    }
    guard Self.exists(folder.path + "/keys.json") else {
      findings.append(
        finding(
          .failure, "no-keys", "\(folder.path)/keys.json is missing beside a store.",
          "Put its copy back; see docs/reference/server.md, \"Lost keys\"."))
      return (findings, nil)
    }
    var latest: Instant?
    do {
      let (store, time) = try examineStore(folder)
      latest = time
      findings.append(store)
    } catch {
      findings.append(
        finding(
          .failure, "store-failed", "The store cannot be read: \(error).",
          "Check the file, its owner and its disk; restore a backup if it is damaged."))
    }
    return (findings + logFindings(folder, data), latest)
  }

  /// Checks the log of decisions. Beside a database a server makes it at its first start.
  private func logFindings(_ folder: DataFolder, _ data: String, _ option: String? = nil) -> [DiagnosisFinding] {
    if option != nil, !Self.exists(folder.logPath), !Self.exists(folder.path + "/decisions.name") { return [] }
    do {
      _ = try folder.openLog()
      return [DiagnosisFinding(.ok, "store", "log", "The log of decisions is whole.")]
    } catch {
      let command = ["cordon-server rebuild-log --data \(data)", option].compactMap { $0 }.joined(separator: " ")
      return [
        DiagnosisFinding(
          .failure, "store", "log-failed", "\(error).",
          remedy: "Put back its copy; if this store ran last: \(command).")
      ]
    }
  }

  /// Asks the database for its venues, as operators' queries do.
  private func databaseFindings(_ database: StoreAccess) -> [DiagnosisFinding] {
    do {
      let count = try database.reader(.operators).venues().count
      let elsewhere = try database.servicesElsewhere().map {
        DiagnosisFinding(
          .failure, "store", "other-server", Self.sentence($0.clause), remedy: Self.sentence($0.remedy))
      }
      return [DiagnosisFinding(.ok, "store", "database", "The database answers, and has rows of \(count) venues.")]
        + elsewhere
    } catch {
      return [
        DiagnosisFinding(
          .failure, "store", "database", "The database cannot be read: \(error).",
          remedy: "Check that it runs, its address ('store'), its user, and that the server has migrated it.")
      ]
    }
  }

  private static func sentence(_ clause: String) -> String { clause.prefix(1).uppercased() + clause.dropFirst() + "." }

  private func examineStore(_ folder: DataFolder) throws -> (DiagnosisFinding, Instant?) {
    var options = SQLitePositionStore.Options()
    options.isReadOnly = true
    let store = try SQLitePositionStore(path: folder.storePath, options: options)
    let version = try store.fileVersion()
    let known = SQLitePositionStore.schemaVersion
    guard version <= known else {
      return (
        DiagnosisFinding(
          .failure, "store", "newer-store", "The store has schema \(version), and this version knows \(known).",
          remedy: "Run the newer version, or restore a backup that this version made."), nil
      )
    }
    switch try store.check(for: .seconds(settings.checkSeconds)) {
    case .damaged(let damage):
      return (
        DiagnosisFinding(
          .failure, "store", "damaged", "The store is damaged: \(damage).",
          remedy: "Stop the server and restore a backup: cordon-server restore --data \(folder.path) FILE."), nil
      )
    case .sound, .checkedInPart: break
    }
    let latest = version == known ? try store.latestPresence() : nil
    let size = (try FileManager.default.attributesOfItem(atPath: folder.storePath)[.size] as? Int) ?? 0
    if size > Self.largestStore / 10 * 8 {
      return (
        DiagnosisFinding(
          .warning, "store", "large-store",
          "The store has \(Self.text(bytes: size)); beyond \(Self.text(bytes: Self.largestStore)) rows are refused.",
          remedy: "Shorten 'position-retention', or move to PostgreSQL."), latest
      )
    }
    let migrates = version < known ? " The server migrates it from schema \(version) to \(known)." : ""
    return (
      DiagnosisFinding(.ok, "store", "store", "The store is sound (\(Self.text(bytes: size))).\(migrates)"), latest
    )
  }
}
