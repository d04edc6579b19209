package import CordonCore
import CordonMonitoring
import CordonSupport

/// Renews a file of expectations only where a replay differs from it.
///
/// Comments, the order, the style and everything else that a person wrote stay. An update adds no expectation.
/// A row outside of the venue is never expected by an update.
package struct ExpectationUpdate: Sendable {
  /// The file with the changes.
  package private(set) var yaml: String
  /// Expectations that did not hold, and now do, with what was wrong.
  package private(set) var changed: [ExpectationOutcome]
  /// Expectations that do not hold and have to be changed by hand: of devices that are not there, or written in a way that
  /// cannot be changed in place.
  package private(set) var left: [ExpectationOutcome]
  /// How many expectations the file has.
  package let count: Int

  /// - Parameters:
  ///   - yaml: the file of expectations.
  ///   - result: what the replay gave.
  ///   - name: changes only the expectation of this name; `nil` for all.
  ///   - spaceNames: names of spaces, which stand for their identifiers.
  /// - Throws: ``ExpectationError`` when the file cannot be read.
  package init(
    of yaml: String, to result: ReplayResult, only name: String? = nil, spaceNames: [SpaceID: String] = [:]
  ) throws(ExpectationError) {
    let expectations = try Expectations(yaml: yaml)
    let outcomes = expectations.check(result, only: name, spaceNames: spaceNames)
    count = outcomes.count
    let text = YAMLText(yaml)
    let changes = ExpectationChanges(result, spaceNames)
    var edits: [(outcome: ExpectationOutcome, edits: [YAMLText.Edit])] = []
    left = []
    for outcome in outcomes where !outcome.isMet {
      let expectation = expectations.list.first { $0.name == outcome.name && $0.line == outcome.line }
      if let found = expectation.flatMap({ changes.edits(of: $0, in: text) }) {
        edits.append((outcome, found))
      } else {
        left.append(outcome)
      }
    }
    /// The names of the expectations that do not hold after some changes; `nil` when the file is then no longer what it was.
    func unmet(_ yaml: String) -> Set<String>? {
      guard let changed = try? Expectations(yaml: yaml), changed.list.map(\.name) == expectations.list.map(\.name)
      else { return nil }
      return Set(changed.check(result, only: name, spaceNames: spaceNames).filter { !$0.isMet }.map(\.name))
    }
    let before = Set(outcomes.filter { !$0.isMet }.map(\.name))
    func works(_ some: [(outcome: ExpectationOutcome, edits: [YAMLText.Edit])]) -> Bool {
      unmet(text.applying(some.flatMap(\.edits))) == before.subtracting(some.map(\.outcome.name))
    }
    if !works(edits) {
      // One of them does not: an alias, or a value over several lines.
      let fine = edits.filter { works([$0]) }
      let kept = works(fine) ? fine : []
      left += edits.map(\.outcome).filter { outcome in !kept.contains { $0.outcome == outcome } }
      edits = kept
    }
    self.yaml = edits.isEmpty ? yaml : text.applying(edits.flatMap(\.edits))
    changed = edits.map(\.outcome)
  }
}

/// The new values of expectations.
private struct ExpectationChanges {
  private let result: ReplayResult
  private let visits: ReplayVisits
  private let spaceNames: [SpaceID: String]

  init(_ result: ReplayResult, _ spaceNames: [SpaceID: String]) {
    self.result = result
    self.spaceNames = spaceNames
    visits = ReplayVisits(result)
  }

  /// The changes of an expectation; `nil` when it has to be changed by hand.
  func edits(of expectation: Expectations.Expectation, in text: YAMLText) -> [YAMLText.Edit]? {
    guard let source = expectation.source else { return nil }
    func number(_ value: Double?) -> [YAMLText.Edit]? {
      value.flatMap { text.replacing(source, with: Decision.number($0)) }
    }
    switch expectation.subject {
    case .stored(let device): return number(accounting(device).map { Double($0.stored) })
    case .thinned(let device): return number(accounting(device).map { Double($0.thinned) })
    case .fixes(let device): return number(accounting(device).map { Double($0.fixes) })
    case .acknowledged(let device): return number(accounting(device).map { Double($0.acknowledged) })
    case .refused(let device, let reason):
      guard let reason = RefusalReason(rawValue: reason) else { return nil }
      return number(accounting(device).map { Double($0[reason]) })
    case .contact(let pair, _):
      guard pair.allSatisfy({ accounting($0) != nil }) else { return nil }
      return number(result.contacts.filter { $0.devices.sorted() == pair }.reduce(0) { $0 + $1.seconds })
    case .contactCount: return number(Double(result.contacts.count))
    case .storedOutside: return result.storedOutside.isEmpty ? number(0) : nil
    case .enters(let device, let tolerance):
      return times(visits.entries[device] ?? [], device, tolerance, expectation, source, text)
    case .exits(let device, let tolerance):
      return times(visits.exits[device] ?? [], device, tolerance, expectation, source, text)
    case .spaces(let device): return spaces(of: device, expectation, source, text)
    }
  }

  private func accounting(_ device: String) -> Accounting? { result.devices.first { $0.name == device }?.accounting }

  private func times(
    _ found: [FixDecision], _ device: String, _ tolerance: TimeSpan, _ expectation: Expectations.Expectation,
    _ source: YAMLSource, _ text: YAMLText
  ) -> [YAMLText.Edit]? {
    guard accounting(device) != nil, expectation.elements.count == expectation.times.count else { return nil }
    let steps = ListAlignment.steps(from: expectation.times.count, to: found.map(\.time.rfc3339)) { old, new in
      abs((found[new].time - expectation.times[old]).milliseconds) <= tolerance.milliseconds
    }
    return text.replacing(source, expectation.elements, by: steps)
  }

  private func spaces(
    of device: String, _ expectation: Expectations.Expectation, _ source: YAMLSource, _ text: YAMLText
  ) -> [YAMLText.Edit]? {
    guard accounting(device) != nil, expectation.elements.count == expectation.texts.count else { return nil }
    let found = (visits.spaces[device] ?? []).map(\.space)
    // By name, when the file does so.
    let known = Set(spaceNames.values)
    let usesNames = expectation.texts.contains(where: known.contains)
    let texts = found.map { JSONValue.string((usesNames ? spaceNames[$0] : nil) ?? $0.rawValue).text() }
    let steps = ListAlignment.steps(from: expectation.texts.count, to: texts) { old, new in
      [found[new].rawValue, spaceNames[found[new]]].contains(expectation.texts[old])
    }
    return text.replacing(source, expectation.elements, by: steps)
  }
}
