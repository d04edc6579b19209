import CordonCore
import CordonIngest
import CordonStudies
import CordonSupport

/// The study in a run: participants and their phones, reminders, credits and payments.
extension CollectionRun {
  /// Everything before the first fault.
  func setUp() throws {
    try setUpForms()
    guard let service = server.service else { throw TortureError("no studies") }
    var study = Study(
      code: study, title: "Seeds", state: .open, begins: time, ends: time + .days(60),
      consents: [ConsentText(version: 1, texts: [.init("en", "I agree")])])
    var rewards = RewardRules()
    (rewards.minutesPerCredit, rewards.minimumMinutes, rewards.minimumPayout) = (10, 10, 1)
    (rewards.closesAfter, rewards.approvalAbove) = (.hours(6), 40)
    study.rewards = rewards
    try service.save(study, by: "op-admin", now: time)
    for number in CollectionPlan.senders(.participant) {
      let destination = "account-\(number)"
      let identity = Identity(pushService: "file", pushToken: "push-\(number)", payment: destination)
      let enrolled = try service.enrol(
        EnrolmentRequest(study: study.code, consent: 1, identity: identity), now: time)
      var participant = CollectionParticipant(number: number, enrolled: enrolled, destination: destination)
      participant.add(.trackingStarted, at: time, &random)
      participants.append(participant)
      agenda.add(.upload(number), at: after(1...30))
      agenda.add(.day(number), at: 24 * CollectionRun.hour - 900_000 + Int64(number) * 1_000)
    }
    agenda.add(.job, at: CollectionRun.hour)
  }

  /// The index of a sender's participant.
  func index(_ sender: Int) -> Int { sender - CollectionPlan.senders(.participant).lowerBound }

  // MARK: Participants

  /// The positions of a day, or its pause.
  func endDay(_ sender: Int) {
    let index = index(sender)
    guard !isCalm, !participants[index].isLeaving else { return }
    agenda.add(.day(sender), at: now + 24 * CollectionRun.hour)
    let day = Instant(milliseconds: CollectionRun.start + now / (24 * CollectionRun.hour) * 24 * CollectionRun.hour)
    if participants[index].isToPause {
      participants[index].isToPause = false
      participants[index].add(.paused, at: day + .minutes(30), &random)
      participants[index].add(.resumed, at: day + .hours(23) + .minutes(30), &random)
      return
    }
    let credits = Int64(random.nextIndex(below: 6))
    if credits > 0 { participants[index].walk(from: day + .hours(8), credits: credits, &random) }
  }

  /// Lets a participant act by a fault of the plan; returns whether there is still a participant.
  func act(_ fault: PlannedCollectionFault) -> Bool {
    let index = index(fault.sender)
    guard !participants[index].isLeaving else { return false }
    switch fault.fault {
    case .eraseParticipant, .leaveStudy:
      participants[index].isLeaving = true
      participants[index].uploads.append(fault.fault == .leaveStudy ? .leave : .erase)
    case .pauseStudy: participants[index].isToPause = true
    default:
      let isGiven = !participants[index].hasLocation
      participants[index].hasLocation = isGiven
      participants[index].add(.permissionsUpdate, at: time, permission: .location, isGiven: isGiven, &random)
    }
    return true
  }

  /// Sends the oldest waiting request of a phone.
  func upload(_ sender: Int) {
    let index = index(sender)
    agenda.add(.upload(sender), at: after(15...60))
    guard let first = participants[index].uploads.first else { return }
    participants[index].awaited = send(.upload(first), from: sender)
  }

  func answerUpload(_ message: CollectionMessage) {
    guard let service = server.service, case .upload(let upload) = message.body else { return }
    let index = index(message.sender)
    do throws(StudyError) {
      try perform(upload, of: index, service)
      if server.isDead { return bury() }
      reply(.init(status: 200, json: .null), to: message)
    } catch {
      if server.isDead { return bury() }
      switch error.code {
      // A late repetition of a request that was answered before.
      case .hasLeft, .noSuchParticipant: reply(.init(status: 409, json: .null), to: message)
      default:
        trouble(error, in: "an upload")
        reply(.init(status: 503, json: .null), to: message)
      }
    }
  }

