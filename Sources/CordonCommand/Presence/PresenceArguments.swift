import ArgumentParser
import CordonCommandLine
import CordonContacts
import CordonCore
import CordonExchange
import CordonPresence
import Foundation

/// A home on the command line: `11.58,48.14,100`, and `@` with a time from which it holds.
struct HomeArgument: DescribedArgument, Sendable {
  let home: HomePlace

  init?(argument: String) {
    let parts = argument.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    var from: Instant?
    if parts.count == 2 {
      guard let time = try? Instant(rfc3339: String(parts[1])) else { return nil }
      from = time
    }
    var texts = parts[0].split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard (2...3).contains(texts.count) else { return nil }
    if texts.count == 3, texts[2].hasSuffix("m") { texts[2].removeLast() }
    let numbers = texts.compactMap { Double($0) }
    guard numbers.count == texts.count,
      let home = try? HomePlace(
        Coordinate(longitude: numbers[0], latitude: numbers[1]),
        radius: numbers.count == 3 ? numbers[2] : HomePlace.defaultRadius, from: from)
    else { return nil }
    self.home = home
  }

  static var valueName: String { "lon,lat,radius" }
  static var forms: String {
    "LON,LAT,RADIUS with 50 to 500 metres, and @TIME for a home from then on: 11.58,48.14,100@2026-03-01T00:00:00Z"
  }
}

/// A change of the time zone by travel on the command line: `2026-03-01T10:00:00Z=America/New_York`.
struct TravelArgument: DescribedArgument, Sendable {
  let from: Instant
  let zone: LocalZone

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let from = try? Instant(rfc3339: String(parts[0])), let zone = LocalZone(String(parts[1]))
    else { return nil }
    self.from = from
    self.zone = zone
  }

  static var valueName: String { "time=zone" }
  static var forms: String { "a time in RFC 3339 and a zone: 2026-03-01T10:00:00Z=America/New_York" }
}

/// A calendar day on the command line: `2026-01-31`.
struct DayArgument: DescribedArgument, Sendable {
  let name: String

  init?(argument: String) {
    guard argument.utf8.count == 10, (try? Instant(rfc3339: argument + "T00:00:00Z")) != nil else { return nil }
    name = argument
  }

  static var valueName: String { "date" }
  static var forms: String { "a date: 2026-01-31" }
}

extension DayCalendar {
  /// Creates the days of a zone, and of others from some times on.
  /// - Parameters:
  ///   - zone: at the beginning; `nil` for UTC.
  ///   - travel: in any order.
  init(zone: LocalZone?, travel: [TravelArgument] = []) {
    // Clocks outside of these years keep the first or the last offset.
    let (first, last) = (Instant(milliseconds: 0), Instant(milliseconds: 2_840_140_800_000))
    let stays = travel.sorted { $0.from < $1.from }
    var changes: [Change] = []
    let start = zone?.days(from: first, to: stays.first?.from ?? last)
    changes += start?.changes.map { Change(from: $0.from, offset: $0.offset) } ?? []
    for (number, stay) in stays.enumerated() {
      let days = stay.zone.days(from: stay.from, to: number + 1 < stays.count ? stays[number + 1].from : last)
      changes.append(Change(from: stay.from, offset: days.offset))
      changes += days.changes.map { Change(from: $0.from, offset: $0.offset) }
    }
    self.init(offset: start?.offset ?? .zero, changes: changes)
  }
}
