import Cordon
import CordonCore
import CordonIngest
import CordonMonitoring
import Foundation

/// One run of a plan: phones, network and server under one clock, and the checker beside them.
public final class TortureRun {
  /// What came of a run.
  public struct Outcome: Hashable, Sendable {
    /// Every promise that was broken, in words; the first few.
    public var violations: [String]
    /// How often each fault struck.
    public var faults: [String: Int]
    /// Fixes that were given to phones.
    public var fixes: Int
    /// Rows that the server has in the end.
    public var rows: Int
    /// A hash of everything that happened, in order.
    public var digest: String
  }

  /// The wall clock at the beginning, without offsets.
  static let start: Int64 = 1_767_254_400_000
  /// The bound within which everything has to come to rest when faults stop.
  static let calmBound: Int64 = 4 * 3_600_000

  private let plan: TorturePlan
  /// The same for every run.
  private static let hall = TortureSite()
  private let site = TortureRun.hall
  @exclusivity(unchecked) private var phones: [TorturePhone] = []
  private var server: TortureServer
  @exclusivity(unchecked) private var network: TortureNetwork
  @exclusivity(unchecked) private var next = 0
  @exclusivity(unchecked) private var now: Int64 = 0
  private var faults: [String: Int] = [:]
  private var violations: [String] = []
  private var erasedByServer: Set<DeviceID> = []
  private var perhapsErased: Set<DeviceID> = []
  @exclusivity(unchecked) private var serverFullUntil: Int64?
  private var serverPower: (loses: Bool, seed: UInt64) = (false, 0)
  @exclusivity(unchecked) private var nextServerTick: Int64 = 0
  @exclusivity(unchecked) private var digest = SipHash128(key: (3, 4))
  @exclusivity(unchecked) private var isCalm = false

  /// Prepares a run. `tell` gets a line, with milliseconds and phone, of whatever a phone hears, says and notices.
  public init(_ plan: TorturePlan, tell: ((String) -> Void)? = nil) throws {
    self.plan = plan
    TortureDisk.reset(seed: plan.seed)
    network = TortureNetwork(plan)
    server = try TortureServer(
      site: site, seed: plan.seed, storage: plan.storage, now: Instant(milliseconds: TortureRun.start))
    phones = (0..<plan.phones).map { TorturePhone(number: $0, plan: plan, site: site) }
    for phone in phones { phone.tell = tell }
  }

  private var serverTime: Instant { Instant(milliseconds: TortureRun.start + now) }

  private func fail(_ text: String) {
    if violations.count < 8 { violations.append("\(now) ms, server: \(text)") }
  }

  private func note(_ fault: TortureFault) { faults[fault.rawValue, default: 0] += 1 }

  /// Runs everything.
  public func run() -> Outcome {
    for phone in phones {
      phone.launch(0)
      activate(phone)
      finish(phone)
    }
    live(until: plan.duration)
    calm()
    let end = plan.duration + TortureRun.calmBound
    while now < end, !isAtRest { live(until: min(end, now + 60_000)) }
    check()
    var all = violations
    for phone in phones { all += phone.violations }
    let (high, low) = digest.finalize()
    return Outcome(
      violations: Array(all.prefix(8)), faults: faults, fixes: phones.reduce(0) { $0 + $1.fixesGiven }, rows: rowCount,
      digest: String(high, radix: 16) + "-" + String(low, radix: 16))
  }

  private var rowCount = 0

  // MARK: Time

