import CordonCore

extension Monitor {
  mutating func give(_ consent: Consent, at now: Moment, into effects: inout EffectBuffer) {
    state.consent = consent
    persist(.full)
    advance(now, into: &effects)
    drain()
  }

  /// The person takes the consent back: nothing more is recorded or sent, what is here goes, and the server is
  /// asked to forget until it says that it has.
  mutating func withdraw(_ now: Moment, into effects: inout EffectBuffer) {
    guard state.consent != nil else { return }
    forget(now, asksServer: true, into: &effects)
  }

  /// Ends this identity. Consent is for a device that is known; a new one has to be asked again.
  mutating func forget(_ now: Moment, asksServer: Bool, into effects: inout EffectBuffer) {
    if state.accounting.held > 0 {
      // The held fix is not worth storing only to be erased; it counts as thinned.
      thinning.held = nil
      state.accounting.held = 0
      state.accounting.thinned += 1
    }
    thinning = ThinningState()
    stillness.place = nil
    #if CORDON_BUGS
      if !DeliberateBug.keepCollecting.isActive { state.consent = nil }
    #else
      state.consent = nil
    #endif
    state.isPaused = false
    state.pausedUntil = nil
    recent = RecentFixes()
    lastKept = nil
    effects.append(.wipe)
    if asksServer, settings.sinks.contains(where: { $0.id == .cordon }) {
      state.erasures.append(Erasure(device: device))
    }
    effects.append(.renewIdentity)
    state.isActivated = false
    credential = CredentialState()
    for index in channels.indices {
      channels[index] = Channel(sink: channels[index].sink, batchLimit: max(1, settings.batchRows))
    }
    persist(.full)
    isQueueTouched = true
    advance(now, into: &effects)
  }

  /// The server does not take this device's rows any longer. The queue stays, for a new invite code.
  mutating func deactivate(_ now: Moment, into effects: inout EffectBuffer) {
    guard state.isActivated else { return }
    state.isActivated = false
    credential = CredentialState()
    effects.append(.forgetCredentials)
    effects.append(.notice(.deactivated))
    persist()
    advance(now, into: &effects)
  }

  mutating func requestActivation(code: String, at now: Moment, into effects: inout EffectBuffer) {
    // An invite code leaves the phone only for someone who consented.
    guard state.consent != nil, !state.isActivated, !credential.isActivationInFlight else { return }
    credential.code = code
    credential.attempts = 0
    credential.notBefore = .min
    isQueueTouched = true
  }

  mutating func takeActivation(
    _ outcome: CredentialOutcome, _ jitter: Double, _ now: Moment, into effects: inout EffectBuffer
  ) {
    credential.isActivationInFlight = false
    if case .failed(let retryAfter) = outcome {
      credential.attempts += 1
      credential.notBefore = Backoff.end(
        now, attempts: credential.attempts, retryAfter: retryAfter, jitter: jitter, settings)
      return
    }
    credential.code = nil
    credential.attempts = 0
    credential.notBefore = .min
    switch outcome {
    case .granted:
      state.isActivated = true
      persist(.full)
      advance(now, into: &effects)
      drain()
    case .refused: effects.append(.notice(.inviteRefused))
    case .gone: forget(now, asksServer: false, into: &effects)
    case .failed: break
    }
  }

  mutating func takeErasure(
    _ erased: DeviceID, _ isDone: Bool, _ retryAfter: TimeSpan?, _ jitter: Double, _ now: Moment,
    into effects: inout EffectBuffer
  ) {
    guard let index = state.erasures.firstIndex(where: { $0.device == erased }) else { return }
    if isDone {
      state.erasures.remove(at: index)
      effects.append(.erasureDone(erased))
      effects.append(.notice(.erased(erased)))
      persist(.full)
    } else {
      state.erasures[index].isInFlight = false
      state.erasures[index].attempts += 1
      state.erasures[index].notBefore = Backoff.end(
        now, attempts: state.erasures[index].attempts, retryAfter: retryAfter, jitter: jitter, settings)
    }
  }
}
