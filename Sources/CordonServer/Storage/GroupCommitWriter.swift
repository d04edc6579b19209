internal import CordonCore
internal import CordonIngest
internal import Dispatch
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Commits queued requests in groups. Requests queue up while a transaction is written to disk, and the next transaction
/// takes all of them. One disk sync thus serves many requests.
///
/// Under concurrent load, the writer delays a transaction until as many requests wait as the previous transaction had.
/// The delay ends at most ``patience`` after the first request arrived. A lone request is not delayed, unless the store is a database:
/// there ``CommitWindow`` decides.
///
/// `@unchecked Sendable` holds because only `queue` touches `ingest`, `readiness`, `lastCount` and `reportedFaults`, locks
/// protect the waiting requests and the snapshot, and everything else is constant and Sendable.
final class GroupCommitWriter: @unchecked Sendable {
  private let ingest: Ingest
  private var readiness: (time: Instant, causes: Set<Ingest.Unreadiness>)?
  private let queue = DispatchQueue(label: "cordon.writer", qos: .userInitiated)
  private let waiting = NIOLockedValueBox(Waiting())
  private let clock: @Sendable () -> Instant
  private let onEvents: @Sendable ([LiveEvent]) -> Void
  private let onFault: @Sendable (_ fault: String, _ count: Int) -> Void
  private let onUnreadiness: @Sendable (Set<Ingest.Unreadiness>) -> Void
  private let snapshot: NIOLockedValueBox<IngestMetrics>

  private enum Reply {
    case task(CheckedContinuation<Ingest.Outcome, Never>)
    case loop(any EventLoop, @Sendable (Ingest.Outcome) -> Void)
  }

  private struct Entry {
    var request: RequestPreprocessor.Prepared
    var reply: Reply
  }

  private struct Waiting {
    var entries: [Entry] = []
    var rows = 0
    /// The arrival time of the first entry.
    var since = DispatchTime.now()
    /// The number of entries that are not batches; they are not delayed.
    var others = 0
    var isAwake = false
    /// The numbers of entries and of rows that the writer waits for; `nil` while it does not wait.
    var goal: (count: Int, rows: Int)?
    /// Whether a batch that is alone waits for another one; `nil` for a store in a file.
    var window: CommitWindow?

    var isEnough: Bool {
      guard let goal else { return false }
      return entries.count >= goal.count || rows >= goal.rows || others > 0
    }

    /// Whether a batch waits for another one.
    mutating func beginsWait() -> Bool {
      guard entries.count == 1, others == 0, rows < CommitWindow.enoughRows else { return false }
      return window?.beginsWait() ?? false
    }
  }

  /// The maximum number of waiting rows; the server answers further requests with 429.
  private let maximumRows: Int
  /// The maximum number of waiting requests.
  static let maximumRequests = 20_000
  /// The number of rows at which a transaction takes no further request.
  static let rowsPerCommit = 12_000
  /// The maximum time that a batch waits to share a transaction.
  static let patience = DispatchTimeInterval.milliseconds(5)
  /// The number of rows that start a transaction without further delay.
  static let enoughRows = 256

  /// The number of requests in the last transaction.
  private var lastCount = 1
  /// The number of reported store faults, and the time of the last report.
  private var reportedFaults: (count: Int, time: Instant?) = (0, nil)
  /// The minimum time between two fault reports: a full disk fails every request.
  static let faultPause = TimeSpan.seconds(10)
  /// Signalled when the awaited number of requests waits.
  private let enough = DispatchSemaphore(value: 0)

  /// - Parameter isDatabase: whether the store is a database, whose transactions cost more than those of a file.
  init(
    ingest: Ingest, maximumRows: Int = 100_000, isDatabase: Bool = false, clock: @escaping @Sendable () -> Instant,
    onEvents: @escaping @Sendable ([LiveEvent]) -> Void,
    onFault: @escaping @Sendable (_ fault: String, _ count: Int) -> Void = { _, _ in },
    onUnreadiness: @escaping @Sendable (Set<Ingest.Unreadiness>) -> Void = { _ in }
  ) {
    self.maximumRows = maximumRows
    self.ingest = ingest
    self.clock = clock
    self.onEvents = onEvents
    self.onFault = onFault
    self.onUnreadiness = onUnreadiness
    snapshot = NIOLockedValueBox(ingest.metrics)
    if isDatabase { waiting.withLockedValue { $0.window = CommitWindow() } }
  }

  /// The metrics as of the last transaction.
  var metrics: IngestMetrics { snapshot.withLockedValue { $0 } }

  /// The number of waiting rows.
  var waitingRows: Int { waiting.withLockedValue { $0.rows } }

