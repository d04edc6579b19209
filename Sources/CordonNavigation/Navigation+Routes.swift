import CordonGeometry

extension Navigation {
  /// Returns the route from one place to another near a destination: walks, and rides between them.
  ///
  /// - Parameters:
  ///   - start: the start of the route.
  ///   - end: the end of the route, on the floor of `field`'s target and connected with it.
  ///   - field: the field of the destination, from ``field(to:)`` for a place on the floor of `end`.
  /// - Returns: the legs of the route; `nil` if there is none.
  package func route(from start: Place, to end: Place, along field: DistanceField) -> [RouteLeg]? {
    if start == end { return [] }
    let direct = start.floor == end.floor ? field.distance(of: start.cell, on: floors[end.floor]) : nil
    if direct != nil {
      let cells = floors[end.floor].way(from: start.cell, to: end.cell, along: field)
      return cells.isEmpty ? nil : [.walk(floor: end.floor, points: straight(cells, floor: end.floor))]
    }
    guard let chain = chain(from: start, to: end, along: field) else { return nil }
    // A chain can contain landings at which no ride begins; the route passes them on foot.
    let rides = zip(chain, chain.dropFirst()).filter { a, b in
      landings[a].way == landings[b].way && landings[a].place.floor != landings[b].place.floor
    }
    var legs: [RouteLeg] = []
    var here = start
    for (a, b) in rides {
      append(walk: landings[a].field.cells(from: here.cell, on: floors[here.floor]), floor: here.floor, to: &legs)
      legs.append(.ride(way: landings[a].way, from: landings[a].stop, to: landings[b].stop))
      here = landings[b].place
    }
    guard !rides.isEmpty, here.floor == end.floor else { return nil }
    append(walk: floors[end.floor].way(from: here.cell, to: end.cell, along: field), floor: end.floor, to: &legs)
    return legs
  }

  /// Returns the walking distance between two places in metres, including the cost of rides; `nil` if there is no way.
  package func walkingDistance(from start: Place, to end: Place) -> Double? {
    walkingDistance(from: start, to: end, along: field(to: end))
  }

  /// Returns the walking distance for many starts, with the field of the end from ``field(to:)``.
  package func walkingDistance(from start: Place, to end: Place, along field: DistanceField) -> Double? {
    guard let legs = route(from: start, to: end, along: field) else { return nil }
    return legs.reduce(0) { sum, leg in
      switch leg {
      case .walk(_, let points):
        sum + zip(points, points.dropFirst()).reduce(0) { $0 + PlaneSegment($1.0, $1.1).length }
      case .ride(let way, let from, let to):
        sum + (verticals[way].cost(from: from, to: to) ?? 0)
      }
    }
  }

  /// Returns the landings of the cheapest chain of rides.
  private func chain(from start: Place, to end: Place, along field: DistanceField) -> [Int]? {
    let count = landings.count
    let arrivals: [(Int, Double)] = landings.indices.compactMap { index in
      guard landings[index].place.floor == end.floor else { return nil }
      let raster = floors[end.floor]
      return field.distance(of: landings[index].place.cell, on: raster).map {
        (index, Double($0) * raster.cellSize / 10)
      }
    }
    var best: (first: Int, last: Int, cost: Double)?
    for first in landings.indices where landings[first].place.floor == start.floor {
      let raster = floors[start.floor]
      guard let walk = landings[first].field.distance(of: start.cell, on: raster) else { continue }
      let near = Double(walk) * raster.cellSize / 10
      for (last, far) in arrivals {
        let cost = near + costs[first * count + last] + far
        if cost < best?.cost ?? .infinity { best = (first, last, cost) }
      }
    }
    guard let best, best.cost < .infinity else { return nil }
    var chain = [best.first]
    while let here = chain.last, here != best.last {
      let step = Int(next[here * count + best.last])
      guard step >= 0, chain.count <= count else { return nil }
      chain.append(step)
    }
    return chain
  }

  private func append(walk cells: [Int], floor: Int, to legs: inout [RouteLeg]) {
    guard cells.count > 1 else { return }
    legs.append(.walk(floor: floor, points: straight(cells, floor: floor)))
  }

  private func straight(_ cells: [Int], floor: Int) -> [PlanePoint] {
    floors[floor].straightened(cells.map(floors[floor].center(of:)))
  }
}
