/// The faults. The raw value is the name in histograms.
package enum TortureFault: String, CaseIterable, Hashable, Sendable {
  // Messages.
  case dropRequest = "drop_request"
  case dropResponse = "drop_response"
  case delayRequest = "delay_request"
  case delayResponse = "delay_response"
  case repeatRequest = "repeat_request"
  case repeatResponse = "repeat_response"
  case reorder
  case truncateRequest = "truncate_request"
  case corruptRequest = "corrupt_request"
  case halfBody = "half_a_body"
  case corruptResponse = "corrupt_response"
  case status401 = "status_401"
  case status403 = "status_403"
  case status409 = "status_409"
  case status410 = "status_410"
  case status413 = "status_413"
  case status429 = "status_429"
  case status500 = "status_500"
  case status503 = "status_503"
  case emptySuccess = "200_without_body"
  /// A portal on the way answers every request for minutes, with any status and any body.
  case portal
  case holes = "207_with_holes"
  // Processes and disks.
  case killPhone = "kill_phone"
  case powerLossPhone = "power_loss_phone"
  case killServer = "kill_server"
  case powerLossServer = "power_loss_server"
  case fullDiskPhone = "full_disk_phone"
  case fullDiskServer = "full_disk_server"
  case restore
  case suspend
  case relaunch
  case secondProcess = "second_process"
  // The world.
  case clockForward = "clock_forward"
  case clockBack = "clock_back"
  case clockBehind = "clock_behind"
  case offline
  // People.
  case withdraw
  case pause
  case rotateTokens = "rotate_tokens"
  case changeVenue = "change_venue"
  case eraseByServer = "erase_by_server"
  // Places outside of venues; only in runs with both kinds of consent.
  /// The person takes back the consent for places outside of venues.
  case retractEverywhere = "retract_everywhere"
  /// A trip begins, or the person ends it.
  case trip
  /// The health platform ends its access token, in the middle of whatever is sent.
  case endToken = "end_token"
  /// The system pauses positioning, although the person may be on the way.
  case systemPause = "system_pause"
  /// The system reports that the device left the circle of a pause, whether there is one or not.
  case leaveFence = "leave_fence"
  /// The system reports a visit that may be none.
  case visit

  /// Whether it affects a message.
  var isOfNetwork: Bool {
    guard let index = TortureFault.allCases.firstIndex(of: self) else { return false }
    return index <= (TortureFault.allCases.firstIndex(of: .holes) ?? 0)
  }

  /// Whether it needs a run with both kinds of consent.
  var isOfEverywhere: Bool {
    switch self {
    case .retractEverywhere, .trip, .endToken, .systemPause, .leaveFence, .visit: true
    default: false
    }
  }

  /// Whether it ends what a phone knows about where it is: a consent, a pause, the clock or the process.
  var endsEvidence: Bool {
    switch self {
    case .killPhone, .powerLossPhone, .relaunch, .clockForward, .clockBack, .withdraw, .retractEverywhere, .pause: true
    default: false
    }
  }

  /// Whether it affects the server.
  var isOfServer: Bool {
    switch self {
    case .killServer, .powerLossServer, .fullDiskServer, .rotateTokens, .restore, .clockBehind: true
    default: false
    }
  }
}

/// A fault with its time and place. Shrinking removes faults one by one.
package struct PlannedFault: Hashable, Sendable {
  /// Milliseconds since the beginning of the run.
  package var at: Int64
  /// The phone; 0 for faults of the server.
  package var phone: Int
  /// The kind of fault.
  package var fault: TortureFault
  /// Its strength: milliseconds, effects or bytes, depending on the fault.
  package var amount: Int64

  /// One line: `612000 ms, phone 1: kill_phone 7`.
  package var description: String {
    "\(at) ms, \(fault.isOfServer ? "server" : "phone \(phone)"): \(fault.rawValue) \(amount)"
  }
}
