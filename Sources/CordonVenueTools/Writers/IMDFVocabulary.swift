import CordonVenues

/// The vocabulary of IMDF for our kinds.
enum IMDFVocabulary {
  /// Returns the category of a unit. Kinds without a category in the format become rooms, and `cordon_kind` keeps them.
  static func unitCategory(of kind: SpaceKind) -> String {
    switch kind {
    case .room, .shop, .ward, .exhibition, .service: "room"
    case .office: "office"
    case .meetingRoom: "conferenceroom"
    case .classroom: "classroom"
    case .laboratory: "laboratory"
    case .library: "library"
    case .auditorium: "auditorium"
    case .lobby: "lobby"
    case .corridor: "walkway"
    case .restaurant: "foodservice"
    case .kitchen: "kitchen"
    case .restroom: "restroom"
    case .prayerRoom: "prayerroom"
    case .medical: "examinationroom"
    case .waitingArea: "waitingroom"
    case .storage: "storage"
    case .sports: "recreation"
    case .platform: "platform"
    case .parking: "parking"
    case .terrace: "terrace"
    case .outdoor, .area: "unenclosedarea"
    case .stairs: "stairs"
    case .elevator: "elevator"
    case .escalator: "escalator"
    case .ramp: "ramp"
    case .movingWalkway: "movingwalkway"
    case .openToBelow: "opentobelow"
    case .inaccessible: "nonpublic"
    case .unknown: "unspecified"
    }
  }

  /// Returns the category of an amenity in a space of this kind; `nil` for an occupant.
  static func amenityCategory(of kind: SpaceKind) -> String? {
    switch kind {
    case .restroom: "restroom"
    case .prayerRoom: "prayerroom"
    case .platform: "transitplatform"
    default: nil
    }
  }

  /// Returns the category of an occupant of a space of this kind.
  static func occupantCategory(of kind: SpaceKind) -> String {
    switch kind {
    case .shop: "shopping"
    case .restaurant: "restaurant"
    case .exhibition: "museum"
    case .medical, .ward: "hospital"
    case .library: "library"
    case .classroom, .auditorium, .laboratory: "education"
    default: "services"
    }
  }

  /// The categories of geofences.
  static let geofenceCategories: Set<String> = [
    "concourse", "geofence", "paidarea", "platform", "postsecurity", "presecurity", "terminal", "underconstruction",
  ]

  /// Checks whether a text can be the category of a section: a lower-case word that is not a category of geofences.
  static func isSectionCategory(_ word: String) -> Bool {
    !word.isEmpty && !geofenceCategories.contains(word)
      && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2E }
  }

  /// Returns the category of a relationship between floors; `nil` if the format has none.
  static func relationshipCategory(of kind: Connection.Kind) -> String? {
    switch kind {
    case .stairs, .ladder: "stairs"
    case .elevator: "elevator"
    case .escalator: "escalator"
    case .ramp: "ramp"
    case .movingWalkway: "movingwalkway"
    case .unknown: nil
    }
  }

  /// Returns the category of the venue, by the purpose of most of its rooms.
  static func venueCategory(of venue: Venue) -> String {
    func count(_ kinds: Set<SpaceKind>) -> Int { venue.spaces.count { kinds.contains($0.kind) } }
    let votes: [(String, Int)] = [
      ("businesscampus", count([.office, .meetingRoom])), ("shoppingcenter", count([.shop, .restaurant])),
      ("museum", count([.exhibition])), ("healthcarefacility", count([.medical, .ward])),
      ("university", count([.classroom, .laboratory, .auditorium, .library])),
    ]
    if count([.platform]) > 0 { return "trainstation" }
    let best = votes.enumerated().max { ($0.element.1, -$0.offset) < ($1.element.1, -$1.offset) }
    return best?.element.0 ?? "businesscampus"
  }
}
