package import CordonCore
import CordonMonitoring

/// The result of one expectation.
package struct ExpectationOutcome: Hashable, Sendable {
  /// The name, such as `devices.walk.enter`.
  package var name: String
  /// The line in the file of expectations.
  package var line: Int
  /// The difference found; `nil` if the expectation is met.
  package var failure: String?
  /// A fix that shows the difference, if there is one.
  package var fix: FixDecision?
  /// The device of the fix.
  package var device: String?

  /// Whether the expectation is met.
  package var isMet: Bool { failure == nil }
}

extension Expectations {
  /// Compares a replay with every expectation, or with one of them.
  ///
  /// Rows outside the venue fail every replay, even if the file does not mention them.
  ///
  /// - Parameters:
  ///   - result: the result of the replay.
  ///   - name: checks only the expectation with this name; `nil` checks all.
  ///   - spaceNames: names of spaces that expectations may use in place of identifiers.
  /// - Returns: one outcome for each expectation, in the order of the file.
  package func check(
    _ result: ReplayResult, only name: String? = nil, spaceNames: [SpaceID: String] = [:]
  ) -> [ExpectationOutcome] {
    let visits = ReplayVisits(result)
    return list.filter { name == nil || $0.name == name }.map { Judgement($0, result, visits, spaceNames).outcome }
      + unexpected(result, only: name)
  }

  /// Returns a failure if rows lie outside and the file has no expectation about them.
  private func unexpected(_ result: ReplayResult, only name: String?) -> [ExpectationOutcome] {
    guard let first = result.storedOutside.first, name == nil || name == "stored_outside",
      !list.contains(where: { $0.subject == .storedOutside })
    else { return [] }
    return [
      ExpectationOutcome(
        name: "stored_outside", line: 1, failure: "\(result.storedOutside.count) rows lie outside, not 0; \(first)")
    ]
  }
}

/// The check of one expectation.
private struct Judgement {
  private let expectation: Expectations.Expectation
  private let result: ReplayResult
  private let visits: ReplayVisits
  private let spaceNames: [SpaceID: String]
  private(set) var outcome: ExpectationOutcome

  init(
    _ expectation: Expectations.Expectation, _ result: ReplayResult, _ visits: ReplayVisits,
    _ spaceNames: [SpaceID: String]
  ) {
    self.expectation = expectation
    self.result = result
    self.visits = visits
    self.spaceNames = spaceNames
    outcome = ExpectationOutcome(name: expectation.name, line: expectation.line)
    judge()
  }

  private mutating func judge() {
    switch expectation.subject {
    case .stored(let device):
      compare(device, { Int($0.stored) }, "rows were stored") { $0.isKept }
    case .thinned(let device):
      compare(device, { Int($0.thinned) }, "fixes were thinned") { $0 == .thinned }
    case .fixes(let device):
      compare(device, { Int($0.fixes) }, "fixes came") { _ in true }
    case .acknowledged(let device):
      compare(device, { Int($0.acknowledged) }, "rows were acknowledged") { $0.isKept }
    case .refused(let device, let reason):
      compare(
        device, { counts in RefusalReason(rawValue: reason).map { Int(counts[$0]) } ?? 0 },
        "fixes were refused as \(reason)"
      ) { $0.word == reason }
    case .enters(let device, let tolerance):
      guard isKnown(device) else { return }
      compareVisits(visits.entries[device] ?? [], of: device, tolerance, "enters")
    case .exits(let device, let tolerance):
      guard isKnown(device) else { return }
      compareVisits(visits.exits[device] ?? [], of: device, tolerance, "leaves")
    case .spaces(let device):
      guard isKnown(device) else { return }
      compareSpaces(of: device)
    case .contact(let pair, let tolerance):
      guard pair.allSatisfy({ isKnown($0) }) else { return }
      compareContact(of: pair, tolerance)
    case .contactCount:
      compare(result.contacts.count, "contacts")
      guard outcome.failure != nil, let last = result.contacts.last else { return }
      outcome.failure? += "; the last is of \(last.devices.joined(separator: " and "))"
      point(to: last, of: last.devices)
    case .storedOutside:
      compare(result.storedOutside.count, "rows lie outside")
      if outcome.failure != nil, let first = result.storedOutside.first { outcome.failure? += "; " + first }
    }
  }

  // MARK: Numbers

  private var wanted: Double { expectation.numbers.first ?? 0 }

  private func accounting(_ device: String) -> Accounting? { result.devices.first { $0.name == device }?.accounting }

  /// Checks whether the replay has a device; otherwise the expectation fails.
  private mutating func isKnown(_ device: String) -> Bool {
    if accounting(device) != nil { return true }
    outcome.failure = "no device \(device)"
    return false
  }

  private mutating func compare(_ found: Int, _ what: String) {
    if Double(found) != wanted { outcome.failure = "\(found) \(what), not \(Decision.number(wanted))" }
  }