  private func perform(
    _ upload: CollectionParticipant.Upload, of index: Int, _ service: StudyService
  ) throws(StudyError) {
    let participant = try service.participant(key: participants[index].key)
    switch upload {
    case .events(let body): _ = try service.addEvents(StudyFields(body), of: participant, now: time)
    case .locations(let body):
      let receipt = try service.addLocations(StudyFields(body), of: participant, now: time)
      if receipt.outside > 0 { fail("\(receipt.outside) positions of a participant are not taken") }
    case .leave:
      try service.leave(participant, now: time)
      if !server.isDead { participants[index].hasLeft = true }
    case .erase:
      try service.erase(participant, by: "participant", now: time)
      if !server.isDead { participants[index].isErased = true }
    }
  }

  func receiveUpload(_ answer: CollectionServer.Answer, to message: CollectionMessage) {
    let index = index(message.sender)
    guard participants[index].awaited == message.number, !participants[index].uploads.isEmpty else { return }
    participants[index].awaited = 0
    if answer.status == 503 { return }
    // An erasure that was interrupted may be complete when it is requested again.
    if answer.status == 409 {
      if participants[index].uploads.first == .erase {
        participants[index].isErased = true
      } else {
        fail("a participant is refused who is there")
      }
    }
    participants[index].uploads.removeFirst()
  }

  // MARK: Jobs

  /// The work that no request asks for.
  func runJobs() {
    agenda.add(.job, at: now + 2 * CollectionRun.hour)
    guard let service = server.service else { return }
    do {
      try server.tick(now: time)
      try remind(service)
      if now / CollectionRun.hour % 4 == 1 { try reward(service) }
    } catch {
      trouble(error, in: "a job")
    }
    bury()
  }

  private func remind(_ service: StudyService) throws {
    for due in try service.claimReminders(now: time) {
      guard let participant = participants.first(where: { $0.id == due.reminder.participant }) else {
        fail("a reminder goes to nobody")
        continue
      }
      if participant.hasLeft { fail("a reminder goes to a participant who left") }
      if participant.isErased { fail("a reminder goes to a participant who is erased") }
      let minute = now / 60_000 % 1_440
      if minute < 8 * 60 || minute >= 21 * 60 { fail("a reminder comes in the quiet hours") }
      combine(due.message.key.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
      try service.record(take(.failedPush) ? .failed : .sent, of: due)
    }
  }

  private func reward(_ service: StudyService) throws {
    _ = try service.earn(study, now: time)
    _ = try service.reserve(study, now: time)
    let waiting = try LedgerBook(verifying: service.store.ledger(of: study)).payouts.filter { $0.state == .reserved }
    for payout in waiting {
      // A refusal gives the credits back.
      let isApproved = isCalm || random.nextIndex(below: 10) > 0
      try service.decide(payout.number, of: study, isApproved: isApproved, by: "op-admin", now: time)
    }
    let orders = try service.orders(study)
    if !orders.isEmpty, take(.killBeforePayment) { return kill() }
    for order in orders {
      let fate: PaymentBooks.Fate = take(.lostPayment) ? .lose : take(.refusedPayment) ? .refuse : .pay
      let result = books.pay(order, fate)
      combine(UInt64(order.payout) << 32 | UInt64(order.amount))
      trace("payout \(order.payout) of \(order.amount): \(result)")
      checkPayments(of: order.destination)
      if take(.killAfterPayment) { return kill() }
      try service.record(result, of: order, now: time)
    }
  }

  /// Checks that nobody was paid more than they earned.
  private func checkPayments(of destination: String) {
    guard let participant = participants.first(where: { $0.destination == destination }) else {
      return fail("money goes to nobody")
    }
    let received = books.received[destination] ?? 0
    if received > participant.earned * 10 {
      fail("a participant is paid \(received) for \(participant.earned) credits")
    }
  }
}
