import CordonCore
import CordonSQLite
import CordonTestSupport
import Foundation
import Testing

@testable import CordonStudies

@Suite("Enrolment") struct EnrolmentTests {
  @Test func pseudonymsAreRandomAndOnesOfEachStudy() throws {
    let fixture = try Fixture()
    var other = try fixture.service.study(fixture.code)
    other.code = StudyCode("other-study")!
    try fixture.service.save(other, by: "op-1", now: start)
    // The same person, without any identifier of a phone: nothing collides, nothing links.
    let identity = Identity(email: "ada@example.org")
    var seen: Set<ParticipantID> = []
    for study in [fixture.code, other.code, fixture.code] {
      let request = EnrolmentRequest(study: study, consent: 1, identity: identity)
      let enrolled = try fixture.service.enrol(request, now: start)
      #expect(seen.insert(enrolled.participant.id).inserted)
      #expect(try fixture.service.participant(key: enrolled.key) == enrolled.participant)
    }
    #expect(throws: StudyError.self) { try fixture.service.participant(key: "nothing") }
  }

  @Test func identitiesLieSealedInAFileOfTheirOwn() throws {
    let fixture = try Fixture(.files)
    let identity = Identity(
      name: "Ada Example", email: "ada@example.org", pushService: "fcm", pushToken: "push-token-123", payment: "DE-iban"
    )
    let participant = try fixture.enrol(identity: identity)
    #expect(try fixture.service.vault.identity(of: participant.id) == identity)
    let folder = try #require(fixture.folder)
    var bytes: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      bytes[name] = FileManager.default.contents(atPath: folder.path(name))
    }
    for (name, data) in bytes {
      for secret in ["Ada Example", "ada@example.org", "push-token-123", "DE-iban"] {
        #expect(data.range(of: Data(secret.utf8)) == nil, "\(secret) in \(name)")
      }
      // The vault does not name pseudonyms either.
      if name.hasPrefix("vault") { #expect(data.range(of: Data(participant.id.rawValue.utf8)) == nil) }
    }
    let other = try SQLiteIdentityVault(
      path: folder.path("vault.sqlite"), key: [UInt8](repeating: 8, count: 32))
    #expect(try other.identity(of: participant.id) == nil)
  }

  /// Strangers with wrong invitations make no work for the vault.
  @Test func wrongInvitationsDoNotReachTheVault() throws {
    let fixture = try Fixture(.files)
    let vault = try #require(fixture.service.vault as? SQLiteIdentityVault)
    vault.refusal = { _ in true }
    func code(_ invitation: String?) -> StudyError.Code? {
      let request = EnrolmentRequest(
        study: fixture.code, invitation: invitation, consent: 1, identity: Identity(name: "Ada"))
      do throws(StudyError) { _ = try fixture.service.enrol(request, now: start) } catch { return error.code }
      return nil
    }
    #expect(code("wrong") == .badInvitation)
    #expect(code(nil) == .storage)
  }

  @Test func rowsOfTheVaultCannotBeExchanged() throws {
    let fixture = try Fixture(.files)
    let ada = try fixture.enrol(identity: Identity(name: "Ada"))
    let bob = try fixture.enrol(identity: Identity(name: "Bob"))
    let path = try #require(fixture.folder).path("vault.sqlite")
    let connection = try Connection(path: path, mode: .readWrite, timeout: 1_000)
    let rows = try connection.prepareOnce("SELECT sealed FROM identity ORDER BY name")
    var sealed: [[UInt8]] = []
    while try rows.advance() { sealed.append(rows.blob(0)) }
    let update = try connection.prepareOnce("UPDATE identity SET sealed = ?1 WHERE sealed <> ?1")
    update.bind(1, sealed[0])
    try update.finish()
    let results = [ada, bob].map { participant in Result { try fixture.service.vault.identity(of: participant.id) } }
    #expect(results.count { (try? $0.get()) != nil } == 1)
  }

