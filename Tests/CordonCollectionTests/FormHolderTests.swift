import CordonCollection
import CordonCore
import CordonForms
import CordonIngest
import CordonSQLite
import CordonSupport
import CordonTestSupport
import Foundation
import Testing

/// Records of a device that an administrator reset, so that somebody else got its name.
@Suite("Holders of a device in forms") struct FormHolderTests {
  private static let name = "phone-77"

  /// A desk with a record of the first holder; the second one begins an hour later.
  private struct Shared {
    let bench: FormBench
    let device: DeviceID
    let former: FormSender
    let next: FormSender
    let since: Instant
    let old: FormRevision

    init(_ store: any FormStore = MemoryFormStore(), settings: FormSettings = FormSettings()) throws {
      bench = try FormBench(store, settings: settings)
      bench.publish()
      device = try #require(DeviceID(FormHolderTests.name))
      former = .device(device, FormBench.hall)
      since = bench.now + .hours(1)
      next = .device(device, FormBench.hall, since: since)
      old = bench.revision(["n": 1], record: 1, device: device.rawValue)
      #expect(statuses([old], as: former) == ["stored"])
      bench.now = since + .minutes(1)
    }

    func statuses(_ revisions: [FormRevision], as sender: FormSender) -> [String] {
      let answer = bench.send(
        "POST", "/v1/forms/visits/sync", ["revisions": .array(revisions.map(\.json))], as: sender)
      return answer.json["answers"]?.elements?.map { $0["code"]?.stringValue ?? $0["status"]?.stringValue ?? "" } ?? []
    }

    /// The revisions that a new copy of a sender gets.
    func visible(to sender: FormSender) -> [String] {
      let sync = bench.send("POST", "/v1/forms/visits/sync", [:], as: sender).json
      let own = bench.send("GET", "/v1/forms/visits/records", as: sender).json
      #expect(sync["revisions"] == own["revisions"] && sync["erased"] == own["erased"])
      return sync["revisions"]?.elements?.compactMap { $0["id"]?.stringValue } ?? []
    }

    func revision(_ record: Int, parents: [FormRevision] = []) -> FormRevision {
      bench.revision(["n": 2], record: record, parents: parents, device: device.rawValue)
    }

    func forget(_ end: DeviceEnd) throws { try FormErasure(bench.store).forget(device, end, at: bench.now) }

    func history(_ record: Int) throws -> [String?] {
      try bench.store.history(of: FormBench.record(record)).map(\.id)
    }
  }

  @Test(arguments: StoreKind.allCases) func theNextHolderSeesAndErasesNothingOfTheFormer(kind: StoreKind) throws {
    let shared = try Shared(try kind.make())
    #expect(shared.visible(to: shared.next).isEmpty)
    #expect(shared.visible(to: shared.former) == [shared.old.id])
    let own = shared.revision(2)
    let onOld = shared.revision(1, parents: [shared.old])
    #expect(shared.statuses([own, onOld], as: shared.next) == ["stored", "foreign"])
    #expect(shared.visible(to: shared.next) == [own.id] && shared.visible(to: shared.former) == [shared.old.id])
    let path = "/v1/forms/visits/records/"
    #expect(shared.bench.send("DELETE", path + shared.old.record, as: shared.next).status == 404)
    #expect(shared.bench.send("DELETE", path + own.record, as: shared.next).status == 204)
    // Each hears of the erasure of their own records.
    let after = shared.bench.send("POST", "/v1/forms/visits/sync", [:], as: shared.next).json
    #expect(after["erased"] == [.string(own.record)])
    #expect(shared.bench.send("POST", "/v1/forms/visits/sync", [:], as: shared.former).json["erased"] == [])
    // Collectors still have both.
    #expect(shared.visible(to: try shared.bench.collector()) == [shared.old.id])
  }

  @Test(arguments: StoreKind.allCases) func theErasureOfAFormerHolderKeepsThePresentOne(kind: StoreKind) throws {
    let shared = try Shared(try kind.make())
    let (kept, erased) = (shared.revision(2), shared.revision(3))
    #expect(shared.statuses([kept, erased], as: shared.next) == ["stored", "stored"])
    let path = "/v1/forms/visits/records/"
    #expect(shared.bench.send("DELETE", path + erased.record, as: shared.next).status == 204)
    try shared.forget(.holders(before: shared.since))
    #expect(try shared.history(1) == [nil] && shared.history(2) == [kept.id])
    #expect(shared.visible(to: shared.next) == [kept.id])
    // The erasure of the present holder's record still names their device, that of the former one's does not.
    #expect(try shared.bench.store.erasures(naming: Self.name).map(\.record) == [erased.record])
    try shared.forget(.device)
    #expect(try shared.history(2) == [nil] && shared.bench.store.devices().isEmpty)
  }

