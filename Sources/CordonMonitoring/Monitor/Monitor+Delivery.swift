import CordonCore

extension Monitor {
  /// Starts the requests that are due.
  mutating func considerUploads(_ now: ClockReading, into effects: inout EffectBuffer) {
    guard network != .none else { return }
    considerErasures(now, into: &effects)
    considerActivation(now, into: &effects)
    considerConsent(now, into: &effects)
    guard maySend else { return }
    let time = now.monotonic.milliseconds
    for index in channels.indices {
      if channels[index].refreshAt <= time, !channels[index].isInFlight {
        channels[index].refreshAt = .max
        channels[index].pending = max(1, channels[index].pending)
        channels[index].isDraining = true
      }
      let channel = channels[index]
      guard channel.pending > 0, !channel.isInFlight, !channel.isDiscarded, channel.notBefore <= time,
        channel.isDraining || channel.flushAt <= time || channel.pending >= configuration.flushRows
      else { continue }
      if channel.sink.needsActivation, !hasToken(now, into: &effects) { continue }
      // A due request also sends the rows that are not due yet: one request costs as much as two.
      channels[index].isDraining = true
      channels[index].isInFlight = true
      effects.append(.upload(channel.sink.id, limit: channel.batchLimit))
    }
  }

  /// Whether rows may be sent: the person agreed, and the network may be used for it.
  var maySend: Bool {
    guard let consent = state.consent, consent.purposes.contains(.share) else { return false }
    return network == .unmetered || network == .metered && configuration.sendsOnMetered
  }

  /// Returns whether there is a token, and requests one if there is none.
  mutating func hasToken(_ now: ClockReading, into effects: inout EffectBuffer) -> Bool {
    if let until = credential.until, until > now.wall + .seconds(30) { return true }
    guard state.isActivated else { return false }
    if !credential.isInFlight, credential.notBefore <= now.monotonic.milliseconds {
      credential.isInFlight = true
      effects.append(.requestToken)
    }
    return false
  }

  /// Returns the monotonic time of the next request.
  func requestsDue(_ now: ClockReading) -> Int64 {
    guard network != .none else { return .max }
    var due = Int64.max
    for erasure in state.erasures where !erasure.isInFlight { due = min(due, erasure.notBefore) }
    if credential.code != nil, state.consent != nil, !credential.isActivationInFlight {
      due = min(due, credential.notBefore)
    }
    if let consent = state.consent, mustReport(consent), !credential.isConsentInFlight {
      let hasToken = !needsActivation || (credential.until ?? now.wall) > now.wall + .seconds(30)
      if hasToken || !credential.isInFlight {
        due = min(due, max(credential.consentNotBefore, hasToken ? .min : credential.notBefore))
      }
    }
    guard maySend else { return due }
    for channel in channels {
      var wanted = channel.dueAt
      if channel.sink.needsActivation, (credential.until ?? now.wall) <= now.wall + .seconds(30) {
        guard state.isActivated, !credential.isInFlight else { continue }
        wanted = max(wanted, credential.notBefore)
      }
      due = min(due, wanted)
    }
    return due
  }

  private mutating func considerActivation(_ now: ClockReading, into effects: inout EffectBuffer) {
    guard let code = credential.code, state.consent != nil, !credential.isActivationInFlight,
      credential.notBefore <= now.monotonic.milliseconds
    else { return }
    credential.isActivationInFlight = true
    effects.append(.requestActivation(code: code))
  }

  private mutating func considerErasures(_ now: ClockReading, into effects: inout EffectBuffer) {
    for index in state.erasures.indices {
      let erasure = state.erasures[index]
      guard !erasure.isInFlight, erasure.notBefore <= now.monotonic.milliseconds else { continue }
      state.erasures[index].isInFlight = true
      effects.append(.requestErasure(erasure.device, erasure.sink))
    }
  }

