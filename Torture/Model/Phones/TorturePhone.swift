import CordonCore
import CordonMonitoring
import CordonStorage

/// One phone: the real runtime over the real store, and the app and operating system round it.
///
/// Nobody looks at a property while it is changed: everything here happens on one thread, and no closure reaches back into a
/// change. The test's own checks of that (`exclusivity`) would cost a twentieth of its time.
final class TorturePhone {
  /// What a fix was, by its time.
  struct Truth {
    /// Where, metres from the middle of the venue.
    var place: (x: Double, y: Double)
    /// The bundles that were in use when it was delivered and let it be recorded, one bit each.
    var bundles: UInt8 = 0
    var floor: FloorOrdinal?
    var coordinate: Coordinate

    var mayRecord: Bool { bundles != 0 }
  }

  let number: Int
  let plan: TorturePlan
  let site: TortureSite
  let configuration: MonitorConfiguration
  let disk: TortureDisk
  /// The process, while there is one.
  @exclusivity(unchecked) private(set) var process: TortureProcess?
  /// When the runtime wants to be woken.
  var timerDue: Int64 { process?.seen.timerDue ?? .max }
  @exclusivity(unchecked) private(set) var store: LedgerStore?
  /// Outlives the process when rows are kept in memory.
  private var memory: (any Store)?
  private var ledger = TortureLedger()
  @exclusivity(unchecked) var walker: TortureWalker
  @exclusivity(unchecked) var random: RandomStream

  /// Counts processes.
  private(set) var life = 0
  /// When the last one began.
  private(set) var launchedAt: Int64 = 0
  /// Wall clock minus virtual time.
  @exclusivity(unchecked) var wallOffset: Int64 { didSet { if wallOffset != oldValue { clockSetAt = lastNow } } }
  /// When it was last set, about.
  private(set) var clockSetAt: Int64 = 0
  @exclusivity(unchecked) var nextTick: Int64
  @exclusivity(unchecked) var nextAppCheck: Int64 = 0
  /// No process until then.
  @exclusivity(unchecked) var offUntil: Int64?
  /// A fault that kills the process when it gets to its moment.
  var awaitedDeath: TortureFault?
  /// Faults that the process died of.
  private(set) var deaths: [TortureFault] = []
  var losesPower = false
  var powerSeed: UInt64 = 0
  /// Whether power was lost since the ledger was last compared with the store.
  private var hasLostPower = false
  /// No events until then, although the process lives.
  @exclusivity(unchecked) var suspendedUntil: Int64 = 0
  /// A life without timers: only fixes and answers wake the process.
  @exclusivity(unchecked) private(set) var hasTimers: Bool
  private var wakes: (second: Int64, count: Int) = (0, 0)
  /// The process dies when it next has something to send, before it does.
  @exclusivity(unchecked) var diesBeforeSending = false
  @exclusivity(unchecked) var consentsAgainAt: Int64?
  var venueIndex = 0
  @exclusivity(unchecked) var isFullUntil: Int64?
  @exclusivity(unchecked) var offlineUntil: Int64?
  @exclusivity(unchecked) var isPositioning = false
  @exclusivity(unchecked) var wantsOneFix = false
  var needsActivationSince: Int64?
  @exclusivity(unchecked) var redelivery: (tick: Int, fix: Fix)?
  @exclusivity(unchecked) var tick = 0
  /// Whether faults are over: the phone is carried away, and makes fixes out of the venue only now and then.
  @exclusivity(unchecked) var isCalm = false

