import Cordon
import CordonCore
import CordonMonitoring
import CordonStorage

/// One phone: the real runtime with the real store, and the app and operating system around it.
///
/// No code reads a property during its change: everything here runs on one thread, and no closure re-enters a change. The
/// runtime checks of that (`exclusivity`) would cost a twentieth of the test's time.
final class TorturePhone {
  /// The true circumstances of a fix, by its time.
  struct Truth {
    /// The place in metres from the centre of the venue.
    var place: (x: Double, y: Double)
    /// The bundles in use at its delivery that allowed to record it, one bit each.
    var bundles: UInt8 = 0
    /// The bundles in use at its delivery by which the place was outside of the venue, one bit each.
    var outsideBundles: UInt8 = 0
    var floor: FloorOrdinal?
    var coordinate: Coordinate
    /// The virtual time of the measurement.
    var at: Int64
    /// The wall clock minus virtual time, when it was measured.
    var offset: Int64
    /// Whether it is the arrival or the departure of a visit.
    var isVisit = false

    var mayRecord: Bool { bundles != 0 }
    var isOutside: Bool { outsideBundles != 0 }
  }

  let number: Int
  let plan: TorturePlan
  let site: TortureSite
  let configuration: MonitorConfiguration
  let disk: TortureDisk
  /// The process; `nil` while none runs.
  @exclusivity(unchecked) private(set) var process: TortureProcess?
  /// The time of the runtime's next timer.
  var timerDue: Int64 { process?.seen.timerDue ?? .max }
  @exclusivity(unchecked) private(set) var store: LedgerStore?
  /// The store in memory, which survives the process.
  private var memory: (any Store)?
  private var ledger = TortureLedger()
  @exclusivity(unchecked) var walker: TortureWalker
  @exclusivity(unchecked) var random: RandomStream

  /// The number of processes so far.
  private(set) var life = 0
  /// The start of the last process.
  private(set) var launchedAt: Int64 = 0
  /// Wall clock minus virtual time.
  @exclusivity(unchecked) var wallOffset: Int64 { didSet { if wallOffset != oldValue { clockSetAt = lastNow } } }
  /// The approximate time at which it was last set.
  private(set) var clockSetAt: Int64 = 0
  @exclusivity(unchecked) var nextTick: Int64
  @exclusivity(unchecked) var nextAppCheck: Int64 = 0
  /// The time before which no process starts.
  @exclusivity(unchecked) var offUntil: Int64?
  /// A fault that will kill the process.
  var awaitedDeath: TortureFault?
  /// Faults that killed a process.
  private(set) var deaths: [TortureFault] = []
  var losesPower = false
  var powerSeed: UInt64 = 0
  /// Whether power was lost since the ledger was last compared with the store.
  private var hasLostPower = false
  /// The time before which the process receives no events.
  @exclusivity(unchecked) var suspendedUntil: Int64 = 0
  /// Whether the process has no timers: only fixes and answers wake it.
  @exclusivity(unchecked) private(set) var hasTimers: Bool
  private var wakes: (second: Int64, count: Int) = (0, 0)
  /// Whether the process dies before its next request.
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
  /// Whether faults are over: the phone is outside the venue, and makes few fixes.
  @exclusivity(unchecked) var isCalm = false

