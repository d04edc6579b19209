import CordonCore

extension Runtime {
  /// The work that a step has done so far, so that it can be finished or undone.
  struct Work {
    var durability = Durability.normal
    var isOpen = false
    var saves = false
    var scrubs = false
    var deleted = 0
    /// The last row that was in the store already: it does not begin the current stay.
    var known: FixID?
    var requests: [SinkRequest] = []
    var calls: [Call] = []
  }

  /// Performs the effects of a step in one transaction.
  ///
  /// An effect that ends is reported to the monitor, which may ask for more. The rule for effects that appear while effects
  /// are performed:
  ///
  /// - They go to the end of the list. No effect overtakes one that was added before it.
  /// - They belong to the same transaction. When one of them fails, nothing of the step was written, and none of its
  ///   requests is given out. The monitor is in its new state all the same: the provider gets every command, and the program
  ///   every notice, also those after the effect that failed.
  /// - They do not make the transaction more durable, because it has begun. An effect whose end may call for full
  ///   durability demands it itself, see ``Effect/needsFullDurability``.
  ///
  /// Effects of an earlier step that could not be written come first of all.
  /// - Parameter isOpen: whether the caller has begun the transaction.
  /// - Returns: whether it was written.
  @discardableResult
  mutating func perform(_ now: ClockReading, isOpen: Bool = false, into output: inout MonitorOutput) -> Bool {
    var work = Work()
    work.isOpen = isOpen
    var isWritten = true
    let before = record
    if isStateUnsaved || isRecordUnsaved { work.saves = true }
    if output.effects.effects.contains(where: \.needsFullDurability)
      || unfinished.contains(where: \.needsFullDurability)
    {
      work.durability = .full
    }
    var index = 0
    do {
      for effect in unfinished { try apply(effect, now, &work, &output) }
      while index < output.effects.effects.count {
        try apply(output.effects.effects[index], now, &work, &output)
        index += 1
      }
      if work.saves {
        try open(&work)
        record.state = monitor.state.encoded()
        if isRecordUnsaved { try store.save(record) } else { try store.save(state: record.state, of: record.id) }
      }
      if work.isOpen { try store.commit() }
      unfinished.removeAll()
      isStateUnsaved = false
      isRecordUnsaved = false
      calls.append(contentsOf: work.calls)
      output.requests.append(contentsOf: work.requests)
    } catch {
      if work.isOpen { store.rollback() }
      record = before
      note(.name(record.id), now)
      undo(error, from: index, now, into: &output)
      isWritten = false
    }
    output.effects.removeAll()
    if work.scrubs {
      scrub(now, into: &output)
    } else if isWritten {
      noteDeleted(work.deleted, left: Int(clamping: accounting.onPhone), now, into: &output)
    }
    return isWritten
  }

  /// Overwrites deleted rows. A failure harms no remaining row; it is repeated in a minute.
  mutating func scrub(_ now: ClockReading, into output: inout MonitorOutput) {
    do {
      try store.scrub()
      nextScrub = .max
      rowsToScrub = 0
    } catch {
      nextScrub = now.monotonic.milliseconds + 60_000
      note(error, now, into: &output)
    }
  }

  /// Notes deleted rows. The store overwrites them as soon as that costs less than the deletion did, and within an
  /// hour.
  mutating func noteDeleted(_ count: Int, left: Int, _ now: ClockReading, into output: inout MonitorOutput) {
    guard count > 0 else { return }
    rowsToScrub += count
    if left == 0 || rowsToScrub >= max(1_000, left) {
      scrub(now, into: &output)
    } else {
      nextScrub = min(nextScrub, now.monotonic.milliseconds + 3_600_000)
    }
  }

