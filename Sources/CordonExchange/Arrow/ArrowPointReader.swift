internal import CordonCore

/// Stores the rows of batches of Arrow: most of them in blocks, and those of a block with a fault one by one, so that the fault has
/// its row.
struct ArrowPointReader {
  var collector: PointCollector
  private var places: [PointField: Int] = [:]
  private let schema: ArrowSchema
  var deviceNumbers = ArrowPoints.Numbers()
  var venueNumbers = ArrowPoints.Numbers()
  private var row = 0
  let block = PointBlock()

  private let inBlocks: Bool

  init(inBlocks: Bool, collector: consuming PointCollector, fields: [PointField?], schema: ArrowSchema) {
    self.inBlocks = inBlocks
    self.collector = collector
    self.schema = schema
    for (place, field) in fields.enumerated() {
      if let field { places[field] = place }
    }
  }

  /// Stores the rows of a batch.
  mutating func add(_ batch: ArrowStreamReader.Batch, of stream: ArrowStreamReader) throws {
    func column(_ fields: PointField...) throws(PointFileError) -> ArrowColumn? {
      for field in fields {
        if let place = places[field] { return try stream.column(place, of: batch) }
      }
      return nil
    }
    guard let time = try column(.time), let x = try column(.longitude, .x), let y = try column(.latitude, .y) else {
      return
    }
    let columns = ArrowPoints.Columns(
      device: try column(.device), time: time, x: x, y: y, floor: try column(.floor), accuracy: try column(.accuracy),
      stillUntil: try column(.stillUntil), venue: try column(.venue))
    try check(columns, batch.place)
    deviceNumbers.prepare(columns.device?.dictionary)
    venueNumbers.prepare(columns.venue?.dictionary)
    let clock = ArrowPoints.Clock(type(.time))
    let restClock = ArrowPoints.Clock(type(.stillUntil))
    for first in stride(from: 0, to: batch.count, by: PointBlock.capacity) {
      let rows = first..<min(first + PointBlock.capacity, batch.count)
      if inBlocks, try addBlock(rows, columns, clock, restClock) {
        row &+= rows.count
        continue
      }
      for k in rows {
        try add(k, columns, clock, restClock)
        row &+= 1
      }
    }
  }

  private func type(_ field: PointField) -> ArrowType? {
    places[field].map { schema.fields[$0].dictionary == nil ? schema.fields[$0].type : .text(isLarge: false) }
  }

  /// Refuses columns of types that their fields do not have.
  private func check(_ columns: ArrowPoints.Columns, _ place: String) throws(PointFileError) {
    func refuse(_ fields: [PointField], _ wanted: String) throws(PointFileError) {
      guard let index = fields.lazy.compactMap({ places[$0] }).first else { return }
      let field = schema.fields[index]
      throw PointFileError(
        .unsupported, "column \(field.name.quotedName) is \(field.type.name), not \(wanted)", place: place)
    }
    for (column, fields) in [(columns.device, PointField.device), (columns.venue, .venue)] {
      if let column, !column.isText, !column.isWhole { try refuse([fields], "texts or whole numbers") }
    }
    for (column, field) in [(columns.time as ArrowColumn?, PointField.time), (columns.stillUntil, .stillUntil)] {
      if let column, !column.isText, !column.isNumber { try refuse([field], "times, numbers or texts") }
    }
    if !columns.x.isNumber { try refuse([.longitude, .x], "numbers") }
    if !columns.y.isNumber { try refuse([.latitude, .y], "numbers") }
    if let accuracy = columns.accuracy, !accuracy.isNumber { try refuse([.accuracy], "numbers") }
    if let floor = columns.floor, !floor.isNumber, !floor.isText { try refuse([.floor], "numbers or texts") }
  }

  @inline(__always)
  private mutating func add(
    _ k: Int, _ columns: ArrowPoints.Columns, _ clock: ArrowPoints.Clock, _ restClock: ArrowPoints.Clock
  ) throws {
    var values = PointValues(x: columns.x.double(k), y: columns.y.double(k))
    values.time = try milliseconds(columns.time, k, clock)
    if let device = columns.device {
      guard device.isValid(k), try device.isWhole || isKnown(device, k) || !device.bytes(k).isEmpty else {
        return try collector.refuse(line: row, "no device")
      }
    }
    let known = try collector.reader?.check(values, device: columns.device?.bytes(k) ?? .init(start: nil, count: 0))
    if let fault = known ?? nil { return try collector.refuse(line: row, "\(fault.reason)") }
    if let floor = columns.floor, floor.isValid(k) {
      guard let ordinal = try self.floor(floor, k) else { return try refuseFloor(floor, k) }
      values.floor = ordinal
    }
    var accuracy = Float.nan
    if let column = columns.accuracy {
      let radius = column.double(k)
      if radius > 0 { accuracy = Float(radius) }
    }
    var still = Int64.min
    if let column = columns.stillUntil, column.isValid(k) {
      guard let until = try milliseconds(column, k, restClock) else {
        return try collector.refuse(line: row, "the time of rest cannot be read")
      }
      still = until
    }
    let device = try number(columns.device, k, isVenue: false)
    let venue = try number(columns.venue, k, isVenue: true)
    try collector.store(
      PointSpool.Record(
        device: device, venue: venue, floor: values.floor, accuracy: accuracy, time: values.time ?? 0,
        stillUntil: still, x: values.x, y: values.y))
  }

