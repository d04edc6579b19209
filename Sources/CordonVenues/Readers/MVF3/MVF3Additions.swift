import CordonCore
import CordonGeometry

/// The additions of Cordon's own writer to MVF 3, in members called `cordon`, which other readers skip.
///
/// Beyond "room", the format has no kinds of spaces or solid objects, so the writer adds both.
enum MVF3Additions {
  /// The role of a geometry beyond the format.
  enum Role {
    case space(SpaceKind, sourceKind: String)
    case wall(String)
    case obstruction(String)
    case furniture(String)
    case zone(String, floors: [FloorID])
    case venueOutline
  }

  /// One side of a door, with the spaces that it connects on one floor.
  struct DoorSide {
    var spaces: [SpaceID]
    var isEntrance: Bool
    var isTwoWay: Bool
    var sourceKind: String
  }

  /// The properties of a connection beyond its anchors.
  struct Way {
    var sourceKind: String
    var isAccessible: Bool
    var isTwoWay: Bool
    /// The space of each landing, in the order of the landings' numbers.
    var spaces: [SpaceID?]

    /// Reads the `extra` member of a connection; returns `nil` if Cordon did not write it.
    init?(_ connection: JSONView) {
      guard let cordon = connection["extra"]?["cordon"], let spaces = cordon["spaces"] else { return nil }
      sourceKind = cordon["source_kind"]?.string ?? ""
      isAccessible = cordon["accessible"]?.bool ?? false
      isTwoWay = cordon["two_way"]?.bool ?? true
      self.spaces = spaces.elements.map { $0.identifier.map { SpaceID($0) } }
    }
  }

  /// Returns the role of a geometry; `nil` if its properties have none.
  static func role(_ properties: JSONView?) -> Role? {
    guard let cordon = properties?["cordon"] else { return nil }
    let source = cordon["source_kind"]?.string ?? ""
    if let kind = cordon["kind"]?.string.flatMap(SpaceKind.init(rawValue:)) { return .space(kind, sourceKind: source) }
    switch cordon["role"]?.string {
    case "wall": return .wall(source)
    case "obstruction": return .obstruction(source)
    case "furniture": return .furniture(source)
    case "zone":
      return .zone(source, floors: (cordon["floors"]?.elements.compactMap(\.identifier) ?? []).map { FloorID($0) })
    case "venue": return .venueOutline
    default: return nil
    }
  }

  /// Returns the sides of a door by floor; empty if the connection has none.
  static func sides(of connection: JSONView) -> [FloorID: DoorSide] {
    var sides: [FloorID: DoorSide] = [:]
    for side in connection["extra"]?["cordon"]?["sides"]?.elements.map({ $0 }) ?? [] {
      guard let floor = side["floorId"]?.identifier else { continue }
      sides[FloorID(floor)] = DoorSide(
        spaces: (side["spaces"]?.elements.compactMap(\.identifier) ?? []).map { SpaceID($0) }.sorted(),
        isEntrance: side["entrance"]?.bool ?? false, isTwoWay: side["two_way"]?.bool ?? true,
        sourceKind: side["kind"]?.string ?? "door")
    }
    return sides
  }
}
