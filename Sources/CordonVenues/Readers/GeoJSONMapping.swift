/// Which properties of a GeoJSON feature mean what, for files that follow no convention.
///
/// `kind=room_type` reads the kind of a space from the property `room_type`. What is not mapped is looked up
/// under the usual names.
public struct GeoJSONMapping: Hashable, Sendable {
  /// The property with the kind of a space.
  public var kind: String?
  /// The property with the floor.
  public var floor: String?
  /// The property with the name.
  public var name: String?
  /// The property with the identifier.
  public var id: String?

  /// Nothing mapped.
  public init() {}

  /// Takes `KEY=PROPERTY` pairs; keys are `kind`, `floor` (or `level`), `name`, `id`.
  /// Errors: `mapping` for another key or a missing property.
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
