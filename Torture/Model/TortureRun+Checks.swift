import Cordon
import CordonCore
import CordonIngest
import CordonMonitoring

/// Checks of the promises when a message is sent, and at the end.
extension TortureRun {
  /// Checks a request before it is sent.
  func check(_ request: SinkRequest, of phone: TorturePhone) {
    func fail(_ text: String) { phone.fail(now, text) }
    let hour = now / 3_600_000
    phone.requestsInHour = phone.requestsInHour.hour == hour ? (hour, phone.requestsInHour.count + 1) : (hour, 1)
    if phone.requestsInHour.count == 1_000 { fail("a thousand requests in an hour") }
    switch request.body {
    case .positions(let rows, _):
      if !phone.hasConsent { fail("rows are sent without consent") }
      if rows.count > phone.configuration.batchRows { fail("\(rows.count) rows are in one request") }
      for index in rows.indices {
        if rows[index].device != request.device { fail("a row of another device is sent") }
        let truth = phone.truths[rows[index].time.milliseconds]
        let purposes = phone.configuration.sinks.first { $0.id == request.sink }?.purposes ?? []
        if !purposes.contains(rows[index].purpose) { fail("a row goes to a sink that may not have it") }
        if rows[index].purpose == .everywhere {
          if !phone.hasEverywhere { fail("a row from outside is sent without the consent for it") }
          if truth.map({ !$0.isOutside }) ?? true { fail("a row from inside is sent as one from outside") }
        } else {
          if truth.map({ !$0.mayRecord }) ?? true { fail("a row from outside is sent") }
        }
        if let end = rows[index].stillUntil, phone.stays[rows[index].id]?.contains(end.milliseconds) != true {
          fail("a stay is sent that was never written")
        }
        if let known = phone.store?.ledger.row(rows[index].id) {
          let acknowledged = known.deliveredUntil[Int(request.sink.number & 7)]
          if acknowledged >= (rows[index].stillUntil ?? rows[index].time).milliseconds {
            fail("a row is sent again to a sink that acknowledged it")
          }
        } else {
          fail("a row is sent that the store does not have")
        }
      }
      if let latest = request.latest, latest.purpose == .everywhere ? !phone.hasEverywhere : !phone.hasConsent {
        fail("the current location is sent without the consent for it")
      }
      if let latest = request.latest,
        phone.configuration.sinks.first(where: { $0.id == request.sink })?.purposes.contains(latest.purpose) != true
      {
        fail("the current location goes to a sink that may not have it")
      }
    case .token:
      phone.openTokenRequests = phone.openTokenRequests.filter { $0.value > now }
      if !phone.openTokenRequests.isEmpty { fail("a second token is requested while one is awaited") }
      phone.openTokenRequests[request.number] = now + phone.configuration.requestTimeout.milliseconds
      phone.proved.insert(request.device)
    case .activate: if !phone.hasConsent { fail("an invite code is sent without consent") }
    case .consent: if !phone.hasConsent { fail("a consent is sent that was not given") }
    case .notices, .acknowledge: if !phone.hasConsent { fail("notices are requested without consent") }
    case .erase: break
    }
  }

  /// Checks an answer of the server before it is sent.
  func check(_ answer: HTTPResponse, to going: TortureNetwork.Going) {
    guard going.isIntact, case .positions(let rows, _) = going.request.body else { return }
    switch answer.status {
    case 400, 413, 422: fail("a batch of \(rows.count) good and bad rows is refused as a whole with \(answer.status)")
    default: break
    }
  }

  // MARK: At the end

