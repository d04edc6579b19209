import CordonContacts
import CordonCore
import CordonIngest
import CordonTesting
import Foundation
import Testing

@Suite("Contacts page by page") struct ContactPageTests {
  private let desk = Bench.basic("op-desk", "desk's")

  /// A contact of two devices that need not exist.
  private func contact(_ bench: Bench, _ index: Int, minutes: Int64 = 5, floor: Int32 = 0) -> Contact {
    // Several begin at the same moment.
    let start = (bench.now.milliseconds - 20 * 3_600_000 + Int64(index / 3) * 1_000) * 1_000
    return Contact(
      first: Int32(index % 3 + 1), second: Int32(index % 7 + 10), floor: floor, start: start,
      end: start + minutes * 60_000_000, minimumDistance: Double(index) / 1_000, minimumDistanceTime: start, x: 0, y: 0)
  }

  private func bench(_ contacts: Int) throws -> (bench: Bench, venue: Int64) {
    let bench = try Bench()
    _ = try bench.phone("phone-1")
    let venue = try bench.store.number(of: bench.venue.venue, origin: bench.venue.place(east: 0, north: 0))
    try bench.store.change(
      contactsOf: venue, removed: [], added: (0..<contacts).map { contact(bench, $0) })
    return (bench, venue)
  }

  private func ask(_ bench: Bench, _ query: String) -> IngestResponse {
    bench.send("GET", "/v1/operator/contacts?venue=small-venue&reason=case%209&" + query, "", desk)
  }

  /// Identifies a contact in these tests.
  private func key(_ row: [String: Any]) -> String {
    ["start", "floor", "duration_s", "minimum_distance_m"].map { "\(row[$0] ?? "")" }.joined(separator: " ")
  }

  private func page(_ bench: Bench, _ query: String) throws -> (rows: [[String: Any]], next: String?) {
    let object = try ask(bench, query).object
    let next = object["next_after"] as? String
    #expect(object["is_complete"] as? Bool == (next == nil))
    return (try #require(object["contacts"] as? [[String: Any]]), next)
  }

  /// The pages are consecutive parts of the list; no page links to an empty one.
  @Test(arguments: [1, 7, 50, 99, 100, 101]) func pagesTogetherAreTheWholeList(size: Int) throws {
    let (bench, _) = try bench(100)
    let whole = try page(bench, "limit=1000")
    #expect(whole.rows.count == 100 && whole.next == nil)
    var (rows, after, pages): ([[String: Any]], String?, Int) = ([], nil, 0)
    repeat {
      let found = try page(bench, "limit=\(size)" + (after.map { "&after=\($0)" } ?? ""))
      rows += found.rows
      after = found.next
      pages += 1
    } while after != nil && pages <= 100
    #expect(rows as NSArray == whole.rows as NSArray)
    #expect(pages == (100 + size - 1) / size)
  }

  /// While contacts are added and removed before and behind the page, each contact that exists throughout is listed
  /// once.
  @Test func changesDoNotMovePages() throws {
    let (bench, venue) = try bench(60)
    let staying = Set(try page(bench, "limit=1000").rows.map(key))
    var (rows, after): ([[String: Any]], String?) = ([], nil)
    for step in 0..<20 {
      let found = try page(bench, "limit=10" + (after.map { "&after=\($0)" } ?? ""))
      rows += found.rows
      after = found.next
      guard after != nil else { break }
      // On another floor: a place in the order between the others, at the beginning, and at the end.
      let came = [0, step * 10 + 9, step * 10 + 10, 59].map {
        contact(bench, $0, minutes: 3, floor: Int32(1_000 + step))
      }
      try bench.store.change(contactsOf: venue, removed: [], added: came)
      // Removes the last contact of the page, and one ahead that the step before had added.
      try bench.store.change(
        contactsOf: venue, removed: step == 0 ? [] : [contact(bench, 59, minutes: 3, floor: Int32(999 + step))],
        added: [])
    }
    let told = rows.map(key)
    for key in staying { #expect(told.count { $0 == key } == 1, "\(key)") }
    #expect(Set(told).count == told.count, "no contact is listed twice")
  }

  /// A cursor is a position in the order: it stays valid when its contact is deleted.
  @Test func aPageContinuesAfterADeletedContact() throws {
    let (bench, venue) = try bench(20)
    let first = try page(bench, "limit=10")
    let rest = try page(bench, "limit=1000&after=\(try #require(first.next))").rows
    try bench.store.change(contactsOf: venue, removed: (0..<10).map { contact(bench, $0) }, added: [])
    #expect(try page(bench, "limit=1000&after=\(try #require(first.next))").rows as NSArray == rest as NSArray)
    #expect(rest.count == 10)
  }

  @Test func thePageBelongsToItsQuery() throws {
    let (bench, venue) = try bench(30)
    try bench.store.change(
      contactsOf: venue, removed: [], added: (0..<30).map { contact(bench, $0, minutes: 20, floor: 1_000) })
    // Two pages of the long contacts, with short ones between them.
    let first = try page(bench, "limit=20&minimum_duration_s=600")
    let second = try page(bench, "limit=20&minimum_duration_s=600&after=\(try #require(first.next))")
    #expect(first.rows.count == 20 && second.rows.count == 10 && second.next == nil)
    #expect((first.rows + second.rows).allSatisfy { $0["duration_s"] as? Double == 1_200 })
    for query in [
      "after=x", "after=1.2.3", "after=1.2.3.4.5", "after=1.2.3.99999999999", "limit=0", "limit=-1", "limit=100001",
      "limit=many",
    ] {
      let answer = ask(bench, query)
      #expect(answer.status == 400 && answer.code == "bad-parameter", "\(query)")
      #expect(try answer.string("field") == query.prefix { $0 != "=" })
    }
  }

  /// A table holds all contacts, and so does a list with `limit=all`, however many parts it takes.
  @Test func exportsAreComplete() throws {
    let count = 20_001
    let (bench, _) = try bench(count)
    let table = ask(bench, "format=csv")
    #expect(table.header("x-is-complete") == "true")
    var lines = table.text.components(separatedBy: "\r\n")
    #expect(lines.removeLast() == "")
    #expect(lines.count == count + 1)
    #expect(lines[0].hasPrefix("first,second,start,"))
    #expect(Set(lines).count == lines.count, "the header, and each contact, are there once")
    let list = try ask(bench, "limit=all").object
    let rows = try #require(list["contacts"] as? [[String: Any]])
    #expect(rows.count == count)
    #expect(list["is_complete"] as? Bool == true && list["next_after"] is NSNull)
    #expect(
      rows.map { $0["start"] as? String ?? "" }
        == lines.dropFirst().map { String($0.split(separator: ",", omittingEmptySubsequences: false)[2]) })
    // A page of a table names the cursor of the next page.
    let page = ask(bench, "format=csv&limit=40")
    #expect(page.text.components(separatedBy: "\r\n").count == 42)
    #expect(page.header("x-is-complete") == "false")
    let next = try #require(page.header("x-next-after"))
    #expect(ask(bench, "format=csv&limit=40&after=\(next)").text.components(separatedBy: "\r\n")[1] == lines[41])
    // An empty result is complete as well.
    let none = ask(bench, "limit=all&from=5&to=6")
    #expect(none.text == #"{"contacts":[],"next_after":null,"is_complete":true}"#)
    #expect(ask(bench, "format=csv&from=5&to=6").text.components(separatedBy: "\r\n").count == 2)
  }
}
