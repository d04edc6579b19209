import CordonCore
package import CordonIngest
import CordonTestSupport

/// The conformance test of the stores of the console: two receive the same calls, and must give the same answers.
///
/// One is in memory, which is simple enough to be read.
package struct ConsoleComparison {
  private let cases: [any CaseStore]
  private let alerts: [any AlertStore]
  private var random: RandomStream
  /// The numbers of cases and rules that were made.
  private var made: (cases: [Int64], rules: [Int64], alerts: [Int64]) = ([], [], [])
  /// The calls that were answered differently; empty when the stores agree.
  package private(set) var differences: [String] = []

  /// Empty stores that nobody else uses.
  /// - Parameter seed: the seed of the calls.
  package init(cases: any CaseStore, alerts: any AlertStore, seed: UInt64) {
    self.cases = [MemoryCaseStore(), cases]
    self.alerts = [MemoryAlertStore(), alerts]
    random = RandomStream(seed: seed, stream: 0x32)
  }

  private mutating func below(_ bound: Int) -> Int { random.nextIndex(below: bound) }

  @discardableResult
  private mutating func ask<Store, T>(_ what: String, _ stores: [Store], _ query: (Store) throws -> T) -> T? {
    var first: T?
    let answers = stores.map { store in
      do {
        let answer = try query(store)
        if first == nil { first = answer }
        return String(describing: answer)
      } catch {
        return "\(error)"
      }
    }
    if answers[0] != answers[1] { differences.append("\(what): \(answers[0]) is not \(answers[1])") }
    return first
  }

  private static let venues = ["hall", "annex"].compactMap { VenueID($0) }
  private static let devices = (0..<5).compactMap { DeviceID("phone-\($0)") }
  private static let start = Instant.testStart
  /// The beginnings of the times of a device's holders.
  private static let holders: [Instant] = [.epoch, start + .minutes(300), start + .minutes(700)]

  /// A part of a device's data.
  private mutating func someEnd() -> DeviceEnd {
    guard below(3) > 0 else { return .device }
    let limit = below(2) == 0 ? nil : Self.start + .minutes(Int64(below(1_000)))
    return .holders(before: Self.start + .minutes(Int64(below(1_000))), receivedUntil: limit)
  }

  /// Makes calls at random.
  package mutating func run(steps: Int = 200) {
    for step in 0..<steps {
      below(2) == 0 ? writeCase() : writeAlert()
      if step % 7 == 0 { read() }
    }
    read()
  }

  private mutating func writeCase() {
    let time = Self.start + .minutes(Int64(below(1_000)))
    let (venue, device) = (Self.venues[below(2)], Self.devices[below(5)])
    let holder = Self.holders[below(3)]
    switch below(6) {
    case 0, 1:
      let isNew = made.cases.isEmpty || below(2) == 0
      let record = CaseRecord(
        number: isNew ? 0 : made.cases[below(made.cases.count)], venue: venue, label: "l\(below(9))", device: device,
        onset: below(2) == 0 ? time : nil, from: time, to: time + .days(2), thresholdMinutes: 15, wallPercent: 40,
        note: "it's a \"note\"", created: time, creator: "op", closed: below(3) == 0 ? time : nil,
        holder: holder)
      // What names a case does not change.
      if isNew, let number = ask("save case", cases, { try $0.save(record) }) { made.cases.append(number) }
      guard !isNew else { return }
      ask("change case", cases) { store in
        guard var known = try store.record(record.number) else { return record.number }
        (known.label, known.onset, known.closed) = (record.label, record.onset, record.closed)
        return try store.save(known)
      }
    case 2, 3:
      guard let number = made.cases.last else { return }
      let contact = CaseContact(
        device: device, status: CaseContact.Status.allCases[below(5)], note: "n", changed: time, operator: "op",
        holder: holder)
      let notice = CaseNotice(
        caseNumber: number, device: device, exposed: Self.start + .days(Int64(below(3))), template: "t", advice: "a",
        created: time, expires: time + .days(1), holder: holder)
      ask("save contact and notice", cases) { store -> Int64 in
        guard try store.record(number) != nil else { return 0 }
        try store.save(contact, of: number)
        return try store.save(notice)
      }
      ask("acknowledge", cases) { store in
        guard var known = try store.notices(of: number).first else { return }
        (known.delivered, known.acknowledged) = (time, time + .seconds(1))
        _ = try store.save(known)
      }
    case 4:
      let end = someEnd()
      ask("forget", cases) { try $0.forget(device, end) }
    default:
      if below(3) == 0 { ask("expire", cases) { try $0.expire(before: time) } }
      if below(4) == 0, let number = made.cases.first { ask("remove", cases) { try $0.remove(number) } }
    }
  }

  private mutating func writeAlert() {
    let time = Self.start + .minutes(Int64(below(1_000)))
    switch below(4) {
    case 0:
      let rule = AlertRule(
        venue: Self.venues[below(2)], kind: .moreThan, name: "r", space: below(2) == 0 ? SpaceID("s") : nil,
        floor: below(2) == 0 ? FloorOrdinal(1) : nil, device: below(2) == 0 ? Self.devices[below(5)] : nil,
        threshold: Int64(below(9)), lasting: 60, isOn: below(2) == 0,
        holder: below(3) == 0 ? nil : Self.holders[below(3)], created: below(2) == 0 ? time : nil)
      if let number = ask("save rule", alerts, { try $0.save(rule) }) { made.rules.append(number) }
    case 1, 2:
      guard let rule = made.rules.last else { return }
      let alert = Alert(rule: rule, began: time, raised: time, ended: nil, peak: 3, space: nil, acknowledged: nil)
      let ends = below(2) == 0
      ask("alert", alerts) { store -> Int64 in
        guard try store.rules().contains(where: { $0.number == rule }) else { return 0 }
        var saved = alert
        saved.number = try store.save(alert)
        if ends { (saved.ended, saved.acknowledged, saved.peak) = (time + .seconds(9), "op", 4) }
        return try store.save(saved)
      }
    default:
      let (device, end) = (Self.devices[below(5)], someEnd())
      if below(3) == 0 { ask("forget", alerts) { try $0.forget(device, end) } }
      if below(3) == 0 { ask("expire", alerts) { try $0.expire(before: time) } }
      if below(5) == 0, let rule = made.rules.first { ask("remove rule", alerts) { try $0.remove(rule: rule) } }
    }
  }

  private mutating func read() {
    for venue in Self.venues { ask("cases", cases) { try $0.records(of: venue) } }
    for number in made.cases {
      ask("case", cases) { try $0.record(number) }
      ask("contacts", cases) { try $0.contacts(of: number) }
      ask("notices", cases) { try $0.notices(of: number) }
    }
    for device in Self.devices { ask("its notices", cases) { try $0.notices(to: device, now: Self.start) } }
    ask("rules", alerts) { try $0.rules() }
    ask("open alerts", alerts) { try $0.openAlerts() }
    for rule in made.rules { ask("alerts", alerts) { try $0.alerts(of: rule, limit: 3) } }
  }
}
