/// Splits the bytes of a connection into messages, with a limit for each.
struct ShareFrames: Sendable {
  private var buffer: [UInt8] = []
  private var start = 0
  /// The number of messages so far.
  private(set) var count = 0

  /// Adds bytes as they came.
  mutating func append(_ bytes: [UInt8]) {
    if start > 0 {
      buffer.removeSubrange(..<start)
      start = 0
    }
    buffer += bytes
  }

  /// Whether a message has begun and not ended.
  var isInMessage: Bool { start < buffer.count }

  /// Returns the next message without its length, and its place; `nil` until it is whole.
  /// - Parameter limit: the maximum length, bytes.
  /// - Throws: ``ShareError`` for a longer one, before its bytes are kept.
  mutating func next(limit: Int) throws(ShareError) -> (bytes: [UInt8], place: String)? {
    guard buffer.count - start >= 4 else { return nil }
    let length = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    let place = "message \(count + 1)"
    guard length <= limit else {
      throw ShareError(.oversize, place, "has \(length) bytes; at most \(limit) are accepted here")
    }
    guard buffer.count - start - 4 >= length else { return nil }
    let bytes = Array(buffer[start + 4..<start + 4 + length])
    start += 4 + length
    count += 1
    return (bytes, place)
  }
}
