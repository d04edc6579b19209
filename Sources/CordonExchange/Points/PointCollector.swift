internal import CordonContacts
internal import CordonCore
internal import CordonGeometry
import CordonSupport

/// Takes rows of points in, of one file after the other, and makes a table or windows of them.
struct PointCollector: PointRowSink {
  private let options: PointFileOptions
  /// Whether places are degrees; known from the first file on, of geometries from the first row on.
  private var isDegrees: Bool?
  private var isJSON = false
  private var devices = NameTable()
  private var venueNames = NameTable()
  private var venues: [PointExtent] = []

  /// The first venue of a device, and its last file and time.
  private struct Sighting {
    /// Its first venue.
    var venue: Int32
    /// The number of the file that it was seen in last, and the latest time there.
    var file: Int32
    var latest: Int64
  }

  /// By number.
  private var sightings: [Sighting] = []
  /// The devices that were in other venues too, by number.
  private var travellers: Set<Int32> = []
  private let spool: PointSpool
  private(set) var badRows: [PointTable.BadRow] = []
  private(set) var badRowCount = 0
  private(set) var rows = 0
  /// Of the present file.
  var reader: PointRowReader?
  private var file: Int32 = -1
  /// The device of all rows of the present file, when it is one.
  private var fileDevice: [UInt8]?
  /// Whether the present file has rows that are counted from 0, not lines.
  var isInBatches = false
  /// The path of the present file, when there are several.
  var path: String?
  private(set) var reading = PointReading()

  /// - Parameter capacity: how many rows are held in memory, `Int.max` for all; more go to a temporary file.
  init(_ options: PointFileOptions, capacity: Int) {
    spool = PointSpool(capacity: capacity == .max ? .max : min(capacity, PointWindows.rowsOfRun), memory: capacity)
    self.options = options
  }

  /// Begins with the rows of a file.
  /// - Parameters:
  ///   - columns: what its columns mean.
  ///   - isJSON: whether names have the escapes of JSON.
  ///   - device: the device of all rows, when the file is one device.
  mutating func begin(_ columns: PointColumns, isJSON: Bool, device: String?) throws(PointFileError) {
    let reader = PointRowReader(columns, options, latitudeLimit: PointFileOptions.largestLatitude)
    self.reader = reader
    self.isJSON = isJSON
    fileDevice = device.map { Array($0.utf8) }
    file += 1
    if reading.columns.isEmpty { reading.columns = columns.names }
    if let assumption = columns.assumption { assume(assumption) }
    if let device { assume("\(Quotation.of(device, limit: 60)) is the device of all rows, by the name of the file") }
    if let known = reader.isDegrees { try settlePlace(known) }
  }

  /// Ends the rows of a file.
  mutating func end() throws(PointFileError) {
    if let problem = reader?.finalProblem { throw problem }
    for assumption in reader?.assumptions ?? [] { assume(assumption) }
    reader = nil
  }

  /// Notes what was assumed in the present file.
  mutating func assume(_ sentence: String) { reading.assume((path.map { "\($0): " } ?? "") + sentence) }

  /// All places are in one system.
  private mutating func settlePlace(_ degrees: Bool) throws(PointFileError) {
    guard let isDegrees else {
      isDegrees = degrees
      return
    }
    guard isDegrees == degrees else {
      throw PointFileError(
        .unclearPlaces,
        "gives places in \(degrees ? "degrees" : "metres"), the files before it in \(isDegrees ? "degrees" : "metres")")
    }
  }

  /// Notes rows that could not be read before a file had begun.
  /// - Parameters:
  ///   - count: how many.
  ///   - listed: the first of them.
  mutating func noteRefused(_ count: Int, _ listed: [PointTable.BadRow]) {
    rows += count
    badRowCount += count
    for var row in listed.prefix(max(options.badRowLimit - badRows.count, 0)) {
      row.file = path
      badRows.append(row)
    }
  }

  /// Notes a row that cannot be read.
  @inline(never)
  mutating func refuse(line: Int, _ reason: String) throws(PointFileError) {
    rows += 1
    if options.isStrict {
      throw isInBatches
        ? PointFileError(.badRow, reason, place: "row \(line)") : PointFileError(.badRow, reason, line: line)
    }
    badRowCount += 1
    if badRows.count < options.badRowLimit {
      badRows.append(PointTable.BadRow(line: line, reason: reason, file: path, isInBatches: isInBatches))
    }
  }

  /// Takes a row in.
  @inline(__always)
  mutating func add(_ row: PointRow, line: Int) throws(PointFileError) {
    guard fileDevice != nil || !row.device.isEmpty else { return try refuse(line: line, "no device") }
    let values: PointValues
    do throws(PointRowFault) {
      guard let found = try reader?.read(row, line: line) else { return }
      values = found
    } catch {
      return try refuse(line: line, "\(error.reason)")
    }
    guard let time = values.time else { return try refuse(line: line, "\(PointRowFault.unreadableTime.reason)") }
    // Platforms give a negative radius for "not valid", or 0 for none: not known. No fix is perfect.
    let accuracy = values.accuracy > 0 ? Float(values.accuracy) : .nan
    var still = Int64.min
    if !row.stillUntil.isEmpty {
      guard let until = reader?.restEnd(row.stillUntil, line: line) else {
        return try refuse(line: line, "the time of rest cannot be read")
      }
      still = until
    }
    if reader?.isDegrees != isDegrees { try settlePlace(reader?.isDegrees ?? true) }
    // Both, before either gets a number: each number has a row.
    guard isReadable(row.device), isReadable(row.venue) else {
      return try refuse(line: line, "the name of the device or venue cannot be read")
    }
    let device = number(ofDevice: row.device)
    let venue = PointCollector.number(of: row.venue, isJSON: isJSON, in: &venueNames)
    try store(
      PointSpool.Record(
        device: device, venue: venue, floor: values.floor, accuracy: accuracy, time: time, stillUntil: still,
        x: values.x, y: values.y))
  }

