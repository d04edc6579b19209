import CordonContacts
import CordonCore
import CordonGeometry
import CordonNavigation
import CordonRun
import CordonVenues

/// The floors and spaces as a run folder numbers and draws them, in the frame of the truth.
package struct RunPlaces: Sendable {
  /// The venue of the run folder.
  private(set) var venue: RunVenue
  private let numbers: [SpaceID: Int32]
  /// The spatial index of each floor ordinal, with the number of each of its spaces.
  private let indexes: [Int32: (index: SpaceIndex, numbers: [Int32])]

  /// Creates the places of a run.
  /// - Parameters:
  ///   - venue: the map.
  ///   - plan: its plan.
  ///   - entrances: the entrances in the order of their numbers.
  ///   - groups: the groups of spaces.
  init(venue: Venue, plan: VenuePlan, entrances: [PlanEntrance] = [], groups: [ResolvedGroup] = []) {
    let frame = plan.frame
    func rings(_ area: GeoMultiPolygon?) -> [[PlanePoint]] {
      (area?.polygons ?? []).flatMap { $0.rings.map { $0.map { frame.projectRounded($0) } } }
    }
    var floors: [RunFloor] = []
    var floorNumbers: [FloorID: Int] = [:]
    for floor in venue.floors {
      let planned = plan.floorIndex(floor.id)
      floorNumbers[floor.id] = floors.count
      let outline = rings(floor.outline)
      floors.append(
        RunFloor(
          id: floor.id, ordinal: floor.ordinal,
          name: floor.name.text() ?? floor.shortName.text() ?? "Floor \(floor.ordinal)",
          outline: outline.isEmpty ? planned.map { plan.floors[$0].walkable.areas.flatMap(\.rings) } ?? [] : outline,
          walls: planned.map { plan.floors[$0].walls.map { [$0.a, $0.b] } } ?? [],
          doors: plan.doors.filter { $0.floor == planned }.map { [$0.line.a, $0.line.b] }))
    }
    var spaces: [RunSpace] = []
    var numbers: [SpaceID: Int32] = [:]
    var members: [Int32: (outlines: [GeoMultiPolygon], numbers: [Int32])] = [:]
    for space in venue.spaces {
      guard let floor = floorNumbers[space.floor] else { continue }
      let number = Int32(spaces.count)
      numbers[space.id] = number
      members[venue.floors[floor].ordinal.thousandths, default: ([], [])].outlines.append(space.outline)
      members[venue.floors[floor].ordinal.thousandths, default: ([], [])].numbers.append(number)
      spaces.append(
        RunSpace(
          id: space.id, floor: floor, kind: space.kind.rawValue, name: space.name.text() ?? "",
          rings: rings(space.outline)))
    }
    self.numbers = numbers
    indexes = members.mapValues { (SpaceIndex($0.outlines, frame: frame), $0.numbers) }
    self.venue = RunVenue(
      id: venue.id, name: venue.name.text() ?? venue.id.rawValue, format: venue.format.rawValue,
      contentHash: venue.contentHash, timeZone: venue.timeZone, floors: floors, spaces: spaces)
    self.venue.groups = groups.map { group in
      RunGroup(name: group.name, spaces: group.spaces.compactMap { numbers[$0] }.sorted(), capacity: group.capacity)
    }
    self.venue.openings = openings(of: plan, entrances: entrances)
  }

  /// Returns the floor of a space, as `FloorOrdinal.thousandths`.
  func floor(ofSpace number: Int) -> Int32 { venue.floors[venue.spaces[number].floor].ordinal.thousandths }

  /// Returns the number of a space, or `ObservedLocation.noSpace` for an unknown space.
  func number(of space: SpaceID?) -> Int32 {
    space.flatMap { numbers[$0] } ?? ObservedLocation.noSpace
  }

  /// Returns the floor and the number of the space of a place of occupancy; ``ObservedLocation/noSpace`` for a floor.
  func location(of place: Occupancy.Place) -> (floor: Int32, space: Int32) {
    switch place {
    case .floor(let floor): (floor, ObservedLocation.noSpace)
    case .space(let number): (floor(ofSpace: number), Int32(number))
    }
  }
}

extension RunPlaces: SpaceLocator {
  package var spaceCount: Int { venue.spaces.count }

  package func space(floor: Int32, x: Double, y: Double) -> Int? {
    guard let (index, numbers) = indexes[floor] else { return nil }
    return index.space(at: PlanePoint(x: x, y: y)).map { Int(numbers[$0]) }
  }
}
