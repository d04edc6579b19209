package import CordonCore
internal import CordonGeometry
internal import Foundation

/// A position with a time, as a row of a table holds it.
package struct FixRow: Hashable, Sendable {
  /// Milliseconds since 1970.
  package var time: Int64
  /// Milliseconds since 1970 until which the device rested there; at least ``time``.
  package var until: Int64
  /// The position.
  package var coordinate: Coordinate
  /// The 68 % error radius in metres; `nil` if it is unknown.
  package var accuracy: Double?
}

/// The omissions and assumptions of a reader of fixes.
package struct FixReading: Hashable, Sendable {
  /// The number of parts of the file that are not usable positions.
  package var leftOut = 0
  /// The number of positions that software generated; they are left out.
  package var mocked = 0
  /// Interpretations of the file, one sentence each.
  package var remarks: [String] = []
}

/// The fixes of one person from a file of any format, in the order of their times.
package enum FixReader {
  /// The reason to read a file again.
  package struct Unordered: Error {}

  /// Passes the fixes of a file on. Rows of CSV are passed on while they are read, in constant memory; other formats are read
  /// whole and sorted first.
  ///
  /// - Parameters:
  ///   - path: the file; `-` for standard input.
  ///   - options: for data that the file does not contain.
  ///   - device: the name of the device; `nil` for the only one.
  ///   - sorts: whether CSV is also read whole and sorted.
  ///   - body: receives the fixes.
  /// - Throws: ``TraceError``; ``Unordered`` if rows of CSV are not in the order of their times and `sorts` is false. `body` has
  ///   received some of them then.
  package static func read(
    path: String, options: TraceReadOptions = TraceReadOptions(), device: String? = nil, sorts: Bool = false,
    _ body: (FixRow) throws -> Void
  ) throws -> FixReading {
    if !sorts, path != "-", let reading = try stream(path, options, device, body) { return reading }
    return try pass(try TraceFile.read(path: path, options: options), device: device, body)
  }

  /// Passes the fixes of a trace on, sorted by time; of several fixes of one time the first one comes first.
  package static func pass(_ trace: Trace, device: String?, _ body: (FixRow) throws -> Void) throws -> FixReading {
    var reading = FixReading(leftOut: trace.faultCount, remarks: trace.remarks)
    var rows: [FixRow] = []
    var only: String?
    for track in trace.tracks where track.kind == .track || trace.tracks.allSatisfy({ $0.kind != .track }) {
      let name = track.device
      if let device {
        guard name == device || track.name == device else { continue }
      } else if let name {
        if let only, only != name { throw several(only, name) }
        only = name
      }
      for point in track.points {
        guard case .degrees(let coordinate) = point.place else { throw metres(line: point.line) }
        guard let time = point.time?.milliseconds else {
          reading.leftOut += 1
          continue
        }
        guard !point.isMocked else {
          reading.mocked += 1
          continue
        }
        rows.append(
          FixRow(
            time: time, until: max(point.stillUntil?.milliseconds ?? time, time), coordinate: coordinate,
            accuracy: point.accuracy))
      }
    }
    guard !rows.isEmpty else {
      throw TraceError(
        .empty, device.map { "holds no position of the device \($0)" } ?? "holds no position with a time")
    }
    if !zip(rows, rows.dropFirst()).allSatisfy({ $0.time <= $1.time }) {
      let order = rows.indices.sorted { (rows[$0].time, $0) < (rows[$1].time, $1) }
      for index in order { try body(rows[index]) }
    } else {
      for row in rows { try body(row) }
    }
    return reading
  }

  /// Streams CSV; `nil` for a file of another format.
  private static func stream(
    _ path: String, _ options: TraceReadOptions, _ device: String?, _ body: (FixRow) throws -> Void
  ) throws -> FixReading? {
    do {
      let source = try ByteReader(path: path)
      var isOther = false
      var parser: CSVParser<FixSink>?
      try source.forEachPiece { piece in
        if parser == nil {
          guard isTable(piece, options) else {
            isOther = true
            return false
          }
          parser = try FixSink.parser(piece, options, device)
        }
        try parser?.parse(piece)
        if parser?.sink.isUnordered == true { throw Unordered() }
        try parser?.sink.drain(body)
        return true
      }
      if isOther { return nil }
      guard let parser else { return nil }
      var reading = try parser.sink.finish(commaCount: parser.commaCount)
      reading.remarks += source.remarks
      return reading
    } catch let error as PointFileError {
      let code: TraceError.Code =
        switch error.code {
        case .unreadable: .unreadable
        case .empty: .empty
        case .tooLarge: .tooLarge
        default: .malformed
        }
      throw TraceError(code, error.message, line: error.line)
    }
  }

  private static func isTable(_ head: UnsafeBufferPointer<UInt8>, _ options: TraceReadOptions) -> Bool {
    if let format = options.format { return format == .csv }
    switch FileKind(of: head) {
    case .trace(.csv), .table: return true
    default: return false
    }
  }

  fileprivate static func several(_ first: String, _ second: String) -> TraceError {
    TraceError(
      .missing, "holds several devices, such as \(first.prefix(40)) and \(second.prefix(40)); name one with --device")
  }

  fileprivate static func metres(line: Int?) -> TraceError {
    TraceError(.missing, "positions are in metres; cordon trace convert --origin converts them", line: line)
  }
}

