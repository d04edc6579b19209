import CordonReplay
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The report as continuous integration reads it.
@Suite struct JUnitReportTests {
  /// Elements with their attributes, in order.
  private final class Elements: NSObject, XMLParserDelegate {
    var list: [(name: String, attributes: [String: String])] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) { list.append((name, attributes)) }
  }

  private func elements(_ xml: String) throws -> [(name: String, attributes: [String: String])] {
    let parser = XMLParser(data: Data(xml.utf8))
    let elements = Elements()
    parser.delegate = elements
    try #require(parser.parse(), "\(xml)")
    return elements.list
  }

  @Test func suitesAreNamedByTraceAndClassesByVenue() throws {
    let outcomes = try Expectations(yaml: "devices: {walk: {fixes: 121, stored: 1}}\ncontact_count: 0")
      .check(try Walk.run([Walk.trace()]))
    let suites = [
      JUnitReport.Suite(
        name: "a <b>.gpx", className: "Café & Co. \"West\"", file: "a.yaml", seconds: 1.5, outcomes: outcomes,
        command: { "run \($0)" }),
      JUnitReport.Suite(
        name: "broken.gpx", className: "Square", file: "broken.yaml", seconds: 0, error: "is\nno\u{1}trace",
        command: { $0 }),
    ]
    let list = try elements(JUnitReport(suites).xml)
    #expect(
      list.map(\.name) == [
        "testsuites", "testsuite", "testcase", "testcase", "failure", "testcase", "testsuite", "testcase", "error",
      ])
    let all = list[0].attributes
    #expect(
      all == [
        "name": "cordon replay", "tests": "4", "failures": "1", "errors": "1", "skipped": "0", "time": "1.500000",
      ])
    #expect(list[1].attributes["name"] == "a <b>.gpx")
    let cases = list[2...5].filter { $0.name == "testcase" }.map(\.attributes)
    // Jenkins interprets the text before a dot as a package.
    #expect(cases.allSatisfy { $0["classname"] == "Café & Co_ \"West\"" && $0["file"] == "a.yaml" })
    #expect(cases.map { $0["name"] } == ["devices.walk.fixes", "devices.walk.stored", "contact_count"])
    // The times of the cases add up to that of their suite.
    let seconds = cases.compactMap { $0["time"] }.compactMap(Double.init)
    #expect(seconds.count == 3 && abs(seconds.reduce(0, +) - 1.5) < 1e-5)
    #expect(list[7].attributes["name"] == "replay" && list[8].attributes["message"] == "is\nno\u{fffd}trace")
  }
}
