import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonStorage

/// The walk, the app and the person of a phone.
extension TorturePhone {
  /// Advances the person by five seconds.
  ///
  /// Returns whether the phone received a fix.
  func walk(_ now: Int64) -> Bool {
    nextTick += isCalm ? 60_000 : 5_000
    tick += 1
    if !isCalm {
      walker.step()
      followSystem(walker.place, at: nextTick - 5_000)
    }
    // Ticks during a sleep of the process are lost.
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
    let mayRecord = TortureSite.mayRecord(place.x, place.y, bundle: venueIndex)
    let isOutside = TortureSite.isOutside(place.x, place.y, bundle: venueIndex)
    note(
      Truth(
        place: place, bundles: mayRecord ? 1 << UInt8(venueIndex) : 0,
        outsideBundles: isOutside ? 1 << UInt8(venueIndex) : 0, floor: floor, coordinate: coordinate,
        at: time.milliseconds - TortureRun.start - wallOffset, offset: wallOffset),
      at: time)
    give(now, fix, mayRecord: mayRecord, isOutside: isOutside)
    if redelivery == nil, chance >= 250 {
      redelivery = (tick + 20 + Int(draw.1 >> 32 & 0x3f), fix)
    }
    return true
  }

  /// Delivers an old fix again, which only the store remembers. Returns whether there was one.
  func walkAgain(_ now: Int64) -> Bool {
    guard isUp, let again = redelivery, tick >= again.tick else { return false }
    redelivery = nil
    let time = again.fix.time.milliseconds
    guard let place = truths[time]?.place else { return false }
    let mayRecord = TortureSite.mayRecord(place.x, place.y, bundle: venueIndex)
    let isOutside = TortureSite.isOutside(place.x, place.y, bundle: venueIndex)
    judge(time)
    give(now, again.fix, mayRecord: mayRecord, isOutside: isOutside, isAgain: true)
    return true
  }

  /// Notes the circumstances of a fix.
  func note(_ truth: Truth, at time: Instant) {
    truths[time.milliseconds] = truth
    note(placeOf: truth)
  }

  /// Notes how the bundle in use judges the place of a fix.
  func judge(_ time: Int64) {
    guard let place = truths[time]?.place else { return }
    let bundle: UInt8 = 1 << UInt8(venueIndex)
    if TortureSite.mayRecord(place.x, place.y, bundle: venueIndex) { truths[time]?.bundles |= bundle }
    if TortureSite.isOutside(place.x, place.y, bundle: venueIndex) { truths[time]?.outsideBundles |= bundle }
    if let truth = truths[time] { note(placeOf: truth) }
  }

  private func note(placeOf truth: Truth) {
    guard plan.isEverywhere else { return }
    let key = PlaceKey(truth.coordinate)
    let known = places[key] ?? (false, false)
    places[key] = (known.inside || truth.mayRecord, known.outside || truth.isOutside)
  }

  private func give(_ now: Int64, _ fix: Fix, mayRecord: Bool, isOutside: Bool, isAgain: Bool = false) {
    fixesGiven += 1
    let wasTracking = seen?.isTrackingOutside ?? false
    let verdict = send(now, .fix(fix))
    check(verdict, of: fix, mayRecord: mayRecord, isOutside: isOutside && wasTracking, isAgain: isAgain, now)
    // A fix in an unrecorded room ends a rest at once, others only when there are several.
    switch verdict {
    case .stored, .thinned:
      if !mayRecord { outsideInRow += 1 } else { fallthrough }
    case .held:
      outsideInRow = 0
      hasStrangeStay = false
    case .refused(.unrecorded): outsideInRow = configuration.exitFixes
    case .refused(.outside): outsideInRow += 1
    case .refused(.tooFast):
      outsideInRow = 0
      hasStrangeStay = false
    default: break
    }
  }

  /// The app's check once a minute: requests consent again, activates, and informs the administrator if that fails.
  func check(app now: Int64) {
    nextAppCheck = now + 60_000
    if let due = consentsAgainAt, due <= now { consentsAgainAt = nil }
    if !hasConsent, consentsAgainAt == nil {
      isConsentInDoubt = true
      hasConsent = true
      send(now, .consent(Consent(version: "\(life)", time: wall(now))))
    }
    acknowledgeNotices(now)
    // The person opens the app, which asks for notices.
    if isCalm { send(now, .woken) }
    if let due = everywhereAgainAt, due <= now { everywhereAgainAt = nil }
    if plan.isEverywhere, number % 2 == 0, hasConsent, !hasEverywhere, everywhereAgainAt == nil {
      isEverywhereInDoubt = true
      hasEverywhere = true
      everywhereSince = now
      send(now, .consent(Consent(version: "\(life)", purposes: .everywhere, time: wall(now))))
    }
    if number % 2 == 0 { platform?.signInIfNeeded(wall(now)) }
    if seen?.phase == .needsActivation {
      needsActivationSince = needsActivationSince ?? now
    } else {
      needsActivationSince = nil
    }
  }

  /// Whether an administrator has to free the device at the server.
  func isStuck(_ now: Int64) -> Bool { needsActivationSince.map { now - $0 > 240_000 } ?? false }

  /// Takes back the consent for places outside of venues.
  func retractEverywhere(_ now: Int64, until: Int64) {
    guard seen != nil, hasEverywhere else { return }
    hasEverywhere = false
    isEverywhereInDoubt = true
    everywhereAgainAt = until
    trips?.withdraw()
    hasTrip = false
    send(now, .retract(.everywhere))
    checkOutsideRows(now)
  }

  /// Checks that no row from outside is there without the consent for it.
  func checkOutsideRows(_ now: Int64) {
    guard plan.isEverywhere, !hasEverywhere, let store, let seen, !seen.hasUnfinishedWrites, !store.isDead else {
      return
    }
    let rows = (try? store.devices().flatMap { device in try store.locations(of: device.id) }) ?? []
    let count = rows.count { $0.purpose == .everywhere }
    if count > 0 { fail(now, "\(count) rows from outside are kept without the consent for them") }
  }

  /// Withdraws the consent.
  func withdraw(_ now: Int64, until: Int64) {
    guard let seen, hasConsent else { return }
    hasConsent = false
    hasEverywhere = false
    isEverywhereInDoubt = true
    isConsentInDoubt = true
    leaving = seen.device
    consentsAgainAt = until
    trips?.withdraw()
    hasTrip = false
    send(now, .withdraw)
    pausedUntil = nil
  }

  /// Pauses monitoring.
  func pause(_ now: Int64, for amount: Int64) {
    let end = wall(now) + .milliseconds(amount)
    interrupt(.pause, now)
    send(now, .pause(until: end))
    pausedUntil = end.milliseconds
    isPauseInDoubt = true
  }

  /// Opens the file of a running phone in a second process, which must be refused without touching the file.
  ///
  /// Returns whether the second process reached the store.
  func openTwice(_ now: Int64) -> Bool {
    guard isUp, plan.storage == .sqlite else { return false }
    do throws(StoreError) {
      let store = try SQLiteStore(path: disk.path("phone.sqlite"))
      fail(now, "a second process has the file of a phone that runs: \((try store.devices()).count) devices")
    } catch {
      guard error.kind == .inUse else { return false }
    }
    return true
  }

  /// Activates another bundle of the venue. Due work is still done with the former one.
  func changeVenue(_ now: Int64) {
    send(now, .venue(site.gates[1 - venueIndex]))
    venueIndex = 1 - venueIndex
  }
}
