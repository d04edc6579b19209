import CordonCore
import CordonReplay
import Testing

/// The update keeps a person's text, and changes only differing values.
@Suite struct ExpectationUpdateTests {
  private let names = [SpaceID("west"): "West Room"]

  private func update(_ yaml: String, _ traces: [String] = ["walk"], only: String? = nil) throws -> ExpectationUpdate {
    let result = try Walk.run(traces.enumerated().map { Walk.trace($1, y: 7 + Double($0)) })
    return try ExpectationUpdate(of: yaml, to: result, only: only, spaceNames: names)
  }

  /// Written by hand, in a style that no program writes.
  private static let handWritten = """
    # The morning walk. Reviewed by Ann.
    contact_count: 0   # nobody else is there

    schema: "cordon.expect/1"
    devices:
      # The one with the old receiver.
      walk:
        within: 2s      # its clock is slow
        spaces: [ 'West Room',east ]   # by name
        enter:
          # by the west door
          - 2026-01-01T08:00:21Z  # a second late, which is fine
        exit: ["2026-01-01T08:01:41Z"]
        refused: { mocked: 0,
                   outside: 12 }  # outside: both ends
        fixes: 121
    stored_outside: 0
    """

  @Test func aPassingFileIsNotChanged() throws {
    let right = Self.handWritten.replacingOccurrences("outside: 12", "outside: 40")
    let update = try update(right)
    #expect(update.yaml == right && update.changed.isEmpty && update.left.isEmpty)
    #expect(update.count == 8)
  }

  @Test func onlyDifferingValuesAreChanged() throws {
    let update = try update(Self.handWritten)
    #expect(update.yaml == Self.handWritten.replacingOccurrences("outside: 12", "outside: 40"))
    #expect(update.changed.map(\.name) == ["devices.walk.refused.outside"])
    #expect(update.changed.map(\.line) == [15])
    #expect(update.changed.first?.failure == "40 fixes were refused as outside, not 12")
  }

  /// Every kind of expectation with a wrong value: the update corrects it, and changes nothing else.
  @Test(arguments: [
    ("contact_count: 0", "contact_count: 3"), ("fixes: 121", "fixes: 7"), ("mocked: 0,", "mocked: 1,"),
    ("[ 'West Room',east ]", "[ 'West Room',moon ]"), ("[ 'West Room',east ]", "[ 'West Room',east, moon ]"),
    ("[ 'West Room',east ]", "[ 'West Room' ]"), ("[ 'West Room',east ]", "[]"),
    ("[\"2026-01-01T08:01:41Z\"]", "[\"2026-01-01T09:01:41Z\"]"),
    ("[\"2026-01-01T08:01:41Z\"]", "[\"2026-01-01T07:00:00Z\", \"2026-01-01T08:01:41Z\"]"),
    ("- 2026-01-01T08:00:21Z  # a", "- 2026-01-01T08:00:51Z  # a"),
    (
      "      - 2026-01-01T08:00:21Z  # a second late, which is fine\n",
      "      - 2026-01-01T08:00:21Z  # a second late, which is fine\n      - 2026-01-01T09:00:21Z\n"
    ),
  ]) func everyKindIsChangedInPlace(_ right: String, _ wrong: String) throws {
    let file = Self.handWritten.replacingOccurrences("outside: 12", "outside: 40")
    #expect(file.contains(right))
    let broken = file.replacingOccurrences(right, wrong)
    let update = try update(broken)
    #expect(update.changed.count == 1 && update.left.isEmpty, "\(update.left)")
    let again = try self.update(update.yaml)
    #expect(again.changed.isEmpty && again.left.isEmpty && again.yaml == update.yaml)
    // All other lines and comments are unchanged.
    let old = Set(broken.split(separator: "\n"))
    let new = update.yaml.split(separator: "\n")
    #expect(new.count { !old.contains($0) } <= 1, "\(update.yaml)")
    for comment in file.split(separator: "\n").compactMap({ $0.split(separator: "#").dropFirst().last }) {
      #expect(update.yaml.contains(comment), "\(update.yaml)")
    }
  }

