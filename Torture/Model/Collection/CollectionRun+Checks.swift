import CordonCollection
import CordonCore
import CordonForms
import CordonIngest
import CordonStudies
import CordonSupport

/// Checks of the promises at the end of a run.
extension CollectionRun {
  /// The reason why the run is not at rest; `nil` at rest.
  var unrest: String? {
    if !server.isUp { return "the server is down" }
    for copy in copies where !copy.isGone {
      if !copy.replica.waiting.isEmpty { return "\(copy.replica.waiting.count) revisions of a copy wait" }
    }
    for participant in participants where !participant.uploads.isEmpty {
      return "\(participant.uploads.count) uploads of a phone wait"
    }
    return nil
  }

  func check() {
    for copy in copies where !copy.isGone && !copy.replica.refused.isEmpty { fail("a good revision stays refused") }
    let collector = fresh(of: 0)
    let identifiers = Set(collector.replica.records.identifiers)
    checkCopies(collector)
    checkRevisions(identifiers)
    checkConflicts(collector, identifiers)
    checkCases()
    checkStudy()
    checkFiles()
  }

  /// A new copy with the credentials of another one and all that the server gives it.
  private func fresh(of number: Int) -> CollectionCopy {
    var copy = copies[number]
    copy.lose()
    var isMore = true
    var rounds = 0
    while isMore, rounds < 1_000 {
      rounds += 1
      do {
        let sender = try server.sender(of: copy, now: time)
        let body = Array(copy.replica.request(limit: 20).text().utf8)
        let answer = server.answer("POST", "/v1/forms/\(CollectionServer.form)/sync", body, as: sender, now: time)
        isMore = try copy.replica.take(answer?.json ?? .null)
      } catch {
        fail("a new copy gets no records: \(error)")
        return copy
      }
    }
    return copy
  }

  // MARK: Forms

  private func checkCopies(_ collector: CollectionCopy) {
    let text = collector.canonicalText
    for copy in copies where !copy.isGone {
      switch copy.access {
      case .key: if copy.canonicalText != text { fail("a collector's copy differs from the server's records") }
      case .token:
        if copy.canonicalText != fresh(of: copy.number).canonicalText {
          fail("a device's copy differs from its records at the server")
        }
        let holders = copy.replica.records.identifiers.compactMap { truth.changes[$0]?.holder }
        if !holders.allSatisfy({ $0 == copy.holder }) { fail("a holder sees records of a former one") }
      }
    }
  }

  private func checkRevisions(_ identifiers: Set<String>) {
    let lost = truth.acknowledged.filter { id in
      !identifiers.contains(id) && !(truth.changes[id].map(truth.isErased) ?? false)
    }
    if !lost.isEmpty { fail("\(lost.count) acknowledged revisions are lost") }
    for copy in copies where !copy.isGone {
      let unknown = Set(copy.replica.records.identifiers).subtracting(identifiers)
      if !unknown.isEmpty { fail("\(unknown.count) revisions of a copy are not at the server") }
    }
    let back = identifiers.filter { truth.changes[$0].map(truth.isErased) ?? true }
    if !back.isEmpty { fail("\(back.count) erased or invented revisions are at the server") }
    // The rows of the server themselves: a copy would hide a repetition.
    var (rows, after): ([String], Int64) = ([], 0)
    var isMore = true
    while isMore {
      guard let sender = try? server.sender(of: copies[0], now: time),
        let answer = server.answer(
          "GET", "/v1/forms/\(CollectionServer.form)/records?after=\(after)", as: sender, now: time),
        let revisions = answer.json["revisions"]?.elements, let cursor = answer.json["cursor"]?.integerValue
      else { return fail("the rows of the server cannot be read") }
      rows += revisions.compactMap { $0["id"]?.stringValue }
      isMore = answer.json["more"] == true
      after = cursor
    }
    if Set(rows).count != rows.count { fail("\(rows.count - Set(rows).count) revisions are there twice") }
    if Set(rows) != identifiers { fail("the rows of the server differ from those of a new copy") }
  }

