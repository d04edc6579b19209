/// The values of a column of a batch that is written.
package struct ArrowColumnBuilder {
  private let kind: TableColumn.Kind
  /// The rows without a value, rising and apart from each other.
  private var missing: [Range<Int>] = []
  /// The bits of numbers, whole numbers and times.
  private var words: [UInt64] = []
  private var flags: [Bool] = []
  /// The ends of texts.
  private var ends: [UInt32] = []
  private var text: [UInt8] = []
  /// The number of rows.
  package private(set) var count = 0
  /// How many rows have no value.
  private(set) var nullCount = 0

  init(_ kind: TableColumn.Kind) { self.kind = kind }

  /// Bytes of texts.
  var textSize: Int { text.count }

  mutating func clear() {
    missing.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    flags.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    (count, nullCount) = (0, 0)
  }

  /// Appends a value; one of another kind than the column's counts as missing.
  package mutating func append(_ value: TableValue) {
    switch value {
    case .text(let text): append(text: text)
    case .number(let number): append(number: number)
    case .count(let number): append(count: number)
    case .flag(let flag): append(flag: flag)
    case .time(let time): append(time: time)
    case .missing: appendMissing(rows: 1)
    }
  }

  /// Appends a text; in a column of another kind, and for `nil`, a missing value.
  package mutating func append(text value: String?) {
    guard kind == .text, var value else { return appendMissing(rows: 1) }
    value.withUTF8 { text.append(contentsOf: $0) }
    ends.append(UInt32(text.count))
    count += 1
  }

  /// Appends a number; in a column of another kind, and for `nil` and NaN, a missing value.
  package mutating func append(number value: Double?) {
    guard kind == .number, let value, !value.isNaN else { return appendMissing(rows: 1) }
    words.append(value.bitPattern)
    count += 1
  }

  /// Appends a whole number, as a number in a column of numbers; in other columns a missing value.
  package mutating func append(count value: Int64) {
    switch kind {
    case .count: words.append(UInt64(bitPattern: value))
    case .number: words.append(Double(value).bitPattern)
    default: return appendMissing(rows: 1)
    }
    count += 1
  }

  /// Appends a time, microseconds since 1970; in a column of another kind a missing value.
  package mutating func append(time value: Int64) {
    guard kind == .time else { return appendMissing(rows: 1) }
    words.append(UInt64(bitPattern: value))
    count += 1
  }

  /// Appends a flag; in a column of another kind, and for `nil`, a missing value.
  package mutating func append(flag value: Bool?) {
    guard kind == .flag, let value else { return appendMissing(rows: 1) }
    flags.append(value)
    count += 1
  }

  /// Appends rows without a value; none for a number below 1.
  package mutating func appendMissing(rows: Int) {
    guard rows > 0 else { return }
    if let last = missing.last, last.upperBound == count {
      missing[missing.count - 1] = last.lowerBound..<(count + rows)
    } else {
      missing.append(count..<(count + rows))
    }
    switch kind {
    case .text: ends.append(contentsOf: repeatElement(UInt32(text.count), count: rows))
    case .flag: flags.append(contentsOf: repeatElement(false, count: rows))
    case .number, .count, .time: words.append(contentsOf: repeatElement(0, count: rows))
    }
    count += rows
    nullCount += rows
  }

  /// At most how many bytes ``append(to:)`` appends.
  var size: Int { words.count * 8 + ends.count * 4 + text.count + flags.count + count / 8 + 64 }

  /// Appends the buffers of the column, each up to a multiple of eight bytes.
  /// - Returns: the place and the length of each.
  func append(to body: inout [UInt8]) -> [[Int64]] {
    var places: [[Int64]] = []
    func end(_ start: Int) {
      places.append([Int64(start), Int64(body.count - start)])
      body.append(contentsOf: repeatElement(0, count: (8 - body.count % 8) % 8))
    }
    var start = body.count
    body.append(contentsOf: validity)
    end(start)
    start = body.count
    switch kind {
    case .text:
      body.append(contentsOf: [0, 0, 0, 0])
      ArrowColumnBuilder.append(ends, to: &body)
      end(start)
      start = body.count
      body.append(contentsOf: text)
    case .flag: body.append(contentsOf: ArrowColumnBuilder.bits(count) { flags[$0] })
    case .number, .count, .time: ArrowColumnBuilder.append(words, to: &body)
    }
    end(start)
    return places
  }

  /// A bit for each row, set where it has a value; empty when all have one.
  private var validity: [UInt8] {
    guard nullCount > 0 else { return [] }
    // Bits beyond the last row are zero.
    var bytes = [UInt8](repeating: 0xFF, count: (count + 7) / 8)
    if count % 8 > 0 { bytes[bytes.count - 1] = (1 << UInt8(count % 8)) - 1 }
    for range in missing {
      var row = range.lowerBound
      while row < range.upperBound {
        if row % 8 == 0, row + 8 <= range.upperBound {
          bytes[row >> 3] = 0
          row += 8
        } else {
          bytes[row >> 3] &= ~(1 << UInt8(row & 7))
          row += 1
        }
      }
    }
    return bytes
  }

  private static func append<Value: FixedWidthInteger>(_ values: [Value], to body: inout [UInt8]) {
    #if _endian(little)
      values.withUnsafeBytes { body.append(contentsOf: $0) }
    #else
      values.map(\.littleEndian).withUnsafeBytes { body.append(contentsOf: $0) }
    #endif
  }

  /// A bit for each row, from the lowest of each byte on.
  private static func bits(_ count: Int, _ isSet: (Int) -> Bool) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
    for row in 0..<count where isSet(row) { bytes[row >> 3] |= 1 << UInt8(row & 7) }
    return bytes
  }
}
