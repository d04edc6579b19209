import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues
import Foundation
import Testing

@Suite("The readme")
struct ReadmeTests {
  let text: String

  init() throws {
    text = try String(contentsOf: Places.package.appendingPathComponent("README.md"), encoding: .utf8)
  }

  /// Runs the lines of the readme's Swift example; ``theExampleIsTheOneThatRuns`` compares the two.
  @Test func theExamplePrintsTheDocumentedOutput() throws {
    let venue = try VenueLoader.load(path: Places.office).venue
    let gate = PackedVenueGate(try venue.packed())
    let here = gate.judge(Coordinate(longitude: 11.58040, latitude: 48.14018), floor: FloorOrdinal(0))
    #expect(here.isInside)
    #expect(here.space != nil)

    let a = Segment(device: 0, floor: 0, start: 0, end: 60_000, x0: 0, y0: 0, x1: 0, y1: 0)
    let b = Segment(device: 1, floor: 0, start: 0, end: 60_000, x0: -30, y0: 1, x1: 30, y1: 1)
    let contacts = ContactFinder(distance: 2).contacts(in: [a, b])
    #expect(contacts.count == 1)
    #expect(abs(Double(contacts[0].duration) / 1e6 - 2 * 3.0.squareRoot()) < 1e-5)
    #expect(abs(contacts[0].minimumDistance - 1) < 1e-9)
  }

  @Test func theExampleRuns() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let start = try #require(text.range(of: "```swift\nimport CordonContacts\n")).upperBound
    let end = try #require(text.range(of: "\n```", range: start..<text.endIndex)).lowerBound
    for line in text[start..<end].split(separator: "\n") where line.hasPrefix("let ") {
      // The readme names the file from the root of a checkout, the test from wherever it is.
      let told = line.replacingOccurrences(of: "\"venues/office.mvf.zip\"", with: "Places.office")
      #expect(source.contains(told), "\(line)")
    }
  }

  @Test func everyLinkedFileExists() throws {
    var rest = text[...]
    var count = 0
    while let open = rest.range(of: "](") {
      let close = try #require(rest.range(of: ")", range: open.upperBound..<rest.endIndex))
      let link = String(rest[open.upperBound..<close.lowerBound])
      rest = rest[close.upperBound...]
      if link.hasPrefix("http") { continue }
      count += 1
      #expect(FileManager.default.fileExists(atPath: Places.package.appendingPathComponent(link).path), "\(link)")
    }
    #expect(count >= 5)
  }

  @Test func everyNamedMakeTargetExists() throws {
    let makefile = try String(contentsOf: Places.package.appendingPathComponent("Makefile"), encoding: .utf8)
    for target in ["demo", "test"] {
      #expect(text.contains("make \(target)"))
      #expect(makefile.contains("\n\(target):"))
    }
  }
}