  /// Handles a step whose transaction failed: fixes are refused, requests are not made, and a wipe is repeated later.
  /// - Parameter first: the place of the first effect that was not applied.
  private mutating func undo(
    _ error: StoreError, from first: Int, _ now: ClockReading, into output: inout MonitorOutput
  ) {
    isStateUnsaved = true
    nextSave = now.monotonic.milliseconds + 60_000
    // A write that failed halfway may leave bytes in the store's files, although it left no row.
    nextScrub = min(nextScrub, now.monotonic.milliseconds + 3_600_000)
    note(.unwritten(since: counted), now)
    var unused = EffectBuffer()
    for (place, effect) in output.effects.effects.enumerated() {
      switch effect {
      // Otherwise positioning would stay off, or on, until the state changes again.
      case .command(let command) where place >= first: output.commands.append(command)
      case .notice(let notice) where place >= first: output.notices.append(notice)
      case .wipe, .purge, .renewIdentity, .forgetCredentials, .erasureDone, .takeVenue, .discard, .persist(.full):
        unfinished.append(effect)
      case .expire: note(.expiryFailed, now)
      case .upload(let sink, _):
        reportFailure(sink, now, &unused)
      case .requestToken:
        let event = Completion.token(.failed(retryAfter: nil), jitter: entropy.nextUnit())
        report(event, now, into: &unused)
      case .requestActivation:
        let event = Completion.activation(.failed(retryAfter: nil), jitter: entropy.nextUnit())
        report(event, now, into: &unused)
      case .reportConsent:
        let event = Completion.consentTold(.failed(retryAfter: nil), jitter: entropy.nextUnit())
        report(event, now, into: &unused)
      case .requestErasure(let device, let sink):
        let event = Completion.erasure(
          device: device, sink: sink, isDone: false, retryAfter: nil, jitter: entropy.nextUnit())
        report(event, now, into: &unused)
      default: break
      }
    }
    for sink in sinks.members {
      // A store that cannot be read either has nothing to add to what was counted.
      if let queue = try? queue(sink, at: now) { note(.queue(queue), now) }
    }
    note(error, now, into: &output)
  }

  /// Ends an upload that could not be prepared or whose answer could not be written.
  mutating func reportFailure(_ sink: SinkID, _ now: ClockReading, _ effects: inout EffectBuffer) {
    let read = try? queue(sink, at: now)
    let queue =
      read ?? QueueSummary(sink: sink, pending: Int(clamping: monitor.state.accounting.onPhone), oldest: now.wall)
    let event = Completion.delivered(
      sink: sink, .failed(retryAfter: nil), removed: 0, queue: queue, jitter: entropy.nextUnit())
    report(event, now, into: &effects)
  }

  func open(_ work: inout Work) throws(StoreError) {
    guard !work.isOpen else { return }
    try store.begin(work.durability)
    work.isOpen = true
  }

  private mutating func call(
    _ sink: SinkID, _ device: DeviceID, _ body: SinkRequest.Body, _ kind: Call.Kind, _ now: ClockReading,
    _ work: inout Work
  ) {
    let (request, call) = makeCall(sink, device, record.venue, body, secret: record.secret, kind, now)
    work.requests.append(request)
    work.calls.append(call)
  }

