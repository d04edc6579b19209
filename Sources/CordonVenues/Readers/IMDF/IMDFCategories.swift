/// The categories of IMDF.
enum IMDFCategories {
  /// The categories of solid units.
  static let solidUnits: Set<String> = ["brick", "column", "concrete", "drywall", "glass", "wood", "structure"]

  /// The kind of space of each `category` of a unit.
  static let units: [String: SpaceKind] = [
    "auditorium": .auditorium, "classroom": .classroom, "conferenceroom": .meetingRoom, "elevator": .elevator,
    "escalator": .escalator, "examinationroom": .medical, "firstaid": .medical, "fitnessroom": .sports,
    "foodservice": .restaurant, "footbridge": .corridor, "huddleroom": .meetingRoom, "kitchen": .kitchen,
    "laboratory": .laboratory, "library": .library, "lobby": .lobby, "lounge": .waitingArea, "mailroom": .service,
    "mothersroom": .restroom, "movietheater": .auditorium, "movingwalkway": .movingWalkway, "nonpublic": .inaccessible,
    "office": .office, "opentobelow": .openToBelow, "parking": .parking, "phoneroom": .office, "platform": .platform,
    "prayerroom": .prayerRoom, "privatelounge": .waitingArea, "ramp": .ramp, "recreation": .sports,
    "restroom": .restroom, "restroom.family": .restroom, "restroom.female": .restroom,
    "restroom.female.wheelchair": .restroom, "restroom.male": .restroom, "restroom.male.wheelchair": .restroom,
    "restroom.transgender": .restroom, "restroom.transgender.wheelchair": .restroom, "restroom.unisex": .restroom,
    "restroom.unisex.wheelchair": .restroom, "restroom.wheelchair": .restroom, "road": .outdoor, "room": .room,
    "serverroom": .service, "shower": .restroom, "smokingarea": .area, "stairs": .stairs, "steps": .stairs,
    "storage": .storage, "terrace": .terrace, "theater": .auditorium, "unenclosedarea": .area, "unspecified": .unknown,
    "vegetation": .inaccessible, "waitingroom": .waitingArea, "walkway": .corridor, "walkway.island": .corridor,
    "retail": .shop,
  ]

  /// Returns the kind of connection of a category of an amenity or relationship; `nil` for others.
  static func connection(_ category: String) -> Connection.Kind? {
    switch category {
    case "stairs", "steps": .stairs
    case "elevator": .elevator
    case "escalator": .escalator
    case "ramp": .ramp
    case "movingwalkway": .movingWalkway
    default: nil
    }
  }

  /// Returns the kind of a unit.
  static func kind(_ category: String) -> SpaceKind {
    units[category] ?? (category.hasPrefix("restroom") ? .restroom : .unknown)
  }
}
