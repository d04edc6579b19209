import CordonCore
import CordonGeometry

extension Monitor {
  mutating func use(_ gate: any VenueGate, at now: ClockReading, into effects: inout EffectBuffer) {
    // This name marks locations outside of venues.
    guard gate.venue != .everywhere else { return }
    let isOther = self.gate.map { $0.venue != gate.venue || $0.geofence != gate.geofence } ?? true
    if isOther, phase == .armed || phase == .tracking || phase == .resting {
      standDown(now, into: &effects)
      phase = .needsVenue
    } else if let old = self.gate, old.contentHash != gate.contentHash {
      // The map was corrected. The held fix was judged by the old map, and is stored as that. The next fix decides
      // whether the place of rest may still be recorded.
      storeHeld(now, into: &effects)
      if phase == .resting { leaveRest(now, confirmed: false, into: &effects) }
    }
    self.gate = gate
    if isOther {
      fence = gate.geofence
      frame = LocalFrame(origin: fence.center)
    }
    if let venue = credentialVenue, venue != gate.venue {
      // Requests in flight still carry the other venue's token. The other rows of that venue are sent with its own
      // activation, which the runtime keeps.
      effects.append(.takeVenue(gate.venue))
      return
    }
    advance(now, into: &effects)
  }

  /// Replaces the known venues. A new version of the active venue replaces it at once: its map was corrected.
  mutating func know(_ gates: [any VenueGate], at now: ClockReading, into effects: inout EffectBuffer) {
    knownVenues = gates.filter { $0.venue != .everywhere }
    if let gate, let renewed = knownVenues.first(where: { $0.venue == gate.venue }) {
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
    // The earlier report of the consent was for the former venue.
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

  /// Activates another venue when a fix is outside the active geofence but inside that venue's. The next fix is
  /// judged by it.
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
