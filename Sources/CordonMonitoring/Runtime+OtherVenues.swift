import CordonCore

/// The way of rows that were recorded in a venue which is not the active one any more. They go with that venue's own
/// activation, as no server takes rows of one venue on the word of another.
struct OtherVenue: Sendable {
  let venue: VenueID
  /// Rows that wait; never fewer than there are, as nothing is recorded in a venue that is not active.
  var pending: Int
  var isInFlight = false
  var attempts = 0
  /// Monotonic; nothing is asked before.
  var notBefore = Int64.min
  /// How many rows a request may have; shrinks when the sink cannot read one.
  var batchLimit: Int
  /// A fresh token was refused too.
  var isDoubted = false
}

extension Runtime {
  /// Whether there is anything to look at; for most devices there never is.
  var hasOtherVenues: Bool { !isSuperseded && (!record.activations.isEmpty || !others.isEmpty) }

  /// Sends what waits for venues that are not active: at once, since it is old already.
  mutating func sendForOtherVenues(_ now: ClockReading, into output: inout MonitorOutput) {
    if areOthersStale { recountOthers(now) }
    guard !others.isEmpty, monitor.maySend else { return }
    for index in others.indices
    where others[index].pending > 0 && !others[index].isInFlight
      && others[index].notBefore <= now.monotonic.milliseconds
    {
      send(index, now, into: &output)
    }
  }

  /// When the next of these requests may be made, monotonic.
  var othersDue: Int64 {
    guard !others.isEmpty, monitor.maySend else { return .max }
    var due = Int64.max
    for other in others where other.pending > 0 && !other.isInFlight { due = min(due, other.notBefore) }
    return due
  }

  private mutating func recountOthers(_ now: ClockReading) {
    areOthersStale = false
    let known = others
    others = record.activations.map { activation in
      let queue = try? store.queue(of: record.id, sink: credentialSink, venue: activation.venue, now: now.wall)
      // A store that cannot be read now is asked for rows all the same.
      let pending = queue.map { $0.pending + $0.leased } ?? 1
      var other =
        known.first { $0.venue == activation.venue }
        ?? OtherVenue(venue: activation.venue, pending: 0, batchLimit: max(1, monitor.configuration.batchRows))
      other.pending = pending
      return other
    }
  }

  private mutating func send(_ index: Int, _ now: ClockReading, into output: inout MonitorOutput) {
    let venue = others[index].venue
    guard let activation = record.activations.first(where: { $0.venue == venue }) else {
      others[index].pending = 0
      return
    }
    let body: SinkRequest.Body
    let kind: Call.Kind
    if let token = activation.authToken, let end = activation.expiresAt, end > now.wall + .seconds(30) {
      guard let rows = leaseForOther(index, now, into: &output) else { return }
      body = .positions(rows, token: token)
      kind = .otherPositions(rows.map { DeliveryResult(id: $0.id, stillUntil: $0.stillUntil, outcome: .kept) })
    } else {
      body = .token(secret: activation.secret)
      kind = .otherToken
    }
    others[index].isInFlight = true
    let (request, call) = makeCall(credentialSink, record.id, venue, body, secret: activation.secret, kind, now)
    output.requests.append(request)
    calls.append(call)
  }

  /// The oldest rows of a venue; `nil` when there are none to be had now.
  private mutating func leaseForOther(_ index: Int, _ now: ClockReading, into output: inout MonitorOutput)
    -> [Location]?
  {
    do throws(StoreError) {
      try store.begin(.normal)
      let until = now.wall + monitor.configuration.leaseDuration
      let rows = try store.lease(
        record.id, sink: credentialSink, venue: others[index].venue, limit: others[index].batchLimit, now: now.wall,
        until: until)
      let queue = try store.queue(
        of: record.id, sink: credentialSink, venue: others[index].venue, now: now.wall)
      try store.commit()
      if !rows.isEmpty { return rows }
      others[index].pending = queue.pending + queue.leased
      // Rows that another request took come back when its lease ends.
      others[index].notBefore = (now.monotonic + monitor.configuration.leaseDuration).milliseconds
    } catch {
      store.rollback()
      note(error, now, into: &output)
      waitForOther(others[index].venue, now, retryAfter: nil, jitter: entropy.nextUnit())
    }
    return nil
  }

