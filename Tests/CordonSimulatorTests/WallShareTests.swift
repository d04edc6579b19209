import CordonContacts
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonRun
@testable import CordonSimulator

@Suite("Walls between contacts")
struct WallShareTests {
  @Test func everyContactHasAWallShare() throws {
    let venue = try VenueGenerator.generate(kind: .office, floors: 2, area: 900, seed: 4)
    let scenario = Scenario(visitors: 80, duration: .minutes(40), seed: 7)
    let contents = try VenueSimulation(venue: venue, scenario: scenario).run(store: .memory(MemoryStore()))
    let walls = contents.venue.wallIndexes
    var kinds = (hidden: 0, open: 0, partly: 0)
    var strange = 0
    for row in contents.contacts {
      let contact = row.contact
      guard contact.floor != Segment.unknownFloor else {
        #expect(row.wallShare == nil)
        continue
      }
      let index = try #require(walls[contact.floor])
      let share = try #require(row.wallShare)
      let (dx, dy) = (Double(contact.separationX) / 2, Double(contact.separationY) / 2)
      // The positions at the closest approach.
      let isBlocked = index.isBlocked(
        from: PlanePoint(x: contact.x - dx, y: contact.y - dy), to: PlanePoint(x: contact.x + dx, y: contact.y + dy))
      if contact.duration > 0, contact.minimumDistance > 1e-3, share == (isBlocked ? 0 : 1) { strange += 1 }
      kinds.hidden += share == 1 ? 1 : 0
      kinds.open += share == 0 ? 1 : 0
      kinds.partly += share > 0 && share < 1 ? 1 : 0
    }
    #expect(kinds.hidden > 0 && kinds.open > 0 && kinds.partly > 0, "\(kinds)")
    #expect(contents.contacts.contains { $0.source == .observed })
    // At the very end of a wall, the result depends on rounding.
    #expect(strange * 200 <= contents.contacts.count, "\(strange) of \(contents.contacts.count)")
  }
}
