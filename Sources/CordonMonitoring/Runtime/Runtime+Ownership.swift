import CordonCore

extension MonitorEvent {
  /// Whether the event withdraws consent: even a superseded store must record that.
  var takesConsentBack: Bool {
    switch self {
    case .withdraw, .retract: true
    default: false
    }
  }
}

extension Runtime {
  /// Reports a failure of the store. When another program has the store now, nothing more is recorded, sent or written.
  mutating func note(_ error: StoreError, _ now: ClockReading, into output: inout MonitorOutput) {
    output.notices.append(.storeFailed(error))
    guard error.kind == .superseded, !isSuperseded else { return }
    isSuperseded = true
    isStateUnsaved = true
    unfinished = []
    calls = []
    output.effects.removeAll()
    output.requests.removeAll()
    output.commands += [.stopPositioning, .unwatchRegion, .unwatchWakeFence]
    if monitor.configuration.everywhere != nil {
      output.commands += [.unwatchSignificantChanges, .unwatchVisits, .unwatchExitFence]
    }
    note(.superseded, now)
    output.notices.append(.phase(.off))
  }

  /// Performs a step of a runtime whose store another program owns: it refuses fixes, and a withdrawal takes the
  /// store back.
  mutating func stepWithoutStore(_ now: ClockReading, _ event: MonitorEvent, into output: inout MonitorOutput)
    -> Verdict
  {
    if event.takesConsentBack { owed.append(event) }
    guard !owed.isEmpty, event.takesConsentBack || now.monotonic.milliseconds >= nextSave else {
      return event.verdictWithoutStore
    }
    let gate = monitor.gate
    do throws(StoreError) {
      try takeOver(now)
    } catch {
      nextSave = now.monotonic.milliseconds + 60_000
      output.notices.append(.storeFailed(error))
      return event.verdictWithoutStore
    }
    let events = owed
    owed = []
    // The withdrawal comes before anything that may send rows.
    for event in events { step(now, event, into: &output) }
    if let gate { step(now, .venue(gate), into: &output) }
    return event.takesConsentBack ? .none : step(now, event, into: &output)
  }

  /// Takes the store back, and reads its changes. From then on the other program writes nothing.
  private mutating func takeOver(_ now: ClockReading) throws(StoreError) {
    try store.takeOver()
    var known = try store.device(record.id)
    if known == nil { known = try store.devices().first }
    var runtime = try Runtime(
      device: known?.id ?? record.id, configuration: monitor.configuration, store: store, entropy: entropy, at: now)
    // Answers to earlier requests must not count as answers to later ones.
    runtime.lastNumber = lastNumber
    runtime.nonces = nonces
    runtime.owed = owed
    runtime.note(.surroundings(monitor.permission, monitor.network, monitor.knownVenues), now)
    self = runtime
  }
}

extension MonitorEvent {
  fileprivate var verdictWithoutStore: Verdict {
    if case .provider(.fix) = self { .refused(.storeFailed) } else { .none }
  }
}