  private func checkConflicts(_ collector: CollectionCopy, _ identifiers: Set<String>) {
    let conflicts = truth.conflicts(among: identifiers)
    if Set(collector.replica.records.conflicts) != conflicts { fail("a conflict is solved silently on a copy") }
    let body = Array(#"{"reason":"end of the run","limit":1000}"#.utf8)
    let answer = server.answer(
      "POST", "/v1/operator/forms/\(CollectionServer.form)/records", body, as: CollectionServer.person(.admin),
      now: time)
    guard let list = answer?.json["records"]?.elements else { return fail("an operator cannot read the records") }
    let shown = list.filter { $0["has_conflict"] == true }.compactMap { $0["record"]?.stringValue }
    if Set(shown) != conflicts { fail("a conflict is solved silently for operators") }
  }

  /// Lets a person solve all conflicts: those of collectors on the first copy, those of a device on its own.
  func solveConflicts() {
    for sender in CollectionPlan.senders(.copy) where !copies[sender].isGone {
      guard sender == 0 || sender >= CollectionPlan.collectors else { continue }
      let records = copies[sender].replica.records
      for record in records.conflicts where sender > 0 || (truth.owners[record] ?? 0) < CollectionPlan.collectors {
        let heads = records.heads(of: record)
        let revision = FormRevision(
          record: record, form: CollectionServer.form, version: 1, parents: heads.map(\.id),
          device: copies[sender].name, time: time, answers: heads.last?.answers)
        guard copies[sender].replica.store(revision) == .stored else { return fail("a conflict cannot be solved") }
        truth.add(revision, word: truth.nextWord, holder: copies[sender].holder)
      }
    }
  }

  func checkConflictsAreSolved() {
    let collector = fresh(of: 0)
    checkCopies(collector)
    for copy in copies + [collector] where !copy.isGone {
      // Nobody solves those of former holders.
      let conflicts = copy.replica.records.conflicts.filter { !truth.formerRecords.contains($0) }
      if !conflicts.isEmpty { fail("\(conflicts.count) conflicts stay after they were solved") }
    }
  }

  // MARK: The study

  private func checkStudy() {
    guard let service = server.service else { return fail("there is no server at the end") }
    do {
      let ledger = try service.store.ledger(of: study)
      let book = try LedgerBook(verifying: ledger)
      let periods = ledger.filter { $0.kind == .earned }.map { "\($0.account) \($0.period)" }
      if Set(periods).count != periods.count { fail("a day earned twice") }
      if !book.payouts.allSatisfy({ $0.state == .settled || $0.state == .released }) { fail("a payout stays open") }
      if books.changed > 0 { fail("an order came again with another amount") }
      for participant in participants {
        let received = books.received[participant.destination] ?? 0
        if participant.isErased {
          try checkErased(participant, service)
          if received > participant.earned * 10 { fail("an erased participant is paid too much") }
        } else if received != participant.earned * 10 {
          fail("a participant is paid \(received) for \(participant.earned) credits")
        }
      }
    } catch {
      fail("the study cannot be read: \(error)")
    }
  }

  private func checkErased(_ participant: CollectionParticipant, _ service: StudyService) throws {
    let store = service.store
    let span = (from: Instant(milliseconds: 0), to: Instant(milliseconds: Int64.max / 2))
    let isThere =
      try store.participant(participant.id) != nil || service.vault.identity(of: participant.id) != nil
      || !store.events(of: participant.id).isEmpty || !store.reminders(to: participant.id).isEmpty
      || !store.locations(of: participant.id, from: span.from, to: span.to).isEmpty
    if isThere { fail("an erased participant is still in a table") }
  }

  // MARK: Files

  /// Searches all files of the server for what was erased.
  private func checkFiles() {
    do { try server.tick(now: time + .hours(1)) } catch { return fail("a job failed: \(error)") }
    var scanner = ByteScanner()
    func add(_ text: some StringProtocol) { scanner.add(text.utf8.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }) }
    for change in truth.changes.values where truth.isErased(change) && !change.isDeletion { add(change.word) }
    for device in truth.erasedDevices { add(device) }
    for note in cases.notes where isErased(note) { add(note.word) }
    for participant in participants where participant.isErased {
      add(participant.id.rawValue.dropFirst(2))
      scanner.add(participant.longitude.bitPattern)
    }
    var found = 0
    server.disk.forEachFile { found += scanner.found(in: $0).patterns }
    if found > 0 { fail("\(found) places in the files show what was erased") }
  }
}
