import CordonExchange
import CordonTestSupport
import Foundation
import Testing

/// `docs/reference/input.md` lists the names of columns that are read.
@Suite struct DocumentedColumnsTests {
  @Test func everyColumnNameIsDocumented() throws {
    let page = try Places.text("docs/reference/input.md")
    var documented: [String: [String]] = [:]
    for line in page.split(separator: "\n") where line.hasPrefix("| `") {
      let words = line.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      if PointField(rawValue: words[0]) != nil { documented[words[0]] = Array(words.dropFirst()) }
    }
    let known = Dictionary(uniqueKeysWithValues: PointField.names.map { ($0.field.rawValue, $0.names) })
    #expect(documented == known)
    #expect(Set(known.keys) == Set(PointField.allCases.map(\.rawValue)))
    for name in known.values.joined() { #expect(PointField.normalised(name) == name) }
  }

  @Test(arguments: [
    ("location-long", "locationlong"), ("Location Long (deg)", "locationlong"), ("t_ms", "tms"), ("Länge", "länge"),
    ("locationLatitude(WGS84)", "locationlatitude"), ("  ", ""),
  ])
  func separatorsInColumnNamesAreIgnored(name: String, expected: String) {
    #expect(PointField.normalised(name) == expected)
  }
}
