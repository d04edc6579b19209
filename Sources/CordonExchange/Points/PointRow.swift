internal import CordonContacts
internal import CordonCore

/// A field of a row, as it stands in the file.
struct PointFieldText {
  /// Empty when it is missing.
  var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Its digits, when it has been read as a number already.
  var digits: NumberParsing.Digits?
  /// Whether something in it stands for something else: a doubled quote, or a backslash.
  var isEscaped = false
  /// Whether it may be a cell of CSV that was guarded, see ``NameEscapes/isGuarded(_:)``.
  var isGuarded = false

  @inline(__always)
  var isEmpty: Bool { bytes.isEmpty }

  @inline(__always)
  var double: Double? { digits?.double ?? NumberParsing.double(bytes) }

  @inline(__always)
  var whole: Int64? { digits?.whole ?? NumberParsing.integer(bytes) }

  /// How many digits stand behind the point.
  var decimals: Int {
    if let digits { return digits.decimals }
    var place = 0
    guard let base = bytes.baseAddress, let digits = NumberParsing.digits(base, at: &place, before: bytes.count),
      place == bytes.count
    else { return 0 }
    return digits.decimals
  }
}

/// The fields of one row, in memory that a reader of tables uses for all of its rows.
///
/// A row of many fields would be copied from function to function; a pointer is not.
struct PointRow {
  /// The storage of a column without a meaning.
  static let unusedSlot = 10
  private let fields: UnsafeMutablePointer<PointFieldText>

  /// Allocates the memory; ``deallocate()`` frees it.
  init() {
    fields = .allocate(capacity: PointRow.unusedSlot + 1)
    clear()
  }

  /// Frees the memory.
  func deallocate() { fields.deallocate() }

  /// Makes every field empty.
  func clear() { fields.initialize(repeating: PointFieldText(), count: PointRow.unusedSlot + 1) }

  @inline(__always) var device: PointFieldText { fields[0] }
  @inline(__always) var time: PointFieldText { fields[1] }
  @inline(__always) var date: PointFieldText { fields[2] }
  /// Longitude or x, or a whole geometry.
  @inline(__always) var x: PointFieldText { fields[3] }
  /// Latitude or y.
  @inline(__always) var y: PointFieldText { fields[4] }
  @inline(__always) var floor: PointFieldText { fields[5] }
  @inline(__always) var accuracy: PointFieldText { fields[6] }
  @inline(__always) var stillUntil: PointFieldText { fields[7] }
  @inline(__always) var venue: PointFieldText { fields[8] }
  @inline(__always) var mocked: PointFieldText { fields[9] }

  /// The storage of a field; fields that exclude each other share one.
  static func slot(of field: PointField) -> Int {
    switch field {
    case .device: 0
    case .time: 1
    case .date: 2
    case .longitude, .x, .geometry: 3
    case .latitude, .y: 4
    case .floor: 5
    case .accuracy: 6
    case .stillUntil: 7
    case .venue: 8
    case .mocked: 9
    }
  }

  /// The field of a slot.
  @inline(__always)
  subscript(slot: Int) -> PointFieldText {
    get { fields[slot] }
    nonmutating _modify { yield &fields[slot] }
  }
}

/// Why a row cannot be read; nothing of what it holds.
struct PointRowFault: Error {
  let reason: StaticString

  init(_ reason: StaticString) { self.reason = reason }

  static let unreadableTime = PointRowFault(
    "the time cannot be read; it is written as 2026-01-31T10:00:00Z, or in seconds or milliseconds since 1970")
}

/// The values of a row.
struct PointValues {
  var x: Double
  var y: Double
  /// Milliseconds since 1970; `nil` when the row gives none.
  var time: Int64?
  var floor = Segment.unknownFloor
  /// As it stands: negative or 0 for "not known" on some platforms; NaN when the row gives none.
  var accuracy = Double.nan
  /// `Int64.min` when the row gives none.
  var stillUntil = Int64.min
}

/// Takes rows in; each reader of tables hands its rows to one.
protocol PointRowSink {
  mutating func add(_ row: PointRow, line: Int) throws(PointFileError)
  mutating func refuse(line: Int, _ reason: String) throws(PointFileError)
  /// Why the file cannot be read, as far as is known by now.
  var problem: PointFileError? { get }
}

/// Makes numbers of the fields of rows, by the rules that all readers of points share.
struct PointRowReader {
  private(set) var clock: PointClock
  private let floors: [String: FloorOrdinal]
  /// Degrees north or south that are too far.
  private let latitudeLimit: Double
  private let isGeometry: Bool
  /// Whether places are degrees; for geometries the first one decides.
  private(set) var isDegrees: Bool?
  /// Looks at places in metres, as long as they may be degrees.
  private var suspicion: DegreeSuspicion?

