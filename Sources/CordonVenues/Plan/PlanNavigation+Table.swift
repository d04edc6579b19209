import CordonCore
public import CordonGeometry

extension PlanNavigation {
  /// Metres on foot from one space to every space of the plan, by index in ``VenuePlan/spaces``; rides are counted with their
  /// cost. `nil` for a space that no way leads to, and for all when nobody can stand in the space itself.
  ///
  /// From where somebody stands in the middle of the one to where somebody stands in the middle of the other: what "from the door to
  /// desk 12" asks. Costs what ``walkingDistances(from:to:)`` does.
  public func walkingTable(from space: Int) -> [Double?] {
    guard plan.spaces.indices.contains(space), let origin = standingPlace(in: space) else {
      return plan.spaces.map { _ in nil }
    }
    var table = walkingDistances(from: origin, to: plan.spaces.indices.map(standingPlace))
    table[space] = 0
    return table
  }

  /// Metres on foot from one place to each of others; `nil` where there is no way, or no place.
  ///
  /// One search over the floor and a route for each place; where some door or escalator leads one way only, a search for each
  /// place, since the way there is not the way back.
  public func walkingDistances(from origin: Place, to places: [Place?]) -> [Double?] {
    let field = leadsBothWays ? navigation.field(to: origin) : nil
    return places.map { place in
      guard let place else { return nil }
      if place == origin { return 0 }
      guard let field else { return navigation.walkingDistance(from: origin, to: place) }
      return navigation.walkingDistance(from: place, to: origin, along: field)
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

  /// Where somebody stands who has come to a point of interest: beside its own position, else in the first of its spaces;
  /// `nil` when the map does not say where it is, or nobody can stand there.
  public func standingPlace(at point: PointOfInterest) -> Place? {
    if let position = point.position, let floor = point.floor.flatMap(plan.floorIndex),
      let place = navigation.place(near: plan.frame.project(position), floor: floor, within: 5)
    {
      return place
    }
    let occupied = Set(point.spaces)
    return plan.spaces.indices.first { occupied.contains(plan.spaces[$0].id) }.flatMap(standingPlace)
  }

  /// Whether every way is as good in the other direction.
  private var leadsBothWays: Bool {
    plan.doors.allSatisfy(\.isTwoWay)
      && plan.connections.allSatisfy { $0.landings.allSatisfy { $0.isEntry && $0.isExit } }
  }
}
