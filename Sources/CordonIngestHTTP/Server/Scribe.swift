internal import CordonCore
internal import CordonIngest
internal import Dispatch
internal import NIOConcurrencyHelpers

/// The one who writes: requests queue up while a transaction is on its way to the disk, and the next transaction takes all
/// that wait. So one wait for the disk serves many, and nobody waits longer than for two of them.
///
/// `@unchecked Sendable` holds because `ingest` is only touched on `queue`, what waits and the snapshot are behind locks, and
/// the rest is constant and Sendable.
final class Scribe: @unchecked Sendable {
  private let ingest: Ingest
  private var readiness: (time: Instant, isReady: Bool)?
  private let queue = DispatchQueue(label: "cordon.scribe", qos: .userInitiated)
  private let waiting = NIOLockedValueBox(Waiting())
  private let clock: @Sendable () -> Instant
  private let onEvents: @Sendable ([LiveEvent]) -> Void
  private let snapshot: NIOLockedValueBox<IngestMetrics>

  private struct Entry {
    var request: Intake.Prepared
    var continuation: CheckedContinuation<Ingest.Outcome, Never>
  }

  private struct Waiting {
    var entries: [Entry] = []
    var rows = 0
    var isAwake = false
  }

  /// The most rows that wait; more are answered with 429.
  private let maximumRows: Int
  /// The most requests that wait.
  static let maximumRequests = 20_000
  /// The most rows of one transaction.
  static let rowsPerCommit = 12_000

  init(
    ingest: Ingest, maximumRows: Int = 100_000, clock: @escaping @Sendable () -> Instant,
    onEvents: @escaping @Sendable ([LiveEvent]) -> Void
  ) {
    self.maximumRows = maximumRows
    self.ingest = ingest
    self.clock = clock
    self.onEvents = onEvents
    snapshot = NIOLockedValueBox(ingest.metrics)
  }

  /// What happened so far, as of the last transaction.
  var metrics: IngestMetrics { snapshot.withLockedValue { $0 } }

  /// How many rows wait.
  var waitingRows: Int { waiting.withLockedValue { $0.rows } }

  /// Hands a request over; `nil` when too much waits already.
  func perform(_ request: Intake.Prepared) async -> Ingest.Outcome? {
    let isFull = waiting.withLockedValue {
      $0.rows + request.rowCount > maximumRows || $0.entries.count >= Self.maximumRequests
    }
    if isFull { return nil }
    return await withCheckedContinuation { continuation in
      let mustWake = waiting.withLockedValue { waiting in
        waiting.entries.append(Entry(request: request, continuation: continuation))
        waiting.rows += request.rowCount
        defer { waiting.isAwake = true }
        return !waiting.isAwake
      }
      if mustWake { queue.async { self.drain() } }
    }
  }

  private func drain() {
    while true {
      let batch = waiting.withLockedValue { waiting -> [Entry] in
        var (count, rows) = (0, 0)
        while count < waiting.entries.count, rows < Self.rowsPerCommit {
          rows += waiting.entries[count].request.rowCount
          count += 1
        }
        let batch = Array(waiting.entries.prefix(count))
        waiting.entries.removeFirst(count)
        waiting.rows -= rows
        if batch.isEmpty { waiting.isAwake = false }
        return batch
      }
      if batch.isEmpty { return }
      let outcomes = ingest.perform(batch.map(\.request), now: clock())
      for (entry, outcome) in zip(batch, outcomes) { entry.continuation.resume(returning: outcome) }
      publish()
    }
  }

  private func publish() {
    let metrics = ingest.metrics
    snapshot.withLockedValue { $0 = metrics }
    let events = ingest.takeEvents()
    if !events.isEmpty { onEvents(events) }
  }

  private func onQueue<T: Sendable>(_ body: @escaping @Sendable (Ingest) -> T) async -> T {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body(self.ingest)) }
    }
  }

  /// Does what is due; called once a second. Answers whether there is more.
  func tick() async -> Bool {
    let clock = clock
    return await onQueue { ingest in
      let isBusy = ingest.tick(now: clock())
      self.publish()
      return isBusy
    }
  }

  /// Whether the store can be written, as of a second ago at most: anybody may ask, and each look is a write.
  func isReady() async -> Bool {
    let clock = clock
    return await onQueue { ingest in
      let now = clock()
      if let last = self.readiness, last.time <= now, now < last.time + .seconds(1) { return last.isReady }
      let isReady = ingest.isReady()
      self.readiness = (now, isReady)
      return isReady
    }
  }

  /// Takes new venues, keys or operators into use.
  func replace(_ intake: Intake) async { await onQueue { $0.replace(intake) } }
}

/// The one who only reads, beside the scribe, so that a long question delays no batch.
///
/// `@unchecked Sendable` holds because `store` is only touched on `queue`.
final class Reader: @unchecked Sendable {
  private let store: any PositionStore
  private let queue = DispatchQueue(label: "cordon.reader", qos: .utility)

  init(store: any PositionStore) { self.store = store }

  func answer(_ question: Question) async -> IngestResponse {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: question.answer(from: self.store)) }
    }
  }
}
