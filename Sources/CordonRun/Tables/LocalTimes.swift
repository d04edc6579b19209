import CordonCore

/// The local times of a run as spreadsheets read them, such as `2026-01-05 09:00:00`.
///
/// The offsets from UTC are looked up once, because tables have many rows.
struct LocalTimes {
  /// The zone of the times: an IANA name, or `UTC`.
  let zone: String
  private let changes: [(from: Int64, offset: Int64)]

  init(contents: RunContents) {
    let clock = ReportClock(zone: contents.venue.timeZone)
    zone = clock.zone
    changes = clock.offsets(from: contents.parameters.start, to: contents.parameters.end)
  }

  /// Appends the local time of an instant, rounded down to the second.
  func append(_ milliseconds: Int64, to bytes: inout [UInt8]) {
    let offset = (changes.last { $0.from <= milliseconds } ?? changes.first)?.offset ?? 0
    let first = bytes.count
    Instant(milliseconds: milliseconds + offset).appendRFC3339(to: &bytes)
    // The milliseconds and the letter of UTC.
    bytes.removeLast(5)
    if let separator = bytes[first...].firstIndex(of: UInt8(ascii: "T")) { bytes[separator] = UInt8(ascii: " ") }
  }
}

extension CSVWriter {
  /// Appends an instant twice, in UTC and as local time; two empty cells for `nil`.
  mutating func cells(time milliseconds: Int64?, in zone: LocalTimes) {
    guard let milliseconds else {
      emptyCell()
      emptyCell()
      return
    }
    cell(time: milliseconds)
    cell(localTime: milliseconds, in: zone)
  }

  /// Appends the identifier and the name of a space; two empty cells if there is none.
  mutating func cells(space: Int32, of venue: RunVenue) {
    guard venue.spaces.indices.contains(Int(space)) else {
      emptyCell()
      emptyCell()
      return
    }
    cell(text: venue.spaces[Int(space)].id.rawValue)
    cell(text: venue.spaces[Int(space)].name)
  }

  /// Appends the ordinal and the name of a floor; the name of the first of several floors with that ordinal.
  mutating func cells(floor thousandths: Int32, of venue: RunVenue) {
    cell(FloorNumber.ordinal(thousandths), places: 3)
    cell(text: venue.floors.first { $0.ordinal.thousandths == thousandths }?.name ?? "")
  }
}
