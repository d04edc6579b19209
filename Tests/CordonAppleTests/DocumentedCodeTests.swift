import Foundation
import Testing

/// The code of the guides is the code that is compiled and run here.
@Suite("Code in the guides")
struct DocumentedCodeTests {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Fenced code, and the file that a comment before it names.
  static func examples(in guide: String = "tutorials/first-visit-in-an-app.md") throws -> [(file: String, code: String)]
  {
    let text = try String(contentsOf: package.appendingPathComponent("docs/\(guide)"), encoding: .utf8)
    var examples: [(String, String)] = []
    var lines = text.components(separatedBy: "\n")[...]
    while let line = lines.popFirst() {
      guard line.hasPrefix("<!-- file: "), line.hasSuffix(" -->") else { continue }
      let file = String(line.dropFirst(11).dropLast(4))
      #expect(lines.popFirst() == "```swift")
      let end = try #require(lines.firstIndex(of: "```"))
      examples.append((file, lines[..<end].joined(separator: "\n") + "\n"))
    }
    return examples
  }

  @Test func itIsWordForWordInTheTests() throws {
    let examples = try Self.examples() + Self.examples(in: "how-to/custom-sinks.md")
    #expect(examples.count == 3)
    for (file, code) in examples {
      let compiled = try String(contentsOf: Self.package.appendingPathComponent(file), encoding: .utf8)
      #expect(code == compiled, "\(file)")
    }
  }

  @Test func fifteenLinesStartTracking() throws {
    let code = try #require(try Self.examples().first { $0.file.hasSuffix("StartTracking.swift") }?.code)
    #expect(code.split(separator: "\n").count <= 15)
  }

  @Test func fiveLinesAreADay() throws {
    let code = try #require(try Self.examples().first { $0.file.hasSuffix("ScriptedDay.swift") }?.code)
    #expect(code.split(separator: "\n").count { $0.hasPrefix("  ") } == 5)
  }

  /// What the guide says of Info.plist is what the sample's has.
  @Test func theSamplesKeysAreThoseOfTheGuide() throws {
    let guide = try String(
      contentsOf: Self.package.appendingPathComponent("docs/tutorials/first-visit-in-an-app.md"), encoding: .utf8)
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

  /// The sample speaks to servers over TLS only.
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
