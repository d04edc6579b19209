package import CordonGeometry

/// The routes through a building: rasters of its floors, vertical ways, and a distance field for each landing.
///
/// The field of a destination is computed once, with ``field(to:)``, and every route to the destination follows it. A
/// table over the landings contains the cheapest chains of rides between floors.
package struct Navigation: Sendable {
  /// The floors.
  package let floors: [WalkableRaster]
  /// The vertical ways.
  package let verticals: [VerticalWay]
  let landings: [Landing]
  /// The cost between landings in metres, row by row; infinity without a way.
  let costs: [Double]
  /// The next landing on the way from the first landing to the second one; -1 for none.
  package let next: [Int32]

  struct Landing: Sendable {
    var way: Int
    var stop: Int
    var place: Place
    var field: DistanceField
  }

  /// Computes the fields of the landings and the table between them.
  ///
  /// Complexity: cubic in the number of landings; for each landing, linear in the number of cells of its floor.
  package init(floors: [WalkableRaster], verticals: [VerticalWay]) {
    var landings: [Landing] = []
    for (way, vertical) in verticals.enumerated() where vertical.stops.count > 1 {
      for (stop, landing) in vertical.stops.enumerated() where floors.indices.contains(landing.floor) {
        let field = DistanceField(to: landing.cell, on: floors[landing.floor])
        let place = Place(floor: landing.floor, cell: landing.cell)
        landings.append(Landing(way: way, stop: stop, place: place, field: field))
      }
    }
    self.init(floors: floors, verticals: verticals, landings: landings)
  }

  private init(floors: [WalkableRaster], verticals: [VerticalWay], landings: [Landing]) {
    (self.floors, self.verticals) = (floors, verticals)
    let count = landings.count
    var costs = [Double](repeating: .infinity, count: count * count)
    var next = [Int32](repeating: -1, count: count * count)
    for a in 0..<count {
      for b in 0..<count where a != b {
        var cost = Double.infinity
        if landings[a].way == landings[b].way {
          cost = verticals[landings[a].way].cost(from: landings[a].stop, to: landings[b].stop) ?? .infinity
        }
        if landings[a].place.floor == landings[b].place.floor {
          let raster = floors[landings[a].place.floor]
          if let walk = landings[b].field.distance(of: landings[a].place.cell, on: raster) {
            cost = min(cost, Double(walk) * raster.cellSize / 10)
          }
        }
        costs[a * count + b] = cost
        if cost < .infinity { next[a * count + b] = Int32(b) }
      }
      costs[a * count + a] = 0
      next[a * count + a] = Int32(a)
    }
    for middle in 0..<count {
      for a in 0..<count where costs[a * count + middle] < .infinity {
        for b in 0..<count {
          let through = costs[a * count + middle] + costs[middle * count + b]
          if through < costs[a * count + b] {
            costs[a * count + b] = through
            next[a * count + b] = next[a * count + middle]
          }
        }
      }
    }
    (self.landings, self.costs, self.next) = (landings, costs, next)
  }

  /// Returns the navigation without rides on some vertical ways. The fields of the landings are shared.
  ///
  /// Complexity: cubic in the number of landings that are left.
  /// - Parameter ways: indices in ``verticals``, which are unchanged in the result.
  package func avoiding(_ ways: Set<Int>) -> Navigation {
    Navigation(floors: floors, verticals: verticals, landings: landings.filter { !ways.contains($0.way) })
  }

  /// Returns the distance field of a destination, to be computed once. Complexity: linear in the number of cells of its
  /// floor.
  package func field(to place: Place) -> DistanceField {
    DistanceField(to: place.cell, on: floors[place.floor])
  }

  /// Returns the walkable place nearest to a point; `nil` if there is none.
  /// - Parameters:
  ///   - point: the point, in metres.
  ///   - floor: the index of the floor.
  ///   - radius: the maximum distance, in metres.
  ///   - seeing: whether the place must be visible from the point.
  ///   - accepts: whether places in a connected part are accepted.
  package func place(
    near point: PlanePoint, floor: Int, within radius: Double, seeing: Bool = false,
    where accepts: (Int) -> Bool = { _ in true }
  ) -> Place? {
    guard floors.indices.contains(floor) else { return nil }
    let cell = floors[floor].nearestCell(to: point, within: radius, seeing: seeing, where: accepts)
    return cell.map { Place(floor: floor, cell: $0) }
  }

  /// Returns the centre of a place's cell.
  package func center(of place: Place) -> PlanePoint { floors[place.floor].center(of: place.cell) }
}
