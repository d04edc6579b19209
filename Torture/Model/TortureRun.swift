import Cordon
import CordonCore
import CordonIngest
import CordonMonitoring
import Foundation

/// One run of a plan: phones, network and server with one clock, and the checker.
package final class TortureRun {
  /// The result of a run.
  package struct Outcome: Hashable, Sendable {
    /// The broken promises, in words; the first few.
    package var violations: [String]
    /// The number of times each fault had an effect on a message, a process, a disk, a clock or a person.
    package var faults: [String: Int]
    /// Fixes that phones received.
    package var fixes: Int
    /// Rows on the server at the end.
    package var rows: Int
    /// Exposure notices that phones reported.
    package var notices: Int
    /// A hash of all events, in order.
    package var digest: String
  }

  /// The wall clock at the beginning, without offsets.
  static let start: Int64 = 1_767_254_400_000
  /// The maximum time for recovery after the faults.
  static let calmBound: Int64 = 4 * 3_600_000

  let plan: TorturePlan
  /// The venue, the same for every run.
  private static let hall = TortureSite()
  let site = TortureRun.hall
  @exclusivity(unchecked) private(set) var phones: [TorturePhone] = []
  private(set) var server: TortureServer
  /// The receivers of rows from outside of the venue.
  let receivers: TortureReceivers
  @exclusivity(unchecked) var network: TortureNetwork
  @exclusivity(unchecked) private var next = 0
  @exclusivity(unchecked) private(set) var now: Int64 = 0
  /// Faults that could not have an effect yet, and the times of their next attempts.
  private var postponed: [(at: Int64, fault: PlannedFault)] = []
  private var faults: [String: Int] = [:]
  private var violations: [String] = []
  var erasedByServer: Set<DeviceID> = []
  var perhapsErased: Set<DeviceID> = []
  /// Devices whose secret the server deleted on request.
  private var setFree: Set<DeviceID> = []
  @exclusivity(unchecked) var serverFullUntil: Int64?
  /// The end of the server's clock error.
  @exclusivity(unchecked) var serverLag: Int64 = 0
  @exclusivity(unchecked) var serverLagsUntil: Int64?
  /// Acknowledged rows that a restore lost or reverted: the backup is older than their last changes.
  var lostByRestore: Set<FixID> = []
  /// Whether a backup was restored: the server may not know a device that was activated since.
  var hasRestored = false
  var notices = TortureNotices()
  /// Devices that an administrator freed: they stay known when their former holder has their data erased.
  var freed: Set<DeviceID> = []
  @exclusivity(unchecked) private var nextBackup: Int64 = .max
  var serverPower: (loses: Bool, seed: UInt64) = (false, 0)
  /// A fault that will kill the server.
  var awaitedServerDeath: TortureFault?
  @exclusivity(unchecked) private var nextServerTick: Int64 = 0
  @exclusivity(unchecked) private var digest = SipHash128(key: (3, 4))
  @exclusivity(unchecked) var isCalm = false

  /// Prepares a run. `trace` receives a line, with milliseconds and phone, for all that a phone receives, sends and
  /// reports.
  package init(_ plan: TorturePlan, trace: ((String) -> Void)? = nil) throws {
    self.plan = plan
    TortureDisk.reset(seed: plan.seed)
    network = TortureNetwork(plan)
    receivers = TortureReceivers(seed: plan.seed)
    server = try TortureServer(
      site: site, seed: plan.seed, storage: plan.storage, now: Instant(milliseconds: TortureRun.start))
    phones = (0..<plan.phones).map { TorturePhone(number: $0, plan: plan, site: site) }
    for phone in phones {
      phone.report = trace
      phone.isMadeNotice = { [unowned self] in notices.has($0, for: $1) }
      if plan.isEverywhere { phone.platform = TorturePlatform(seed: plan.seed, phone: phone.number, receivers) }
      phone.mayBeErased = { [unowned self] in erasedByServer.contains($0) || perhapsErased.contains($0) }
      phone.mayBeForgotten = { [unowned self] in
        erasedByServer.contains($0) || perhapsErased.contains($0) || setFree.contains($0) || hasRestored
      }
    }
    // Backups cost time, and are needed only for a restore.
    if plan.storage == .sqlite, plan.faults.contains(where: { $0.fault == .restore }) { nextBackup = 5 * 60_000 }
  }

  var serverTime: Instant { Instant(milliseconds: TortureRun.start + now - serverLag) }

  func fail(_ text: String) {
    if violations.count < 8 { violations.append("\(now) ms, server: \(text)") }
  }

  func note(_ fault: TortureFault) { faults[fault.rawValue, default: 0] += 1 }

  /// Runs the plan.
  package func run() -> Outcome {
    for phone in phones {
      phone.launch(0)
      activate(phone)
      finish(phone)
    }
    live(until: plan.duration)
    calm()
    let end = plan.duration + TortureRun.calmBound
    while now < end, !isAtRest { live(until: min(end, now + 60_000)) }
    if !isAtRest { fail("not at rest after four hours: \(unrest)") }
    check()
    for phone in phones { for death in phone.deaths { note(death) } }
    var all = violations
    for phone in phones { all += phone.violations }
    let (high, low) = digest.finalize()
    return Outcome(
      violations: Array(all.prefix(8)), faults: faults, fixes: phones.reduce(0) { $0 + $1.fixesGiven }, rows: rowCount,
      notices: phones.reduce(0) { $0 + $1.noticePatterns.count },
      digest: String(high, radix: 16) + "-" + String(low, radix: 16))
  }

  /// Rows on the server at the end.
  var rowCount = 0

  // MARK: Time

  private func live(until end: Int64) {
    while now < end {
      var due = min(end, network.nextArrival, nextServerTick)
      if next < plan.faults.count, !isCalm { due = min(due, plan.faults[next].at) }
      for waiting in postponed { due = min(due, waiting.at) }
      if !isCalm { due = min(due, notices.next) }
      if let up = server.downUntil { due = min(due, up) }
      if let full = serverFullUntil { due = min(due, full) }
      for phone in phones { due = min(due, phone.nextDue(now)) }
      now = max(now, due)
      if now >= end { break }
      step()
    }
    now = max(now, end)
  }

  private func step() {
    if !postponed.isEmpty {
      let due = postponed.filter { $0.at <= now }
      postponed.removeAll { $0.at <= now }
      for waiting in due { tryToStrike(waiting.fault) }
    }
    while !isCalm, next < plan.faults.count, plan.faults[next].at <= now {
      tryToStrike(plan.faults[next])
      next += 1
    }
    if let up = server.downUntil, up <= now { restartServer() }
    if let full = serverFullUntil, full <= now {
      server.setFull(false)
      serverFullUntil = nil
    }
    if let end = serverLagsUntil, end <= now {
      serverLag = 0
      serverLagsUntil = nil
    }
    if !isCalm, notices.next <= now { makeNotices() }
    if nextBackup <= now {
      server.backUp()
      nextBackup = now + 10 * 60_000
    }
    if nextServerTick <= now {
      server.tick(serverTime)
      nextServerTick = now + 30_000
      burySomeServer()
    }
    for going in network.arrivals(at: now) { arrive(going) }
    for coming in network.returns(at: now) {
      let phone = phones[coming.phone]
      guard phone.life == coming.life, phone.isUp else { continue }
      if phone.suspendedUntil > now {
        // A sleeping process receives its answers when it wakes.
        var later = coming
        later.due = phone.suspendedUntil
        network.coming.append(later)
        continue
      }
      digest.combine(word: UInt64(bitPattern: now))
      digest.combine(word: coming.response.number &* 1_000 &+ UInt64(coming.response.status))
      if TortureTrips.isTrip(coming.request) {
        phone.trips?.receive(coming.response)
        continue
      }
      if coming.request.sink == .fhir, coming.response.status == 401 { phone.platform?.noteRefusal(phone.wall(now)) }
      phone.receive(now, coming)
      finish(phone)
    }
    for phone in phones where phone.nextDue(now) <= now { live(phone) }
  }

  /// Performs a fault; one without an effect, such as a kill of a dead process, is tried again later.
  private func tryToStrike(_ fault: PlannedFault) {
    if isCalm || strike(fault) { return }
    postponed.append((now + 20_000, fault))
  }

  private func live(_ phone: TorturePhone) {
    if let up = phone.offUntil {
      guard up <= now else { return }
      phone.launch(now)
      if phone.isUp { activate(phone) }
      finish(phone)
      return
    }
    if let full = phone.isFullUntil, full <= now {
      phone.setFull(until: nil)
    }
    if let offline = phone.offlineUntil, offline <= now {
      phone.offlineUntil = nil
      phone.send(now, .network(.unmetered))
      finish(phone)
    }
    if phone.isUp, phone.hasTimers, phone.timerDue <= now {
      phone.wake(now)
      finish(phone)
    }
    if phone.nextAppCheck <= now || phone.consentsAgainAt.map({ $0 <= now }) ?? false {
      phone.check(app: now)
      activate(phone)
      finish(phone)
      followTrips(of: phone)
    }
    while phone.nextTick <= now {
      if phone.walk(now) { finish(phone) }
      if phone.walkAgain(now) { finish(phone) }
    }
    while phone.hearSystem(now) { finish(phone) }
  }

  private func activate(_ phone: TorturePhone) {
    guard let seen = phone.seen, seen.phase == .needsActivation else { return }
    // An administrator frees no device while its app still has to write a withdrawal.
    if phone.isStuck(now), !seen.hasUnfinishedWrites, server.isUp {
      setFree.insert(seen.device)
      server.setFree(seen.device, serverTime)
      freed.insert(seen.device)
    }
    phone.send(now, .invite(code: server.inviteCode))
  }

  /// Sends the requests of a phone.
  func finish(_ phone: TorturePhone) {
    guard let requests = phone.settle(now) else { return }
    for request in requests {
      check(request, of: phone)
      digest.combine(word: UInt64(bitPattern: now))
      digest.combine(word: request.number << 8 | UInt64(phone.number))
      if case .positions(let rows, _) = request.body { for row in rows { digest.combine(word: row.id.low) } }
      if request.sink == .file {
        keep(request, of: phone)
      } else if let endpoint = phone.endpoints[request.sink] ?? network.endpoints[request.sink] {
        send(request, at: endpoint, of: phone)
      }
    }
  }

  /// Sends a request, unless the phone has no network.
  func send(_ request: SinkRequest, at endpoint: SinkEndpoint, of phone: TorturePhone) {
    if phone.offlineUntil != nil { return }
    var endpoint = endpoint
    if request.sink == .fhir {
      endpoint.token = phone.platform?.token(phone.wall(now), mayFail: !isCalm)
      if endpoint.token == nil {
        return network.fail(request, phone: phone.number, life: phone.life, now: now)
      }
    }
    phone.trips?.set(phone.moment(now))
    guard let message = endpoint.message(for: request) else { return }
    if request.sink == .overland || request.sink == TortureTrips.mixed { check(message, of: request, by: phone) }
    if let fault = network.send(request, message, at: endpoint, phone: phone.number, life: phone.life, now: now) {
      note(fault)
    }
  }

  // MARK: Server

  private func arrive(_ going: TortureNetwork.Going) {
    if let answer = network.substitute(for: going) {
      // A portal was counted when it was opened.
      if let fault = going.fault, !going.isByPortal { note(fault.fault) }
      _ = network.reply(answer, to: going, now: now)
      return
    }
    if going.request.sink != .cordon {
      let answer = receivers.handle(going, wall: phones[going.phone].wall(now), mayFail: !isCalm)
      for problem in receivers.problems { fail(problem) }
      receivers.forgetProblems()
      if let fault = network.reply(answer, to: going, now: now) { note(fault) }
      return
    }
    guard let answer = server.handle(going.message, peer: going.phone, now: serverTime) else {
      burySomeServer()
      return
    }
    digest.combine(word: UInt64(answer.status))
    check(answer, to: going)
    if let fault = network.reply(answer, to: going, now: now) { note(fault) }
  }

  /// Restarts a server that died.
  private func burySomeServer() {
    guard server.isUp, server.isDead else { return }
    if let awaitedServerDeath { note(awaitedServerDeath) }
    awaitedServerDeath = nil
    server.die(until: now + 8_000)
  }

  private func restartServer() {
    do {
      try server.restart(losingPower: serverPower.loses, powerSeed: serverPower.seed)
      serverPower = (false, 0)
    } catch {
      if let fault = error as? StoreFault, fault.kind == .corrupt { fail("the server does not start: \(fault)") }
      server.die(until: now + 20_000)
    }
  }
}
