/// Guesses what a space is for from its name, for sources whose own vocabulary says no more than "room".
///
/// The table is tried from top to bottom; the first line with a phrase that occurs in the name as whole
/// words decides. Upper case, accents of the common kind and apostrophes do not matter ("Men's Washroom" is "mens
/// washroom"). Places where people undress count as restrooms, so that they are not recorded by default.
enum SpaceKindWords {
  private static let table: [(kind: SpaceKind, phrases: [String])] = [
    (
      .restroom,
      [
        "washroom", "washrooms", "restroom", "restrooms", "toilet", "toilets", "toilettes", "toiletten", "wc",
        "bathroom",
        "bathrooms", "lavatory", "mens", "womens", "ladies", "gents", "locker room", "changing room", "change room",
        "shower", "showers", "baby change",
      ]
    ),
    (.prayerRoom, ["prayer", "prayer room", "chapel", "mosque", "multi faith", "multifaith", "meditation", "worship"]),
    (.stairs, ["stair", "stairs", "stairwell", "stairway", "staircase", "escalier", "treppe", "treppenhaus"]),
    (.elevator, ["elevator", "elevators", "lift", "lifts", "ascenseur", "aufzug"]),
    (.escalator, ["escalator", "escalators", "rolltreppe"]),
    (
      .storage,
      ["storage", "closet", "storeroom", "store room", "stockroom", "archive", "archives", "warehouse", "lager"]
    ),
    (
      .service,
      [
        "maintenance", "custodial", "custodian", "janitor", "electrical", "mechanical", "server", "utility", "copier",
        "copy room", "print point", "printer", "loading dock", "mail room", "mailroom", "plant room",
      ]
    ),
    (.kitchen, ["kitchen", "kitchenette", "pantry", "kueche"]),
    (
      .meetingRoom,
      [
        "meeting room", "meeting", "conference", "conference room", "boardroom", "board room", "huddle",
        "interview room",
      ]
    ),
    (.classroom, ["classroom", "class", "learning centre", "learning center", "music room", "seminar", "homeroom"]),
    (.laboratory, ["lab", "labs", "laboratory", "labor"]),
    (.library, ["library", "bibliotheque", "bibliothek"]),
    (.auditorium, ["auditorium", "theatre", "theater", "lecture hall", "cinema", "stage", "aula"]),
    (.medical, ["clinic", "medical", "first aid", "nurse", "infirmary", "treatment", "examination"]),
    (.ward, ["ward", "patient room"]),
    (.waitingArea, ["waiting", "waiting room", "waiting area", "departure lounge", "salle d attente"]),
    (
      .restaurant,
      ["restaurant", "cafeteria", "cafe", "canteen", "dining", "food court", "bar", "bistro", "mensa", "dining area"]
    ),
    (.sports, ["gym", "gymnasium", "fitness", "swimming pool", "turnhalle"]),
    (.exhibition, ["gallery", "exhibition", "exhibit", "museum"]),
    (.parking, ["parking", "garage", "car park"]),
    (.terrace, ["terrace", "balcony", "patio", "roof deck"]),
    (.lobby, ["lobby", "reception", "foyer", "atrium", "vestibule", "entrance hall"]),
    (.corridor, ["corridor", "hallway", "passage", "couloir", "flur"]),
    (.platform, ["platform", "quai", "bahnsteig"]),
    (.shop, ["shop", "store", "boutique"]),
    (
      .office,
      ["office", "offices", "staff room", "faculty room", "focus", "focus room", "workspace", "bureau", "buero"]
    ),
  ]

  /// The kind that a name suggests; `nil` when no line of the table speaks of it.
  static func kind(of name: String) -> SpaceKind? {
    let words = " " + fold(name) + " "
    guard words.utf8.count > 2 else { return nil }
    for (kind, phrases) in table {
      for phrase in phrases where words.contains(" " + phrase + " ") { return kind }
    }
    return nil
  }

  /// The kind of a space whose source calls it `kind`, bettered by the first name that says more.
  static func refine(_ kind: SpaceKind, names: [String]) -> SpaceKind {
    switch kind {
    case .room, .area, .unknown:
      for name in names {
        if let better = SpaceKindWords.kind(of: name) { return better }
      }
      return kind
    default: return kind
    }
  }

  // Lower-case ASCII words with one space between them.
  private static func fold(_ name: String) -> String {
    var folded = ""
    for scalar in name.lowercased().unicodeScalars {
      switch scalar {
      case "a"..."z", "0"..."9": folded.unicodeScalars.append(scalar)
      case "à", "á", "â", "ã", "å": folded += "a"
      case "ä": folded += "ae"
      case "ö": folded += "oe"
      case "ü": folded += "ue"
      case "é", "è", "ê", "ë": folded += "e"
      case "ç": folded += "c"
      case "'", "’", "\u{301}": break
      default: if folded.last != " " { folded += " " }
      }
    }
    return folded.last == " " ? String(folded.dropLast()) : folded
  }
}
