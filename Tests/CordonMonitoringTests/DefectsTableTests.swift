import Foundation
import Testing

@Suite("The tables of defects and of threats")
struct DefectsTableTests {
  /// Every test that a table names exists, in the named suite: only a running test prevents a defect or a threat.
  @Test(arguments: [("records/defects.md", 150), ("explanation/threat-model.md", 30)])
  func everyTestOfTheTableExists(page: String, atLeast: Int) throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let text = try String(contentsOf: root.appendingPathComponent("docs/\(page)"), encoding: .utf8)
    var sources: [String] = []
    let tests = root.appendingPathComponent("Tests")
    let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      sources.append(try String(contentsOf: file, encoding: .utf8))
    }
    let makefile = try String(contentsOf: root.appendingPathComponent("Makefile"), encoding: .utf8)
    var named = 0
    // Rows without a test, because there is nothing to test.
    let tables = try #require(text.components(separatedBy: "\n## Where ours has no such thing").first)
    for line in tables.split(separator: "\n") where line.hasPrefix("| ") {
      // The last column names the test; the others may name code.
      let column = try #require(line.split(separator: "|", omittingEmptySubsequences: false).dropLast().last)
      let codes = column.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      for code in codes {
        named += 1
        if code.hasPrefix("make ") {
          #expect(makefile.contains("\n\(code.dropFirst(5)):"), "no \(code)")
          continue
        }
        let parts = code.split(separator: ".").map(String.init)
        let first = try #require(parts.first)
        // A suite begins with a capital, a function does not.
        guard first.first?.isUppercase == true else {
          #expect(sources.contains { $0.contains("func \(first)(") }, "no test \(code)")
          continue
        }
        let holders = sources.filter { $0.contains("struct \(first) {") }
        #expect(!holders.isEmpty, "no suite \(first)")
        if parts.count == 2 {
          #expect(holders.contains { $0.contains("func \(parts[1])(") }, "no test \(code)")
        }
      }
    }
    #expect(named >= atLeast, "\(named) tests are named")
  }
}
