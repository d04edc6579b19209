internal import CordonCore
internal import Foundation

/// Reads the points of Arrow IPC: columns are found by the names of ``PointField``, as in CSV.
///
/// | field | types |
/// |---|---|
/// | device, venue | texts, texts of a dictionary, whole numbers |
/// | time, still_until | timestamps, whole numbers, floats, texts |
/// | longitude, latitude, x, y, accuracy | floats, whole numbers |
/// | floor | floats, whole numbers, texts |
enum ArrowPoints {
  /// Reads a file, `-` for standard input, into a collector.
  static func read(
    _ path: String, _ options: PointFileOptions, into collector: consuming PointCollector
  ) throws -> PointCollector {
    let stream = try ArrowStreamReader(path: path)
    let names = stream.schema.fields.map(\.name)
    var columns = try PointColumns(names: names, options: options, needsDevice: !options.isDevicePerFile)
    guard columns.place != .geometry else {
      throw PointFileError(
        .missingColumn,
        "has no columns for longitude and latitude, or x and y; a column of geometries is not read in Arrow")
    }
    columns.ignore([.date, .mocked])
    let name = TraceNames.stem(of: URL(fileURLWithPath: path).lastPathComponent)
    var reader = Reader(collector: collector, fields: columns.fields, schema: stream.schema)
    try reader.collector.begin(columns, isJSON: false, device: options.isDevicePerFile ? name : nil)
    reader.collector.isInBatches = true
    while let batch = try stream.next() {
      try reader.add(batch, of: stream)
      if let problem = reader.collector.problem { throw problem }
    }
    var filled = reader.collector
    if !stream.hasEndMark { filled.assume("the stream has no mark at its end; it may be cut short") }
    try filled.end()
    filled.isInBatches = false
    return filled
  }

  /// Numbers for the values of a dictionary, made when a row has them.
  private struct Numbers {
    private var numbers: [Int32] = []
    private var generation = -1

    mutating func prepare(_ dictionary: ArrowDictionary?) {
      guard let dictionary else { return }
      if generation != dictionary.generation { (numbers, generation) = ([], dictionary.generation) }
      if numbers.count < dictionary.count {
        numbers += [Int32](repeating: -1, count: dictionary.count - numbers.count)
      }
    }

    @inline(__always)
    subscript(index: Int64) -> Int32 {
      get { index >= 0 && index < numbers.count ? numbers[Int(index)] : -1 }
      set { if index >= 0, index < numbers.count { numbers[Int(index)] = newValue } }
    }
  }

  /// The columns of a batch.
  private struct Columns {
    var device: ArrowColumn?
    var time: ArrowColumn
    var x: ArrowColumn
    var y: ArrowColumn
    var floor: ArrowColumn?
    var accuracy: ArrowColumn?
    var stillUntil: ArrowColumn?
    var venue: ArrowColumn?
  }

  private struct Reader {
    var collector: PointCollector
    private var places: [PointField: Int] = [:]
    private let schema: ArrowSchema
    private var deviceNumbers = Numbers()
    private var venueNumbers = Numbers()
    private var row = 0

    init(collector: consuming PointCollector, fields: [PointField?], schema: ArrowSchema) {
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
      let columns = Columns(
        device: try column(.device), time: time, x: x, y: y, floor: try column(.floor), accuracy: try column(.accuracy),
        stillUntil: try column(.stillUntil), venue: try column(.venue))
      try check(columns, batch.place)
      deviceNumbers.prepare(columns.device?.dictionary)
      venueNumbers.prepare(columns.venue?.dictionary)
      let clock = Clock(type(.time))
      let restClock = Clock(type(.stillUntil))
      for k in 0..<batch.count {
        try add(k, columns, clock, restClock)
        row &+= 1
      }
    }

    private func type(_ field: PointField) -> ArrowType? {
      places[field].map { schema.fields[$0].dictionary == nil ? schema.fields[$0].type : .text(isLarge: false) }
    }

    /// Refuses columns of types that their fields do not have.
    private func check(_ columns: Columns, _ place: String) throws(PointFileError) {
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
      _ k: Int, _ columns: Columns, _ clock: Clock, _ restClock: Clock
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
    private mutating func fresh(_ column: ArrowColumn, _ k: Int, _ isVenue: Bool) throws -> Int32 {
      if column.isWhole, let whole = column.whole(k) { return number(named: Array("\(whole)".utf8), isVenue) }
      let bytes = try column.bytes(k)
      return isVenue ? collector.number(ofVenue: bytes) : collector.number(ofDevice: bytes)
    }

    private mutating func number(named name: [UInt8], _ isVenue: Bool) -> Int32 {
      name.withUnsafeBufferPointer { isVenue ? collector.number(ofVenue: $0) : collector.number(ofDevice: $0) }
    }

    /// Milliseconds since 1970; `nil` for a missing time, or what is none.
    @inline(__always)
    private mutating func milliseconds(_ column: ArrowColumn, _ k: Int, _ clock: Clock) throws -> Int64? {
      if clock.divisor > 0 {
        guard let time = column.whole(k) else { return nil }
        let (quotient, remainder) = time.quotientAndRemainder(dividingBy: clock.divisor)
        let floored = remainder < 0 ? quotient &- 1 : quotient
        return clock.isZoned ? floored : collector.reader?.milliseconds(reading: floored)
      }
      return try other(column, k, clock)
    }

    @inline(never)
    private mutating func other(_ column: ArrowColumn, _ k: Int, _ clock: Clock) throws -> Int64? {
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
      return FloorOrdinal(number)?.thousandths
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

  /// How the times of a column become milliseconds.
  private struct Clock {
    /// Units in a millisecond of timestamps; 0 for seconds and for other types.
    let divisor: Int64
    let isSeconds: Bool
    let isZoned: Bool

    init(_ type: ArrowType?) {
      if case .timestamp(let perSecond, let zone) = type {
        (divisor, isSeconds, isZoned) = (perSecond / 1_000, perSecond == 1, zone != nil)
      } else {
        (divisor, isSeconds, isZoned) = (0, false, false)
      }
    }
  }
}
