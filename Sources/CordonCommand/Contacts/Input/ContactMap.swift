import CordonContacts
import CordonCore
import CordonGeometry
import CordonRun
import CordonVenues

/// The spaces and walls of a venue in one frame.
struct ContactMap {
  let frame: LocalFrame
  let spaces: MapSpaces
  /// For each space its identifier and name.
  let names: [(id: String, name: String)]
  /// By `FloorOrdinal.thousandths`.
  let walls: [Int32: WallIndex]
  /// The ordinals of floors by identifier or name in lower case.
  private(set) var floorOrdinals: [String: FloorOrdinal] = [:]

  /// The map of a venue.
  /// - Parameter frame: the frame to use; `nil` for the map's own.
  init(_ venue: Venue, frame: LocalFrame? = nil) throws {
    let plan = try VenueRoutes(venue).routes.plan
    let frame = frame ?? plan.frame
    self.frame = frame
    floorOrdinals = venue.floorOrdinals
    var ordinals: [FloorID: Int32] = [:]
    for floor in venue.floors { ordinals[floor.id] = floor.ordinal.thousandths }
    var spaces = MapSpaces()
    var names: [(String, String)] = []
    for space in venue.spaces {
      guard let floor = ordinals[space.floor] else { continue }
      let rings = space.outline.polygons.flatMap(\.rings).map { ring in ring.map { frame.project($0) } }
      spaces.add(floor: floor, rings: rings)
      names.append((space.id.rawValue, space.name.text() ?? ""))
    }
    var walls: [Int32: [WallSegment]] = [:]
    for floor in plan.floors {
      guard let ordinal = ordinals[floor.id] else { continue }
      walls[ordinal, default: []] += floor.walls.map { wall in
        WallSegment(frame.project(plan.frame.unproject(wall.a)), frame.project(plan.frame.unproject(wall.b)))
      }
    }
    self.spaces = spaces
    self.names = names
    self.walls = walls.mapValues { WallIndex($0) }
  }

  /// The map that a run brings.
  init(_ venue: RunVenue, _ frame: LocalFrame) {
    self.frame = frame
    var spaces = MapSpaces()
    for space in venue.spaces { spaces.add(floor: venue.floors[space.floor].ordinal.thousandths, rings: space.rings) }
    self.spaces = spaces
    names = venue.spaces.map { ($0.id.rawValue, $0.name) }
    walls = venue.wallIndexes
  }
}

/// Spaces as rings in a plane; of overlapping ones the smallest wins, then the first.
struct MapSpaces: SpaceLocator {
  private struct Outline {
    var space: Int
    var area: Double
    var rings: [[PlanePoint]]
    var low: PlanePoint
    var high: PlanePoint
  }

  private var floors: [Int32: [Outline]] = [:]
  private(set) var spaceCount = 0

  mutating func add(floor: Int32, rings: [[PlanePoint]]) {
    let points = rings.joined()
    let low = PlanePoint(x: points.map(\.x).min() ?? 0, y: points.map(\.y).min() ?? 0)
    let high = PlanePoint(x: points.map(\.x).max() ?? -1, y: points.map(\.y).max() ?? -1)
    let outline = Outline(
      space: spaceCount, area: rings.map { abs(PlaneRing.signedArea($0)) }.max() ?? 0, rings: rings, low: low,
      high: high)
    var list = floors[floor] ?? []
    let place = list.firstIndex { $0.area > outline.area } ?? list.count
    list.insert(outline, at: place)
    floors[floor] = list
    spaceCount += 1
  }

  func space(floor: Int32, x: Double, y: Double) -> Int? {
    let point = PlanePoint(x: x, y: y)
    for outline in floors[floor] ?? [] {
      guard x >= outline.low.x, x <= outline.high.x, y >= outline.low.y, y <= outline.high.y else { continue }
      var isInside = false
      for ring in outline.rings where PlaneRing.isCrossedOddly(ring, from: point) { isInside.toggle() }
      if isInside { return outline.space }
    }
    return nil
  }
}
