internal import CordonContacts
internal import CordonCore
internal import CordonGeometry

/// Takes rows of points in and makes a table or windows of them.
struct PointCollector {
  /// Where the points of a venue lie, degrees; longitudes the short way round from the first point's.
  private struct Extent {
    var x: Double
    var y: Double
    var west = 0.0
    var east = 0.0
    var south: Double
    var north: Double

    init(x: Double, y: Double) {
      (self.x, self.y, south, north) = (x, y, y, y)
    }

    @inline(__always)
    mutating func add(x: Double, y: Double) {
      var offset = x - self.x
      if offset > 180 { offset -= 360 } else if offset < -180 { offset += 360 }
      (west, east) = (min(west, offset), max(east, offset))
      (south, north) = (min(south, y), max(north, y))
    }

    /// A frame in the middle of the points, to four decimals of a degree.
    var frame: LocalFrame {
      var longitude = x + (west + east) / 2
      if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
      return LocalFrame(
        origin: Coordinate(
          longitude: (longitude * 1e4).rounded() / 1e4,
          latitude: ((south + north) / 2 * 1e4).rounded() / 1e4))
    }
  }

  private let options: PointFileOptions
  private let isDegrees: Bool
  private let isJSON: Bool
  private var devices = NameTable()
  private var venueNames = NameTable()
  private var venues: [Extent] = []
  /// The first venue of each device, by number.
  private var homes: [Int32] = []
  /// The devices that were in other venues too, by number.
  private var travellers: Set<Int32> = []
  private let spool: PointSpool
  private(set) var badRows: [PointTable.BadRow] = []
  private(set) var badRowCount = 0
  private(set) var rows = 0
  private var clock: PointClock

  /// - Parameter capacity: how many rows are held in memory; more go to a temporary file.
  init(_ options: PointFileOptions, isDegrees: Bool, timeColumn: String, capacity: Int, isJSON: Bool = false) {
    self.isJSON = isJSON
    spool = PointSpool(capacity: capacity)
    self.options = options
    self.isDegrees = isDegrees
    clock = PointClock(unit: options.timeUnit, column: timeColumn)
  }

  /// A field of a row.
  struct Field {
    /// Empty when it is missing.
    var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// Its digits, when it has been read as a number already.
    var digits: NumberParsing.Digits?
    /// Whether something in it stands for something else: a doubled quote, or a backslash.
    var isEscaped = false

    @inline(__always)
    var isEmpty: Bool { bytes.isEmpty }

    @inline(__always)
    var double: Double? { digits?.double ?? NumberParsing.double(bytes) }

    @inline(__always)
    var whole: Int64? { digits?.whole ?? NumberParsing.integer(bytes) }
  }

  /// The fields of one row.
  struct Row {
    var device = Field()
    var time = Field()
    var x = Field()
    var y = Field()
    var floor = Field()
    var accuracy = Field()
    var stillUntil = Field()
    var venue = Field()
  }

  /// Why the file cannot be read, as far as is known by now.
  var problem: PointFileError? { clock.problem }

  /// Notes rows that could not be read before there was a collector.
  /// - Parameters:
  ///   - count: how many.
  ///   - listed: the first of them.
  mutating func noteRefused(_ count: Int, _ listed: [PointTable.BadRow]) {
    rows += count
    badRowCount += count
    badRows += listed.prefix(max(options.badRowLimit - badRows.count, 0))
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
    guard let x = row.x.double, let y = row.y.double else {
      return try refuse(line: line, "the position is not a number")
    }
    if isDegrees, abs(x) > 180 || abs(y) > PointFileOptions.largestLatitude {
      return try refuse(
        line: line, abs(x) <= 180 && abs(y) <= 90 ? "too near to a pole" : "longitude or latitude out of range")
    }
    guard let time = clock.milliseconds(row.time, line: line) else {
      return try refuse(line: line, "the time cannot be read")
    }
    var floor = Segment.unknownFloor
    if !row.floor.isEmpty {
      if let whole = row.floor.whole, abs(whole) <= 1_000_000 {
        floor = Int32(truncatingIfNeeded: whole * 1_000)
      } else if let number = row.floor.double, let ordinal = FloorOrdinal(number) {
        floor = ordinal.thousandths
      } else {
        return try refuse(line: line, "the floor is not an ordinal")
      }
    }
    var accuracy = Float.nan
    if !row.accuracy.isEmpty {
      guard let number = row.accuracy.double else {
        return try refuse(line: line, "the accuracy is not a number")
      }
      // Platforms give a negative radius for "not valid", or 0 for none: not known. No fix is perfect.
      if number > 0 { accuracy = Float(number) }
    }
    var still = Int64.min
    if !row.stillUntil.isEmpty {
      guard let until = clock.milliseconds(row.stillUntil, line: line) else {
        return try refuse(line: line, "the time of rest cannot be read")
      }
      still = until
    }
    // Both, before either gets a number: each number has a row.
    guard isReadable(row.device), isReadable(row.venue) else {
      return try refuse(line: line, "the name of the device or venue cannot be read")
    }
    rows += 1
    let device = PointCollector.number(of: row.device, isJSON: isJSON, in: &devices)
    let place = PointCollector.number(of: row.venue, isJSON: isJSON, in: &venueNames)
    let venue = Int(place)
    if Int(device) == homes.count { homes.append(place) }
    if homes[Int(device)] != place { travellers.insert(device) }
    if venue == venues.count { venues.append(Extent(x: x, y: y)) }
    if isDegrees { venues[venue].add(x: x, y: y) }
    try spool.add(
      PointSpool.Record(
        device: device, venue: Int32(truncatingIfNeeded: venue), floor: floor,
        accuracy: accuracy, time: time, stillUntil: still, x: x, y: y))
  }

