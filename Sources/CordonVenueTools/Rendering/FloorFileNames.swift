import CordonCore
package import CordonVenues

/// The names of the files of floors.
package enum FloorFileNames {
  /// Returns a name for each of some floors of a venue, without an ending: from the name of the floor, with that of the
  /// building if there are several.
  ///
  /// Names consist of lower-case letters, digits and hyphens, begin with a letter or digit, and are unique. A floor
  /// without a name of ASCII letters is called `floor-` and its ordinal.
  package static func names(of floors: [Floor], in venue: Venue) -> [String] {
    var taken: Set<String> = ["index"]
    return floors.map { floor in
      let building = venue.buildings.count > 1 ? venue.buildings.first { $0.id == floor.building }?.name.text() : nil
      let name = slug(floor.name.text() ?? floor.shortName.text() ?? "")
      // A slug of "-1" would be that of another floor.
      let own = name.contains(where: \.isLetter) ? name : "floor-" + ordinal(floor.ordinal)
      let base = [slug(building ?? ""), own].filter { !$0.isEmpty }.joined(separator: "-")
      var candidate = base
      var count = 1
      while !taken.insert(candidate).inserted {
        count += 1
        candidate = "\(base)-\(count)"
      }
      return candidate
    }
  }

  /// Returns text with hyphens in place of everything but ASCII letters and digits, at most 60 characters.
  private static func slug(_ text: String) -> String {
    var slug = ""
    for byte in text.lowercased().utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        slug.unicodeScalars.append(Unicode.Scalar(byte))
      default: if let last = slug.last, last != "-" { slug.append("-") }
      }
      if slug.utf8.count == 60 { break }
    }
    while slug.last == "-" { slug.removeLast() }
    return slug
  }

  private static func ordinal(_ ordinal: FloorOrdinal) -> String {
    ordinal.description.replacing("-", with: "minus-").replacing(".", with: "-")
  }
}
