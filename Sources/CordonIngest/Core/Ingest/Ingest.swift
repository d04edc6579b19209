package import CordonCore

/// The ingest core: a request and the time in, a response out.
///
/// ```swift
/// let ingest = Ingest(preprocessor: preprocessor, store: try SQLitePositionStore(path: path), random: .secure())
/// let response = ingest.handle(IngestRequest("GET", "/health"), now: now)
/// ```
///
/// It has no clock, no randomness of its own, no threads and no sockets. It belongs to one thread at a time. The same
/// requests at the same times with the same random bits give the same responses and the same rows.
package final class Ingest {
  /// The stage that handles requests without the store.
  package private(set) var preprocessor: RequestPreprocessor
  let store: any PositionStore
  /// The agreement with other servers that write to the same store; `nil` for a store of one server.
  let sharing: (any SharedStore)?
  /// The leases under which contacts of venues are in memory.
  var leases: [Int64: VenueLease] = [:]
  /// To which servers the rows of leased venues come.
  var balance = LeaseBalance()
  var random: RandomBits
  var contacts: LiveContacts
  /// What happened so far.
  package internal(set) var metrics = IngestMetrics()
  var events: [LiveEvent] = []
  var quotas = Quotas()
  /// Whether the time that comes with requests can be right.
  var clock: ClockWitness
  /// The venues whose spaces stand in the store as the present maps have them.
  private var described: Set<Int64> = []
  /// Whether the clock knows the latest time of the store, which may have been out of reach at the start.
  private var isClockSeeded: Bool
  /// Whether damage was found in the store. Only a restore mends it, so it stays.
  package var isDamaged = false
  /// Room on the disk for erasures and withdrawals; `nil` for none.
  package var reserve: (any SpaceReserve)?
  /// Whether the request that is handled met a full disk.
  var isRoomScarce = false
  var addresses = AddressUse()
  var polledAccesses = PolledAccesses()
  /// Whether something was deleted that may still lie in the log; an earlier process may have left something.
  var needsScrub = true
  var nextRetention = Instant(milliseconds: .min)
  var refusals = RefusalLedger()
  /// Cases and notices; in memory until a server sets a store that lasts.
  package var cases: any CaseStore = MemoryCaseStore()
  /// Rules and alerts; in memory until a server sets a store that lasts.
  package var alerts: any AlertStore = MemoryAlertStore()
  /// Codes of persons' pages: those of all servers on a shared store.
  let pageCodes: any PageCodeStore
  /// Counts of failed attempts: those of all servers on a shared store.
  let failures: any FailureStore
  /// The time of the next deletion of codes and counts that ended.
  private var nextForgetting = Instant(milliseconds: .min)
  var alertWatch = AlertWatch()
  /// Data elsewhere that is erased with its device.
  private(set) var followers: [any DeviceFollower] = []
  /// Those of them that have not caught up yet.
  var lateFollowers: [any DeviceFollower] = []
  /// The time of the next check of the rules.
  var nextAlerts = Instant(milliseconds: .min)
  /// Mixed into the numbers by which plans show devices without their names; new with each process.
  let dotSalt: UInt64
  /// When the next bin for viewers is due.
  var nextCount = Instant(milliseconds: .min)

  var settings: IngestSettings { preprocessor.settings }

  /// A core over a store.
  package init(preprocessor: RequestPreprocessor, store: any PositionStore, random: RandomBits) {
    self.preprocessor = preprocessor
    self.store = store
    sharing = store.sharing
    pageCodes = store.sharing?.pageCodes ?? MemoryPageCodeStore()
    failures = store.sharing?.failures ?? MemoryFailureStore()
    self.random = random
    var bits = random
    dotSalt = bits.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    contacts = LiveContacts(settings: preprocessor.settings, catalog: preprocessor.catalog)
    let latest = try? store.latestPresence()
    clock = ClockWitness(latest: latest ?? .epoch)
    isClockSeeded = latest != nil
  }

  /// Adds data that is erased with its device. What should have been erased before is erased now, or by a later ``tick(now:)`` while
  /// the store is out of reach.
  package func add(_ follower: any DeviceFollower, now: Instant) throws(StoreFault) {
    followers.append(follower)
    do throws(StoreFault) {
      try follower.catchUp(at: now) { (device) throws(StoreFault) in try ends(of: device) }
    } catch {
      guard error.kind == .unavailable else { throw error }
      lateFollowers.append(follower)
    }
  }

  /// Takes new venues, keys or operators into use.
  package func replace(_ preprocessor: RequestPreprocessor) {
    let settings = self.preprocessor.settings
    self.preprocessor = preprocessor
    described.removeAll()
    if settings != preprocessor.settings {
      contacts = LiveContacts(settings: preprocessor.settings, catalog: preprocessor.catalog)
    } else {
      contacts.use(preprocessor.catalog)
    }
  }

  /// Handles one request.
  package func handle(_ request: IngestRequest, now: Instant) -> IngestResponse {
    switch perform([preprocessor.prepare(request, now: now)], now: now)[0] {
    case .answer(let response): preprocessor.prove(response, for: request)
    case .read(let query): query.answer(from: store)
    }
  }

  /// The outcome of a request.
  package enum Outcome: Sendable {
    /// It is done.
    case answer(IngestResponse)
    /// It was allowed and noted; the answer is only a matter of reading, which may happen elsewhere.
    case read(Query)
  }

  /// Handles requests in order. Batches of positions that follow one another share one transaction: either all of them
  /// are answered with what is on the disk, or all with 503.
  package func perform(_ requests: [RequestPreprocessor.Prepared], now: Instant) -> [Outcome] {
    var outcomes: [Outcome] = []
    outcomes.reserveCapacity(requests.count)
    var k = 0
    while k < requests.count {
      switch requests[k].work {
      case .answer(let response):
        outcomes.append(.answer(response))
        k += 1
      case .refused(let claims, let problem):
        outcomes.append(.answer(refusal(problem, of: claims, now: now)))
        k += 1
      case .other(let request):
        sharing?.beginAlone()
        outcomes.append(respond(to: request, now: now))
        sharing?.endAlone()
        k += 1
      case .positions:
        var group: [PositionWork] = []
        while k < requests.count, case .positions(let work) = requests[k].work {
          group.append(work)
          k += 1
        }
        for response in store(group, now: now) { outcomes.append(.answer(response)) }
      }
    }
    for outcome in outcomes {
      if case .answer(let response) = outcome { metrics.count(status: response.status) }
    }
    return outcomes
  }

  /// What happened since the last call, for those who watch.
  package func takeEvents() -> [LiveEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// Runs a transaction; undoes it when it fails.
  func transaction<T>(_ body: () throws(StoreFault) -> T) throws(StoreFault) -> T {
    try store.begin()
    do throws(StoreFault) {
      let value = try body()
      try store.commit()
      return value
    } catch {
      undo()
      throw error
    }
  }

  func undo() {
    store.rollback()
    contacts.forget()
  }

  /// The answer to a client after a fault of the store: try again. The message is for the log.
  func problem(_ fault: StoreFault) -> Problem {
    metrics.storeFaults += 1
    metrics.lastFault = fault.description
    if fault.kind == .corrupt { isDamaged = true }
    // Rolled-back writes still take room in the write-ahead log.
    if fault.kind == .full { needsScrub = true }
    return Problem(503, .init(fault.kind), "the server cannot store at the moment", retryAfter: 10)
  }

  /// Why a server should get no requests.
  package enum Unreadiness: String, Hashable, Sendable, CaseIterable {
    /// The store cannot be written.
    case store
    /// Pages of the store are damaged.
    case damaged
    /// The disk is full, or nearly so.
    case disk
    /// The clock contradicts the rows.
    case clock
  }

  /// Whether the store is sound and can be written, and the clock agrees with the rows.
  package func isReady(now: Instant) -> Bool { unreadiness(now: now).isEmpty }

  /// What keeps the server from being ready. Writes a little, to see whether that is possible.
  package func unreadiness(now: Instant) -> Set<Unreadiness> {
    var found: Set<Unreadiness> = []
    do throws(StoreFault) {
      try transaction { () throws(StoreFault) in try store.probe() }
    } catch {
      _ = problem(error)
      found.insert(error.kind == .full ? .disk : .store)
    }
    if preprocessor.operators == nil { found.insert(.store) }
    if isDamaged { found.insert(.damaged) }
    if reserve?.isNearlyFull == true { found.insert(.disk) }
    clock.observe(now)
    if clock.isWrong(now: now, tolerance: settings.futureTolerance) { found.insert(.clock) }
    metrics.unreadiness = found
    return found
  }

  // MARK: Jobs

  /// Does what is due besides requests: late contacts, retention, and overwriting what was deleted. To be called about
  /// once a second. Answers whether there is more to do at once.
  @discardableResult
  package func tick(now: Instant) -> Bool {
    do throws(StoreFault) {
      try sharing?.tend()
      try giveLeasesBack()
      if !isClockSeeded {
        clock.keep(try store.latestPresence())
        isClockSeeded = true
      }
    } catch {
      _ = problem(error)
      return false
    }
    contacts.advance(to: now)
    metrics.contactPoints = contacts.pointCount
    if let reserve, !reserve.isWhole { reserve.restore() }
    do throws(StoreFault) {
      try forgetCodes(now: now)
      var isBusy = finishErasures(now: now)
      isBusy = try settle(now: now, limit: 64) || isBusy
      // A clock that runs ahead must not delete what is not old.
      guard sharing?.isMaintainer ?? true else {
        // Another server deletes, all but the log of this one.
        metrics.lastRetention = now
        if now >= nextRetention, !clock.mayBeAhead(now: now) {
          try sharing?.expireLog(retentionLimits(now: now))
          nextRetention = now + .minutes(10)
        }
        return isBusy
      }
      if now >= nextRetention, !clock.mayBeAhead(now: now) { isBusy = try expire(now: now) || isBusy }
      isBusy = try countForViewers(now: now) || isBusy
      try describeSpaces()
      try watchAlerts(now: now)
      try scrub()
      return isBusy
    } catch {
      undo()
      _ = problem(error)
      return false
    }
  }

  /// Finds the contacts of rows that another server has stored, after a hint that there are some; does nothing else of
  /// ``tick(now:)``. Answers whether there is more to do at once.
  package func settleHinted(now: Instant) -> Bool {
    do throws(StoreFault) {
      return try settle(now: now, limit: 64)
    } catch {
      undo()
      _ = problem(error)
      return false
    }
  }

  /// Gives the leases back of venues whose rows have come to other servers only, so that one of those takes them.
  private func giveLeasesBack() throws(StoreFault) {
    for venue in balance.misplaced {
      try sharing?.giveBack(venue)
      balance.end(venue)
      contacts.forget(venue: venue)
      leases[venue] = nil
    }
  }

  /// Deletes codes of pages and counts of failed attempts that ended, once a minute.
  private func forgetCodes(now: Instant) throws(StoreFault) {
    guard now >= nextForgetting else { return }
    nextForgetting = now + .minutes(1)
    try failures.expire(failuresAt: now)
    try pageCodes.expire(codesAt: now)
  }

  /// Writes the spaces of the maps into a shared store, for people who analyse it.
  private func describeSpaces() throws(StoreFault) {
    guard let sharing, described.count < preprocessor.catalog.ids.count else { return }
    for known in try store.venues() where !described.contains(known.number) {
      guard let venue = preprocessor.catalog[known.id] else { continue }
      try transaction { () throws(StoreFault) in try sharing.describe(venue: known.number, spaces: venue.outlines) }
      described.insert(known.number)
    }
  }

  /// Empties the write-ahead logs into their files, and gives leases back. An error leaves the logs to the next start.
  package func end() {
    _ = try? store.scrub()
    sharing?.leave()
  }

  /// Leaves nothing of what was deleted: in the file it is overwritten already, so only the log is to be emptied.
  func scrub() throws(StoreFault) {
    if needsScrub, try store.scrub() { needsScrub = false }
  }

  /// Finds the contacts of positions that came late. Answers whether there may be more.
  func settle(now: Instant, limit: Int) throws(StoreFault) -> Bool {
    guard settings.findsContacts else { return false }
    let marks = try store.lateSpans(limit: limit)
    guard !marks.isEmpty else { return false }
    try transaction { () throws(StoreFault) in
      var own: [LateSpan] = []
      for mark in marks where try mayFindContacts(of: mark.venue, at: now) { own.append(mark) }
      try contacts.settle(own, store: store, now: now)
    }
    for mark in marks { balance.rowsCameElsewhere(of: mark.venue, at: now) }
    metrics.settled += marks.count
    return marks.count == limit
  }

  /// Whether this server finds the contacts of a venue. Belongs into the transaction that changes them.
  ///
  /// The positions in memory are forgotten when another server had the venue meanwhile, and when somebody was erased.
  func mayFindContacts(of venue: Int64, at now: Instant) throws(StoreFault) -> Bool {
    guard let sharing else { return true }
    let lease = try sharing.lease(of: venue)
    if lease != leases[venue] {
      contacts.forget(venue: venue)
      if lease == nil {
        balance.end(venue)
      } else if lease?.epoch != leases[venue]?.epoch {
        balance.begin(venue, at: now)
      }
      leases[venue] = lease
    }
    return lease != nil
  }

  /// Deletes what is too old. Answers whether there may be more.
  func expire(now: Instant) throws(StoreFault) -> Bool {
    let limits = retentionLimits(now: now)
    let report = try transaction { () throws(StoreFault) in try store.expire(limits) }
    _ = try cases.expire(before: now - settings.caseRetention)
    try alerts.expire(before: now - settings.auditRetention)
    metrics.expired.positions += report.positions
    metrics.expired.contacts += report.contacts
    metrics.expired.others += report.others
    metrics.expired.devices += report.devices
    metrics.lastRetention = now
    if report.positions + report.contacts + report.others + report.devices > 0 {
      needsScrub = true
    }
    nextRetention = report.isPartial ? now : now + .minutes(10)
    return report.isPartial
  }

  private func retentionLimits(now: Instant) -> RetentionLimits {
    RetentionLimits(
      positions: now - settings.positionRetention, contacts: now - settings.contactRetention,
      audit: now - settings.auditRetention, tombstones: now - settings.tombstoneRetention, batches: now - .days(1),
      invites: now - .days(1), unusedInvites: now - .days(30), devices: now - settings.deviceRetention,
      maximumPositions: 20_000)
  }
}
