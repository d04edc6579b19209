import CordonCore
import CordonGeometry
import CordonMonitoring

/// Checks of the promises within a step.
extension TorturePhone {
  /// Whether a row was ever stored with a floor.
  func hasStored(_ id: FixID, on floor: Int32?) -> Bool {
    everStored[id].map { $0.floor?.thousandths == floor } ?? false || otherFloors[id]?.contains(floor) ?? false
  }

  /// Checks a row before it is committed.
  func check(inserted row: Location) {
    let now = lastNow
    if let earlier = everStored.updateValue(row, forKey: row.id), earlier.floor != row.floor {
      otherFloors[row.id, default: []].insert(earlier.floor?.thousandths)
    }
    if let end = row.stillUntil { stays[row.id, default: []].insert(end.milliseconds) }
    if !hasConsent { fail(now, "a row is written without consent") }
    if pausedUntil != nil { fail(now, "a row is written during a pause") }
    if row.purpose == .everywhere { return check(outside: row) }
    guard let truth = truths[row.time.milliseconds] else {
      return fail(now, "a row has the time \(row.time.milliseconds), which no fix has")
    }
    if !truth.mayRecord { fail(now, "a row of a fix that must not be recorded is written") }
    if truth.coordinate != row.coordinate { fail(now, "a row lies elsewhere than its fix") }
    if truth.floor == nil, row.floor != nil {
      fail(now, "a row has the floor \(row.floor?.description ?? "") of a fix without one")
    }
    if let bundle = site.gates.firstIndex(where: { $0.contentHash == row.venueHash }) {
      if truth.bundles & 1 << UInt8(bundle) == 0 { fail(now, "a row names a bundle that did not let it pass") }
    } else {
      fail(now, "a row names a bundle that there is not")
    }
    if row.space != TortureSite.space(truth.place.x, truth.place.y, floor: row.floor) {
      fail(now, "a row has the space \(row.space?.rawValue ?? "none"), which is not its own")
    }
    let id = FixID(
      device: row.device, time: row.time, coordinate: row.coordinate, accuracy: row.accuracy, floor: truth.floor)
    if id != row.id { fail(now, "a row has an identity that is not its own") }
  }

  /// Checks a row from outside of venues before it is committed.
  private func check(outside row: Location) {
    let now = lastNow
    if !hasEverywhere { fail(now, "a row from outside is written without the consent for it") }
    guard let truth = truths[row.time.milliseconds] else {
      return fail(now, "a row has the time \(row.time.milliseconds), which no fix has")
    }
    if !truth.isOutside { fail(now, "a row from inside is written as one from outside") }
    if truth.coordinate != row.coordinate { fail(now, "a row lies elsewhere than its fix") }
    if row.floor != nil || row.space != nil { fail(now, "a row from outside has a floor or a space") }
    if truth.at < everywhereSince, isClockSure(since: truth.at) {
      fail(now, "a row from outside is of a time before the consent for it")
    }
    if truth.isVisit, let end = row.stillUntil { check(rest: row, until: end) }
    let id = FixID(
      device: row.device, time: row.time, coordinate: row.coordinate, accuracy: row.accuracy, floor: truth.floor)
    if id != row.id { fail(now, "a row has an identity that is not its own") }
  }

  /// Checks a stay before it is extended.
  func check(extended row: Location) {
    let now = lastNow
    guard var known = everStored[row.id] else { return fail(now, "a stay of a row that was never there is lengthened") }
    known.stillUntil = row.stillUntil
    if known != row, otherFloors[row.id] == nil {
      fail(now, "a row is another one when its stay is lengthened: \(row), not \(known)")
    }
    guard let end = row.stillUntil else { return fail(now, "a stay is lengthened without an end") }
    let before = stays[row.id]?.max().map(Instant.init(milliseconds:)) ?? row.time
    stays[row.id, default: []].insert(end.milliseconds)
    // The system's dates may be ahead of the clock by a little.
    let isVisit = truths[row.time.milliseconds]?.isVisit ?? false
    if end < row.time || end > wall(now) + (isVisit ? configuration.futureTolerance : .zero) {
      fail(now, "a stay ends before it begins, or in the future")
    }
    if !hasConsent { fail(now, "a stay is lengthened without consent") }
    if pausedUntil != nil { fail(now, "a stay is lengthened during a pause") }
    if row.purpose == .everywhere {
      // A pause may be long: the system watches its circle, and wakes nobody before the device leaves it.
      if !hasEverywhere { fail(now, "a rest outside is lengthened without the consent for it") }
      return check(rest: row, until: end)
    }
    // A fix that ends a silence may begin a new stay.
    let longest = 5 * configuration.heartbeat.milliseconds / 2
    if silence > longest, (end - before).milliseconds > longest {
      fail(now, "a stay is lengthened by \(silence) ms in which nobody watched")
    }
    // The fix of this very step may be the first of a new stay; its verdict is not known yet.
    if outsideInRow >= configuration.exitFixes { hasStrangeStay = true }
    guard let place = truths[row.time.milliseconds]?.place else { return }
    if !TortureSite.mayRecord(place.x, place.y, bundle: venueIndex) {
      fail(now, "a stay is lengthened where nothing may be recorded any more")
    }
  }

  /// The maximum number of rows by the limits of rows and bytes.
  private var maximumRows: Int {
    min(configuration.maximumRows, configuration.maximumBytes / MonitorConfiguration.bytesPerRow)
  }

