import CordonCore
import CordonGeometry

extension Monitor {
  mutating func give(_ consent: Consent, at now: ClockReading, into effects: inout EffectBuffer) {
    var agreed = state.consent ?? Consent(record: nil, share: nil)
    agreed.add(consent)
    // Consent is never assumed: one that names no text is not valid.
    guard agreed != state.consent, (try? consent.validate()) != nil else { return }
    // The sinks of venues are not informed about the consent for other places.
    let isOfVenues = agreed.record != state.consent?.record || agreed.share != state.consent?.share
    state.consent = agreed
    if isOfVenues { noteConsentChange() }
    persist(.full)
    advance(now, into: &effects)
    drain()
  }

  /// Withdraws some purposes. Recorded locations stay, and wait for a new agreement to sending.
  mutating func retract(_ purposes: Consent.Purposes, at now: ClockReading, into effects: inout EffectBuffer) {
    if purposes.contains(.record) { return withdraw(now, into: &effects) }
    if purposes.contains(.everywhere), state.consent?.everywhere != nil {
      state.consent?.everywhere = nil
      if state.consent?.purposes.isEmpty == true { return withdraw(now, into: &effects) }
      purgeOutside(into: &effects)
    }
    guard purposes.contains(.share), state.consent?.share != nil else { return }
    state.consent?.share = nil
    if state.consent?.record == nil, state.consent?.everywhere == nil { return withdraw(now, into: &effects) }
    noteConsentChange()
    persist(.full)
    isQueueTouched = true
  }

  private mutating func noteConsentChange() {
    state.isConsentUnsent = true
    credential.isConsentStale = credential.isConsentInFlight
  }

  /// Withdraws the consent: nothing more is recorded or sent, recorded locations are deleted, and the server is asked
  /// to erase the device until it confirms that.
  mutating func withdraw(_ now: ClockReading, into effects: inout EffectBuffer) {
    guard state.consent != nil else { return }
    forget(now, erasedBy: nil, into: &effects)
  }

  /// Ends this identity. Consent belongs to a known device; a new one has to ask again.
  /// - Parameter eraser: the sink that erased the device by itself; the other sinks are still asked. `nil` for a
  ///   withdrawal.
  mutating func forget(_ now: ClockReading, erasedBy eraser: SinkID?, into effects: inout EffectBuffer) {
    dropHeld()
    // No report about spaces follows a withdrawal.
    spaces = SpaceState()
    thinning = ThinningState()
    stillness.place = nil
    outside.hasTrip = false
    state.consent = nil
    state.isConsentUnsent = false
    state.isConsentKnown = false
    state.isPaused = false
    state.pausedUntil = nil
    recent = RecentFixes()
    lastKept = nil
    effects.append(.wipe)
    if eraser != nil { effects.append(.notice(.erasedByServer)) }
    for sink in configuration.sinks where sink.id != eraser { askForErasure(sink, into: &effects) }
    state.wasActivated = false
    effects.append(.renewIdentity)
    state.isActivated = false
    credential = CredentialState()
    credentialVenue = nil
    for index in channels.indices {
      channels[index] = Channel(sink: channels[index].sink, batchLimit: max(1, configuration.batchRows))
    }
    persist(.full)
    isQueueTouched = true
    advance(now, into: &effects)
  }

  private mutating func askForErasure(_ sink: Sink, into effects: inout EffectBuffer) {
    guard sink.abilities.contains(.erasure) else {
      effects.append(.notice(.notErased(device, sink.id)))
      return
    }
    let mayHaveRows = state.wasActivated || !sink.needsActivation
    // An earlier withdrawal that could not be written left the device with the same name.
    if let index = state.erasures.firstIndex(where: { $0.device == device && $0.sink == sink.id }) {
      if mayHaveRows { state.erasures[index].mayHaveRows = true }
    } else {
      state.erasures.append(Erasure(device: device, sink: sink.id, mayHaveRows: mayHaveRows))
    }
  }

  /// Drops the held fix, which then counts as thinned.
  mutating func dropHeld() {
    guard state.accounting.held > 0 else { return }
    thinning.held = nil
    state.accounting.held = 0
    state.accounting.thinned.increase()
  }

  /// Stops sending because the server no longer accepts this device's rows. The queue stays, for a new invite code.
  mutating func deactivate(_ now: ClockReading, into effects: inout EffectBuffer) {
    guard state.isActivated else { return }
    state.isActivated = false
    credential = CredentialState()
    effects.append(.forgetCredentials)
    effects.append(.notice(.deactivated))
    persist()
    advance(now, into: &effects)
  }

