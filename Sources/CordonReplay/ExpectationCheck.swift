public import CordonCore
import CordonMonitoring

/// The result of one expectation.
public struct ExpectationOutcome: Hashable, Sendable {
  /// The name, such as `devices.walk.enter`.
  public var name: String
  /// The line in the file of expectations.
  public var line: Int
  /// The difference found; `nil` if the expectation is met.
  public var failure: String?
  /// A fix that shows the difference, if there is one.
  public var fix: FixDecision?
  /// The device of the fix.
  public var device: String?

  /// Whether the expectation is met.
  public var isMet: Bool { failure == nil }
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
  public func check(
    _ result: ReplayResult, only name: String? = nil, spaceNames: [SpaceID: String] = [:]
  ) -> [ExpectationOutcome] {
    let visits = ReplayVisits(result)
    return list.filter { name == nil || $0.name == name }.map { expectation in
      var outcome = ExpectationOutcome(name: expectation.name, line: expectation.line)
      judge(expectation, result, visits, spaceNames, &outcome)
      return outcome
    } + unexpected(result, only: name)
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

  private func judge(
    _ expectation: Expectation, _ result: ReplayResult, _ visits: ReplayVisits, _ spaceNames: [SpaceID: String],
    _ outcome: inout ExpectationOutcome
  ) {
    let wanted = expectation.numbers.first ?? 0
    func accounting(_ device: String) -> Accounting? { result.devices.first { $0.name == device }?.accounting }
    func compare(_ found: Int?, _ what: String, _ device: String? = nil) {
      guard let found else { return outcome.failure = "there is no device \(device ?? "")" }
      if Double(found) != wanted { outcome.failure = "\(found) \(what), not \(Decision.number(wanted))" }
    }
    func point(to device: String, where matches: (FixDecision) -> Bool) {
      guard outcome.failure != nil, visits.fixes[device] != nil else { return }
      outcome.device = device
      outcome.fix = visits.fixes[device]?.last(where: matches) ?? visits.fixes[device]?.last
    }
    // The last fix of one of the two before the contact ended; for a pair without contact, the last fix that was kept.
    func point(to contact: ReplayContact?, of pair: [String]) {
      guard let device = pair.first else { return }
      point(to: device) { fix in contact.map { fix.time <= $0.end } ?? !fix.verdict.isRefusal }
    }
    switch expectation.subject {
    case .stored(let device):
      compare(accounting(device).map { Int($0.stored) }, "rows were stored", device)
      point(to: device) { $0.verdict == .stored || $0.verdict == .held }
    case .thinned(let device):
      compare(accounting(device).map { Int($0.thinned) }, "fixes were thinned", device)
      point(to: device) { $0.verdict == .thinned }
    case .fixes(let device):
      compare(accounting(device).map { Int($0.fixes) }, "fixes came", device)
      point(to: device) { _ in true }
    case .acknowledged(let device):
      compare(accounting(device).map { Int($0.acknowledged) }, "rows were acknowledged", device)
      point(to: device) { $0.verdict == .stored || $0.verdict == .held }
    case .refused(let device, let reason):
      compare(
        accounting(device).map { counts in RefusalReason(rawValue: reason).map { Int(counts[$0]) } ?? 0 },
        "fixes were refused as \(reason)", device)
      point(to: device) { $0.verdict.word == reason }
    case .enters(let device, let tolerance):
      guard accounting(device) != nil else { return compare(nil, "", device) }
      compareVisits(visits.entries[device] ?? [], expectation.times, tolerance, "enters", device, visits, &outcome)
    case .exits(let device, let tolerance):
      guard accounting(device) != nil else { return compare(nil, "", device) }
      compareVisits(visits.exits[device] ?? [], expectation.times, tolerance, "leaves", device, visits, &outcome)
    case .spaces(let device):
      guard accounting(device) != nil else { return compare(nil, "", device) }
      let found = visits.spaces[device] ?? []
      for (index, row) in found.enumerated() {
        let names = [row.space.rawValue, spaceNames[row.space]].compactMap { $0 }
        let expected = index < expectation.texts.count ? expectation.texts[index] : nil
        if expected.map({ !names.contains($0) }) ?? true {
          outcome.failure =
            "space \(index + 1) is \(names.joined(separator: " / ")), "
            + (expected.map { "not \($0)" } ?? "where no more was expected")
          outcome.device = device
          outcome.fix = row.fix.flatMap { index in visits.fixes[device]?.first { $0.index == index } }
          return
        }
      }
      if found.count < expectation.texts.count {
        outcome.failure = "\(expectation.texts[found.count]) is never reached after \(found.count) spaces"
        outcome.device = device
        outcome.fix = visits.fixes[device]?.last
      }
    case .contact(let pair, let tolerance):
      if let unknown = pair.first(where: { accounting($0) == nil }) { return compare(nil, "", unknown) }
      let contacts = result.contacts.filter { $0.devices.sorted() == pair }
      let seconds = contacts.reduce(0) { $0 + $1.seconds }
      if abs(seconds - wanted) > tolerance.seconds {
        outcome.failure =
          "\(pair.joined(separator: " and ")) met for \(Decision.number(seconds)) s, not \(Decision.number(wanted))"
        point(to: contacts.last, of: pair)
      }
    case .contactCount:
      compare(result.contacts.count, "contacts")
      if outcome.failure != nil, let last = result.contacts.last {
        outcome.failure? += "; the last is of \(last.devices.joined(separator: " and "))"
        point(to: last, of: last.devices)
      }
    case .storedOutside:
      compare(result.storedOutside.count, "rows lie outside")
      if outcome.failure != nil, let first = result.storedOutside.first { outcome.failure? += "; " + first }
    }
  }

  private func compareVisits(
    _ found: [FixDecision], _ times: [Instant], _ tolerance: TimeSpan, _ word: String, _ device: String,
    _ visits: ReplayVisits, _ outcome: inout ExpectationOutcome
  ) {
    for (index, fix) in found.enumerated() {
      guard index < times.count else {
        outcome.failure = "\(device) \(word) at \(fix.time.rfc3339), where no more was expected"
        (outcome.fix, outcome.device) = (fix, device)
        return
      }
      if abs((fix.time - times[index]).milliseconds) > tolerance.milliseconds {
        outcome.failure = "\(device) \(word) at \(fix.time.rfc3339), not \(times[index].rfc3339)"
        (outcome.fix, outcome.device) = (fix, device)
        return
      }
    }
    guard found.count < times.count else { return }
    let missed = times[found.count]
    outcome.failure = "\(device) never \(word) at \(missed.rfc3339)"
    // The fix that should have met the expectation: the nearest one in time.
    outcome.fix = visits.fixes[device]?.min { abs(($0.time - missed).seconds) < abs(($1.time - missed).seconds) }
    outcome.device = device
  }
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
