import ArgumentParser
import CordonConsole
import CordonCore
import CordonIngest
import CordonIngestHTTP
import Foundation

/// `cordon-server operator`
struct OperatorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "operator", abstract: "Adds, lists and removes those who may look.",
    discussion: "A server that runs takes changes in after SIGHUP.",
    subcommands: [Add.self, List.self, Remove.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds an operator, and prints the key, once.",
      discussion: "The name stands only in a sealed file; everything else names the pseudonym.")

    @Option(help: "The folder of the server.") var data: String
    @Option(help: "The operator's name.") var name: String
    @Option(help: "metrics, viewer, operator or admin.") var role: String
    @Option(help: "A venue they may look at; can be repeated. All when none is given.") var venue: [String] = []

    func run() throws {
      guard let role = Operator.Role(rawValue: role) else {
        throw ValidationError("--role: metrics, viewer, operator or admin, not \"\(role)\"")
      }
      var venues: [VenueID] = []
      for text in venue {
        guard let id = VenueID(text) else { throw ValidationError("--venue: \"\(text)\" is no venue") }
        venues.append(id)
      }
      let (id, key) = try DataFolder(data).addOperator(name: name, role: role, venues: venues.isEmpty ? nil : venues)
      try StandardOutput.write(lines: "operator \(id)\nkey      \(key)\n")
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the operators with their names.")
    @Option(help: "The folder of the server.") var data: String

    func run() throws {
      for entry in try DataFolder(data).namedOperators() {
        let venues = entry.venues?.joined(separator: ",") ?? "all venues"
        // A name is one line, whatever is in it.
        let line = "\(entry.id)  \(entry.role)  \(venues)  \(entry.name)".escapedForTerminal()
        try StandardOutput.write(lines: line + "\n")
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Removes an operator.")
    @Option(help: "The folder of the server.") var data: String
    @Argument(help: "The pseudonym.") var id: String

    func run() throws {
      guard try DataFolder(data).removeOperator(id: id) else { throw ValidationError("there is no operator \(id)") }
    }
  }
}

/// `cordon-server rotate-keys`
struct RotateKeys: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Signs device tokens with a new key from the next reload on.",
    discussion: "The key before it stays good, so that no token breaks; run it again, an hour later, to drop that one.")
  @Option(help: "The folder of the server.") var data: String

  func run() throws { try StandardOutput.write(lines: "key \(try DataFolder(data).rotateKeys())\n") }
}

/// `cordon-server backup`
struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copies the store to a file, while the server may run, and checks the copy.",
    discussion: """
      The copy holds the log of decisions as well: who was erased, withdrew or was revoked, and who looked. With \
      --decisions it holds that log alone; copy it to another machine often, so that a restore knows of all of them. \
      Keys and operators are in neither: keep keys.json, operators.sealed and operators.key apart. What is erased from \
      the store stays in backups: keep backups no longer than positions.
      """)
  @Option(help: "The folder of the server.") var data: String
  @Option(name: [.short, .long], help: "The file to write; it must not be there yet.") var output: String
  @Flag(help: "Copies the log of decisions alone.") var decisions = false

  func run() throws {
    guard !FileManager.default.fileExists(atPath: output) else { throw ValidationError("\(output) is there already") }
    let folder = try DataFolder(data)
    try folder.checkNoRestoreIsPending()
    let temporary = output + ".part"
    try? FileManager.default.removeItem(atPath: temporary)
    if decisions {
      try folder.openLog().backUp(to: temporary)
    } else {
      var options = SQLitePositionStore.Options()
      options.isReadOnly = true
      let store = try SQLitePositionStore(path: folder.storePath, options: options)
      try store.backUp(to: temporary, log: folder.openLog())
    }
    guard rename(temporary, output) == 0 else { throw CommandError("\(output): cannot be written") }
  }
}

