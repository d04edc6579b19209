import CordonCore
import Testing

@Suite("Identifiers")
struct IdentifierTests {
  @Test(arguments: ["a", "phone 1", "\u{1F4F1}", String(repeating: "x", count: 128)])
  func printableTextIsADeviceName(text: String) {
    #expect(DeviceID(text)?.rawValue == text)
  }

  @Test(arguments: ["", "a\nb", "\u{0}", "\u{200E}", "a\u{2028}", String(repeating: "x", count: 129)])
  func unprintableTextIsNotADeviceName(text: String) {
    #expect(DeviceID(text) == nil)
  }

  @Test(arguments: [("410-albert", true), ("A.b_C-1", true), ("", false), ("a b", false), ("é", false), ("a/b", false)])
  func venueNamesAreSlugs(text: String, isValid: Bool) {
    #expect((VenueID(text) != nil) == isValid)
  }

  @Test(arguments: [
    ("Gare de l'Est", "gare-de-l-est"), ("  Multi-floor School Demo ", "multi-floor-school-demo"), ("???", nil),
    ("", nil),
    (String(repeating: "ab ", count: 100), String(repeating: "ab-", count: 42) + "ab"),
  ])
  func namesBecomeSlugs(name: String, slug: String?) {
    #expect(VenueID(slugging: name)?.rawValue == slug)
  }

  @Test func ordinalsKeepHalvesAndRefuseInvalidNumbers() {
    #expect(FloorOrdinal(0.5)?.description == "0.5")
    #expect(FloorOrdinal(-2).description == "-2")
    #expect(FloorOrdinal(1.0) == FloorOrdinal(1))
    #expect(FloorOrdinal(.nan) == nil)
    #expect(FloorOrdinal(.infinity) == nil)
    #expect(FloorOrdinal(Int.max) > FloorOrdinal(Int.min))
  }
}
