import ArgumentParser
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
    @Option(help: "Who it is.") var name: String
    @Option(help: "viewer, operator or admin.") var role: String
    @Option(help: "A venue they may look at; can be repeated. All when none is given.") var venue: [String] = []

    func run() throws {
      guard let role = Operator.Role(rawValue: role) else {
        throw ValidationError("--role: viewer, operator or admin, not \"\(role)\"")
      }
      var venues: [VenueID] = []
      for text in venue {
        guard let id = VenueID(text) else { throw ValidationError("--venue: \"\(text)\" is no venue") }
        venues.append(id)
      }
      let (id, key) = try DataFolder(data).addOperator(name: name, role: role, venues: venues.isEmpty ? nil : venues)
      print("operator \(id)\nkey      \(key)")
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the operators with their names.")
    @Option(help: "The folder of the server.") var data: String

    func run() throws {
      for entry in try DataFolder(data).namedOperators() {
        print("\(entry.id)  \(entry.role)  \(entry.venues?.joined(separator: ",") ?? "all venues")  \(entry.name)")
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

  func run() throws { print("key \(try DataFolder(data).rotateKeys())") }
}

/// `cordon-server backup`
struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copies the store to a file, while the server may run, and checks the copy.",
    discussion: """
      Keys and operators are not in it: keep these files apart from it. What is erased from the store stays in
      backups: keep backups no longer than positions.
      """)
  @Option(help: "The folder of the server.") var data: String
  @Option(name: [.short, .long], help: "The file to write; it must not be there yet.") var output: String

  func run() throws {
    guard !FileManager.default.fileExists(atPath: output) else { throw ValidationError("\(output) is there already") }
    var options = SQLitePositionStore.Options()
    options.isReadOnly = true
    let store = try SQLitePositionStore(path: DataFolder(data).storePath, options: options)
    let temporary = output + ".part"
    try? FileManager.default.removeItem(atPath: temporary)
    try store.backUp(to: temporary)
    guard rename(temporary, output) == 0 else { throw Complaint("\(output): cannot be written") }
  }
}

/// `cordon-server restore`
struct Restore: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Puts a backup in the place of the store of a server that does not run.",
    discussion: """
      Whoever was erased since the backup was made is erased from it before it takes the place; that is read from the \
      store that was there. Then that store is deleted, unless --keep leaves it beside, as \
      cordon.sqlite.before-restore: nothing deletes it from then on, so keep it no longer than positions.
      """)
  @Option(help: "The folder of the server.") var data: String
  @Flag(help: "Leaves the store that was there beside the new one.") var keep = false
  @Flag(help: "Goes on when the store that was there cannot tell who was erased.") var withoutErasures = false
  @Argument(help: "The backup.") var input: String

  func run() throws {
    try SQLitePositionStore.check(path: input)
    let files = FileManager.default
    let folder = try DataFolder(data)
    let lock = try folder.lock()
    defer { lock.release() }
    let path = folder.storePath
    let temporary = path + ".new"
    func remove(_ path: String) {
      for suffix in ["", "-wal", "-shm"] { try? files.removeItem(atPath: path + suffix) }
    }
    remove(temporary)
    try files.copyItem(atPath: input, toPath: temporary)
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: temporary)
    if files.fileExists(atPath: path), !withoutErasures {
      let intake = Intake(
        settings: IngestSettings(), catalog: VenueCatalog(), signer: HMACSigner(), keys: try folder.keys(),
        operators: [])
      do {
        let report = try Restoration.carryErasures(from: path, to: temporary, intake: intake)
        print("erased since the backup: \(report.tombstones) remembered, \(report.erased) erased again")
      } catch {
        remove(temporary)
        throw Complaint(
          "who was erased since the backup cannot be carried over (\(error)); --without-erasures restores it as it is, "
            + "and these people have to be erased again")
      }
    }
    remove(path + ".before-restore")
    for suffix in ["", "-wal", "-shm"] where files.fileExists(atPath: path + suffix) {
      try files.moveItem(atPath: path + suffix, toPath: path + ".before-restore" + suffix)
    }
    try files.moveItem(atPath: temporary, toPath: path)
    if !keep { remove(path + ".before-restore") }
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
    let store = try SQLitePositionStore(path: DataFolder(data).storePath, options: options)
    let catalog = venues.map { VenueCatalog.load(folder: $0).catalog }
    let report = try ContactCheck.run(store, settings: settings.server.ingest, catalog: catalog ?? VenueCatalog())
    let walls = catalog == nil ? "" : ", through other walls \(report.otherWalls)"
    print("stored \(report.stored), from scratch \(report.found), different \(report.different)\(walls)")
    if report.different > 0 { throw ExitCode(1) }
  }
}