/// `cordon-server restore`
struct Restore: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Puts a backup in the place of the store of a server that does not run.",
    discussion: """
      Who was erased, withdrew or was revoked since the backup stays so, and who looked stays on record: that is read \
      from the log of decisions in the folder, from the store that was there where the log is missing, from the copies \
      that --decisions names, and from the backup. Without any source but the backup the restore refuses. The store that \
      was there is deleted, unless --keep leaves it beside, as cordon.sqlite.before-restore: nothing deletes it from \
      then on, so keep it no longer than positions. A restore that is cut short leaves the former store, or is completed \
      at the next start.
      """)
  @Option(help: "The folder of the server.") var data: String
  @Flag(help: "Leaves the store that was there beside the new one.") var keep = false
  @Option(help: "A copy of the log of decisions; can be repeated.") var decisions: [String] = []
  @Flag(
    help: """
      Restore even if no log holds the decisions since the backup. People who were erased since come back and have to be \
      erased again by hand; looks since are lost; all tokens, consents and unused codes end.
      """)
  var withoutLog = false
  @Argument(help: "The backup.") var input: String

  func run() throws {
    try SQLitePositionStore.check(path: input)
    let folder = try DataFolder(data)
    let lock = try folder.lock()
    defer { lock.release() }
    let pseudonyms = Pseudonyms(signer: HMACSigner(), keys: try folder.keysForRestore(mayMake: withoutLog))
    let files = FileManager.default
    var sources = Restoration.Sources()
    if !withoutLog {
      if files.fileExists(atPath: folder.logPath) { sources.log = folder.logPath }
      if files.fileExists(atPath: folder.storePath) { sources.store = folder.storePath }
    }
    sources.copies = decisions
    guard withoutLog || !sources.isEmpty else {
      throw CommandError(
        "\(data): nothing tells what was decided since the backup: there is no decisions.sqlite and no store. Give a copy "
          + "of the log with --decisions FILE; \(Self.loss)")
    }
    try folder.removeUnfinishedRestore()
    var carried = ""
    do {
      let report = try Restoration.make(
        store: folder.newStorePath, log: folder.newLogPath, from: input, sources: sources, pseudonyms: pseudonyms)
      carried = """
        decisions \(report.decisions): erased again \(report.erased), other consent or secret \(report.changed), \
        codes used or revoked \(report.codes), looks \(report.looks)

        """
    } catch {
      try? folder.removeUnfinishedRestore()
      throw CommandError(
        "what was decided since the backup cannot be carried over (\(error)). Put a sound copy of the log in its place, "
          + "or run `cordon-server rebuild-log` while the former store is there; \(Self.loss)")
    }
    try folder.installRestored(keepingFormer: keep)
    try StandardOutput.write(lines: carried)
  }

  private static let loss =
    "--without-log restores without it: the erased come back and have to be erased again, and all tokens, consents and "
    + "unused codes end"
}

/// `cordon-server rebuild-log`
struct RebuildLog: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild-log",
    abstract: "Makes a lost or damaged log of decisions anew from the store.",
    discussion: """
      Only for the store that ran last: what was decided after an earlier copy of it is not in that copy. The log that was \
      there stays beside, as decisions.sqlite.before-rebuild.
      """)
  @Option(help: "The folder of the server.") var data: String

  func run() throws {
    let folder = try DataFolder(data)
    let lock = try folder.lock()
    defer { lock.release() }
    try folder.rebuildLog()
  }
}

/// `cordon-server check-contacts`
struct CheckContacts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-contacts",
    abstract: "Finds all contacts of the stored positions anew, and compares them with those in the store.",
    discussion: """
      Contacts that began before the earliest position that is still kept are left out. With --venues they are looked at \
      through the walls as well; where only the time with a wall between differs, the map was another one when they were \
      found, and that is no failure.
      """)
  @Option(help: "The folder of the server.") var data: String
  @Option(help: "The folder of venue bundles, to look at walls as well.") var venues: String?
  @Option(help: "A file of settings, the one of the server.") var config: String?

  func run() throws {
    let settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    var options = SQLitePositionStore.Options()
    options.isReadOnly = true
    let folder = try DataFolder(data)
    try folder.checkNoRestoreIsPending()
    let store = try SQLitePositionStore(path: folder.storePath, options: options)
    let catalog = venues.map { VenueCatalog.load(folder: $0).catalog }
    if let conflict = catalog?.conflicts.first { throw CommandError("\(conflict)") }
    let report = try ContactCheck.run(store, settings: settings.server.ingest, catalog: catalog ?? VenueCatalog())
    let walls = catalog == nil ? "" : ", through other walls \(report.otherWalls)"
    try StandardOutput.write(
      lines: "stored \(report.stored), from scratch \(report.found), different \(report.different)\(walls)\n")
    if report.different > 0 { throw ExitCode(1) }
  }
}
