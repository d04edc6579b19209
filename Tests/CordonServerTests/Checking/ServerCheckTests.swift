import CordonConsole
import CordonCore
import CordonIngest
import CordonOperators
import CordonTestSupport
import Foundation
import Testing

@testable import CordonServer

/// The examination of a server's files, part by part.
@Suite("The check of a server", .timeLimit(.minutes(5)))
struct ServerCheckTests {
  private let scratch: TemporaryFolder
  private let now = Instant(milliseconds: 1_790_000_000_000)

  init() throws { scratch = try TemporaryFolder() }

  /// A check of a new data folder with an administrator, and of a folder of venues with one hall.
  private func prepared() throws -> (ServerCheck, DataFolder) {
    var files = ServerCheck.Files()
    files.data = scratch.path("data")
    files.venues = scratch.path("venues")
    let folder = try DataFolder(scratch.path("data"))
    _ = try folder.addOperator(name: "Ada", role: .admin, venues: nil)
    try FileManager.default.createDirectory(atPath: scratch.path("venues"), withIntermediateDirectories: true)
    try Data(LiveServer.bundle().utf8).write(to: URL(fileURLWithPath: scratch.path("venues") + "/hall.geojson"))
    return (ServerCheck(files, settings: IngestServer.Settings(), now: now), folder)
  }