  init(_ columns: PointColumns, _ options: PointFileOptions, latitudeLimit: Double) {
    clock = PointClock(unit: options.timeUnit, column: columns.names[.time] ?? "", zone: options.timeZone)
    floors = options.floors
    self.latitudeLimit = latitudeLimit
    isGeometry = columns.place == .geometry
    isDegrees = columns.place == .geometry ? (options.isMetres ? false : nil) : columns.place == .degrees
    suspicion = columns.place == .metres && !options.isMetres ? DegreeSuspicion() : nil
  }

  @inline(__always)
  mutating func read(_ row: PointRow, line: Int) throws(PointRowFault) -> PointValues {
    var values: PointValues
    if isGeometry {
      values = try geometry(row.x.bytes)
    } else {
      guard let x = row.x.double, let y = row.y.double else { throw PointRowFault("the position is not a number") }
      values = PointValues(x: x, y: y)
    }
    if isDegrees == true {
      if abs(values.x) > 180 || abs(values.y) > latitudeLimit { throw beyond(values) }
    }
    if !row.time.isEmpty {
      guard let time = clock.milliseconds(row.time, date: row.date, line: line) else {
        throw .unreadableTime
      }
      guard abs(time) <= PointRowReader.timeLimit else {
        throw PointRowFault("the time is not between July 1678 and June 2261")
      }
      values.time = time
    }
    if suspicion != nil { suspect(row, values) }
    if !row.floor.isEmpty { values.floor = try floor(row.floor) }
    if !row.accuracy.isEmpty {
      guard let number = row.accuracy.double else { throw PointRowFault("the accuracy is not a number") }
      values.accuracy = number
    }
    return values
  }

  @inline(never)
  private func beyond(_ values: PointValues) -> PointRowFault {
    if abs(values.x) <= 180, abs(values.y) <= 90 { return PointRowFault("too near to a pole") }
    return isGeometry
      ? PointRowFault("longitude or latitude out of range; --metres reads geometries in metres")
      : PointRowFault("longitude or latitude out of range")
  }

  /// Checks values that are numbers already.
  /// - Parameter device: the name of the device, for places in metres that may be degrees.
  @inline(__always)
  mutating func check(
    _ values: PointValues, device: @autoclosure () throws(PointFileError) -> UnsafeBufferPointer<UInt8>
  ) throws -> PointRowFault? {
    guard values.x.isFinite, values.y.isFinite else { return PointRowFault("the position is not a number") }
    if isDegrees == true, abs(values.x) > 180 || abs(values.y) > latitudeLimit { return beyond(values) }
    guard let time = values.time else { return .unreadableTime }
    guard abs(time) <= PointRowReader.timeLimit else {
      return PointRowFault("the time is not between July 1678 and June 2261")
    }
    if suspicion != nil, suspicion?.note(values, of: try device()) == false { suspicion = nil }
    return nil
  }

  /// Times are at most so far from 1970, milliseconds: between July 1678 and June 2261.
  static let timeLimit: Int64 = 9_200_000_000_000

  /// Whether places in metres are still examined.
  @inline(__always)
  var isSuspicious: Bool { suspicion != nil }

  /// The largest latitude of places in degrees; `nil` for metres.
  @inline(__always)
  var degreeLimit: Double? { isDegrees == true ? latitudeLimit : nil }

  /// The milliseconds of a reading of a clock without a zone.
  mutating func milliseconds(reading: Int64) -> Int64 { clock.milliseconds(reading: reading) }

  /// The milliseconds of a time that is a number; `nil` for one that is not a time.
  mutating func milliseconds(whole: Int64, line: Int) -> Int64? { clock.milliseconds(whole: whole, line: line) }

  /// The milliseconds of a time that is a number; `nil` for one that is not a time.
  mutating func milliseconds(number: Double, line: Int) -> Int64? { clock.milliseconds(number: number, line: line) }

  /// Until when a device rested; `nil` for what cannot be read.
  @inline(__always)
  mutating func restEnd(_ text: PointFieldText, line: Int) -> Int64? {
    clock.milliseconds(text, date: PointFieldText(), line: line)
  }

  /// The floor of a text: its ordinal, or its name or identifier in the venue.
  @inline(__always)
  func floor(_ text: PointFieldText) throws(PointRowFault) -> Int32 {
    if let whole = text.whole, abs(whole) <= 1_000_000 { return Int32(truncatingIfNeeded: whole * 1_000) }
    if let number = text.double, let floor = PointRowReader.floor(number) { return floor }
    if let ordinal = named(text.bytes) { return ordinal.thousandths }
    throw floors.isEmpty
      ? PointRowFault("the floor is not an ordinal; --venue gives floors their names")
      : PointRowFault("the floor is neither an ordinal nor the name of one floor of the venue")
  }

