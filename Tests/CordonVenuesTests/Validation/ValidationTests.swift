import CordonVenues
import Foundation
import Testing

/// Validation: counts, groups, and a page that explains every code.
struct ValidationTests {
  @Test func countsAndFindingsMatchTheVenue() throws {
    let validation = VenueValidation(try Drawing.load(MVF3Fixture().files))
    #expect(validation.format == .mvf3 && validation.version == "3.0.0" && !validation.hasErrors)
    #expect(validation.floorCount == 2 && validation.spaceCount == 3 && validation.openingCount == 2)
    #expect(validation.connectionCount == 1 && validation.nodeCount == 4)
    let groups = validation.groups
    #expect(groups.reduce(0) { $0 + $1.count } == validation.findings.count && groups.count < validation.findings.count)
    let severities = groups.map(\.first.severity)
    #expect(
      severities == severities.filter { $0 == .error } + severities.filter { $0 == .warning }
        + severities.filter { $0 == .info })
  }

  @Test func unreadableVenuesAreFindings() throws {
    let path = NSTemporaryDirectory() + "cordon-" + UUID().uuidString + ".geojson"
    try Data(#"{"type":"#.utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let validation = try VenueValidation.validate(path: path)
    #expect(validation.hasErrors && validation.format == nil)
    #expect(validation.findings.map(\.code) == ["truncated-json"] && validation.findings[0].action == .refused)
    #expect(validation.findings[0].message.hasSuffix("(at byte 8)"))
    try Data(Drawing.box(0, 0, 5, 5).utf8).write(to: URL(fileURLWithPath: path))
    #expect(try VenueValidation.validate(path: path).spaceCount == 1)
    #expect(throws: VenueError.self) { try VenueValidation.validate(path: "/no/such/venue") }
  }

  @Test func everyCodeIsDocumented() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("docs/reference/venue-findings.md"), encoding: .utf8)
    var codes: Set<String> = []
    for folder in ["Readers", "Archive", "Files", "JSON", "Validation", "Plan", "Boundary", "Writers", "Packing"] {
      let sources = root.appendingPathComponent("Sources/CordonVenues/" + folder)
      let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
      for case let file as URL in files where file.pathExtension == "swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        // A code is a literal after a severity, after `code:`, or alone in a call of a helper that takes one.
        for pattern in [
          #"\.(?:error|warning|info),\s*"([a-z0-9-]+)""#, #"code: "([a-z0-9-]+)""#,
          #"(?:report|refuse)\("([a-z]+-[a-z0-9-]+)""#,
        ] {
          let expression = try NSRegularExpression(pattern: pattern)
          for match in expression.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
            if let range = Range(match.range(at: 1), in: text) { codes.insert(String(text[range])) }
          }
        }
      }
    }
    #expect(codes.count > 45)
    for code in codes.sorted() {
      #expect(page.contains("| `\(code)` |"), "\(code) is not in docs/reference/venue-findings.md")
    }
  }

  @Test func everyTrapNamesTestsThatExist() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    var sources = ""
    for folder in ["CordonVenuesTests", "CordonGeometryTests"] {
      let files = try #require(
        FileManager.default.enumerator(at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil))
      for case let file as URL in files where file.pathExtension == "swift" {
        sources += try String(contentsOf: file, encoding: .utf8)
      }
    }
    let page = try String(
      contentsOf: root.deletingLastPathComponent().appendingPathComponent("docs/reference/venue-traps.md"),
      encoding: .utf8)
    let rows = page.split(separator: "\n").map { $0.split(separator: "|").map(String.init) }.filter {
      $0.count > 3 && Int($0[0].trimmingCharacters(in: .whitespaces)) != nil
    }
    #expect(rows.compactMap { Int($0[0].trimmingCharacters(in: .whitespaces)) } == Array(1...12))
    for row in rows {
      let names = row[row.count - 1].split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.flatMap { $0.element.split(separator: ".") }
      #expect(names.contains { $0.hasPrefix("trap\(row[0].trimmingCharacters(in: .whitespaces))") })
      for name in names {
        #expect(sources.contains("func \(name)(") || sources.contains("struct \(name) "), "\(name)")
      }
    }
  }
}
