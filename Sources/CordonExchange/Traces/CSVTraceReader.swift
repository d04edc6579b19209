internal import CordonCore
internal import CordonGeometry

/// Reads comma-separated values with a header; the columns are found, or named, as for files of points.
struct CSVTraceReader: TraceReader {
  private let options: TraceReadOptions
  private var trace = Trace(format: .csv)
  private var tracks: [String: Int] = [:]
  private var fields: [PointField?]?
  /// The column that says whether software made a position up, as `CSVTraceWriter` has it.
  private var mockedColumn: Int?
  private var isDegrees = true
  private var mark = UInt8(ascii: ",")
  private var clock: PointClock?
  private var line = 0
  private var count = 0

  init(_ options: TraceReadOptions) { self.options = options }

  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(TraceError) {
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      line += 1
      let row = UnsafeBufferPointer(rebasing: bytes[start..<end])
      start = end + 1
      guard row.contains(where: { $0 > 0x20 }) else { continue }
      if let fields { try read(row, fields) } else { try readHeader(row) }
    }
  }

  mutating func finish() throws(TraceError) -> Trace {
    guard fields != nil else { throw TraceError(.empty, "is empty", line: 1) }
    if let mixture = clock?.mixture { throw TraceError(.malformed, mixture.message, line: mixture.line) }
    return trace
  }

  private mutating func readHeader(_ row: UnsafeBufferPointer<UInt8>) throws(TraceError) {
    var text = String(decoding: row, as: UTF8.self).trimmed
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    let marks: [Character] = [",", ";", "\t"]
    let best = marks.max { a, b in text.count { $0 == a } < text.count { $0 == b } } ?? ","
    mark = best.asciiValue ?? mark
    let names = text.split(separator: best, omittingEmptySubsequences: false).map {
      var name = $0.trimmed
      if name.hasPrefix("\""), name.hasSuffix("\""), name.utf8.count > 1 { name = String(name.dropFirst().dropLast()) }
      return name
    }
    var columnOptions = options.columns
    var hasDevice = true
    do throws(PointFileError) {
      fields = try PointColumns(names: names, options: columnOptions).fields
    } catch {
      // A recording of one device needs no column that says so.
      guard error.code == .missingColumn, columnOptions.columns[.device] == nil else {
        throw TraceError(.malformed, error.message, line: 1)
      }
      hasDevice = false
    }
    if !hasDevice {
      columnOptions.columns[.device] = "device"
      do throws(PointFileError) {
        fields = Array(try PointColumns(names: names + ["device"], options: columnOptions).fields.dropLast())
      } catch {
        throw TraceError(.malformed, error.message, line: 1)
      }
    }
    mockedColumn = names.firstIndex { $0.lowercased() == "mocked" }.flatMap { fields?[$0] == nil ? $0 : nil }
    isDegrees = fields?.contains { $0 == .longitude } ?? false
    let timeColumn = fields?.firstIndex { $0 == .time }.map { names[$0] } ?? ""
    clock = PointClock(unit: columnOptions.timeUnit, column: timeColumn)
  }

  private mutating func read(_ row: UnsafeBufferPointer<UInt8>, _ fields: [PointField?]) throws(TraceError) {
    var values: [PointField: UnsafeBufferPointer<UInt8>] = [:]
    var isMocked = false
    var device = ""
    var start = 0
    var column = 0
    while start <= row.count, column < fields.count {
      var end = start
      var isQuoted = false
      if end < row.count, row[end] == 0x22 {
        isQuoted = true
        end += 1
        while end < row.count, row[end] != 0x22 || (end + 1 < row.count && row[end + 1] == 0x22) {
          end += row[end] == 0x22 ? 2 : 1
        }
      }
      while end < row.count, row[end] != mark { end += 1 }
      var low = start
      var high = end
      while high > low, row[high - 1] <= 0x20 { high -= 1 }
      while low < high, row[low] <= 0x20 { low += 1 }
      if isQuoted, high - low >= 2 {
        low += 1
        high -= 1
      }
      if fields[column] == .device {
        device = String(decoding: row[low..<high], as: UTF8.self)
        // Inside quotes a quote is written twice.
        if isQuoted { device = device.replacing("\"\"", with: "\"") }
      }
      if let field = fields[column] { values[field] = UnsafeBufferPointer(rebasing: row[low..<high]) }
      if column == mockedColumn {
        isMocked = ["true", "1", "yes"].contains(String(decoding: row[low..<high], as: UTF8.self).lowercased())
      }
      column += 1
      start = end + 1
    }
    guard column == fields.count else { return trace.leaveOut(line: line, "has \(column) fields, not \(fields.count)") }
    try add(values, device: device, isMocked: isMocked)
  }

  private mutating func add(
    _ values: [PointField: UnsafeBufferPointer<UInt8>], device: String, isMocked: Bool
  ) throws(TraceError) {
    let horizontal = values[isDegrees ? .longitude : .x].flatMap(NumberParsing.double)
    let vertical = values[isDegrees ? .latitude : .y].flatMap(NumberParsing.double)
    guard let horizontal, let vertical else { return trace.leaveOut(line: line, "the position is not a number") }
    let coordinate = Coordinate(longitude: horizontal, latitude: vertical)
    if isDegrees, !coordinate.isValid { return trace.leaveOut(line: line, "longitude or latitude out of range") }
    var point = TracePoint(
      place: isDegrees ? .degrees(coordinate) : .metres(PlanePoint(x: horizontal, y: vertical)),
      isMocked: isMocked, line: line)
    if let bytes = values[.time], !bytes.isEmpty {
      guard let time = clock?.milliseconds(bytes, line: line) else {
        return trace.leaveOut(line: line, "the time cannot be read")
      }
      point.time = Instant(milliseconds: time)
    }
    if let bytes = values[.accuracy], !bytes.isEmpty {
      guard let accuracy = NumberParsing.double(bytes) else {
        return trace.leaveOut(line: line, "the accuracy is not a number")
      }
      // Platforms give a negative radius for "not valid": not known.
      if accuracy >= 0 { point.accuracy = accuracy }
    }
    if let bytes = values[.floor], !bytes.isEmpty {
      guard let floor = NumberParsing.double(bytes).flatMap({ FloorOrdinal($0) }) else {
        return trace.leaveOut(line: line, "the floor is not an ordinal")
      }
      point.floor = floor
    }
    if let bytes = values[.stillUntil], !bytes.isEmpty, let until = clock?.milliseconds(bytes, line: line) {
      point.stillUntil = Instant(milliseconds: until)
    }
    count += 1
    guard count <= options.limits.points else {
      throw TraceError(.tooLarge, "has more than \(options.limits.points) points", line: line)
    }
    trace.append(point, device: device, index: &tracks)
  }
}

extension Trace {
  /// Adds a point to the track of its device, in order of first appearance.
  mutating func append(_ point: TracePoint, device: String, index: inout [String: Int]) {
    if let place = index[device] {
      tracks[place].points.append(point)
    } else {
      index[device] = tracks.count
      tracks.append(TraceTrack(device: device.isEmpty ? nil : device, points: [point]))
    }
  }
}