  private mutating func apply(
    _ effect: Effect, _ now: ClockReading, _ work: inout Work, _ output: inout MonitorOutput
  ) throws(StoreError) {
    switch effect {
    case .store(let location):
      try open(&work)
      if try store.insert(location, sinks: sinks(for: location)) {
        note(latest: location)
      } else {
        work.known = location.id
        report(.known(location.id, purpose: location.purpose), now, into: &output.effects)
      }
    case .extendDwell(let location):
      if location.id == work.known { return }
      try open(&work)
      let sinks = sinks(for: location)
      if try store.extend(location, sinks: sinks) {
        report(
          location.purpose == .record ? .reopened : .reopenedVisit(location.time), now, into: &output.effects)
      } else if sinks.members.count > 1 {
        var queues: [QueueSummary] = []
        for sink in sinks.members { queues.append(try queue(sink, at: now)) }
        report(.lengthened(queues: queues), now, into: &output.effects)
      }
    case .upload(let sink, let limit): try upload(sink, limit, now, &work, &output)
    case .requestToken:
      call(credentialSink, record.id, .token(secret: record.secret ?? ""), .token, now, &work)
    case .requestActivation(let code):
      call(credentialSink, record.id, .activate(code: code, type: record.type), .activation, now, &work)
    case .requestErasure(let device, let sink):
      guard let erasure = monitor.state.erasures.first(where: { $0.device == device && $0.sink == sink }) else {
        return
      }
      // Only the device and the sink that issued the secret know it.
      let secret = sink == credentialSink ? erasure.secret : nil
      call(sink, device, .erase(secret: secret), .erasure, now, &work)
    case .reportConsent(let consent):
      guard let sink = monitor.configuration.consentSink else { return }
      call(sink.id, record.id, .consent(consent, token: token(for: sink.id)), .consent, now, &work)
    case .takeVenue(let venue): try takeVenue(venue, now, &work, &output)
    case .wipe:
      try open(&work)
      let removal = try store.wipe(record.id)
      latest = nil
      latestOutside = nil
      // An activation in flight may still bring the secret that proves an erasure.
      calls.removeAll { !$0.kind.isErasure && !$0.kind.isActivation }
      others = []
      areOthersStale = true
      work.scrubs = true
      report(.wiped(waiting: removal.waiting, quarantined: removal.quarantined), now, into: &output.effects)
    case .forgetCredentials:
      try open(&work)
      // The secret stays: it proves a later erasure request.
      record.authToken = nil
      record.expiresAt = nil
      record.isActivated = false
      try store.save(record)
    case .discard(let sink):
      try open(&work)
      // An answer that is on its way has nothing left to complete.
      calls.removeAll { $0.sink == sink && $0.kind.isOfRows }
      let removed = try store.discardQueue(of: record.id, sink: sink, required: required)
      sinks = SinkSet(sinks.members.filter { $0 != sink })
      required = SinkSet(required.members.filter { $0 != sink })
      splitSinks()
      work.scrubs = true
      report(.discarded(sink: sink, removed: removed, queue: try queue(sink, at: now)), now, into: &output.effects)
    case .purge: try purge(now, &work, &output)
    case .renewIdentity: try renewIdentity(now, &work)
    case .erasureDone(let device):
      record.erasureSecrets[device] = nil
      isRecordUnsaved = true
      work.saves = true
      work.scrubs = true
    case .expire: try expire(now, &work, &output)
    case .persist:
      // A step is one transaction: half of it would leave rows that nobody counted.
      work.saves = true
    case .command(let command): output.commands.append(command)
    case .notice(let notice): output.notices.append(notice)
    }
  }

  /// The sink that issues secrets and tokens.
  var credentialSink: SinkID { monitor.configuration.credentialSink }

  /// Returns the token for a sink: only the sink that issued it receives it.
  private func token(for sink: SinkID) -> String? {
    monitor.needsActivation && sink == credentialSink ? record.authToken : nil
  }

  private mutating func upload(
    _ sink: SinkID, _ limit: Int, _ now: ClockReading, _ work: inout Work, _ output: inout MonitorOutput
  ) throws(StoreError) {
    try open(&work)
    let until = now.wall + monitor.configuration.leaseDuration
    let rows = try store.lease(
      record.id, sink: sink, venue: venue(for: sink), limit: limit, now: now.wall, until: until)
    try note(store.takeUnreadableRows(of: record.id), .key, now, &work, &output)
    let queue = try queue(sink, at: now)
    report(.leased(sink: sink, rows: rows.count, queue: queue), now, into: &output.effects)
    guard !rows.isEmpty else { return }
    let results = rows.map { DeliveryResult(id: $0.id, stillUntil: $0.stillUntil, outcome: .kept) }
    call(
      sink, record.id, .positions(rows, token: token(for: sink)), .positions(results), now, &work)
    work.requests[work.requests.count - 1].waiting = queue.pending
    work.requests[work.requests.count - 1].latest = latest(for: sink)
    work.requests[work.requests.count - 1].recordsVisits = monitor.configuration.everywhere?.findsVisits ?? true
  }