  // What the checker knows.
  @exclusivity(unchecked) var truths: [Int64: Truth] = [:]
  @exclusivity(unchecked) var fixesGiven = 0
  /// What the person agreed to, by the app's own note.
  @exclusivity(unchecked) var hasConsent = false
  /// Names that were withdrawn from: the server must have forgotten them in the end.
  private(set) var withdrawn: Set<DeviceID> = []
  /// A name that is being withdrawn from.
  @exclusivity(unchecked) var leaving: DeviceID?
  /// Whether the last word on consent may not have been written yet.
  @exclusivity(unchecked) var isConsentInDoubt = false
  /// The end of a pause that the person asked for, by the wall clock; `nil` when none is sure to hold.
  @exclusivity(unchecked) var pausedUntil: Int64?
  /// Whether the pause may not have been written yet.
  @exclusivity(unchecked) var isPauseInDoubt = false
  /// Every name that the phone ever had.
  private(set) var names: Set<DeviceID> = []
  @exclusivity(unchecked) private var lastName: DeviceID?
  /// Those under which it asked for a token, and so had its secret.
  var proved: Set<DeviceID> = []
  /// Requests for tokens that nobody has answered or given up, by when they are given up.
  var openTokenRequests: [UInt64: Int64] = [:]
  var requestsInHour: (hour: Int64, count: Int) = (0, 0)
  /// Every location that was written, by identity, with its time.
  @exclusivity(unchecked) var everStored: [FixID: Location] = [:]
  /// Further floors that a fix was stored with: one that is delivered again much later may be believed elsewhere.
  var otherFloors: [FixID: Set<Int32?>] = [:]
  /// Every end of a stay that was written, by the row.
  var stays: [FixID: Set<Int64>] = [:]
  /// Rows that the server had a reason to refuse.
  var justlyRefused: Set<FixID> = []
  /// Fixes that were refused for their place, one after the other, and not followed by one in the venue.
  @exclusivity(unchecked) var outsideInRow = 0
  /// Whether this step lengthened a stay after that.
  @exclusivity(unchecked) var hasStrangeStay = false
  private(set) var violations: [String] = []
  /// Whether the server may have erased a device.
  var mayBeErased: (DeviceID) -> Bool = { _ in false }
  /// Whether the server may have forgotten the secret of a device.
  var mayBeForgotten: (DeviceID) -> Bool = { _ in false }
  /// The name under which the phone was last seen activated.
  @exclusivity(unchecked) private var activatedName: DeviceID?
  /// Receives a line for all that the phone receives, sends and reports.
  var report: ((String) -> Void)?
  /// When the last answer came, and its status.
  private(set) var lastAnswer: (at: Int64, status: Int)?

  init(number: Int, plan: TorturePlan, site: TortureSite) {
    self.number = number
    self.plan = plan
    self.site = site
    disk = TortureDisk(machine: number + 1)
    walker = TortureWalker(seed: plan.seed, phone: number)
    random = RandomStream(seed: plan.seed, stream: 0x74, entity: UInt64(number))
    var configuration = MonitorConfiguration()
    // Fixes come every five seconds: the longest of them lets one of three through.
    configuration.thinning = [.zero, .seconds(5), .seconds(15)][random.nextIndex(below: 3)]
    // Three of four send as a phone does that nobody set otherwise: every five minutes.
    if random.nextIndex(below: 4) == 0 {
      configuration.batchRows = 10 + random.nextIndex(below: 190)
      configuration.flushAfter = .seconds(Int64(30 + random.nextIndex(below: 570)))
    }
    configuration.maximumRows = random.nextIndex(below: 6) == 0 ? 60 : 200_000
    if random.nextIndex(below: 6) == 0 { configuration.maximumBytes = 80 * MonitorConfiguration.bytesPerRow }
    if random.nextIndex(below: 6) == 0 { configuration.maximumAge = .minutes(20) }
    self.configuration = configuration
    hasTimers = random.nextIndex(below: 4) > 0
    wallOffset = Int64(random.nextIndex(below: 2_000)) - 1_000
    nextTick = Int64(random.nextIndex(below: 5_000))
    // As many as there are when every tick of five seconds gives one.
    truths.reserveCapacity(Int(clamping: plan.duration / 5_000))
    everStored.reserveCapacity(Int(clamping: plan.duration / 10_000))
  }

  func fail(_ now: Int64, _ text: String) {
    if violations.count < 8 { violations.append("\(now) ms, phone \(number): \(text)") }
  }

  func wall(_ now: Int64) -> Instant { Instant(milliseconds: TortureRun.start + now + wallOffset) }

  func moment(_ now: Int64) -> ClockReading { ClockReading(wall: wall(now), monotonic: .milliseconds(now)) }

  var isUp: Bool { process != nil }
  /// The process as it is after its last step.
  var seen: TortureProcess.Glance? { process?.seen }

  /// The next time at which something is to be done without a message.
  func nextDue(_ now: Int64) -> Int64 {
    if let offUntil { return offUntil }
    var due = min(nextTick, nextAppCheck)
    if let consentsAgainAt { due = min(due, consentsAgainAt) }
    if let isFullUntil { due = min(due, isFullUntil) }
    if let offlineUntil { due = min(due, offlineUntil) }
    if hasTimers { due = min(due, timerDue) }
    return max(due, suspendedUntil)
  }