  /// Takes the answer to a request for another venue's token.
  mutating func takeTokenOfOther(
    _ venue: VenueID, _ response: SinkResponse, _ jitter: Double, _ now: ClockReading, into output: inout MonitorOutput
  ) {
    change(venue) { $0.isInFlight = false }
    if (200..<300).contains(response.status), case .token(let token, let expires) = response.body {
      guard var activation = record.activations.first(where: { $0.venue == venue }) else { return }
      activation.authToken = token
      activation.expiresAt = expires
      record.keep(activation)
      isRecordUnsaved = true
      change(venue) { $0.attempts = 0 }
      // A token that is over on arrival: the clocks disagree.
      if expires <= now.wall + .seconds(30) { waitForOther(venue, now, retryAfter: nil, jitter: jitter, attempts: 5) }
    } else if response.body != .refused,
      [408, 425, 429].contains(response.status) || !(400..<500).contains(response.status)
    {
      waitForOther(venue, now, retryAfter: response.retryAfter, jitter: jitter)
    } else {
      giveUp(venue)
    }
    perform(now, into: &output)
  }

  /// Takes the answer to another venue's rows. The server's word that it erased the device is not taken here.
  mutating func settleOther(
    _ call: Call, _ rows: [DeliveryResult], _ response: SinkResponse, _ jitter: Double, _ now: ClockReading,
    into output: inout MonitorOutput
  ) {
    guard let venue = call.venue else { return }
    change(venue) { $0.isInFlight = false }
    var rows = rows
    var outcome = Runtime.judge(response, &rows)
    do throws(StoreError) {
      try store.begin(.normal)
      let counts = try store.completeLease(record.id, sink: call.sink, rows: rows, required: required)
      note(.completedLease(removed: counts.removed, quarantined: counts.quarantined), now)
      if case .judged(_, _, _, let retryAfter) = outcome {
        outcome = .judged(
          acknowledged: counts.acknowledged, quarantined: counts.quarantined,
          kept: rows.count { $0.outcome == .kept }, retryAfter: retryAfter)
      }
      isStateUnsaved = true
      follow(outcome, of: venue, jitter, now)
      output.notices.append(.delivery(call.sink, outcome))
      guard perform(now, isOpen: true, into: &output) else {
        // What was taken off the count is still there.
        areOthersStale = true
        return
      }
      noteDeleted(counts.removed, left: others.first { $0.venue == venue }?.pending ?? 0, now, into: &output)
    } catch {
      // The answer was not written down, so it never came: the lease ends by itself.
      store.rollback()
      note(error, now, into: &output)
      waitForOther(venue, now, retryAfter: nil, jitter: jitter)
    }
  }

  /// What an answer means for the next request of that venue.
  private mutating func follow(_ outcome: DeliveryOutcome, of venue: VenueID, _ jitter: Double, _ now: ClockReading) {
    switch outcome {
    case .judged(let acknowledged, let quarantined, let kept, let retryAfter):
      let full = max(1, monitor.configuration.batchRows)
      change(venue) { other in
        other.isDoubted = false
        other.pending = max(0, other.pending - acknowledged - quarantined)
        if acknowledged + quarantined > 0 {
          other.attempts = 0
          other.batchLimit = min(full, other.batchLimit * 2)
        }
      }
      if kept > 0 { waitForOther(venue, now, retryAfter: retryAfter, jitter: jitter) }
    case .unreadable(let rows): change(venue) { $0.batchLimit = max(1, rows / 2) }
    case .unauthorized:
      // One new token is worth asking for. If it is refused as well, time may help, more tokens will not.
      if others.first(where: { $0.venue == venue })?.isDoubted == true {
        waitForOther(venue, now, retryAfter: nil, jitter: jitter)
      }
      change(venue) { $0.isDoubted = true }
      if var activation = record.activations.first(where: { $0.venue == venue }) {
        activation.authToken = nil
        activation.expiresAt = nil
        record.keep(activation)
        isRecordUnsaved = true
      }
    case .forbidden: giveUp(venue)
    case .failed(let retryAfter): waitForOther(venue, now, retryAfter: retryAfter, jitter: jitter)
    case .gone: break
    }
  }

  /// The venue's server knows the device no longer. Its rows stay until a new invite code, or their age, ends that.
  private mutating func giveUp(_ venue: VenueID) {
    // What it sent there may still have to be erased, and this proves it.
    if let secret = record.activations.first(where: { $0.venue == venue })?.secret {
      record.erasureSecrets[record.id] = secret
    }
    record.activations.removeAll { $0.venue == venue }
    others.removeAll { $0.venue == venue }
    isRecordUnsaved = true
  }

  private mutating func waitForOther(
    _ venue: VenueID, _ now: ClockReading, retryAfter: TimeSpan?, jitter: Double, attempts: Int? = nil
  ) {
    let configuration = monitor.configuration
    change(venue) { other in
      other.attempts += 1
      other.notBefore = Backoff.end(
        now, attempts: attempts ?? other.attempts, retryAfter: retryAfter, jitter: jitter, configuration)
    }
  }

  private mutating func change(_ venue: VenueID, _ body: (inout OtherVenue) -> Void) {
    guard let index = others.firstIndex(where: { $0.venue == venue }) else { return }
    body(&others[index])
  }
}
