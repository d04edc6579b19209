import CordonContacts
import CordonCore
package import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// The distances from walls at which people walk in corridors.
package struct CorridorUse: Hashable, Sendable {
  /// Walking time by distance from the nearest wall, in milliseconds; the bins are ``binWidth`` wide.
  package private(set) var milliseconds: [Int64]
  /// The number of walkable cells by distance from the nearest wall, with the same bins.
  ///
  /// People who use the whole width of a corridor evenly spend their time in proportion to it.
  package private(set) var cells: [Int]

  /// The width of a bin, in metres.
  package static let binWidth = 0.1
  /// The maximum length of a piece of a walk that counts as one position, in milliseconds.
  private static let piece: Int64 = 200
  /// The number of bins; larger distances count in the last bin.
  private static let binCount = 30

  /// Measures all walks of a run in spaces of the kind corridor. Time at rest does not count.
  ///
  /// Complexity: proportional to the walking time and to the number of cells.
  package init(_ truth: Truth, in world: World) {
    milliseconds = Array(repeating: 0, count: Self.binCount)
    cells = Array(repeating: 0, count: Self.binCount)
    let rasters = world.routes.navigation.floors
    let lookups = rasters.indices.map { SpaceLookup(plan: world.plan, floor: $0, raster: rasters[$0]) }
    func isCorridor(_ cell: Int, _ floor: Int) -> Bool {
      lookups[floor].space(of: cell).map { world.plan.spaces[$0].kind == .corridor } ?? false
    }
    for (floor, raster) in rasters.enumerated() {
      for cell in raster.component.indices where raster.isWalkable(cell) && isCorridor(cell, floor) {
        cells[Self.bin(raster.center(of: cell), raster)] += 1
      }
    }
    for segment in truth.segments where segment.x0 != segment.x1 || segment.y0 != segment.y1 {
      guard let floor = world.plan.floors.firstIndex(where: { $0.ordinal.thousandths == segment.floor }) else {
        continue
      }
      let raster = rasters[floor]
      let length = segment.end - segment.start
      let count = max((length + Self.piece - 1) / Self.piece, 1)
      for index in 0..<count {
        let share = (Double(index) + 0.5) / Double(count)
        let point = PlanePoint(
          x: segment.x0 + (segment.x1 - segment.x0) * share, y: segment.y0 + (segment.y1 - segment.y0) * share)
        guard let cell = raster.cell(at: point), isCorridor(cell, floor) else { continue }
        milliseconds[Self.bin(point, raster)] += length * (index + 1) / count - length * index / count
      }
    }
  }

  private static func bin(_ point: PlanePoint, _ raster: WalkableRaster) -> Int {
    let limit = Double(binCount) * binWidth
    return min(Int(raster.barriers.distance(to: point, limit: limit) / binWidth), binCount - 1)
  }

  /// The walking time in corridors, in seconds.
  package var seconds: Double { Double(milliseconds.reduce(0, +)) / 1_000 }

  /// Returns the share of walking time nearer to a wall than a distance in metres; NaN without walking time.
  package func share(within distance: Double) -> Double {
    let bins = Int((distance / Self.binWidth).rounded())
    return Double(milliseconds.prefix(bins).reduce(0, +)) / Double(milliseconds.reduce(0, +))
  }

  /// Returns the share that an even use of the width would give; NaN without corridors.
  package func evenShare(within distance: Double) -> Double {
    let bins = Int((distance / Self.binWidth).rounded())
    return Double(cells.prefix(bins).reduce(0, +)) / Double(cells.reduce(0, +))
  }
}
