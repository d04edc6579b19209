public import CordonCore

/// Carries out what a ``Monitor`` decides: the only interpreter of its effects, for apps, simulations, replays and tests.
///
/// The monitor's state is the monitor's. The runtime changes it only by what it reports: events, a ``Completion`` for each
/// effect that ended, and a ``RuntimeFact`` where nothing follows.
///
/// A step takes something that happened, or a sink's answer, and gives out requests, commands and notices. Everything
/// that one step writes is one transaction, committed before its requests are given out.
public struct Runtime {
  /// The rules, and what they remember.
  public private(set) var monitor: Monitor
  let store: any Store
  let sinks: SinkSet
  let required: SinkSet
  var record: DeviceRecord
  var entropy: RandomSource
  /// Makes the nonces of requests; apart, so that they do not move the numbers of the back-off.
  var nonces: RandomSource
  var lastNumber: UInt64 = 0
  var calls: [Call] = []
  /// Effects of a step whose transaction failed, which must still be done.
  var unfinished: [Effect] = []
  var isStateUnsaved = false
  var isRecordUnsaved = false
  /// When, on the monotonic clock, what could not be written is tried again, should nothing else happen before.
  var nextSave = Int64.min
  /// What happened while the runtime was made; told with the first step.
  var pendingNotices: [MonitorNotice] = []
  /// When, on the monotonic clock, the store is to overwrite what was deleted; at once after a start, because an earlier
  /// process may have died before it could.
  var nextScrub = Int64.min
  /// Whether something that was deleted may still lie in the store's files.
  package var hasLeftovers: Bool { nextScrub != .max }
  /// Rows that were deleted since the store last did.
  var rowsToScrub = 0
  /// The figures before the running step, in case it cannot be written.
  var counted = Accounting()
  /// The venues with an activation that is not in use, in the order of the record.
  var others: [OtherVenue] = []
  /// Whether there may be other such venues, or other rows of theirs, than ``others`` says.
  var areOthersStale = true
  /// Whether another program has taken the store over: this runtime then records, sends and writes nothing, until a
  /// withdrawal takes the store back.
  public internal(set) var isSuperseded = false
  /// What took consent back and is still to be written, because the store could not be taken back yet.
  var owed: [MonitorEvent] = []

  /// A request that waits for its answer.
  struct Call: Sendable {
    var number: UInt64
    var sink: SinkID
    var device: DeviceID
    /// Whose credentials it carried.
    var venue: VenueID?
    var kind: Kind
    var deadline: Int64
    /// Whether the sink can prove that an answer is its own.
    var isChallenged: Bool
    /// Whether it needs a token, so that a new one may help.
    var usesToken: Bool

    enum Kind: Sendable {
      case activation, token, erasure, consent
      case positions([DeliveryResult])
      /// Of a venue that is not the active one.
      case otherToken
      case otherPositions([DeliveryResult])

      var isActivation: Bool { if case .activation = self { true } else { false } }
      var isErasure: Bool { if case .erasure = self { true } else { false } }
      var isOfRows: Bool {
        switch self {
        case .positions, .otherPositions: true
        default: false
        }
      }
    }
  }

  /// Opens a device's part of the store, or makes one.
  /// - Parameters:
  ///   - device: whose. `nil` takes the first device of the store, or a new pseudonym.
  ///   - entropy: must not repeat between two devices.
  ///   - store: where everything is kept.
  ///   - configuration: what the integrator chose.
  ///   - now: the time, by both clocks.
  public init(
    device: DeviceID? = nil, configuration: MonitorConfiguration = MonitorConfiguration(), store: any Store,
    entropy: RandomSource = .system,
    at now: ClockReading
  ) throws(StoreError) {
    self.store = store
    var entropy = entropy
    sinks = SinkSet(configuration.sinks.map(\.id))
    required = SinkSet(configuration.sinks.filter(\.isRequired).map(\.id))
    let known: DeviceRecord?
    if let device { known = try store.device(device) } else { known = try store.devices().first }
    let state: MonitorState
    if let known {
      record = known
      if known.state.isEmpty {
        state = MonitorState()
      } else if var decoded = MonitorState(decoding: known.state) {
        // Who lost the secret lost the activation with it.
        if !known.isActivated { decoded.isActivated = false }
        for index in decoded.erasures.indices {
          let erasure = decoded.erasures[index]
          if let secret = erasure.secret { record.erasureSecrets[erasure.device] = secret }
          decoded.erasures[index].secret = record.erasureSecrets[erasure.device]
        }
        state = decoded
      } else {
        throw StoreError(.newerVersion, "state of device \(known.id): not a version that this program reads")
      }
    } else {
      let id = if let device { device } else { entropy.nextDeviceID() }
      record = DeviceRecord(id: id, type: configuration.deviceType)
      state = MonitorState()
      try store.begin(.full)
      try store.save(record)
      try store.commit()
    }
    self.entropy = entropy
    nonces = entropy.branch(0x6e)
    monitor = Monitor(
      device: record.id, configuration: configuration, state: state, tokenExpires: record.expiresAt,
      credentialVenue: record.venue, bytesPerRow: store.bytesPerRow)
    for queue in try queues(at: now) { note(.queue(queue), now) }
    if record.erasureSecrets != known?.erasureSecrets ?? [:] { isRecordUnsaved = true }
    try noteUnreadableRows(now)
  }

