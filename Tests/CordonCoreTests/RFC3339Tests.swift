import Testing

@testable import CordonCore

@Suite("Dates and times of RFC 3339")
struct RFC3339Tests {
  static let pairs: [(String, Int64)] = [
    ("1970-01-01T00:00:00.000Z", 0),
    ("1969-12-31T23:59:59.999Z", -1),
    ("2000-02-29T12:00:00.000Z", 951_825_600_000),
    ("2038-01-19T03:14:07.000Z", 2_147_483_647_000),
    ("1900-03-01T00:00:00.000Z", -2_203_891_200_000),
    ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ]

  @Test(arguments: pairs) func writesAndReads(text: String, milliseconds: Int64) throws {
    #expect(Instant(milliseconds: milliseconds).rfc3339 == text)
    #expect(try Instant(rfc3339: text) == Instant(milliseconds: milliseconds))
  }

  @Test func readsOffsetsAndFractions() throws {
    let expected = try Instant(rfc3339: "1985-04-12T23:20:50.520Z")
    #expect(try Instant(rfc3339: "1985-04-12T23:20:50.52Z") == expected)
    #expect(try Instant(rfc3339: "1985-04-13t01:05:50.5209999+01:45") == expected)
    #expect(try Instant(rfc3339: "1985-04-12 15:20:50.52-08:00") == expected)
    #expect(try Instant(rfc3339: "1985-04-12T23:20:50.52-00:00") == expected)
  }

  @Test func readsLeapSecondsOnlyAtTheEndOfADay() throws {
    let next = try Instant(rfc3339: "1991-01-01T00:00:00Z")
    #expect(try Instant(rfc3339: "1990-12-31T23:59:60Z") == next)
    #expect(try Instant(rfc3339: "1990-12-31T15:59:60-08:00") == next)
    #expect(throws: RFC3339Error(.outOfRange, at: 17)) { try Instant(rfc3339: "1990-12-31T22:59:60Z") }
  }

  @Test(arguments: [
    ("", RFC3339Error(.malformed, at: 0)),
    ("2026-01-31", RFC3339Error(.malformed, at: 10)),
    ("2026-01-31T09:30Z", RFC3339Error(.malformed, at: 16)),
    ("2026-01-31T09:30:00", RFC3339Error(.malformed, at: 19)),
    ("2026-01-31T09:30:00.Z", RFC3339Error(.malformed, at: 20)),
    ("2026-1-31T09:30:00Z", RFC3339Error(.malformed, at: 6)),
    ("2026-13-01T09:30:00Z", RFC3339Error(.outOfRange, at: 5)),
    ("2026-02-29T09:30:00Z", RFC3339Error(.outOfRange, at: 8)),
    ("2100-02-29T09:30:00Z", RFC3339Error(.outOfRange, at: 8)),
    ("2026-01-31T24:00:00Z", RFC3339Error(.outOfRange, at: 11)),
    ("2026-01-31T09:30:00+24:00", RFC3339Error(.outOfRange, at: 20)),
    ("2026-01-31T09:30:00Z ", RFC3339Error(.trailingText, at: 20)),
    ("２026-01-31T09:30:00Z", RFC3339Error(.malformed, at: 0)),
  ])
  func errorsNameTheOffset(text: String, error: RFC3339Error) {
    #expect(throws: error) { try Instant(rfc3339: text) }
  }

  @Test func consecutiveDaysOfEightCenturiesAreConsecutive() {
    // Walks the calendar by its rules, and compares the arithmetic.
    var date = CivilDate(year: 1600, month: 1, day: 1)
    for number in date.daysSinceEpoch..<date.daysSinceEpoch + 292_194 {
      guard date.daysSinceEpoch == number, CivilDate(daysSinceEpoch: number) == date else {
        Issue.record("day \(number) is not \(date)")
        return
      }
      date.day += 1
      if date.day > CivilDate.daysInMonth(date.month, year: Int(date.year)) {
        date.day = 1
        date.month += 1
      }
      if date.month > 12 {
        date.month = 1
        date.year += 1
      }
    }
    #expect(date == CivilDate(year: 2400, month: 1, day: 1))
  }

  @Test func writesEveryInstantWithoutTrapping() {
    #expect(Instant(milliseconds: .max).rfc3339 == "+292278994-08-17T07:12:55.807Z")
    #expect(Instant(milliseconds: .min).rfc3339 == "-292275055-05-16T16:47:04.192Z")
    #expect(Instant(milliseconds: 253_402_300_800_000).rfc3339 == "+10000-01-01T00:00:00.000Z")
  }
}
