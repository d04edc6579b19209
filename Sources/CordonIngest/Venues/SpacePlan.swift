internal import CordonContacts
internal import CordonCore
internal import CordonGeometry

/// The spaces of a venue in which devices are counted: those of which everything is recorded.
struct SpacePlan: Sendable {
  /// Finds the space at a place.
  let spaces: FloorSpaces
  /// The spaces, by the locator's index.
  let identifiers: [SpaceID]
  /// The floor of each, by the locator's index.
  let floors: [FloorOrdinal]
  /// Square metres of each space.
  let areas: [SpaceID: Double]

  init(_ venue: PackedVenue, frame: LocalFrame) {
    let ordinals = Dictionary(venue.floors.map { ($0.id, $0.ordinal) }) { first, _ in first }
    var spaces = FloorSpaces()
    var identifiers: [SpaceID] = []
    var floors: [FloorOrdinal] = []
    for ordinal in Set(venue.floors.map(\.ordinal)).sorted() {
      let here = venue.spaces.filter { ordinals[$0.floor] == ordinal && $0.recording == .full }
      spaces.add(SpaceIndex(here.map(\.outline), frame: frame), floor: ordinal.thousandths)
      identifiers.append(contentsOf: here.map(\.id))
      floors.append(contentsOf: here.map { _ in ordinal })
    }
    areas = Dictionary(venue.spaces.map { ($0.id, $0.outline.area(in: frame)) }) { first, _ in first }
    self.spaces = spaces
    self.identifiers = identifiers
    self.floors = floors
  }
}
