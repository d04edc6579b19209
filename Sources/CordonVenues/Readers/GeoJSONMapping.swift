/// A mapping of properties of GeoJSON features, for files that follow no convention.
///
/// With `kind=room_type`, the kind of a space is read from the property `room_type`. For other keys, common property
/// names are tried.
public struct GeoJSONMapping: Hashable, Sendable {
  /// The property that contains the kind of a space.
  public var kind: String?
  /// The property that contains the floor.
  public var floor: String?
  /// The property that contains the name.
  public var name: String?
  /// The property that contains the identifier.
  public var id: String?

  /// Creates an empty mapping.
  public init() {}

  /// Creates a mapping from pairs `KEY=PROPERTY`; the keys are `kind`, `floor` (or `level`), `name` and `id`.
  /// - Throws: `VenueError` with the code `mapping` for another key or a missing property.
  public init(parsing pairs: [String]) throws(VenueError) {
    for pair in pairs {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { throw GeoJSONMapping.refuse(pair) }
      let property = String(parts[1])
      switch parts[0] {
      case "kind": kind = property
      case "floor", "level": floor = property
      case "name": name = property
      case "id": id = property
      default: throw GeoJSONMapping.refuse(pair)
      }
    }
  }

  private static func refuse(_ pair: String) -> VenueError {
    VenueError(
      code: "mapping", file: "",
      message: "\(pair.debugDescription) is not KEY=PROPERTY with KEY one of kind, floor, name, id")
  }
}
