import CordonCore

/// Finds spaces whose names suggest that people expect not to be recorded there, although their kind does not.
///
/// By default, only kinds determine the unrecorded spaces. Without this check, a prayer room that the source calls a
/// service room would be recorded unnoticed.
enum PrivateSpaceNames {
  private static let phrases: [(suggestion: SpaceKind, phrases: [String])] = [
    (
      .prayerRoom,
      [
        "prayer", "prayers", "praying", "chapel", "mosque", "musalla", "synagogue", "shrine", "oratory", "worship",
        "multi faith", "multifaith", "interfaith", "meditation", "contemplation", "reflection room", "quiet room",
        "quiet space", "silent room", "silence room", "room of silence", "gebetsraum", "gebetsraeume", "gebet",
        "andachtsraum", "kapelle", "moschee", "raum der stille", "ort der stille", "ruheraum", "meditationsraum",
        "priere", "salle de priere", "chapelle", "mosquee", "recueillement", "salle de silence", "oracion", "capilla",
        "mezquita", "sala de silencio", "preghiera", "cappella", "moschea", "gebedsruimte", "stilteruimte", "mescit",
      ]
    ),
    (
      .restroom,
      [
        "wc", "wcs", "toilet", "toilets", "toilette", "toilettes", "toiletten", "restroom", "restrooms", "washroom",
        "washrooms", "bathroom", "bathrooms", "lavatory", "lavatories", "locker room", "locker rooms", "changing room",
        "changing rooms", "change room", "dressing room", "fitting room", "shower", "showers", "nursing room",
        "lactation", "lactation room", "mothers room", "baby care", "baby change", "umkleide", "umkleiden",
        "umkleideraum", "dusche", "duschen", "wickelraum", "stillraum", "vestiaire", "vestiaires", "douche", "douches",
        "sanitaires", "allaitement", "aseo", "aseos", "vestuario", "vestuarios", "bagno", "bagni", "spogliatoio",
      ]
    ),
  ]

  // The kind that each phrase suggests, and the maximum number of words of a phrase.
  private static let suggestions: [String: SpaceKind] = {
    var table: [String: SpaceKind] = [:]
    for line in phrases { for phrase in line.phrases where table[phrase] == nil { table[phrase] = line.suggestion } }
    return table
  }()
  private static let longestPhrase = 3

  /// Returns the kind that a name suggests, if that kind is unrecorded by default.
  static func suggestion(of name: String) -> SpaceKind? {
    // Longer texts are descriptions, not names.
    guard name.utf8.count <= 256 else { return nil }
    let words = SpaceKindWords.fold(name).split(separator: " ")
    for start in words.indices {
      for length in 1...longestPhrase where start + length <= words.count {
        if let kind = suggestions[words[start..<(start + length)].joined(separator: " ")] { return kind }
      }
    }
    return nil
  }

  /// Reports every space whose name suggests a private place and whose kind is recorded by default.
  static func report(_ venue: Venue, bundle: String, into findings: inout FindingLog) {
    let unrecorded = RecordingPolicy().unrecordedKinds
    for space in venue.spaces where !unrecorded.contains(space.kind) && space.kind.isWalkable && !space.kind.isVertical
    {
      for name in space.name.values.sorted(by: { $0.key < $1.key }).map(\.value) {
        guard let kind = suggestion(of: name) else { continue }
        findings.add(
          .warning, "possible-private-space", file: bundle, object: space.id.rawValue, action: .ignored,
          "\"\(name)\" may be a \(kind.rawValue), but its kind is \(space.kind.rawValue), which is recorded; "
            + "leave it out with --unrecorded-space \(space.id)")
        break
      }
    }
  }
}