  // The state of the checker.
  @exclusivity(unchecked) var truths: [Int64: Truth] = [:]
  @exclusivity(unchecked) var fixesGiven = 0
  /// The person's consent, as the app recorded it.
  @exclusivity(unchecked) var hasConsent = false
  /// The person's consent to places outside of venues, as the app recorded it.
  @exclusivity(unchecked) var hasEverywhere = false
  @exclusivity(unchecked) var isEverywhereInDoubt = false
  @exclusivity(unchecked) var everywhereAgainAt: Int64?
  /// The virtual time of that consent.
  @exclusivity(unchecked) var everywhereSince: Int64 = 0
  /// The operating system, in runs with both consents.
  @exclusivity(unchecked) var system: TortureSystem?
  /// The trips, in runs with both consents.
  private(set) var trips: TortureTrips?
  /// The endpoints of this process that are its own.
  private(set) var endpoints: [SinkID: SinkEndpoint] = [:]
  /// Whether the monitor was informed of a trip.
  @exclusivity(unchecked) var hasTrip = false
  /// Whether the system has paused positioning, until that is checked.
  @exclusivity(unchecked) var isPausedBySystem = false
  /// The ends of evidence for where the device was.
  @exclusivity(unchecked) var interruptions: [Interruption] = []
  /// The time up to which the clock may have been set while no process ran.
  @exclusivity(unchecked) private(set) var clockDoubtUntil: Int64 = -1
  /// The offset of the wall clock at the last step.
  @exclusivity(unchecked) private var stepOffset: Int64?
  /// The places of fixes and visits: whether each may be recorded as one of the venue, and as one outside.
  @exclusivity(unchecked) var places: [PlaceKey: (inside: Bool, outside: Bool)] = [:]
  /// The sign-in at the health platform; `nil` in runs without one.
  var platform: TorturePlatform?
  /// Withdrawn pseudonyms, which the server must have deleted in the end.
  private(set) var withdrawn: Set<DeviceID> = []
  /// A pseudonym whose withdrawal is in progress.
  @exclusivity(unchecked) var leaving: DeviceID?
  /// Whether the last change of the consent may not have been written yet.
  @exclusivity(unchecked) var isConsentInDoubt = false
  /// The end of a requested pause, by the wall clock; `nil` when no pause is certain.
  @exclusivity(unchecked) var pausedUntil: Int64?
  /// Whether the pause may not have been written yet.
  @exclusivity(unchecked) var isPauseInDoubt = false
  /// Every pseudonym of the phone so far.
  private(set) var names: Set<DeviceID> = []
  @exclusivity(unchecked) private var lastName: DeviceID?
  /// The pseudonyms with a token request, and so with a secret.
  var proved: Set<DeviceID> = []
  /// Pending token requests, with the times of their timeouts.
  var openTokenRequests: [UInt64: Int64] = [:]
  var requestsInHour: (hour: Int64, count: Int) = (0, 0)
  /// Every written location, by identity, with its time.
  @exclusivity(unchecked) var everStored: [FixID: Location] = [:]
  /// Further floors of stored fixes: a fix that is delivered again much later may get another floor.
  var otherFloors: [FixID: Set<Int32?>] = [:]
  /// Every written end of a stay, by row.
  var stays: [FixID: Set<Int64>] = [:]
  /// Rows that the server may refuse.
  var justlyRefused: Set<FixID> = []
  /// The number of consecutive fixes that were refused for their place.
  @exclusivity(unchecked) var outsideInRow = 0
  /// Whether this step extended a stay after such fixes.
  @exclusivity(unchecked) var hasStrangeStay = false
  /// Every notice that arrived, by number.
  var arrivedNotices: Set<Int64> = []
  /// How the texts of these notices begin, as the store's files hold them.
  var noticePatterns: Set<UInt64> = []
  /// Whether an operator made a notice for a device.
  var isMadeNotice: (ExposureNotice, DeviceID) -> Bool = { _, _ in true }
  private(set) var violations: [String] = []
  /// Whether the server may have erased a device.
  var mayBeErased: (DeviceID) -> Bool = { _ in false }
  /// Whether the server may have forgotten the secret of a device.
  var mayBeForgotten: (DeviceID) -> Bool = { _ in false }
  /// The pseudonym with the last known activation.
  @exclusivity(unchecked) private var activatedName: DeviceID?
  /// Receives a line for all that the phone receives, sends and reports.
  var report: ((String) -> Void)?
  /// The time and status of the last answer.
  private(set) var lastAnswer: (at: Int64, status: Int)?

