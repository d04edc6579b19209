import Testing

@testable import CordonServer

@Suite("The time in answers")
struct DateFieldTests {
  @Test(
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
      (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ] as [(Int64, String)]) func datesHaveTheFormatOfHTTP(second: Int64, text: String)
  {
    let date = DateField()
    #expect(date.text(at: second) == text)
    #expect(date.text(at: second) == text)
    #expect(date.text(at: second + 1) != text)
  }
}