  @Test func listsInBlocksGrowAndShrink() throws {
    func list(_ elements: String) -> String { "devices:\n  walk:\n    spaces:\n\(elements)\n    fixes: 121\n" }
    let right = list("    - west # first\n    # then\n    - east")
    #expect(try update(right).yaml == right)
    let cases = [
      ("    - moon # first\n    # then\n    - east", "    - \"west\" # first\n    # then\n    - east"),
      ("    - west # first", "    - west # first\n    - \"east\""),
      ("    - east", "    - \"west\"\n    - east"),
      ("    - west\n    - moon # odd\n    # then\n    - east", "    - west\n    # then\n    - east"),
    ]
    for (wrong, expected) in cases { #expect(try update(list(wrong)).yaml == list(expected)) }
    // A list that becomes empty is still a list.
    let none =
      "devices:\n  walk:\n    enter: # never\n    - 2026-01-01T08:00:20Z\n    - 2026-01-01T09:00:20Z\n    fixes: 1\n"
    let result = try Walk.run([Walk.trace(from: -60, to: -50)])
    let update = try ExpectationUpdate(of: none, to: result)
    #expect(update.left.isEmpty && update.yaml.contains("# never\n"), "\(update.yaml)")
    #expect(try Expectations(yaml: update.yaml).check(result).allSatisfy { $0.isMet })
  }

  @Test func contactsAreUpdatedInPlace() throws {
    let yaml = "contacts:\n  - {seconds: 1, between: [walk, b]}  # side by side\n"
    let update = try update(yaml, ["walk", "b"])
    #expect(update.changed.map(\.name) == ["contacts.0"])
    #expect(update.yaml.hasSuffix(", between: [walk, b]}  # side by side\n"))
    #expect(try self.update(update.yaml, ["walk", "b"]).changed.isEmpty)
  }

  /// Windows ends lines with two characters, and other scripts have their own letters.
  @Test func lineEndingsAndOtherTextAreKept() throws {
    let yaml = "# Größe 📏\r\ndevices:\r\n  walk: {\"fixes\": 1, refused: {outside: 40}} # Öl 🛢\r\ncontact_count: 5\r\n"
    let update = try update(yaml)
    #expect(update.yaml == yaml.replacingOccurrences(": 1,", ": 121,").replacingOccurrences("count: 5", "count: 0"))
  }

  /// A value that cannot be changed in place stays and is reported; the rest is changed.
  @Test func unchangeableExpectationsAreLeft() throws {
    let yaml = "devices:\n  nobody: {fixes: 3}\n  walk: {fixes: &n 4, stored: *n, thinned: 1}\n"
    let update = try update(yaml)
    #expect(update.left.map(\.name).sorted() == ["devices.nobody.fixes", "devices.walk.fixes", "devices.walk.stored"])
    #expect(update.changed.map(\.name) == ["devices.walk.thinned"])
    #expect(update.yaml.hasPrefix("devices:\n  nobody: {fixes: 3}\n  walk: {fixes: &n 4, stored: *n, thinned: "))
  }

  /// A row outside of the venue never becomes an expectation.
  @Test func rowsOutsideAreNeverExpected() throws {
    var result = try Walk.run([Walk.trace()])
    result.storedOutside = ["walk: a row lies outside"]
    let yaml = "stored_outside: 0\n"
    let update = try ExpectationUpdate(of: yaml, to: result)
    #expect(update.yaml == yaml && update.left.map(\.name) == ["stored_outside"])
  }

  @Test func anExpectationCanBeUpdatedAlone() throws {
    let update = try update("devices: {walk: {fixes: 1, stored: 1}}", only: "devices.walk.fixes")
    #expect(update.yaml == "devices: {walk: {fixes: 121, stored: 1}}")
  }
}

extension String {
  fileprivate func replacingOccurrences(_ text: String, _ other: String) -> String {
    split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
  }
}
