import CordonCore
import CordonMonitoring

extension MonitorStatus {
  var storeIssues: [MonitorIssue] {
    guard let lastError, hasUnfinishedWrites else { return [] }
    switch lastError.kind {
    case .full:
      return [
        MonitorIssue("disk-full", "The disk is full, so nothing can be stored.", remedy: "Free some space on the disk.")
      ]
    case .locked:
      return [
        MonitorIssue(
          "store-locked", "The key of the store is not available yet.",
          remedy: "Unlock the device once after its start.")
      ]
    case .superseded:
      return [
        MonitorIssue(
          "store-taken-over", "Another program has taken the store over, so this one records nothing.",
          remedy: "Release this monitor; use one monitor for each file.")
      ]
    default:
      return [
        MonitorIssue(
          "store-failed", "The store cannot be written: \(lastError.description).",
          remedy: "Check the file and the disk it is on.")
      ]
    }
  }

  func phaseIssues(_ record: DeliveryRecord) -> [MonitorIssue] {
    switch phase {
    case .off: return [MonitorIssue("off", "Monitoring is off.", remedy: "Call start().")]
    case .needsConsent where record.isErasedByServer:
      return [
        MonitorIssue(
          "erased-by-server", "The server erased this device, which ended the consent; nothing is recorded.",
          remedy: "Ask the person again, and call consent(to:); a new invite code is needed too.")
      ]
    case .needsConsent:
      return [
        MonitorIssue(
          "no-consent", "Nobody has consented to recording, so nothing is recorded.",
          remedy: "Ask the person, and call consent(to:) with what they agreed to.")
      ]
    case .needsActivation: return [activationTrouble(record)]
    case .needsVenue where isTrackingOutside: return []
    case .needsVenue: return [MonitorIssue("no-venue", "No venue is known.", remedy: "Load the venue.")]
    case .suspended:
      return [
        MonitorIssue(
          "no-permission", "The operating system denies the app access to the position.",
          remedy: "Allow location access in the system's settings, best \"always\".")
      ]
    case .paused:
      return [MonitorIssue("paused", "Monitoring is paused.", remedy: "Call resume(), or wait for its end.")]
    case .armed, .tracking, .resting:
      guard permission == .whenInUse else { return [] }
      return [
        MonitorIssue(
          "when-in-use", "Positions arrive only while the app is in the foreground.",
          remedy: "Allow location access \"always\", so that a visit is recorded with the phone in a pocket.")
      ]
    }
  }

  /// The reason why the device is not activated: no code, a refused one, or one without an answer.
  private func activationTrouble(_ record: DeliveryRecord) -> MonitorIssue {
    guard isInvitePending else {
      if record.isInviteRefused {
        return MonitorIssue(
          "invite-refused", "The server refused the invite code.", remedy: "Ask the venue for a new invite code.")
      }
      if record.isDeactivated {
        return MonitorIssue(
          "deactivated", "The server ended the activation of this device.",
          remedy: "Ask the venue for a new invite code.")
      }
      return MonitorIssue(
        "not-activated", "The device is not activated at its server.", remedy: "Enter an invite code.")
    }
    let unchecked = "The invite code has not been checked yet"
    guard let answer = record.activationAnswer else {
      return MonitorIssue("activation-pending", "\(unchecked).", remedy: "Wait for the server's answer.")
    }
    if answer.isUnreadable || answer.isUnproved {
      return MonitorIssue(
        "activation-unreadable",
        "\(unchecked): the server answers, but not as a Cordon server (a captive portal, or a wrong address).",
        remedy: "Check the network and the server's address; the code is sent again.")
    }
    if answer.status == 0 {
      return MonitorIssue(
        "activation-unreachable", "\(unchecked): the server cannot be reached.",
        remedy: "Check the network and the server's address; the code is sent again.")
    }
    return MonitorIssue(
      "activation-failed", "\(unchecked): the server answered with status \(answer.status).",
      remedy: "Wait; the code is sent again. If the fault persists, inform the operator of the server.")
  }

  var providerIssues: [MonitorIssue] {
    guard isPositioning || phase == .suspended, let providerEnd else { return [] }
    let remedy = "Call start() to read it again; if it ends again, check the receiver."
    switch providerEnd {
    case .finished:
      return [
        MonitorIssue("provider-ended", "The location provider has ended and delivers nothing more.", remedy: remedy)
      ]
    case .failed(let reason):
      return [MonitorIssue("provider-failed", "The location provider failed: \(reason).", remedy: remedy)]
    }
  }

  /// - Parameters:
  ///   - refusals: the refusals since the last accepted fix.
  ///   - lastGood: the monotonic time of that fix, which a changed wall clock does not affect.
  func fixTroubles(_ refusals: RefusalStreak, lastGood: TimeSpan?, at now: ClockReading) -> [MonitorIssue] {
    guard isPositioning else { return [] }
    if let reason = refusals.reason, refusals.count >= 3 {
      // These refusals come before the geofence check: the monitor never learns that the device is in the venue.
      switch reason {
      case .future:
        return [
          MonitorIssue(
            "clock-behind", "The device's clock is behind the time of the positions, so every position is refused.",
            remedy: "Set the device's clock.")
        ]
      case .stale:
        return [
          MonitorIssue(
            "clock-ahead", "The positions are older than this visit by the device's clock, so every one is refused.",
            remedy: "Set the device's clock; then check the time that the receiver reports.")
        ]
      case .mocked, .invalid: return [refusedTrouble(reason)]
      default: break
      }
    }
    guard phase == .tracking else { return [] }
    if let lastGood, now.monotonic - lastGood < .minutes(2) { return [] }
    guard let reason = refusals.reason else {
      return [
        MonitorIssue(
          "no-fixes", "In the geofence, but no position has arrived.",
          remedy: "Check the receiver, or location services: they deliver nothing.")
      ]
    }
    return [refusedTrouble(reason)]
  }

  private func refusedTrouble(_ reason: RefusalReason) -> MonitorIssue {
    let place = phase.isOn && phase != .armed ? "In the geofence, but the " : ""
    let sentence = (place.isEmpty ? "The " : place) + "last position was refused (\(reason.rawValue))."
    return MonitorIssue("refused-\(reason.rawValue)", sentence, remedy: reason.remedy)
  }
}

extension RefusalReason {
  /// The remedy for refusals of this reason.
  var remedy: String {
    switch self {
    case .tooInaccurate: "Turn on precise location and Wi-Fi, or raise maximumAccuracy."
    case .unknownAccuracy: "Use a provider that reports its accuracy."
    case .outside: "Nothing to do if the device is outside; otherwise check the venue's outline."
    case .future, .stale: "Set the device's clock."
    case .mocked: "Turn off the app that generates positions."
    case .storeFailed: "Check the disk."
    case .unrecorded: "Nothing to do: this space is not recorded."
    case .tooFast: "Wait; the position jumps. Indoors Wi-Fi helps."
    case .invalid: "Check the receiver: it reports impossible values."
    case .duplicate: "Check the receiver: it repeats itself."
    case .noConsent: "Ask the person for consent."
    case .notTracking: "Start monitoring."
    }
  }
}
