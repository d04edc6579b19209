internal import CordonCollection
internal import CordonCore
internal import CordonIngest
internal import Logging
internal import ServiceLifecycle

/// Forms, with a clock and a thread: an actor over ``FormDesk``. Exchanges of records do not delay positions.
actor FormService {
  private let desk: FormDesk
  private let clock: @Sendable () -> Instant

  init(desk: sending FormDesk, clock: @escaping @Sendable () -> Instant) {
    self.desk = desk
    self.clock = clock
  }

  /// Returns the collector of a key.
  func collector(_ key: String, peer: String) throws(Problem) -> FormSender {
    try desk.collector(key, peer: peer, now: clock())
  }

  /// Returns the access that a request is, to be recorded before its answer.
  func access(of call: FormCall) throws(Problem) -> AuditEntry? { try desk.access(of: call, now: clock()) }

  /// Answers a request.
  func answer(_ call: FormCall) throws(Problem) -> IngestResponse { try desk.answer(call, now: clock()) }

  /// Erases the records of a device or of a holder that was erased while a request of theirs was answered.
  func forget(_ device: DeviceID, _ end: DeviceEnd) throws(Problem) { try desk.forget(device, end, now: clock()) }

  /// Erases what is too old; returns whether there is more to do.
  func tick() throws(StoreFault) -> Bool { try desk.tick(now: clock()) }
}

/// The retention of records, once a minute.
struct FormUpkeep: Service {
  let forms: FormService
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          while try await forms.tick() {}
        } catch {
          logger.error("forms cannot be kept up", metadata: ["error": "\(error)"])
        }
        try? await Task.sleep(for: .seconds(60))
      }
    }
  }
}

extension IngestServer {
  /// The forms of the folder; `nil` for a server without.
  func formService() throws -> FormService? {
    guard settings.servesForms else { return nil }
    let desk = try FormDesk(
      store: try SQLiteFormStore(path: folder.formsPath), settings: settings.forms, random: .secure())
    return FormService(desk: desk, clock: clock)
  }
}