  /// Compares a count of a device; a difference shows the last fix whose verdict matches.
  private mutating func compare(
    _ device: String, _ count: (Accounting) -> Int, _ what: String, where matches: (Verdict) -> Bool
  ) {
    guard isKnown(device), let counts = accounting(device) else { return }
    compare(count(counts), what)
    point(to: device) { matches($0.verdict) }
  }

  // MARK: Visits, spaces and contacts

  private mutating func compareVisits(
    _ found: [FixDecision], of device: String, _ tolerance: TimeSpan, _ word: String
  ) {
    let times = expectation.times
    for (index, fix) in found.enumerated() {
      guard index < times.count else {
        return fail("\(device) \(word) at \(fix.time.rfc3339), where no more was expected", device, fix)
      }
      if abs((fix.time - times[index]).milliseconds) > tolerance.milliseconds {
        return fail("\(device) \(word) at \(fix.time.rfc3339), not \(times[index].rfc3339)", device, fix)
      }
    }
    guard found.count < times.count else { return }
    let missed = times[found.count]
    // The fix that should have met the expectation: the nearest one in time.
    let nearest = visits.fixes[device]?.min { abs(($0.time - missed).seconds) < abs(($1.time - missed).seconds) }
    fail("\(device) never \(word) at \(missed.rfc3339)", device, nearest)
  }

  private mutating func compareSpaces(of device: String) {
    let found = visits.spaces[device] ?? []
    for (index, row) in found.enumerated() {
      let names = [row.space.rawValue, spaceNames[row.space]].compactMap { $0 }
      let expected = index < expectation.texts.count ? expectation.texts[index] : nil
      if let expected, names.contains(expected) { continue }
      return fail(
        "space \(index + 1) is \(names.joined(separator: " / ")), "
          + (expected.map { "not \($0)" } ?? "where no more was expected"),
        device, row.fix.flatMap { index in visits.fixes[device]?.first { $0.index == index } })
    }
    guard found.count < expectation.texts.count else { return }
    fail(
      "\(expectation.texts[found.count]) is never reached after \(found.count) spaces", device,
      visits.fixes[device]?.last)
  }

  private mutating func compareContact(of pair: [String], _ tolerance: TimeSpan) {
    let contacts = result.contacts.filter { $0.devices.sorted() == pair }
    let seconds = contacts.reduce(0) { $0 + $1.seconds }
    guard abs(seconds - wanted) > tolerance.seconds else { return }
    outcome.failure =
      "\(pair.joined(separator: " and ")) met for \(Decision.number(seconds)) s, not \(Decision.number(wanted))"
    point(to: contacts.last, of: pair)
  }

  // MARK: Failures

  private mutating func fail(_ failure: String, _ device: String, _ fix: FixDecision?) {
    outcome.failure = failure
    outcome.device = device
    outcome.fix = fix
  }

  /// Shows a failed expectation's last fix that matches, or otherwise the device's last one.
  private mutating func point(to device: String, where matches: (FixDecision) -> Bool) {
    guard outcome.failure != nil, let fixes = visits.fixes[device] else { return }
    outcome.device = device
    outcome.fix = fixes.last(where: matches) ?? fixes.last
  }

  /// Shows the last fix of one of the two before the contact ended; without contact, the last fix that was kept.
  private mutating func point(to contact: ReplayContact?, of pair: [String]) {
    guard let device = pair.first else { return }
    point(to: device) { fix in contact.map { fix.time <= $0.end } ?? !fix.verdict.isRefusal }
  }
}

extension Verdict {
  /// Whether the fix was kept, or may still be.
  fileprivate var isKept: Bool { self == .stored || self == .held }
}

/// The arrivals and departures of devices and the spaces they visited, derived from the decisions.
struct ReplayVisits {
  private(set) var fixes: [String: [FixDecision]] = [:]
  private(set) var entries: [String: [FixDecision]] = [:]
  private(set) var exits: [String: [FixDecision]] = [:]
  private(set) var spaces: [String: [(space: SpaceID, fix: Int?)]] = [:]

  init(_ result: ReplayResult) {
    var isInside: [String: Bool] = [:]
    for decision in result.decisions {
      switch decision.kind {
      case .fix(let fix):
        fixes[decision.device, default: []].append(fix)
        let was = isInside[decision.device] ?? false
        switch fix.verdict {
        case .stored, .held, .thinned:
          if !was { entries[decision.device, default: []].append(fix) }
          isInside[decision.device] = true
        case .refused(.outside):
          if was { exits[decision.device, default: []].append(fix) }
          isInside[decision.device] = false
        default: break
        }
      case .stored(let row):
        if let space = row.space, spaces[decision.device]?.last?.space != space {
          spaces[decision.device, default: []].append((space, row.fix))
        }
      default: break
      }
    }
  }
}
