internal import CordonCore
internal import CordonIngest
internal import CordonSupport

/// Queues events and sends them to their receivers.
///
/// A receiver gets one message at a time, from one server. A message is repeated until its receiver answers with 2xx; after
/// ``WebhookSettings/lifetime``, or the answer 410, it is a dead letter. After a failure the other messages of the receiver wait
/// as well, so that a receiver that is down is not called for each of them.
actor WebhookOutbox {
  private let queue: any WebhookQueue
  private let settings: WebhookSettings
  private let client: any OutboundClient
  private let clock: @Sendable () -> Instant
  /// A random number from 0 up to 1.
  private let jitter: @Sendable () -> Double
  private let identifier: @Sendable () -> String
  private var schedule = RetrySchedule()

  /// The maximum number of messages of one round.
  static let roundSize = 50

  init(
    queue: sending any WebhookQueue, settings: WebhookSettings, client: any OutboundClient,
    clock: @escaping @Sendable () -> Instant,
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    identifier: @escaping @Sendable () -> String = { QueuedEvent.randomIdentifier() }
  ) {
    self.queue = queue
    self.settings = settings
    self.client = client
    self.clock = clock
    self.jitter = jitter
    self.identifier = identifier
  }

  /// Queues events of the configured kinds, and sets marks with them, on the disk when it returns.
  func publish(_ events: [WebhookEvent], marks: [WebhookMark] = []) throws(WebhookQueueFault) {
    let wanted = events.filter { settings.kinds.contains($0.kind) || $0.kind == .test }
    guard !wanted.isEmpty || !marks.isEmpty else { return }
    let queued = wanted.map { event in
      let id = identifier()
      return QueuedEvent(
        id: id, kind: event.kind.rawValue, body: event.body(id: id, source: settings.source), device: event.device,
        mark: event.mark)
    }
    try queue.add(queued, to: settings.receivers.map(\.description), marks: marks, now: clock())
  }

  /// Claims a task among the servers that share the queue, see ``WebhookQueue/claim(_:)``.
  func claim(_ task: String) throws(WebhookQueueFault) -> Bool { try queue.claim(task) }

  /// Leaves the tasks of this server to others.
  func leave() { queue.leave() }

  /// The task of making events of venues.
  static let venueTask = "events of venues"
  /// The task of sending messages about alerts.
  static let alertTask = "messages about alerts"

  /// The value of a mark.
  func mark(_ name: String) throws(WebhookQueueFault) -> Int64? { try queue.mark(name) }

  /// Makes messages for former receivers dead letters, and deletes old dead letters.
  func clean() throws(WebhookQueueFault) {
    let now = clock()
    try queue.buryOthers(than: settings.receivers.map(\.description), now: now)
    try queue.expire(before: now - WebhookLimits.deadRetention)
  }

  /// The numbers of waiting messages and of dead letters.
  func counts() throws(WebhookQueueFault) -> (waiting: Int, dead: Int) { try queue.counts() }

  /// Sends the due messages of a receiver.
  /// - Returns: whether there may be more to do at once.
  func deliver(to receiver: OutboundAddress) async throws(WebhookQueueFault) -> Bool {
    let name = receiver.description
    let task = "send to \(name)"
    let begin = clock()
    guard try queue.claim(task) else { return false }
    let due = try queue.due(for: name, now: begin, limit: Self.roundSize)
    guard !due.isEmpty else { return false }
    let pause = try queue.pause(of: name)
    if let pause, begin < pause.until { return false }
    var failures = pause?.failures ?? 0
    for (index, delivery) in due.enumerated() {
      // A round may last longer than a claim.
      guard try queue.claim(task) else { return false }
      let problem = await attempt(delivery, receiver)
      let now = clock()
      guard let problem else {
        if failures > 0 { try queue.set(nil, of: name) }
        failures = 0
        try queue.complete(delivery.number)
        continue
      }
      try fail(delivery, problem, now: now)
      guard problem.isOfReceiver else { continue }
      failures += 1
      let end = now + schedule.wait(after: failures, jitter: jitter())
      try queue.set(WebhookPause(failures: failures, until: end), of: name)
      // The others do not wait for ever either.
      for other in due[(index + 1)...] where now - other.created >= settings.lifetime {
        try queue.bury(other.number, reason: problem.reason, now: now)
      }
      return false
    }
    return due.count == Self.roundSize
  }

  /// The reason of a failed attempt.
  private struct Problem {
    var reason: String
    /// Whether other messages to the receiver would fail too.
    var isOfReceiver = true
    /// Whether a repetition is of no use.
    var isFinal = false
    /// The wait that the receiver asks for, in seconds.
    var wait: Int?
  }

  private func attempt(_ delivery: WebhookDelivery, _ receiver: OutboundAddress) async -> Problem? {
    let seconds = clock().milliseconds / 1_000
    let signature = WebhookSignature.value(
      id: delivery.id, seconds: seconds, body: delivery.body, secrets: settings.secrets)
    let request = OutboundRequest(
      address: receiver,
      fields: [
        .init(name: "content-type", value: WebhookEvent.mediaType), .init(name: "webhook-id", value: delivery.id),
        .init(name: "webhook-timestamp", value: String(seconds)), .init(name: "webhook-signature", value: signature),
      ], body: delivery.body)
    do throws(OutboundFault) {
      let answer = try await client.send(request)
      if answer.isSuccess { return nil }
      var problem = Problem(reason: "status \(answer.status)")
      problem.isOfReceiver = answer.status == 429 || answer.status >= 500
      problem.isFinal = answer.status == 410
      problem.wait = answer.retryAfter
      return problem
    } catch {
      return Problem(reason: error.description)
    }
  }

  private func fail(_ delivery: WebhookDelivery, _ problem: Problem, now: Instant) throws(WebhookQueueFault) {
    if problem.isFinal || now - delivery.created >= settings.lifetime {
      return try queue.bury(delivery.number, reason: problem.reason, now: now)
    }
    let wait = max(
      schedule.wait(after: delivery.attempts + 1, jitter: jitter()), .seconds(Int64(problem.wait ?? 0)))
    try queue.delay(delivery.number, until: now + wait, reason: problem.reason)
  }
}
