import CordonCore
import CordonGeometry

extension Runtime {
  /// Handles a sink's answer. An answer that is late, repeated or unknown changes nothing.
  package mutating func step(_ now: ClockReading, response: SinkResponse, into output: inout MonitorOutput) {
    // Answers to requests of a superseded runtime are ignored.
    if isSuperseded { return }
    prepare(now, into: &output)
    guard let index = calls.firstIndex(where: { $0.number == response.number }) else { return }
    let call = calls.remove(at: index)
    end(call, response, now, into: &output)
    if hasOtherVenues { sendForOtherVenues(now, into: &output) }
    considerNotices(now, into: &output)
  }

  /// Ends every request that has waited too long, as a failure of the network would.
  mutating func giveUpLateCalls(_ now: ClockReading, into output: inout MonitorOutput) {
    guard !calls.isEmpty else { return }
    while let index = calls.firstIndex(where: { $0.deadline <= now.monotonic.milliseconds }) {
      let call = calls.remove(at: index)
      end(call, SinkResponse(number: call.number, status: 0), now, into: &output)
    }
  }

  private mutating func end(_ call: Call, _ answer: SinkResponse, _ now: ClockReading, into output: inout MonitorOutput)
  {
    let response = call.believed(answer)
    let jitter = entropy.nextUnit()
    counted = monitor.state.accounting
    let event: Completion
    switch call.kind {
    case .positions(let rows):
      var response = response
      // A refusal of another venue's token does not concern the one in use.
      if call.venue != record.venue, response.status == 401 || response.status == 403 { response.status = 503 }
      settle(call.sink, rows, response, jitter, now, into: &output)
      return
    case .otherPositions(let rows):
      // The erasure of a device concerns all its venues.
      if response.status == 410 {
        settle(call.sink, rows, response, jitter, now, into: &output)
      } else {
        settleOther(call, rows, response, jitter, now, into: &output)
      }
      return
    case .notices:
      takeNotices(call, response, now, into: &output)
      return
    case .acknowledgement(let id):
      takeAcknowledgement(of: id, call, response, now, into: &output)
      return
    case .otherToken:
      if response.status != 410 {
        if let venue = call.venue { takeTokenOfOther(venue, response, jitter, now, into: &output) }
        return
      }
      event = .token(.gone, jitter: jitter)
    case .erasure:
      // Only a receipt counts: the server repeats it, and anything on the way can answer with a status.
      var isDone = response.body == .erased
      // Where rows need an activation, and there was none, there is nothing to erase and no secret to prove the
      // request.
      let erasure = monitor.state.erasures.first { $0.device == call.device && $0.sink == call.sink }
      let mayHaveRows = erasure?.mayHaveRows ?? true
      let isProved = record.erasureSecrets[call.device] != nil
      let mayBeProved = calls.contains { $0.device == call.device && $0.kind.isActivation }
      if response.status == 403, call.usesToken, !mayHaveRows, !isProved, !mayBeProved { isDone = true }
      event = .erasure(
        device: call.device, sink: call.sink, isDone: isDone, retryAfter: response.retryAfter, jitter: jitter)
    case .token:
      if (200..<300).contains(response.status), case .token(let token, let expires) = response.body {
        record.authToken = token
        record.expiresAt = expires
        event = .token(.granted(until: expires), jitter: jitter)
        isRecordUnsaved = true
      } else {
        event = .token(refusal(response), jitter: jitter)
      }
    case .consent:
      event = .consentTold(consentOutcome(response), jitter: jitter)
    case .activation where call.device != record.id:
      // A withdrawal came first. The secret still proves its erasure request.
      guard (200..<300).contains(response.status), case .activated(let secret, _) = response.body,
        monitor.state.erasures.contains(where: { $0.device == call.device })
      else { return }
      note(.erasureSecret(secret, of: call.device), now)
      record.erasureSecrets[call.device] = secret
      isRecordUnsaved = true
      perform(now, into: &output)
      return
    case .activation:
      if (200..<300).contains(response.status), case .activated(let secret, let venue) = response.body {
        let active = monitor.gate?.venue
        if let venue, let active, venue != active {
          record.keep(Activation(venue: venue, secret: secret))
          areOthersStale = true
        } else {
          record.secret = secret
          record.venue = venue ?? active
          record.isActivated = true
        }
        event = .activation(.granted(until: now.wall), jitter: jitter, venue: venue)
        isRecordUnsaved = true
      } else {
        event = .activation(refusal(response), jitter: jitter)
      }
    }
    report(event, now, into: &output.effects)
    perform(now, into: &output)
  }

