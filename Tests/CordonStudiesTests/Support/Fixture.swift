import CordonCore
import CordonTestSupport
import Foundation

@testable import CordonStudies

/// The first day of the tests: Thursday 2026-01-01, 00:00 UTC.
let start = Instant(milliseconds: 1_767_225_600_000)

/// A service with an open study, in memory or in files.
struct Fixture {
  let service: StudyService
  let code: StudyCode
  /// The folder of the files; `nil` in memory.
  let folder: TemporaryFolder?

  enum Kind: CaseIterable {
    case memory, files
  }

  static let key = [UInt8](repeating: 7, count: 32)

  init(_ kind: Kind = .memory, rewards: RewardRules? = RewardRules(), change: (inout Study) -> Void = { _ in }) throws {
    code = StudyCode("air-quality")!
    switch kind {
    case .memory:
      folder = nil
      service = StudyService(store: MemoryStudyStore(), vault: MemoryIdentityVault())
    case .files:
      let folder = try TemporaryFolder()
      self.folder = folder
      service = try Self.open(folder)
    }
    var study = Study(
      code: code, title: "Air and activity", summary: "How people move", state: .open, begins: start,
      ends: start + .days(60),
      consents: [ConsentText(version: 1, texts: [.init("en", "I agree"), .init("de", "Ich stimme zu")])])
    study.rewards = rewards
    study.purposes = ["research"]
    study.requirements = ["18 years or older"]
    change(&study)
    try service.save(study, by: "op-1", now: start)
  }

  static func open(_ folder: TemporaryFolder) throws -> StudyService {
    StudyService(
      store: try SQLiteStudyStore(path: folder.path("studies.sqlite")),
      vault: try SQLiteIdentityVault(path: folder.path("vault.sqlite"), key: key))
  }

  /// Enrols a person and starts recording.
  @discardableResult
  func enrol(
    at now: Instant = start, identity: Identity = Identity(pushService: "file", pushToken: "t", payment: "acct-1"),
    tracks: Bool = true
  ) throws -> Participant {
    let enrolled = try service.enrol(EnrolmentRequest(study: code, consent: 1, identity: identity), now: now)
    if tracks { try event(.trackingStarted, enrolled.participant, at: now) }
    return enrolled.participant
  }

  func event(
    _ kind: StudyEvent.Kind, _ participant: Participant, at time: Instant,
    permission: StudyEvent.Permission? = nil, value: Int64? = nil
  ) throws {
    _ = try service.store.add([
      StudyEvent(
        id: Self.id(), participant: participant.id, time: time, received: time, kind: kind, permission: permission,
        value: value)
    ])
  }

  /// A position a minute.
  func walk(_ participant: Participant, from: Instant, minutes: Int, accuracy: Double? = 8) throws {
    _ = try service.store.add(
      (0..<minutes).map { minute in
        StudyLocation(
          id: Self.id(), participant: participant.id, time: from + .minutes(Int64(minute)),
          coordinate: Coordinate(longitude: 13 + Double(minute) * 1e-4, latitude: 52), accuracy: accuracy,
          activity: .walking)
      })
  }

  static func id() -> FixID { FixID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)) }
}

/// Reads JSON as the body of a request.
func fields(_ text: String) throws -> StudyFields { try StudyFields(JSONText.value(text)) }