  init(number: Int, plan: TorturePlan, site: TortureSite) {
    self.number = number
    self.plan = plan
    self.site = site
    disk = TortureDisk(machine: number + 1)
    walker = TortureWalker(seed: plan.seed, phone: number, goesFar: plan.isEverywhere)
    random = RandomStream(seed: plan.seed, stream: 0x74, entity: UInt64(number))
    var configuration = MonitorConfiguration()
    // Fixes arrive every five seconds: the longest interval keeps one of three.
    configuration.thinning = [.zero, .seconds(5), .seconds(15)][random.nextIndex(below: 3)]
    // Three of four phones send with the default: every five minutes.
    if random.nextIndex(below: 4) == 0 {
      configuration.batchRows = 10 + random.nextIndex(below: 190)
      configuration.flushAfter = .seconds(Int64(30 + random.nextIndex(below: 570)))
    }
    configuration.sinks = [Sink(.cordon, abilities: CordonFormat().abilities)]
    configuration.maximumRows = random.nextIndex(below: 6) == 0 ? 60 : 200_000
    if random.nextIndex(below: 6) == 0 { configuration.maximumBytes = 80 * MonitorConfiguration.bytesPerRow }
    if random.nextIndex(below: 6) == 0 { configuration.maximumAge = .minutes(20) }
    if plan.isEverywhere {
      configuration.sinks += [
        Sink(.overland, purposes: .everywhere), Sink(.fhir, purposes: .everywhere),
        Sink(TortureTrips.mixed, purposes: [.record, .everywhere]), Sink(.file, purposes: [.record, .everywhere]),
      ]
      system = TortureSystem(seed: plan.seed, phone: number, site: site)
      trips = TortureTrips(seed: plan.seed, phone: number, store: TortureDisk(machine: number + 1).path("phone.sqlite"))
      var policy = TrackingPolicy()
      policy.mode = [.both, .visits, .standard, .standard, .standard][random.nextIndex(below: 5)]
      policy.recordsVisits = random.nextIndex(below: 2) == 0
      policy.minimumInterval = random.nextIndex(below: 2) == 0 ? .zero : .seconds(15)
      // A person who stands still stores one row.
      policy.minimumDistance = 1
      policy.pausesAutomatically = random.nextIndex(below: 3) > 0
      policy.pauseAfter = .minutes(3)
      policy.exitFence = 100
      configuration.everywhere = policy
    }
    self.configuration = configuration
    hasTimers = random.nextIndex(below: 4) > 0
    wallOffset = Int64(random.nextIndex(below: 2_000)) - 1_000
    nextTick = Int64(random.nextIndex(below: 5_000))
    // The maximum: one for every tick of five seconds.
    truths.reserveCapacity(Int(clamping: plan.duration / 5_000))
    everStored.reserveCapacity(Int(clamping: plan.duration / 10_000))
  }

  func fail(_ now: Int64, _ text: String) {
    if violations.count < 8 { violations.append("\(now) ms, phone \(number): \(text)") }
  }

  func wall(_ now: Int64) -> Instant { Instant(milliseconds: TortureRun.start + now + wallOffset) }

  func moment(_ now: Int64) -> ClockReading { ClockReading(wall: wall(now), monotonic: .milliseconds(now)) }

  var isUp: Bool { process != nil }
  /// The state of the process after its last step.
  var seen: TortureProcess.Glance? { process?.seen }

  /// Returns the next time at which something is due without a message.
  func nextDue(_ now: Int64) -> Int64 {
    if let offUntil { return offUntil }
    var due = min(nextTick, nextAppCheck)
    if let consentsAgainAt { due = min(due, consentsAgainAt) }
    if let isFullUntil { due = min(due, isFullUntil) }
    if let offlineUntil { due = min(due, offlineUntil) }
    if hasTimers { due = min(due, timerDue) }
    if let system { due = min(due, system.nextReport) }
    return max(due, suspendedUntil)
  }

  // MARK: Life

