import CordonCollection
import CordonCore
import CordonForms
import CordonIngest
import CordonStudies
import CordonSupport

/// One run of a plan with forms and studies: copies, phones, network, server and provider with one clock, and the checker.
package final class CollectionRun {
  /// The result of a run.
  package struct Outcome: Hashable, Sendable {
    /// The broken promises, in words; the first few.
    package var violations: [String]
    /// The number of times each fault had an effect.
    package var faults: [String: Int]
    /// Revisions that the server acknowledged.
    package var revisions: Int
    /// Orders that the provider paid.
    package var payments: Int
    /// A hash of all events, in order.
    package var digest: String
  }

  /// The wall clock at the beginning: midnight, UTC.
  static let start: Int64 = 1_767_225_600_000
  /// The maximum time for recovery after the faults.
  static let calmBound: Int64 = 10 * 86_400_000
  static let hour: Int64 = 3_600_000

  let plan: CollectionPlan
  let server: CollectionServer
  let study: StudyCode
  var agenda = CollectionAgenda()
  var random: RandomStream
  var copies: [CollectionCopy] = []
  var participants: [CollectionParticipant] = []
  var truth = CollectionTruth()
  var cases = CollectionCases()
  var books = PaymentBooks()
  private(set) var now: Int64 = 0
  private(set) var isCalm = false
  /// Faults of messages that wait for the next one of their sender.
  private var waiting: [[PlannedCollectionFault]]
  var offlineUntil: [Int64]
  /// Faults of the server that wait for their moment, by kind.
  private var armed: [CollectionFault: Int] = [:]
  /// Copies whose next exchange the server answers late.
  var slow: Set<Int> = []
  private var power: (loses: Bool, seed: UInt64) = (false, 0)
  private var awaitedDeath: CollectionFault?
  private(set) var isFull = false
  private var sent: UInt64 = 0
  private var faults: [String: Int] = [:]
  private var violations: [String] = []
  private var digest = SipHash128(key: (7, 8))
  private let report: ((String) -> Void)?

  /// Prepares a run. `trace` receives a line for all that is sent and answered.
  package init(_ plan: CollectionPlan, trace: ((String) -> Void)? = nil) throws {
    self.plan = plan
    report = trace
    TortureDisk.reset(seed: plan.seed)
    random = RandomStream(seed: plan.seed, stream: 0xc3)
    guard let study = StudyCode("seeds") else { throw TortureError("no code of a study") }
    self.study = study
    let senders = CollectionPlan.senders(.anySender).count
    waiting = Array(repeating: [], count: senders)
    offlineUntil = Array(repeating: 0, count: senders)
    server = try CollectionServer(seed: plan.seed, now: Instant(milliseconds: CollectionRun.start))
    try setUp()
  }

  var time: Instant { Instant(milliseconds: CollectionRun.start + now) }

  func fail(_ text: String) {
    if violations.count < 8 { violations.append("\(now) ms, server: \(text)") }
  }

  func note(_ fault: CollectionFault) { faults[fault.rawValue, default: 0] += 1 }

  func trace(_ text: @autoclosure () -> String) { report?("\(now) ms: \(text())") }

  func combine(_ word: UInt64) {
    digest.combine(word: UInt64(bitPattern: now))
    digest.combine(word: word)
  }

  /// A time from now on, drawn between two.
  func after(_ minutes: ClosedRange<Int>) -> Int64 {
    let whole = Int64(minutes.lowerBound + random.nextIndex(below: minutes.count))
    return now + whole * 60_000 + Int64(random.nextIndex(below: 60_000))
  }

  /// Runs the plan.
  package func run() -> Outcome {
    for fault in plan.faults { agenda.add(.fault(fault), at: fault.at) }
    live(until: plan.duration)
    calm()
    // The last day closes, and its credits are paid.
    live(until: plan.duration + 3 * 86_400_000)
    let end = plan.duration + CollectionRun.calmBound
    while now < end, unrest != nil { live(until: now + CollectionRun.hour) }
    if let unrest { fail("not at rest after ten days: \(unrest)") }
    check()
    solveConflicts()
    live(until: now + 2 * 86_400_000)
    checkConflictsAreSolved()
    let (high, low) = digest.finalize()
    return Outcome(
      violations: violations, faults: faults, revisions: truth.acknowledged.count, payments: books.paid.count,
      digest: String(high, radix: 16) + "-" + String(low, radix: 16))
  }

  private func live(until end: Int64) {
    while let next = agenda.next(before: end) {
      now = max(now, next.time)
      perform(next.work)
    }
    now = max(now, end)
  }

  private func perform(_ work: CollectionWork) {
    switch work {
    case .edit(let sender): edit(sender)
    case .exchange(let sender, let isRegular): exchange(sender, isRegular: isRegular)
    case .upload(let sender): upload(sender)
    case .day(let sender): endDay(sender)
    case .operate: operate()
    case .job: runJobs()
    case .fault(let fault):
      // One without an effect, such as a kill of a dead process, is tried again later.
      if !isCalm, !strike(fault) { agenda.add(.fault(fault), at: now + 20 * 60_000) }
    case .arrive(let message): arrive(message)
    case .perform(let message, let sender): answer(message, as: sender)
    case .answer(let message, let answer): receive(answer, to: message)
    case .restart: restart()
    case .room:
      server.disk.setFull(false)
      isFull = false
    case .erase(let erasure): erase(erasure)
    }
  }

  // MARK: Network

  /// Sends a request; returns its number. The network may lose, delay or repeat it.
  func send(_ body: CollectionMessage.Body, from sender: Int, losses: Int = 0) -> UInt64 {
    sent += 1
    var message = CollectionMessage(number: sent, sender: sender, losses: losses, body: body)
    if copies.indices.contains(sender) { message.holder = copies[sender].holder }
    guard now >= offlineUntil[sender] else { return sent }
    var due = now + 50 + Int64(random.nextIndex(below: 400))
    if !waiting[sender].isEmpty {
      let fault = waiting[sender].removeFirst()
      note(fault.fault)
      trace("\(fault.fault.rawValue) strikes request \(sent) of sender \(sender)")
      switch fault.fault {
      case .dropRequest: return sent
      case .dropResponse: message.isAnswerLost = true
      case .delayRequest: due += fault.amount
      default: agenda.add(.arrive(message), at: due + fault.amount)
      }
    }
    agenda.add(.arrive(message), at: due)
    return sent
  }

  /// Lets the server answer a request of a sender, whom it checked now, two seconds later.
  func answerLate(_ body: CollectionMessage.Body, from sender: Int, as checked: FormSender) {
    sent += 1
    let copy = copies[sender]
    let message = CollectionMessage(number: sent, sender: sender, losses: copy.losses, holder: copy.holder, body: body)
    agenda.add(.perform(message, checked), at: now + 2_000)
  }

  /// Sends a response back.
  func reply(_ answer: CollectionServer.Answer, to message: CollectionMessage) {
    combine(message.number << 16 | UInt64(answer.status))
    trace("request \(message.number) of sender \(message.sender): \(answer.status)")
    guard !message.isAnswerLost, now >= offlineUntil[message.sender] else { return }
    agenda.add(.answer(message, answer), at: now + 50 + Int64(random.nextIndex(below: 400)))
  }

  // MARK: Faults

  private func strike(_ fault: PlannedCollectionFault) -> Bool {
    switch fault.fault {
    case .dropRequest, .dropResponse, .delayRequest, .repeatRequest:
      waiting[fault.sender].append(fault)
      return true
    case .offline: offlineUntil[fault.sender] = max(offlineUntil[fault.sender], now + fault.amount)
    case .killCopy:
      copies[fault.sender].isToDie = true
      return true
    case .loseCopy:
      // A request of the former copy that arrives days later is not part of the promise: the new copy would not ask for it.
      guard !agenda.hasRequest(of: fault.sender), !copies[fault.sender].isGone else { return false }
      copies[fault.sender].lose()
    case .clock: copies[fault.sender].clock = fault.amount
    case .killServer, .powerLossServer:
      guard server.isUp, awaitedDeath == nil else { return false }
      awaitedDeath = fault.fault
      power = (fault.fault == .powerLossServer, UInt64(fault.amount))
      server.disk.kill(after: fault.amount + 1)
      return true
    case .fullDiskServer:
      guard server.isUp, !isFull else { return false }
      isFull = true
      server.disk.setFull(true)
      agenda.add(.room, at: now + fault.amount)
    case .killBeforePayment, .killAfterPayment, .lostPayment, .refusedPayment, .failedPush:
      armed[fault.fault, default: 0] += 1
      return true
    case .eraseRecord, .eraseDevice: return beginErasure(fault)
    case .resetDevice: guard handOn(fault) else { return false }
    // Participants who have gone do nothing any more.
    case .eraseParticipant, .leaveStudy, .pauseStudy, .permission: if !act(fault) { return true }
    }
    note(fault.fault)
    return true
  }

  /// Takes a fault that waits for its moment; returns whether there was one.
  func take(_ fault: CollectionFault) -> Bool {
    guard let count = armed[fault], count > 0 else { return false }
    armed[fault] = count - 1
    note(fault)
    return true
  }

  // MARK: Processes

  /// Lets the server die now.
  func kill() {
    server.disk.kill(after: 0)
    bury()
  }

  /// Restarts a server that died a while later.
  func bury() {
    guard server.isUp, server.isDead else { return }
    if let awaitedDeath { note(awaitedDeath) }
    awaitedDeath = nil
    let up = now + Int64(1 + random.nextIndex(below: 60)) * 60_000
    trace("the server died")
    server.die(until: up)
    agenda.add(.restart, at: up)
  }

  private func restart() {
    do {
      try server.restart(losingPower: power.loses, powerSeed: power.seed, time)
      power = (false, 0)
      trace("the server is up")
    } catch {
      if !isFull, !server.isDead { fail("the server does not start: \(error)") }
      server.die(until: now + 600_000)
      agenda.add(.restart, at: now + 600_000)
    }
  }

  /// A failure of the server: it died, its disk is full, or a promise is broken.
  func trouble(_ error: any Error, in what: String) {
    if server.isDead { return bury() }
    if let error = error as? StudyError, error.code == .chain { fail("the chain of the ledger is broken") }
    if !isFull { fail("\(what) failed: \(error)") }
  }

  private func calm() {
    isCalm = true
    for sender in waiting.indices { (waiting[sender], offlineUntil[sender]) = ([], 0) }
    for copy in copies.indices { (copies[copy].isToDie, copies[copy].clock) = (false, 0) }
    armed = [:]
    awaitedDeath = nil
    server.disk.disarm()
    if isFull { perform(.room) }
  }
}