  @Test func anOutdatedConsentIsRefused() throws {
    let fixture = try Fixture { $0.consents.append(ConsentText(version: 2, texts: [.init("en", "New")])) }
    let error = #expect(throws: StudyError.self) {
      try fixture.service.enrol(EnrolmentRequest(study: fixture.code, consent: 1), now: start)
    }
    #expect(error?.code == .consentOutdated)
  }

  @Test(arguments: Fixture.Kind.allCases) func anInvitationAdmitsAsManyAsItSays(_ kind: Fixture.Kind) throws {
    let fixture = try Fixture(kind) { $0.opensByCode = false }
    let service = fixture.service
    let code = try service.invite(to: fixture.code, uses: 2, lasting: .days(7), by: "op-1", now: start)
    func enrol(_ code: String?, at now: Instant = start) throws {
      _ = try service.enrol(EnrolmentRequest(study: fixture.code, invitation: code, consent: 1), now: now)
    }
    #expect(throws: StudyError.self) { try enrol(nil) }
    #expect(throws: StudyError.self) { try enrol("0000") }
    try enrol(code)
    #expect(throws: StudyError.self) { try enrol(code, at: start + .days(7)) }
    try enrol(code)
    #expect(throws: StudyError.self) { try enrol(code) }
    #expect(try service.store.participants(of: fixture.code).count == 2)
  }

  @Test func aFullOrClosedStudyTakesNobody() throws {
    let fixture = try Fixture { $0.maximumParticipants = 1 }
    let first = try fixture.enrol()
    #expect(throws: StudyError.self) { try fixture.enrol() }
    try fixture.service.leave(first, now: start)
    try fixture.enrol()
    #expect(throws: StudyError.self) { try fixture.enrol(at: start + .days(60)) }
    #expect(throws: StudyError.self) { try fixture.enrol(at: start - .seconds(1)) }
  }

  @Test(arguments: Fixture.Kind.allCases) func anErasureLeavesNothingButAnAccountOfNobody(_ kind: Fixture.Kind) throws {
    let fixture = try Fixture(kind)
    let service = fixture.service
    let participant = try fixture.enrol()
    try fixture.walk(participant, from: start + .hours(8), minutes: 200)
    #expect(try service.earn(fixture.code, now: start + .days(4)) == 1)
    try service.erase(participant, by: "participant", now: start + .days(5))
    #expect(try service.store.participant(participant.id) == nil)
    #expect(try service.store.events(of: participant.id).isEmpty)
    #expect(try service.store.locations(of: participant.id, from: start, to: start + .days(60)).isEmpty)
    #expect(try service.vault.identity(of: participant.id) == nil)
    let ledger = try service.store.ledger(of: fixture.code)
    #expect(ledger.map(\.kind) == [.earned, .forfeited])
    _ = try LedgerBook(verifying: ledger)
    // Nothing is left in the bytes of any file.
    guard let folder = fixture.folder else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let data = FileManager.default.contents(atPath: folder.path(name)) ?? Data()
      #expect(data.range(of: Data(participant.id.rawValue.utf8)) == nil, "\(name)")
    }
  }

  /// Rows and entries of indexes are gone from pages that others still use.
  @Test func pagesInUseShowNoErasedParticipant() throws {
    let fixture = try Fixture(.files)
    let participants = try (0..<200).map { _ in try fixture.enrol(tracks: false) }
    // One of ten, so that the pages stay in use.
    let erased = participants.indices.filter { $0 % 10 == 0 }.map { participants[$0].id }
    let store = fixture.service.store
    try store.transaction { () throws(StudyError) in for id in erased { try store.erase(id) } }
    try store.finishErasure()
    let folder = try #require(fixture.folder)
    for name in try folder.contents {
      let data = FileManager.default.contents(atPath: folder.path(name)) ?? Data()
      let found = erased.count { data.contains(bytes: $0.rawValue.utf8) }
      #expect(found == 0, "\(name)")
    }
  }

  @Test func dataEndWithTheirRetention() throws {
    let fixture = try Fixture { $0.retention = .days(10) }
    let participant = try fixture.enrol()
    #expect(try fixture.service.expire(now: start + .days(69)).isEmpty)
    #expect(try fixture.service.expire(now: start + .days(71)) == [fixture.code])
    #expect(try fixture.service.store.participant(participant.id) == nil)
    #expect(try fixture.service.expire(now: start + .days(72)).isEmpty)
  }
}
