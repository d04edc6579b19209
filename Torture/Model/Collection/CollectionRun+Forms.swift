import CordonCollection
import CordonCore
import CordonForms
import CordonIngest
import CordonSupport

/// Forms in a run: changes of persons, exchanges of copies, erasures.
extension CollectionRun {
  static let document: JSONValue = [
    "form": .string(CollectionServer.form), "version": 1, "title": "Visits",
    "items": [
      ["name": "n", "type": "integer", "min": 0, "max": 100_000, "required": true],
      ["name": "word", "type": "text", "max_length": 40],
    ],
  ]

  /// Publishes the form and makes the keys of the collectors, before any fault.
  func setUpForms() throws {
    let person = CollectionServer.person(.operator)
    let publication: JSONValue = [
      "venue": .string(CollectionServer.venue?.rawValue ?? ""), "document": CollectionRun.document, "for_devices": true,
    ]
    let published = server.answer(
      "POST", "/v1/operator/forms", Array(publication.text().utf8), as: person, now: time)
    guard published?.status == 201 else { throw TortureError("the form is not published") }
    for number in CollectionPlan.senders(.copy) {
      let access: CollectionCopy.Access
      if number < CollectionPlan.collectors {
        let made = server.answer(
          "POST", "/v1/operator/forms/\(CollectionServer.form)/keys", Array(#"{"label":"clinic \#(number)"}"#.utf8),
          as: person, now: time)
        guard let key = made?.json["key"]?.stringValue else { throw TortureError("no key of a collector") }
        access = .key(key)
      } else {
        guard let device = DeviceID("phone00\(number)"), let venue = CollectionServer.venue else {
          throw TortureError("no name of a device")
        }
        access = .token(device, venue)
      }
      let name = number < CollectionPlan.collectors ? "clinic0\(number)" : "phone00\(number)"
      copies.append(CollectionCopy(number: number, name: name, access: access))
      agenda.add(.edit(number), at: after(1...60))
      agenda.add(.exchange(number, isRegular: true), at: after(5...120))
    }
    agenda.add(.operate, at: CollectionRun.hour)
  }

  // MARK: Persons

  /// Changes, adds or deletes a record, or solves a conflict.
  func edit(_ sender: Int) {
    guard !isCalm, !copies[sender].isGone else { return }
    agenda.add(.edit(sender), at: after(30...300))
    let roll = random.nextIndex(below: 10)
    let records = copies[sender].replica.records
    // A collector leaves the records of phones alone: a phone may not change a record of others any more.
    let known = records.records.filter { truth.owners[$0].map { mayChange($0, sender) } ?? false }
    guard !known.isEmpty, roll >= 3 else {
      let record = truth.newRecord(of: sender)
      return store(record, after: [], isDeletion: false, by: sender)
    }
    let record = known[random.nextIndex(below: known.count)]
    let heads = records.heads(of: record)
    if heads.count > 1 {
      if FormConflict(records, record: record) == nil { fail("a conflict is not shown") }
      // Some people leave it to others.
      if roll < 6 { return }
    } else if heads.first?.answers == nil, roll > 4 {
      return
    }
    store(record, after: heads, isDeletion: roll == 9, by: sender)
  }

  private func mayChange(_ owner: Int, _ sender: Int) -> Bool {
    owner == sender || (owner < CollectionPlan.collectors && sender < CollectionPlan.collectors)
  }

  private func store(_ record: String, after parents: [FormRevision], isDeletion: Bool, by sender: Int) {
    let word = truth.nextWord
    let answers: JSONValue = ["n": .integer(Int64(truth.count)), "word": .string(word)]
    let revision = FormRevision(
      record: record, form: CollectionServer.form, version: 1, parents: parents.map(\.id), device: copies[sender].name,
      time: time + .milliseconds(copies[sender].clock), answers: isDeletion ? nil : answers)
    let outcome = copies[sender].replica.store(revision)
    guard outcome == .stored else { return fail("a change on a device is not stored: \(outcome.rawValue)") }
    truth.add(revision, word: word, holder: copies[sender].holder)
    trace("sender \(sender) changes record \(record.suffix(4)): \(revision.id.prefix(8))")
  }

  // MARK: Exchanges

  /// Sends what a copy has, and asks for what it lacks.
  func exchange(_ sender: Int, isRegular: Bool) {
    guard !copies[sender].isGone else { return }
    if isRegular { agenda.add(.exchange(sender, isRegular: true), at: after(60...300)) }
    let body = Array(copies[sender].replica.request(limit: 20).text().utf8)
    copies[sender].awaited = send(.exchange(body), from: sender, losses: copies[sender].losses)
  }

  /// A request reaches the server, which may be down.
  func arrive(_ message: CollectionMessage) {
    guard server.isUp else { return }
    guard case .exchange = message.body else { return answerUpload(message) }
    let sender: FormSender
    do throws(Problem) {
      sender = try server.sender(of: copies[message.sender], holder: message.holder, now: time)
    } catch {
      return reply(.init(status: error.status, json: .null), to: message)
    }
    if slow.remove(message.sender) != nil {
      agenda.add(.perform(message, sender), at: now + 2_000)
    } else {
      answer(message, as: sender)
    }
  }

  /// The server answers an exchange of a checked sender.
  func answer(_ message: CollectionMessage, as sender: FormSender) {
    guard server.isUp, case .exchange(let body) = message.body else { return }
    let answer = server.answer("POST", "/v1/forms/\(CollectionServer.form)/sync", body, as: sender, now: time)
    guard let answer else { return bury() }
    switch answer.status {
    case 200:
      for one in answer.json["answers"]?.elements ?? [] {
        switch one["status"]?.stringValue {
        case "stored", "known": truth.acknowledge(one["id"]?.stringValue ?? "")
        case "erased": break
        default: fail("a good revision is refused: \(one["code"]?.stringValue ?? "")")
        }
      }
    // A token is revoked while a request of the former holder is answered.
    case 401 where message.holder < copies[message.sender].holder: break
    case 410: break
    default: if !isFull { fail("an exchange is answered with \(answer.status)") }
    }
    reply(answer, to: message)
    // A process that died while it answered restarts, whatever it sent before.
    bury()
  }

  /// A response reaches the sender of a request.
  func receive(_ answer: CollectionServer.Answer, to message: CollectionMessage) {
    guard case .exchange = message.body else { return receiveUpload(answer, to: message) }
    let sender = message.sender
    guard copies[sender].awaited == message.number, copies[sender].losses == message.losses else { return }
    copies[sender].awaited = 0
    switch answer.status {
    case 200:
      var next = copies[sender].replica
      let isMore: Bool
      do throws(FormError) { isMore = try next.take(answer.json) } catch {
        return fail("a copy cannot read the answer to its exchange: \(error)")
      }
      if copies[sender].isToDie {
        copies[sender].isToDie = false
        return note(.killCopy)
      }
      copies[sender].replica = next
      if isMore { agenda.add(.exchange(sender, isRegular: false), at: now + 500) }
    case 410:
      guard case .token(let device, _) = copies[sender].access, server.erased.contains(device) else {
        return fail("a device is refused as erased that was not")
      }
      copies[sender].lose()
      copies[sender].isGone = true
    default: break
    }
  }

  // MARK: Erasures

  /// Begins an erasure; returns whether there is anything to erase.
  func beginErasure(_ fault: PlannedCollectionFault) -> Bool {
    if fault.fault == .eraseDevice {
      guard !copies[fault.sender].isGone, server.isUp else { return false }
      if fault.amount % 2 == 0 {
        // An exchange that is answered while the device is erased.
        slow.insert(fault.sender)
        agenda.add(.exchange(fault.sender, isRegular: false), at: now)
        agenda.add(.erase(.device(fault.sender)), at: now + 1_500)
      } else {
        agenda.add(.erase(.device(fault.sender)), at: now)
      }
    } else {
      let known = truth.acknowledged.sorted().compactMap { truth.changes[$0] }.filter { !truth.isErased($0) }
      guard !known.isEmpty else { return false }
      let change = known[Int(fault.amount) % known.count]
      let owner = truth.owners[change.record] ?? 0
      let isOfDevice = CollectionPlan.senders(.device).contains(owner) && !truth.formerRecords.contains(change.record)
      agenda.add(
        .erase(.record(change.record, byDevice: isOfDevice && fault.amount % 3 > 0 ? owner : nil)), at: now)
    }
    note(fault.fault)
    return true
  }

  /// Lets somebody else get the device of a sender; returns whether that is possible.
  func handOn(_ fault: PlannedCollectionFault) -> Bool {
    let sender = fault.sender
    guard !copies[sender].isGone, server.isUp, case .token(let device, _) = copies[sender].access else { return false }
    let holder = copies[sender].holder
    if fault.amount % 3 == 0 {
      // An exchange of the former holder, which is answered after the erasure of their data.
      let checked: FormSender
      do throws(Problem) { checked = try server.sender(of: copies[sender], now: time) } catch { return false }
      answerLate(.exchange(Array(copies[sender].replica.request(limit: 20).text().utf8)), from: sender, as: checked)
      agenda.add(.erase(.holders(sender, upTo: holder)), at: now + 1_500)
    } else if fault.amount % 3 == 1 {
      agenda.add(.erase(.holders(sender, upTo: holder)), at: now + Int64(fault.amount) * 60_000)
    }
    server.handOn(device, now: time)
    truth.handOn(sender)
    copies[sender].lose()
    copies[sender].holder += 1
    trace("sender \(sender) has a new holder")
    return true
  }

  /// Performs an erasure; one that fails is requested again.
  func erase(_ erasure: CollectionErasure) {
    var isDone = false
    switch erasure {
    case .device(let sender):
      guard case .token(let device, _) = copies[sender].access else { return }
      isDone = server.isUp && server.erase(device, now: time)
      if isDone { truth.erasedDevices.insert(copies[sender].name) }
      if !isDone, server.isUp, !server.isDead, !isFull { fail("a device cannot be erased") }
    case .holders(let sender, let holder):
      guard case .token(let device, _) = copies[sender].access, !server.erased.contains(device) else { return }
      isDone = server.isUp && server.eraseHolders(device, upTo: holder, now: time)
      if isDone {
        truth.erasedHolders[copies[sender].name] = max(truth.erasedHolders[copies[sender].name] ?? 0, holder + 1)
      }
      if !isDone, server.isUp, !server.isDead, !isFull { fail("a former holder's data cannot be erased") }
    case .record(let record, let device): isDone = erase(record, by: device)
    }
    bury()
    trace("\(erasure): \(isDone)")
    if !isDone { agenda.add(.erase(erasure), at: now + 600_000) }
  }

  private func erase(_ record: String, by device: Int?) -> Bool {
    guard server.isUp else { return false }
    var (path, body) = ("/v1/operator/forms/\(CollectionServer.form)/records/\(record)", #"{"reason":"on request"}"#)
    var sender = CollectionServer.person(.admin)
    if let device {
      (path, body) = ("/v1/forms/\(CollectionServer.form)/records/\(record)", "")
      do throws(Problem) { sender = try server.sender(of: copies[device], now: time) } catch {
        // The device was erased meanwhile, and this record with it.
        return error.status == 410
      }
      // Somebody else got the device meanwhile.
      if truth.formerRecords.contains(record) { return true }
    }
    guard let answer = server.answer("DELETE", path, Array(body.utf8), as: sender, now: time) else { return false }
    switch answer.status {
    case 204: truth.erasedRecords.insert(record)
    case 503 where isFull: return false
    default:
      fail("an acknowledged record cannot be erased: \(answer.status)")
      return true
    }
    return true
  }
}
