import CordonTestSupport
import Foundation
import Testing

@testable import CordonVenues

/// The limits in docs/reference/venues.md equal those of the code.
struct StatedLimitsTests {
  private static let page: String? = {
    let root = Places.package
    return try? String(contentsOf: root.appendingPathComponent("docs/reference/venues.md"), encoding: .utf8)
  }()

  /// The number in the row of a limit, `64 MiB` in bytes.
  private func stated(_ name: String) throws -> Int {
    let page = try #require(Self.page)
    let row = try #require(
      page.split(separator: "\n").first { $0.hasPrefix("| `\(name)` |") }, "\(name) is not in docs/reference/venues.md")
    let cell = row.split(separator: "|")[1]
    let number = try #require(Int(cell.filter(\.isNumber)))
    return cell.contains("MiB") ? number << 20 : number
  }

  @Test func theDocumentedLimitsAreEnforced() throws {
    let limits = VenueLimits()
    let values = Mirror(reflecting: limits).children.compactMap { child in
      child.label.flatMap { label in (child.value as? Int).map { (label, $0) } }
    }
    #expect(values.count == 10)
    for (name, value) in values { #expect(try stated(name) == value, "\(name)") }
  }

  /// Bytes and their parsed form are the bulk of it; files are parsed one after the other.
  @Test func bytesAndTapeStayBelowTheStatedLimit() throws {
    let limits = VenueLimits()
    let most = limits.totalBytes + limits.jsonValues * MemoryLayout<JSONNode>.stride
    #expect(MemoryLayout<JSONNode>.stride == 16)
    #expect(most <= 256 << 20)
    #expect(try #require(Self.page).contains("256 MiB"))
  }

  @Test func aTapeReservesNoMoreThanItsLimit() throws {
    var limits = VenueLimits()
    limits.jsonValues = 1_000
    // Ten times the bytes that the allowed values could need: the reserve follows the limit.
    let padded = Array(("[" + String(repeating: " ", count: 100_000) + "0]").utf8)
    let small = try JSONDocument(padded, file: "x.json", limits: limits)
    #expect(small.tape.count == 2 && small.tape.capacity < 2 * limits.jsonValues)
    let full = Array(("[" + String(repeating: "0,", count: 998) + "0]").utf8)
    let tape = try JSONDocument(full, file: "x.json", limits: limits).tape
    #expect(tape.count == 1_000 && tape.capacity < 2 * limits.jsonValues)
  }

  @Test func findingsOfOneFileAreCounted() throws {
    var limits = VenueLimits()
    limits.remarksPerFile = 3
    let text = "[" + String(repeating: "NaN,", count: 500) + "0]"
    #expect(try JSONDocument(Array(text.utf8), file: "x.json", limits: limits).remarks.count == 3)
  }
}