  /// A restore applies the erasure of a former holder to records that were received until then.
  @Test func whatCameAfterAnErasureStays() throws {
    let shared = try Shared()
    let own = shared.revision(2)
    #expect(shared.statuses([own], as: shared.next) == ["stored"])
    try shared.forget(.holders(before: Instant(milliseconds: .max), receivedUntil: shared.since))
    #expect(try shared.history(1) == [nil] && shared.history(2) == [own.id])
  }

  /// A collector who got records on the LAN passes them on, after somebody else got the device.
  @Test(arguments: StoreKind.allCases) func recordsThatACollectorPassesOnBelongToTheirAuthor(kind: StoreKind) throws {
    let shared = try Shared(try kind.make())
    let clinic = try shared.bench.collector()
    let before = FormRevision(
      record: FormBench.record(4), form: "visits", version: 1, parents: [], device: Self.name,
      time: shared.since - .minutes(5), answers: ["n": 4])
    let own = shared.revision(5)
    #expect(shared.statuses([before, own], as: clinic) == ["stored", "stored"])
    #expect(shared.visible(to: shared.next).isEmpty)
    // The device shows that a revision is its own by having it; one from before its time stays the former holder's.
    #expect(shared.statuses([own, before], as: shared.next) == ["known", "known"])
    #expect(shared.visible(to: shared.next) == [own.id])
    #expect(shared.statuses([shared.revision(5, parents: [own])], as: shared.next) == ["stored"])
    try shared.forget(.holders(before: shared.since))
    #expect(try shared.history(1) == [nil] && shared.history(4) == [nil] && shared.history(5).count == 2)
  }

  @Test(arguments: StoreKind.allCases) func retentionNamesTheHolder(kind: StoreKind) throws {
    var settings = FormSettings()
    settings.retention = .days(30)
    let shared = try Shared(try kind.make(), settings: settings)
    shared.bench.now = shared.bench.now + .days(31)
    try shared.bench.desk.tick(now: shared.bench.now)
    #expect(shared.bench.send("POST", "/v1/forms/visits/sync", [:], as: shared.next).json["erased"] == [])
    let erased = shared.bench.send("POST", "/v1/forms/visits/sync", [:], as: shared.former).json["erased"]
    #expect(erased == [.string(shared.old.record)])
  }

  /// A file of the version before: its entries name no holder. They stay the first holder's.
  @Test func entriesFromBeforeHoldersAreTheFirstHolders() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("forms.sqlite")
    let time = Instant(milliseconds: 1_768_204_800_000)
    let revision = FormRevision(
      record: FormBench.record(1), form: "visits", version: 1, parents: [], device: Self.name, time: time,
      answers: ["n": 1])
    do {
      let connection = try Connection(path: path, mode: .create, timeout: 5_000)
      try connection.execute(Self.former)
      let row = try connection.prepare("INSERT INTO entry VALUES (NULL, 'visits', ?, ?, ?, ?, ?)")
      row.bind(1, revision.record)
      row.bind(2, revision.id)
      row.bind(3, revision.device)
      row.bind(4, time.milliseconds)
      row.bind(5, Array(revision.json.text().utf8))
      try row.finish()
      connection.close()
    }
    let bench = try FormBench(try SQLiteFormStore(path: path))
    bench.publish()
    let device = try #require(DeviceID(Self.name))
    func visible(since: Instant) -> JSONValue? {
      bench.send("POST", "/v1/forms/visits/sync", [:], as: .device(device, FormBench.hall, since: since)).json[
        "revisions"]
    }
    let since = time + .hours(1)
    #expect(visible(since: .epoch) == [revision.json] && visible(since: since) == [])
    // A second connection finds the tables as they are now.
    try FormErasure(try SQLiteFormStore(path: path)).forget(device, .holders(before: since), at: bench.now)
    #expect(visible(since: .epoch) == [] && visible(since: since) == [])
  }

  /// The tables of the version before, as it made them.
  private static let former = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('forms');
    CREATE TABLE form (
      form TEXT NOT NULL, version INTEGER NOT NULL, venue TEXT NOT NULL, isForDevices INTEGER NOT NULL,
      created INTEGER NOT NULL, creator TEXT NOT NULL, document BLOB NOT NULL, PRIMARY KEY (form, version)
    ) WITHOUT ROWID;
    CREATE TABLE formKey (
      number INTEGER PRIMARY KEY AUTOINCREMENT, form TEXT NOT NULL, label TEXT NOT NULL, hash BLOB NOT NULL UNIQUE,
      created INTEGER NOT NULL, creator TEXT NOT NULL
    );
    CREATE TABLE entry (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT, form TEXT NOT NULL, record TEXT NOT NULL, id TEXT UNIQUE,
      device TEXT NOT NULL, received INTEGER NOT NULL, body BLOB NOT NULL
    );
    CREATE INDEX entryOfForm ON entry (form, sequence);
    CREATE INDEX entryOfRecord ON entry (record, received);
    CREATE INDEX entryOfDevice ON entry (device) WHERE device <> '';
    """
}
