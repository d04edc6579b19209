import CordonCore
import Testing

@Suite("Instants and spans")
struct TimeTests {
  @Test(
    arguments: [
      ("50ms", 50), ("5s", 5_000), ("2h", 7_200_000), ("1.5h", 5_400_000), ("1h30m", 5_400_000), ("90min", 5_400_000),
      ("2d", 172_800_000), ("-5s", -5_000), ("0s", 0), ("5", 5_000), ("1.5", 1_500), ("-90", -90_000), ("0", 0),
    ] as [(String, Int64)])
  func durationsRead(text: String, milliseconds: Int64) {
    #expect(TimeSpan(parsing: text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "h", "2 h", "1h30", "5 ", "-", "2x", "30m1h", "1h1h", ".5h", "5.h", "1e3s", "--2h", "2h-", "99999999999999d",
  ])
  func invalidDurationsAreRefused(text: String) {
    #expect(TimeSpan(parsing: text) == nil)
  }

  @Test(arguments: [0, 1, 999, 1_000, 61_001, 7_200_000, 90_061_001, -5_000] as [Int64])
  func descriptionReadsBack(milliseconds: Int64) {
    let span = TimeSpan(milliseconds: milliseconds)
    #expect(TimeSpan(parsing: span.description) == span)
  }

  @Test func arithmeticSaturates() {
    let last = Instant(milliseconds: .max)
    let first = Instant(milliseconds: .min)
    #expect(last + .seconds(1) == last)
    #expect(first - .seconds(1) == first)
    #expect((last - first).milliseconds == .max)
    #expect((first - last).milliseconds == .min)
    #expect(TimeSpan.days(.max).milliseconds == .max)
    #expect(TimeSpan.days(.min).milliseconds == .min)
  }

  @Test func bucketsKeepTheirWidthAcrossTheEpoch() {
    let minute = TimeSpan.minutes(1)
    #expect(Instant(milliseconds: -1).bucket(of: minute) == -1)
    #expect(Instant(milliseconds: -60_000).bucket(of: minute) == -1)
    #expect(Instant(milliseconds: -60_001).bucket(of: minute) == -2)
    #expect(Instant(milliseconds: 59_999).bucket(of: minute) == 0)
    #expect(Instant(milliseconds: 5).bucket(of: .zero) == 0)
  }
}