  /// Whether the escapes of a name mean something.
  @inline(__always)
  private func isReadable(_ field: Field) -> Bool {
    !field.isEscaped || NameEscapes.plain(field.bytes, isJSON: isJSON) != nil
  }

  /// The number of a name, however it is spelt.
  @inline(__always)
  private static func number(of field: Field, isJSON: Bool, in names: inout NameTable) -> Int32 {
    guard field.isEscaped, let plain = NameEscapes.plain(field.bytes, isJSON: isJSON) else {
      return names.number(of: field.bytes)
    }
    return plain.withUnsafeBufferPointer { names.number(of: $0) }
  }

  private func frame(of venue: Int) -> LocalFrame? {
    guard isDegrees else { return nil }
    return options.origin.map { LocalFrame(origin: $0) } ?? venues[venue].frame
  }

  /// The table of all rows, which are all in memory.
  consuming func table() throws(PointFileError) -> PointTable {
    if let problem { throw problem }
    let (places, names) = devices.sortedPlaces()
    let order = venueNames.sortedPlaces()
    let (hasAccuracies, hasRests) = (spool.hasAccuracies, spool.hasRests)
    var groups = order.names.map { PointTable.Group(venue: $0, points: [], accuracies: [], stillUntil: [], frame: nil) }
    for number in venues.indices { groups[Int(order.places[number])].frame = frame(of: number) }
    spool.withUnsorted { records in
      for record in records {
        let group = Int(order.places[Int(record.venue)])
        groups[group].points.append(record.point(device: places[Int(record.device)], in: groups[group].frame))
        if hasAccuracies { groups[group].accuracies.append(record.accuracy) }
        if hasRests { groups[group].stillUntil.append(record.stillUntil) }
      }
    }
    for k in groups.indices {
      if !groups[k].accuracies.contains(where: { !$0.isNaN }) { groups[k].accuracies = [] }
      if !groups[k].stillUntil.contains(where: { $0 != .min }) { groups[k].stillUntil = [] }
    }
    return PointTable(
      devices: names, groups: groups, badRows: badRows, badRowCount: badRowCount, rows: rows)
  }

  /// All rows in windows of time.
  consuming func windows() throws(PointFileError) -> PointWindows {
    if let problem { throw problem }
    let (places, names) = devices.sortedPlaces()
    let order = venueNames.sortedPlaces()
    var list: [PointWindows.Venue] = []
    for name in order.names {
      guard let number = venueNames.names.firstIndex(of: name) else { continue }
      list.append(
        PointWindows.Venue(name: name, frame: frame(of: number), number: Int32(truncatingIfNeeded: number)))
    }
    try spool.finish()
    return try PointWindows(
      spool, travellers: travellers, devices: names, places: places, venues: list, badRows: badRows,
      badRowCount: badRowCount,
      isDegrees: isDegrees)
  }
}

extension PointSpool.Record {
  /// The point in metres.
  @inline(__always)
  func point(device: Int32, in frame: LocalFrame?) -> TrackPoint {
    guard let frame else { return TrackPoint(device: device, floor: floor, time: time, x: x, y: y) }
    let place = frame.project(Coordinate(longitude: x, latitude: y))
    return TrackPoint(device: device, floor: floor, time: time, x: place.x, y: place.y)
  }
}