  /// Handles the runtime's report of an effect's result.
  mutating func take(_ completion: Completion, at now: ClockReading, into effects: inout EffectBuffer) {
    switch completion {
    case .known(let id, let purpose):
      clearAnchor(of: id)
      clearOutside(of: id)
      state.accounting.stored.decrease()
      state.accounting[.duplicate].increase()
      for index in channels.indices where channels[index].sink.purposes.contains(purpose) {
        channels[index].pending = max(0, channels[index].pending - 1)
      }
      persist()
    case .reopened: reopen(stillness.place?.location.time ?? now.wall, of: .record, now)
    case .reopenedVisit(let time): reopen(time, of: .everywhere, now)
    case .lengthened(let queues):
      for queue in queues {
        // The answer to a request brings the present queue.
        update(queue.sink, now) { channel, configuration in
          if !channel.isInFlight { channel.update(queue, at: now, configuration) }
        }
      }
      isQueueTouched = true
    case .purged(let waiting, let quarantined, let queues):
      state.accounting.quarantined.decrease(by: quarantined)
      state.accounting.erased.increase(by: waiting)
      state.accounting.erased.increase(by: quarantined)
      for queue in queues {
        update(queue.sink, now) { channel, configuration in
          channel.isInFlight = false
          channel.update(queue, at: now, configuration)
        }
      }
      persist()
    case .expired(let rule, let rows, let queues):
      // A row that is gone cannot be extended: it would come back as one that was acknowledged.
      if let end = rows.end {
        clearAnchor(before: end)
        clearOutside(before: end)
      }
      state.accounting.quarantined.decrease(by: rows.quarantined)
      expire(rule, rows, queues, now, into: &effects)
    case .wiped(let waiting, let quarantined):
      state.accounting.quarantined.decrease(by: quarantined)
      state.accounting.erased.increase(by: waiting)
      state.accounting.erased.increase(by: quarantined)
    case .leased(let sink, let rows, let queue):
      update(sink, now) { channel, configuration in
        if rows == 0 { channel.isInFlight = false }
        channel.update(queue, own: rows, at: now, configuration)
      }
    case .delivered(let sink, let outcome, let removed, let queue, let jitter):
      state.accounting.acknowledged.increase(by: removed)
      settle(sink, outcome, queue, jitter, now, into: &effects)
    case .discarded(let sink, let removed, let queue):
      state.accounting.erased.increase(by: removed)
      update(sink, now) { channel, configuration in
        channel.isInFlight = false
        channel.update(queue, at: now, configuration)
      }
      persist()
    case .token(let outcome, let jitter): takeToken(outcome, jitter, now, into: &effects)
    case .activation(let outcome, let jitter, let venue):
      takeActivation(outcome, for: venue, jitter, now, into: &effects)
    case .venueTaken(let venue, let isActivated, let tokenEnd, let queues):
      takeVenue(venue, isActivated, tokenEnd, queues, now, into: &effects)
    case .consentTold(let outcome, let jitter): takeConsentTold(outcome, jitter, now, into: &effects)
    case .erasure(let device, let sink, let isDone, let retryAfter, let jitter):
      takeErasure(device, sink, isDone, retryAfter, jitter, now, into: &effects)
    }
  }

  /// Counts a location that was acknowledged and is written again because its stay became longer.
  private mutating func reopen(_ time: Instant, of purpose: Consent.Purposes, _ now: ClockReading) {
    state.accounting.acknowledged.decrease()
    for index in channels.indices where channels[index].sink.purposes.contains(purpose) {
      channels[index].add(time, at: now, configuration)
    }
    isQueueTouched = true
    persist()
  }

  /// Restores the figures from before an event whose effects could not be written.
  mutating func takeBack(to before: Accounting) {
    var counts = state.accounting
    counts.stored = before.stored
    counts.acknowledged = before.acknowledged
    counts.quarantined = before.quarantined
    counts.expiredByAge = before.expiredByAge
    counts.expiredByRows = before.expiredByRows
    counts.expiredByBytes = before.expiredByBytes
    counts.expiredByKey = before.expiredByKey
    counts.mocked = before.mocked
    counts.erased = before.erased
    var lost = counts.fixes
    for known in [counts.refused, counts.thinned, counts.held, counts.stored] { lost.decrease(by: known) }
    counts[.storeFailed].increase(by: lost)
    if lost > 0 { lastRefusal = .storeFailed }
    state.accounting = counts
    stillness.place = nil
    outside.visits = []
    outside.place = nil
    outside.restedUntil = nil
  }

  private mutating func update(
    _ sink: SinkID, _ now: ClockReading, _ change: (inout Channel, MonitorConfiguration) -> Void
  ) {
    guard let index = channels.firstIndex(where: { $0.sink.id == sink }) else { return }
    change(&channels[index], configuration)
  }

