import Testing

@testable import CordonVenues

@Suite("Names that suggest a private space")
struct PrivateSpaceNamesTests {
  @Test(arguments: [
    "Quiet Room", "Multi-faith", "Multifaith Centre", "Meditation", "Chapel", "Mosque", "Gebetsraum", "Raum der Stille",
    "Salle de prière", "PRIÈRE", "Stilteruimte",
  ])
  func prayerRooms(name: String) { #expect(PrivateSpaceNames.suggestion(of: name) == .prayerRoom) }

  @Test(arguments: ["WC", "Herren-WC", "WC 2", "Men's Washroom", "Vestiaires", "Umkleide", "Lactation Room", "Showers"])
  func restrooms(name: String) { #expect(PrivateSpaceNames.suggestion(of: name) == .restroom) }

  @Test(arguments: ["Office 3", "Quiet Street", "Room 12", "Showroom", "Kitchen", "", "Chapelton Meeting"])
  func others(name: String) { #expect(PrivateSpaceNames.suggestion(of: name) == nil) }
}
