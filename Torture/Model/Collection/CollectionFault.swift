import CordonCore

/// The faults of runs with forms and studies. The raw value is the name in histograms.
package enum CollectionFault: String, CaseIterable, Hashable, Sendable {
  // Messages of a copy of forms, or of a participant's phone.
  case dropRequest = "drop_request"
  case dropResponse = "drop_response"
  case delayRequest = "delay_request"
  case repeatRequest = "repeat_request"
  /// No network for hours or days.
  case offline
  // Processes and disks.
  /// The process of a copy ends before it saved the answer to an exchange.
  case killCopy = "kill_copy"
  /// A device loses its copy and begins anew.
  case loseCopy = "lose_copy"
  case killServer = "kill_server"
  case powerLossServer = "power_loss_server"
  case fullDiskServer = "full_disk_server"
  /// The clock of a device is wrong.
  case clock
  // Payments and messages.
  /// The server dies between the reservation of payouts and their payment.
  case killBeforePayment = "kill_before_payment"
  /// The server dies between a payment and its entry in the ledger.
  case killAfterPayment = "kill_after_payment"
  /// The provider pays, and its answer is lost.
  case lostPayment = "lost_payment"
  case refusedPayment = "refused_payment"
  case failedPush = "failed_push"
  // People.
  /// An operator erases a record.
  case eraseRecord = "erase_record"
  /// An administrator erases a device, perhaps while a request of it is answered.
  case eraseDevice = "erase_device"
  /// An administrator resets a device, and somebody else gets its name. The former holder may have their data erased, perhaps
  /// while a request of theirs is answered.
  case resetDevice = "reset_device"
  case eraseParticipant = "erase_participant"
  case leaveStudy = "leave_study"
  case pauseStudy = "pause_study"
  /// A permission of a participant's phone is lost, or given again.
  case permission

  /// The senders that it can affect.
  enum Subject: Hashable, Sendable {
    case anySender, copy, device, participant, server
  }

  /// The sender that it affects.
  var subject: Subject {
    switch self {
    case .dropRequest, .dropResponse, .delayRequest, .repeatRequest, .offline: .anySender
    case .killCopy, .loseCopy, .clock: .copy
    case .eraseDevice, .resetDevice: .device
    case .eraseParticipant, .leaveStudy, .pauseStudy, .permission: .participant
    case .killServer, .powerLossServer, .fullDiskServer, .killBeforePayment, .killAfterPayment, .lostPayment,
      .refusedPayment, .failedPush, .eraseRecord:
      .server
    }
  }
}

/// A fault with its time and place. Shrinking removes faults one by one.
package struct PlannedCollectionFault: Hashable, Sendable {
  /// Milliseconds since the beginning of the run.
  package var at: Int64
  /// The number of the sender; 0 for faults of the server.
  package var sender: Int
  /// The kind of fault.
  package var fault: CollectionFault
  /// Its strength: milliseconds, effects of a disk or a choice, depending on the fault.
  package var amount: Int64

  /// One line: `612000 ms, sender 1: lose_copy 7`.
  package var description: String {
    "\(at) ms, \(fault.subject == .server ? "server" : "sender \(sender)"): \(fault.rawValue) \(amount)"
  }
}

/// The plan of a run with forms and studies. Everything follows from the seed, but the faults are a list that can be shortened.
package struct CollectionPlan: Hashable, Sendable {
  /// Copies of collectors, who share all records.
  static let collectors = 3
  /// Copies of devices, which see their own records only.
  static let devices = 2
  /// Participants of the study.
  static let participants = 4

  /// The numbers of the senders that a fault can affect.
  static func senders(_ subject: CollectionFault.Subject) -> Range<Int> {
    switch subject {
    case .anySender: 0..<collectors + devices + participants
    case .copy: 0..<collectors + devices
    case .device: collectors..<collectors + devices
    case .participant: collectors + devices..<collectors + devices + participants
    case .server: 0..<1
    }
  }

  /// Determines everything but the faults.
  package var seed: UInt64
  /// Milliseconds of virtual time with faults.
  package var duration: Int64
  /// The faults, by time.
  package var faults: [PlannedCollectionFault]

  /// The virtual hours with faults, unless others are given: eight days.
  package static let hours = 192.0

  /// The plan of a seed: 50 to 80 faults.
  package init(seed: UInt64, hours: Double = CollectionPlan.hours) {
    self.seed = seed
    duration = Int64(hours * 3_600_000)
    var random = RandomStream(seed: seed, stream: 0xc0)
    faults = []
    for _ in 0..<50 + random.nextIndex(below: 31) { faults.append(Self.fault(&random, duration)) }
    faults.sort { ($0.at, $0.sender, $0.fault.rawValue) < ($1.at, $1.sender, $1.fault.rawValue) }
  }

  private static func fault(_ random: inout RandomStream, _ duration: Int64) -> PlannedCollectionFault {
    // Half of them affect the network.
    let isOfNetwork = random.nextIndex(below: 2) == 0
    let kinds = CollectionFault.allCases.filter { ($0.subject == .anySender) == isOfNetwork }
    let kind = kinds[random.nextIndex(below: kinds.count)]
    let at = Int64(random.nextIndex(below: Int(max(1, duration - 3_600_000))))
    let senders = CollectionPlan.senders(kind.subject)
    let sender = senders.lowerBound + random.nextIndex(below: senders.count)
    // Half of the times without network last up to twelve hours, half up to a week.
    let hours = random.nextIndex(below: 2) == 0 ? 12 : 168
    let amount: Int64 =
      switch kind {
      case .offline: Int64(1 + random.nextIndex(below: hours)) * 3_600_000
      case .delayRequest, .repeatRequest: Int64(1_000 + random.nextIndex(below: 600_000))
      case .killServer, .powerLossServer: Int64(random.nextIndex(below: 80))
      case .fullDiskServer: Int64(1 + random.nextIndex(below: 240)) * 60_000
      case .clock: Int64(random.nextIndex(below: 4 * 3_600_000)) - 2 * 3_600_000
      default: Int64(random.nextIndex(below: 1_000))
      }
    return PlannedCollectionFault(at: at, sender: sender, fault: kind, amount: amount)
  }

  /// Returns the plan with only the faults at some indices, see ``places(of:)``.
  package func only(_ places: [Int]) -> CollectionPlan {
    with(Set(places).sorted().filter(faults.indices.contains).map { faults[$0] })
  }

  /// Returns the indices of another plan's faults in this one's list.
  package func places(of other: CollectionPlan) -> [Int] {
    let wanted = Set(other.faults)
    return faults.indices.filter { wanted.contains(faults[$0]) }
  }

  /// Returns the plan with other faults.
  package func with(_ faults: [PlannedCollectionFault]) -> CollectionPlan {
    var plan = self
    plan.faults = faults
    return plan
  }
}
