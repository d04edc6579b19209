import CordonCore
import CordonGeometry
import CordonVenues

/// Draws buildings with known defects: two wings of rooms along a corridor on each floor, stairs at its end.
struct DefectiveMap {
  /// A defect of the maps that vendors deliver.
  enum Defect: String, CaseIterable {
    /// Some rooms have no door.
    case missingDoors
    /// No room has a door, and the corridor is not drawn as a space, as in malls.
    case shopsOnOutline
    /// The east wing has no door to the west wing, and no entrance.
    case island
    /// The east wing has no door to the west wing, but an entrance of its own.
    case divided
    /// The entrance is drawn some metres outside the building.
    case misplacedEntrance
    /// The floors are displaced, and nothing says how they are connected.
    case shiftedFloors
    /// A gap of centimetres divides the corridor.
    case seam
  }

  private(set) var drawing = PlanVenue()
  /// The number of spaces that the defect cuts off.
  private(set) var affected = 0
  private var random: RandomStream
  private let defect: Defect?
  private let hasWalls: Bool
  private let floors: Int
  private let rooms: Int
  private let roomWidth: Double

  /// Draws a map.
  /// - Parameters:
  ///   - defect: the defect; `nil` for none.
  ///   - seed: the seed of all dimensions.
  ///   - hasWalls: whether the map contains its walls.
  init(_ defect: Defect?, seed: UInt64, hasWalls: Bool) {
    self.defect = defect
    self.hasWalls = hasWalls
    random = RandomStream(seed: seed, stream: 1)
    floors = defect == .shiftedFloors ? 3 : 1
    rooms = 3 + random.nextIndex(below: 4)
    roomWidth = 3.5 + random.nextUnit() * 2
    for floor in 0..<floors { add(floor: floor) }
  }

  private mutating func add(floor: Int) {
    let id = "f\(floor)"
    let shift = defect == .shiftedFloors ? (Double(floor) * 2.2, Double(floor) * -1.8) : (0, 0)
    let width = roomWidth * Double(rooms)
    let (low, high) = (5.0, 7.4)
    func outline(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> GeoMultiPolygon {
      PlanVenue.rectangle(x0 + shift.0, y0 + shift.1, x1 + shift.0, y1 + shift.1)
    }
    func at(_ x: Double, _ y: Double) -> (Double, Double) { (x + shift.0, y + shift.1) }
    let isMall = defect == .shopsOnOutline
    // The outline of a floor would cover the gap.
    drawing.floor(
      id, floor, outline: defect == .seam ? nil : outline(0, isMall ? -8 : 0, 2 * width + 3, isMall ? 22 : 12.4))
    // The corridor, in two halves.
    let gap = defect == .seam ? 0.03 + random.nextUnit() * 0.15 : 0
    let hasBarrier = defect == .island || defect == .divided
    if !isMall {
      drawing.space("\(id)-west", id, .corridor, outline(0, low, width - gap, high))
      drawing.space("\(id)-east", id, .corridor, outline(width + (hasBarrier ? 0.6 : 0), low, 2 * width, high))
      if gap > 0 || hasBarrier { affected += 1 + 2 * rooms }
      if hasBarrier && hasWalls { drawing.wall(id, at(width + 0.3, low), at(width + 0.3, high)) }
    }
    drawing.space("\(id)-stairs", id, .stairs, outline(2 * width, low, 2 * width + 3, high))
    if hasBarrier || gap > 0 { affected += 1 }
    drawing.door("\(id)-stairs-door", id, at(2 * width, low + 0.7), at(2 * width, low + 1.7))
    for index in 0..<(2 * rooms) {
      let x = Double(index) * roomWidth
      for (side, y0, y1, wall) in [("s", 0.0, low, low), ("n", high, 12.4, high)] {
        let name = "\(id)-\(side)\(index)"
        drawing.space(name, id, isMall ? .shop : .office, outline(x, y0, x + roomWidth, y1))
        if hasWalls {
          drawing.wall(id, at(x, y0), at(x, y1))
          drawing.wall(id, at(x, y0), at(x + roomWidth, y0))
          drawing.wall(id, at(x, y1), at(x + roomWidth, y1))
          drawing.wall(id, at(x + roomWidth, y0), at(x + roomWidth, y1))
        }
        let isMissing = isMall || (defect == .missingDoors && random.nextUnit() < 0.4)
        if isMissing { affected += 1 } else { drawing.door("\(name)-door", id, at(x + 1, wall), at(x + 2, wall)) }
      }
    }
    if floor > 0 { affected += 3 + 4 * rooms }
    guard floor == 0 else { return }
    let outside = defect == .misplacedEntrance ? -(3 + random.nextUnit() * 5) : 0
    drawing.door("main", id, isEntrance: true, at(outside, low + 0.6), at(outside, low + 1.8))
    if defect == .misplacedEntrance { affected += 1 }
    guard defect == .divided else { return }
    drawing.door("east", id, isEntrance: true, at(2 * width + 3, low + 0.6), at(2 * width + 3, low + 1.8))
  }
}
