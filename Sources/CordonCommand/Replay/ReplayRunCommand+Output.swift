import CordonCommandLine
import CordonConsole
import CordonCore
import CordonExchange
import CordonGeometry
import CordonMonitoring
import CordonReplay
import CordonRun
import CordonSupport
import CordonVenues
import Foundation

extension ReplayRunCommand {
  /// Writes the folder, the outcomes and the recorded or renewed expectations.
  func write(_ outcome: inout ReplayOutcome, _ place: ReplayPlace) throws {
    var files: [RunOutput] = []
    let result = outcome.result
    func put(_ role: String, _ path: String, _ text: String) throws {
      try destination(path).write(text)
      files.append(RunOutput(role: role, path: path))
    }
    if let output {
      do {
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
      } catch {
        throw CommandError("no folder can be made: \(Output.reason(of: error))", code: "cannot-write", file: output)
      }
      let title = traces.map { URL(fileURLWithPath: $0).lastPathComponent }.joined(separator: ", ")
      let page = ReplayPage(
        result, on: plan(of: place.venue, place.packed), title: title, look: ReportStyle.css)
      try put("decisions", output + "/decisions.jsonl", result.jsonLines)
      try put("decisions_text", output + "/decisions.txt", result.text)
      try put("page", output + "/replay.html", page.html)
    }
    if let record { try put("recorded", record, result.recordedExpectations()) }
    if update, let expect, outcome.update?.changed.isEmpty != true {
      // Only this file is both read and written, because --update requests it.
      let destination = try Destination(expect, force: true, inputs: traces + [venue].compactMap(\.self))
      try destination.write(outcome.update?.yaml ?? result.recordedExpectations())
      files.append(RunOutput(role: "expectations", path: expect))
    }
    if let junit, suite == nil { try put("junit", junit, JUnitReport([junitSuite(outcome)]).xml) }
    outcome.files = files
  }

  /// The outcome for continuous integration.
  /// - Parameter name: of the suite, when it is not the trace's.
  func junitSuite(_ outcome: ReplayOutcome, name: String? = nil) -> JUnitReport.Suite {
    JUnitReport.Suite(
      name: name ?? traces.map { URL(fileURLWithPath: $0).lastPathComponent }.joined(separator: ", "),
      className: outcome.venue, file: expect ?? "", seconds: outcome.seconds, outcomes: outcome.expectations,
      command: repeating)
  }

  private func plan(of venue: Venue, _ packed: PackedVenue) -> ReplayPlan {
    let walls = Dictionary(packed.walls.map { ($0.floor, $0.segments) }, uniquingKeysWith: { first, _ in first })
    let floors = venue.floors.map { floor in
      let name = floor.shortName.text() ?? floor.name.text() ?? ""
      return ReplayPlan.Floor(
        ordinal: floor.ordinal, name: name.isEmpty ? "floor \(floor.ordinal)" : name,
        spaces: venue.spaces.filter { $0.floor == floor.id }.map { ($0.name.text() ?? "", $0.outline) },
        walls: walls[floor.id] ?? [])
    }
    return ReplayPlan(
      name: venue.name.text() ?? venue.id.rawValue, boundary: packed.boundary, floors: floors, frame: packed.frame)
  }

  /// Prints what came out.
  func report(_ outcome: ReplayOutcome) throws {
    let result = outcome.result
    if json {
      var members: [JSONValue.Member] = [
        .init("schema", "cordon.replay/1"), .init("devices", .count(result.devices.count)),
      ]
      members += Self.accounting(result.accounting).jsonMembers
      members += [.init("contacts", .count(result.contacts.count))] + self.members(outcome)
      members += [
        .init("assumed", .array(result.assumed.map { .string($0) })), .init("shows_refused", .bool(showRefused)),
        .init(
          "coverage",
          [
            "reached": .count(result.coverage.reached), "pairs": .count(ReplayCoverage.pairs),
            "counts": result.coverage.json,
          ]),
        .init("outputs", .object(outcome.files.map { .init($0.role, .string($0.path)) })),
      ]
      return try Output.print(.object(members))
    }
    let lines = quiet ? problems(outcome) : self.lines(outcome)
    if !lines.isEmpty { try Output.print(lines.joined(separator: "\n") + "\n") }
  }

