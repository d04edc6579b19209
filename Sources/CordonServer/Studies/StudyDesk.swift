internal import CordonCore
internal import CordonIngest
internal import CordonOperators
internal import CordonStudies

/// Studies with a clock: an actor over ``StudyService``.
actor StudyDesk {
  private let service: StudyService
  private let clock: @Sendable () -> Instant
  /// Slows attempts to guess keys and invitations, by address.
  private var limiter = AttemptLimiter()

  init(service: sending StudyService, clock: @escaping @Sendable () -> Instant) {
    self.service = service
    self.clock = clock
  }

  /// Runs work of the service.
  func run<T: Sendable>(_ body: @Sendable (StudyService, Instant) throws(StudyError) -> T) throws(Problem) -> T {
    do throws(StudyError) {
      return try body(service, clock())
    } catch {
      throw Problem(error)
    }
  }

  /// Runs work that a wrong key or invitation fails. After some failures of an address each one doubles the wait.
  func attempt<T: Sendable>(
    _ peer: String, _ body: @Sendable (StudyService, Instant) throws(StudyError) -> T
  ) throws(Problem) -> T {
    let now = clock()
    if let wait = try? limiter.wait(name: "study", address: peer, now: now) {
      throw Problem(429, .tooManyFailures, "too many failed attempts; come again later", retryAfter: wait)
    }
    do throws(StudyError) {
      return try body(service, now)
    } catch {
      if [.badInvitation, .noSuchParticipant].contains(error.code) {
        // Counts in memory do not fail.
        try? limiter.fail(name: "study", address: peer, now: now)
      }
      throw Problem(error)
    }
  }
}

extension Problem {
  /// The problem of an error of studies.
  init(_ error: StudyError) {
    let answer: (status: Int, code: Code) =
      switch error.code {
      case .badField: (400, .badField)
      case .noSuchStudy: (404, .noSuchStudy)
      case .notOpen: (403, .studyClosed)
      case .studyFull: (403, .studyFull)
      case .badInvitation: (403, .badInvitation)
      case .consentOutdated: (409, .consentOutdated)
      case .noSuchParticipant: (404, .noSuchParticipant)
      case .hasLeft: (409, .hasLeft)
      case .conflict, .limit: (409, .studyConflict)
      case .chain: (500, .ledgerBroken)
      case .storage, .vault: (503, .storeFailed)
      }
    // Reasons of files are for logs, not for clients.
    let detail =
      switch error.code {
      case .storage, .vault: "the files of studies cannot be used at the moment"
      default: error.message
      }
    self.init(
      answer.status, answer.code, detail, field: error.field, retryAfter: answer.status == 503 ? 10 : nil)
  }
}
