import CordonCore
import CordonMonitoring

extension MonitorStatus {
  var storeTroubles: [Trouble] {
    guard let lastError, hasUnfinishedWrites else { return [] }
    switch lastError.kind {
    case .full: return [Trouble("disk-full", "The disk is full, so nothing can be stored.", remedy: "Make room.")]
    case .locked:
      return [
        Trouble(
          "store-locked", "The key of the store is not to be had yet.",
          remedy: "Unlock the device once after its start.")
      ]
    default:
      return [
        Trouble(
          "store-failed", "The store does not take what is written: \(lastError.description).",
          remedy: "Look at the file and the disk it is on.")
      ]
    }
  }

  func phaseTroubles(isInviteRefused: Bool) -> [Trouble] {
    switch phase {
    case .off: return [Trouble("off", "Monitoring is off.", remedy: "Call start().")]
    case .needsConsent:
      return [
        Trouble(
          "no-consent", "Nobody has consented to recording, so nothing is recorded.",
          remedy: "Ask the person, and call consent(to:) with what they agreed to.")
      ]
    case .needsActivation where isInviteRefused:
      return [
        Trouble("invite-refused", "The server refused the invite code.", remedy: "Ask the venue for a new invite code.")
      ]
    case .needsActivation:
      return [
        Trouble("not-activated", "The device is not activated at its server.", remedy: "Enter an invite code.")
      ]
    case .needsVenue: return [Trouble("no-venue", "No venue is known.", remedy: "Load the venue.")]
    case .suspended:
      return [
        Trouble(
          "no-permission", "The operating system does not let the app know the position.",
          remedy: "Allow location access in the system's settings, best \"always\".")
      ]
    case .paused: return [Trouble("paused", "Monitoring is paused.", remedy: "Call resume(), or wait for its end.")]
    case .armed, .tracking, .resting:
      guard permission == .whenInUse else { return [] }
      return [
        Trouble(
          "when-in-use", "Positions come only while the app is in front.",
          remedy: "Allow location access \"always\", so that a visit is recorded with the phone in a pocket.")
      ]
    }
  }

  var fixTroubles: [Trouble] {
    guard phase == .tracking else { return [] }
    if let lastKept, time - lastKept < .minutes(2) { return [] }
    guard let lastRefusal else {
      return [
        Trouble(
          "no-fixes", "In the geofence, but no position has arrived.",
          remedy: "Look at the receiver, or at location services: they deliver nothing.")
      ]
    }
    let sentence = "In the geofence, but the last position was refused (\(lastRefusal.rawValue))."
    return [Trouble("refused-\(lastRefusal.rawValue)", sentence, remedy: lastRefusal.remedy)]
  }

  func deliveryTroubles(_ settings: Settings) -> [Trouble] {
    var troubles: [Trouble] = []
    if pendingErasures > 0 {
      troubles.append(
        Trouble(
          "erasure-pending", "A server has not confirmed yet that it erased what was withdrawn.",
          remedy: "Keep the device online; it is asked again until it has."))
    }
    if consent.map({ $0.purposes.contains(.share) }) == false {
      troubles.append(
        Trouble(
          "no-consent-to-share", "The person consented to recording, not to sending.",
          remedy: "Ask for consent to share, or export what the device holds."))
      return troubles
    }
    guard let lastAnswer, !(200..<300).contains(lastAnswer.status), accounting.onPhone > 0 else {
      return troubles + quarantineTroubles
    }
    let age = queues.compactMap(\.oldest).min().map { time - $0 }
    let waiting = "\(accounting.onPhone) locations wait" + (age.map { ", the oldest for \($0.description)" } ?? "")
    switch lastAnswer.status {
    case 0:
      troubles.append(
        Trouble("offline", "The server does not answer; \(waiting).", remedy: "Look at the network and the address."))
    case 401:
      troubles.append(
        Trouble(
          "token-refused", "The server does not accept the token; \(waiting).",
          remedy: "Set the device's clock; then activate it again."))
    case 403:
      troubles.append(
        Trouble("forbidden", "The server refuses this device; \(waiting).", remedy: "Enter a new invite code."))
    default:
      troubles.append(
        Trouble(
          "server-fault", "The server answered with status \(lastAnswer.status); \(waiting).",
          remedy: "Nothing is lost; it is tried again. Tell whoever runs the server if it lasts."))
    }
    return troubles + quarantineTroubles
  }

  private var quarantineTroubles: [Trouble] {
    guard accounting.quarantined > 0 else { return [] }
    return [
      Trouble(
        "quarantined", "A server refused \(accounting.quarantined) locations for good; they are kept on the device.",
        remedy: "Compare the device's venue with the server's.")
    ]
  }
}

extension RefusalReason {
  /// What can be done against it.
  var remedy: String {
    switch self {
    case .tooInaccurate: "Turn on precise location and Wi-Fi, or raise maximumAccuracy."
    case .unknownAccuracy: "Use a provider that reports its accuracy."
    case .outside: "None, if the device is outside; else look at the venue's outline."
    case .future, .stale: "Set the device's clock."
    case .mocked: "Turn off the app that makes up positions."
    case .storeFailed: "Look at the disk."
    case .unrecorded: "None: nothing is recorded in this space."
    case .tooFast: "Wait; the position jumps. Indoors Wi-Fi helps."
    case .invalid: "Look at the receiver: it reports impossible values."
    case .duplicate: "Look at the receiver: it repeats itself."
    case .noConsent: "Ask the person for consent."
    case .notTracking: "Start monitoring."
    }
  }
}
