/// Helpers for members that many files of MVF 3 share.
enum MVF3Details {
  /// The kinds of polygons that people can be in.
  static let spaceKinds: [String: SpaceKind] = [
    "room": .room, "hallway": .corridor, "area": .area, "corridor": .corridor, "lobby": .lobby,
    "connection.stairs": .stairs, "connection.elevator": .elevator, "connection.escalator": .escalator,
    "connection.ramp": .ramp, "stairs": .stairs, "elevator": .elevator, "escalator": .escalator, "void": .openToBelow,
  ]

  /// Returns a text, a text by language, or the `name` of details.
  static func text(_ value: JSONView?, _ details: JSONView?) -> LocalizedText {
    guard let value, !value.isNull else {
      return details?["name"].map { text($0, nil) } ?? LocalizedText()
    }
    if let string = value.string { return LocalizedText(string) }
    var texts: [String: String] = [:]
    for (language, member) in value.members {
      if let string = member.string, !string.isEmpty { texts[language] = string }
    }
    return LocalizedText(texts)
  }

  /// Returns the members of an object as texts.
  static func texts(_ value: JSONView?) -> [String: String] {
    guard let value else { return [:] }
    var texts: [String: String] = [:]
    texts.reserveCapacity(value.count)
    for (key, member) in value.members { texts[key] = member.string }
    return texts
  }

  /// Returns the keys of an object, or the texts of an array.
  static func keys(_ value: JSONView?) -> Set<String> {
    guard let value else { return [] }
    if value.isArray { return Set(value.elements.compactMap(\.string)) }
    return Set(value.members.map(\.key))
  }
}

/// The positions of properties in the `flags` of connections and edges, which differ between bundles.
struct MVF3Flags {
  private var places: [String: (index: Int, bit: Int)] = [:]

  init() {}

  /// Reads an object by name, or an array of objects with a name or key.
  init(_ root: JSONView) {
    for (key, value) in root.members { add(key, value) }
    for value in root.elements {
      if let key = (value["key"] ?? value["name"] ?? value["id"])?.string { add(key, value) }
    }
  }

  private mutating func add(_ key: String, _ value: JSONView) {
    guard let index = value["index"]?.int, let bit = value["bit"]?.int, (0..<64).contains(bit), index >= 0 else {
      return
    }
    places[key] = (index, bit)
  }

  /// Checks whether a flag is set; returns `nil` if the bundle does not define it.
  func isSet(_ key: String, in flags: JSONView?) -> Bool? {
    guard let place = places[key] else { return nil }
    for (index, word) in (flags?.elements.enumerated().map { ($0, $1) } ?? []) where index == place.index {
      guard let bits = word.int else { return false }
      return bits >> place.bit & 1 == 1
    }
    return false
  }
}