  private func live(until end: Int64) {
    while now < end {
      var due = min(end, network.nextArrival, nextServerTick)
      if next < plan.faults.count, !isCalm { due = min(due, plan.faults[next].at) }
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
    while !isCalm, next < plan.faults.count, plan.faults[next].at <= now {
      strike(plan.faults[next])
      next += 1
    }
    if let up = server.downUntil, up <= now { restartServer() }
    if let full = serverFullUntil, full <= now {
      server.setFull(false)
      serverFullUntil = nil
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
        // A sleeping process gets its answers when it wakes.
        var later = coming
        later.due = phone.suspendedUntil
        network.coming.append(later)
        continue
      }
      digest.combine(word: UInt64(bitPattern: now))
      digest.combine(word: coming.response.number &* 1_000 &+ UInt64(coming.response.status))
      phone.receive(now, coming.response)
      finish(phone)
    }
    for phone in phones where phone.nextDue(now) <= now { live(phone) }
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
      phone.disk.setFull(false)
      phone.isFullUntil = nil
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
    }
    while phone.nextTick <= now {
      if phone.walk(now) { finish(phone) }
      if phone.walkAgain(now) { finish(phone) }
    }
  }

  private func activate(_ phone: TorturePhone) {
    guard let seen = phone.seen, seen.phase == .needsActivation else { return }
    // Nobody has a device freed whose app says that it is still writing down a withdrawal.
    if phone.isStuck(now), !seen.hasUnfinishedWrites, server.isUp {
      server.setFree(seen.device, serverTime)
    }
    phone.send(now, .invite(code: server.inviteCode))
  }

  /// Carries what a phone has to say.
  private func finish(_ phone: TorturePhone) {
    guard let requests = phone.settle(now) else { return }
    for request in requests {
      check(request, of: phone)
      digest.combine(word: UInt64(bitPattern: now))
      digest.combine(word: request.number << 8 | UInt64(phone.number))
      if case .positions(let rows, _) = request.body { for row in rows { digest.combine(word: row.id.low) } }
      if phone.offlineUntil != nil { continue }
      if let fault = network.send(request, phone: phone.number, life: phone.life, now: now) { note(fault) }
    }
  }

  // MARK: Server

  private func arrive(_ going: TortureNetwork.Going) {
    if let answer = network.substitute(for: going) {
      if let fault = going.fault { note(fault.fault) }
      network.reply(answer, to: going, now: now)
      return
    }
    guard let answer = server.handle(going.message, peer: going.phone, now: serverTime) else {
      burySomeServer()
      return
    }
    if let fault = going.fault?.fault,
      ![.dropRequest, .delayRequest, .reorder, .repeatRequest, .truncateRequest, .corruptRequest].contains(fault)
    {
      note(fault)
    }
    digest.combine(word: UInt64(answer.status))
    check(answer, to: going)
    network.reply(answer, to: going, now: now)
  }

  /// A server that died of something is started again.
  private func burySomeServer() {
    guard server.isUp, server.isDead else { return }
    server.die(until: now + 8_000)
  }

  private func restartServer() {
    do {
      try server.restart(losingPower: serverPower.loses, powerSeed: serverPower.seed)
      serverPower = (false, 0)
    } catch {
      server.die(until: now + 20_000)
    }
  }

  // MARK: Faults

  private func strike(_ planned: PlannedFault) {
    let phone = phones[min(planned.phone, phones.count - 1)]
    if planned.fault.isOfNetwork { return }
    switch planned.fault {
    case .killPhone, .powerLossPhone:
      guard phone.isUp else { return }
      phone.losesPower = planned.fault == .powerLossPhone && plan.storage == .sqlite
      phone.powerSeed = planned.amount % 3 == 0 ? 0 : UInt64(planned.at)
      if planned.amount == 0 {
        phone.kill(now, until: now + 10_000)
      } else if planned.amount % 5 == 0 {
        phone.diesBeforeSending = true
      } else if plan.storage == .sqlite {
        phone.disk.kill(after: planned.amount)
      } else {
        phone.store?.kill(after: planned.amount)
      }
    case .killServer, .powerLossServer:
      guard server.isUp else { return }
      serverPower = (planned.fault == .powerLossServer, planned.amount % 3 == 0 ? 0 : UInt64(planned.at))
      if planned.amount == 0 { server.die(until: now + 15_000) } else { server.kill(after: planned.amount) }
    case .fullDiskPhone:
      guard plan.storage == .sqlite else { return }
      phone.disk.setFull(true)
      phone.isFullUntil = now + planned.amount
    case .fullDiskServer:
      server.setFull(true)
      serverFullUntil = now + planned.amount
    case .suspend: phone.suspendedUntil = max(phone.suspendedUntil, now + planned.amount)
    case .relaunch:
      guard phone.isUp else { return }
      phone.kill(now, until: now + 1_000)
    case .clockForward: phone.wallOffset += planned.amount
    case .clockBack: phone.wallOffset -= planned.amount
    case .offline:
      phone.offlineUntil = now + planned.amount
      phone.send(now, .network(.none))
      finish(phone)
    case .withdraw:
      guard phone.isUp, phone.hasConsent else { return }
      phone.withdraw(now, until: now + planned.amount)
      finish(phone)
    case .pause:
      guard phone.isUp else { return }
      phone.send(now, .pause(until: phone.wall(now) + .milliseconds(planned.amount)))
      finish(phone)
    case .rotateTokens: server.rotateTokens(planned.at)
    case .changeVenue:
      phone.venueIndex = 1 - phone.venueIndex
      phone.send(now, .venue(site.gates[phone.venueIndex]))
      finish(phone)
    case .eraseByServer:
      guard let device = phone.seen?.device, server.isUp else { return }
      let isErased = server.erase(device, serverTime)
      // One that died of it may have written it down all the same.
      if !isErased, server.isDead { perhapsErased.insert(device) }
      guard isErased else { return }
      erasedByServer.insert(device)
    default: return
    }
    note(planned.fault)
  }

  /// No more faults; everything must now come to rest by itself.
  private func calm() {
    isCalm = true
    network.calm()
    server.disarm()
    server.setFull(false)
    serverFullUntil = nil
    for phone in phones {
      phone.disk.disarm()
      phone.disk.setFull(false)
      phone.store?.disarm()
      phone.isFullUntil = nil
      phone.suspendedUntil = 0
      phone.diesBeforeSending = false
      // Somebody sets the clock right.
      phone.wallOffset = 0
      phone.isCalm = true
      if phone.offlineUntil != nil {
        phone.offlineUntil = nil
        phone.send(now, .network(.unmetered))
        finish(phone)
      }
      if phone.isUp {
        phone.send(now, .resume)
        finish(phone)
      }
    }
  }

  private var isAtRest: Bool {
    guard network.going.isEmpty, network.coming.isEmpty, server.isUp else { return false }
    return phones.allSatisfy { phone in
      guard let seen = phone.seen, phone.hasConsent, phone.consentsAgainAt == nil else { return false }
      let a = seen.accounting
      return a.onPhone == 0 && a.held == 0 && !seen.hasErasures && !seen.hasUnfinishedWrites
        && seen.phase != .needsActivation && !(phone.process?.runtime.hasLeftovers ?? false)
    }
  }

  // MARK: Checks on the way

  private func check(_ request: Request, of phone: TorturePhone) {
    func fail(_ text: String) { phone.fail(now, text) }
    let hour = now / 3_600_000
    phone.requestsInHour = phone.requestsInHour.hour == hour ? (hour, phone.requestsInHour.count + 1) : (hour, 1)
    if phone.requestsInHour.count == 1_000 { fail("a thousand requests in an hour") }
    switch request.body {
    case .positions(let rows, _):
      if !phone.hasConsent { fail("rows are sent without consent") }
      if rows.count > phone.settings.batchRows { fail("\(rows.count) rows are in one request") }
      for index in rows.indices {
        if rows[index].device != request.device { fail("a row of another device is sent") }
        let truth = phone.truths[rows[index].time.milliseconds]
        if let truth, !truth.mayRecord { fail("a row from outside is sent") }
        if phone.store?.ledger.has(rows[index].id) != true { fail("a row is sent that the store does not have") }
      }
    case .token:
      phone.openTokenRequests = phone.openTokenRequests.filter { $0.value > now }
      if !phone.openTokenRequests.isEmpty { fail("a second token is asked for while one is awaited") }
      phone.openTokenRequests[request.number] = now + phone.settings.requestTimeout.milliseconds
      phone.proved.insert(request.device)
    case .activate: if !phone.hasConsent { fail("an invite code is sent without consent") }
    case .consent: if !phone.hasConsent { fail("a consent is told that is not there") }
    case .erase: break
    }
  }

  private func check(_ answer: HTTPAnswer, to going: TortureNetwork.Going) {
    guard going.isIntact, case .positions(let rows, _) = going.request.body else { return }
    switch answer.status {
    case 400, 413, 422: fail("a batch of \(rows.count) good and bad rows is refused as a whole with \(answer.status)")
    default: break
    }
  }

  // MARK: Checks at the end

  private func check() {
    for phone in phones {
      guard let runtime = phone.process?.runtime, let store = phone.store else {
        phone.fail(now, "the process does not start")
        continue
      }
      let a = runtime.accounting
      if a.onPhone != 0 {
        phone.fail(
          now,
          "\(a.onPhone) rows never left, in phase \(runtime.phase), timers \(phone.hasTimers), \(String(describing: phone.lastAnswer))"
        )
      }
      if !runtime.monitor.state.erasures.isEmpty { phone.fail(now, "an erasure was never confirmed") }
      do {
        let rows = Set(try store.devices().flatMap { device in try store.locations(of: device.id).map(\.id) })
        if rows != Set(store.ledger.rows.keys) { phone.fail(now, "the store has other rows than it should") }
        for device in phone.withdrawn where try store.device(device) != nil {
          phone.fail(now, "\(device) withdrew and is still there")
        }
      } catch {
        phone.fail(now, "the store cannot be read: \(error)")
      }
      if plan.storage == .sqlite { checkBytes(of: phone, store) }
      do {
        try checkServer(phone, store)
      } catch {
        fail("the store cannot be read: \(error)")
      }
    }
    checkServerBytes()
  }

  /// Nothing of a row that is gone, and nothing of a place outside, lies in a file.
  private func checkBytes(of phone: TorturePhone, _ store: LedgerStore) {
    let kept = Set(store.ledger.rows.keys)
    var scanner = ByteScanner()
    for id in phone.everStored.keys where !kept.contains(id) { scanner.add(id.low) }
    for pattern in phone.outsidePatterns.subtracting(phone.insidePatterns) { scanner.add(pattern) }
    phone.disk.forEachFile { bytes in
      let found = scanner.found(in: bytes)
      if !found.isEmpty {
        let outside = found.count { phone.outsidePatterns.contains($0) }
        phone.fail(now, "the file still has \(found.count - outside) rows that are gone, and \(outside) places outside")
      }
    }
  }

  private func checkServer(_ phone: TorturePhone, _ store: LedgerStore) throws {
    let erased = phone.withdrawn.union(erasedByServer)
    var there: Set<FixID> = []
    for device in phone.names.sorted() {
      let rows = try server.positions(of: device)
      rowCount += rows.count
      // One that nobody ever proved to own has no rows, and goes by itself in a day.
      if erased.contains(device), try !rows.isEmpty || (phone.proved.contains(device) && server.knows(device)) {
        fail("\(rows.count) rows of \(device), which was erased")
      }
      var times: Set<Int64> = []
      for row in rows {
        there.insert(row.id)
        if !times.insert(row.time).inserted { fail("two rows of one fix of \(device)") }
        guard let sent = phone.everStored[row.id] else {
          fail("a row that no phone ever stored")
          continue
        }
        if abs(sent.coordinate.longitude - row.coordinate.longitude) > 1e-9
          || abs(sent.coordinate.latitude - row.coordinate.latitude) > 1e-9
          || !phone.hasStored(row.id, on: row.floor)
        {
          fail(
            "a row is not what was sent: \(row.coordinate), floor \(String(describing: row.floor)) for \(sent.coordinate), \(String(describing: sent.floor)), id \(row.id)"
          )
        }
        if let truth = phone.truths[row.time], !truth.mayRecord { fail("a row from outside is kept") }
      }
    }
    for (id, cause) in store.ledger.gone where cause == .settled {
      guard let row = phone.everStored[id], !erased.contains(row.device), !perhapsErased.contains(row.device) else {
        continue
      }
      if !there.contains(id) { fail("a row that phone \(phone.number) deleted as acknowledged is not there") }
    }
  }

  /// Nothing of erased devices lies in the server's files.
  private func checkServerBytes() {
    guard plan.storage == .sqlite else { return }
    for _ in 0..<4 { server.tick(Instant(milliseconds: TortureRun.start + now)) }
    var scanner = ByteScanner()
    for phone in phones {
      let erased = phone.withdrawn.union(erasedByServer)
      for row in phone.everStored.values where erased.contains(row.device) { scanner.add(row.id.low) }
      for pattern in phone.outsidePatterns.subtracting(phone.insidePatterns) { scanner.add(pattern) }
    }
    guard !scanner.isEmpty else { return }
    server.disk.forEachFile { bytes in
      let found = scanner.found(in: bytes)
      if !found.isEmpty { fail("the file still has \(found.count) rows of erased devices") }
    }
  }
}
