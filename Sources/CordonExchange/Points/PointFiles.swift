internal import CordonCore
internal import Foundation

/// A file of points.
package struct PointFile: Hashable, Sendable {
  /// What its lines are.
  package enum Format: String, Hashable, Sendable, CaseIterable {
    /// The contents decide; a file that holds something else is refused.
    case auto
    /// Rows with a header, see ``PointCSV``.
    case csv
    /// Flat objects, see ``PointJSONLines``.
    case jsonLines
    /// Arrow IPC, as a stream or as a file.
    case arrow
  }

  /// Where it is; `-` is standard input.
  package var path: String
  /// What its lines are.
  package var format: Format

  /// A file.
  package init(path: String, format: Format = .auto) {
    self.path = path
    self.format = format
  }
}

/// Reads the points of several files as one input; equal names are one device.
package enum PointFiles {
  /// Reads files into memory, each gzipped or not.
  /// - Throws: ``PointFileError``, with the file when there are several.
  package static func read(_ files: [PointFile], options: PointFileOptions = PointFileOptions()) throws -> PointTable {
    try collector(files, options, capacity: .max).table()
  }

  /// Reads files for windows of time, each gzipped or not.
  /// - Parameters:
  ///   - files: in any order.
  ///   - options: how their columns are to be read.
  ///   - rowsInMemory: how many rows are held in memory; more go to a temporary file.
  /// - Throws: ``PointFileError``, with the file when there are several.
  package static func windows(
    _ files: [PointFile], options: PointFileOptions = PointFileOptions(), rowsInMemory: Int = PointWindows.rowsInMemory
  ) throws -> PointWindows {
    try collector(files, options, capacity: rowsInMemory).windows()
  }

  private static func collector(
    _ files: [PointFile], _ options: PointFileOptions, capacity: Int
  ) throws -> PointCollector {
    var collector = PointCollector(options, capacity: capacity)
    for file in files {
      if files.count > 1 { collector.path = file.path }
      do {
        collector = try read(file, options, into: collector)
      } catch let error as PointFileError {
        var placed = error
        placed.file = files.count > 1 ? file.path : nil
        throw placed
      }
    }
    return collector
  }

  private static func read(
    _ file: PointFile, _ options: PointFileOptions, into collector: consuming PointCollector
  ) throws -> PointCollector {
    if file.format == .arrow || file.format == .auto && ArrowSource.isArrow(path: file.path) {
      return try ArrowPoints.read(file.path, options, into: collector)
    }
    let source = try ByteReader(path: file.path)
    var rest: PointCollector? = collector
    var table: CSVParser<PointCollector>?
    var lines: JSONLinesParser?
    let name = TraceNames.stem(of: URL(fileURLWithPath: file.path).lastPathComponent)
    try source.forEachPiece { bytes in
      if let collector = rest {
        rest = nil
        if try isJSON(file, bytes) {
          lines = JSONLinesParser(options: options, name: name, collector: collector)
        } else {
          table = try begin(bytes, name, options, collector)
        }
      }
      try table?.parse(bytes)
      try lines?.parse(bytes)
      return true
    }
    if let lines, !lines.hasPoints { throw lines.firstProblem ?? PointFileError(.empty, "holds no objects") }
    guard var filled = table?.sink ?? lines?.collector else { throw PointFileError(.empty, "is empty") }
    if table?.commaCount ?? 0 > 0 { filled.assume("commas in numbers are read as decimal points") }
    for remark in source.remarks { filled.assume(remark) }
    try filled.end()
    return filled
  }

  private static func begin(
    _ bytes: UnsafeBufferPointer<UInt8>, _ name: String, _ options: PointFileOptions,
    _ collector: consuming PointCollector
  ) throws(PointFileError) -> CSVParser<PointCollector> {
    let header = UnsafeBufferPointer(rebasing: bytes[..<(bytes.firstIndex(of: 0x0A) ?? bytes.endIndex)])
    let layout = CSVLayout(header: header)
    let isOneDevice = options.isDevicePerFile || layout.hasFixedColumns
    let columns = try PointColumns(names: layout.names, options: options, needsDevice: !isOneDevice)
    var collector = collector
    try collector.begin(columns, isJSON: false, device: isOneDevice ? name : nil)
    return CSVParser(layout, fields: columns.fields, sink: collector)
  }

  /// A word as a shell takes it.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789./_-:,=+@".unicodeScalars.contains($0)
    }
    return isPlain ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }

  /// Returns whether a file is JSON Lines.
  /// - Throws: ``PointFileError`` for a file without rows of points.
  private static func isJSON(_ file: PointFile, _ head: UnsafeBufferPointer<UInt8>) throws(PointFileError) -> Bool {
    switch FileKind(of: head) {
    // A format that the caller names takes precedence over the first lines.
    case .trace(let format) where file.format != .auto && !format.isMarkup: return file.format == .jsonLines
    case .trace(let format) where format != .csv:
      let output = "-o " + (file.path == "-" ? "points.csv" : quoted(TraceNames.stem(of: file.path) + ".csv"))
      throw PointFileError(
        .foreignFormat,
        "is \(format.title), not a table of points; convert it with: cordon trace convert \(quoted(file.path)) \(output)"
      )
    case .foreign(let name, let advice): throw PointFileError(.foreignFormat, "is \(name); \(advice)")
    case .binary: throw PointFileError(.foreignFormat, "is binary and not of a known format")
    case .jsonLines: return file.format != .csv
    case .table, .unknown, .trace: return file.format == .jsonLines
    }
  }
}
