/// Names and kinds of GeoJSON features.
enum GeoJSONNames {
  /// Returns the name: `name`, and `name:xx` by language.
  static func name(of properties: JSONView?, mapping: GeoJSONMapping) -> LocalizedText {
    guard let properties else { return LocalizedText() }
    if let key = mapping.name { return LocalizedText(properties.value(named: key)?.identifier ?? "") }
    var texts: [String: String] = [:]
    for (key, value) in properties.members {
      guard let text = value.string, !text.isEmpty else { continue }
      if key == "name" || (key == "label" && texts[""] == nil) { texts[""] = text }
      if key.hasPrefix("name:"), key.utf8.count <= 16 { texts[String(key.dropFirst(5))] = text }
    }
    return LocalizedText(texts)
  }

  /// Returns the kind of a space, and the kind in the words of the source.
  static func kind(
    of properties: JSONView?, tags: OSMTags?, isIndoor: Bool, mapping: GeoJSONMapping
  ) -> (SpaceKind, String) {
    guard let properties else { return (.unknown, "") }
    if mapping.kind == nil, let tags, isIndoor { return (tags.spaceKind ?? .unknown, tags.sourceKind) }
    let value =
      mapping.kind.flatMap { properties.value(named: $0) } ?? properties["kind"] ?? properties["type"]
      ?? properties["room_type"] ?? properties["category"] ?? properties["usage"]
    guard let text = value?.identifier else { return (.unknown, "") }
    return (kind(named: text), text)
  }

  /// Returns a kind by Cordon's own name, by OSM's name, or by the words of a text.
  static func kind(named text: String) -> SpaceKind {
    let lower = text.lowercased()
    return SpaceKind(rawValue: lower) ?? OSMTags.rooms[lower] ?? OSMTags.amenities[lower]
      ?? SpaceKindWords.kind(of: text) ?? .unknown
  }
}