  /// The old name and everything that proves it go, except what the request for erasure needs.
  private mutating func renewIdentity(_ now: ClockReading, _ work: inout Work) throws(StoreError) {
    try open(&work)
    let old = record
    if monitor.state.erasures.contains(where: { $0.device == old.id }) {
      // A secret of any venue proves the device.
      let secret = old.secret ?? old.activations.first?.secret ?? old.erasureSecrets[old.id]
      note(.erasureSecret(secret, of: old.id), now)
      record.erasureSecrets[old.id] = secret
    }
    let secrets = record.erasureSecrets
    record = DeviceRecord(id: entropy.nextDeviceID(), type: monitor.configuration.deviceType)
    record.erasureSecrets = secrets
    noticeTimes = NoticeTimes()
    note(.name(record.id), now)
    try store.remove(old.id)
    try store.save(record)
    work.saves = true
    work.scrubs = true
  }

  private mutating func expire(_ now: ClockReading, _ work: inout Work, _ output: inout MonitorOutput)
    throws(StoreError)
  {
    try open(&work)
    let configuration = monitor.configuration
    try note(store.expire(record.id, before: now.wall - configuration.maximumAge), .age, now, &work, &output)
    let usage = try store.usage(of: record.id)
    if usage.rows > configuration.maximumRows {
      // Removes a hundredth more than needed, so that a full store is not trimmed with every fix.
      let surplus = usage.rows - configuration.maximumRows + configuration.maximumRows / 100
      try note(store.expire(record.id, oldest: surplus), .rows, now, &work, &output)
    } else if usage.bytes > configuration.maximumBytes {
      let surplus =
        (usage.bytes - configuration.maximumBytes + configuration.maximumBytes / 100) / max(1, store.bytesPerRow)
      try note(store.expire(record.id, oldest: max(1, surplus)), .bytes, now, &work, &output)
    }
  }

  private mutating func note(
    _ removal: DeletionCount, _ rule: ExpiryRule, _ now: ClockReading, _ work: inout Work, _ output: inout MonitorOutput
  ) throws(StoreError) {
    guard removal.waiting + removal.quarantined > 0 else { return }
    var queues: [QueueSummary] = []
    for sink in sinks.members { queues.append(try queue(sink, at: now)) }
    report(.expired(rule, removal, queues: queues), now, into: &output.effects)
    work.deleted += removal.waiting + removal.quarantined
  }

  /// Puts the credentials of one venue aside and uses those of another, if there are any.
  private mutating func takeVenue(
    _ venue: VenueID, _ now: ClockReading, _ work: inout Work, _ output: inout MonitorOutput
  ) throws(StoreError) {
    guard record.venue != venue else { return }
    try open(&work)
    if let old = record.venue, record.isActivated, let secret = record.secret {
      record.keep(
        Activation(venue: old, secret: secret, authToken: record.authToken, expiresAt: record.expiresAt))
    } else if let secret = record.secret {
      // The venue's server accepts no more rows, but it may still have to erase some, and this secret proves the
      // request.
      record.erasureSecrets[record.id] = secret
    }
    let kept = record.activations.first { $0.venue == venue }
    record.activations.removeAll { $0.venue == venue }
    record.venue = venue
    record.isActivated = kept != nil
    record.secret = kept?.secret
    record.authToken = kept?.authToken
    record.expiresAt = kept?.expiresAt
    try store.save(record)
    // Answers about the other venue's credentials do not concern these.
    calls.removeAll {
      switch $0.kind {
      case .token, .activation, .consent: true
      case .otherToken: $0.venue == venue
      case .positions, .otherPositions, .erasure, .notices, .acknowledgement: false
      }
    }
    areOthersStale = true
    let queues = try queues(at: now)
    report(
      .venueTaken(venue, isActivated: kept != nil, tokenEnd: kept?.expiresAt, queues: queues), now,
      into: &output.effects)
  }
}

extension Effect {
  /// Whether its transaction must be on the disk before anything else happens.
  var needsFullDurability: Bool {
    switch self {
    // Its completion asks for the first when the transaction has begun.
    case .persist(.full), .takeVenue: true
    default: false
    }
  }
}

extension DeviceRecord {
  /// Keeps an activation until its venue is active.
  mutating func keep(_ activation: Activation) {
    activations.removeAll { $0.venue == activation.venue }
    activations.append(activation)
    activations.sort { $0.venue.rawValue < $1.venue.rawValue }
  }
}
