import CordonCore
public import CordonGeometry

extension PlanNavigation {
  /// Metres on foot from one space to every space of the plan, by index in ``VenuePlan/spaces``; rides are counted with their
  /// cost. `nil` for a space that no way leads to, and for all when nobody can stand in the space itself.
  ///
  /// From where somebody stands in the middle of the one to where somebody stands in the middle of the other: what "from the door to
  /// desk 12" asks. One search over the floor and a route for each space.
  public func walkingTable(from space: Int) -> [Double?] {
    guard plan.spaces.indices.contains(space), let origin = standingPlace(in: space) else {
      return plan.spaces.map { _ in nil }
    }
    let field = navigation.field(to: origin)
    return plan.spaces.indices.map { other in
      if other == space { return 0 }
      return standingPlace(in: other).flatMap { navigation.walkingDistance(from: $0, to: origin, along: field) }
    }
  }

  /// A place to stand in a space: the nearest to a point well inside.
  public func standingPlace(in space: Int) -> Place? {
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
}