  /// Checks a row before a limit deletes it.
  func check(expired id: FixID, byAge: Bool, of count: Int) {
    let now = lastNow
    guard let row = everStored[id] else { return }
    if byAge, row.time >= wall(now) - configuration.maximumAge { fail(now, "a row expires before its time") }
    if !byAge, count <= maximumRows { fail(now, "one of \(count) rows is deleted to make room") }
  }

  /// Checks that no row is older than allowed. Limits of age are checked once an hour and after a start; a changed clock
  /// makes rows older at once.
  func checkAges(_ now: Int64, _ store: LedgerStore) {
    guard hasTimers, isUp, now - max(launchedAt, clockSetAt) > 3_700_000 else { return }
    let earliest = wall(now) - configuration.maximumAge - .milliseconds(3_700_000)
    let old = store.ledger.rows.keys.filter { id in everStored[id].map { $0.time < earliest } ?? false }.count
    if old > 0 { fail(now, "\(old) rows are older than they may be") }
  }

  /// Whether fixes outside are recorded, not only visits.
  private var recordsFixesOutside: Bool { configuration.everywhere?.mode != .visits || hasTrip }

  /// Checks a verdict against plain comparisons of the fix.
  /// - Parameter isOutside: whether the place is outside of the venue, and was recorded before the fix.
  func check(_ verdict: Verdict, of fix: Fix, mayRecord: Bool, isOutside: Bool, isAgain: Bool, _ now: Int64) {
    guard let seen else { return }
    switch verdict {
    case .none: fail(now, "a fix has no verdict")
    case .stored, .held, .thinned:
      if !hasConsent { fail(now, "a fix is \(verdict) without consent") }
      if pausedUntil != nil { fail(now, "a fix is \(verdict) during a pause") }
      if !mayRecord, !(isOutside && hasEverywhere && recordsFixesOutside) {
        fail(now, "a fix that must not be recorded is \(verdict)")
      }
    case .refused(let reason):
      let accuracy = fix.accuracy ?? 0
      let isJust =
        switch reason {
        case .outside: !mayRecord && !(isOutside && seen.isTrackingOutside && recordsFixesOutside)
        case .unrecorded: !mayRecord
        case .future: fix.time > wall(now) + configuration.futureTolerance
        case .mocked: fix.isMocked
        case .duplicate: isAgain
        case .unknownAccuracy: fix.accuracy == nil
        case .tooInaccurate: accuracy > configuration.maximumAccuracy
        case .noConsent: !hasConsent
        case .notTracking: seen.phase == .needsActivation || seen.phase == .paused
        // Only the monitor knows the start of its session, and the fix that a speed refers to.
        case .stale, .tooFast: true
        case .invalid, .storeFailed: false
        }
      if !isJust { fail(now, "a fix is refused as \(reason.rawValue), which it is not, in phase \(seen.phase)") }
    }
  }

  /// Checks an answer before its delivery: the server refuses no row without a reason.
  func check(_ coming: TortureNetwork.Coming, _ now: Int64) {
    guard case .positions(let rows, _) = coming.request.body, coming.response.isProved else { return }
    switch coming.response.status {
    case 200..<300:
      guard case .rows(let answers) = coming.response.body else { return }
      // By the server's clock and tolerance.
      let latest = Instant(milliseconds: TortureRun.start + coming.answeredAt) + .minutes(2)
      for answer in answers {
        guard case .refused(let reason) = answer.status, let row = rows.first(where: { $0.id == answer.id }) else {
          continue
        }
        if row.time > latest || row.stillUntil ?? row.time > latest || !coming.isIntact {
          justlyRefused.insert(row.id)
        } else {
          fail(now, "the server refuses a good row: \(reason)")
        }
      }
    case 400, 413, 422:
      // A damaged request with one row looks like a bad row.
      if rows.count == 1, !coming.isIntact { justlyRefused.insert(rows[0].id) }
    default: break
    }
  }

  /// Checks that only rows with a reason for refusal are quarantined.
  func checkQuarantine(_ now: Int64, _ a: Accounting, _ store: LedgerStore) throws {
    let set = Set(store.ledger.rows.filter(\.value.isQuarantined).keys)
    if Int(clamping: a.quarantined) != set.count {
      fail(now, "\(set.count) rows are in quarantine, but accounted are \(a.quarantined)")
    }
    let inStore = try store.devices().flatMap { device in try store.deliveries(of: device.id) }
    if Set(inStore.filter { $0.status == .quarantined }.map(\.id)) != set {
      fail(now, "other rows are in quarantine than were refused")
    }
    let unjust = set.subtracting(justlyRefused).count
    if unjust > 0 { fail(now, "\(unjust) rows are in quarantine that no server refused for a reason") }
  }

  func checkSums(_ now: Int64, _ a: Accounting, isBehind: Bool, _ store: LedgerStore) {
    if a.fixes != a.refused &+ a.thinned &+ a.held &+ a.stored { fail(now, "fixes do not add up: \(a)") }
    guard !isBehind else { return }
    let counts = store.ledger.counts
    let rows = store.ledger.rowCount
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
    if rows > maximumRows + maximumRows / 100 + 1 {
      fail(now, "\(rows) rows are more than the limit")
    }
    if !hasConsent, rows > 0 { fail(now, "\(rows) rows without consent") }
  }
}
