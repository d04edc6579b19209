/// Guesses the purpose of a space from its name, for sources whose vocabulary contains little more than "room".
///
/// The first line of the table with a phrase that occurs in the name as whole words determines the kind. Case, common
/// accents and apostrophes are ignored ("Men's Washroom" is "mens washroom"). Places where people undress count as
/// restrooms, so that they are not recorded by default.
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
    (.waitingArea, ["waiting", "waiting room", "waiting area", "departure lounge", "salle dattente"]),
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

  // The line number of each phrase, so that the lookup of a name does not depend on the length of the table.
  private static let lines: [String: Int] = {
    var lines: [String: Int] = [:]
    for (number, line) in table.enumerated() {
      for phrase in line.phrases where lines[phrase] == nil { lines[phrase] = number }
    }
    return lines
  }()

  private static let longestPhrase = 3

  /// Returns the kind that a name suggests; `nil` if no phrase of the table matches.
  static func kind(of name: String) -> SpaceKind? {
    // Longer texts are descriptions, not names.
    guard name.utf8.count <= 256 else { return nil }
    let words = fold(name).split(separator: " ")
    var best: Int?
    for start in words.indices {
      var phrase = ""
      for word in words[start...].prefix(longestPhrase) {
        if !phrase.isEmpty { phrase += " " }
        phrase += word
        if let line = lines[phrase], line < best ?? .max { best = line }
      }
    }
    return best.map { table[$0].kind }
  }

  /// Returns the kind of a space in the source, refined by the first name that suggests a kind.
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

  // Returns lower-case ASCII words, separated by single spaces.
  static func fold(_ name: String) -> String {
    var folded: [UInt8] = []
    folded.reserveCapacity(name.utf8.count)
    for scalar in name.unicodeScalars {
      switch scalar {
      case "a"..."z", "0"..."9": folded.append(UInt8(truncatingIfNeeded: scalar.value))
      case "A"..."Z": folded.append(UInt8(truncatingIfNeeded: scalar.value + 32))
      case "à", "á", "â", "ã", "å", "À", "Á", "Â": folded += "a".utf8
      case "ä", "Ä": folded += "ae".utf8
      case "ö", "Ö": folded += "oe".utf8
      case "ü", "Ü": folded += "ue".utf8
      case "é", "è", "ê", "ë", "É", "È", "Ê": folded += "e".utf8
      case "ç", "Ç": folded += "c".utf8
      case "'", "’", "\u{301}": break
      default: if folded.last != 0x20 { folded.append(0x20) }
      }
    }
    return String(decoding: folded, as: UTF8.self)
  }
}