  /// Ends the delivery to a sink, and monitoring when no other sink is left.
  mutating func discard(_ sink: SinkID, at now: ClockReading, into effects: inout EffectBuffer) {
    guard let index = channels.firstIndex(where: { $0.sink.id == sink }) else { return }
    channels[index].isDiscarded = true
    effects.append(.discard(sink))
    guard channels.allSatisfy(\.isDiscarded) else { return }
    state.isStarted = false
    advance(now, into: &effects)
    persist()
  }

  private mutating func expire(
    _ rule: ExpiryRule, _ rows: DeletionCount, _ queues: [QueueSummary], _ now: ClockReading,
    into effects: inout EffectBuffer
  ) {
    var count: UInt64 = 0
    count.increase(by: rows.waiting)
    count.increase(by: rows.quarantined)
    switch rule {
    case .age: state.accounting.expiredByAge.increase(by: count)
    case .rows: state.accounting.expiredByRows.increase(by: count)
    case .key: state.accounting.expiredByKey.increase(by: count)
    case .bytes: state.accounting.expiredByBytes.increase(by: count)
    }
    for queue in queues { update(queue.sink, now) { $0.update(queue, at: now, $1) } }
    persist()
    effects.append(.notice(.expired(rule, count: Int(clamping: count))))
  }

  private mutating func settle(
    _ sink: SinkID, _ outcome: DeliveryOutcome, _ queue: QueueSummary, _ jitter: Double, _ now: ClockReading,
    into effects: inout EffectBuffer
  ) {
    effects.append(.notice(.delivery(sink, outcome)))
    let full = max(1, configuration.batchRows)
    isQueueTouched = true
    update(sink, now) { channel, configuration in
      channel.isInFlight = false
      if case .judged(_, _, 0, _) = outcome, queue.pending == 0 {
        channel.emptiedAt = now.monotonic.milliseconds
      } else {
        channel.emptiedAt = nil
      }
      channel.update(queue, at: now, configuration)
      switch outcome {
      case .judged(let acknowledged, let quarantined, let kept, let retryAfter):
        if acknowledged > 0 || quarantined > 0 {
          channel.attempts = 0
          channel.notBefore = .min
          channel.batchLimit = min(full, channel.batchLimit * 2)
        }
        if kept > 0 { channel.backOff(now, retryAfter: retryAfter, jitter: jitter, configuration) }
      case .unreadable(let rows):
        channel.batchLimit = min(full, max(1, rows / 2))
        channel.isDraining = true
      case .failed(let retryAfter):
        channel.backOff(now, retryAfter: retryAfter, jitter: jitter, configuration)
      case .unauthorized, .forbidden, .gone: break
      }
    }
    switch outcome {
    case .judged(let acknowledged, let quarantined, _, _):
      credential.isDoubted = false
      state.accounting.quarantined.increase(by: quarantined)
      if acknowledged > 0 || quarantined > 0 { persist() }
    case .unauthorized:
      // A refused token is replaced once. If the new one is refused as well, only waiting helps.
      if credential.isDoubted {
        update(sink, now) { $0.backOff(now, retryAfter: nil, jitter: jitter, $1) }
      }
      credential.isDoubted = true
      credential.until = nil
    case .forbidden: deactivate(now, into: &effects)
    case .gone: forget(now, erasedBy: sink, into: &effects)
    case .unreadable, .failed: break
    }
  }

  private mutating func takeToken(
    _ outcome: CredentialOutcome, _ jitter: Double, _ now: ClockReading, into effects: inout EffectBuffer
  ) {
    credential.isInFlight = false
    switch outcome {
    case .granted(let until):
      credential.until = until
      credential.attempts = 0
      credential.notBefore = .min
      if until <= now.wall + .seconds(30) {
        // The token has expired on arrival, so the clocks disagree. An immediate retry would never end.
        credential.attempts = 1
        credential.notBefore = Backoff.end(now, attempts: 5, retryAfter: nil, jitter: jitter, configuration)
      }
      isQueueTouched = true
      persist()
    case .refused: deactivate(now, into: &effects)
    case .gone: forget(now, erasedBy: configuration.credentialSink, into: &effects)
    case .failed(let retryAfter):
      credential.attempts += 1
      credential.notBefore = Backoff.end(
        now, attempts: credential.attempts, retryAfter: retryAfter, jitter: jitter, configuration)
    }
  }
}
