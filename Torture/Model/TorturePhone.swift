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
    var mayRecord: Bool
    var floor: FloorOrdinal?
    var coordinate: Coordinate
  }

  let number: Int
  let plan: TorturePlan
  let site: TortureSite
  let settings: Settings
  let disk: TortureDisk
  /// The process, while there is one.
  @exclusivity(unchecked) private(set) var process: TortureProcess?
  /// When the runtime wants to be woken.
  var timerDue: Int64 { process?.seen.timerDue ?? .max }
  @exclusivity(unchecked) private(set) var store: LedgerStore?
  /// Outlives the process when rows are kept in memory.
  private var memory: (any Store)?
  private var ledger = TortureLedger()
  @exclusivity(unchecked) var output = Output()
  @exclusivity(unchecked) private var walker: TortureWalker
  @exclusivity(unchecked) private var random: RandomStream

  /// Counts processes.
  private(set) var life = 0
  /// Wall clock minus virtual time.
  @exclusivity(unchecked) var wallOffset: Int64
  @exclusivity(unchecked) var nextTick: Int64
  @exclusivity(unchecked) var nextAppCheck: Int64 = 0
  /// No process until then.
  @exclusivity(unchecked) var offUntil: Int64?
  var losesPower = false
  var powerSeed: UInt64 = 0
  /// Whether power was lost since the ledger was last held against the store.
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
  @exclusivity(unchecked) private var isPositioning = false
  @exclusivity(unchecked) private var wantsOneFix = false
  private var needsActivationSince: Int64?
  @exclusivity(unchecked) private var redelivery: (tick: Int, fix: Fix)?
  @exclusivity(unchecked) private var tick = 0
  /// Whether faults are over: the phone is carried away, and makes fixes out of the venue only now and then.
  @exclusivity(unchecked) var isCalm = false

  // What the checker knows.
  @exclusivity(unchecked) private(set) var truths: [Int64: Truth] = [:]
  @exclusivity(unchecked) private(set) var outsidePatterns: Set<UInt64> = []
  @exclusivity(unchecked) private(set) var insidePatterns: Set<UInt64> = []
  @exclusivity(unchecked) private(set) var fixesGiven = 0
  /// What the person agreed to, by the app's own note.
  @exclusivity(unchecked) var hasConsent = false
  /// Names that were withdrawn from: the server must have forgotten them in the end.
  private(set) var withdrawn: Set<DeviceID> = []
  /// A name that is being withdrawn from.
  @exclusivity(unchecked) private var leaving: DeviceID?
  /// Whether the last word on consent may not have been written yet.
  @exclusivity(unchecked) private var isConsentInDoubt = false
  /// Every name that the phone ever had.
  private(set) var names: Set<DeviceID> = []
  @exclusivity(unchecked) private var lastName: DeviceID?
  /// Those under which it asked for a token, and so had its secret.
  var proved: Set<DeviceID> = []
  /// Requests for tokens that nobody has answered or given up, by when they are given up.
  var openTokenRequests: [UInt64: Int64] = [:]
  var requestsInHour: (hour: Int64, count: Int) = (0, 0)
  /// Every location that was written, by identity, with its time.
  @exclusivity(unchecked) private(set) var everStored: [FixID: Location] = [:]
  /// Further floors that a fix was stored with: one that is delivered again much later may be believed elsewhere.
  private var otherFloors: [FixID: Set<Int32?>] = [:]
  private(set) var violations: [String] = []
  /// Told of everything that the phone hears, says and notices.
  var tell: ((String) -> Void)?
  /// When the last answer came, and its status.
  private(set) var lastAnswer: (at: Int64, status: Int)?

  init(number: Int, plan: TorturePlan, site: TortureSite) {
    self.number = number
    self.plan = plan
    self.site = site
    disk = TortureDisk(machine: number + 1)
    walker = TortureWalker(seed: plan.seed, phone: number)
    random = RandomStream(seed: plan.seed, stream: 0x74, entity: UInt64(number))
    var settings = Settings()
    settings.thinning = random.nextIndex(below: 2) == 0 ? .zero : .seconds(5)
    settings.batchRows = 10 + random.nextIndex(below: 190)
    settings.flushAfter = .seconds(Int64(30 + random.nextIndex(below: 270)))
    settings.maximumRows = random.nextIndex(below: 6) == 0 ? 60 : 200_000
    self.settings = settings
    hasTimers = random.nextIndex(below: 4) > 0
    wallOffset = Int64(random.nextIndex(below: 2_000)) - 1_000
    nextTick = Int64(random.nextIndex(below: 5_000))
  }

  func fail(_ now: Int64, _ text: String) {
    if violations.count < 8 { violations.append("\(now) ms, phone \(number): \(text)") }
  }

  func wall(_ now: Int64) -> Instant { Instant(milliseconds: TortureRun.start + now + wallOffset) }

  func moment(_ now: Int64) -> Moment { Moment(wall: wall(now), monotonic: .milliseconds(now)) }

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
      wrapped.onDoubleLease = { [unowned self] in fail(lastNow, "row \($0) is in two requests at once") }
      store = wrapped
      lastNow = now
      if wasRunning {
        var actual: Set<FixID> = []
        let devices = try inner.devices()
        for device in devices { actual.formUnion(try inner.locations(of: device.id).map(\.id)) }
        let sums = devices.first.flatMap { MonitorState(decoding: $0.state) }?.accounting
        let counts = sums.map {
          TortureLedger.Counts(
            stored: Int(clamping: $0.stored), settled: Int(clamping: $0.acknowledged),
            expired: Int(clamping: $0.expired), wiped: Int(clamping: $0.erased))
        }
        if let problem = wrapped.reconcile(actual, counts: counts, lostPower: hasLostPower) { fail(now, problem) }
      }
      hasLostPower = false
      let entropy = Entropy.stream(
        RandomStream(seed: plan.seed, stream: 0x75, entity: UInt64(number), index: UInt64(life) << 32))
      let device = try wrapped.devices().first?.id
      let started = TortureProcess(
        try Runtime(device: device, settings: settings, store: wrapped, entropy: entropy, at: moment(now)))
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

  /// The process ends now; what it had not written is lost.
  func kill(_ now: Int64, until: Int64) {
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
    output = Output()
    diesBeforeSending = false
    offUntil = until
  }

  // MARK: Steps

  @discardableResult
  func send(_ now: Int64, _ event: Event.Kind) -> Verdict {
    guard let process else { return .none }
    lastNow = now
    return process.step(moment(now), event, into: &output)
  }

  func receive(_ now: Int64, _ response: Response) {
    guard let process else { return }
    lastNow = now
    lastAnswer = (now, response.status)
    tell?("\(now) \(number) <- \(response.number) \(response.status)")
    openTokenRequests[response.number] = nil
    process.step(moment(now), response: response, into: &output)
  }

  /// Follows commands, and checks the sums. Answers the requests, or `nil` when the process died.
  func settle(_ now: Int64) -> [Request]? {
    guard let store, let seen else { return nil }
    if store.isDead || (diesBeforeSending && !output.requests.isEmpty) {
      kill(now, until: now + 5_000 + Int64(number) * 7_000)
      return nil
    }
    for command in output.commands {
      switch command {
      case .startPositioning: isPositioning = true
      case .stopPositioning: isPositioning = false
      case .requestFix: wantsOneFix = true
      default: break
      }
    }
    let requests = output.requests
    if let tell {
      for notice in output.notices { tell("\(now) \(number) \(notice)") }
      for request in requests {
        let body = String(describing: request.body).prefix(60)
        tell("\(now) \(number) -> \(request.number) \(request.device.rawValue.prefix(4)) \(body)")
      }
    }
    output.removeAll()
    if seen.device != lastName {
      lastName = seen.device
      names.insert(seen.device)
    }
    if !seen.hasUnfinishedWrites {
      isConsentInDoubt = false
      if let leaving { withdrawn.insert(leaving) }
      leaving = nil
    }
    // A server that says that the device is gone ends the consent, too.
    if hasConsent, !seen.hasConsent { hasConsent = false }
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

  // MARK: The world

  /// Five seconds of somebody's life.
  ///
  /// Answers whether the phone was given a fix.
  func walk(_ now: Int64) -> Bool {
    nextTick += isCalm ? 60_000 : 5_000
    tick += 1
    if !isCalm { walker.step() }
    // What was missed while the process slept is missed.
    guard isUp, nextTick > now else { return false }
    guard isPositioning || wantsOneFix || tick % 60 == 0 || (isCalm && !hasTimers) else { return false }
    wantsOneFix = false
    let place = isCalm ? (x: TortureSite.world + 0.5, y: 0.5) : walker.place
    let coordinate = site.coordinate(place.x, place.y)
    let draw = random.block(at: UInt64(tick))
    let chance = Int(draw.0 & 0xff)
    var time = wall(now)
    if chance < 12 { time = time - .milliseconds(Int64(draw.1 & 0x3fff)) }
    if chance == 12 { time = time + .milliseconds(Int64(draw.1 & 0x3fff)) }
    while truths[time.milliseconds] != nil { time = time + .milliseconds(1) }
    let accuracy: Double? =
      chance == 13 || chance == 14 ? nil : chance == 15 ? 80 : 3 + Double(draw.0 >> 8 & 0xff) / 16
    let floorDraw = draw.0 >> 16 & 0xff
    let floor = floorDraw < 64 ? nil : FloorOrdinal(floorDraw < 200 ? 0 : 1)
    let fix = Fix(coordinate: coordinate, accuracy: accuracy, floor: floor, time: time, isMocked: chance == 16)
    let mayRecord = TortureSite.mayRecord(place.x, place.y)
    truths[time.milliseconds] = Truth(mayRecord: mayRecord, floor: floor, coordinate: coordinate)
    if mayRecord {
      insidePatterns.insert(coordinate.longitude.bitPattern)
    } else {
      outsidePatterns.insert(coordinate.longitude.bitPattern)
    }
    give(now, fix)
    if redelivery == nil, chance >= 250 {
      redelivery = (tick + 20 + Int(draw.1 >> 32 & 0x3f), fix)
    }
    return true
  }

  /// The same fix again, much later than anybody remembers it. Answers whether there was one.
  func walkAgain(_ now: Int64) -> Bool {
    guard isUp, let again = redelivery, tick >= again.tick else { return false }
    redelivery = nil
    give(now, again.fix)
    return true
  }

  private func give(_ now: Int64, _ fix: Fix) {
    fixesGiven += 1
    let verdict = send(now, .fix(fix))
    guard !hasConsent else { return }
    if case .refused = verdict { return }
    fail(now, "a fix is \(verdict) without consent")
  }

  /// What the app does once a minute: asks again for consent, activates, tells the administrator when it cannot.
  func check(app now: Int64) {
    nextAppCheck = now + 60_000
    if let due = consentsAgainAt, due <= now { consentsAgainAt = nil }
    if !hasConsent, consentsAgainAt == nil {
      isConsentInDoubt = true
      hasConsent = true
      send(now, .consent(Consent(version: "\(life)", time: wall(now))))
    }
    if seen?.phase == .needsActivation {
      needsActivationSince = needsActivationSince ?? now
    } else {
      needsActivationSince = nil
    }
  }

  /// Whether somebody has to free the device at the server.
  func isStuck(_ now: Int64) -> Bool { needsActivationSince.map { now - $0 > 240_000 } ?? false }

  /// The person takes the consent back.
  func withdraw(_ now: Int64, until: Int64) {
    guard let seen, hasConsent else { return }
    hasConsent = false
    isConsentInDoubt = true
    leaving = seen.device
    consentsAgainAt = until
    send(now, .withdraw)
  }

  /// Whether a row was ever stored with a floor.
  func hasStored(_ id: FixID, on floor: Int32?) -> Bool {
    everStored[id].map { $0.floor?.thousandths == floor } ?? false || otherFloors[id]?.contains(floor) ?? false
  }

  // MARK: Checks within a step

  private func check(inserted row: Location) {
    let now = lastNow
    if let earlier = everStored.updateValue(row, forKey: row.id), earlier.floor != row.floor {
      otherFloors[row.id, default: []].insert(earlier.floor?.thousandths)
    }
    if !hasConsent { fail(now, "a row is written without consent") }
    guard let truth = truths[row.time.milliseconds] else {
      return fail(now, "a row has the time \(row.time.milliseconds), which no fix has")
    }
    if !truth.mayRecord { fail(now, "a row of a fix that must not be recorded is written") }
    if truth.coordinate != row.coordinate { fail(now, "a row lies elsewhere than its fix") }
    if truth.floor == nil, row.floor != nil {
      fail(now, "a row has the floor \(row.floor?.description ?? "") of a fix without one")
    }
    let id = FixID(
      device: row.device, time: row.time, coordinate: row.coordinate, accuracy: row.accuracy, floor: truth.floor)
    if id != row.id { fail(now, "a row has an identity that is not its own") }
  }

  private func checkSums(_ now: Int64, _ a: Accounting, isBehind: Bool, _ store: LedgerStore) {
    if a.fixes != a.refused &+ a.thinned &+ a.held &+ a.stored { fail(now, "fixes do not add up: \(a)") }
    guard !isBehind else { return }
    let counts = store.ledger.counts
    let rows = store.ledger.rows.count
    if Int(clamping: a.onPhone &+ a.quarantined) != rows {
      fail(now, "\(rows) rows, but on_phone \(a.onPhone) and quarantined \(a.quarantined)")
    }
    if Int(clamping: a.stored) != counts.stored {
      fail(now, "\(counts.stored) rows were stored, but accounted are \(a.stored)")
    }
    if Int(clamping: a.acknowledged) != counts.settled {
      fail(now, "\(counts.settled) rows were acknowledged, but accounted are \(a.acknowledged)")
    }
    if Int(clamping: a.expired) != counts.expired {
      fail(now, "\(counts.expired) rows expired, but accounted are \(a.expired)")
    }
    if Int(clamping: a.erased) != counts.wiped {
      fail(now, "\(counts.wiped) rows were wiped, but accounted are \(a.erased)")
    }
    if rows > settings.maximumRows + settings.maximumRows / 100 + 1 {
      fail(now, "\(rows) rows are more than the limit")
    }
    if !hasConsent, rows > 0 { fail(now, "\(rows) rows without consent") }
  }
}
