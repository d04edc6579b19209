internal import CordonCore
internal import Foundation

/// A reader of recorded positions in any supported format.
public enum TraceFile {
  /// Reads a file, compressed with gzip or not; `-` is standard input.
  ///
  /// - Throws: ``TraceError`` if the file cannot be read, or if its format is unknown or violated.
  public static func read(path: String, options: TraceReadOptions = TraceReadOptions()) throws(TraceError) -> Trace {
    do {
      let source = try ByteReader(path: path)
      var reader: (any TraceReader)?
      try source.forEachPiece { piece in
        if reader == nil { reader = try TraceFile.reader(for: piece, options) }
        try reader?.read(piece)
        return true
      }
      guard var reader else { throw TraceError(.empty, "is empty") }
      return TraceFile.named(try reader.finish(), path)
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
  public static func read(
    _ bytes: [UInt8], name: String, options: TraceReadOptions = TraceReadOptions()
  ) throws(TraceError) -> Trace {
    guard !bytes.isEmpty else { throw TraceError(.empty, "is empty") }
    let result: Result<Trace, TraceError> = bytes.withUnsafeBufferPointer { buffer in
      do throws(TraceError) {
        var reader = try TraceFile.reader(for: buffer, options)
        try reader.read(buffer)
        return .success(try reader.finish())
      } catch {
        return .failure(error)
      }
    }
    return named(try result.get(), name)
  }

  private static func named(_ trace: Trace, _ path: String) -> Trace {
    var trace = trace
    trace.name = path == "-" ? "standard input" : URL(fileURLWithPath: path).lastPathComponent
    return trace
  }

  private static func reader(
    for head: UnsafeBufferPointer<UInt8>, _ options: TraceReadOptions
  ) throws(TraceError) -> any TraceReader {
    guard let format = options.format ?? format(of: head) else {
      throw TraceError(
        .unknownFormat, "is no trace of a format that is known; name it with --format if it is one", line: 1)
    }
    switch format {
    case .gpx: return GPXReader(options)
    case .kml: return KMLReader(options)
    case .nmea: return NMEAReader(options)
    case .csv: return CSVTraceReader(options)
    case .jupedsim: return JuPedSimReader(options)
    case .geojson, .overland, .owntracks, .ingest, .capture: return JSONTraceReader(options)
    }
  }

  /// Checks for a control character other than spaces and line ends, which shows that the file is binary and its commas
  /// have no meaning.
  private static func isOfNoText(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && !(9...13).contains(scalar.value) && scalar.value != 0x1A
  }

  /// Detects a format from the beginning of a file. All JSON formats are distinguished later.
  static func format(of head: UnsafeBufferPointer<UInt8>) -> TraceFormat? {
    let text = String(decoding: head.prefix(8_192), as: UTF8.self)
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard let first = start.first else { return nil }
    if first == "<" {
      if start.contains("<gpx") || start.contains(":gpx") { return .gpx }
      return start.contains("<kml") || start.contains(":kml") ? .kml : nil
    }
    if first == "{" || first == "[" { return .geojson }
    for line in start.split(whereSeparator: \.isNewline).prefix(20) {
      if let dollar = line.firstIndex(of: "$") {
        let name = line[line.index(after: dollar)...].prefix { $0 != "," }
        if (4...6).contains(name.utf8.count), name.allSatisfy({ $0.isUppercase || $0.isNumber }) { return .nmea }
      }
      if line.hasPrefix("#") { continue }
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" })
      if words.count >= 4, words.prefix(4).allSatisfy({ Double($0) != nil }) { return .jupedsim }
      let hasMark = line.contains(",") || line.contains(";") || line.contains("\t")
      if hasMark, line.contains(where: \.isLetter), !line.unicodeScalars.contains(where: isOfNoText) { return .csv }
    }
    return nil
  }
}