  /// Thousandths of the ordinal; `nil` for a number that is none.
  @inline(__always)
  static func floor(_ number: Double) -> Int32? {
    // Rounding is a call of the C library; most floors are whole numbers.
    if abs(number) <= 1_000_000 {
      let whole = Int32(number)
      if Double(whole) == number { return whole &* 1_000 }
    }
    return FloorOrdinal(number)?.thousandths
  }

  @inline(never)
  private func named(_ bytes: UnsafeBufferPointer<UInt8>) -> FloorOrdinal? {
    guard !floors.isEmpty else { return nil }
    return floors[String(decoding: bytes, as: UTF8.self).trimmed.lowercased()]
  }

  @inline(never)
  private mutating func geometry(_ bytes: UnsafeBufferPointer<UInt8>) throws(PointRowFault) -> PointValues {
    let point = try PointGeometry(bytes)
    if isDegrees == nil { isDegrees = point.isDegrees ?? true }
    guard point.isDegrees == nil || point.isDegrees == isDegrees else {
      throw PointRowFault("the geometry has another coordinate system than the first one")
    }
    return PointValues(x: point.x, y: point.y)
  }

  @inline(never)
  private mutating func suspect(_ row: PointRow, _ values: PointValues) {
    if suspicion?.note(row, values) == false { suspicion = nil }
  }

  /// Why the file cannot be read, as far as is known by now.
  var problem: PointFileError? { clock.problem }

  /// Why the file cannot be read, when all of it was seen.
  var finalProblem: PointFileError? { clock.problem ?? suspicionProblem }

  /// Why places in metres are not believed, when all of them were seen.
  var suspicionProblem: PointFileError? {
    guard let suspicion, suspicion.isDegrees else { return nil }
    return PointFileError(
      .unclearPlaces,
      """
      x and y look like degrees: all are in their range, most with more than two decimals; \
      --column longitude=x --column latitude=y reads them as degrees, --metres as metres
      """)
  }

  /// One sentence for each assumption.
  var assumptions: [String] { clock.assumption.map { [$0] } ?? [] }
}

/// Whether places that are said to be metres look like degrees: all within their range, at least half of them with more than
/// two decimals, and devices that would hardly move in metres.
struct DegreeSuspicion {
  private var rows = 0
  private var fineRows = 0
  private var moves = 0
  private var fastMoves = 0
  private var latest: [UInt8: (name: Int, time: Int64, x: Double, y: Double)] = [:]
  /// The number of rows whose decimals and speeds are examined.
  private static let watched = 2_000

  /// Looks at a row; false when it shows that these are not degrees.
  mutating func note(_ row: PointRow, _ values: PointValues) -> Bool {
    let (x, y) = (values.x, values.y)
    guard abs(x) <= 180, abs(y) <= 90 else { return false }
    guard rows < DegreeSuspicion.watched else { return true }
    return note(values, of: row.device.bytes, isFine: row.x.decimals > 2 && row.y.decimals > 2)
  }

  /// Looks at a row of numbers; false when it shows that these are not degrees.
  mutating func note(_ values: PointValues, of device: UnsafeBufferPointer<UInt8>) -> Bool {
    let (x, y) = (values.x, values.y)
    guard abs(x) <= 180, abs(y) <= 90 else { return false }
    guard rows < DegreeSuspicion.watched else { return true }
    func hasMoreDecimals(_ value: Double) -> Bool { abs(value * 100 - (value * 100).rounded()) > 1e-6 }
    return note(values, of: device, isFine: hasMoreDecimals(x) && hasMoreDecimals(y))
  }

  private mutating func note(_ values: PointValues, of device: UnsafeBufferPointer<UInt8>, isFine: Bool) -> Bool {
    rows += 1
    if isFine { fineRows += 1 }
    if let time = values.time { noteMove(of: device, time, values.x, values.y) }
    return rows < DegreeSuspicion.watched || isDegrees
  }

  private mutating func noteMove(of device: UnsafeBufferPointer<UInt8>, _ time: Int64, _ x: Double, _ y: Double) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in device { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let name = Int(truncatingIfNeeded: hash)
    let slot = UInt8(truncatingIfNeeded: hash ^ hash >> 32)
    if let last = latest[slot], last.name == name, time != last.time {
      let seconds = Double((time - last.time).magnitude) / 1_000
      let (dx, dy) = (x - last.x, y - last.y)
      moves += 1
      // In degrees this is the speed of an airliner, in metres it is one in five minutes.
      if (dx * dx + dy * dy).squareRoot() > 0.003 * seconds { fastMoves += 1 }
    }
    latest[slot] = (name, time, x, y)
  }

  var isDegrees: Bool { rows > 0 && fineRows * 2 >= rows && fastMoves * 2 <= moves }
}
