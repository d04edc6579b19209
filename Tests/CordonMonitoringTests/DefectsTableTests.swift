import Foundation
import Testing

@Suite("The table of defects")
struct DefectsTableTests {
  /// Every test that docs/defects.md names is there, in the suite that it names: a defect is only kept out by a test
  /// that runs.
  @Test func everyTestOfTheTableExists() throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let text = try String(contentsOf: root.appendingPathComponent("docs/defects.md"), encoding: .utf8)
    var sources: [String] = []
    let tests = root.appendingPathComponent("Tests")
    let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      sources.append(try String(contentsOf: file, encoding: .utf8))
    }
    let makefile = try String(contentsOf: root.appendingPathComponent("Makefile"), encoding: .utf8)
    var named = 0
    // What has no test because there is nothing to test.
    let tables = try #require(text.components(separatedBy: "\n## Where ours has no such thing").first)
    for line in tables.split(separator: "\n") where line.hasPrefix("| ") && line.contains("`") {
      let codes = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      for code in codes {
        named += 1
        if code.hasPrefix("make ") {
          #expect(makefile.contains("\n\(code.dropFirst(5)):"), "no \(code)")
          continue
        }
        let parts = code.split(separator: ".").map(String.init)
        let suite = try #require(parts.first)
        let holders = sources.filter { $0.contains("struct \(suite) {") }
        #expect(!holders.isEmpty, "no suite \(suite)")
        if parts.count == 2 {
          #expect(holders.contains { $0.contains("func \(parts[1])(") }, "no test \(code)")
        }
      }
    }
    #expect(named > 60)
  }
}
