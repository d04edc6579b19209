import CordonConsole
import CordonSupport
import CordonVenues

extension ConnectivityReport {
  /// The parts, and the unreachable spaces if there are any.
  var lines: [String] {
    ["Connectivity: " + sentence] + (warning.map { ["Unreachable: " + $0] } ?? [])
  }

  /// A heading, and a line for each entrance with its number, name, space, floor and identifier.
  var entranceLines: [String] {
    guard !entrances.isEmpty else { return [] }
    return ["Entrances"]
      + entrances.map { entrance in
        let space = entrance.space.map { plan.spaces[$0].name } ?? ""
        let behind = space.isEmpty || space == entrance.name ? "" : ", to \(space)"
        let floor = plan.floors[entrance.floor].name
        return "  \(entrance.number)  \(entrance.name)\(behind), \(floor) (\(entrance.id))"
      }
  }

  /// The parts with their entrances, the largest first.
  var partsJSON: JSONValue {
    .array(
      connectivity.parts.map { part in
        [
          "spaces": .count(part.spaces.count), "area_m2": .squareMetres(part.squareMetres),
          "floors": .array(part.floors.map { .string(plan.floors[$0].id.rawValue) }),
          "entrances": .array(part.entrances.map(json)), "example": part.example.map(spaceID) ?? .null,
        ]
      })
  }

  private func json(_ entrance: PlanEntrance) -> JSONValue {
    [
      "number": .count(entrance.number), "id": .string(entrance.id), "name": .string(entrance.name),
      "space": entrance.space.map(spaceID) ?? .null,
    ]
  }

  /// The spaces that no entrance reaches, with the reason of each.
  var unreachableJSON: JSONValue {
    .array(
      connectivity.unreachable.map { unreachable in
        let space = plan.spaces[unreachable.space]
        return [
          "id": .string(space.id.rawValue), "name": space.name.isEmpty ? .null : .string(space.name),
          "kind": .string(space.kind.rawValue), "floor": .string(plan.floors[space.floor].id.rawValue),
          "area_m2": .squareMetres(space.area), "reason": .string(unreachable.reason.rawValue),
        ]
      })
  }

  /// The doors that the map lacks.
  var assumedDoorsJSON: JSONValue {
    .array(
      connectivity.assumedDoors.map { assumed in
        [
          "id": .string(plan.doors[assumed.door].id), "space": spaceID(assumed.space),
          "name": .string(name(assumed.space)), "to": assumed.neighbour.map(spaceID) ?? .null,
        ]
      })
  }

  private func spaceID(_ space: Int) -> JSONValue { .string(plan.spaces[space].id.rawValue) }
}
