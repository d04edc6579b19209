import CordonContacts
import CordonCore
import CordonGeometry

/// The file `contacts.csv`: one line for each contact, for spreadsheets and statistics.
enum ContactsCSV {
  /// The column names in order.
  static let header = [
    "source", "first_person", "first_device", "second_person", "second_device", "floor", "first_space",
    "first_space_name", "second_space", "second_space_name", "start", "end", "duration_s", "min_distance_m",
    "min_distance_time", "longitude", "latitude", "wall_share",
  ]

  static func write(_ contents: RunContents, to sink: @escaping ([UInt8]) throws -> Void) throws {
    let frame = LocalFrame(origin: contents.parameters.frameOrigin)
    var csv = try CSVWriter(header: header, sink: sink)
    for row in contents.contacts {
      let contact = row.contact
      csv.cell(word: row.source.rawValue)
      for person in [contact.first, contact.second] {
        csv.cell(integer: Int64(person))
        csv.cell(text: contents.people[Int(person)].device?.rawValue ?? "")
      }
      csv.cell(FloorNumber.ordinal(contact.floor), places: 3)
      for space in [row.firstSpace, row.secondSpace] { csv.cells(space: space, of: contents.venue) }
      // Microseconds in the table; here the milliseconds in which the contact begins and ends.
      csv.cell(time: CSVWriter.milliseconds(contact.start))
      csv.cell(time: CSVWriter.milliseconds(contact.end))
      csv.cell(Double(contact.duration) / 1e6, places: 6)
      csv.cell(contact.minimumDistance, places: 4)
      csv.cell(time: CSVWriter.milliseconds(contact.minimumDistanceTime))
      let place = frame.unproject(PlanePoint(x: contact.x, y: contact.y))
      csv.cell(place.longitude, places: 8)
      csv.cell(place.latitude, places: 8)
      csv.cell(row.wallShare, places: 4)
      try csv.endRow()
    }
    try csv.finish()
  }
}

/// The file `occupancy.csv`: one line for each floor or space and time bin.
enum OccupancyCSV {
  /// The column names in order.
  static let header = [
    "source", "floor", "space", "space_name", "space_kind", "area_m2", "start", "end", "mean_count", "peak_count",
    "floor_name", "start_local", "end_local",
  ]

  static func write(_ contents: RunContents, to sink: @escaping ([UInt8]) throws -> Void) throws {
    let bin = contents.parameters.occupancyBin.milliseconds
    let areas = contents.venue.spaces.map(\.area)
    let zone = LocalTimes(contents: contents)
    let floors = Dictionary(
      contents.venue.floors.map { ($0.ordinal.thousandths, $0.name) }, uniquingKeysWith: { first, _ in first })
    var csv = try CSVWriter(header: header, sink: sink)
    for row in contents.occupancy {
      csv.cell(word: row.source.rawValue)
      csv.cell(FloorNumber.ordinal(row.floor), places: 3)
      csv.cells(space: row.space, of: contents.venue)
      if row.space == ObservedLocation.noSpace {
        csv.emptyCell()
        csv.emptyCell()
      } else {
        csv.cell(text: contents.venue.spaces[Int(row.space)].kind)
        csv.cell(areas[Int(row.space)], places: 2)
      }
      let end = (Instant(milliseconds: row.binStart) + TimeSpan(milliseconds: bin)).milliseconds
      csv.cell(time: row.binStart)
      csv.cell(time: end)
      csv.cell(row.mean, places: 4)
      csv.cell(integer: Int64(row.peak))
      csv.cell(text: floors[row.floor] ?? "")
      csv.cell(localTime: row.binStart, in: zone)
      csv.cell(localTime: end, in: zone)
      try csv.endRow()
    }
    try csv.finish()
  }
}

extension CSVWriter {
  /// Returns milliseconds rounded down, also before 1970.
  static func milliseconds(_ microseconds: Int64) -> Int64 {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
