package import CordonCore
internal import CordonSupport

/// A place that people visit, with its category and opening hours.
package struct PointOfInterest: Hashable, Sendable {
  /// The identifier in its list.
  package var id: String
  /// The name.
  package var name: String
  /// The category: 2 to 6 digits, each further one narrower, as NAICS numbers them. `62` holds `6211`.
  package var category: String
  /// The middle.
  package var coordinate: Coordinate
  /// The radius of the place in metres.
  package var radius: Double
  /// The opening hours; always open without any.
  package var hours: [OpeningHours]

  /// Creates a place.
  package init(
    id: String, name: String, category: String, coordinate: Coordinate, radius: Double = 20,
    hours: [OpeningHours] = []
  ) {
    self.id = id
    self.name = name
    self.category = category
    self.coordinate = coordinate
    self.radius = radius
    self.hours = hours
  }

  /// Whether the place is of a category or a narrower one.
  package func belongs(to category: String) -> Bool { self.category.hasPrefix(category) }

  /// Reads a list of places.
  package static func list(_ body: StudyFields) throws(StudyError) -> [PointOfInterest] {
    try body.only(["places"])
    var places: [PointOfInterest] = []
    for entry in try body.list("places") {
      try entry.only(["id", "name", "category", "lon", "lat", "radius", "hours"])
      let category = try entry.text("category", 2...6)
      guard category.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw StudyError(.badField, "2 to 6 digits", field: entry.place("category"))
      }
      var hours: [OpeningHours] = []
      for text in try entry.texts("hours") {
        guard let found = OpeningHours(text) else {
          throw StudyError(.badField, "each such as 'Mo-Fr 08:00-18:30'", field: entry.place("hours"))
        }
        hours.append(found)
      }
      places.append(
        PointOfInterest(
          id: try entry.text("id", 1...100), name: try entry.text("name", 1...200), category: category,
          coordinate: Coordinate(
            longitude: try entry.number("lon", -180...180), latitude: try entry.number("lat", -90...90)),
          radius: try entry.optionalNumber("radius", 1...5_000) ?? 20, hours: hours))
    }
    return places
  }
}

/// The hours of some days of the week on the local clock, such as `Mo-Fr 08:00-18:30`; hours over midnight are `22:00-02:00`.
package struct OpeningHours: Hashable, Sendable {
  /// The days: 0 is Monday.
  package var days: Set<Int>
  /// Minutes of the day.
  package var from: Int
  /// Minutes of the day; not after ``from`` for hours over midnight.
  package var to: Int

  private static let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

  /// Reads a text; `nil` for others.
  package init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2 else { return nil }
    var days: Set<Int> = []
    for part in words[0].split(separator: ",") {
      let ends = part.split(separator: "-").map { Self.names.firstIndex(of: String($0)) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2 else { return nil }
      for step in 0...((last - first + 7) % 7) { days.insert((first + step) % 7) }
    }
    let times = words[1].split(separator: "-").map { Self.minutes($0) }
    guard times.count == 2, let from = times[0], let to = times[1], from != to else { return nil }
    (self.days, self.from, self.to) = (days, from, to)
  }

  private static func minutes(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":").map { Int($0) }
    guard text.utf8.count == 5, parts.count == 2, let hour = parts[0], let minute = parts[1], (0...24).contains(hour),
      (0...59).contains(minute), hour * 60 + minute <= 1_440
    else { return nil }
    return hour * 60 + minute
  }

  /// Whether the place is open at a local time, in milliseconds since 1970 on the local clock.
  package func contains(localTime: Int64) -> Bool {
    let day = Instant(milliseconds: localTime).bucket(of: .days(1))
    let minute = Int((localTime - day * 86_400_000) / 60_000)
    // 1970-01-01 was a Thursday.
    let weekday = Int(((day + 3) % 7 + 7) % 7)
    if from < to { return days.contains(weekday) && minute >= from && minute < to }
    return days.contains(weekday) && minute >= from || days.contains((weekday + 6) % 7) && minute < to
  }
}
