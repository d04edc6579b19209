internal import CordonContacts
internal import CordonCore
internal import CordonGeometry
import CordonSupport
internal import CordonWire

extension Ingest {
  /// The outcome of a batch.
  private struct Stored {
    var answers: [StoredRow]
    var contacts: Int
    var doubts: Set<RowRefusal> = []
  }

  /// What became of a batch, and what its answer is proved with.
  private struct Handled {
    var result: Result<Stored, Problem>
    var secretHash: [UInt8]?
  }

  /// A batch that passed all checks, and whose rows are to be stored.
  private struct Admitted {
    /// Its place in the group.
    var index: Int
    var device: StoredDevice
    /// The venue's number.
    var venue: Int64
    var doubts: Set<RowRefusal>
  }

  /// Stores batches in one transaction and answers them.
  func store(_ group: [PositionWork], now: Instant) -> [IngestResponse] {
    if let reserve, !reserve.isWhole {
      // The remaining room is for erasures and withdrawals.
      let response = Problem(503, .storeFull, "the server cannot store at the moment", retryAfter: 10).response
      return group.map { $0.format == .published ? RequestPreprocessor.retryLater($0.verdicts.count) : response }
    }
    var results: [Handled] = []
    var counted: [(device: Int64, rows: Int)] = []
    do throws(StoreFault) {
      try transaction { () throws(StoreFault) in
        try sharing?.expect(group.map { ($0.claims.device, $0.batchKey?.key) }, hour: now.milliseconds / 3_600_000)
        var admitted: [Admitted] = []
        for index in group.indices { results.append(try admit(group, index, &admitted, &counted, now: now)) }
        let batches = admitted.map { RowBatch(rows: group[$0.index].rows, device: $0.device.number, venue: $0.venue) }
        for (entry, answers) in zip(admitted, try store.insert(batches)) {
          results[entry.index].result = .success(try finish(group[entry.index], entry, answers, now: now))
        }
      }
    } catch {
      // Rows that are not stored do not count towards the quota of the hour.
      for (device, rows) in counted { quotas.giveBack(rows, device: device) }
      // A batch that the store cannot take for a reason of its own must not take its neighbours with it.
      if error.kind == .failed, group.count > 1 { return group.flatMap { store([$0], now: now) } }
      let response = problem(error).response
      return group.map { work in
        work.format == .published ? RequestPreprocessor.retryLater(work.verdicts.count) : response
      }
    }
    metrics.commits += 1
    var responses: [IngestResponse] = []
    for (work, handled) in zip(group, results) {
      var response: IngestResponse
      switch handled.result {
      case .success(let stored):
        var work = work
        work.doubts = stored.doubts
        count(work, stored, now: now)
        response = answer(work, stored.answers)
      case .failure(let problem):
        response = work.format == .published && problem.status == 401 ? IngestResponse(401) : problem.response
      }
      response.secretHash = handled.secretHash
      responses.append(response)
    }
    return responses
  }

  /// The answer to a batch that is refused whole, to be proved with the device's secret.
  func refusal(_ problem: Problem, of claims: TokenClaims, now: Instant) -> IngestResponse {
    var response = problem.response
    if let device = try? store.device(claims.device), device.generation == claims.generation {
      response.secretHash = device.secretHash
    }
    return response
  }

  private func admit(
    _ group: [PositionWork], _ index: Int, _ admitted: inout [Admitted], _ counted: inout [(device: Int64, rows: Int)],
    now: Instant
  ) throws(StoreFault) -> Handled {
    let work = group[index]
    guard let device = try store.device(work.claims.device) else {
      if try store.tombstone(preprocessor.tombstoneHash(of: work.claims.device)) != nil {
        // The secret is gone with the device: its next request for a token proves it, and is answered with a proof.
        return Handled(
          result: .failure(Problem(410, .erased, "the device was erased; nothing of it is taken any more")))
      }
      return Handled(
        result: .failure(Problem(401, .tokenUnknown, "the token is of no device here", field: "authorization")))
    }
    guard device.generation == work.claims.generation, device.venue == work.claims.venue else {
      return Handled(
        result: .failure(Problem(401, .tokenRevoked, "the token was revoked", field: "authorization")))
    }
    return Handled(
      result: try admit(work, index, of: device, &admitted, &counted, now: now), secretHash: device.secretHash)
  }

  private func admit(
    _ work: PositionWork, _ index: Int, of device: StoredDevice, _ admitted: inout [Admitted],
    _ counted: inout [(device: Int64, rows: Int)], now: Instant
  ) throws(StoreFault) -> Result<Stored, Problem> {
    if let wait = try take(work.verdicts.count, of: device.number, now: now) {
      return .failure(
        Problem(
          429, .quota, "a device sends at most \(settings.rowsPerHour) rows in an hour", retryAfter: wait))
    }
    // The count of a shared store is undone with its transaction.
    if sharing == nil { counted.append((device.number, work.verdicts.count)) }
    clock.hear(work.testimony, of: device.number, now: now)
    let doubts = doubtfulRefusals(of: work.testimony, now: now)
    if let (key, digest) = work.batchKey {
      if let known = try store.batchDigest(of: device.number, key: key) {
        guard known == digest else {
          return .failure(
            Problem(
              422, .keyReused, "this key came with another batch; a key is for one batch", field: "idempotency-key"))
        }
      } else {
        try store.saveBatch(of: device.number, key: key, digest: digest, time: now)
      }
    }
    if device.mayRecord, !work.rows.isEmpty {
      let number = try store.number(of: work.venue.id, origin: work.venue.frame.origin)
      admitted.append(Admitted(index: index, device: device, venue: number, doubts: doubts))
    }
    // That of an admitted batch follows when its rows are stored.
    return .success(Stored(answers: [], contacts: 0, doubts: doubts))
  }

