internal import CordonGeometry
internal import Foundation

/// Reads points from comma-separated values with a header, gzipped or not.
///
/// The separator is a comma, or a semicolon or tab when the header has those. Fields may be quoted; line
/// breaks inside quotes are not read.
public enum PointCSV {
  /// Reads a file into memory; `-` is standard input.
  public static func read(path: String, options: PointFileOptions = PointFileOptions()) throws
    -> PointTable
  {
    try collector(path, options, capacity: .max).table()
  }

  /// Reads a file for windows of time; `-` is standard input.
  /// - Parameters:
  ///   - path: where the file is.
  ///   - options: how its columns are to be read.
  ///   - rowsInMemory: how many rows are held in memory; more go to a temporary file.
  public static func windows(
    path: String, options: PointFileOptions = PointFileOptions(), rowsInMemory: Int = PointWindows.rowsInMemory
  ) throws -> PointWindows {
    try collector(path, options, capacity: rowsInMemory).windows()
  }

  private static func collector(_ path: String, _ options: PointFileOptions, capacity: Int) throws -> PointCollector {
    let reader = try ByteReader(path: path)
    var parser: CSVParser?
    try reader.forEachPiece { bytes in
      var rest = bytes
      if parser == nil {
        let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
        parser = try CSVParser(
          header: UnsafeBufferPointer(rebasing: rest[..<end]), options: options, capacity: capacity)
        rest = UnsafeBufferPointer(rebasing: rest[min(end + 1, rest.count)...])
      }
      try parser?.parse(rest)
      return true
    }
    guard let parser else { throw PointFileError(.empty, "is empty") }
    return parser.collector
  }
}

/// Splits lines into fields and hands them to a collector.
struct CSVParser {
  var collector: PointCollector
  private let separator: UInt8
  /// For each column of the file which field of a row it is.
  private let fields: [PointField?]
  private var line = 1

  init(
    header: UnsafeBufferPointer<UInt8>, options: PointFileOptions, capacity: Int
  ) throws(PointFileError) {
    var text = String(decoding: header, as: UTF8.self)
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    let counts = [",", ";", "\t"].map { mark in text.count { String($0) == mark } }
    let mark: Character =
      counts[0] >= max(counts[1], counts[2]) ? "," : (counts[1] >= counts[2] ? ";" : "\t")
    separator = mark.asciiValue ?? 0x2C
    let names = text.split(separator: mark, omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " \r\""))
    }
    let columns = try PointColumns(names: names, options: options)
    fields = columns.fields
    collector = PointCollector(
      options, isDegrees: columns.isDegrees, timeColumn: columns.timeColumn, capacity: capacity)
  }

  mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(PointFileError) {
    guard let base = bytes.baseAddress else { return }
    var k = 0
    let count = bytes.count
    while k < count {
      line += 1
      var row = PointCollector.Row()
      var column = 0
      var isOver = false
      var isTooLong = false
      while !isOver {
        var field = PointCollector.Field()
        let meaning = column < fields.count ? fields[column] : nil
        if let meaning, meaning.isNumber, let end = number(base, from: k, before: count, into: &field) {
          k = end
        } else {
          k = text(base, from: k, before: count, into: &field)
        }
        isOver = k >= count || base[k] == 0x0A
        switch meaning {
        case .device: row.device = field
        case .time: row.time = field
        case .longitude, .x: row.x = field
        case .latitude, .y: row.y = field
        case .floor: row.floor = field
        case .accuracy: row.accuracy = field
        case .stillUntil: row.stillUntil = field
        case .venue: row.venue = field
        // Empty ones are separators at the end of the line, which some programs write.
        case nil: if column >= fields.count, !field.isEmpty { isTooLong = true }
        }
        column &+= 1
        k &+= 1
      }
      if column == 1 && row.device.isEmpty && row.time.isEmpty && row.x.isEmpty { continue }
      guard column >= fields.count, !isTooLong else {
        try collector.refuse(line: line, "has \(column) fields, not \(fields.count)")
        continue
      }
      try collector.add(row, line: line)
    }
    if let problem = collector.problem { throw problem }
  }
}