  private func consentOutcome(_ response: SinkResponse) -> CredentialOutcome {
    switch response.status {
    case 200..<300: .granted(until: .epoch)
    case 404, 405, 501: .refused
    case 410: .gone
    default: .failed(retryAfter: response.retryAfter)
    }
  }

  private func refusal(_ response: SinkResponse) -> CredentialOutcome {
    if response.body == .refused { return .refused }
    return switch response.status {
    case 410: .gone
    case 408, 425, 429: .failed(retryAfter: response.retryAfter)
    case 400..<500: .refused
    default: .failed(retryAfter: response.retryAfter)
    }
  }

  private mutating func settle(
    _ sink: SinkID, _ rows: [DeliveryResult], _ response: SinkResponse, _ jitter: Double, _ now: ClockReading,
    into output: inout MonitorOutput
  ) {
    var rows = rows
    var outcome = Runtime.judge(response, &rows)
    let before = monitor
    counted = monitor.state.accounting
    do throws(StoreError) {
      try store.begin(outcome == .gone ? .full : .normal)
      let counts = try store.completeLease(record.id, sink: sink, rows: rows, required: required)
      let queue = try queue(sink, at: now)
      // A row that was extended in flight is sent again too, but needs no wait.
      let sentBack = rows.count { $0.outcome == .kept }
      if case .judged(_, _, _, let retryAfter) = outcome {
        outcome = .judged(
          acknowledged: counts.acknowledged, quarantined: counts.quarantined, kept: sentBack,
          retryAfter: retryAfter)
      }
      if case .judged = outcome, sink == noticeSink { noticeTimes.isWanted = true }
      let event = Completion.delivered(sink: sink, outcome, removed: counts.removed, queue: queue, jitter: jitter)
      report(event, now, into: &output.effects)
      if perform(now, isOpen: true, into: &output) {
        noteDeleted(counts.removed, left: queue.pending + queue.leased, now, into: &output)
        return
      }
    } catch {
      store.rollback()
      note(error, now, into: &output)
      if isSuperseded { return }
    }
    // An answer that could not be written has no effect: the lease ends by itself, and the rows are sent again.
    if outcome == .gone || outcome == .forbidden { return }
    takeBack(to: before)
    isStateUnsaved = true
    counted = monitor.state.accounting
    reportFailure(sink, now, &output.effects)
    perform(now, into: &output)
  }

  /// Applies a believed answer to the rows of its request, and returns the outcome for the channel. The final counts
  /// of the rows are known only after the store has written them.
  static func judge(_ response: SinkResponse, _ rows: inout [DeliveryResult]) -> DeliveryOutcome {
    switch response.status {
    case 200..<300:
      // A success that does not answer for the rows is not a success.
      guard case .rows(let answers) = response.body else { return .failed(retryAfter: response.retryAfter) }
      match(answers, to: &rows)
      return .judged(acknowledged: 0, quarantined: 0, kept: 0, retryAfter: response.retryAfter)
    case 400, 413, 422:
      guard rows.count == 1 else { return .unreadable(rows: rows.count) }
      guard response.isProved else { return .failed(retryAfter: response.retryAfter) }
      rows[0].outcome = .refused
      rows[0].reason = kept(response.fault ?? "status \(response.status)")
      return .judged(acknowledged: 0, quarantined: 0, kept: 0, retryAfter: nil)
    case 401: return .unauthorized
    case 403: return .forbidden
    case 410: return .gone
    default: return .failed(retryAfter: response.retryAfter)
    }
  }

  /// The part of a server's reason that is kept with a row.
  private static func kept(_ reason: String) -> String { String(reason.prefix(200)) }

  /// The text with which the most recent refused row was refused; `nil` without one. The store keeps it with the row.
  package var lastRefusal: String? {
    guard accounting.quarantined > 0 else { return nil }
    let deliveries = (try? store.deliveries(of: record.id)) ?? []
    return deliveries.last { $0.status == .quarantined && $0.reason != nil }?.reason
  }

  /// Matches answers with rows by position and identifier; a row without an answer is sent again.
  static func match(_ answers: [RowAnswer], to rows: inout [DeliveryResult]) {
    var byID: [FixID: RowStatus]?
    for index in rows.indices {
      let status: RowStatus?
      if index < answers.count, answers[index].id == rows[index].id {
        status = answers[index].status
      } else {
        let table = byID ?? Dictionary(answers.map { ($0.id, $0.status) }, uniquingKeysWith: { $1 })
        byID = table
        status = table[rows[index].id]
      }
      switch status {
      case .stored, .known: rows[index].outcome = .acknowledged
      case .refused(let reason):
        rows[index].outcome = .refused
        rows[index].reason = kept(reason)
      case .retry, nil: rows[index].outcome = .kept
      }
    }
  }
}
