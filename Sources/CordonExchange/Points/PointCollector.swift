internal import CordonContacts
internal import CordonCore
internal import CordonGeometry

/// Takes rows of points in and makes a table of them.
struct PointCollector {
  private struct VenueRows {
    var points: [TrackPoint] = []
    var accuracies: [Float] = []
    var stillUntil: [Int64] = []
  }

  private let options: PointFileOptions
  private let isDegrees: Bool
  private var devices = NameTable()
  private var venueNames = NameTable()
  private var venues: [VenueRows] = []
  private(set) var badRows: [PointTable.BadRow] = []
  private(set) var badRowCount = 0
  private(set) var rows = 0
  private var clock: PointClock

  init(_ options: PointFileOptions, isDegrees: Bool, timeColumn: String) {
    self.options = options
    self.isDegrees = isDegrees
    clock = PointClock(unit: options.timeUnit, column: timeColumn)
  }

  /// The fields of one row, as bytes; empty when missing.
  struct Row {
    static var nothing: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: nil, count: 0) }
    var device = nothing
    var time = nothing
    var x = nothing
    var y = nothing
    var floor = nothing
    var accuracy = nothing
    var stillUntil = nothing
    var venue = nothing
  }

  /// Notes a row that cannot be read.
  mutating func refuse(line: Int, _ reason: String) throws(PointFileError) {
    rows += 1
    if options.isStrict { throw PointFileError(.badRow, reason, line: line) }
    badRowCount += 1
    if badRows.count < options.badRowLimit {
      badRows.append(PointTable.BadRow(line: line, reason: reason))
    }
  }

  /// Takes a row in.
  @inline(__always)
  mutating func add(_ row: Row, line: Int) throws(PointFileError) {
    guard !row.device.isEmpty else { return try refuse(line: line, "no device") }
    guard let x = NumberParsing.double(row.x), let y = NumberParsing.double(row.y) else {
      return try refuse(line: line, "the position is not a number")
    }
    if isDegrees, abs(x) > 180 || abs(y) > 90 {
      return try refuse(line: line, "longitude or latitude out of range")
    }
    guard let time = clock.milliseconds(row.time) else {
      return try refuse(line: line, "the time cannot be read")
    }
    var floor = Segment.unknownFloor
    if !row.floor.isEmpty {
      if let whole = NumberParsing.integer(row.floor), abs(whole) <= 1_000_000 {
        floor = Int32(truncatingIfNeeded: whole * 1_000)
      } else if let number = NumberParsing.double(row.floor), let ordinal = FloorOrdinal(number) {
        floor = ordinal.thousandths
      } else {
        return try refuse(line: line, "the floor is not an ordinal")
      }
    }
    var accuracy = Float.nan
    if !row.accuracy.isEmpty {
      guard let number = NumberParsing.double(row.accuracy) else {
        return try refuse(line: line, "the accuracy is not a number")
      }
      // Platforms give a negative radius for "not valid": not known.
      if number >= 0 { accuracy = Float(number) }
    }
    var still = Int64.min
    if !row.stillUntil.isEmpty {
      guard let until = clock.milliseconds(row.stillUntil) else {
        return try refuse(line: line, "the time of rest cannot be read")
      }
      still = until
    }
    rows += 1
    let venue = Int(venueNames.number(of: row.venue))
    if venue == venues.count { venues.append(VenueRows()) }
    venues[venue].points.append(
      TrackPoint(device: devices.number(of: row.device), floor: floor, time: time, x: x, y: y))
    venues[venue].accuracies.append(accuracy)
    if still != .min, venues[venue].stillUntil.isEmpty {
      venues[venue].stillUntil = Array(repeating: .min, count: venues[venue].points.count - 1)
    }
    if still != .min || !venues[venue].stillUntil.isEmpty { venues[venue].stillUntil.append(still) }
  }

  /// The table of all rows.
  consuming func table() throws(PointFileError) -> PointTable {
    if let problem = clock.mixture { throw PointFileError(.mixedUnits, problem) }
    let (places, names) = devices.sortedPlaces()
    let order = venueNames.sortedPlaces()
    var groups: [PointTable.Group] = []
    for name in order.names {
      guard let number = venueNames.names.firstIndex(of: name) else { continue }
      var rows = VenueRows()
      swap(&rows, &venues[number])
      let frame = isDegrees ? PointCollector.frame(of: rows.points, origin: options.origin) : nil
      for k in rows.points.indices {
        rows.points[k].device = places[Int(rows.points[k].device)]
        if let frame {
          let place = frame.project(
            Coordinate(longitude: rows.points[k].x, latitude: rows.points[k].y))
          (rows.points[k].x, rows.points[k].y) = (place.x, place.y)
        }
      }
      let hasAccuracy = rows.accuracies.contains { !$0.isNaN }
      groups.append(
        PointTable.Group(
          venue: name, points: rows.points, accuracies: hasAccuracy ? rows.accuracies : [],
          stillUntil: rows.stillUntil, frame: frame))
    }
    return PointTable(
      devices: names, groups: groups, badRows: badRows, badRowCount: badRowCount, rows: rows)
  }

  /// A frame in the middle of the points, to four decimals of a degree. Longitudes are taken the short way round from the
  /// first point's.
  private static func frame(of points: [TrackPoint], origin: Coordinate?) -> LocalFrame? {
    if let origin { return LocalFrame(origin: origin) }
    guard let first = points.first else { return nil }
    var (west, east, south, north) = (0.0, 0.0, first.y, first.y)
    for point in points {
      var offset = point.x - first.x
      if offset > 180 { offset -= 360 } else if offset < -180 { offset += 360 }
      (west, east) = (min(west, offset), max(east, offset))
      (south, north) = (min(south, point.y), max(north, point.y))
    }
    var longitude = first.x + (west + east) / 2
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return LocalFrame(
      origin: Coordinate(
        longitude: (longitude * 1e4).rounded() / 1e4,
        latitude: ((south + north) / 2 * 1e4).rounded() / 1e4))
  }
}
