import CordonContacts
import CordonCore
import CordonGeometry
import CordonTestSupport
import CordonVenues
import Foundation
import Testing

@Suite("The readme")
struct ReadmeTests {
  /// The readme's Swift example as it is. It names a venue from the root of a checkout, which is where tests run.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "venues/office.mvf.zip")))
  func theExampleRuns() throws { try mapsAndContacts() }

  /// The same calls, with what they give.
  @Test func theExampleGivesTheDocumentedResults() throws {
    let venue = try VenueLoader.load(path: Places.office).venue
    let gate = PackedVenueGate(try venue.packed())
    let here = gate.judge(Coordinate(longitude: 11.58040, latitude: 48.14018), floor: FloorOrdinal(0))
    #expect(here.isInside)
    #expect(here.space != nil)

    let a = Segment(device: 0, floor: 0, start: 0, end: 60_000, x0: 0, y0: 0, x1: 0, y1: 0)
    let b = Segment(device: 1, floor: 0, start: 0, end: 60_000, x0: -30, y0: 1, x1: 30, y1: 1)
    let contacts = ContactFinder(distance: 2).contacts(in: [a, b])
    #expect(contacts.count == 1)
    #expect(abs(Double(contacts[0].duration) / 1e6 - 2 * 3.0.squareRoot()) < 1e-5)
    #expect(abs(contacts[0].minimumDistance - 1) < 1e-9)
  }
}
