import CordonGeometry
package import CordonNavigation

/// The smallest space of each cell of a floor.
package struct SpaceLookup: Sendable {
  private let spaces: [Int32]

  /// Creates the lookup of one floor. Complexity: proportional to the areas of its spaces.
  package init(plan: VenuePlan, floor: Int, raster: WalkableRaster) {
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

  /// Returns the index of the smallest space of a cell in `VenuePlan.spaces`; `nil` outside all spaces.
  package func space(of cell: Int) -> Int? { spaces[cell] < 0 ? nil : Int(spaces[cell]) }
}
