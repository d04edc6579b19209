import CordonCore
import CordonGeometry
import CordonNavigation
import CordonRun
import CordonVenues

extension RunPlaces {
  /// The distances from a threshold at which the spaces on its sides are looked up, in metres.
  private static let reaches = [0.3, 0.6, 1.0, 1.5]

  /// Returns the doors of a plan with the spaces on both sides.
  func openings(of plan: VenuePlan, entrances: [PlanEntrance]) -> [RunOpening] {
    let known = Dictionary(entrances.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var openings = plan.doors.map { door in
      let ordinal = plan.floors[door.floor].ordinal
      let (left, right) = sides(of: door.line, floor: ordinal.thousandths)
      let entrance = known[door.id]
      let name = entrance.map { "Entrance \($0.label)" } ?? (door.name.isEmpty ? self.name(left, right) : door.name)
      return RunOpening(
        id: door.id, name: name, ordinal: ordinal, left: left, right: right, entrance: entrance?.number)
    }
    for (index, name) in DistinctNames.numbered(openings.map(\.name)).enumerated() { openings[index].name = name }
    return openings
  }

  /// Returns the numbers of the spaces on the left and on the right of a line.
  private func sides(of line: PlaneSegment, floor: Int32) -> (left: Int32, right: Int32) {
    let (dx, dy) = (line.b.x - line.a.x, line.b.y - line.a.y)
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0 else { return (ObservedLocation.noSpace, ObservedLocation.noSpace) }
    let middle = PlanePoint(x: (line.a.x + line.b.x) / 2, y: (line.a.y + line.b.y) / 2)
    func space(_ side: Double) -> Int32 {
      for reach in RunPlaces.reaches {
        let x = middle.x - side * reach * dy / length
        let y = middle.y + side * reach * dx / length
        if let space = self.space(floor: floor, x: x, y: y) { return Int32(space) }
      }
      return ObservedLocation.noSpace
    }
    return (space(1), space(-1))
  }

  private func name(_ left: Int32, _ right: Int32) -> String {
    let sides = [left, right].filter { $0 != ObservedLocation.noSpace }.map { venue.spaces[Int($0)].title }
    return sides.isEmpty ? "Door" : sides.count == 1 ? "\(sides[0]) / outside" : sides.joined(separator: " / ")
  }
}
