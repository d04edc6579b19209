import CordonCore
import Testing

@Suite struct TimestampTests {
  /// The same instant, as programs write it.
  @Test(arguments: [
    "2026-01-05T08:00:00Z", "2026-01-05t08:00:00z", "2026-01-05 08:00:00Z", "2026-01-05T08:00Z", "2026-01-05 08:00Z",
    "2026-01-05T09:00:00+01:00", "2026-01-05T09:00:00+0100", "2026-01-05T09:00:00+01", "2026-01-05 08:00:00+00",
    "2026-01-05T01:00:00-0700", "2026-01-05T01:00:00-07", "2026-01-05 08:00:00 UTC", "2026-01-05 08:00:00 GMT",
    "2026-01-05 08:00:00 +00:00", "2026-01-05T08:00:00.000000000Z", "2026-01-05 08:00:00.000000+00",
    "2026-01-05T08:00:00,000Z", "20260105T080000Z", "2026/01/05 08:00:00Z", "05.01.2026 08:00Z",
    " 2026-01-05 8:00:00Z\r\n",
    "2026-01-05T09:00:00+01:00[Europe/Berlin]",
  ])
  func allFormsOfAnInstantAreRead(text: String) throws {
    let found = try #require(Timestamp(text), "\(text)")
    #expect(found.instant.rfc3339 == "2026-01-05T08:00:00.000Z")
    #expect(found.hasZone && Instant(timestamp: text) == found.instant)
  }

  @Test(arguments: [
    ("2026-01-05T08:00:00", "2026-01-05T08:00:00.000Z"), ("2026-01-05 08:00", "2026-01-05T08:00:00.000Z"),
    ("2026-01-05 08:00:00.123456789", "2026-01-05T08:00:00.123Z"),
  ])
  func aTextWithoutAZoneIsMarked(text: String, expected: String) throws {
    let found = try #require(Timestamp(text))
    #expect(found.instant.rfc3339 == expected && !found.hasZone)
    #expect(Instant(timestamp: text) == nil)
  }

  /// A day without a time of day, and an ambiguous day, are not read.
  @Test(arguments: [
    "", "2026-01-05", "01/05/2026 08:00:00", "2026-02-30T08:00:00Z", "2026-13-01T08:00:00Z", "2026-01-05T24:00:00Z",
    "2026-01-05T08:60:00Z", "2026-01-05T08:00:00+25:00", "2026-01-05T08:00:00X", "2026-01-05T08:00:00Zulu",
    "2026-01-05T08:00:00.Z", "2026-01-05T08", "1767600000", "20260105080000", "soon", "2026-01-05T08:00:00+1",
    "2026-01-05T08:00:00Z 2026-01-05T08:00:00Z", "2026-01-05T08:00:60Z", "-2026-01-05T08:00:00Z",
  ])
  func invalidTextsAreNotTimes(text: String) { #expect(Timestamp(text) == nil) }

  /// Every text of the strict reader means the same to this one.
  @Test func timestampsReadRFC3339Identically() throws {
    var random = RandomStream(seed: 3, stream: 1)
    for _ in 0..<2_000 {
      let instant = Instant(milliseconds: Int64(random.nextUniform(in: -6e13...2e14)))
      let text = instant.rfc3339
      guard let strict = try? Instant(rfc3339: text) else { continue }
      #expect(Instant(timestamp: text) == strict, "\(text)")
      let offset = random.nextIndex(below: 24)
      let moved = (instant + .hours(Int64(offset))).rfc3339.dropLast() + "+\(offset < 10 ? "0" : "")\(offset)00"
      #expect(Instant(timestamp: String(moved)) == strict, "\(moved)")
    }
  }

  @Test(
    arguments: [
      (1_767_254_400, 1_767_254_400_000), (1_767_254_400.25, 1_767_254_400_250), (1_767_254_400_000, 1_767_254_400_000),
      (1_767_254_400_000_999, 1_767_254_400_000), (1_767_254_400_000_000_000, 1_767_254_400_000),
      (1_767_254_400_123_000_064, 1_767_254_400_123), (-1, -1_000), (0, 0),
    ] as [(Double, Int64)])
  func magnitudesDetermineTheUnit(number: Double, milliseconds: Int64) {
    #expect(Instant(epoch: number) == Instant(milliseconds: milliseconds))
  }

  @Test(arguments: [Double.nan, .infinity, 9.3e18, 9.3e13, -1e300])
  func numbersBeyondTheCalendarAreRefused(number: Double) { #expect(Instant(epoch: number) == nil) }

  @Test func leapSecondsAreAllowedAtTheEndOfADay() {
    #expect(Instant(timestamp: "2025-12-31T23:59:60Z")?.rfc3339 == "2026-01-01T00:00:00.000Z")
    #expect(Instant(timestamp: "2026-01-01T00:59:60+01:00")?.rfc3339 == "2026-01-01T00:00:00.000Z")
  }
}
