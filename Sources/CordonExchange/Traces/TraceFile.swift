internal import CordonCore
internal import Foundation

/// A reader of recorded positions in any supported format.
package enum TraceFile {
  /// Reads a file, compressed with gzip or not; `-` is standard input.
  ///
  /// - Throws: ``TraceError`` if the file cannot be read, or if its format is unknown or violated.
  package static func read(path: String, options: TraceReadOptions = TraceReadOptions()) throws(TraceError) -> Trace {
    do {
      let source = try ByteReader(path: path)
      var reader: (any TraceReader)?
      try source.forEachPiece { piece in
        if reader == nil { reader = try TraceFile.reader(for: piece, options) }
        try reader?.read(piece)
        return true
      }
      guard var reader else { throw TraceError(.empty, "is empty") }
      var trace = TraceFile.named(try reader.finish(), path)
      for remark in source.remarks { trace.remark(remark) }
      return trace
    } catch let error as TraceError {
      throw error
    } catch let error as PointFileError {
      throw TraceError(error.code == .unreadable ? .unreadable : .malformed, error.message, line: error.line)
    } catch {
      throw TraceError(.unreadable, "\(error)")
    }
  }

  /// Reads bytes in memory, which must not be compressed.
  ///
  /// - Throws: ``TraceError`` if the format is unknown or violated.
  package static func read(
    _ bytes: [UInt8], name: String, options: TraceReadOptions = TraceReadOptions()
  ) throws(TraceError) -> Trace {
    guard !bytes.isEmpty else { throw TraceError(.empty, "is empty") }
    var decoding = bytes.withUnsafeBufferPointer { TextDecoding(head: $0) }
    let bytes = bytes.withUnsafeBufferPointer { decoding.isPlain($0) ? bytes : decoding.decoded($0, isLast: true) }
    let result: Result<Trace, TraceError> = bytes.withUnsafeBufferPointer { buffer in
      do throws(TraceError) {
        var reader = try TraceFile.reader(for: buffer, options)
        try reader.read(buffer)
        return .success(try reader.finish())
      } catch {
        return .failure(error)
      }
    }
    var trace = named(try result.get(), name)
    for remark in decoding.remarks { trace.remark(remark) }
    return trace
  }

  private static func named(_ trace: Trace, _ path: String) -> Trace {
    var trace = trace
    trace.name = path == "-" ? "standard input" : URL(fileURLWithPath: path).lastPathComponent
    return trace
  }

  private static func reader(
    for head: UnsafeBufferPointer<UInt8>, _ options: TraceReadOptions
  ) throws(TraceError) -> any TraceReader {
    let format = if let format = options.format { format } else { try format(of: head) }
    switch format {
    case .gpx: return GPXReader(options)
    case .kml: return KMLReader(options)
    case .nmea: return NMEAReader(options)
    case .csv: return CSVTraceReader(options)
    case .jupedsim: return JuPedSimReader(options)
    case .geojson, .mfJSON, .overland, .owntracks, .ingest, .capture: return JSONTraceReader(options)
    }
  }

  /// Detects a format from the beginning of a file. All JSON formats are distinguished later.
  static func format(of head: UnsafeBufferPointer<UInt8>) throws(TraceError) -> TraceFormat {
    switch FileKind(of: head) {
    case .trace(let format): return format
    case .table: return .csv
    case .jsonLines: return .geojson
    case .foreign(let name, let advice): throw TraceError(.unknownFormat, "is \(name), not a recording; \(advice)")
    case .binary: throw TraceError(.unknownFormat, "is binary and not of a known format")
    case .unknown:
      throw TraceError(
        .unknownFormat, "is not a trace of a known format; if it is one, name the format with --input-format", line: 1)
    }
  }
}
