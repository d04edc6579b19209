import CordonCore
import CordonGeometry

extension Monitor {
  /// Whether fixes outside of venues are recorded.
  package var isTrackingOutside: Bool { outside.isOn }

  /// Whether the person agreed to recording outside of venues, and nothing else prevents it.
  private var mayRecordOutside: Bool {
    guard let policy = configuration.everywhere, policy.mode != .off || outside.hasTrip, state.isStarted,
      !state.isPaused, permission != .none, let consent = state.consent
    else { return false }
    return consent.purposes.isSuperset(of: [.record, .everywhere])
  }

  /// Turns tracking outside of venues on or off, and positioning with it. Called at the end of each event.
  mutating func followOutside(_ now: ClockReading, into effects: inout EffectBuffer) {
    let isOn = mayRecordOutside
    if isOn, !outside.isOn {
      outside.isOn = true
      outside.start = now.wall
      effects.append(.notice(.tracking(.started)))
    } else if !isOn, outside.isOn {
      stopOutside(into: &effects)
    }
    // In a venue its own rules record rests.
    if phase == .tracking { leavePlace(into: &effects) }
    guard outside.isOn, var policy = configuration.everywhere else { return }
    // The system must not pause positioning during a trip.
    if outside.hasTrip { policy.pausesAutomatically = false }
    let wantsPositioning = policy.mode == .standard || policy.mode == .both || outside.hasTrip
    if wantsPositioning, outside.isPaused, outside.hasTrip { resumeOutside(into: &effects) }
    // A device that rests in a venue needs no fixes.
    let isResting = phase == .resting || outside.isPaused
    let wanted: OutsideState.Positioning =
      phase == .tracking ? .ofVenue : wantsPositioning && !isResting ? .by(policy) : .off
    setPositioning(wanted, now, into: &effects)
    let significant = policy.mode == .significant || policy.mode == .both
    if significant != outside.watchesSignificantChanges {
      outside.watchesSignificantChanges = significant
      effects.append(.command(significant ? .watchSignificantChanges : .unwatchSignificantChanges))
    }
    let visits = policy.findsVisits
    if visits != outside.watchesVisits {
      outside.watchesVisits = visits
      effects.append(.command(visits ? .watchVisits : .unwatchVisits))
    }
  }

  /// Commands what the venue's own rules have not commanded in this step.
  private mutating func setPositioning(
    _ wanted: OutsideState.Positioning, _ now: ClockReading, into effects: inout EffectBuffer
  ) {
    let before = outside.positioning
    guard wanted != before else { return }
    outside.positioning = wanted
    switch wanted {
    case .by(let policy):
      effects.append(.command(.usePolicy(policy)))
      // A changed policy needs no new start.
      if case .by = before {} else { effects.append(.command(.startPositioning)) }
      outside.staleAt = policy.staleAfter.map { (now.monotonic + $0).milliseconds } ?? .max
    case .ofVenue:
      // The venue's rules have started positioning.
      if case .by = before { effects.append(.command(.usePolicy(nil))) }
      outside.staleAt = .max
    case .off:
      // The venue's rules have stopped positioning themselves. A policy that stayed would hold in the next venue.
      if case .by = before {
        effects.append(.command(.usePolicy(nil)))
        effects.append(.command(.stopPositioning))
      }
      outside.staleAt = .max
    }
  }

  private mutating func stopOutside(into effects: inout EffectBuffer) {
    if case .by = outside.positioning {
      effects.append(.command(.usePolicy(nil)))
      if phase != .tracking { effects.append(.command(.stopPositioning)) }
    }
    if outside.watchesSignificantChanges { effects.append(.command(.unwatchSignificantChanges)) }
    if outside.watchesVisits { effects.append(.command(.unwatchVisits)) }
    if outside.fence != nil { effects.append(.command(.unwatchExitFence)) }
    // Nothing is written during a pause of the person, or without consent.
    let isPermitted = state.consent?.purposes.isSuperset(of: [.record, .everywhere]) == true
    if isPermitted, !state.isPaused { endRest(into: &effects) }
    outside = OutsideState(keeping: outside)
    effects.append(.notice(.tracking(.stopped)))
  }

  /// Pauses positioning until the device leaves a circle around its place. During a trip, and while no place is known,
  /// positioning starts again instead.
  /// - Parameter time: the time until which the device has certainly stayed there.
  mutating func pauseOutside(at time: Instant, into effects: inout EffectBuffer) {
    guard outside.isOn, !outside.isPaused else { return }
    guard !outside.hasTrip, let policy = configuration.everywhere, policy.pausesAutomatically,
      let place = outside.last?.coordinate
    else {
      // Without a known place no circle would end the pause.
      if case .by = outside.positioning { effects.append(.command(.startPositioning)) }
      return
    }
    outside.isPaused = true
    outside.fence = (place, policy.exitFence)
    outside.anchor = nil
    noteRest(until: time, mayBegin: true)
    effects.append(.command(.watchExitFence(center: place, radius: policy.exitFence)))
    effects.append(.notice(.tracking(.paused)))
    drain()
  }

  /// Ends a pause: the device left the circle, began to move, or a trip began.
  mutating func resumeOutside(into effects: inout EffectBuffer) {
    guard outside.isPaused else { return }
    outside.isPaused = false
    outside.fence = nil
    outside.anchor = nil
    effects.append(.command(.unwatchExitFence))
    effects.append(.notice(.tracking(.resumed)))
  }

  mutating func reportStale(into effects: inout EffectBuffer) {
    outside.staleAt = .max
    if outside.isOn { effects.append(.notice(.tracking(.stale))) }
  }

  /// Deletes what was recorded outside of venues: its consent has ended.
  mutating func purgeOutside(into effects: inout EffectBuffer) {
    outside.visits = []
    outside.hasTrip = false
    outside.last = nil
    outside.kept = nil
    outside.place = nil
    outside.restedUntil = nil
    effects.append(.purge)
    effects.append(.notice(.tracking(.purged)))
    for sink in configuration.sinks
    where sink.purposes.contains(.everywhere) && !sink.abilities.contains(.erasure) {
      effects.append(.notice(.notErased(device, sink.id)))
    }
    persist(.full)
    isQueueTouched = true
  }
}
