internal import CordonCore
internal import CordonIngest
internal import CordonStudies

/// Studies with a clock: an actor over ``StudyService``.
actor StudyDesk {
  private let service: StudyService
  private let clock: @Sendable () -> Instant
  /// Counts wrong keys and invitations by address.
  private let failures = MemoryFailureStore()
  private let maximumFailures: Int64
  private var swept = Instant.epoch

  /// - Parameter failuresPerMinute: the setting; as for all names of an address together, ten times as many are answered.
  init(service: sending StudyService, failuresPerMinute: Int, clock: @escaping @Sendable () -> Instant) {
    self.service = service
    self.clock = clock
    maximumFailures = Int64(failuresPerMinute) * 10
  }

  /// Runs work of the service.
  func run<T: Sendable>(_ body: @Sendable (StudyService, Instant) throws(StudyError) -> T) throws(Problem) -> T {
    do throws(StudyError) {
      return try body(service, clock())
    } catch {
      throw Problem(error)
    }
  }

  /// Runs work that a wrong key or invitation fails. An address with too many failures in a minute is answered with 429.
  ///
  /// Failures are counted after the work, so that right keys and invitations always pass, whatever others do.
  func attempt<T: Sendable>(
    _ peer: String, _ body: @Sendable (StudyService, Instant) throws(StudyError) -> T
  ) throws(Problem) -> T {
    let now = clock()
    do throws(StudyError) {
      return try body(service, now)
    } catch {
      if [.badInvitation, .noSuchParticipant].contains(error.code), let wait = fail(peer, now: now) {
        throw Problem(429, .tooManyFailures, "too many attempts failed; come again later", retryAfter: wait)
      }
      throw Problem(error)
    }
  }

  /// Counts a failure of an address; returns the seconds to wait when there were too many in this minute.
  private func fail(_ peer: String, now: Instant) -> Int? {
    if now >= swept + .minutes(10) || now < swept {
      swept = now
      failures.expire(failuresAt: now)
    }
    let end = Instant(milliseconds: (now.milliseconds / 60_000 + 1) * 60_000)
    let maximum = maximumFailures
    return failures.update([FailureSubject(.peer, peer, key: [])]) { counts in
      // A count of another minute begins anew.
      if counts[0].ends != end { counts[0] = FailureCount() }
      counts[0].ends = end
      counts[0].failures += 1
      return counts[0].failures > maximum ? max(1, Int((end - now).seconds)) : nil
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
