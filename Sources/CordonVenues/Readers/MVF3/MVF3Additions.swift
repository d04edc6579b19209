import CordonCore
import CordonGeometry

/// What Cordon's own writer adds to MVF 3 in members called `cordon`, which other readers skip.
///
/// The format has no word for the kind of a space beyond "room", nor for what a solid thing is; the writer keeps both.
enum MVF3Additions {
  /// What the properties of a geometry say beyond the format.
  enum Role {
    case space(SpaceKind, sourceKind: String)
    case wall(String)
    case obstruction(String)
    case furniture(String)
    case venueOutline
  }

  /// One side of a door: what it joins on one floor.
  struct DoorSide {
    var spaces: [SpaceID]
    var isEntrance: Bool
    var sourceKind: String
  }

  /// The role of a geometry, when its properties have one.
  static func role(_ properties: JSONValue?) -> Role? {
    guard let cordon = properties?["cordon"] else { return nil }
    let source = cordon["source_kind"]?.string ?? ""
    if let kind = cordon["kind"]?.string.flatMap(SpaceKind.init(rawValue:)) { return .space(kind, sourceKind: source) }
    switch cordon["role"]?.string {
    case "wall": return .wall(source)
    case "obstruction": return .obstruction(source)
    case "furniture": return .furniture(source)
    case "venue": return .venueOutline
    default: return nil
    }
  }

  /// The sides of a door by floor, when the connection has them.
  static func sides(of connection: JSONValue) -> [FloorID: DoorSide] {
    var sides: [FloorID: DoorSide] = [:]
    for side in connection["extra"]?["cordon"]?["sides"]?.elements.map({ $0 }) ?? [] {
      guard let floor = side["floorId"]?.identifier else { continue }
      sides[FloorID(floor)] = DoorSide(
        spaces: (side["spaces"]?.elements.compactMap(\.identifier) ?? []).map { SpaceID($0) }.sorted(),
        isEntrance: side["entrance"]?.bool ?? false, sourceKind: side["kind"]?.string ?? "door")
    }
    return sides
  }
}