/// Collects the fixes of a piece of a table.
private struct FixSink: PointRowSink {
  private var reader: PointRowReader
  private var rows: [FixRow] = []
  private let wanted: [UInt8]?
  private var only: [UInt8]?
  private var latest = Int64.min
  private var count = 0
  private(set) var isUnordered = false
  private var reading = FixReading()
  var problem: PointFileError? { reader.problem }

  static func parser(
    _ bytes: UnsafeBufferPointer<UInt8>, _ options: TraceReadOptions, _ device: String?
  ) throws(PointFileError) -> CSVParser<FixSink>? {
    // Empty lines may come first.
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }) else { return nil }
    let end = bytes[first...].firstIndex(of: 0x0A) ?? bytes.endIndex
    var layout = CSVLayout(header: UnsafeBufferPointer(rebasing: bytes[first..<end]))
    layout.headerLines += bytes[..<first].count { $0 == 0x0A }
    let columns = try PointColumns(names: layout.names, options: options.columns, needsDevice: device != nil)
    return CSVParser(layout, fields: columns.fields, sink: FixSink(columns, options, device))
  }

  private init(_ columns: PointColumns, _ options: TraceReadOptions, _ device: String?) {
    reader = PointRowReader(columns, options.columns, latitudeLimit: 90)
    wanted = device.map { Array($0.utf8) }
    if let assumption = columns.assumption { reading.remarks.append(assumption) }
  }

  mutating func refuse(line: Int, _ reason: String) { reading.leftOut += 1 }

  @inline(__always)
  mutating func add(_ row: PointRow, line: Int) throws(PointFileError) {
    let values: PointValues
    do throws(PointRowFault) {
      values = try reader.read(row, line: line)
    } catch {
      return refuse(line: line, "\(error.reason)")
    }
    guard try isWanted(row.device, line: line) else { return }
    guard reader.isDegrees == true else {
      throw PointFileError(
        .unclearPlaces, "positions are in metres; cordon trace convert --origin converts them", line: line)
    }
    guard let time = values.time else { return refuse(line: line, "no time") }
    if !row.mocked.isEmpty,
      ["true", "1", "yes"].contains(String(decoding: row.mocked.bytes, as: UTF8.self).lowercased())
    {
      reading.mocked += 1
      return
    }
    if time < latest { isUnordered = true }
    latest = time
    var until = time
    if !row.stillUntil.isEmpty { until = max(reader.restEnd(row.stillUntil, line: line) ?? time, time) }
    rows.append(
      FixRow(
        time: time, until: until, coordinate: Coordinate(longitude: values.x, latitude: values.y),
        accuracy: values.accuracy > 0 ? values.accuracy : nil))
  }

  /// Whether a row is of the device; a second device is an error when none is named.
  @inline(__always)
  private mutating func isWanted(_ field: PointFieldText, line: Int) throws(PointFileError) -> Bool {
    if let wanted { return field.bytes.elementsEqual(wanted) }
    guard !field.isEmpty else { return true }
    if let only {
      guard field.bytes.elementsEqual(only) else {
        let error = FixReader.several(
          String(decoding: only, as: UTF8.self), String(decoding: field.bytes, as: UTF8.self))
        throw PointFileError(.badRow, error.message, line: line)
      }
    } else {
      only = Array(field.bytes)
    }
    return true
  }

  mutating func drain(_ body: (FixRow) throws -> Void) throws {
    for row in rows { try body(row) }
    count += rows.count
    rows.removeAll(keepingCapacity: true)
  }

  func finish(commaCount: Int) throws(PointFileError) -> FixReading {
    if let problem = reader.finalProblem { throw problem }
    guard count > 0 else { throw PointFileError(.empty, "holds no position with a time") }
    var reading = reading
    reading.remarks += reader.assumptions
    if commaCount > 0 { reading.remarks.append("commas in numbers are read as decimal points") }
    return reading
  }
}
