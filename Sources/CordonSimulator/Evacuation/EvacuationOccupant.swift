import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// A person inside at the start of an evacuation.
struct EvacuationOccupant: Hashable, Sendable {
  /// Index in ``EvacuationOccupants/populations``.
  var population: Int
  /// Free speed on level ground, in metres per second.
  var freeSpeed: Double
  /// Index of the floor.
  var floor: Int
  /// The position in the frame of the plan, in metres.
  var point: PlanePoint
  /// The identifier of the entrance by which the person came.
  var cameBy: String?
  /// The number of the person's group; `nil` for a person alone.
  var group: Int?
}

/// The people inside at the start of an evacuation.
struct EvacuationOccupants: Sendable {
  var people: [EvacuationOccupant] = []
  /// The names of the populations.
  var populations: [String]
  /// Remarks for the reader, one sentence each.
  var remarks: [String] = []

  /// Minimum distance between the centres of two people at the start, in metres.
  private static let distance = 0.42
  /// Maximum distance by which a person is moved to make room, in metres, and the spacing of the tried points.
  private static let reach = 4.0
  private static let spacing = 0.25

  /// Moves people who would stand in each other, as models without bodies leave them, to free points nearby.
  mutating func separate(in world: World) {
    var taken = world.plan.floors.indices.map { _ in SpotGrid(side: Self.distance) }
    let steps = Int(Self.reach / Self.spacing)
    var offsets: [(squared: Int, x: Int, y: Int)] = []
    for x in -steps...steps { for y in -steps...steps { offsets.append((x * x + y * y, x, y)) } }
    offsets.sort { ($0.squared, $0.x, $0.y) < ($1.squared, $1.x, $1.y) }
    var crowded = 0
    for index in people.indices {
      let (floor, point) = (people[index].floor, people[index].point)
      let raster = world.routes.navigation.floors[floor]
      let free = offsets.lazy.map {
        PlanePoint(x: point.x + Double($0.x) * Self.spacing, y: point.y + Double($0.y) * Self.spacing)
      }.first { candidate in
        guard !taken[floor].hasPoint(near: candidate, within: Self.distance) else { return false }
        if candidate == point { return true }
        guard let cell = raster.cell(at: candidate), raster.isWalkable(cell) else { return false }
        return !raster.barriers.isCrossed(from: point, to: candidate)
          && raster.barriers.distance(to: candidate, limit: 1) >= 0.2
      }
      if free == nil { crowded += 1 }
      people[index].point = free ?? point
      taken[floor].add(people[index].point)
    }
    if crowded > 0 {
      remarks.append("\(crowded) people start closer than \(Self.distance) m to others, because there is no room")
    }
  }
}

extension World {
  /// Returns the floor of a position by its ordinal: of several floors, the one with the nearest walkable cell.
  func floor(of ordinal: FloorOrdinal, near point: PlanePoint) -> Int? {
    let candidates = plan.floors.indices.filter { plan.floors[$0].ordinal == ordinal }
    guard candidates.count > 1 else { return candidates.first }
    func gap(_ floor: Int) -> Double {
      let place = routes.navigation.place(near: point, floor: floor, within: 3)
      return place.map { PlaneSegment(routes.navigation.center(of: $0), point).length } ?? .infinity
    }
    return candidates.min { (gap($0), $0) < (gap($1), $1) }
  }
}