  /// Does what follows when the rows of a batch are stored.
  private func finish(
    _ work: PositionWork, _ entry: Admitted, _ answers: [StoredRow], now: Instant
  ) throws(StoreFault) -> Stored {
    var device = entry.device
    let number = entry.venue
    for row in work.rows { clock.keep(Instant(milliseconds: row.time)) }
    // A minute is fine enough for people, and spares a write for each batch.
    if now - .minutes(1) >= device.lastSeen || device.lastSeen > now {
      device.lastSeen = now
      if let sharing {
        try sharing.touch(device: device.number, at: now.milliseconds)
      } else {
        _ = try store.save(device)
      }
    }
    var changes = 0
    if settings.findsContacts {
      let isNew = answers.contains { $0 != .known }
      if isNew {
        let new = answers.contains(.known) ? zip(work.rows, answers).filter { $1 != .known }.map(\.0) : work.rows
        if try mayFindContacts(of: number, at: now) {
          balance.rowsCame(of: number, at: now)
          let update = try contacts.add(new, device: device.number, venue: number, store: store, now: now)
          changes = update.added.count
        } else {
          try contacts.note(new, device: device.number, venue: number, store: store)
        }
      }
    }
    return Stored(answers: answers, contacts: changes, doubts: entry.doubts)
  }

  /// Counts rows of a device; returns the seconds to wait when they are too many.
  private func take(_ count: Int, of device: Int64, now: Instant) throws(StoreFault) -> Int? {
    guard let sharing else { return quotas.take(count, device: device, limit: settings.rowsPerHour, now: now) }
    let hour = now.milliseconds / 3_600_000
    if try sharing.count(count, of: device, hour: hour, limit: settings.rowsPerHour) { return nil }
    return Quotas.wait(forHourAfter: hour, now: now)
  }

  /// The refusals that are not final, because the server's clock may be wrong.
  private func doubtfulRefusals(of testimony: ClockWitness.Testimony, now: Instant) -> Set<RowRefusal> {
    var doubts: Set<RowRefusal> = []
    if clock.mayBeBehind(by: testimony, now: now, tolerance: settings.futureTolerance) {
      doubts = [.future, .futureStay]
    }
    if clock.mayBeAhead(now: now) { doubts.insert(.tooOld) }
    return doubts
  }

  private func count(_ work: PositionWork, _ stored: Stored, now: Instant) {
    metrics.batches += 1
    metrics.contactChanges += stored.contacts
    var event = LiveEvent(time: now, venue: work.claims.venue, stored: 0, refused: 0, contacts: stored.contacts)
    for answer in stored.answers {
      if answer == .stored { event.stored += 1 }
    }
    metrics.stored += event.stored
    metrics.known += stored.answers.count - event.stored
    for case .refused(let refusal, _) in work.verdicts.map(\.row) where !work.doubts.contains(refusal) {
      metrics.refused[refusal.rawValue, default: 0] += 1
      refusals.add(1, refusal.rawValue, venue: work.claims.venue, at: now)
      event.refused += 1
    }
    if stored.answers.isEmpty, !work.rows.isEmpty {
      metrics.refused[RowRefusal.noConsent.rawValue, default: 0] += work.rows.count
      refusals.add(work.rows.count, RowRefusal.noConsent.rawValue, venue: work.claims.venue, at: now)
      event.refused += work.rows.count
    }
    // Nobody may be watching: what was not taken is not kept for ever.
    if events.count < 10_000 { events.append(event) }
  }

  /// The answer to a batch that was committed. Without answers for its rows, the device has sent no consent that allows them.
  private func answer(_ work: PositionWork, _ answers: [StoredRow]) -> IngestResponse {
    // Phones of these formats delete a batch as a whole: the server requests it again, and knows its stored rows then.
    if [.overland, .ownTracks].contains(work.format), work.hasDoubts { return Ingest.doubtfulClock.response }
    return switch work.format {
    case .batch: batchAnswer(work, answers)
    case .published: publishedAnswer(work, answers)
    case .overland: overlandAnswer(work, answers)
    case .ownTracks: IngestResponse.json(200, .array([]))
    }
  }

  private static let doubtfulClock = Problem(
    503, .clockDoubtful, "rows are of another time by the server's clock, which may be wrong; send them again",
    retryAfter: 60)

  private func batchAnswer(_ work: PositionWork, _ answers: [StoredRow]) -> IngestResponse {
    var next = answers.makeIterator()
    var results: [PositionAnswers.Answer] = []
    results.reserveCapacity(work.verdicts.count)
    for (id, row) in work.verdicts {
      let status: RowStatus
      switch row {
      case .accepted:
        switch next.next() {
        case .stored: status = .stored
        case .known, .extended: status = .known
        // The rows stay on the phone: its consent may be on the way still.
        case nil: status = .retry
        }
      case .refused where work.isDoubtful(row): status = .retry
      case .refused(let refusal, let detail): status = .refused(reason: detail ?? refusal.sentence)
      }
      results.append(PositionAnswers.Answer(id: id, status: status))
    }
    return IngestResponse.json(207, bytes: PositionAnswers.encode(results))
  }
}