  // MARK: Life

  /// Starts the process: opens the store, and compares what is there with the ledger.
  func launch(_ now: Int64) {
    offUntil = nil
    life += 1
    launchedAt = now
    let wasRunning = life > 1
    do {
      let inner: any Store
      switch plan.storage {
      case .sqlite:
        if wasRunning {
          disk.reboot(losingPower: losesPower, seed: powerSeed)
          if losesPower { hasLostPower = true }
          losesPower = false
        }
        inner = try SQLiteStore(path: disk.path("phone.sqlite"))
      case .memory:
        inner = memory ?? MemoryStore()
        memory = inner
      }
      let wrapped = LedgerStore(inner, disk: plan.storage == .sqlite ? disk : nil, ledger: ledger)
      wrapped.onInsert = { [unowned self] in check(inserted: $0) }
      wrapped.onExtend = { [unowned self] in check(extended: $0) }
      wrapped.onExpire = { [unowned self] in check(expired: $0, byAge: $1, of: $2) }
      wrapped.isFull = isFullUntil != nil && plan.storage == .memory
      wrapped.onDoubleLease = { [unowned self] in fail(lastNow, "row \($0) is in two requests at once") }
      store = wrapped
      note(step: now)
      if wasRunning {
        let devices = try inner.devices()
        let actual = try devices.flatMap { device in try inner.locations(of: device.id) }
        let sums = devices.first.flatMap { MonitorState(decoding: $0.state) }?.accounting
        let counts = sums.map {
          TortureLedger.Counts(
            stored: Int(clamping: $0.stored), settled: Int(clamping: $0.acknowledged),
            expired: Int(clamping: $0.expired), wiped: Int(clamping: $0.erased))
        }
        if let problem = wrapped.reconcile(
          actual, counts: counts, quarantined: sums.map { Int(clamping: $0.quarantined) }, lostPower: hasLostPower)
        {
          fail(now, problem)
        }
      }
      // A pause is an ordinary word: a power loss may take it back.
      if hasLostPower || isPauseInDoubt { pausedUntil = nil }
      isPauseInDoubt = false
      hasLostPower = false
      outsideInRow = 0
      let entropy = RandomSource.stream(
        RandomStream(seed: plan.seed, stream: 0x75, entity: UInt64(number), index: UInt64(life) << 32))
      let device = try wrapped.devices().first?.id
      let runtime = try Runtime(
        device: device, configuration: configuration, store: wrapped, entropy: entropy, at: moment(now))
      let started = TortureProcess(runtime, at: moment(now))
      process = started
      names.insert(started.seen.device)
    } catch {
      // A disk that is full or dies again lets no process start; it is tried again.
      kill(now, until: now + 20_000)
      return
    }
    openTokenRequests = [:]
    isPositioning = false
    wantsOneFix = false
    // Consent and withdrawal outlive everything, unless the process died while they were written.
    let knows = seen?.hasConsent ?? false
    if wasRunning, knows, !hasConsent, !isConsentInDoubt { fail(now, "a consent that was withdrawn is back") }
    if wasRunning, !knows, hasConsent {
      // The process may have died while it learned that the server erased the device. A pause ends with the consent.
      if !isConsentInDoubt, !names.contains(where: mayBeErased) { fail(now, "a consent is lost") }
      pausedUntil = nil
    }
    hasConsent = knows
    isConsentInDoubt = false
    // A withdrawal was written if its device is gone.
    if let leaving, let known = try? store?.devices(), !known.contains(where: { $0.id == leaving }) {
      withdrawn.insert(leaving)
    }
    leaving = nil
    send(now, .venue(site.gates[venueIndex]))
    send(now, .network((offlineUntil ?? 0) > now ? .none : .unmetered))
    check(app: now)
    send(now, .start)
    nextAppCheck = now + 60_000
  }

  /// The last moment at which the runtime was stepped: for what is found within a step.
  @exclusivity(unchecked) private(set) var lastNow: Int64 = 0
  /// For how long nothing had happened before that.
  @exclusivity(unchecked) private(set) var silence: Int64 = 0

  private func note(step now: Int64) {
    if now != lastNow { silence = now - lastNow }
    lastNow = now
    // A pause that ran out once is over, wherever the clock is set afterwards.
    if let end = pausedUntil, wall(now).milliseconds >= end { pausedUntil = nil }
  }

