import Foundation
import Testing

/// Test targets compile the Swift code of the documents and of the DocC catalogs.
///
/// `<!-- file: PATH -->` before a block means that the block is the whole file, `<!-- part of: PATH -->` that its
/// paragraphs are in that file, in this order.
@Suite("Code in the documents")
struct DocumentedCodeTests {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let guide = "docs/tutorials/first-visit-in-an-app.md"

  /// A block of Swift code.
  struct Example {
    var page: String
    var line: Int
    /// The file that the comment before it names; `nil` without a comment.
    var file: String?
    var isWhole = false
    var code: [String]
  }

  /// The pages that may hold code, as paths below the package.
  static func pages() throws -> [String] {
    var pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
    for folder in ["docs", "Sources", "Simulator"] {
      let files = try #require(FileManager.default.enumerator(atPath: package.appendingPathComponent(folder).path))
      for case let file as String in files where file.hasSuffix(".md") && (folder == "docs" || file.contains(".docc/"))
      {
        pages.append("\(folder)/\(file)")
      }
    }
    return pages.sorted()
  }

  static func lines(of path: String) throws -> [String] {
    try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8).components(separatedBy: "\n")
  }

  static func examples(of page: String) throws -> [Example] {
    let lines = try lines(of: page)
    var examples: [Example] = []
    for (index, line) in lines.enumerated() where line == "```swift" {
      let end = try #require(lines[index...].firstIndex(of: "```"))
      var example = Example(page: page, line: index + 1, code: Array(lines[(index + 1)..<end]))
      let marker = index > 0 ? lines[index - 1] : ""
      for (prefix, isWhole) in [("<!-- file: ", true), ("<!-- part of: ", false)]
      where marker.hasPrefix(prefix) && marker.hasSuffix(" -->") {
        example.file = String(marker.dropFirst(prefix.count).dropLast(4))
        example.isWhole = isWhole
      }
      examples.append(example)
    }
    return examples
  }

  /// Whether `source` contains the paragraphs of `code`, in order, each with one indentation.
  static func holds(_ source: [String], _ code: [String]) -> Bool {
    var rest = source[...]
    for paragraph in code.split(separator: "", omittingEmptySubsequences: true) {
      let starts = rest.indices.filter { $0 + paragraph.count <= rest.endIndex }
      let start = starts.first { start in
        let first = paragraph[paragraph.startIndex]
        guard rest[start].hasSuffix(first) else { return false }
        let indent = rest[start].dropLast(first.count)
        return indent.allSatisfy { $0 == " " }
          && zip(paragraph, rest[start...]).allSatisfy { $1 == indent + $0 }
      }
      guard let start else { return false }
      rest = rest[(start + paragraph.count)...]
    }
    return true
  }

  @Test func documentedCodeIsInTheTestsWordForWord() throws {
    var count = 0
    for example in try Self.pages().flatMap(Self.examples) {
      let place = "\(example.page):\(example.line)"
      count += 1
      guard let file = example.file else {
        Issue.record("\(place): no comment names the file that compiles this code")
        continue
      }
      #expect(
        file.hasPrefix("Tests/") && file.contains("Tests/Examples/"), "\(place): \(file) is compiled by no test target")
      let source = try Self.lines(of: file)
      #expect(example.isWhole ? source == example.code + [""] : Self.holds(source, example.code), "\(place): \(file)")
    }
    #expect(count >= 15)
  }

  /// The comparison detects a changed word, and a changed order.
  @Test func aDifferenceIsDetected() {
    let source = ["func f() {", "  let a = 1", "  let b = 2", "", "  use(a, b)", "}"]
    #expect(Self.holds(source, ["let a = 1", "let b = 2"]))
    #expect(Self.holds(source, ["let b = 2", "", "use(a, b)"]))
    #expect(!Self.holds(source, ["let a = 1", "let b = 3"]))
    #expect(!Self.holds(source, ["use(a, b)", "", "let b = 2"]))
  }

  @Test func fifteenLinesStartTracking() throws {
    let code = try #require(
      try Self.examples(of: Self.guide).first { $0.file?.hasSuffix("StartTracking.swift") == true }?.code)
    #expect(code.count { !$0.isEmpty } <= 15)
  }

  @Test func fiveLinesAreADay() throws {
    let code = try #require(
      try Self.examples(of: Self.guide).first { $0.file?.hasSuffix("ScriptedDay.swift") == true }?.code)
    #expect(code.count { $0.hasPrefix("  ") } == 5)
  }

  /// The guide and the sample have the same entries of Info.plist.
  @Test func theSampleHasTheKeysOfTheGuide() throws {
    let guide = try Self.lines(of: Self.guide).joined(separator: "\n")
    let data = try Data(contentsOf: Self.package.appendingPathComponent("Samples/VenueDiary/Info.plist"))
    let plist = try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    for key in plist.keys { #expect(guide.contains("`\(key)`"), "\(key)") }
    #expect(plist["BGTaskSchedulerPermittedIdentifiers"] as? [String] == ["cordon.refresh"])
    let manifest = try Data(
      contentsOf: Self.package.appendingPathComponent("Sources/CordonApple/PrivacyInfo.xcprivacy"))
    let privacy = try #require(
      try PropertyListSerialization.propertyList(from: manifest, format: nil) as? [String: Any])
    #expect(privacy["NSPrivacyTracking"] as? Bool == false)
    #expect((privacy["NSPrivacyCollectedDataTypes"] as? [Any])?.count == 2)
  }

  /// The sample accepts servers with TLS only.
  @Test func transportsAreSecure() throws {
    let data = try Data(contentsOf: Self.package.appendingPathComponent("Samples/VenueDiary/Info.plist"))
    let plist = try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    #expect(plist["NSAppTransportSecurity"] == nil)
    let app = Self.package.appendingPathComponent("Samples/VenueDiary")
    let files = try #require(FileManager.default.enumerator(at: app, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(!text.contains("http://"), "\(file.lastPathComponent)")
    }
  }
}