  func check() {
    var settled = 0
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
      settled += store.ledger.counts.settled
      do {
        try phone.checkQuarantine(now, a, store)
        phone.checkAges(now, store)
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
    if settled == 0, plan.duration >= 3_600_000 { fail("not one row was acknowledged") }
    checkNotices()
    checkTrips()
    checkServerBytes()
  }

  /// Returns the places that no bundle in use allows to record.
  private func outsidePlaces(of phone: TorturePhone) -> Set<PlacePattern> {
    let inside = Set(phone.truths.values.filter(\.mayRecord).map { PlacePattern($0.coordinate) })
    return Set(phone.truths.values.filter { !$0.mayRecord }.map { PlacePattern($0.coordinate) }).subtracting(inside)
  }

  /// Checks that no file contains a removed row or a place outside.
  private func checkBytes(of phone: TorturePhone, _ store: LedgerStore) {
    let kept = Set(store.ledger.rows.keys)
    var scanner = ByteScanner()
    for id in phone.everStored.keys where !kept.contains(id) { scanner.add(id.low) }
    for place in outsidePlaces(of: phone) { scanner.add(place.longitude, place.latitude) }
    phone.disk.forEachFile { bytes in
      let found = scanner.found(in: bytes)
      if found != (0, 0) {
        phone.fail(now, "the file still has \(found.patterns) rows that are gone, and \(found.pairs) places outside")
      }
    }
  }

  private func checkServer(_ phone: TorturePhone, _ store: LedgerStore) throws {
    let erased = phone.withdrawn.union(erasedByServer)
    var there: Set<FixID> = []
    for device in phone.names.sorted() {
      let rows = try server.positions(of: device)
      rowCount += rows.count
      // A device without a proved owner has no rows, and is deleted in a day; a freed one stays free.
      let mayBeKnown = !phone.proved.contains(device) || freed.contains(device)
      if erased.contains(device), try !rows.isEmpty || (!mayBeKnown && server.knows(device)) {
        fail("\(rows.count) rows of \(device), which was erased")
      }
      var times: Set<Int64> = []
      for row in rows {
        there.insert(row.id)
        if !times.insert(row.time).inserted { fail("two rows of one fix of \(device)") }
        if phone.everStored[row.id]?.purpose == .everywhere, phone.truths[row.time]?.mayRecord != true {
          fail("the server has a row from outside")
        }
        guard let sent = phone.everStored[row.id] else {
          fail("a row that no phone ever stored")
          continue
        }
        if row.coordinate != sent.coordinate || !phone.hasStored(row.id, on: row.floor)
          || row.accuracy != Int64((sent.accuracy * 1_000).rounded())
        {
          fail(
            "a row is not what was sent: \(row.coordinate), \(row.accuracy) mm, floor \(String(describing: row.floor)) for \(sent.coordinate), \(sent.accuracy), \(String(describing: sent.floor)), id \(row.id)"
          )
        }
        if let truth = phone.truths[row.time], !truth.mayRecord { fail("a row from outside is kept") }
        try check(row, of: phone)
        // A fix that was delivered again under another bundle may have been a row from outside at last.
        if !lostByRestore.contains(row.id), sent.purpose == .record, let gone = store.ledger.gone(row.id),
          gone.cause == .settled, row.stillUntil ?? 0 < gone.stillUntil ?? 0
        {
          fail("a stay that phone \(phone.number) deleted as acknowledged is cut short")
        }
      }
    }
    for (id, gone) in store.ledger.gone where gone.cause == .settled {
      guard var row = phone.everStored[id] else { continue }
      row.stillUntil = gone.stillUntil.map(Instant.init(milliseconds:))
      if plan.isEverywhere, !receivers.have(row, at: TortureTrips.mixed) {
        fail("a row that was deleted as acknowledged is not at the receiver of both kinds")
      }
      if row.purpose == .everywhere {
        // A fix that was delivered again under another bundle may have been a row of the venue first.
        if phone.truths[row.time.milliseconds]?.mayRecord == true { continue }
        if !receivers.have(row, at: .overland) || !receivers.platformHas(row) {
          fail("a row from outside that was deleted as acknowledged is not at both receivers")
        }
        continue
      }
      guard !erased.contains(row.device), !perhapsErased.contains(row.device) else { continue }
      if !there.contains(id), !lostByRestore.contains(id) {
        fail("a row that phone \(phone.number) deleted as acknowledged is not there")
      }
    }
  }

  /// Checks the stay and the space of a row on the server.
  private func check(_ row: StoredPosition, of phone: TorturePhone) throws {
    if let end = row.stillUntil, phone.stays[row.id]?.contains(end) != true { fail("a stay ends when no phone said") }
    guard let place = phone.truths[row.time]?.place else { return fail("a row has a time that no fix has") }
    let floor = row.floor.map { FloorOrdinal(thousandths: $0) }
    let space = try row.space.flatMap { try server.store?.space($0) }
    if space != TortureSite.space(place.x, place.y, floor: floor) {
      fail("a row is kept in the space \(space?.rawValue ?? "none"), which is not its own")
    }
  }

  /// Checks that the server's files contain no erased device and no place outside.
  private func checkServerBytes() {
    guard plan.storage == .sqlite else { return }
    for _ in 0..<4 { server.tick(Instant(milliseconds: TortureRun.start + now)) }
    var scanner = ByteScanner()
    for phone in phones {
      let erased = phone.withdrawn.union(erasedByServer)
      for row in phone.everStored.values where erased.contains(row.device) { scanner.add(row.id.low) }
    }
    let ofErased = scanner
    var ofPlaces = ByteScanner()
    let inside = Set(phones.flatMap { $0.truths.values.filter(\.mayRecord).map { PlacePattern($0.coordinate) } })
    for phone in phones {
      for place in outsidePlaces(of: phone) where !inside.contains(place) { ofPlaces.add(place.ofServer) }
    }
    server.disk.forEachFile { bytes in
      let rows = ofErased.found(in: bytes).patterns
      if rows > 0 { fail("the file still has \(rows) rows of erased devices") }
      let places = ofPlaces.found(in: bytes).patterns
      if places > 0 { fail("the file has \(places) places outside") }
    }
  }
}