  /// Makes store and log, readable by their owner only, as the server's process does.
  private func open(_ folder: DataFolder) throws {
    _ = try folder.openStore()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path + "/" + name)
    }
  }

  private func codes(_ findings: [DiagnosisFinding], _ level: DiagnosisFinding.Level? = nil) -> [String] {
    findings.filter { level == nil || $0.level == level }.map { "\($0.subject) \($0.code)" }
  }

  @Test func aSoundServerHasNoFailure() throws {
    let (check, folder) = try prepared()
    #expect(codes(check.storeFindings().findings) == ["store no-store"])
    try open(folder)
    let findings = check.examine()
    #expect(codes(findings, .failure) == [], "\(findings.map(\.line))")
    for subject in ["configuration", "store", "venues", "certificates", "clock", "disk", "operators"] {
      #expect(findings.contains { $0.subject == subject }, "\(subject)")
    }
    // Every problem has its remedy.
    #expect(findings.allSatisfy { ($0.remedy == nil) == ($0.level == .ok) })
  }

  @Test func theCheckMakesNoFile() throws {
    var files = ServerCheck.Files()
    files.data = scratch.path("data")
    files.venues = scratch.path("venues")
    let check = ServerCheck(files, settings: IngestServer.Settings(), now: now)
    #expect(codes(check.examine(), .failure) == ["store no-folder", "venues no-folder"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
  }

  @Test func settingsThatContradictOneAnother() throws {
    var (check, _) = try prepared()
    check.settings.host = "0.0.0.0"
    #expect(codes(check.configurationFindings()) == ["configuration no-tls"])
    check.settings.isBehindProxy = true
    #expect(codes(check.configurationFindings()) == ["configuration proxy"])
    check.files.certificate = "chain.pem"
    #expect(codes(check.configurationFindings(), .failure) == ["configuration half-certificate"])
    let none = ServerCheck(ServerCheck.Files(), settings: IngestServer.Settings(), now: now)
    #expect(codes(none.examine(), .failure) == ["configuration no-data", "configuration no-venues"])
  }

  @Test func faultsOfTheDataFolderAreNamed() throws {
    let (check, folder) = try prepared()
    try open(folder)
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path + "/keys.json")
    let open = try #require(check.storeFindings().findings.first { $0.code == "open-folder" })
    #expect(open.remedy?.contains("chmod 600 \(folder.path)/keys.json") == true, "\(open.line)")
    try files.moveItem(atPath: folder.path + "/keys.json", toPath: scratch.path("keys.json"))
    #expect(codes(check.storeFindings().findings, .failure) == ["store no-keys"])
    #expect(!files.fileExists(atPath: folder.path + "/keys.json"), "the check made keys")
    try files.moveItem(atPath: scratch.path("keys.json"), toPath: folder.path + "/keys.json")
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path + "/keys.json")
    try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder.logPath))
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.logPath)
    #expect(codes(check.storeFindings().findings, .failure) == ["store log-failed"])
    try files.removeItem(atPath: folder.storePath)
    #expect(codes(check.storeFindings().findings, .failure) == ["store store-missing"])
  }

  /// A store of a newer version is reported and left as it is.
  @Test func aNewerStoreIsReported() throws {
    let (check, folder) = try prepared()
    try open(folder)
    try setVersion(99, of: folder.storePath)
    #expect(codes(check.storeFindings().findings, .failure) == ["store newer-store"])
    try setVersion(1, of: folder.storePath)
    let store = try #require(check.storeFindings().findings.first { $0.code == "store" })
    #expect(store.sentence.contains("migrates it from schema 1"))
  }

  /// The version is a big-endian number at byte 60 of the file.
  private func setVersion(_ version: UInt8, of path: String) throws {
    for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try #require(bytes.count > 64)
    bytes[63] = version
    try bytes.write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  @Test func faultsOfVenuesAreNamed() throws {
    let (check, _) = try prepared()
    let venues = scratch.path("venues")
    try Data("{".utf8).write(to: URL(fileURLWithPath: venues + "/broken.geojson"))
    #expect(codes(check.venueFindings().findings, .failure) == ["venues bundle-refused"])
    try FileManager.default.removeItem(atPath: venues + "/hall.geojson")
    #expect(codes(check.venueFindings().findings, .failure) == ["venues bundle-refused", "venues no-venue"])
    try FileManager.default.removeItem(atPath: venues + "/broken.geojson")
    let bundle = Data(LiveServer.bundle().utf8)
    for name in ["hall.geojson", "hall.json"] { try bundle.write(to: URL(fileURLWithPath: "\(venues)/\(name)")) }
    let twice = check.venueFindings().findings
    // The name of the file without its ending is the identifier.
    #expect(codes(twice, .failure) == ["venues two-bundles"], "\(twice.map(\.line))")
  }

  @Test func certificatesEndAndBegin() {
    let day = TimeSpan.days(1)
    func findings(_ times: (Instant, Instant)...) -> [String] {
      codes(ServerCheck.validity(of: times.map { (begin: $0.0, end: $0.1) }, in: "chain.pem", now: now))
    }
    let sound = (now - day, now + .days(15))
    #expect(findings(sound) == ["certificates certificate"])
    #expect(findings((now - day, now)) == ["certificates expired"])
    #expect(findings((now + day, now + .days(90))) == ["certificates not-yet"])
    #expect(findings((now - day, now + .days(13))) == ["certificates expires-soon"])
    let odd = TimeSpan(milliseconds: 2 * day.milliseconds - 1)
    let soon = ServerCheck.validity(of: [(now - day, now + odd)], in: "chain.pem", now: now)
    #expect(soon.first?.sentence == "chain.pem: The certificate ends in 1d23h.")
    // An intermediate certificate counts as well.
    #expect(findings(sound, (now - day, now - .hours(1))) == ["certificates expired"])
  }

  @Test(.enabled(if: Program.has("openssl")))
  func aCertificateOfFilesIsRead() async throws {
    var (check, _) = try prepared()
    func make(_ name: String) async throws {
      let end = try await Program.run(
        try #require(Program.path("openssl")),
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
          "/CN=x", "-keyout", scratch.path("\(name).key"), "-out", scratch.path("\(name).pem"),
        ])
      try #require(end.status == 0, "\(end.errors)")
    }
    try await make("one")
    try await make("two")
    check.settings.certificate = (scratch.path("one.pem"), scratch.path("one.key"))
    check.now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    #expect(codes(check.certificateFindings()) == ["certificates expires-soon"])
    check.settings.certificate = (scratch.path("one.pem"), scratch.path("two.key"))
    #expect(codes(check.certificateFindings(), .failure) == ["certificates certificate"])
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: scratch.path("two.key"))
    #expect(codes(check.certificateFindings(), .failure).contains("certificates open-key"))
  }

  @Test func deadLettersAndUnreadableFilesAreReported() throws {
    let (sound, folder) = try prepared()
    var check = sound
    #expect(check.outboundFindings().isEmpty)
    let queue = try SQLiteWebhookQueue(path: folder.webhookPath)
    try queue.add([QueuedEvent(id: "a", kind: "k", body: [])], to: ["x"], marks: [], now: now)
    #expect(codes(check.outboundFindings()) == ["outbound webhooks"])
    try queue.bury(1, reason: "r", now: now)
    #expect(codes(check.outboundFindings(), .warning) == ["outbound dead-letters"])
    check.settings.outboundAuthorities = scratch.path("missing.pem")
    check.settings.webhooks.capacities = scratch.path("missing.csv")
    #expect(codes(check.outboundFindings(), .failure) == ["outbound authorities", "outbound capacities"])
  }

  @Test func aClockBehindThePositionsIsAFailure() throws {
    let (check, _) = try prepared()
    #expect(codes(check.clockFindings(latest: now + .minutes(1), isSynchronized: true)) == ["clock clock"])
    #expect(codes(check.clockFindings(latest: now + .hours(1), isSynchronized: true)) == ["clock behind"])
    #expect(codes(check.clockFindings(latest: nil, isSynchronized: false), .warning) == ["clock not-synchronized"])
    #expect(codes(check.clockFindings(latest: nil, isSynchronized: nil)) == ["clock clock"])
  }

  @Test func theDiskNeedsRoomForTheReserveAndForARestore() {
    func codes(free: Int, store: Int = 0) -> [String] {
      self.codes(ServerCheck.spaceFindings(free: free, capacity: 1 << 40, store: store, reserve: 32 << 20))
    }
    #expect(codes(free: 1 << 39) == ["disk disk"])
    #expect(codes(free: 31 << 20) == ["disk full"])
    #expect(codes(free: 1 << 39, store: 1 << 39 + 1) == ["disk no-copy"])
    #expect(codes(free: 1 << 33) == ["disk nearly-full"])
    #expect(ServerCheck.text(bytes: 1_536) == "1.5 KiB" && ServerCheck.text(bytes: 5) == "5 B")
  }

  @Test func operatorsNeedAnAdministratorAndServedVenues() throws {
    let (check, folder) = try prepared()
    let catalog = try #require(check.venueFindings().catalog)
    #expect(codes(check.operatorFindings(catalog)) == ["operators operators"])
    let admin = try #require(try folder.accounts().first)
    _ = try folder.removeOperator(id: admin.id)
    #expect(codes(check.operatorFindings(catalog), .failure) == ["operators no-operator"])
    let venue = try #require(VenueID("elsewhere"))
    _ = try folder.addOperator(name: "Vera", role: .viewer, venues: [venue])
    #expect(codes(check.operatorFindings(catalog), .warning) == ["operators no-admin", "operators unknown-venue"])
    try FileManager.default.removeItem(atPath: folder.path + "/operators.key")
    #expect(codes(check.operatorFindings(catalog), .failure) == ["operators unreadable"])
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/operators.key"), "the check made a key")
  }
}
