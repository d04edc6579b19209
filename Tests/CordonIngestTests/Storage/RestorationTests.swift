import CordonCore
import CordonIngest
import CordonTestSupport
import CordonTesting
import CordonWire
import Foundation
import Testing

/// The restore drill: back up, erase, withdraw, revoke and query, restore, and check that all of it is still in
/// force.
@Suite("Restoration") struct RestorationTests {
  /// A server with a log of decisions in its own folder.
  private final class Site {
    private let scratch: TemporaryFolder
    let bench: Bench
    var phones: [String: Bench.Phone] = [:]

    var folder: String { scratch.url.path }
    var store: String { folder + "/cordon.sqlite" }
    var log: String { folder + "/decisions.sqlite" }
    var backup: String { folder + "/backup.sqlite" }
    var pseudonyms: Pseudonyms { Pseudonyms(signer: PlainSigner(), keys: bench.keys) }

    init(on folder: TemporaryFolder? = nil, at now: Instant? = nil) throws {
      scratch = try folder ?? TemporaryFolder()
      bench = try Bench(path: scratch.path("cordon.sqlite"))
      if let now { bench.now = now }
      let log = try DecisionLog(path: log, pseudonyms: pseudonyms, isNew: folder == nil)
      try Restoration.catchUp(bench.store, with: log, pseudonyms: pseudonyms)
      bench.store.record(in: log, pseudonyms: pseudonyms)
    }

    /// Removes the folder at the end of a test; the call also keeps the site alive until then.
    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// Returns the site in another folder, restored from a backup and the log.
    func restoredElsewhere(from backup: String? = nil) throws -> Site {
      let new = try TemporaryFolder()
      var sources = Restoration.Sources()
      sources.log = log
      _ = try Restoration.make(
        store: new.path("cordon.sqlite"), log: new.path("decisions.sqlite"), from: backup ?? self.backup,
        sources: sources,
        pseudonyms: pseudonyms)
      return try Site(on: new, at: bench.now)
    }

    func rows(_ name: String, _ count: Int) throws -> [Location] {
      try (0..<count).map { try bench.location(name, at: bench.now - .seconds(Int64(count - $0))) }
    }

    func admin(_ method: String, _ target: String) throws {
      #expect([200, 204].contains(bench.asAdmin(method, target).status), "\(method) \(target)")
    }
  }

