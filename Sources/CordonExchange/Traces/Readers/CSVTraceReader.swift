internal import CordonContacts
internal import CordonCore
internal import CordonGeometry
import CordonSupport

/// Reads comma-separated values with a header; the columns are found, or named, as for files of points.
struct CSVTraceReader: TraceReader {
  private let options: TraceReadOptions
  private var parser: CSVParser<TraceRowSink>?

  init(_ options: TraceReadOptions) { self.options = options }

  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(TraceError) {
    do throws(PointFileError) {
      if parser == nil { parser = try CSVTraceReader.begin(bytes, options) }
      try parser?.parse(bytes)
    } catch {
      throw CSVTraceReader.traceError(error)
    }
  }

  private static func begin(
    _ bytes: UnsafeBufferPointer<UInt8>, _ options: TraceReadOptions
  ) throws(PointFileError) -> CSVParser<TraceRowSink>? {
    // Empty lines may come first.
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }) else { return nil }
    let end = bytes[first...].firstIndex(of: 0x0A) ?? bytes.endIndex
    var layout = CSVLayout(header: UnsafeBufferPointer(rebasing: bytes[first..<end]))
    layout.headerLines += bytes[..<first].count { $0 == 0x0A }
    // A recording of one device needs no column for the device.
    let columns = try PointColumns(
      names: layout.names, options: options.columns, needsDevice: options.columns.columns[.device] != nil)
    return CSVParser(layout, fields: columns.fields, sink: TraceRowSink(columns, options))
  }

  mutating func finish() throws(TraceError) -> Trace {
    guard let parser else { throw TraceError(.empty, "is empty", line: 1) }
    do throws(PointFileError) {
      return try parser.sink.finish(commaCount: parser.commaCount)
    } catch {
      throw CSVTraceReader.traceError(error)
    }
  }

  private static func traceError(_ error: PointFileError) -> TraceError {
    switch error.code {
    case .tooLarge: TraceError(.tooLarge, error.message, line: error.line)
    case .empty: TraceError(.empty, error.message, line: error.line)
    default: TraceError(.malformed, error.message, line: error.line)
    }
  }
}

/// Makes tracks of rows.
private struct TraceRowSink: PointRowSink {
  private var trace = Trace(format: .csv)
  private var tracks: [String: Int] = [:]
  private var reader: PointRowReader
  private let limit: Int
  private var count = 0
  /// Small times count from the beginning of a recording; `--start` says when that was.
  var problem: PointFileError? { reader.clock.mixture }

  init(_ columns: PointColumns, _ options: TraceReadOptions) {
    reader = PointRowReader(columns, options.columns, latitudeLimit: 90)
    limit = options.limits.points
    if let assumption = columns.assumption { trace.remark(assumption) }
  }

  mutating func refuse(line: Int, _ reason: String) { trace.leaveOut(line: line, reason) }

  mutating func add(_ row: PointRow, line: Int) throws(PointFileError) {
    let values: PointValues
    do throws(PointRowFault) {
      values = try reader.read(row, line: line)
    } catch {
      return refuse(line: line, "\(error.reason)")
    }
    var point = TracePoint(
      place: reader.isDegrees == true
        ? .degrees(Coordinate(longitude: values.x, latitude: values.y)) : .metres(PlanePoint(x: values.x, y: values.y)),
      line: line)
    point.time = values.time.map { Instant(milliseconds: $0) }
    // Platforms give a negative radius for "not valid": not known.
    if values.accuracy >= 0 { point.accuracy = values.accuracy }
    if values.floor != Segment.unknownFloor { point.floor = FloorOrdinal(thousandths: values.floor) }
    if !row.stillUntil.isEmpty {
      point.stillUntil = reader.restEnd(row.stillUntil, line: line).map { Instant(milliseconds: $0) }
    }
    point.isMocked = ["true", "1", "yes"].contains(String(decoding: row.mocked.bytes, as: UTF8.self).lowercased())
    count += 1
    guard count <= limit else { throw PointFileError(.tooLarge, "has more than \(limit) points", line: line) }
    guard let device = TraceRowSink.name(row.device) else {
      return refuse(line: line, "the name of the device cannot be read")
    }
    trace.append(point, device: CSVCell.plain(device), index: &tracks)
  }

  private static func name(_ field: PointFieldText) -> String? {
    guard field.isEscaped else { return String(decoding: field.bytes, as: UTF8.self) }
    return NameEscapes.plain(field.bytes, isJSON: false).map { String(decoding: $0, as: UTF8.self) }
  }

  func finish(commaCount: Int) throws(PointFileError) -> Trace {
    if let problem = reader.clock.mixture ?? reader.suspicionProblem { throw problem }
    var trace = trace
    for assumption in reader.assumptions { trace.remark(assumption) }
    if commaCount > 0 { trace.remark("commas in numbers are read as decimal points") }
    return trace
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
