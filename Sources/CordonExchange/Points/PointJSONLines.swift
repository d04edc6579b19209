internal import Foundation

/// Reads points from JSON Lines: one flat object a line, with the same names as the columns of CSV files.
public enum PointJSONLines {
  /// Reads a file into memory, gzipped or not; `-` is standard input. The names are taken from the first object that
  /// has a
  /// device, a time and a place.
  public static func read(path: String, options: PointFileOptions = PointFileOptions()) throws
    -> PointTable
  {
    try collector(path, options, capacity: .max).table()
  }

  /// Reads a file for windows of time, gzipped or not; `-` is standard input.
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
    var parser = JSONLinesParser(options: options, capacity: capacity)
    try reader.forEachPiece { bytes in
      try parser.parse(bytes)
      return true
    }
    guard let collector = parser.collector else {
      throw parser.firstProblem ?? PointFileError(.empty, "holds no objects")
    }
    return collector
  }
}

/// Picks the members of flat objects out of lines.
struct JSONLinesParser {
  private(set) var collector: PointCollector?
  private let options: PointFileOptions
  private var fields: [String: PointField] = [:]
  private var line = 0
  /// What is wrong with the first line that is no point, as long as there is no collector.
  private(set) var firstProblem: PointFileError?
  /// How many such lines there were, and the first of them.
  private var early: (count: Int, listed: [PointTable.BadRow]) = (0, [])

  private let capacity: Int

  init(options: PointFileOptions, capacity: Int) {
    self.options = options
    self.capacity = capacity
  }

  mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(PointFileError) {
    var k = 0
    while k < bytes.count {
      var end = k
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      line += 1
      let text = UnsafeBufferPointer(rebasing: bytes[k..<end])
      if text.contains(where: { $0 > 0x20 }) { try parse(line: text) }
      k = end + 1
    }
    if let problem = collector?.problem { throw problem }
  }

  /// Notes a line from which the names cannot be taken.
  private mutating func refuseEarly(_ problem: PointFileError) throws(PointFileError) {
    if options.isStrict { throw PointFileError(.badRow, problem.message, line: line) }
    if firstProblem == nil {
      firstProblem = problem
      firstProblem?.line = line
    }
    early.count += 1
    if early.listed.count < options.badRowLimit {
      early.listed.append(PointTable.BadRow(line: line, reason: problem.message))
    }
  }

  private mutating func parse(line text: UnsafeBufferPointer<UInt8>) throws(PointFileError) {
    guard let members = JSONLinesParser.members(of: text) else {
      let reason = "is not a JSON object"
      if collector == nil { try refuseEarly(PointFileError(.badRow, reason)) }
      try collector?.refuse(line: line, reason)
      return
    }
    if collector == nil {
      let names = members.map { String(decoding: $0.name, as: UTF8.self) }
      let columns: PointColumns
      do throws(PointFileError) {
        columns = try PointColumns(names: names, options: options)
      } catch {
        return try refuseEarly(error)
      }
      for (name, field) in zip(names, columns.fields) { fields[name] = field }
      for field in PointField.allCases where options.columns[field] == nil {
        // Members that are not in the first object may come later.
        let isOther =
          columns.isDegrees ? field == .x || field == .y : field == .longitude || field == .latitude
        guard !isOther, !fields.values.contains(field) else { continue }
        for name in field.usualNames where fields[name] == nil { fields[name] = field }
      }
      collector = PointCollector(
        options, isDegrees: columns.isDegrees, timeColumn: columns.timeColumn, capacity: capacity, isJSON: true)
      collector?.noteRefused(early.count, early.listed)
    }
    var row = PointCollector.Row()
    for member in members {
      switch fields[String(decoding: member.name, as: UTF8.self)] {
      case .device: row.device = PointCollector.Field(bytes: member.value, isEscaped: member.isEscaped)
      case .time: row.time = PointCollector.Field(bytes: member.value)
      case .longitude, .x: row.x = PointCollector.Field(bytes: member.value)
      case .latitude, .y: row.y = PointCollector.Field(bytes: member.value)
      case .floor: row.floor = PointCollector.Field(bytes: member.value)
      case .accuracy: row.accuracy = PointCollector.Field(bytes: member.value)
      case .stillUntil: row.stillUntil = PointCollector.Field(bytes: member.value)
      case .venue: row.venue = PointCollector.Field(bytes: member.value, isEscaped: member.isEscaped)
      case nil: break
      }
    }
    try collector?.add(row, line: line)
  }

  typealias Member = (name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, isEscaped: Bool)

  /// The members of an object: strings without their quotes, `null` as nothing, nested values left out; `nil` when
  /// it is no object. Escapes stay as they are: a name of a member that needs them is no column of ours.
  static func members(of text: UnsafeBufferPointer<UInt8>) -> [Member]? {
    var k = 0
    let count = text.count
    var isEscaped = false
    func skipSpace() { while k < count, text[k] <= 0x20 { k += 1 } }
    func string() -> UnsafeBufferPointer<UInt8>? {
      guard k < count, text[k] == 0x22 else { return nil }
      let start = k + 1
      k = start
      isEscaped = false
      while k < count, text[k] != 0x22 {
        isEscaped = isEscaped || text[k] == 0x5C
        k += text[k] == 0x5C ? 2 : 1
      }
      guard k < count else { return nil }
      k += 1
      return UnsafeBufferPointer(rebasing: text[start..<(k - 1)])
    }
    func skipNested() -> Bool {
      var depth = 0
      repeat {
        guard k < count else { return false }
        switch text[k] {
        case 0x7B, 0x5B: depth += 1
        case 0x7D, 0x5D: depth -= 1
        case 0x22:
          guard string() != nil else { return false }
          continue
        default: break
        }
        k += 1
      } while depth > 0
      return true
    }
    skipSpace()
    guard k < count, text[k] == 0x7B else { return nil }
    k += 1
    var members: [Member] = []
    skipSpace()
    if k < count, text[k] == 0x7D { return members }
    while true {
      skipSpace()
      guard let name = string() else { return nil }
      skipSpace()
      guard k < count, text[k] == 0x3A else { return nil }
      k += 1
      skipSpace()
      guard k < count else { return nil }
      switch text[k] {
      case 0x22:
        guard let value = string() else { return nil }
        members.append((name, value, isEscaped))
      case 0x7B, 0x5B:
        guard skipNested() else { return nil }
      default:
        let start = k
        while k < count, text[k] != 0x2C, text[k] != 0x7D, text[k] > 0x20 { k += 1 }
        let value = UnsafeBufferPointer(rebasing: text[start..<k])
        if !value.elementsEqual("null".utf8) { members.append((name, value, false)) }
      }
      skipSpace()
      guard k < count else { return nil }
      if text[k] == 0x7D { return members }
      guard text[k] == 0x2C else { return nil }
      k += 1
    }
  }
}