  /// Starts the process: opens the store, and compares its contents with the ledger.
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
      noteStart(now)
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
      // A pause is written with normal durability: a power loss may undo it.
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
      // No process starts on a disk that is full or dies again; a later attempt follows.
      kill(now, until: now + 20_000)
      return
    }
    openTokenRequests = [:]
    isPositioning = false
    wantsOneFix = false
    // Consent and withdrawal survive every fault, unless the process died while they were written.
    let knows = seen?.hasConsent ?? false
    if wasRunning, knows, !hasConsent, !isConsentInDoubt { fail(now, "a consent that was withdrawn is back") }
    if wasRunning, !knows, hasConsent {
      // The process may have died while it handled the server's erasure. A pause ends with the consent.
      if !isConsentInDoubt, !names.contains(where: mayBeErased) { fail(now, "a consent is lost") }
      pausedUntil = nil
    }
    hasConsent = knows
    isConsentInDoubt = false
    let knowsEverywhere = seen?.hasEverywhere ?? false
    if wasRunning, knowsEverywhere, !hasEverywhere, !isEverywhereInDoubt {
      fail(now, "a consent for other places that was taken back is there again")
    }
    if wasRunning, !knowsEverywhere, hasEverywhere, knows, !isEverywhereInDoubt {
      fail(now, "a consent for other places is lost")
    }
    hasEverywhere = knowsEverywhere
    isEverywhereInDoubt = false
    checkOutsideRows(now)
    platform?.restart()
    if let trips, let device = seen?.device {
      trips.follow(device)
      endpoints = trips.endpoints()
      if trips.current != nil, !trips.isInProgress(of: device) { fail(now, "the trip in progress is lost") }
    }
    // The withdrawal was written if its device is gone.
    if let leaving, let known = try? store?.devices(), !known.contains(where: { $0.id == leaving }) {
      withdrawn.insert(leaving)
    }
    leaving = nil
    send(now, .venue(site.gates[venueIndex]))
    send(now, .network((offlineUntil ?? 0) > now ? .none : .unmetered))
    if let trips, let device = seen?.device, trips.isInProgress(of: device) { note(trip: true, now) }
    check(app: now)
    send(now, .start)
    nextAppCheck = now + 60_000
  }

  /// The time of the runtime's last step, for checks within a step.
  @exclusivity(unchecked) private(set) var lastNow: Int64 = 0
  /// The time without steps before that.
  @exclusivity(unchecked) private(set) var silence: Int64 = 0

  /// Notes the start of a process: it cannot know what happened to the clock before.
  private func noteStart(_ now: Int64) {
    if let stepOffset, abs(wallOffset - stepOffset) > 2_000 { clockDoubtUntil = now }
    stepOffset = nil
    hasTrip = false
    isPausedBySystem = false
    system?.endProcess()
  }

  private func note(step now: Int64) {
    if now != lastNow { silence = now - lastNow }
    lastNow = now
    if let stepOffset, abs(wallOffset - stepOffset) > 2_000 { interrupt(.clock, now) }
    stepOffset = wallOffset
    // An expired pause is over, whatever the clock shows afterwards.
    if let end = pausedUntil, wall(now).milliseconds >= end { pausedUntil = nil }
  }

  /// Ends the process now; unwritten changes are lost.
  func kill(_ now: Int64, until: Int64) {
    if let awaitedDeath { deaths.append(awaitedDeath) }
    awaitedDeath = nil
    interrupt(.death, now)
    if plan.storage == .sqlite { disk.kill(after: 0) }
    if let store {
      ledger = store.ledger
      if plan.storage == .memory { memory = store.abandon() }
      // An open transaction is lost; an interrupted commit is in doubt.
      var rest = ledger
      if rest.doubtful == nil { rest.rollback() }
      ledger = rest
    }
    process = nil
    store = nil
    diesBeforeSending = false
    offUntil = until
  }

  /// Makes the disk full until a time; `nil` ends that.
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

  /// Performs commands, and checks the sums. Returns the requests, or `nil` when the process died.
  func settle(_ now: Int64) -> [SinkRequest]? {
    guard let store, let process else { return nil }
    if store.isDead || (diesBeforeSending && process.hasRequests) {
      kill(now, until: now + 5_000 + Int64(number) * 7_000)
      return nil
    }
    var requests: [SinkRequest] = []
    while let output = process.nextOutput() {
      for case .exposure(let notice) in output.notices { check(arrived: notice, now) }
      for command in output.commands {
        switch command {
        case .startPositioning: isPositioning = true
        case .stopPositioning: isPositioning = false
        case .requestFix: wantsOneFix = true
        default: system?.perform(command)
        }
      }
      if let report {
        for command in output.commands { report("\(now) \(number) \(command)") }
        for notice in output.notices { report("\(now) \(number) \(notice)") }
        for request in output.requests {
          let body = String(describing: request.body).prefix(60)
          report("\(now) \(number) -> \(request.number) \(request.device.rawValue.prefix(4)) \(body)")
        }
      }
      requests += output.requests
    }
    checkPositioning(now)
    let seen = process.seen
    trips?.follow(seen.device)
    let formerName = lastName
    if seen.device != lastName {
      lastName = seen.device
      names.insert(seen.device)
    }
    if !seen.hasUnfinishedWrites {
      isEverywhereInDoubt = false
      isConsentInDoubt = false
      isPauseInDoubt = false
      if let leaving { withdrawn.insert(leaving) }
      leaving = nil
    }
    // A server that reports the device's erasure also ends the consent.
    if hasEverywhere, !seen.hasEverywhere {
      hasEverywhere = false
      hasTrip = false
      if seen.hasConsent { fail(now, "a consent for other places is lost, and nobody took it back") }
    }
    if hasConsent, !seen.hasConsent {
      hasConsent = false
      hasTrip = false
      pausedUntil = nil
      if !(formerName.map(mayBeErased) ?? false) { fail(now, "a consent is lost, and the server erased nothing") }
    }
    if seen.isActivated {
      activatedName = seen.device
    } else if let name = activatedName {
      activatedName = nil
      // A withdrawal ends it too, and the pseudonym stays the same until that is written.
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

  /// Fires the due timer. A timer that keeps firing without a reason is a violation.
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
