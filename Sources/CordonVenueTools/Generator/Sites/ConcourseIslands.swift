import CordonVenues

/// The contents of the middle of a mall's concourse: escalators, and the voids of the floors above ground.
struct ConcourseIslands {
  private struct Island {
    var rect: PlanRect
    /// Indices of the lower and the upper floor of a pair of escalators; `nil` for a void.
    var joins: (lower: Int, upper: Int)?
  }

  private static let length = 1_200
  private static let width = 300
  private static let spacing = 2_000

  /// The x coordinates at which lanes are linked.
  let crosswalks: [Int]
  private let islands: [Island]
  private let plan: GridPlan
  private let floor: Int

  /// The footprints that the concourse leaves out.
  var rects: [PlanRect] { islands.map(\.rect) }

  init(plan: GridPlan, ordinals: [Int], floor: Int) {
    self.plan = plan
    self.floor = floor
    var islands: [Island] = []
    var crosswalks: [Int] = []
    if let corridor = plan.corridors.first {
      let ring = plan.corridorOutline
      let inset = plan.crossings.isEmpty ? 600 : corridor.length + 600
      let slots = max(0, (ring.width - 2 * inset) / ConcourseIslands.spacing)
      let start = ring.minX + (ring.width - slots * ConcourseIslands.spacing) / 2
      for slot in 0...slots { crosswalks.append(GridPlan.rounded(start + slot * ConcourseIslands.spacing)) }
      for slot in 0..<slots {
        let middle = GridPlan.rounded(start + slot * ConcourseIslands.spacing + ConcourseIslands.spacing / 2)
        let isBlocked = plan.crossings.contains { abs($0.middle - middle) < $0.length / 2 + ConcourseIslands.length }
        if isBlocked { continue }
        let rect = PlanRect(
          minX: middle - ConcourseIslands.length / 2, minY: corridor.middle - ConcourseIslands.width / 2,
          maxX: middle + ConcourseIslands.length / 2, maxY: corridor.middle + ConcourseIslands.width / 2)
        // Escalators alternate between the outer slots, so that people who continue upwards walk to another slot.
        if slot == 0 || slot == slots - 1 {
          let turn = slot == 0 ? 0 : 1
          if floor % 2 == turn, floor + 1 < ordinals.count {
            islands.append(Island(rect: rect, joins: (floor, floor + 1)))
            continue
          }
          if floor > 0, (floor - 1) % 2 == turn {
            islands.append(Island(rect: rect, joins: (floor - 1, floor)))
            continue
          }
        } else if ordinals[floor] > 0 {
          islands.append(Island(rect: rect))
        }
      }
    }
    self.islands = islands
    self.crosswalks = crosswalks
  }

  /// Adds the spaces, their doors and the shafts of the escalators.
  func draw(into filler: inout FloorFiller, shafts: inout [ShaftDraft]) {
    for island in islands {
      guard let joins = island.joins else {
        _ = filler.addIsland(SpaceDraft(kind: .openToBelow, name: "", rect: island.rect))
        continue
      }
      for isUp in [true, false] {
        var rect = island.rect
        if isUp { rect.maxY = rect.center.y } else { rect.minY = rect.center.y }
        let key = "escalator-\(joins.lower)-\(isUp ? "up" : "down")"
        let space = filler.addIsland(
          SpaceDraft(kind: .escalator, name: isUp ? "Escalator up" : "Escalator down", rect: rect, shaft: key))
        let isBottom = floor == joins.lower
        let side: PlanSide = isBottom ? .west : .east
        let door = DoorDraft(
          on: side, of: rect, at: rect.center.y, width: 100, spaces: [0, space], kind: "open")
        let standing = PlanPoint(x: rect.minX + (isBottom ? 100 : rect.width - 100), y: rect.center.y)
        filler.addDoor(door, standing: standing, side: side, lane: isUp ? 0 : 1)
        let landing = ShaftDraft.Landing(
          floor: floor, space: space, position: standing, isEntry: isUp == isBottom, isExit: isUp != isBottom)
        if let known = shafts.firstIndex(where: { $0.key == key }) {
          shafts[known].landings.append(landing)
        } else {
          shafts.append(
            ShaftDraft(
              key: key, kind: .escalator, name: isUp ? "Escalator up" : "Escalator down", isTwoWay: false,
              landings: [landing]))
        }
      }
    }
  }
}
