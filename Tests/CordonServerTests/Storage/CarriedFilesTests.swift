import CordonCollection
import CordonCore
import CordonStudies
import CordonTestSupport
import Foundation
import Testing

@testable import CordonIngest
@testable import CordonServer

/// Forms and studies in backups of the store, and what a restore leaves out.
@Suite("Forms and studies in backups", .timeLimit(.minutes(5)))
struct CarriedFilesTests {
  private static let now = Instant(milliseconds: 1_768_204_800_000)

  /// A folder with records of two devices and a collector, and three participants.
  private struct Site {
    let scratch: TemporaryFolder
    let folder: DataFolder
    var participants: [ParticipantID] = []

    var backup: String { scratch.path("backup.sqlite") }

    init() throws {
      scratch = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: scratch.path("data"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      folder = try DataFolder(scratch.path("data"))
      _ = try folder.openStore()
      let forms = try SQLiteFormStore(path: folder.formsPath)
      try forms.save(
        StoredForm(
          form: "visits", version: 1, venue: try #require(VenueID("hall")), isForDevices: true, created: now,
          creator: "op", document: Array("{}".utf8)))
      for (record, device) in [
        ("kept", "phone-kept"), ("erased", "clinic"), ("device", "phone-gone"), ("other", "clinic"),
      ] {
        _ = try forms.add(
          FormEntry(form: "visits", record: record, id: "r-\(record)", device: device, received: now, body: [1, 2]))
      }
      let service = try folder.studies(StudySettings())
      let code = try #require(StudyCode("air-quality"))
      let study = Study(
        code: code, title: "Air", state: .open, begins: now, ends: now + .days(60),
        consents: [ConsentText(version: 1, texts: [.init("en", "I agree")])])
      try service.save(study, by: "op", now: now)
      for name in ["kept", "gone", "left"] {
        let request = EnrolmentRequest(
          study: code, consent: 1, identity: Identity(email: "\(name)@canary.example", pushToken: "t"))
        participants.append(try service.enrol(request, now: now).participant.id)
      }
    }

    /// What happens after the backup.
    func decide() throws {
      let store = try folder.openStore()
      let pseudonyms = Pseudonyms(signer: HMACSigner(), keys: try folder.keys())
      try store.begin()
      try store.note(endOf: KnownEndings.name(ofRecord: "erased"), at: now)
      try store.note(endOf: KnownEndings.name(ofErased: participants[1].rawValue), at: now)
      try store.note(endOf: KnownEndings.name(ofLeft: participants[2].rawValue), at: now)
      let device = try #require(DeviceID("phone-gone"))
      try store.save(Tombstone(hash: pseudonyms.device(device), proof: nil, time: now, locations: 0))
      try store.commit()
    }

    /// Loses files with the logs beside them.
    func lose(_ names: String...) {
      for name in names {
        for suffix in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: "\(folder.path)/\(name)\(suffix)")
        }
      }
    }

