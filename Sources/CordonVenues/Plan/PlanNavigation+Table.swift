import CordonCore
import CordonGeometry
package import CordonNavigation

extension PlanNavigation {
  /// Returns the walking distances from one space to every space of the plan, in metres, by index in
  /// ``VenuePlan/spaces``.
  ///
  /// Rides count with their cost. The distance is `nil` for a space without a way to it, and for all spaces if people
  /// cannot stand in the first space. Distances are between standing places near the middles of the spaces. The cost is
  /// that of ``walkingDistances(from:to:)``.
  package func walkingTable(from space: Int) -> [Double?] {
    guard plan.spaces.indices.contains(space), let origin = standingPlace(in: space) else {
      return plan.spaces.map { _ in nil }
    }
    var table = walkingDistances(from: origin, to: plan.spaces.indices.map(standingPlace))
    table[space] = 0
    return table
  }

  /// Returns the walking distances from one place to other places, in metres; `nil` without a way or a place.
  ///
  /// Complexity: one search over the floors and one route per place. With a one-way door or escalator it is one search
  /// per place, because the way back may differ.
  package func walkingDistances(from origin: Place, to places: [Place?]) -> [Double?] {
    let field = leadsBothWays ? navigation.field(to: origin) : nil
    return places.map { place in
      guard let place else { return nil }
      if place == origin { return 0 }
      guard let field else { return navigation.walkingDistance(from: origin, to: place) }
      return navigation.walkingDistance(from: place, to: origin, along: field)
    }
  }

  /// Returns a place to stand in a space: the nearest one to a point well inside; `nil` if there is none within 5 m.
  package func standingPlace(in space: Int) -> Place? {
    guard plan.spaces.indices.contains(space) else { return nil }
    let frame = plan.frame
    let outline = GeoMultiPolygon(
      plan.spaces[space].polygons.map { polygon in
        GeoPolygon(
          outer: polygon.outer.map(frame.unproject), holes: polygon.holes.map { $0.map(frame.unproject) })
      })
    guard let middle = ShapeMeasure.interiorPoint(of: outline) else { return nil }
    return navigation.place(near: frame.project(middle), floor: plan.spaces[space].floor, within: 5)
  }

  /// Returns the place to stand at a point of interest: beside its own position, or otherwise in the first of its
  /// spaces.
  ///
  /// The result is `nil` if the map does not contain the position, or if people cannot stand there.
  package func standingPlace(at point: PointOfInterest) -> Place? {
    if let position = point.position, let floor = point.floor.flatMap(plan.floorIndex),
      let place = navigation.place(near: plan.frame.project(position), floor: floor, within: 5)
    {
      return place
    }
    let occupied = Set(point.spaces)
    return plan.spaces.indices.first { occupied.contains(plan.spaces[$0].id) }.flatMap(standingPlace)
  }

  /// Whether every door and connection can be used in both directions.
  private var leadsBothWays: Bool {
    plan.doors.allSatisfy(\.isTwoWay)
      && plan.connections.allSatisfy { $0.landings.allSatisfy { $0.isEntry && $0.isExit } }
  }
}
