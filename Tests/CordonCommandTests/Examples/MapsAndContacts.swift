import CordonContacts
import CordonVenues

func mapsAndContacts() throws {
  let venue = try VenueLoader.load(path: "venues/office.mvf.zip").venue
  let gate = PackedVenueGate(try venue.packed())
  let here = gate.judge(Coordinate(longitude: 11.58040, latitude: 48.14018), floor: FloorOrdinal(0))
  print(here.isInside, here.recording, here.space?.rawValue ?? "no space")

  let a = Segment(device: 0, floor: 0, start: 0, end: 60_000, x0: 0, y0: 0, x1: 0, y1: 0)
  let b = Segment(device: 1, floor: 0, start: 0, end: 60_000, x0: -30, y0: 1, x1: 30, y1: 1)
  for contact in ContactFinder(distance: 2).contacts(in: [a, b]) { print(contact.duration, contact.minimumDistance) }
}