  /// A site before the backup, and the events after it.
  private static func drill() throws -> (site: Site, codes: (used: String, revoked: String)) {
    let site = try Site()
    let bench = site.bench
    let used = try bench.invite(uses: 1)
    let revoked = try bench.invite()
    while bench.ingest.tick(now: bench.now) {}
    for name in ["erased", "withdrew", "revoked", "reset", "again", "kept"] {
      site.phones[name] = try bench.phone(name)
      try bench.post(try site.rows(name, 20), by: try #require(site.phones[name]))
    }
    try bench.store.backUp(
      to: site.backup, log: DecisionLog(path: site.log, pseudonyms: site.pseudonyms, isNew: false))
    bench.now = bench.now + .minutes(5)
    // Since then:
    let proof = #"{"secret": "\#(try #require(site.phones["erased"]).secret)"}"#
    #expect(bench.send("DELETE", "/v1/devices/erased", proof).status == 200)
    bench.agree(try #require(site.phones["withdrew"]), to: "")
    bench.agree(try #require(site.phones["again"]), to: "")
    bench.now = bench.now + .seconds(1)
    bench.agree(try #require(site.phones["again"]))
    try site.admin("POST", "/v1/operator/devices/revoked/revoke?reason=case%201")
    try site.admin("POST", "/v1/operator/devices/reset/reset?reason=case%202")
    _ = try bench.activate("late", code: used)
    let codes = try bench.store.invites(of: bench.venue.venue)
    let number = try #require(codes.first { revoked.hasPrefix($0.hint) }?.number)
    try site.admin("DELETE", "/v1/operator/invite-codes/\(number)")
    try site.admin("GET", "/v1/operator/exposures?venue=small-venue&device=kept&reason=snooping")
    return (site, (used, revoked))
  }

  private static func device(_ name: String) throws -> DeviceID { try #require(DeviceID(name)) }

  enum Source: CaseIterable { case log, formerStore, earlierLogAndFormerStore, copyElsewhere }

  /// With the log, with a lost or earlier log beside the former store, and with a lost disk and a copy of the log
  /// from elsewhere.
  @Test(arguments: Source.allCases)
  func aRestoreKeepsLaterDecisions(_ source: Source) throws {
    let (site, codes) = try Self.drill()
    defer { site.remove() }
    var sources = Restoration.Sources()
    switch source {
    case .log: (sources.log, sources.store) = (site.log, site.store)
    case .formerStore: sources.store = site.store
    case .earlierLogAndFormerStore: (sources.log, sources.store) = (site.backup, site.store)
    case .copyElsewhere:
      let copy = site.folder + "/elsewhere.sqlite"
      try DecisionLog(path: site.log, pseudonyms: site.pseudonyms, isNew: false).backUp(to: copy)
      sources.copies = [copy]
    }
    let new = try TemporaryFolder()
    let report = try Restoration.make(
      store: new.path("cordon.sqlite"), log: new.path("decisions.sqlite"), from: site.backup, sources: sources,
      pseudonyms: site.pseudonyms)
    #expect(report.erased == 1)
    #expect(report.codes == 2)
    #expect(report.accesses >= 4)
    try withExtendedLifetime(SQLitePositionStore(path: new.path("cordon.sqlite"))) { store in
      let venue = try #require(try store.venues().first)
      #expect(try store.viewerMark(of: venue.number) == nil, "no bin is counted for viewers a second time")
    }
    // No file contains the erased device, by name or by row.
    for name in try FileManager.default.contentsOfDirectory(atPath: new.url.path) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: new.path(name)))
      #expect(bytes.range(of: Data("erased".utf8)) == nil, "\(name)")
    }
    let restored = try Site(on: new, at: site.bench.now)
    defer { restored.remove() }
    let bench = restored.bench
    func post(_ name: String) throws -> Int {
      let body = PositionBatch.encode(try site.rows(name, 1))
      return bench.ingest.handle(
        IngestRequest("POST", "/v1/positions", headers: [try #require(site.phones[name]).bearer], body: body),
        now: bench.now
      ).status
    }
    for code in [codes.used, codes.revoked] {
      #expect(bench.send("POST", "/v1/devices/other/activate", #"{"code": "\#(code)"}"#).code == "bad-code")
    }
    #expect(try post("erased") == 410)
    #expect(try bench.store.device(try Self.device("erased")) == nil)
    #expect(bench.send("POST", "/v1/devices/erased/activate", #"{"code": "\#(try bench.invite())"}"#).status == 410)
    #expect(try bench.post(try site.rows("withdrew", 1), by: try #require(site.phones["withdrew"])) == [.retry])
    #expect(try bench.post(try site.rows("again", 1), by: try #require(site.phones["again"])) == [.stored])
    #expect(try bench.post(try site.rows("kept", 1), by: try #require(site.phones["kept"])) == [.stored])
    #expect(try post("revoked") == 401)
    #expect(try post("reset") == 401)
    let secret = try #require(site.phones["reset"]).secret
    #expect(bench.send("POST", "/v1/devices/reset/token", #"{"secret": "\#(secret)"}"#).status == 403)
    let id = try Self.device("kept")
    let found = try bench.store.device(id)
    let kept = try #require(found)
    let accesses = try bench.store.accesses(to: kept, limit: 100)
    #expect(accesses.filter { $0.reason == "snooping" }.count == 1, "who looked is known, and once")
    #expect(try bench.store.audit(device: nil, before: nil, limit: 100).count { $0.reason == "case 1" } == 1)
    // A withdrawal that the person reversed counts again.
    bench.now = bench.now + .minutes(1)
    bench.agree(try #require(site.phones["withdrew"]))
    #expect(try bench.post(try site.rows("withdrew", 1), by: try #require(site.phones["withdrew"])) == [.stored])
  }

  /// The receipts of a device with two holders survive a restore, in either order of erasure.
  @Test(arguments: [true, false])
  func receiptsOfFormerHoldersOutliveARestore(_ asksFirst: Bool) throws {
    let site = try Site()
    defer { site.remove() }
    let bench = site.bench
    let former = try bench.phone("shared")
    try bench.post(try site.rows("shared", 5), by: former)
    bench.now = bench.now + .minutes(5)
    try site.admin("POST", "/v1/operator/devices/shared/reset?reason=case%201")
    _ = try bench.phone("shared")
    try bench.store.backUp(
      to: site.backup, log: DecisionLog(path: site.log, pseudonyms: site.pseudonyms, isNew: false))
    let proof = #"{"secret": "\#(former.secret)"}"#
    if asksFirst { #expect(bench.send("DELETE", "/v1/devices/shared", proof).status == 200) }
    try site.admin("DELETE", "/v1/devices/shared?reason=case%202")
    let restored = try site.restoredElsewhere()
    defer { restored.remove() }
    let receipt = restored.bench.send("DELETE", "/v1/devices/shared", proof)
    #expect(receipt.status == 200)
    #expect(try receipt.object["locations"] as? Int == 5)
    #expect(restored.bench.send("DELETE", "/v1/devices/shared", #"{"secret": "other"}"#).status == 403)
  }

  /// A device that was activated after the backup is not in it: its owner's erasure request is still answered.
  @Test func aDeviceLostByARestoreGetsAReceipt() throws {
    let site = try Site()
    defer { site.remove() }
    let bench = site.bench
    _ = try bench.phone("old")
    try bench.store.backUp(
      to: site.backup, log: DecisionLog(path: site.log, pseudonyms: site.pseudonyms, isNew: false))
    let lost = try bench.phone("new")
    try bench.post(try site.rows("new", 5), by: lost)
    let restored = try site.restoredElsewhere()
    defer { restored.remove() }
    let proof = #"{"secret": "\#(lost.secret)"}"#
    #expect(restored.bench.send("DELETE", "/v1/devices/new", #"{"secret": "other"}"#).code == "not-proved")
    let receipt = restored.bench.send("DELETE", "/v1/devices/new", proof)
    #expect(receipt.status == 200)
    #expect(try receipt.object["locations"] as? Int == 0)
    #expect(restored.bench.send("DELETE", "/v1/devices/new", proof) == receipt)
  }

  /// A device that one restore lost, and that was erased then, does not return with a backup that holds it.
  @Test func aDeviceErasedAfterARestoreLostItStaysErased() throws {
    let site = try Site()
    defer { site.remove() }
    let bench = site.bench
    let log = { try DecisionLog(path: site.log, pseudonyms: site.pseudonyms, isNew: false) }
    try bench.store.backUp(to: site.backup, log: log())
    let lost = try bench.phone("new")
    try bench.post(try site.rows("new", 5), by: lost)
    let later = site.folder + "/later.sqlite"
    try bench.store.backUp(to: later, log: log())
    let restored = try site.restoredElsewhere()
    defer { restored.remove() }
    let proof = #"{"secret": "\#(lost.secret)"}"#
    let receipt = restored.bench.send("DELETE", "/v1/devices/new", proof)
    #expect(receipt.status == 200)
    let again = try restored.restoredElsewhere(from: later)
    defer { again.remove() }
    #expect(try again.bench.store.positionCount() == 0)
    #expect(try again.bench.store.device(Self.device("new")) == nil)
    #expect(again.bench.send("DELETE", "/v1/devices/new", proof) == receipt)
  }

  /// Without any source only the backup is known: nothing that was issued since is valid.
  @Test func aRestoreWithoutSourcesEndsTokensConsentsAndCodes() throws {
    let (site, codes) = try Self.drill()
    defer { site.remove() }
    let new = try TemporaryFolder()
    _ = try Restoration.make(
      store: new.path("cordon.sqlite"), log: new.path("decisions.sqlite"), from: site.backup, sources: .init(),
      pseudonyms: site.pseudonyms)
    let restored = try Site(on: new, at: site.bench.now)
    defer { restored.remove() }
    let bench = restored.bench
    for (name, phone) in site.phones {
      #expect(bench.send("GET", "/v1/devices/\(name)/data", "", phone.bearer).status == 401, "\(name)")
      #expect(try bench.store.device(try Self.device(name))?.mayRecord == false)
    }
    #expect(bench.send("POST", "/v1/devices/other/activate", #"{"code": "\#(codes.revoked)"}"#).code == "bad-code")
  }

  /// A store that was copied into place by hand, and a process that died between log and store.
  @Test func anEarlierStoreIsMigrated() throws {
    let (site, _) = try Self.drill()
    defer { site.remove() }
    let new = try TemporaryFolder()
    try DecisionLog(path: site.log, pseudonyms: site.pseudonyms, isNew: false).backUp(to: new.path("decisions.sqlite"))
    try FileManager.default.copyItem(atPath: site.backup, toPath: new.path("cordon.sqlite"))
    let restored = try Site(on: new, at: site.bench.now)
    defer { restored.remove() }
    let bench = restored.bench
    #expect(try bench.store.device(try Self.device("erased")) == nil)
    #expect(try bench.post(try site.rows("withdrew", 1), by: try #require(site.phones["withdrew"])) == [.retry])
    // The other way round: a log that knows less than its store is not a log of it.
    let scratch = try TemporaryFolder()
    let other = scratch.url.path
    let log = try DecisionLog(path: other + "/decisions.sqlite", pseudonyms: site.pseudonyms, isNew: true)
    #expect(throws: StoreFault.self) {
      try Restoration.catchUp(bench.store, with: log, pseudonyms: site.pseudonyms)
    }
  }

  /// A record that was changed or removed, other keys, a truncated file.
  @Test func aDamagedLogIsNoticed() throws {
    let (site, _) = try Self.drill()
    defer { site.remove() }
    func copy(_ change: (String) throws -> Void) throws -> String {
      let path = site.folder + "/copy-" + UUID().uuidString
      try DecisionLog(path: site.log, pseudonyms: site.pseudonyms, isNew: false).backUp(to: path)
      try change(path)
      return path
    }
    func script(_ sql: String) throws -> (String) throws -> Void {
      let tool = try #require(TestProcess.tool("sqlite3"))
      return { path in try #require(try TestProcess.run(tool, [path, sql]).status == 0) }
    }
    func opens(_ path: String, _ pseudonyms: Pseudonyms) -> Bool {
      (try? DecisionLog(path: path, pseudonyms: pseudonyms, isNew: false)) != nil
    }
    #expect(opens(try copy { _ in }, site.pseudonyms))
    var keys = site.bench.keys
    keys.tombstone[0] ^= 1
    #expect(!opens(try copy { _ in }, Pseudonyms(signer: PlainSigner(), keys: keys)))
    #expect(
      !opens(
        try copy { path in
          let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
          try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
        }, site.pseudonyms))
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3") else { return }
    for sql in [
      "DELETE FROM decision WHERE number = 3", "UPDATE decision SET time = time + 1 WHERE kind = 1",
      "UPDATE decision SET kind = 7 WHERE kind = 1", "UPDATE decisionHead SET count = count - 1",
      "DELETE FROM decisionHead",
    ] { #expect(!opens(try copy(script(sql)), site.pseudonyms), "\(sql)") }
  }

  /// The log holds no names, expires with the tombstones, and keeps only the erasure of an erased device.
  @Test func theLogKeepsNoNamesAndRespectsRetention() throws {
    let (site, _) = try Self.drill()
    defer { site.remove() }
    let bench = site.bench
    func bytes() throws -> Data {
      var all = Data()
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: site.log + suffix) {
        all += try Data(contentsOf: URL(fileURLWithPath: site.log + suffix))
      }
      return all
    }
    for name in site.phones.keys where name != "reset" && name != "revoked" {
      #expect(try bytes().range(of: Data(name.utf8)) == nil, "\(name)")
    }
    #expect(try bytes().range(of: Data("snooping".utf8)) != nil)
    bench.now = bench.now + .days(91)
    while bench.ingest.tick(now: bench.now) {}
    #expect(try bytes().range(of: Data("snooping".utf8)) != nil, "who looked is kept for a year")
    // A restore cannot carry over expired entries of the log.
    var sources = Restoration.Sources()
    sources.log = site.log
    let old = sources
    #expect(throws: StoreFault.self) {
      try Restoration.make(
        store: site.folder + "/a.sqlite", log: site.folder + "/b.sqlite", from: site.backup, sources: old,
        pseudonyms: site.pseudonyms)
    }
    bench.now = bench.now + .days(300)
    while bench.ingest.tick(now: bench.now) {}
    #expect(try bytes().range(of: Data("snooping".utf8)) == nil)
  }

  /// A lost log is rebuilt from the store, with the same contents.
  @Test func aLostLogIsRebuiltFromTheStore() throws {
    let (site, _) = try Self.drill()
    defer { site.remove() }
    let path = site.folder + "/anew.sqlite"
    try Restoration.makeLog(path, from: try SQLitePositionStore(path: site.store), pseudonyms: site.pseudonyms)
    var sources = Restoration.Sources()
    sources.log = path
    let report = try Restoration.make(
      store: site.folder + "/a.sqlite", log: site.folder + "/b.sqlite", from: site.backup, sources: sources,
      pseudonyms: site.pseudonyms)
    #expect(report.erased == 1)
    #expect(report.accesses >= 4)
  }
}
