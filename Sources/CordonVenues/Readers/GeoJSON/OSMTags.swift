/// The tags of a feature in OpenStreetMap's Simple Indoor Tagging.
struct OSMTags {
  let properties: JSONView

  init(_ properties: JSONView) { self.properties = properties }

  subscript(_ key: StaticString) -> String? {
    guard let text = properties[key]?.identifier, text != "no" else { return nil }
    return text
  }

  /// Whether the feature follows the convention.
  var isIndoor: Bool {
    if self["indoor"] != nil { return true }
    guard properties["level"] != nil else { return false }
    return ["highway", "room", "door", "entrance", "shop", "amenity", "building"].contains {
      properties.value(named: $0) != nil
    }
  }

  /// The kind of connection that the feature represents; `nil` if it is not a connection.
  var connectionKind: Connection.Kind? {
    if self["highway"] == "elevator" || self["room"] == "elevator" || self["elevator"] == "yes" { return .elevator }
    let isSteps = self["highway"] == "steps" || self["room"] == "stairs" || self["stairs"] != nil
    if let conveying = self["conveying"], !conveying.isEmpty { return isSteps ? .escalator : .movingWalkway }
    if isSteps { return .stairs }
    if self["ramp"] == "yes" || self["room"] == "ramp" { return .ramp }
    return nil
  }

  /// Whether the connection can be used in one direction only.
  var isOneWay: Bool {
    self["oneway"] == "yes" || self["conveying"] == "forward" || self["conveying"] == "backward"
  }

  /// Whether the feature is a door or an entrance.
  var isOpening: Bool { self["door"] != nil || self["entrance"] != nil || self["indoor"] == "door" }

  /// Whether the feature leads out of the building.
  var isEntrance: Bool { self["entrance"] != nil }

  /// Whether the feature is solid by its tag `indoor`.
  var isWall: Bool { self["indoor"] == "wall" || self["indoor"] == "column" || self["indoor"] == "pillar" }

  /// The kind in the words of the source: the most specific tag.
  var sourceKind: String {
    for key in ["room", "amenity", "shop", "highway", "tourism", "public_transport", "railway", "indoor"] {
      if let value = properties.value(named: key)?.string, !value.isEmpty, value != "yes", value != "no" {
        return key == "indoor" || key == "room" ? value : "\(key)=\(value)"
      }
    }
    return self["indoor"] ?? ""
  }

  /// The kind of space; `nil` if the tags do not describe an area that people can be in.
  var spaceKind: SpaceKind? {
    switch connectionKind {
    case .elevator: return .elevator
    case .stairs: return .stairs
    case .escalator: return .escalator
    case .ramp: return .ramp
    case .movingWalkway: return .movingWalkway
    default: break
    }
    if let room = self["room"], let kind = OSMTags.rooms[room] { return kind }
    if let amenity = self["amenity"] {
      if let kind = OSMTags.amenities[amenity] ?? SpaceKindWords.kind(of: amenity) { return kind }
    }
    if self["shop"] != nil { return .shop }
    if self["office"] != nil { return .office }
    if let tourism = self["tourism"], ["museum", "gallery", "artwork"].contains(tourism) { return .exhibition }
    if self["railway"] == "platform" || self["public_transport"] == "platform" { return .platform }
    switch self["indoor"] {
    case "corridor": return .corridor
    case "room": return .room
    case "area": return .area
    case "yes": return .unknown
    default: break
    }
    if self["highway"] == "corridor" || self["highway"] == "footway" { return .corridor }
    return self["room"] == nil ? nil : .room
  }

  /// The kinds of `room=*`; other values are rooms.
  static let rooms: [String: SpaceKind] = [
    "office": .office, "shop": .shop, "toilet": .restroom, "toilets": .restroom, "restroom": .restroom,
    "bathroom": .restroom, "changing": .restroom, "locker": .restroom, "stairs": .stairs, "elevator": .elevator,
    "corridor": .corridor, "hall": .lobby, "entrance": .lobby, "lobby": .lobby, "waiting": .waitingArea,
    "class": .classroom,
    "lecture": .auditorium, "auditorium": .auditorium, "conference": .meetingRoom, "meeting": .meetingRoom,
    "kitchen": .kitchen, "storage": .storage, "technical": .service, "server": .service, "laboratory": .laboratory,
    "library": .library, "prayer": .prayerRoom, "chapel": .prayerRoom, "restaurant": .restaurant, "bar": .restaurant,
    "cafe": .restaurant, "sport": .sports, "sports": .sports, "gallery": .exhibition, "exhibition": .exhibition,
    "parking": .parking, "garage": .parking, "ramp": .ramp, "medical": .medical, "ward": .ward,
  ]

  /// The kinds of `amenity=*`.
  static let amenities: [String: SpaceKind] = [
    "toilets": .restroom, "shower": .restroom, "cafe": .restaurant, "restaurant": .restaurant, "fast_food": .restaurant,
    "bar": .restaurant, "pub": .restaurant, "food_court": .restaurant, "ice_cream": .restaurant,
    "place_of_worship": .prayerRoom, "pharmacy": .shop, "library": .library, "theatre": .auditorium,
    "cinema": .auditorium, "clinic": .medical, "doctors": .medical, "hospital": .medical, "dentist": .medical,
    "parking": .parking, "bicycle_parking": .parking, "classroom": .classroom, "school": .classroom,
    "waiting_room": .waitingArea, "waiting_area": .waitingArea, "police": .office, "post_office": .shop, "bank": .shop,
    "car_rental": .shop, "bureau_de_change": .shop, "left_luggage": .service, "luggage_locker": .service,
  ]
}