  /// The process ends now; what it had not written is lost.
  func kill(_ now: Int64, until: Int64) {
    if let awaitedDeath { deaths.append(awaitedDeath) }
    awaitedDeath = nil
    if plan.storage == .sqlite { disk.kill(after: 0) }
    if let store {
      ledger = store.ledger
      if plan.storage == .memory { memory = store.abandon() }
      // A transaction that was open is nobody's; one that was cut short is in doubt.
      var rest = ledger
      if rest.doubtful == nil { rest.rollback() }
      ledger = rest
    }
    process = nil
    store = nil
    diesBeforeSending = false
    offUntil = until
  }

  /// The disk is full until then; `nil` for not any more.
  func setFull(until end: Int64?) {
    isFullUntil = end
    if plan.storage == .sqlite { disk.setFull(end != nil) } else { store?.isFull = end != nil }
  }

  // MARK: Steps

  @discardableResult
  func send(_ now: Int64, _ event: MonitorEvent) -> Verdict {
    guard let process else { return .none }
    note(step: now)
    return process.step(event, at: moment(now))
  }

  func receive(_ now: Int64, _ coming: TortureNetwork.Coming) {
    guard let process else { return }
    let response = coming.response
    note(step: now)
    check(coming, now)
    lastAnswer = (now, response.status)
    report?("\(now) \(number) <- \(response.number) \(response.status)")
    openTokenRequests[response.number] = nil
    process.receive(response, at: moment(now))
  }

  /// Follows commands, and checks the sums. Answers the requests, or `nil` when the process died.
  func settle(_ now: Int64) -> [SinkRequest]? {
    guard let store, let process else { return nil }
    if store.isDead || (diesBeforeSending && process.hasRequests) {
      kill(now, until: now + 5_000 + Int64(number) * 7_000)
      return nil
    }
    var requests: [SinkRequest] = []
    while let output = process.nextOutput() {
      for command in output.commands {
        switch command {
        case .startPositioning: isPositioning = true
        case .stopPositioning: isPositioning = false
        case .requestFix: wantsOneFix = true
        default: break
        }
      }
      if let report {
        for notice in output.notices { report("\(now) \(number) \(notice)") }
        for request in output.requests {
          let body = String(describing: request.body).prefix(60)
          report("\(now) \(number) -> \(request.number) \(request.device.rawValue.prefix(4)) \(body)")
        }
      }
      requests += output.requests
    }
    let seen = process.seen
    let formerName = lastName
    if seen.device != lastName {
      lastName = seen.device
      names.insert(seen.device)
    }
    if !seen.hasUnfinishedWrites {
      isConsentInDoubt = false
      isPauseInDoubt = false
      if let leaving { withdrawn.insert(leaving) }
      leaving = nil
    }
    // A server that says that the device is gone ends the consent, too.
    if hasConsent, !seen.hasConsent {
      hasConsent = false
      pausedUntil = nil
      if !(formerName.map(mayBeErased) ?? false) { fail(now, "a consent is lost, and the server erased nothing") }
    }
    if seen.isActivated {
      activatedName = seen.device
    } else if let name = activatedName {
      activatedName = nil
      // A withdrawal ends it too, and the name is the same until that is written.
      if name == seen.device, seen.hasConsent, !seen.hasUnfinishedWrites, !mayBeForgotten(name) {
        fail(now, "an activation is lost that the server knows")
      }
    }
    if hasStrangeStay {
      fail(now, "a stay is lengthened after it was left")
      hasStrangeStay = false
    }
    checkSums(now, seen.accounting, isBehind: seen.hasUnfinishedWrites, store)
    return requests
  }

  /// Fires the timer that is due. One that wants to fire again and again without a reason is a fault of its own.
  func wake(_ now: Int64) {
    wakes = wakes.second == now / 1_000 ? (wakes.second, wakes.count + 1) : (now / 1_000, 1)
    if wakes.count > 200, let runtime = process?.runtime {
      let queues = (try? runtime.queues(at: moment(now))) ?? []
      fail(
        now,
        "the timer fires 200 times in a second: phase \(runtime.phase), activated \(runtime.monitor.state.isActivated), \(queues), accounting \(runtime.accounting), erasures \(runtime.monitor.state.erasures.count), token until \(String(describing: runtime.tokenEnd)) at \(wall(now))"
      )
      hasTimers = false
    }
    send(now, .wake)
  }
}
