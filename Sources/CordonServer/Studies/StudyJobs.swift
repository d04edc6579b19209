package import CordonCore
internal import CordonIngest
package import CordonStudies
internal import Logging
internal import ServiceLifecycle

/// The work of studies that no request asks for: reminders, rewards, retention.
struct StudyJobs: Service {
  let desk: StudyDesk
  let push: any PushPort
  let payments: (any PaymentPort)?
  let logger: Logger
  let clock: @Sendable () -> Instant

  /// The time between two looks for reminders.
  static let pause = Duration.seconds(60)
  /// The time between two looks at rewards and retention.
  static let rewardPause = TimeSpan.hours(1)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var next = clock()
      while !Task.isCancelled {
        await report("reminders") { () async throws(Problem) in try await remind() }
        if clock() >= next || next - clock() > Self.rewardPause {
          next = clock() + Self.rewardPause
          await report("rewards") { () async throws(Problem) in try await reward() }
        }
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  private func report(_ work: String, _ body: () async throws(Problem) -> Void) async {
    do throws(Problem) {
      try await body()
    } catch {
      logger.error("work of studies failed", metadata: ["work": "\(work)", "code": "\(error.code.rawValue)"])
    }
  }

  private func remind() async throws(Problem) {
    let due = try await desk.run { service, now throws(StudyError) in try service.claimReminders(now: now) }
    for reminder in due {
      let result = await push.send(reminder.message)
      try await desk.run { service, _ throws(StudyError) in try service.record(result, of: reminder) }
    }
  }

  private func reward() async throws(Problem) {
    let codes = try await desk.run { service, now throws(StudyError) in
      _ = try service.expire(now: now)
      return try service.store.studies().filter { $0.rewards != nil }.map(\.code)
    }
    for code in codes {
      let orders = try await desk.run { service, now throws(StudyError) in
        _ = try service.earn(code, now: now)
        _ = try service.reserve(code, now: now)
        return try service.orders(code)
      }
      guard let payments else { continue }
      for order in orders { _ = try await payments.settle(order, in: DeskLedger(desk: desk)) }
    }
  }
}

/// The ledgers of a running server.
private struct DeskLedger: PaymentLedger {
  typealias Failure = Problem

  let desk: StudyDesk

  func highestNonce(of account: ChainAccount) async throws(Problem) -> UInt64? {
    try await desk.run { service, _ throws(StudyError) in try service.highestNonce(of: account) }
  }

  func begin(_ order: PaymentOrder, with provider: String) async throws(Problem) -> Bool {
    try await desk.run { service, now throws(StudyError) in try service.begin(order, with: provider, now: now) }
  }

  func claim(_ transfer: SignedTransfer, of order: PaymentOrder) async throws(Problem) -> Bool {
    try await desk.run { service, now throws(StudyError) in try service.claim(transfer, of: order, now: now) }
  }

  func record(_ result: PaymentResult, of order: PaymentOrder) async throws(Problem) {
    try await desk.run { service, now throws(StudyError) in try service.record(result, of: order, now: now) }
  }
}

/// The ledgers of a command.
private struct ServiceLedger: PaymentLedger {
  typealias Failure = StudyError

  let service: StudyService
  let now: Instant

  func highestNonce(of account: ChainAccount) async throws(StudyError) -> UInt64? {
    try service.highestNonce(of: account)
  }

  func begin(_ order: PaymentOrder, with provider: String) async throws(StudyError) -> Bool {
    try service.begin(order, with: provider, now: now)
  }

  func claim(_ transfer: SignedTransfer, of order: PaymentOrder) async throws(StudyError) -> Bool {
    try service.claim(transfer, of: order, now: now)
  }

  func record(_ result: PaymentResult, of order: PaymentOrder) async throws(StudyError) {
    try service.record(result, of: order, now: now)
  }
}

/// The result of one run of a job, for commands.
package struct StudyJobReport: Hashable, Sendable {
  /// Reminders by what became of them.
  package var reminders: [PushResult: Int] = [:]
  /// The entries of credits.
  package var earned = 0
  /// The payouts that were reserved.
  package var reserved = 0
  /// The payouts that were paid.
  package var paid = 0
  /// The payouts that the provider refused.
  package var refused = 0
  /// The payouts whose result is not known yet.
  package var unknown = 0
}

extension StudyService {
  /// Sends the reminders that are due, once.
  package func remind(_ push: any PushPort, now: Instant) async throws -> StudyJobReport {
    var report = StudyJobReport()
    for due in try claimReminders(now: now) {
      let result = await push.send(due.message)
      try record(result, of: due)
      report.reminders[result, default: 0] += 1
    }
    return report
  }

  /// Earns, reserves and pays, once.
  /// - Parameter payments: the provider; `nil` to pay nothing.
  package func reward(
    _ code: StudyCode, _ payments: (any PaymentPort)?, now: Instant
  ) async throws -> StudyJobReport {
    var report = StudyJobReport()
    report.earned = try earn(code, now: now)
    report.reserved = try reserve(code, now: now)
    guard let payments else { return report }
    for order in try orders(code) {
      switch try await payments.settle(order, in: ServiceLedger(service: self, now: now)) {
      case .paid: report.paid += 1
      case .refused: report.refused += 1
      case .unknown, .pending: report.unknown += 1
      }
    }
    return report
  }
}
