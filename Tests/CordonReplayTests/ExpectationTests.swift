import CordonCore
import CordonReplay
import Testing

@Suite struct ExpectationTests {
  private func outcomes(_ yaml: String, _ traces: [String] = ["walk"]) throws -> [ExpectationOutcome] {
    let result = try Walk.run(traces.enumerated().map { Walk.trace($1, y: 7 + Double($0)) })
    return try Expectations(yaml: yaml).check(result, spaceNames: [SpaceID("west"): "West Room"])
  }

  @Test func recordedExpectationsPass() throws {
    let result = try Walk.run([Walk.trace("a"), Walk.trace("b", y: 8)])
    let yaml = result.recordedExpectations()
    let outcomes = try Expectations(yaml: yaml).check(result)
    #expect(outcomes.count > 12)
    let unmet = outcomes.filter { !$0.isMet }
    #expect(unmet.isEmpty, "\(unmet)\n\(yaml)")
  }

  @Test func trueExpectationsPass() throws {
    let outcomes = try outcomes(
      """
      schema: cordon.expect/1
      devices:
        walk:
          fixes: 121
          refused: {outside: 40, mocked: 0}
          enter: ["2026-01-01T08:00:20Z"]
          exit: ["2026-01-01T08:01:41Z"]
          spaces: [West Room, east]
      contact_count: 0
      stored_outside: 0
      """)
    #expect(outcomes.count == 8)
    let unmet = outcomes.filter { !$0.isMet }
    #expect(unmet.isEmpty, "\(unmet)")
  }

  @Test func failuresNameTheFixAndTheLine() throws {
    let outcomes = try outcomes(
      """
      devices:
        walk:
          stored: 3
          enter: ["2026-01-01T08:00:25Z"]
          within: 2s
          spaces: [east]
      contacts:
        - {between: [walk, b], seconds: 500}
      """, ["walk", "b"])
    #expect(outcomes.map(\.isMet) == [false, false, false, false])
    #expect(outcomes.map(\.line) == [3, 4, 6, 8])
    #expect(outcomes[1].fix?.index == 20)
    #expect(outcomes[1].fix?.line == 22)
    let report = outcomes[1].report(file: "e.yaml", command: "cordon replay walk.csv --only devices.walk.enter")
    #expect(report.hasPrefix("e.yaml:4: devices.walk.enter: walk enters at 2026-01-01T08:00:20.000Z, not"))
    #expect(report.contains("fix 20 of walk (walk.csv:22)"))
    #expect(report.hasSuffix("repeat: cordon replay walk.csv --only devices.walk.enter"))
    let suite = JUnitReport.Suite(
      name: "walk.csv", className: "Square", file: "e.yaml", seconds: 2, outcomes: outcomes,
      command: { "cordon replay --only \($0)" })
    let xml = JUnitReport([suite]).xml
    #expect(xml.contains("tests=\"4\" failures=\"4\""))
    #expect(xml.contains("cordon replay --only devices.walk.enter"))
  }

  /// Every failure names a fix.
  @Test(arguments: [
    ("devices: {walk: {stored: 1}}", 120), ("devices: {walk: {thinned: 1}}", 120), ("devices: {walk: {fixes: 1}}", 120),
    ("devices: {walk: {acknowledged: 1}}", 120), ("devices: {walk: {refused: {outside: 1}}}", 120),
    ("devices: {walk: {enter: [\"2026-01-01T08:00:20Z\", \"2026-01-01T08:01:50Z\"]}}", 110),
    ("devices: {walk: {exit: [\"2026-01-01T08:01:41Z\", \"2026-01-01T08:01:55Z\"]}}", 115),
    ("devices: {walk: {spaces: [west, east, moon]}}", 120), ("contacts: [{between: [walk, b], seconds: 1}]", 101),
    ("contact_count: 0", 101),
  ]) func everyFailureNamesAFix(_ yaml: String, _ latest: Int) throws {
    let outcomes = try outcomes(yaml, ["walk", "b"])
    #expect(outcomes.map(\.isMet) == [false])
    let fix = try #require(outcomes.first?.fix, "\(outcomes)")
    #expect(fix.index <= latest && fix.index > 90)
    #expect(["walk", "b"].contains(outcomes.first?.device))
  }