  /// What became of the expectations, for tools.
  func members(_ outcome: ReplayOutcome) -> [JSONValue.Member] {
    [
      .init(
        "expectations",
        [
          "passed": .count(outcome.expectationCount - outcome.failed.count), "failed": .count(outcome.failed.count),
        ]),
      .init("failures", .array(outcome.failed.map(failure))),
      .init("changed", .array((outcome.update?.changed ?? []).map(failure))),
      .init("stored_outside", .count(outcome.result.storedOutside.count)),
    ]
  }

  private func lines(_ outcome: ReplayOutcome) -> [String] {
    let result = outcome.result
    var lines: [String] = []
    if output == nil {
      lines.append(result.text.trimmingCharacters(in: .newlines))
    } else {
      lines += result.assumed.map { "assumed: \($0)" }
    }
    let counts = result.accounting
    lines.append(
      "\(Counted.of(result.devices.count, "device")), \(Counted.of(Int(counts.fixes), "fix", "fixes")): \(counts.refused) refused\(Self.reasons(of: counts)), \(counts.thinned) thinned, "
        + "\(counts.stored) stored; \(counts.acknowledged) acknowledged, \(counts.onPhone) on the phone, "
        + "\(counts.quarantined) quarantined; " + Counted.of(result.contacts.count, "contact"))
    if coverage {
      lines.append("\(result.coverage.reached) of \(ReplayCoverage.pairs) pairs of phase and event were reached:")
      lines.append(result.coverage.table)
    }
    lines += problems(outcome)
    if expect != nil, outcome.update != nil || !update {
      let held = outcome.expectationCount - outcome.failed.count
      lines.append(
        "\(Counted.of(held, "expectation")) \(held == 1 ? "holds" : "hold"), \(outcome.failed.count) do not")
    }
    return lines + changes(outcome) + outcome.files.map { "\($0.role): \($0.path)" }
  }

  /// Returns a line for each expectation that an update changed.
  func changes(_ outcome: ReplayOutcome) -> [String] {
    (outcome.update?.changed ?? []).map { "changed: \(expect ?? ""):\($0.line): \($0.name): \($0.failure ?? "")" }
  }

  /// What failed.
  func problems(_ outcome: ReplayOutcome) -> [String] {
    var lines = outcome.result.storedOutside
    guard let expect else { return lines }
    for failed in outcome.failed {
      lines.append(failed.report(file: expect, command: repeating(failed.name)))
      if update { lines.append("  change it by hand") }
    }
    if !outcome.failed.isEmpty, readsStandardInput {
      lines.append("save standard input as \(ReplayRunCommand.savedInput) to repeat one")
    }
    return lines
  }

  /// Why fixes were refused, the commonest reason first: ` (96 outside, 3 stale)`.
  private static func reasons(of counts: Accounting) -> String {
    let reasons = RunAccounting.ranked(accounting(counts).refused).map { "\($0.count) \($0.name)" }
    return reasons.isEmpty ? "" : " (" + reasons.joined(separator: ", ") + ")"
  }

  private func failure(_ outcome: ExpectationOutcome) -> JSONValue {
    [
      "name": .string(outcome.name), "line": .count(outcome.line), "message": JSONValue(outcome.failure),
      "device": JSONValue(outcome.device), "fix": JSONValue(outcome.fix?.index),
      "repeat": .string(repeating(outcome.name)),
    ]
  }

  static func accounting(_ counted: Accounting) -> RunAccounting {
    var refused: [String: Int] = [:]
    for reason in RefusalReason.allCases where counted[reason] > 0 { refused[reason.rawValue] = Int(counted[reason]) }
    var expired: [String: Int] = [:]
    for (rule, count) in [
      (ExpiryRule.age, counted.expiredByAge), (.rows, counted.expiredByRows), (.bytes, counted.expiredByBytes),
    ] where count > 0 { expired[rule.rawValue] = Int(count) }
    return RunAccounting(
      fixes: Int(counted.fixes), refused: refused, thinned: Int(counted.thinned), stored: Int(counted.stored),
      acknowledged: Int(counted.acknowledged), onPhone: Int(counted.onPhone), quarantined: Int(counted.quarantined),
      expired: expired, erased: Int(counted.erased))
  }
}
