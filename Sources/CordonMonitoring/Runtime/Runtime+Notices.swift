package import CordonCore

/// When a runtime asks its server for exposure notices, and when the next one expires.
struct NoticeTimes: Sendable {
  /// Whether to ask as soon as that is allowed.
  var isWanted = true
  /// The monotonic time before which the runtime does not ask.
  var notBefore = Int64.min
  /// The monotonic time before which it sends no acknowledgement.
  var acknowledgeNotBefore = Int64.min
  /// The notice of the last acknowledgement that was sent.
  var lastAcknowledged = Int64.min
  /// The monotonic time at which the runtime needs a step.
  var due = Int64.max
}

/// Exposure notices: asked for after a delivery, after a start and when the app comes to the foreground; kept in the store.
extension Runtime {
  /// The minimum time between two requests for notices.
  package static let noticeInterval = TimeSpan.minutes(15)
  /// The maximum number of notices on a device; further ones are left at the server.
  package static let maximumNotices = 100

  /// The notices that have not expired, oldest first.
  package func exposureNotices(at time: Instant) -> [ExposureNotice] {
    record.notices.filter { $0.expires > time }
  }

  /// The sink that holds exposure notices, and the token that it issued; `nil` without a valid one.
  package func credentials(at time: Instant) -> (sink: SinkID, token: String)? {
    guard let noticeSink, let token = record.authToken, let end = record.expiresAt, end > time else { return nil }
    return (noticeSink, token)
  }

  /// Takes note of an event that concerns notices.
  mutating func note(_ event: MonitorEvent, _ now: ClockReading, into output: inout MonitorOutput) {
    switch event {
    case .acknowledge(let id): acknowledge(id, now, into: &output)
    case .woken, .flush: noticeTimes.isWanted = true
    default: break
    }
  }

  /// Deletes expired notices, and starts the requests that are due.
  mutating func considerNotices(_ now: ClockReading, into output: inout MonitorOutput) {
    guard noticeSink != nil || !record.notices.isEmpty, !isSuperseded else { return }
    noticeTimes.due = .max
    // A write that failed is repeated first.
    if hasUnfinishedWrites { return }
    expireNotices(now, into: &output)
    if hasUnfinishedWrites { return }
    noticeTimes.due = record.notices.map { (now.monotonic + ($0.expires - now.wall)).milliseconds }.min() ?? .max
    guard let sink = noticeSink, monitor.maySend else { return }
    let time = now.monotonic.milliseconds
    // The server may have deleted a notice with its case: its refusal must not hold up the others.
    let unsent =
      record.notices.first { $0.isAcknowledgementDue && $0.id > noticeTimes.lastAcknowledged }
      ?? record.notices.first(where: \.isAcknowledgementDue)
    let mayAcknowledge = unsent != nil && !calls.contains(where: \.kind.isAcknowledgement)
    let mayAsk = noticeTimes.isWanted && !calls.contains(where: \.kind.isOfNotices)
    let acknowledges = mayAcknowledge && noticeTimes.acknowledgeNotBefore <= time
    let asks = mayAsk && noticeTimes.notBefore <= time
    guard hasTokenForNotices(now, isNeeded: acknowledges || asks, into: &output) else { return }
    if acknowledges, let unsent {
      noticeTimes.acknowledgeNotBefore = time + Runtime.noticeInterval.milliseconds
      noticeTimes.lastAcknowledged = unsent.id
      request(
        sink, .acknowledge(notice: unsent.id, token: noticeToken), .acknowledgement(unsent.id), now, into: &output)
    } else if mayAcknowledge {
      noticeTimes.due = min(noticeTimes.due, noticeTimes.acknowledgeNotBefore)
    }
    if asks {
      noticeTimes.isWanted = false
      noticeTimes.notBefore = time + Runtime.noticeInterval.milliseconds
      request(sink, .notices(token: noticeToken), .notices, now, into: &output)
    } else if mayAsk {
      noticeTimes.due = min(noticeTimes.due, noticeTimes.notBefore)
    }
  }

  private var noticeToken: String? { monitor.needsActivation ? record.authToken : nil }

