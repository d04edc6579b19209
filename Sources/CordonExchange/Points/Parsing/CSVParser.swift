internal import CordonCore

/// The layout of a table, by its first line.
struct CSVLayout {
  let separator: UInt8
  let names: [String]
  /// The columns that are not named in the file.
  var hasFixedColumns = false
  /// Lines before the rows, from the first one on.
  var headerLines = 1

  /// - Parameter header: the first line.
  init(header: UnsafeBufferPointer<UInt8>) {
    var text = String(decoding: header, as: UTF8.self)
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    if text.hasPrefix("Geolife trajectory") {
      // Six lines of text; then places, feet, days since 1899, and a date and a time of day in UTC.
      (separator, hasFixedColumns, headerLines) = (0x2C, true, 6)
      names = ["latitude", "longitude", "", "", "", "date", "time"]
      return
    }
    // In the order of preference.
    let marks: [Unicode.Scalar] = [",", ";", "\t", "|"]
    var counts = [0, 0, 0, 0]
    var isQuoted = false
    for scalar in text.unicodeScalars {
      if scalar == "\"" { isQuoted.toggle() }
      if !isQuoted, let k = marks.firstIndex(of: scalar) { counts[k] += 1 }
    }
    let mark = counts.firstIndex(of: counts.max() ?? 0) ?? 0
    separator = UInt8(marks[mark].value)
    names = CSVLayout.split(text, at: marks[mark])
  }

  private static func split(_ text: String, at mark: Unicode.Scalar) -> [String] {
    var names: [String] = []
    var name = String.UnicodeScalarView()
    var isQuoted = false
    for scalar in text.unicodeScalars {
      if scalar == "\"" {
        isQuoted.toggle()
      } else if scalar == mark, !isQuoted {
        names.append(String(name).trimmed)
        name = String.UnicodeScalarView()
      } else {
        name.append(scalar)
      }
    }
    return names + [String(name).trimmed]
  }
}

/// Splits lines into fields and hands them to a sink.
struct CSVParser<Sink: PointRowSink> {
  var sink: Sink
  private let separator: UInt8
  /// A column of the file.
  private struct Column {
    /// The storage of its field in a row.
    var slot: Int32
    /// Whether its fields are usually numbers.
    var isNumber: Bool
  }

  private let columns: [Column]
  private var line = 0
  private var skipsLines: Int
  /// How many numbers had a decimal comma.
  private(set) var commaCount = 0

  /// - Parameter fields: for each column what it means.
  init(_ layout: CSVLayout, fields: [PointField?], sink: Sink) {
    self.sink = sink
    columns = fields.map { field in
      Column(
        slot: Int32(field.map { PointRow.slot(of: $0) } ?? PointRow.unusedSlot), isNumber: field?.isNumber ?? false)
    }
    separator = layout.separator
    skipsLines = layout.headerLines
  }

  /// Reads lines; the first ones are the header.
  mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(PointFileError) {
    guard let base = bytes.baseAddress else { return }
    var k = 0
    let count = bytes.count
    while skipsLines > 0, k < count {
      while k < count, base[k] != 0x0A { k &+= 1 }
      k &+= 1
      skipsLines -= 1
      line += 1
    }
    // Every column is written in every row that is used, so that no field of an earlier row remains.
    let row = PointRow()
    defer { row.deallocate() }
    let columns = columns
    let columnCount = columns.count
    while k < count {
      line += 1
      let begin = k
      var column = 0
      var isOver = false
      var isTooLong = false
      while !isOver {
        let isKnown = column < columnCount
        let meaning = isKnown ? columns[column] : Column(slot: Int32(PointRow.unusedSlot), isNumber: false)
        let slot = Int(meaning.slot)
        if meaning.isNumber, let end = number(base, from: k, before: count, into: &row[slot]) {
          k = end
        } else {
          k = text(base, from: k, before: count, into: &row[slot])
          if meaning.isNumber, separator != 0x2C { readComma(&row[slot]) }
        }
        isOver = k >= count || base[k] == 0x0A
        // Empty fields beyond the last column are separators at the end of the line, which some programs write.
        if !isKnown, !row[slot].isEmpty { isTooLong = true }
        column &+= 1
        k &+= 1
      }
      if column == 1, isBlank(base, begin, min(k &- 1, count)) { continue }
      guard column >= columnCount, !isTooLong else {
        try sink.refuse(line: line, "has \(column) fields, not \(columnCount)")
        continue
      }
      try sink.add(row, line: line)
    }
    if let problem = sink.problem { throw problem }
  }

  private func isBlank(_ bytes: UnsafePointer<UInt8>, _ begin: Int, _ end: Int) -> Bool {
    UnsafeBufferPointer(start: bytes + begin, count: max(end - begin, 0)).allSatisfy { $0 <= 0x20 || $0 == 0x22 }
  }
}

extension CSVParser {
  /// Reads a field that is nothing but a number; answers where the separator or the end of the line is. Most are, and then
  /// each byte is read once.
  @inline(__always)
  private func number(
    _ bytes: UnsafePointer<UInt8>, from start: Int, before count: Int, into field: inout PointFieldText
  ) -> Int? {
    var end = start
    guard let digits = NumberParsing.digits(bytes, at: &end, before: count) else { return nil }
    field = PointFieldText(
      bytes: UnsafeBufferPointer(start: bytes + start, count: end &- start), digits: digits)
    if end >= count || bytes[end] == separator || bytes[end] == 0x0A { return end }
    return bytes[end] == 0x0D && end + 1 < count && bytes[end + 1] == 0x0A ? end + 1 : nil
  }

  /// Reads any field; answers where the separator or the end of the line is.
  @inline(__always)
  private func text(
    _ bytes: UnsafePointer<UInt8>, from place: Int, before count: Int, into field: inout PointFieldText
  ) -> Int {
    var (start, k) = (place, place)
    var end: Int
    var isEscaped = false
    var hasBackslash = false
    if k < count, bytes[k] == 0x22 {
      // A quoted field: to the quote that is not doubled.
      k += 1
      start = k
      while true {
        if ByteScan.next(0x22, or: 0x0A, in: bytes, from: &k, before: count) { hasBackslash = true }
        guard k + 1 < count, bytes[k] == 0x22, bytes[k + 1] == 0x22 else { break }
        isEscaped = true
        k += 2
      }
      end = k
      _ = ByteScan.next(separator, or: 0x0A, in: bytes, from: &k, before: count)
    } else {
      hasBackslash = ByteScan.next(separator, or: 0x0A, in: bytes, from: &k, before: count)
      end = k
    }
    while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x0D { end -= 1 }
    while start < end, bytes[start] == 0x20 { start += 1 }
    field = PointFieldText(
      bytes: UnsafeBufferPointer(start: bytes + start, count: end - start), isEscaped: isEscaped,
      isGuarded: hasBackslash || start < end && bytes[start] == 0x27)
    return k
  }

  /// Where no comma separates fields, one may stand before decimals.
  @inline(never)
  private mutating func readComma(_ field: inout PointFieldText) {
    guard field.bytes.contains(0x2C), let digits = NumberParsing.digits(withComma: field.bytes) else { return }
    field.digits = digits
    commaCount += 1
  }
}

extension PointField {
  /// Whether it is usually written as a number.
  fileprivate var isNumber: Bool {
    switch self {
    case .device, .venue, .geometry, .date, .mocked: false
    default: true
    }
  }
}