  mutating func requestActivation(code: String, at now: ClockReading, into effects: inout EffectBuffer) {
    // The code is kept, and is sent only after the person has consented.
    guard !state.isActivated, !credential.isActivationInFlight else { return }
    credential.code = code
    credential.attempts = 0
    credential.notBefore = .min
    isQueueTouched = true
  }

  mutating func takeActivation(
    _ outcome: CredentialOutcome, for venue: VenueID?, _ jitter: Double, _ now: ClockReading,
    into effects: inout EffectBuffer
  ) {
    credential.isActivationInFlight = false
    if case .failed(let retryAfter) = outcome {
      credential.attempts += 1
      credential.notBefore = Backoff.end(
        now, attempts: credential.attempts, retryAfter: retryAfter, jitter: jitter, configuration)
      return
    }
    credential.code = nil
    credential.attempts = 0
    credential.notBefore = .min
    switch outcome {
    case .granted:
      state.wasActivated = true
      if let venue, let active = gate?.venue, venue != active {
        // The runtime keeps the activation until that venue is active.
        effects.append(.notice(.activatedElsewhere(venue)))
        persist(.full)
        return
      }
      credentialVenue = venue ?? gate?.venue
      state.isActivated = true
      // A consent that was reported before is reported again: the server knows it for another identity or venue.
      if state.consent != nil { noteConsentChange() }
      persist(.full)
      advance(now, into: &effects)
      drain()
    case .refused: effects.append(.notice(.inviteRefused))
    case .gone: forget(now, erasedBy: configuration.credentialSink, into: &effects)
    case .failed: break
    }
  }

  mutating func takeErasure(
    _ erased: DeviceID, _ sink: SinkID, _ isDone: Bool, _ retryAfter: TimeSpan?, _ jitter: Double, _ now: ClockReading,
    into effects: inout EffectBuffer
  ) {
    guard let index = state.erasures.firstIndex(where: { $0.device == erased && $0.sink == sink }) else { return }
    if isDone {
      state.erasures.remove(at: index)
      if !state.erasures.contains(where: { $0.device == erased }) {
        effects.append(.erasureDone(erased))
        effects.append(.notice(.erased(erased)))
      }
      persist(.full)
    } else {
      state.erasures[index].isInFlight = false
      state.erasures[index].attempts += 1
      state.erasures[index].notBefore = Backoff.end(
        now, attempts: state.erasures[index].attempts, retryAfter: retryAfter, jitter: jitter, configuration)
    }
  }

  /// Reports the person's consent to the server. A consent to recording alone concerns no server, so it is reported
  /// only when the server already knows of more.
  mutating func considerConsent(_ now: ClockReading, into effects: inout EffectBuffer) {
    guard let consent = state.consent, mustReport(consent), !credential.isConsentInFlight,
      credential.consentNotBefore <= now.monotonic.milliseconds
    else { return }
    if needsActivation, !hasToken(now, into: &effects) { return }
    credential.isConsentInFlight = true
    effects.append(.reportConsent(consent))
  }

  func mustReport(_ consent: Consent) -> Bool {
    state.isConsentUnsent && (consent.share != nil || state.isConsentKnown) && (!needsActivation || state.isActivated)
      && configuration.consentSink != nil
  }

  var needsActivation: Bool { configuration.sinks.contains { $0.needsActivation } }

  mutating func takeConsentTold(
    _ outcome: CredentialOutcome, _ jitter: Double, _ now: ClockReading, into effects: inout EffectBuffer
  ) {
    credential.isConsentInFlight = false
    switch outcome {
    case .granted:
      credential.consentAttempts = 0
      // A consent that changed while its report was in flight must be reported again.
      state.isConsentUnsent = credential.isConsentStale
      state.isConsentKnown = true
      persist()
    case .refused:
      // The server keeps no record of consents, and needs none to take the rows.
      state.isConsentUnsent = false
      persist()
    case .gone: forget(now, erasedBy: configuration.credentialSink, into: &effects)
    case .failed(let retryAfter):
      credential.consentAttempts += 1
      // The token may be at fault; a fresh one is requested once.
      if credential.consentAttempts == 2, needsActivation { credential.until = nil }
      credential.consentNotBefore = Backoff.end(
        now, attempts: credential.consentAttempts, retryAfter: retryAfter, jitter: jitter, configuration)
    }
    credential.isConsentStale = false
  }
}
