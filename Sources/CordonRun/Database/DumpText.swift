import CordonCore
import CordonSupport

/// The text form of a database for its hash, and the hash; docs/reference/run-folder.md defines the form.
///
/// The text goes to the hash in pieces: for a day in a large building it has gigabytes.
struct DumpText {
  private var digest = SHA256()
  private var buffer: [UInt8] = []
  private static let piece = 1 << 16

  init() {
    buffer.reserveCapacity(DumpText.piece + 4_096)
  }

  mutating func beginTable(_ name: String, columns: [String]) {
    buffer.append(text: "\(name)(\(columns.joined(separator: ",")))\n")
  }

  mutating func endRow() {
    buffer.append(UInt8(ascii: "\n"))
    guard buffer.count > DumpText.piece else { return }
    digest.update(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Starts the next column of a row.
  mutating func beginCell(isFirst: Bool) {
    if !isFirst { buffer.append(UInt8(ascii: "\t")) }
  }

  mutating func null() { buffer.append(UInt8(ascii: "n")) }

  mutating func integer(_ value: Int64) {
    buffer.append(UInt8(ascii: "i"))
    buffer.append(integer: value)
  }

  mutating func real(_ value: Double) {
    buffer.append(UInt8(ascii: "r"))
    let bits = value.bitPattern
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digits in
      for index in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: bits >> UInt64(60 - 4 * index)) & 15
        digits[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
      }
      buffer.append(contentsOf: digits)
    }
  }

  mutating func text(_ bytes: UnsafeRawBufferPointer) { append(bytes, tag: UInt8(ascii: "t")) }

  mutating func blob(_ bytes: UnsafeRawBufferPointer) { append(bytes, tag: UInt8(ascii: "b")) }

  private mutating func append(_ bytes: UnsafeRawBufferPointer, tag: UInt8) {
    buffer.append(tag)
    buffer.append(integer: Int64(bytes.count))
    buffer.append(UInt8(ascii: ":"))
    buffer.append(contentsOf: bytes)
  }

  /// Returns the SHA-256 of the text, 64 hexadecimal digits.
  consuming func hash() -> String {
    digest.update(buffer)
    return digest.finalizeHex()
  }
}
