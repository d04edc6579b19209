import CordonCore
import CordonForms
import CordonSupport
import Testing

@Suite("Records of forms")
struct FormRecordTests {
  private static func id(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  private static func revision(
    _ answers: JSONValue?, record: Int = 1, parents: [FormRevision] = [], device: String = "d1", minute: Int64 = 0
  ) -> FormRevision {
    FormRevision(
      record: id(record), form: "f", version: 1, parents: parents.map(\.id), device: device,
      time: Instant(milliseconds: 1_768_204_800_000 + minute * 60_000), answers: answers)
  }

  @Test func aRevisionCannotBeChangedInSecret() throws {
    let one = Self.revision(["a": 1])
    #expect(try FormRevision(json: one.json) == one)
    for (key, value) in [("answers", ["a": 2]), ("device", "d2"), ("time", "2026-01-12T08:00:01.000Z")]
      as [(String, JSONValue)]
    {
      let error = #expect(throws: FormError.self) { try FormRevision(json: one.json.with(key, value)) }
      #expect(error?.path == "id")
    }
    for (key, value) in [("record", "x"), ("parents", ["y"]), ("time", "now"), ("version", 0)] as [(String, JSONValue)]
    {
      let error = #expect(throws: FormError.self) { try FormRevision(json: one.json.with(key, value)) }
      #expect(error?.path == key)
    }
  }

  @Test func addingTwiceChangesNothing() {
    var records = FormRecords()
    let one = Self.revision(["a": 1])
    #expect(records.add(one) == .stored && records.add(one) == .known && records.identifiers == [one.id])
    let other = FormRevision(
      record: one.record, form: "g", version: 1, parents: [], device: "d", time: one.time, answers: [:])
    #expect(records.add(other) == .otherForm)
  }

  @Test func changesOnTwoDevicesAreAConflictThatAPersonSolves() throws {
    var records = FormRecords()
    let first = Self.revision(["a": 1, "b": "x", "c": true])
    let left = Self.revision(["a": 2, "b": "x", "c": true], parents: [first], device: "d1", minute: 5)
    let right = Self.revision(["a": 3, "b": "y", "c": true], parents: [first], device: "d2", minute: 3)
    for one in [right, first, left] { #expect(records.add(one) == .stored) }
    #expect(records.heads(of: first.record) == [right, left] && records.conflicts == [first.record])
    #expect(records.history(of: first.record).first == first)
    let conflict = try #require(FormConflict(records, record: first.record))
    #expect(conflict.fields.map(\.name) == ["a", "b"])
    // Both changed a; only the right one changed b.
    #expect(conflict.fields[0].suggestion == nil && conflict.fields[1].suggestion == 0)
    let joined = Self.revision(["a": 2, "b": "y", "c": true], parents: [left, right], minute: 9)
    #expect(records.add(joined) == .stored)
    #expect(records.conflicts.isEmpty && FormConflict(records, record: first.record) == nil)
  }

  /// Devices that were offline, and then exchange in any order, end with the same records.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8]) func copiesConverge(seed: UInt64) {
    var random = RandomStream(seed: seed, stream: 1, entity: 1)
    var copies = Array(repeating: FormRecords(), count: 4)
    for step in 0..<200 {
      let device = random.nextIndex(below: 4)
      switch random.nextIndex(below: 10) {
      case 0: copies[device].merge(copies[random.nextIndex(below: 4)])
      case 1:
        let known = copies[device].records
        if !known.isEmpty, random.nextUnit() < 0.3 { copies[device].erase(known[random.nextIndex(below: known.count)]) }
      default:
        let record = random.nextIndex(below: 12)
        let heads = copies[device].heads(of: Self.id(record))
        let answers: JSONValue? = random.nextUnit() < 0.1 ? nil : ["n": .integer(Int64(step))]
        _ = copies[device].add(
          Self.revision(answers, record: record, parents: heads, device: "d\(device)", minute: Int64(step)))
      }
    }
    // Every copy hears of every other one, directly or through another.
    for _ in 0..<3 { for from in 0..<4 { for to in 0..<4 { copies[to].merge(copies[from]) } } }
    #expect(copies.allSatisfy { $0 == copies[0] }, "seed \(seed)")
    #expect(!copies[0].records.isEmpty && copies[0].records.allSatisfy { !copies[0].erased.contains($0) })
    // Nothing that one device knew is missing, and no erased record came back.
    var late = FormRecords()
    for revision in copies[0].missing(in: []) { #expect(late.add(revision) == .stored) }
    #expect(late.identifiers == copies[0].identifiers)
  }

  @Test func erasedRecordsDoNotComeBack() {
    var (one, other) = (FormRecords(), FormRecords())
    let revision = Self.revision(["a": 1])
    _ = one.add(revision)
    other.merge(one)
    one.erase(revision.record)
    #expect(one.add(revision) == .erased && one.identifiers.isEmpty)
    other.merge(one)
    #expect(other.records.isEmpty && other.erased == [revision.record])
  }
}