extension CSVParser {
  /// Reads a field that is nothing but a number; answers where the separator or the end of the line is. Most are, and then
  /// each byte is looked at once.
  @inline(__always)
  private func number(
    _ bytes: UnsafePointer<UInt8>, from start: Int, before count: Int, into field: inout PointCollector.Field
  ) -> Int? {
    var end = start
    guard let digits = NumberParsing.digits(bytes, at: &end, before: count) else { return nil }
    field.bytes = UnsafeBufferPointer(start: bytes + start, count: end - start)
    field.digits = digits
    if end >= count || bytes[end] == separator || bytes[end] == 0x0A { return end }
    return bytes[end] == 0x0D && end + 1 < count && bytes[end + 1] == 0x0A ? end + 1 : nil
  }

  /// Reads any field; answers where the separator or the end of the line is.
  @inline(__always)
  private func text(
    _ bytes: UnsafePointer<UInt8>, from place: Int, before count: Int, into field: inout PointCollector.Field
  ) -> Int {
    var (start, k) = (place, place)
    var end: Int
    var isEscaped = false
    if k < count, bytes[k] == 0x22 {
      // A quoted field: to the quote that is not doubled.
      k += 1
      start = k
      while k < count, bytes[k] != 0x0A {
        if bytes[k] == 0x22 {
          guard k + 1 < count, bytes[k + 1] == 0x22 else { break }
          isEscaped = true
          k += 1
        }
        k += 1
      }
      end = k
      while k < count, bytes[k] != separator, bytes[k] != 0x0A { k += 1 }
    } else {
      while k < count, bytes[k] != separator, bytes[k] != 0x0A { k &+= 1 }
      end = k
    }
    while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x0D { end -= 1 }
    while start < end, bytes[start] == 0x20 { start += 1 }
    field = PointCollector.Field(
      bytes: UnsafeBufferPointer(start: bytes + start, count: end - start), isEscaped: isEscaped)
    return k
  }
}

extension PointField {
  /// Whether it is usually written as a number.
  fileprivate var isNumber: Bool {
    switch self {
    case .device, .venue: false
    default: true
    }
  }
}

/// Which columns mean what.
struct PointColumns {
  private(set) var fields: [PointField?]
  private(set) var isDegrees = false
  private(set) var timeColumn = ""

  init(names: [String], options: PointFileOptions) throws(PointFileError) {
    fields = Array(repeating: nil, count: names.count)
    let lower = names.map { $0.lowercased() }
    var places: [PointField: Int] = [:]
    for field in PointField.allCases {
      if let name = options.columns[field] {
        guard let place = names.firstIndex(of: name) ?? lower.firstIndex(of: name.lowercased())
        else {
          throw PointFileError(
            .missingColumn,
            "has no column \(name); its columns are \(names.joined(separator: ", "))", line: 1)
        }
        places[field] = place
      } else {
        for name in field.usualNames where places[field] == nil {
          places[field] = lower.firstIndex(of: name)
        }
      }
    }
    // Metres that were asked for win over degrees that were only found, and the other way round.
    let hasMetres = places[.x] != nil && places[.y] != nil
    let hasDegrees = places[.longitude] != nil && places[.latitude] != nil
    isDegrees = hasDegrees && (!hasMetres || options.columns[.x] == nil)
    if isDegrees {
      (places[.x], places[.y]) = (nil, nil)
    } else {
      (places[.longitude], places[.latitude]) = (nil, nil)
    }
    for field in [PointField.device, .time, isDegrees || !hasMetres ? .longitude : .x]
    where places[field] == nil {
      let wanted = field == .longitude ? "longitude and latitude, or x and y" : field.rawValue
      throw PointFileError(
        .missingColumn,
        "has no column for \(wanted); its columns are \(names.joined(separator: ", "))", line: 1)
    }
    for (field, place) in places { fields[place] = field }
    timeColumn = places[.time].map { names[$0] } ?? ""
  }
}
