package import CordonContacts
package import CordonCore
internal import Foundation

/// A time zone with its summer time, for clock readings that give none.
package struct LocalZone: Hashable, Sendable {
  /// Its name, such as `Europe/Berlin`, `UTC` or `+02:00`.
  package let name: String
  private let zone: TimeZone

  /// Creates a zone by its name or its offset from UTC; `nil` if the name is unknown.
  package init?(_ name: String) {
    if name.isEmpty { return nil }
    if let zone = TimeZone(identifier: name) {
      self.zone = zone
    } else if let reading = Timestamp("1970-01-01T00:00:00\(name)"), reading.hasZone,
      let zone = TimeZone(secondsFromGMT: Int(-reading.instant.milliseconds / 1_000))
    {
      self.zone = zone
    } else {
      return nil
    }
    self.name = name
  }

  /// Returns the time at which clocks showed a reading: the first of two if clocks were set back, and for a reading that
  /// clocks skipped the time as if they had not been set forward.
  /// - Parameter reading: milliseconds since 1970, if the reading were UTC.
  /// - Returns: milliseconds since 1970.
  func milliseconds(showing reading: Int64) -> Int64 {
    let day: Int64 = 86_400_000
    let offsets = [reading - day, reading + day].map { offset(at: $0) }
    for offset in offsets.sorted(by: >) where self.offset(at: reading - offset) == offset { return reading - offset }
    return reading - offsets[0]
  }

  /// Returns the calendar days of the zone, with all changes of its clocks in a span of time.
  package func days(from first: Instant, to last: Instant) -> LocalDays {
    var date = Date(timeIntervalSince1970: Double(first.milliseconds) / 1_000)
    let end = Date(timeIntervalSince1970: Double(last.milliseconds) / 1_000)
    var changes: [LocalDays.Change] = []
    let offset = TimeSpan.milliseconds(self.offset(at: first.milliseconds))
    while let next = zone.nextDaylightSavingTimeTransition(after: date), next <= end, next > date {
      let time = Int64((next.timeIntervalSince1970 * 1e3).rounded())
      changes.append(LocalDays.Change(from: Instant(milliseconds: time), offset: .milliseconds(self.offset(at: time))))
      date = next
    }
    return LocalDays(offset: offset, changes: changes)
  }

  /// Milliseconds east of UTC.
  private func offset(at milliseconds: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))) * 1_000
  }
}

/// Makes instants of clock readings, and counts those without a zone.
struct ZonedClock {
  /// The zone of readings without one; `nil` for UTC.
  let zone: LocalZone?
  /// How many readings gave no zone.
  private(set) var zonelessCount = 0
  /// A quarter of an hour in which readings differ from instants by the same.
  private var known: (reading: Int64, instant: Int64)?

  init(zone: LocalZone?) { self.zone = zone }

  mutating func milliseconds(of stamp: Timestamp) -> Int64 {
    let reading = stamp.instant.milliseconds
    return stamp.hasZone ? reading : milliseconds(reading: reading)
  }

  /// The instant of a reading without a zone.
  /// - Parameter reading: milliseconds since 1970, if the reading were UTC.
  mutating func milliseconds(reading: Int64) -> Int64 {
    zonelessCount += 1
    guard let zone else { return reading }
    // Clocks are set at whole quarters of an hour.
    let quarter = reading.flooredMultiple(of: 900_000)
    if known?.reading != quarter { known = (quarter, zone.milliseconds(showing: quarter)) }
    return (known?.instant ?? quarter) + (reading - quarter)
  }

  /// The assumed zone, as a sentence; `nil` when every time gave its zone.
  var assumption: String? {
    guard zonelessCount > 0 else { return nil }
    return "times without a zone are read " + (zone.map { "in the zone \($0.name)" } ?? "as UTC")
  }
}