  /// The number of a device; only for one whose row is stored next.
  @inline(__always)
  mutating func number(ofDevice name: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard let fileDevice else { return devices.number(of: name) }
    return fileDevice.withUnsafeBufferPointer { devices.number(of: $0) }
  }

  /// The number of a venue; only for one whose row is stored next.
  @inline(__always)
  mutating func number(ofVenue name: UnsafeBufferPointer<UInt8>) -> Int32 { venueNames.number(of: name) }

  /// Stores a row whose values are known; its device and venue have the numbers of this collector.
  @inline(__always)
  mutating func store(_ record: PointSpool.Record) throws(PointFileError) {
    rows += 1
    note(record.device, record.venue, record.time)
    let venue = Int(record.venue)
    if venue == venues.count { venues.append(PointExtent(x: record.x, y: record.y)) }
    if isDegrees == true { venues[venue].add(x: record.x, y: record.y) }
    try spool.add(record)
  }

  /// Stores the rows of a block; their devices and venues have the numbers of this collector.
  mutating func store(_ block: PointBlock, count: Int) throws(PointFileError) {
    rows += count
    var next = 0
    while next < count {
      next = noteKnown(block, next..<count)
      guard next < count else { break }
      note(block.devices[next], block.venues[next], block.times[next])
      next += 1
    }
    var first = 0
    while first < count {
      let venue = Int(block.venues[first])
      if venue == venues.count { venues.append(PointExtent(x: block.x[first], y: block.y[first])) }
      var end = first + 1
      while end < count, Int(block.venues[end]) == venue { end += 1 }
      if isDegrees == true {
        var extent = venues[venue]
        for k in first..<end { extent.add(x: block.x[k], y: block.y[k]) }
        venues[venue] = extent
      }
      first = end
    }
    try spool.add(block, count: count)
  }

  /// Notes rows of devices that were seen before, in their first venue, up to one of another kind.
  /// - Returns: the first row that was not noted.
  private mutating func noteKnown(_ block: PointBlock, _ range: Range<Int>) -> Int {
    let file = file
    var outOfOrder = 0
    let end = sightings.withUnsafeMutableBufferPointer { sightings in
      for k in range {
        let (number, time) = (Int(block.devices[k]), block.times[k])
        guard number < sightings.count, sightings[number].venue == block.venues[k], sightings[number].file == file
        else {
          return k
        }
        if time < sightings[number].latest { outOfOrder += 1 } else { sightings[number].latest = time }
      }
      return range.upperBound
    }
    reading.outOfOrder += outOfOrder
    return end
  }

  /// Notes where and when a device was.
  @inline(__always)
  private mutating func note(_ device: Int32, _ venue: Int32, _ time: Int64) {
    let number = Int(device)
    guard number < sightings.count else {
      sightings.append(Sighting(venue: venue, file: file, latest: time))
      return
    }
    if sightings[number].venue != venue { travellers.insert(device) }
    if sightings[number].file != file {
      (sightings[number].file, sightings[number].latest) = (file, time)
    } else if time < sightings[number].latest {
      reading.outOfOrder += 1
    } else {
      sightings[number].latest = time
    }
  }

  @inline(__always)
  private mutating func number(ofDevice field: PointFieldText) -> Int32 {
    guard fileDevice != nil else { return PointCollector.number(of: field, isJSON: isJSON, in: &devices) }
    return number(ofDevice: field.bytes)
  }

  /// Whether the escapes of a name mean something.
  @inline(__always)
  private func isReadable(_ field: PointFieldText) -> Bool {
    !field.isEscaped || NameEscapes.plain(field.bytes, isJSON: isJSON) != nil
  }

  /// The number of a name, however it is spelt.
  @inline(__always)
  private static func number(of field: PointFieldText, isJSON: Bool, in names: inout NameTable) -> Int32 {
    guard field.isEscaped || field.isGuarded,
      let plain = NameEscapes.plain(field.bytes, isJSON: isJSON)
    else { return names.number(of: field.bytes) }
    return plain.withUnsafeBufferPointer { names.number(of: $0) }
  }

  /// Why the present file cannot be read, as far as is known by now.
  var problem: PointFileError? { reader?.problem }

  private func frame(of venue: Int) -> LocalFrame? {
    guard isDegrees == true else { return nil }
    return options.origin.map { LocalFrame(origin: $0) } ?? venues[venue].frame
  }

  /// The table of all rows, which are all in memory.
  consuming func table() throws(PointFileError) -> PointTable {
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
      devices: names, groups: groups, badRows: badRows, badRowCount: badRowCount, rows: rows, reading: reading)
  }

  /// All rows in windows of time.
  consuming func windows() throws(PointFileError) -> PointWindows {
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
      badRowCount: badRowCount, reading: reading, isDegrees: isDegrees == true)
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