  /// Whether a device of a dictionary has a number already, and so a name.
  @inline(__always)
  private func isKnown(_ device: ArrowColumn, _ k: Int) -> Bool {
    guard device.dictionary != nil, let index = device.whole(k) else { return false }
    return deviceNumbers[index] >= 0
  }

  /// The number of a device or venue, of a row that is stored next.
  @inline(__always)
  private mutating func number(_ column: ArrowColumn?, _ k: Int, isVenue: Bool) throws -> Int32 {
    guard let column else { return number(named: [], isVenue) }
    guard column.dictionary != nil, let index = column.whole(k) else { return try fresh(column, k, isVenue) }
    let known = isVenue ? venueNumbers[index] : deviceNumbers[index]
    if known >= 0 { return known }
    let number = try fresh(column, k, isVenue)
    if isVenue { venueNumbers[index] = number } else { deviceNumbers[index] = number }
    return number
  }

  @inline(__always)
  mutating func fresh(_ column: ArrowColumn, _ k: Int, _ isVenue: Bool) throws -> Int32 {
    if column.isWhole, let whole = column.whole(k) { return number(named: Array("\(whole)".utf8), isVenue) }
    let bytes = try column.bytes(k)
    return isVenue ? collector.number(ofVenue: bytes) : collector.number(ofDevice: bytes)
  }

  mutating func number(named name: [UInt8], _ isVenue: Bool) -> Int32 {
    name.withUnsafeBufferPointer { isVenue ? collector.number(ofVenue: $0) : collector.number(ofDevice: $0) }
  }

  /// Milliseconds since 1970; `nil` for a missing time, or what is none.
  @inline(__always)
  private mutating func milliseconds(_ column: ArrowColumn, _ k: Int, _ clock: ArrowPoints.Clock) throws -> Int64? {
    if clock.divisor > 0 {
      guard let time = column.whole(k) else { return nil }
      let (quotient, remainder) = time.quotientAndRemainder(dividingBy: clock.divisor)
      let floored = remainder < 0 ? quotient &- 1 : quotient
      return clock.isZoned ? floored : collector.reader?.milliseconds(reading: floored)
    }
    return try other(column, k, clock)
  }

  @inline(never)
  private mutating func other(_ column: ArrowColumn, _ k: Int, _ clock: ArrowPoints.Clock) throws -> Int64? {
    guard column.isValid(k) else { return nil }
    if clock.isSeconds, let seconds = column.whole(k) {
      guard seconds.magnitude < 1 << 50 else { return nil }
      return clock.isZoned ? seconds * 1_000 : collector.reader?.milliseconds(reading: seconds * 1_000)
    }
    if column.isText {
      return collector.reader?.restEnd(PointFieldText(bytes: try column.bytes(k)), line: row)
    }
    if let whole = column.whole(k) { return collector.reader?.milliseconds(whole: whole, line: row) }
    let number = column.double(k)
    return number.isFinite ? collector.reader?.milliseconds(number: number, line: row) : nil
  }

  /// Thousandths of the ordinal; `nil` for a floor that is none.
  @inline(__always)
  private func floor(_ column: ArrowColumn, _ k: Int) throws -> Int32? {
    if column.isText {
      let bytes = try column.bytes(k)
      if bytes.isEmpty { return PointValues(x: 0, y: 0).floor }
      return try? collector.reader?.floor(PointFieldText(bytes: bytes))
    }
    let number = column.double(k)
    // NaN means a missing one in data frames.
    if number.isNaN { return PointValues(x: 0, y: 0).floor }
    return PointRowReader.floor(number)
  }

  @inline(never)
  private mutating func refuseFloor(_ column: ArrowColumn, _ k: Int) throws {
    let reason = "the floor is not an ordinal"
    guard column.isText else { return try collector.refuse(line: row, reason) }
    do {
      _ = try collector.reader?.floor(PointFieldText(bytes: try column.bytes(k)))
    } catch let fault as PointRowFault {
      try collector.refuse(line: row, "\(fault.reason)")
    }
  }
}
