import CordonGeometry
import CordonNavigation
import CordonVenues

/// The smallest space of each cell of a floor.
struct SpaceLookup {
  private let spaces: [Int32]

  init(plan: VenuePlan, floor: Int, raster: WalkableRaster) {
    var spaces = [Int32](repeating: -1, count: raster.component.count)
    // Largest first, so that a space within another one takes precedence.
    let order = plan.spaces.indices.filter { plan.spaces[$0].floor == floor }.sorted {
      (plan.spaces[$0].area, $0) > (plan.spaces[$1].area, $1)
    }
    for index in order {
      for polygon in plan.spaces[index].polygons {
        raster.forEachCell(in: polygon) { spaces[$0] = Int32(index) }
      }
    }
    self.spaces = spaces
  }

  func space(of cell: Int) -> Int? { spaces[cell] < 0 ? nil : Int(spaces[cell]) }
}
