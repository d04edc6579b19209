package import CordonCore

/// Performs the effects of a ``Monitor``: their only interpreter, for apps, simulations, replays and tests.
///
/// A step takes an event or a sink's answer, and returns requests, commands and notices. All writes of one step are
/// one transaction, committed before its requests are returned.
package struct Runtime {
  /// The rules, and what they remember.
  package private(set) var monitor: Monitor
  let store: any Store
  /// The sinks that receive anything; ``venueSinks`` and ``outsideSinks`` are its parts by purpose.
  var sinks: SinkSet
  var venueSinks = SinkSet([])
  var outsideSinks = SinkSet([])
  var required: SinkSet
  var record: DeviceRecord
  var entropy: RandomSource
  /// The source of the requests' nonces, apart from the back-off's so that neither changes the other's numbers.
  var nonces: RandomSource
  var lastNumber: UInt64 = 0
  var calls: [Call] = []
  /// Effects of a step whose transaction failed, which must still be performed.
  var unfinished: [Effect] = []
  var isStateUnsaved = false
  var isRecordUnsaved = false
  /// The monotonic time at which a failed write is repeated, unless a step comes first.
  var nextSave = Int64.min
  /// Notices raised during initialisation; the first step delivers them.
  var pendingNotices: [MonitorNotice] = []
  /// The monotonic time at which the store overwrites deleted rows. It is the first step after a start, because an
  /// earlier process may have died before it could.
  var nextScrub = Int64.min
  /// Whether deleted rows may still lie in the store's files.
  package var hasLeftovers: Bool { nextScrub != .max }
  /// Rows deleted since the store last overwrote them.
  var rowsToScrub = 0
  /// The figures before the current step, in case it cannot be written.
  var counted = Accounting()
  /// The venues with an unused activation, in the order of the record.
  var others: [OtherVenue] = []
  /// Whether ``others`` may be out of date.
  var areOthersStale = true
  /// Whether another program has taken over the store: this runtime then records, sends and writes nothing, until a
  /// withdrawal takes the store back.
  package internal(set) var isSuperseded = false
  /// The most recent location in a venue that was stored since the runtime was made.
  var latest: Location?
  /// The sink that holds exposure notices; `nil` when none does.
  let noticeSink: SinkID?
  var noticeTimes = NoticeTimes()
  /// The most recent location outside of venues that was stored since the runtime was made.
  var latestOutside: Location?
  /// Withdrawals that are not written yet, because the store could not be taken back.
  var owed: [MonitorEvent] = []

  /// A request that waits for its answer.
  struct Call: Sendable {
    var number: UInt64
    var sink: SinkID
    var device: DeviceID
    /// The venue whose credentials it carried.
    var venue: VenueID?
    var kind: Kind
    var deadline: Int64
    /// Whether the sink can prove that it sent an answer.
    var isChallenged: Bool
    /// Whether it needs a token, so that a new one may help.
    var usesToken: Bool

    enum Kind: Sendable {
      case activation, token, erasure, consent
      case positions([DeliveryResult])
      case notices
      case acknowledgement(ExposureNotice.ID)
      /// A request for the token of an inactive venue.
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
  ///   - device: the device. `nil` takes the first device of the store, or a new pseudonym.
  ///   - entropy: the random source; two devices must not share its numbers.
  ///   - store: the store of identity and locations.
  ///   - configuration: the integrator's configuration.
  ///   - now: the current reading of both clocks.
  package init(
    device: DeviceID? = nil, configuration: MonitorConfiguration = MonitorConfiguration(), store: any Store,
    entropy: RandomSource = .system,
    at now: ClockReading
  ) throws(StoreError) {
    self.store = store
    var entropy = entropy
    sinks = SinkSet(configuration.sinks.map(\.id))
    noticeSink = configuration.noticeSink
    required = SinkSet(configuration.sinks.filter(\.isRequired).map(\.id))
    let known: DeviceRecord?
    if let device { known = try store.device(device) } else { known = try store.devices().first }
    let state: MonitorState
    if let known {
      record = known
      if known.state.isEmpty {
        state = MonitorState()
      } else if var decoded = MonitorState(decoding: known.state) {
        // Losing the secret also ends the activation.
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
    splitSinks()
    try discardMisdirectedRows(now)
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

  /// The device's current pseudonym; a withdrawal renews it.
  package var device: DeviceID { record.id }
  /// The monitor's current phase.
  package var phase: Phase { monitor.phase }
  /// The fate of every fix so far.
  package var accounting: Accounting { monitor.state.accounting }

  /// The monotonic time by which the runtime needs a step (``MonitorEvent/wake`` will do).
  package var nextTimer: TimeSpan? {
    if isSuperseded { return owed.isEmpty ? nil : TimeSpan(milliseconds: nextSave) }
    var due = min(monitor.nextTimer?.milliseconds ?? .max, othersDue)
    for call in calls { due = min(due, call.deadline) }
    due = min(due, noticeTimes.due)
    if nextScrub > .min { due = min(due, nextScrub) }
    if hasUnfinishedWrites, nextSave > .min { due = min(due, nextSave) }
    return due == .max ? nil : TimeSpan(milliseconds: due)
  }

  /// Handles an event. Adds the requests, commands and notices that follow from it to `output`.
  /// - Returns: the verdict if the event is a fix.
  @discardableResult
  package mutating func step(_ now: ClockReading, _ event: MonitorEvent, into output: inout MonitorOutput) -> Verdict {
    if isSuperseded { return stepWithoutStore(now, event, into: &output) }
    let verdict = stepAsOwner(now, event, into: &output)
    // In this step the runtime learned that it no longer owns the store.
    if isSuperseded, event.takesConsentBack { return stepWithoutStore(now, event, into: &output) }
    return verdict
  }

  mutating func stepAsOwner(_ now: ClockReading, _ event: MonitorEvent, into output: inout MonitorOutput) -> Verdict {
    // A withdrawal takes effect first: expiring a request must not change the store before it.
    let isWithdrawal = event.takesConsentBack
    if !isWithdrawal { prepare(now, into: &output) }
    counted = monitor.state.accounting
    let verdict = monitor.handle(event, at: now, into: &output.effects)
    if !output.effects.isEmpty { perform(now, into: &output) }
    if isWithdrawal, !isSuperseded { prepare(now, into: &output) }
    if hasOtherVenues { sendForOtherVenues(now, into: &output) }
    note(event, now, into: &output)
    considerNotices(now, into: &output)
    return verdict
  }

  /// Whether a required write, such as a withdrawal, still waits for the store.
  package var hasUnfinishedWrites: Bool { !unfinished.isEmpty || isStateUnsaved || isRecordUnsaved }

  /// Whether a request was given out whose response is still awaited.
  package var hasRequestsInFlight: Bool { !calls.isEmpty }

  /// Does the work that is due before a step: adds pending notices, performs unfinished effects, ends requests that
  /// wait too long, and scrubs the store.
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

  /// Returns whether there is a token, and asks for one if there is none.
  mutating func hasToken(_ now: ClockReading, into effects: inout EffectBuffer) -> Bool {
    monitor.hasToken(now, into: &effects)
  }

  /// Reports a fact to the monitor, from which nothing follows.
  mutating func note(_ fact: RuntimeFact, _ now: ClockReading) { monitor.note(fact, at: now) }

  /// Takes back all that the monitor learned since it was `before`, because it could not be written.
  mutating func takeBack(to before: Monitor) { monitor = before }

  /// Takes a delivery of several fixes, whatever their order; they are judged by their own times.
  package mutating func step(_ now: ClockReading, fixes: [Fix], into output: inout MonitorOutput) {
    for fix in fixes.sorted(by: { $0.time < $1.time }) { step(now, .fix(fix), into: &output) }
  }
}
