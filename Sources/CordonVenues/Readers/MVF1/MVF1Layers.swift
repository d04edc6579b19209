/// The meaning of the free text of a layer.
enum MVF1Layers {
  enum Solid { case wall, furniture, solid }

  /// Checks whether spaces of this layer are furniture.
  static func isFurniture(_ layer: String) -> Bool {
    ["chairs", "chair", "desks", "desk", "tables", "table", "furniture", "seats"].contains(layer.lowercased())
  }

  /// Returns the kind of a space by its layer alone.
  static func kind(_ layer: String) -> SpaceKind {
    switch layer.lowercased() {
    case "non public", "non-public", "nonpublic": .service
    case "hallway", "hallways", "corridor", "corridors", "walkway": .corridor
    default: SpaceKindWords.kind(of: layer) ?? .room
    }
  }

  /// Returns the kind of an obstruction by its layer.
  static func obstruction(_ layer: String) -> Solid {
    let lower = layer.lowercased()
    if lower == "green wall" { return .solid }
    if lower.hasSuffix("wall") || lower.hasSuffix("walls") || lower.contains("window") { return .wall }
    return isFurniture(layer) ? .furniture : .solid
  }
}
