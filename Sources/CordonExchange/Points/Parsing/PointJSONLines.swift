/// Reads points from JSON Lines: one flat object a line, with the same names as the columns of CSV files.
package enum PointJSONLines {
  /// Reads a file into memory, gzipped or not; `-` is standard input. The names are taken from the first object that
  /// has a device, a time and a place.
  package static func read(path: String, options: PointFileOptions = PointFileOptions()) throws
    -> PointTable
  {
    try PointFiles.read([PointFile(path: path, format: .jsonLines)], options: options)
  }

  /// Reads a file for windows of time, gzipped or not; `-` is standard input.
  /// - Parameters:
  ///   - path: where the file is.
  ///   - options: how its columns are to be read.
  ///   - rowsInMemory: how many rows are held in memory; more go to a temporary file.
  package static func windows(
    path: String, options: PointFileOptions = PointFileOptions(), rowsInMemory: Int = PointWindows.rowsInMemory
  ) throws -> PointWindows {
    try PointFiles.windows([PointFile(path: path, format: .jsonLines)], options: options, rowsInMemory: rowsInMemory)
  }
}

/// Picks the members of flat objects out of lines.
struct JSONLinesParser {
  private(set) var collector: PointCollector
  private let options: PointFileOptions
  private let name: String
  /// What each name of a member means, when it means anything.
  private var fields: [String: PointField?] = [:]
  private var place: PointColumns.Place?
  private var line = 0
  /// The fault of the first line that is not a point; `nil` once a line has been one.
  private(set) var firstProblem: PointFileError?
  /// How many such lines there were, and the first of them.
  private var early: (count: Int, listed: [PointTable.BadRow]) = (0, [])

  /// - Parameter name: the name of the file, for devices that are named by it.
  init(options: PointFileOptions, name: String, collector: PointCollector) {
    self.options = options
    self.name = name
    self.collector = collector
  }

  /// Whether a line had what a point needs.
  var hasPoints: Bool { place != nil }

  mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(PointFileError) {
    var k = 0
    while k < bytes.count {
      var end = k
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      line += 1
      var text = UnsafeBufferPointer(rebasing: bytes[k..<end])
      if line == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = UnsafeBufferPointer(rebasing: text.dropFirst(3)) }
      if text.contains(where: { $0 > 0x20 }) { try parse(line: text) }
      k = end + 1
    }
    if hasPoints, let problem = collector.problem { throw problem }
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
      if hasPoints {
        try collector.refuse(line: line, reason)
      } else {
        try refuseEarly(PointFileError(.badRow, reason))
      }
      return
    }
    if !hasPoints {
      let names = members.map { String(decoding: $0.name, as: UTF8.self) }
      let columns: PointColumns
      do throws(PointFileError) {
        columns = try PointColumns(names: names, options: options, needsDevice: !options.isDevicePerFile)
      } catch {
        return try refuseEarly(error)
      }
      for (name, field) in zip(names, columns.fields) { fields[name] = field }
      place = columns.place
      try collector.begin(columns, isJSON: true, device: options.isDevicePerFile ? name : nil)
      collector.noteRefused(early.count, early.listed)
    }
    let row = PointRow()
    defer { row.deallocate() }
    for member in members {
      guard let field = field(of: member.name) else { continue }
      row[PointRow.slot(of: field)] = PointFieldText(bytes: member.value, isEscaped: member.isEscaped)
    }
    try collector.add(row, line: line)
  }

  /// The meaning of a member; members that the first object lacks may come later.
  private mutating func field(of name: UnsafeBufferPointer<UInt8>) -> PointField? {
    let name = String(decoding: name, as: UTF8.self)
    if let known = fields[name] { return known }
    let taken = Set(fields.values.compactMap { $0 }).union(options.columns.keys)
    let other: [PointField] =
      switch place {
      case .degrees: [.x, .y, .geometry]
      case .metres: [.longitude, .latitude, .geometry]
      case .geometry, nil: [.x, .y, .longitude, .latitude]
      }
    let field = PointField.named(name) { !taken.contains($0) && !other.contains($0) }
    // A file with ever new names would fill the memory.
    if fields.count < 10_000 { fields[name] = .some(field) }
    return field
  }

  typealias Member = (name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, isEscaped: Bool)

  /// The members of an object: strings without their quotes, `null` as nothing, nested values left out; `nil` for
  /// a text that is not an object. Escapes stay as they are: no column has a name that needs them.
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
