import CordonCore
import Testing

@Suite("Dates of HTTP headers") struct HTTPDateTests {
  @Test func areReadAsTheyAreWritten() {
    var random = RandomStream(seed: 3, stream: 1)
    for _ in 0..<500 {
      // The years 1 to 9999.
      let second = Int64.random(in: -62_135_596_800...253_402_300_799, using: &random)
      #expect(HTTPDate.parse(HTTPDate.text(at: second)) == Instant(milliseconds: second * 1_000))
    }
    #expect(HTTPDate.text(at: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    for text in ["", "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 32 Nov 1994 08:49:37 GMT"]
    {
      #expect(HTTPDate.parse(text) == nil)
    }
  }
}
