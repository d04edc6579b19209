/// The words of IMDF for our kinds.
enum IMDFVocabulary {
  /// The category of a unit. Kinds that the format has no word for are rooms; `cordon_kind` beside it keeps them.
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

  /// The category of an amenity in a space of this kind; `nil` when it is an occupant.
  static func amenityCategory(of kind: SpaceKind) -> String? {
    switch kind {
    case .restroom: "restroom"
    case .prayerRoom: "prayerroom"
    case .platform: "transitplatform"
    default: nil
    }
  }

  /// The category of what occupies a space of this kind.
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

  /// The categories of a geofence.
  static let geofenceCategories: Set<String> = [
    "concourse", "geofence", "paidarea", "platform", "postsecurity", "presecurity", "terminal", "underconstruction",
  ]

  /// Whether a word can be the category of a section: one word in small letters that is no geofence's.
  static func isSectionCategory(_ word: String) -> Bool {
    !word.isEmpty && !geofenceCategories.contains(word)
      && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2E }
  }

  /// The category of a relationship between floors; `nil` when the format has no word.
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

  /// The category of the venue, by what most of its rooms are for.
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
