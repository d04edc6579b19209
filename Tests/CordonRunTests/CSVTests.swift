import CordonContacts
import CordonCore
import Testing

@testable import CordonRun

@Suite("Tables for spreadsheets")
struct CSVTests {
  @Test func aContactAndAnOccupancyRowReadAsDocumented() throws {
    var contents = SampleRun(people: 2).contents
    contents.venue.spaces[1].name = "Lab, \"wet\" room"
    contents.people[0].device = nil
    contents.people[1].device = DeviceID("=cmd|' /C calc'!A0")
    contents.contacts = [
      RunContact(
        source: .truth,
        contact: Contact(
          first: 0, second: 1, floor: 500, start: 1_767_600_000_123_456, end: 1_767_600_060_000_001,
          minimumDistance: 0.75, minimumDistanceTime: 1_767_600_001_000_000, x: 0, y: 0),
        firstSpace: 1, secondSpace: ObservedLocation.noSpace, wallShare: 0.25),
      RunContact(
        source: .observed,
        contact: Contact(
          first: 0, second: 1, floor: Segment.unknownFloor, start: -1, end: -1, minimumDistance: 0,
          minimumDistanceTime: -1, x: 0, y: 0)),
    ]
    contents.occupancy = [
      RunOccupancy(source: .observed, floor: -1_000, space: 1, binStart: 1_767_600_000_000, mean: 2.5, peak: 4),
      RunOccupancy(
        source: .truth, floor: 0, space: ObservedLocation.noSpace, binStart: 1_767_600_300_000, mean: 0.00004, peak: 1),
    ]
    #expect(
      try text { try ContactsCSV.write(contents, to: $0) } == """
        \(ContactsCSV.header.joined(separator: ","))
        truth,0,,1,'=cmd|' /C calc'!A0,0.5,f0-r0,"Lab, ""wet"" room",,,2026-01-05T08:00:00.123Z,\
        2026-01-05T08:01:00.000Z,59.876545,0.75,2026-01-05T08:00:01.000Z,-80.53578,43.48293,0.25
        observed,0,,1,'=cmd|' /C calc'!A0,,,,,,1969-12-31T23:59:59.999Z,1969-12-31T23:59:59.999Z,0,0,\
        1969-12-31T23:59:59.999Z,-80.53578,43.48293,

        """)
    #expect(
      try text { try OccupancyCSV.write(contents, to: $0) } == """
        source,floor,space,space_name,space_kind,area_m2,start,end,mean_count,peak_count,floor_name,\
        start_local,end_local
        observed,-1,f0-r0,"Lab, ""wet"" room",classroom,127.5,2026-01-05T08:00:00.000Z,2026-01-05T08:05:00.000Z,2.5,4,,\
        2026-01-05 03:00:00,2026-01-05 03:05:00
        truth,0,,,,,2026-01-05T08:05:00.000Z,2026-01-05T08:10:00.000Z,0,1,Ground floor,\
        2026-01-05 03:05:00,2026-01-05 03:10:00

        """)
  }

  @Test(arguments: [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("two\nlines", "\"two\nlines\""), ("say \"x\"", "\"say \"\"x\"\"\""),
    ("=1+1", "'=1+1"), ("+1", "+1"), ("-1", "-1"), ("-a", "'-a"), ("@x", "'@x"), ("\tx", "'\tx"), ("\r=x", "\"'\r=x\""),
    ("=a,b", "\"'=a,b\""), ("'=a", "''=a"), ("a;b", "\"a;b\""), ("\n=x", "\"'\n=x\""), ("|x", "'|x"), ("%x", "'%x"),
    ("a=b", "a=b"), ("", ""), ("Straße 1", "Straße 1"),
  ])
  func textIsQuotedAndNeverAFormula(text: String, cell: String) throws {
    let written = try self.text { sink in
      var csv = try CSVWriter(header: ["x"], sink: sink)
      csv.cell(text: text)
      try csv.endRow()
      try csv.finish()
    }
    #expect(written == "x\n\(cell)\n")
  }

  @Test func manyRowsAreWrittenCompletelyAndInOrder() throws {
    let written = try text { sink in
      var csv = try CSVWriter(header: ["n"], sink: sink)
      for number in 0..<300_000 {
        csv.cell(integer: Int64(number))
        try csv.endRow()
      }
      try csv.finish()
    }
    let lines = written.utf8.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 300_001)
    #expect(lines[300_000].elementsEqual("299999".utf8))
  }

  @Test(arguments: [
    (0.0, 3, "0"), (1.5, 3, "1.5"), (-0.0004, 3, "0"), (-0.0006, 3, "-0.001"), (12.3456, 2, "12.35"), (100, 2, "100"),
    (-80.535_78, 8, "-80.53578"), (.nan, 2, ""), (.infinity, 2, ""), (1e300, 2, ""),
  ])
  func numbersHaveNoTrailingDigits(value: Double, places: Int, text: String) {
    var bytes: [UInt8] = []
    bytes.append(value, places: places)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }

  private func text(_ body: (@escaping ([UInt8]) throws -> Void) throws -> Void) throws -> String {
    var bytes: [UInt8] = []
    try body { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
