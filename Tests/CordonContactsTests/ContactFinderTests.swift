import CordonContacts
import Testing

@Suite struct ContactFinderTests {
  @Test func twoWhoPassAreInContactWhileWithinTheDistance() {
    let walking = Segment(device: 1, floor: 0, start: 0, end: 10_000, x0: -5, y0: 0, x1: 5, y1: 0)
    let standing = Segment(device: 0, floor: 0, start: 0, end: 10_000, x0: 0, y0: 1, x1: 0, y1: 1)
    let contacts = ContactFinder(distance: 2).contacts(in: [walking, standing])
    #expect(contacts.count == 1)
    #expect(contacts.first?.start == 3_267_949)
    #expect(contacts.first?.end == 6_732_051)
    #expect(contacts.first?.minimumDistance == 1)
    #expect(contacts.first?.minimumDistanceTime == 5_000_000)
    #expect(contacts.first?.x == 0)
    #expect(contacts.first?.y == 0.5)
  }
}
