import CordonCore
import CordonGeometry
import CordonVenueTools
import CordonVenues

/// A venue of the demo: a generated map with a name, a time zone and capacities, as an overlay would add them.
struct DemoVenue: Sendable {
  let map: Venue
  let packed: PackedVenue

  /// The time zone of both venues.
  static let timeZone = "Europe/Berlin"

  /// Returns an office and a hospital.
  static func all(seed: UInt64) throws -> [DemoVenue] {
    [
      try DemoVenue(.office, "Office Nordufer", floors: 3, area: 1_200, seed: seed),
      try DemoVenue(
        .hospital, "Klinik am Park", floors: 2, area: 1_600, seed: seed,
        origin: Coordinate(longitude: 13.34, latitude: 52.54)),
    ]
  }

  private init(
    _ kind: VenueGenerator.Kind, _ name: String, floors: Int, area: Double, seed: UInt64,
    origin: Coordinate = VenueGenerator.defaultOrigin
  ) throws {
    var map = try VenueGenerator.generate(kind: kind, floors: floors, area: area, seed: seed, origin: origin)
    map.name = LocalizedText(name)
    map.timeZone = DemoVenue.timeZone
    let packed = try map.packed()
    for index in map.spaces.indices {
      let space = map.spaces[index]
      guard let area = DemoVenue.areaOfPlace(space.kind) else { continue }
      map.spaces[index].capacity = max(1, Int(space.outline.area(in: packed.frame) / area))
    }
    self.map = map
    self.packed = packed
  }

  /// The rooms that devices go to, and the ways between them.
  func ways() throws -> DemoWays {
    try DemoWays(map, visited: Set(packed.spaces.lazy.filter { $0.recording == .full }.map(\.id)))
  }

  /// The square metres of one place in a space of a kind; `nil` for kinds without places.
  private static func areaOfPlace(_ kind: SpaceKind) -> Double? {
    switch kind {
    case .meetingRoom, .auditorium, .classroom, .waitingArea: 3
    case .restaurant, .kitchen, .lobby: 4
    case .office, .room, .library: 8
    case .medical, .ward, .laboratory: 10
    default: nil
    }
  }
}
