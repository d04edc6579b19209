import CordonCore
import CordonGeometry

extension Monitor {
  mutating func use(_ gate: any VenueGate, at now: ClockReading, into effects: inout EffectBuffer) {
    let isOther = self.gate.map { $0.venue != gate.venue || $0.geofence != gate.geofence } ?? true
    if isOther, phase == .armed || phase == .tracking || phase == .resting {
      standDown(now, into: &effects)
      phase = .needsVenue
    } else if let old = self.gate, old.contentHash != gate.contentHash {
      // The map was corrected. What waits was judged by the old one, and is written as that; whether a place of rest may
      // still be recorded, the next fix tells.
      storeHeld(now, into: &effects)
      if phase == .resting { leaveRest(now, confirmed: false, into: &effects) }
    }
    #if CORDON_BUGS
      if DeliberateBug.keepOldBundle.isActive, !isOther { return }
    #endif
    self.gate = gate
    if isOther {
      fence = gate.geofence
      frame = LocalFrame(origin: fence.center)
    }
    if let venue = credentialVenue, venue != gate.venue {
      // What is under way still carries the other venue's token; the rest of that venue's rows go with its own
      // activation, which the runtime keeps.
      effects.append(.takeVenue(gate.venue))
      return
    }
    advance(now, into: &effects)
  }

  /// What is said anew of the active venue takes its place: a map was corrected.
  mutating func know(_ gates: [any VenueGate], at now: ClockReading, into effects: inout EffectBuffer) {
    knownVenues = gates
    if let gate, let renewed = gates.first(where: { $0.venue == gate.venue }) {
      use(renewed, at: now, into: &effects)
    }
  }

  mutating func takeVenue(
    _ venue: VenueID, _ isActivated: Bool, _ tokenEnd: Instant?, _ queues: [QueueSummary], _ now: ClockReading,
    into effects: inout EffectBuffer
  ) {
    credentialVenue = venue
    state.isActivated = isActivated
    let code = credential.code
    credential = CredentialState()
    credential.until = tokenEnd
    credential.code = isActivated ? nil : code
    // What was told was told for the venue before.
    if isActivated, state.consent != nil { state.isConsentUnsent = true }
    for queue in queues { restoreChannel(queue, at: now) }
    persist(.full)
    advance(now, into: &effects)
    isQueueTouched = true
  }

  private mutating func restoreChannel(_ queue: QueueSummary, at now: ClockReading) {
    guard let index = channels.firstIndex(where: { $0.sink.id == queue.sink }) else { return }
    channels[index].update(queue, at: now, configuration)
    channels[index].isDraining = queue.pending > 0
  }

  /// A fix beyond the active venue's geofence may be inside another's. The next fix is then judged by that one.
  mutating func chooseVenue(for fix: Fix, _ now: ClockReading, into effects: inout EffectBuffer) {
    for other in knownVenues where other.venue != gate?.venue {
      let circle = other.geofence
      let point = LocalFrame(origin: circle.center).project(fix.coordinate)
      guard point.x * point.x + point.y * point.y <= circle.radius * circle.radius else { continue }
      use(other, at: now, into: &effects)
      effects.append(.notice(.venueChanged(other.venue)))
      return
    }
  }
}