  /// Takes into account what the store could not read any more when it was opened.
  private mutating func noteUnreadableRows(_ now: ClockReading) throws(StoreError) {
    try store.begin(.normal)
    do throws(StoreError) {
      let rows = try store.takeUnreadableRows(of: record.id)
      let count = rows.waiting + rows.quarantined
      if count > 0 {
        note(.unreadable(rows), now)
        record.state = monitor.state.encoded()
        try store.save(state: record.state, of: record.id)
        pendingNotices.append(.expired(.key, count: count))
      }
      try store.commit()
    } catch {
      store.rollback()
      throw error
    }
  }

  /// The device, as it is called at the moment; a withdrawal renames it.
  public var device: DeviceID { record.id }
  /// Where the monitor stands.
  public var phase: Phase { monitor.phase }
  /// What became of every fix so far.
  public var accounting: Accounting { monitor.state.accounting }

  /// When, on the monotonic clock, the runtime wants a step at the latest (``MonitorEvent/wake`` will do).
  public var nextTimer: TimeSpan? {
    if isSuperseded { return owed.isEmpty ? nil : TimeSpan(milliseconds: nextSave) }
    var due = min(monitor.nextTimer?.milliseconds ?? .max, othersDue)
    for call in calls { due = min(due, call.deadline) }
    if nextScrub > .min { due = min(due, nextScrub) }
    if hasUnfinishedWrites, nextSave > .min { due = min(due, nextSave) }
    return due == .max ? nil : TimeSpan(milliseconds: due)
  }

  /// Takes something that happened. Adds to `output` what is to be done about it.
  /// - Returns: what became of the fix, if it was one.
  @discardableResult
  public mutating func step(_ now: ClockReading, _ event: MonitorEvent, into output: inout MonitorOutput) -> Verdict {
    if isSuperseded { return stepWithoutStore(now, event, into: &output) }
    let verdict = stepAsOwner(now, event, into: &output)
    // The step in which the runtime learns that it is not the owner any more.
    if isSuperseded, event.takesConsentBack { return stepWithoutStore(now, event, into: &output) }
    return verdict
  }

  mutating func stepAsOwner(_ now: ClockReading, _ event: MonitorEvent, into output: inout MonitorOutput) -> Verdict {
    // Whoever withdraws has withdrawn already: a request given up now must not bring a row into the store, or out of it, before.
    let isWithdrawal = if case .withdraw = event { true } else { false }
    if !isWithdrawal { prepare(now, into: &output) }
    counted = monitor.state.accounting
    let verdict = monitor.handle(event, at: now, into: &output.effects)
    if !output.effects.isEmpty { perform(now, into: &output) }
    if isWithdrawal, !isSuperseded { prepare(now, into: &output) }
    if hasOtherVenues { sendForOtherVenues(now, into: &output) }
    return verdict
  }

  /// Whether something that must be written, such as a withdrawal, still waits for a store that works.
  public var hasUnfinishedWrites: Bool { !unfinished.isEmpty || isStateUnsaved || isRecordUnsaved }

  /// Whether a request was given out whose response is still awaited.
  package var hasRequestsInFlight: Bool { !calls.isEmpty }

  /// What must happen before a step: what an earlier one could not write, and the end of requests that wait too long.
  mutating func prepare(_ now: ClockReading, into output: inout MonitorOutput) {
    if !pendingNotices.isEmpty {
      output.notices.append(contentsOf: pendingNotices)
      pendingNotices = []
    }
    if !unfinished.isEmpty || (hasUnfinishedWrites && now.monotonic.milliseconds >= nextSave) {
      counted = monitor.state.accounting
      perform(now, into: &output)
    }
    giveUpLateCalls(now, into: &output)
    if now.monotonic.milliseconds >= nextScrub { scrub(now, into: &output) }
  }

  /// Reports to the monitor how an effect or a request ended. Effects that follow go to the end of `effects`.
  mutating func report(_ completion: Completion, _ now: ClockReading, into effects: inout EffectBuffer) {
    monitor.complete(completion, at: now, into: &effects)
  }

  /// Reports a fact to the monitor, from which nothing follows.
  mutating func note(_ fact: RuntimeFact, _ now: ClockReading) { monitor.note(fact, at: now) }

  /// Takes back all that the monitor learned since it was `before`, because it could not be written.
  mutating func takeBack(to before: Monitor) { monitor = before }

  /// Takes a delivery of several fixes, whatever their order; they are judged by their own times.
  public mutating func step(_ now: ClockReading, fixes: [Fix], into output: inout MonitorOutput) {
    for fix in fixes.sorted(by: { $0.time < $1.time }) { step(now, .fix(fix), into: &output) }
  }
}
