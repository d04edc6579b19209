import CordonTestSupport
import Foundation
import Testing

@Suite("Bad input: one line, status 2, nothing half-written")
struct BadInputTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String]
    /// Words that the line on standard error must contain.
    var says: [String]
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "missing file", arguments: ["{folder}/none.zip"], says: ["none.zip", "no such file"]),
    Case(name: "a zip without a venue", arguments: ["{folder}/plain.zip"], says: ["plain.zip"]),
    Case(name: "truncated JSON", arguments: ["{folder}/cut.geojson"], says: ["cut.geojson", "byte"]),
    Case(name: "no polygon", arguments: ["{folder}/points.geojson"], says: ["polygon"]),
    Case(name: "not a zip", arguments: ["{folder}/text.zip"], says: ["text.zip"]),
    Case(name: "zero people", arguments: ["{office}", "--people", "0"], says: ["--people", "0"]),
    Case(name: "negative people", arguments: ["{office}", "--people", "-5"], says: ["people"]),
    Case(name: "negative duration", arguments: ["{office}", "--duration", "-2h"], says: ["--duration", "-2h"]),
    Case(
      name: "duration of an unknown unit", arguments: ["{office}", "--duration", "2y"],
      says: ["--duration", "2y", "1h30m"]),
    Case(name: "unknown option", arguments: ["{office}", "--poeple", "3"], says: ["--poeple"]),
    Case(name: "unknown preset", arguments: ["{office}", "--phones", "magic"], says: ["magic"]),
    Case(name: "unknown boundary", arguments: ["{office}", "--boundary", "moon"], says: ["moon"]),
    Case(name: "share above one", arguments: ["{office}", "--device-share", "1.5"], says: ["--device-share"]),
    Case(name: "no venue", arguments: [], says: ["venue"]),
  ]

  private func prepare() throws -> TemporaryFolder {
    let scratch = try TemporaryFolder()
    _ = try scratch.write(#"{"type":"FeatureCollection","features":[{"type":"Feature","geom"#, to: "cut.geojson")
    _ = try scratch.write(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}]}"#,
      to: "points.geojson")
    _ = try scratch.write("this is not a zip file", to: "text.zip")
    // An archive with one stored file `a.txt` that holds `hi`.
    let zip: [UInt8] =
      [
        0x50, 0x4B, 3, 4, 10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0x00, 0xAC, 0x2A, 0x93, 0xD8, 2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0,
        0,
      ]
      + Array("a.txthi".utf8)
      + [0x50, 0x4B, 1, 2, 10, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0x00, 0xAC, 0x2A, 0x93, 0xD8, 2, 0, 0, 0, 2, 0, 0, 0]
      + [5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array("a.txt".utf8)
      + [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, 51, 0, 0, 0, 37, 0, 0, 0, 0, 0]
    try Data(zip).write(to: URL(fileURLWithPath: scratch.path("plain.zip")))
    return scratch
  }

  @Test(arguments: cases)
  func badInputIsRefused(_ bad: Case) throws {
    let scratch = try prepare()
    let before = try scratch.contents
    let arguments = bad.arguments.map {
      $0.replacingOccurrences(of: "{folder}", with: scratch.url.path)
        .replacingOccurrences(of: "{office}", with: Places.office)
    }
    let result = try CordonProcess.run(["simulate"] + arguments + ["-o", scratch.path("out")])
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    for word in bad.says { #expect(result.errors.lowercased().contains(word.lowercased()), "\(result.errors)") }
    #expect(try scratch.contents == before)
  }

  @Test(arguments: cases)
  func errorsAreOneJSONObjectForScripts(_ bad: Case) throws {
    let scratch = try prepare()
    let arguments = bad.arguments.map {
      $0.replacingOccurrences(of: "{folder}", with: scratch.url.path)
        .replacingOccurrences(of: "{office}", with: Places.office)
    }
    let result = try CordonProcess.run(["simulate"] + arguments + ["-o", scratch.path("out"), "--json"])
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.errors.utf8)) as? [String: Any], "\(result.errors)")
    #expect(object["schema"] as? String == "cordon.error/1")
    #expect(object["exit_status"] as? Int == 2)
  }

  @Test func anExistingFolderIsNotOverwrittenWithoutForce() throws {
    let scratch = try TemporaryFolder()
    let arguments = [
      "simulate", Places.office, "--people", "5", "--duration", "5m", "-o", scratch.path("run"), "--quiet",
    ]
    #expect(try CordonProcess.run(arguments).status == 0)
    let manifest = try Data(contentsOf: URL(fileURLWithPath: scratch.path("run/manifest.json")))
    let again = try CordonProcess.run(arguments)
    #expect(again.status == 2)
    #expect(again.errors.contains("--force"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path("run/manifest.json"))) == manifest)
    #expect(try CordonProcess.run(arguments + ["--force"]).status == 0)
    #expect(try scratch.contents == ["run"])
  }

  @Test func aFolderThatIsNotARunIsNotReplacedEvenWithForce() throws {
    let scratch = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: scratch.path("mine"), withIntermediateDirectories: true)
    _ = try scratch.write("precious", to: "mine/thesis.txt")
    let result = try CordonProcess.run(
      [
        "simulate", Places.office, "--people", "5", "--duration", "5m", "-o", scratch.path("mine"), "--force",
        "--quiet",
      ])
    #expect(result.status == 2)
    #expect(try String(contentsOfFile: scratch.path("mine/thesis.txt"), encoding: .utf8) == "precious")
  }
}