  /// Returns whether there is a valid token, and asks for one if it is needed.
  private mutating func hasTokenForNotices(
    _ now: ClockReading, isNeeded: Bool, into output: inout MonitorOutput
  ) -> Bool {
    guard monitor.needsActivation else { return true }
    guard isNeeded else { return (monitor.credential.until ?? .epoch) > now.wall + .seconds(30) }
    let hasToken = hasToken(now, into: &output.effects)
    if !output.effects.isEmpty { perform(now, into: &output) }
    return hasToken && record.authToken != nil
  }

  private mutating func request(
    _ sink: SinkID, _ body: SinkRequest.Body, _ kind: Call.Kind, _ now: ClockReading, into output: inout MonitorOutput
  ) {
    let (request, call) = makeCall(sink, record.id, record.venue, body, secret: record.secret, kind, now)
    output.requests.append(request)
    calls.append(call)
  }

  /// Adds the notices of an answer that are new. Each is reported once, in the step that writes it: if the store is full, it
  /// arrives with a later answer.
  mutating func takeNotices(
    _ call: Call, _ response: SinkResponse, _ now: ClockReading, into output: inout MonitorOutput
  ) {
    // A failure is repeated after the next delivery.
    guard (200..<300).contains(response.status), case .notices(let list) = response.body, call.device == record.id
    else { return }
    var notices = record.notices
    var new: [ExposureNotice] = []
    for var notice in list where notice.expires > now.wall {
      if let index = notices.firstIndex(where: { $0.id == notice.id }) {
        // The person acknowledged it elsewhere.
        if notices[index].acknowledged == nil, notice.acknowledged != nil {
          notices[index].acknowledged = notice.acknowledged
          notices[index].isAcknowledgementSent = true
        }
        continue
      }
      guard notices.count < Runtime.maximumNotices else { break }
      notice.received = now.wall
      notice.isAcknowledgementSent = notice.acknowledged != nil
      notices.append(notice)
      new.append(notice)
    }
    guard write(notices, now, into: &output) else {
      noticeTimes.isWanted = true
      return
    }
    output.notices.append(contentsOf: new.map { .exposure($0) })
  }

  /// Notes that the person acknowledged a notice.
  private mutating func acknowledge(_ id: ExposureNotice.ID, _ now: ClockReading, into output: inout MonitorOutput) {
    guard let index = record.notices.firstIndex(where: { $0.id == id }), record.notices[index].acknowledged == nil
    else { return }
    var notices = record.notices
    notices[index].acknowledged = now.wall
    noticeTimes.acknowledgeNotBefore = .min
    write(notices, now, into: &output)
  }

  /// Handles the answer to an acknowledgement.
  mutating func takeAcknowledgement(
    of id: ExposureNotice.ID, _ call: Call, _ response: SinkResponse, _ now: ClockReading,
    into output: inout MonitorOutput
  ) {
    guard (200..<300).contains(response.status), call.device == record.id,
      let index = record.notices.firstIndex(where: { $0.id == id })
    else { return }
    var notices = record.notices
    notices[index].isAcknowledgementSent = true
    noticeTimes.acknowledgeNotBefore = .min
    write(notices, now, into: &output)
  }

  private mutating func expireNotices(_ now: ClockReading, into output: inout MonitorOutput) {
    guard record.notices.contains(where: { $0.expires <= now.wall }) else { return }
    if write(record.notices.filter({ $0.expires > now.wall }), now, into: &output) { scrub(now, into: &output) }
  }

  /// Writes the notices; after a failure the former ones stay.
  @discardableResult
  private mutating func write(
    _ notices: [ExposureNotice], _ now: ClockReading, into output: inout MonitorOutput
  ) -> Bool {
    guard notices != record.notices else { return true }
    let before = record.notices
    record.notices = notices
    isRecordUnsaved = true
    counted = monitor.state.accounting
    output.effects.append(.persist(.full))
    if perform(now, into: &output) { return true }
    record.notices = before
    return false
  }
}

extension Runtime.Call.Kind {
  var isOfNotices: Bool { if case .notices = self { true } else { false } }
  var isAcknowledgement: Bool { if case .acknowledgement = self { true } else { false } }
}

extension ExposureNotice {
  /// Whether the person acknowledged it, and the server does not know that yet.
  fileprivate var isAcknowledgementDue: Bool { acknowledged != nil && !isAcknowledgementSent }
}