    func run(_ command: String, _ arguments: [String]) async throws -> (status: Int32, output: String, errors: String) {
      let end = try await Program.run(Program.server, [command, "--data", folder.path] + arguments)
      return (end.status, end.output, end.errors)
    }
  }

  @Test func aBackupCarriesFormsAndStudiesWithoutTheKeyOfTheVault() async throws {
    let site = try Site()
    let made = try await site.run("backup", ["-o", site.backup])
    #expect(made.status == 0, "\(made)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: site.backup))
    let key = try Data(contentsOf: URL(fileURLWithPath: site.folder.path + "/vault.key"))
    #expect(bytes.range(of: Data("phone-kept".utf8)) != nil)
    #expect(bytes.range(of: Data(site.participants[0].rawValue.utf8)) != nil)
    #expect(bytes.range(of: key) == nil && bytes.range(of: Data("canary.example".utf8)) == nil)
    // Nothing is left beside it.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: site.scratch.url.path).sorted() == ["backup.sqlite", "data"])
    // The log alone has none of it.
    let log = site.scratch.path("log.sqlite")
    #expect(try await site.run("backup", ["--decisions", "-o", log]).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: log)).range(of: Data("phone-kept".utf8)) == nil)
  }

  /// Devices, records and participants that were erased since the backup do not come back, and who left stays away.
  @Test func nobodyComesBackByARestore() async throws {
    let site = try Site()
    #expect(try await site.run("backup", ["-o", site.backup]).status == 0)
    try site.decide()
    site.lose("cordon.sqlite", "forms.sqlite", "studies.sqlite", "vault.sqlite")
    let restored = try await site.run("restore", [site.backup])
    #expect(restored.status == 0 && restored.output.contains("from the backup: forms, studies, vault"), "\(restored)")
    let forms = try SQLiteFormStore(path: site.folder.formsPath)
    #expect(try forms.records(of: "visits", after: "", limit: 10) == ["kept", "other"])
    #expect(try forms.history(of: "erased").map(\.id) == [nil] && forms.devices() == ["clinic", "phone-kept"])
    let service = try site.folder.studies(StudySettings())
    let vault = service.vault
    #expect(try vault.identity(of: site.participants[0])?.email == "kept@canary.example")
    #expect(
      try service.store.participant(site.participants[1]) == nil && vault.identity(of: site.participants[1]) == nil)
    #expect(try service.store.participant(site.participants[2])?.left != nil)
    #expect(try service.store.participant(site.participants[0])?.left == nil)
    // Neither file shows who was erased, and the store has nothing of the files that the backup carried.
    for (name, text) in [
      ("forms.sqlite", "phone-gone"), ("studies.sqlite", site.participants[1].rawValue),
      ("cordon.sqlite", "phone-kept"),
    ] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(site.folder.path)/\(name)"))
      #expect(bytes.range(of: Data(text.utf8)) == nil, "\(name)")
    }
  }

  /// A former holder whose data was erased since the backup does not come back, and the present holder's records stay.
  @Test func formerHoldersStayErased() async throws {
    let site = try Site()
    let since = Self.now + .minutes(5)
    do {
      let forms = try SQLiteFormStore(path: site.folder.formsPath)
      for (record, holder) in [("before", Instant.epoch), ("after", since)] {
        _ = try forms.add(
          FormEntry(
            form: "visits", record: record, id: "r-\(record)", device: "phone-shared", holder: holder,
            received: since + .minutes(1), body: [1]))
      }
    }
    #expect(try await site.run("backup", ["-o", site.backup]).status == 0)
    do {
      let store = try site.folder.openStore()
      let pseudonyms = Pseudonyms(signer: HMACSigner(), keys: try site.folder.keys())
      let device = try #require(DeviceID("phone-shared"))
      let receipt = Tombstone(
        hash: pseudonyms.formerHolder(of: device, secretHash: [1]), time: since + .hours(1), locations: 0)
      try store.begin()
      try store.saveReceipt(receipt, of: device, before: since)
      try store.commit()
    }
    site.lose("cordon.sqlite", "forms.sqlite")
    let restored = try await site.run("restore", [site.backup])
    #expect(restored.status == 0 && restored.output.contains("from the backup: forms"), "\(restored)")
    let forms = try SQLiteFormStore(path: site.folder.formsPath)
    #expect(try forms.history(of: "before").map(\.id) == [nil] && forms.history(of: "after").map(\.id) == ["r-after"])
    #expect(try forms.history(of: "after").first?.holder == since)
  }

  /// Cases, notices and rules about a former holder who was erased since the backup do not come back; others do.
  @Test func casesOfFormerHoldersStayErased() async throws {
    let site = try Site()
    let since = Self.now + .minutes(5)
    let (venue, device) = (try #require(VenueID("hall")), try #require(DeviceID("phone-shared")))
    do {
      let cases = try SQLiteCaseStore(path: site.folder.casesPath)
      let alerts = try SQLiteAlertStore(path: site.folder.alertsPath)
      for (name, holder) in [("the former", Instant.epoch), ("the present", since)] {
        let number = try cases.save(
          CaseRecord(
            venue: venue, label: name, device: device, from: Self.now, to: since, thresholdMinutes: 15,
            wallPercent: 100, note: "", created: since + .minutes(1), creator: "op", holder: holder))
        _ = try cases.save(
          CaseNotice(
            caseNumber: number, device: device, exposed: .epoch, template: "test", advice: name,
            created: since + .minutes(1), expires: since + .days(9), holder: holder))
        _ = try alerts.save(
          AlertRule(
            venue: venue, kind: .deviceSilent, name: name, device: device, threshold: 0, lasting: 60, isOn: true,
            holder: holder, created: since + .minutes(1)))
      }
    }
    #expect(try await site.run("backup", ["-o", site.backup]).status == 0)
    do {
      let store = try site.folder.openStore()
      let pseudonyms = Pseudonyms(signer: HMACSigner(), keys: try site.folder.keys())
      let receipt = Tombstone(
        hash: pseudonyms.formerHolder(of: device, secretHash: [1]), time: since + .hours(1), locations: 0)
      try store.begin()
      try store.saveReceipt(receipt, of: device, before: since)
      try store.commit()
    }
    site.lose("cordon.sqlite", "cases.sqlite", "alerts.sqlite")
    let restored = try await site.run("restore", [site.backup])
    #expect(restored.status == 0, "\(restored)")
    let cases = try SQLiteCaseStore(path: site.folder.casesPath)
    #expect(try cases.records(of: venue).map(\.label) == ["the present"])
    #expect(try cases.notices(to: device, now: Self.now).map(\.advice) == ["the present"])
    #expect(try SQLiteAlertStore(path: site.folder.alertsPath).rules().map(\.name) == ["the present"])
    for name in ["cases.sqlite", "cases.sqlite-wal", "alerts.sqlite", "alerts.sqlite-wal"] {
      let bytes = try? Data(contentsOf: URL(fileURLWithPath: "\(site.folder.path)/\(name)"))
      #expect(bytes?.range(of: Data("the former".utf8)) == nil, "\(name)")
    }
  }

  @Test func filesThatAreThereStay() async throws {
    let site = try Site()
    #expect(try await site.run("backup", ["-o", site.backup]).status == 0)
    let forms = try SQLiteFormStore(path: site.folder.formsPath)
    _ = try forms.add(
      FormEntry(form: "visits", record: "late", id: "r-late", device: "clinic", received: Self.now, body: [1]))
    let restored = try await site.run("restore", [site.backup])
    #expect(restored.status == 0 && !restored.output.contains("from the backup"), "\(restored)")
    #expect(try SQLiteFormStore(path: site.folder.formsPath).history(of: "late").count == 1)
  }

  /// A vault that comes back beside younger studies has no identity of participants whom these erased.
  @Test func aVaultAloneComesBackWithoutErasedParticipants() async throws {
    let site = try Site()
    #expect(try await site.run("backup", ["-o", site.backup]).status == 0)
    do {
      let service = try site.folder.studies(StudySettings())
      let gone = try #require(try service.store.participant(site.participants[1]))
      try service.erase(gone, by: "participant", now: Self.now)
    }
    site.lose("vault.sqlite")
    let restored = try await site.run("restore", [site.backup])
    #expect(restored.status == 0 && restored.output.contains("from the backup: vault"), "\(restored)")
    let vault = try site.folder.studies(StudySettings()).vault
    #expect(try vault.identity(of: site.participants[0])?.email == "kept@canary.example")
    #expect(try vault.identity(of: site.participants[1]) == nil)
  }

  /// Without the key of the vault no identity could be erased with its participant.
  @Test func studiesNeedTheKeyOfTheVault() async throws {
    let site = try Site()
    #expect(try await site.run("backup", ["-o", site.backup]).status == 0)
    site.lose("forms.sqlite", "studies.sqlite", "vault.sqlite", "vault.key")
    let refused = try await site.run("restore", [site.backup])
    #expect(refused.status == 2 && refused.errors.contains("vault.key"), "\(refused)")
    let names = try FileManager.default.contentsOfDirectory(atPath: site.folder.path)
    #expect(names.contains("cordon.sqlite") && !names.contains("forms.sqlite"), "\(names)")
    #expect(!names.contains { $0.contains(".new") }, "\(names)")
  }
}