  /// Queues a request and returns its outcome; `nil` when the queue is full.
  func perform(_ request: RequestPreprocessor.Prepared) async -> Ingest.Outcome? {
    guard hasRoom(for: request) else { return nil }
    return await withCheckedContinuation { add(Entry(request: request, reply: .task($0))) }
  }

  /// Queues a request. The outcome is delivered on the event loop, together with all others of that loop.
  /// Returns `false`, and delivers nothing, when the queue is full.
  func perform(
    _ request: RequestPreprocessor.Prepared, on loop: any EventLoop,
    _ reply: @escaping @Sendable (Ingest.Outcome) -> Void
  ) -> Bool {
    guard hasRoom(for: request) else { return false }
    add(Entry(request: request, reply: .loop(loop, reply)))
    return true
  }

  private func hasRoom(for request: RequestPreprocessor.Prepared) -> Bool {
    waiting.withLockedValue {
      $0.rows + request.rowCount <= maximumRows && $0.entries.count < Self.maximumRequests
    }
  }

  private func add(_ entry: Entry) {
    let (mustWake, isEnough) = waiting.withLockedValue { waiting in
      if waiting.entries.isEmpty { waiting.since = .now() }
      waiting.entries.append(entry)
      waiting.rows += entry.request.rowCount
      if entry.request.isBatch {
        waiting.window?.arrived(at: .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds)))
      } else {
        waiting.others += 1
      }
      let isEnough = waiting.isEnough
      if isEnough { waiting.goal = nil }
      defer { waiting.isAwake = true }
      return (!waiting.isAwake, isEnough)
    }
    if isEnough { enough.signal() }
    if mustWake { queue.async { self.drain() } }
  }

  /// Waits until enough requests are queued for a transaction, or the first of them has waited for ``patience``.
  private func gather() {
    if waiting.withLockedValue({ $0.beginsWait() }) {
      let isReached = waits(for: 2, rows: CommitWindow.enoughRows, Self.windowPatience)
      waiting.withLockedValue { $0.window?.endWait(isInVain: !isReached) }
    }
    _ = waits(for: lastCount, rows: Self.enoughRows, Self.patience)
  }

  private static let windowPatience = DispatchTimeInterval.milliseconds(
    Int(CommitWindow.patience / .milliseconds(1)))

  /// Waits until so many requests or rows are queued, or the first request has waited for a time.
  /// - Returns: whether there are so many.
  private func waits(for count: Int, rows: Int, _ patience: DispatchTimeInterval) -> Bool {
    let deadline = waiting.withLockedValue { waiting -> DispatchTime? in
      waiting.goal = (count, rows)
      if waiting.isEnough || waiting.entries.isEmpty {
        waiting.goal = nil
        return nil
      }
      return waiting.since + patience
    }
    guard let deadline, enough.wait(timeout: deadline) == .timedOut else { return true }
    let isSignalled = waiting.withLockedValue { waiting in
      defer { waiting.goal = nil }
      return waiting.goal == nil
    }
    // The signal arrived just after the timeout.
    if isSignalled { enough.wait() }
    return isSignalled
  }

  private func drain() {
    while true {
      gather()
      let batch = waiting.withLockedValue { waiting -> [Entry] in
        var (count, rows) = (0, 0)
        while count < waiting.entries.count, rows < Self.rowsPerCommit {
          rows += waiting.entries[count].request.rowCount
          if !waiting.entries[count].request.isBatch { waiting.others -= 1 }
          count += 1
        }
        let batch = Array(waiting.entries.prefix(count))
        waiting.entries.removeFirst(count)
        waiting.rows -= rows
        if batch.isEmpty { waiting.isAwake = false }
        return batch
      }
      if batch.isEmpty { return }
      lastCount = batch.count
      let outcomes = ingest.perform(batch.map(\.request), now: clock())
      report(batch, outcomes)
      publish()
    }
  }

  private func report(_ batch: [Entry], _ outcomes: [Ingest.Outcome]) {
    typealias Answer = (reply: @Sendable (Ingest.Outcome) -> Void, outcome: Ingest.Outcome)
    var loops: [(loop: any EventLoop, answers: [Answer])] = []
    for (entry, outcome) in zip(batch, outcomes) {
      switch entry.reply {
      case .task(let continuation): continuation.resume(returning: outcome)
      case .loop(let loop, let reply):
        if let k = loops.firstIndex(where: { $0.loop === loop }) {
          loops[k].answers.append((reply, outcome))
        } else {
          loops.append((loop, [(reply, outcome)]))
        }
      }
    }
    for (loop, answers) in loops {
      loop.execute { for answer in answers { answer.reply(answer.outcome) } }
    }
  }

  private func publish() {
    let metrics = ingest.metrics
    snapshot.withLockedValue { $0 = metrics }
    if metrics.storeFaults > reportedFaults.count { reportFault(metrics) }
    let events = ingest.takeEvents()
    if !events.isEmpty { onEvents(events) }
  }

  private func reportFault(_ metrics: IngestMetrics) {
    let now = clock()
    // A clock that is set back must not suppress reports for long.
    if let last = reportedFaults.time, last <= now, now < last + Self.faultPause { return }
    onFault(metrics.lastFault ?? "", metrics.storeFaults - reportedFaults.count)
    reportedFaults = (metrics.storeFaults, now)
  }

  private func onQueue<T: Sendable>(_ body: @escaping @Sendable (Ingest) -> T) async -> T {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body(self.ingest)) }
    }
  }

  /// Performs due maintenance, once a second; returns whether more is due.
  func tick() async -> Bool {
    let clock = clock
    return await onQueue { ingest in
      let isBusy = ingest.tick(now: clock())
      self.publish()
      return isBusy
    }
  }

  /// Finds the contacts of rows that another server has stored; returns whether there is more to do.
  func settleHinted() async -> Bool {
    let clock = clock
    return await onQueue { ingest in
      let isBusy = ingest.settleHinted(now: clock())
      self.publish()
      return isBusy
    }
  }

  /// Ends the use of the store, when the server stops: empties the write-ahead logs into their files (a connection that is still open
  /// then would keep SQLite from doing so), and lets other servers go on with the venues of this one.
  func end() async { await onQueue { $0.end() } }

  /// Records that a reader found damage.
  func noteDamage() async { await onQueue { $0.isDamaged = true } }

  /// Returns the reasons why the server is not ready, at most a second old: any client may ask, and each check is a write.
  func unreadiness() async -> Set<Ingest.Unreadiness> {
    let clock = clock
    return await onQueue { ingest in
      let now = clock()
      if let last = self.readiness, last.time <= now, now < last.time + .seconds(1) { return last.causes }
      let causes = ingest.unreadiness(now: now)
      self.publish()
      if causes != self.readiness?.causes ?? [] { self.onUnreadiness(causes) }
      self.readiness = (now, causes)
      return causes
    }
  }

  /// Returns the device whose token a request carries, or the refusal.
  func holder(of request: IngestRequest) async -> Result<StoredDevice, Problem> {
    let now = clock()
    return await onQueue { ingest in
      Result { () throws(Problem) in try ingest.holder(of: request, now: now) }
    }
  }

  /// Returns what of a device was erased.
  func ends(of device: DeviceID) async throws(Problem) -> [DeviceEnd] {
    let result = await onQueue { ingest in
      Result { () throws(Problem) in
        try ingest.stored { () throws(StoreFault) in try ingest.ends(of: device) }
      }
    }
    return try result.get()
  }

  /// Returns whether another server still has to erase records of a device.
  func isErasureOpen(of device: DeviceID) async throws(Problem) -> Bool {
    let result = await onQueue { ingest in
      Result { () throws(Problem) in try ingest.isErasureOpen(of: device) }
    }
    return try result.get()
  }

  /// Records an access of an operator; returns the refusal when that is not possible.
  func note(_ entry: AuditEntry) async -> Problem? {
    let now = clock()
    return await onQueue { ingest in
      do throws(Problem) {
        try ingest.note(entry, now: now)
        return nil
      } catch {
        return error
      }
    }
  }

  /// Notes that something outside of the store ends, see `KnownEndings`.
  func noteEnd(of name: String) async throws(Problem) {
    let now = clock()
    let result = await onQueue { ingest in
      Result { () throws(Problem) in try ingest.note(endOf: name, now: now) }
    }
    try result.get()
  }

  /// Returns the messages about alerts that are due; none when the store cannot be read.
  func alertMessages(quiet: TimeSpan) async -> [AlertMessage] {
    let clock = clock
    return await onQueue { ingest in
      do throws(StoreFault) { return try ingest.alertMessages(quiet: quiet, now: clock()) } catch { return [] }
    }
  }

  /// Notes that messages about alerts were sent. If that fails they are sent again.
  func note(sent messages: [AlertMessage]) async {
    let clock = clock
    await onQueue { ingest in
      do throws(StoreFault) { try ingest.note(sent: messages, now: clock()) } catch {}
    }
  }

  /// Applies new venues, keys or operators.
  func replace(_ preprocessor: RequestPreprocessor) async { await onQueue { $0.replace(preprocessor) } }
}
