import CordonCore

/// The delivery of rows that were recorded in a venue which is no longer active. They are sent with that venue's own
/// activation: a server accepts no rows of one venue with the token of another.
struct OtherVenue: Sendable {
  let venue: VenueID
  /// An upper bound of the waiting rows; nothing is recorded in an inactive venue, so it cannot grow.
  var pending: Int
  var isInFlight = false
  var attempts = 0
  /// The monotonic time before which nothing is requested.
  var notBefore = Int64.min
  /// The maximum number of rows in a request; shrinks when the sink cannot read one.
  var batchLimit: Int
  /// Whether a fresh token was refused too.
  var isDoubted = false
}

extension Runtime {
  /// Whether other venues have activations or rows; most devices have none.
  var hasOtherVenues: Bool { !isSuperseded && (!record.activations.isEmpty || !others.isEmpty) }

  /// Sends the rows of inactive venues at once, since they are old already.
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

  /// The monotonic time of the next such request.
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
      // If the store cannot be read now, one row is assumed, so that it is asked again.
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

  /// Leases the oldest rows of a venue; returns `nil` when none are available now.
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
      // Rows leased to another request become available when its lease ends.
      others[index].notBefore = (now.monotonic + monitor.configuration.leaseDuration).milliseconds
    } catch {
      store.rollback()
      note(error, now, into: &output)
      waitForOther(others[index].venue, now, retryAfter: nil, jitter: entropy.nextUnit())
    }
    return nil
  }

  /// Handles the answer to a request for another venue's token.
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
      // The token has expired on arrival, so the clocks disagree.
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

  /// Handles the answer to another venue's rows. It does not handle the server's report that it erased the device.
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
        // The rows that were subtracted from the count are still there.
        areOthersStale = true
        return
      }
      noteDeleted(counts.removed, left: others.first { $0.venue == venue }?.pending ?? 0, now, into: &output)
    } catch {
      // An answer that could not be written has no effect: the lease ends by itself.
      store.rollback()
      note(error, now, into: &output)
      waitForOther(venue, now, retryAfter: nil, jitter: jitter)
    }
  }

  /// Applies an answer to the next request of that venue.
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
      // A refused token is replaced once. If the new one is refused as well, only waiting helps.
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

  /// Stops sending to a venue whose server no longer knows the device. Its rows stay until a new invite code or their
  /// expiry.
  private mutating func giveUp(_ venue: VenueID) {
    // The server may still have to erase rows, and this secret proves the request.
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
