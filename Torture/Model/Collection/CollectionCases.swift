import CordonCore
import CordonIngest

/// What operators noted about the holders of devices: cases, a status and a notice in them, rules. As the test remembers it, apart from
/// the code under test.
struct CollectionCases {
  /// A note about a holder of a device.
  struct Note {
    /// Where it is kept.
    enum Kind {
      case file, status, notice, rule
    }

    var kind: Kind
    /// The number of the sender whose device it is about.
    var sender: Int
    /// The number of the device's holder.
    var holder: Int
    /// A text that occurs nowhere else: eight characters.
    var word: String
    /// The word of the case that it is part of.
    var file: String?
    /// Whether the server wrote it for sure: it may have died meanwhile.
    var isWritten: Bool
  }

  private(set) var notes: [Note] = []

  /// The words of the next notes.
  func words(_ count: Int) -> [String] {
    (0..<count).map { "c" + String(String(UInt64(notes.count + $0) + 0x1000_0000, radix: 16).dropFirst()) }
  }

  mutating func add(_ added: [Note]) { notes += added }
}

extension CollectionServer {
  /// Writes a case about the index device with a status and a notice for another device, and a rule, as operators do; returns whether
  /// all of it was written.
  func note(_ words: [String], index: CollectionCopy, contact: CollectionCopy, now: Instant) -> Bool {
    guard let cases, let alerts, let venue = Self.venue, case .token(let device, _) = index.access,
      case .token(let met, _) = contact.access
    else { return false }
    let (first, second) = (since(device, holder: index.holder), since(met, holder: contact.holder))
    do throws(StoreFault) {
      let number = try cases.save(
        CaseRecord(
          venue: venue, label: words[0], device: device, from: now - .days(1), to: now, thresholdMinutes: 15,
          wallPercent: 100, note: "", created: now, creator: "op", holder: first))
      try cases.save(
        CaseContact(device: met, status: .notified, note: words[1], changed: now, operator: "op", holder: second),
        of: number)
      _ = try cases.save(
        CaseNotice(
          caseNumber: number, device: met, exposed: now, template: "test", advice: words[2], created: now,
          expires: now + .days(100), holder: second))
      _ = try alerts.save(
        AlertRule(
          venue: venue, kind: .deviceSilent, name: words[3], device: device, threshold: 0, lasting: 60, isOn: true,
          holder: first, created: now))
    } catch {
      return false
    }
    return !isDead
  }

  /// The words of all notes that the stores have.
  func noted() throws(StoreFault) -> [String] {
    guard let cases, let alerts, let venue = Self.venue else { return [] }
    var words = try alerts.rules().map(\.name)
    for record in try cases.records(of: venue) {
      words.append(record.label)
      words += try cases.contacts(of: record.number).map(\.note)
      words += try cases.notices(of: record.number).map(\.advice)
    }
    return words
  }

  /// The words of the notices that the present holder of a device gets.
  func notices(to copy: CollectionCopy, now: Instant) throws(StoreFault) -> [String] {
    guard let cases, case .token(let device, _) = copy.access else { return [] }
    let since = since(device, holder: copy.holder)
    return try cases.notices(to: device, now: now).filter { $0.holder >= since }.map(\.advice)
  }
}

extension CollectionRun {
  /// An operator makes a case, a notice and a rule about the devices of two senders.
  func operate() {
    guard !isCalm else { return }
    agenda.add(.operate, at: now + 5 * CollectionRun.hour)
    let devices = CollectionPlan.senders(.device).map { copies[$0] }
    let (index, contact) = cases.notes.count % 8 < 4 ? (devices[0], devices[1]) : (devices[1], devices[0])
    guard server.isUp, !index.isGone, !contact.isGone, !truth.erasedDevices.contains(index.name),
      !truth.erasedDevices.contains(contact.name)
    else { return }
    let words = cases.words(4)
    let isWritten = server.note(words, index: index, contact: contact, now: time)
    func made(_ kind: CollectionCases.Note.Kind, _ copy: CollectionCopy, _ word: Int) -> CollectionCases.Note {
      let isPart = kind == .status || kind == .notice
      return CollectionCases.Note(
        kind: kind, sender: copy.number, holder: copy.holder, word: words[word], file: isPart ? words[0] : nil,
        isWritten: isWritten)
    }
    cases.add([made(.file, index, 0), made(.status, contact, 1), made(.notice, contact, 2), made(.rule, index, 3)])
    bury()
  }

  /// Whether nothing of a note may be left: its holder was erased, or that of its case.
  func isErased(_ note: CollectionCases.Note) -> Bool {
    let name = copies[note.sender].name
    if truth.erasedDevices.contains(name) || note.holder < truth.erasedHolders[name] ?? 0 { return true }
    guard let file = note.file, let parent = cases.notes.first(where: { $0.word == file }) else { return false }
    return isErased(parent)
  }

  func checkCases() {
    do throws(StoreFault) {
      let noted = Set(try server.noted())
      let left = cases.notes.filter { isErased($0) && noted.contains($0.word) }
      if !left.isEmpty { fail("\(left.count) notes about erased holders are in cases and rules") }
      let lost = cases.notes.filter { $0.isWritten && !isErased($0) && !noted.contains($0.word) }
      if !lost.isEmpty { fail("\(lost.count) notes about holders who were not erased are lost") }
      for sender in CollectionPlan.senders(.device) {
        let seen = Set(try server.notices(to: copies[sender], now: time))
        let foreign = cases.notes.filter { seen.contains($0.word) && $0.holder != copies[sender].holder }
        if !foreign.isEmpty { fail("a holder sees \(foreign.count) notices to a former one") }
      }
    } catch {
      fail("the cases cannot be read: \(error)")
    }
  }
}
