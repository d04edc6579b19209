import CordonCore
import CordonSupport

/// A writer of comma-separated values: UTF-8, lines that end in LF, cells quoted as in RFC 4180.
///
/// Rows go to `sink` in pieces of about a mebibyte, so that a table of millions of rows needs little memory.
struct CSVWriter {
  private var bytes: [UInt8] = []
  private var isAtLineStart = true
  private let sink: ([UInt8]) throws -> Void
  private static let pieceSize = 1 << 20

  /// Creates a writer and starts with a line of column names.
  init(header: [String], sink: @escaping ([UInt8]) throws -> Void) throws {
    self.sink = sink
    bytes.reserveCapacity(CSVWriter.pieceSize + 4_096)
    for name in header { cell(text: name) }
    try endRow()
  }

  /// Sends the rest of the text; nothing may be added after it.
  mutating func finish() throws {
    try sink(bytes)
    bytes = []
  }

  /// Appends a cell of text, which no spreadsheet computes: names come from maps of unknown origin.
  mutating func cell(text: String) {
    separate()
    CSVCell.append(text, to: &bytes)
  }

  /// Appends a cell without quoting, for fixed words.
  mutating func cell(word: String) {
    separate()
    bytes.append(text: word)
  }

  mutating func cell(integer: Int64) {
    separate()
    bytes.append(integer: integer)
  }

  /// Appends a number; an empty cell for `nil`.
  mutating func cell(_ value: Double?, places: Int) {
    separate()
    if let value { bytes.append(value, places: places) }
  }

  /// Appends milliseconds since 1970 as an RFC 3339 time.
  mutating func cell(time milliseconds: Int64) {
    separate()
    Instant(milliseconds: milliseconds).appendRFC3339(to: &bytes)
  }

  /// Appends milliseconds since 1970 as a local time.
  mutating func cell(localTime milliseconds: Int64, in zone: LocalTimes) {
    separate()
    zone.append(milliseconds, to: &bytes)
  }

  /// Appends a whole number; an empty cell for `nil`.
  mutating func cell(integer: Int?) {
    separate()
    if let integer { bytes.append(integer: Int64(integer)) }
  }

  mutating func emptyCell() { separate() }

  mutating func endRow() throws {
    bytes.append(UInt8(ascii: "\n"))
    isAtLineStart = true
    guard bytes.count >= CSVWriter.pieceSize else { return }
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func separate() {
    if !isAtLineStart { bytes.append(UInt8(ascii: ",")) }
    isAtLineStart = false
  }
}