  @Test(arguments: [
    "contacts: [{between: [walk, nobody], seconds: 0}]", "devices: {nobody: {exit: []}}",
    "devices: {nobody: {spaces: []}}", "devices: {nobody: {stored: 0}}",
  ]) func expectationsCanRequireNoContact(_ yaml: String) throws {
    #expect(try outcomes(yaml).map(\.failure) == ["no device nobody"])
  }

  /// A replay that stored a row outside the venue fails, and so does its report.
  @Test func rowsOutsideFailWithoutAnExpectation() throws {
    var result = try Walk.run([Walk.trace()])
    let expectations = try Expectations(yaml: "devices: {walk: {fixes: 121}}")
    #expect(expectations.check(result).map(\.isMet) == [true])
    result.storedOutside = ["walk: a row lies outside"]
    let outcomes = expectations.check(result)
    #expect(outcomes.map(\.name) == ["devices.walk.fixes", "stored_outside"])
    #expect(outcomes.map(\.isMet) == [true, false])
    let suite = JUnitReport.Suite(
      name: "s", className: "c", file: "e", seconds: 1, outcomes: outcomes, command: { $0 })
    #expect(JUnitReport([suite]).xml.contains("tests=\"2\" failures=\"1\""))
    #expect(expectations.check(result, only: "stored_outside").count == 1)
    #expect(expectations.check(result, only: "devices.walk.fixes").count == 1)
    #expect(try Expectations(yaml: "stored_outside: 0").check(result).count == 1)
  }

  @Test(arguments: [
    ("devices: {walk: {stored: many}}", "must be a number"),
    ("devices: {walk: {shiny: 1}}", "nothing that can be expected"),
    ("a: 1", "nothing that can be expected"), ("- 1", "not a mapping"),
    ("devices: {walk: {refused: {nosuch: 1}}}", "not a reason"),
    ("devices: {walk: {enter: [soon]}}", "must be times"), ("schema: other/1", "must be cordon.expect/1"),
    ("devices: {walk: {within: 5x, enter: []}}", "must be a duration"), ("contacts: [{seconds: 1}]", "two devices"),
    ("a: [", "is not YAML"),
  ]) func impossibleExpectationsAreRefused(_ yaml: String, _ reason: String) {
    do {
      _ = try Expectations(yaml: yaml)
      Issue.record("was read")
    } catch {
      #expect("\(error)".contains(reason))
    }
  }

  @Test(arguments: ["schema: cordon.expect/1", "{}", "devices: {walk: {within: 5s}}", "devices: {}", "contacts: []"])
  func aFileThatExpectsNothingIsRefused(_ yaml: String) {
    let error = #expect(throws: ExpectationError.self) { _ = try Expectations(yaml: yaml) }
    #expect(error?.message == "expects nothing")
  }

  /// A file of expectations may name its venue.
  @Test func theVenueOfExpectationsIsRead() throws {
    #expect(try Expectations(yaml: "venue: ../office.mvf.zip\ncontact_count: 0").venue == "../office.mvf.zip")
    #expect(try Expectations(yaml: "contact_count: 0").venue == nil)
    #expect(throws: ExpectationError.self) { _ = try Expectations(yaml: "venue: [a]\ncontact_count: 0") }
    #expect(throws: ExpectationError.self) { _ = try Expectations(yaml: "venue: a") }
  }

  @Test func anExpectationCanRunAlone() throws {
    let result = try Walk.run([Walk.trace()])
    let expectations = try Expectations(yaml: "devices: {walk: {fixes: 1, stored: 1}}")
    #expect(expectations.check(result, only: "devices.walk.fixes").map(\.name) == ["devices.walk.fixes"])
  }
}
