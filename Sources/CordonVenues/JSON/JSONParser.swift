/// Parses a JSON text (RFC 8259) to a tape in one pass, without recursion.
///
/// The parser is strict, with four exceptions that occur in real map files and are unambiguous: a byte order mark, a
/// comma before a closing bracket, `NaN`, `Infinity` or `1e400` instead of a number, and repeated keys. Each one is
/// reported as a remark. All other deviations are errors with a byte offset.
struct JSONParser {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let file: String
  private let limits: VenueLimits
  private var index = 0
  private(set) var tape: [JSONNode] = []
  private(set) var remarks: [JSONRemark] = []
  private var open: [OpenContainer] = []

  private struct OpenContainer {
    var node: Int
    var count: UInt32
    var isObject: Bool
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>, file: String, limits: VenueLimits) {
    self.bytes = bytes
    self.file = file
    self.limits = limits
    // Map files have a value in five bytes at most; memory pages that are not reached cost nothing.
    tape.reserveCapacity(min(bytes.count / 5, limits.jsonValues) + 16)
  }

  mutating func parse() throws(VenueError) {
    guard bytes.count <= Int(UInt32.max) else { throw limit("a JSON file may have at most 4 GiB") }
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      index = 3
      remark(.byteOrderMark, at: 0)
    }
    try parseValue()
    while !open.isEmpty { try parseNext() }
    skipSpace()
    if index < bytes.count { throw malformed("something follows the end of the value") }
  }

  // Parses a comma and the next value, or the end of a container.
  private mutating func parseNext() throws(VenueError) {
    skipSpace()
    guard index < bytes.count else { throw truncated() }
    let top = open.count - 1
    let isObject = open[top].isObject
    let close: UInt8 = isObject ? 0x7D : 0x5D
    if bytes[index] == close {
      index += 1
      closeContainer()
      return
    }
    if open[top].count > 0 {
      guard bytes[index] == 0x2C else { throw malformed("a comma or a closing bracket is missing") }
      let comma = index
      index += 1
      skipSpace()
      guard index < bytes.count else { throw truncated() }
      if bytes[index] == close {
        remark(.trailingComma, at: comma)
        index += 1
        closeContainer()
        return
      }
    }
    open[top].count += 1
    if isObject {
      guard bytes[index] == 0x22 else { throw malformed("an object key must be a string") }
      try parseString()
      skipSpace()
      guard index < bytes.count else { throw truncated() }
      guard bytes[index] == 0x3A else { throw malformed("a colon is missing after an object key") }
      index += 1
    }
    try parseValue()
  }

  @inline(__always)
  private mutating func parseValue() throws(VenueError) {
    skipSpace()
    guard index < bytes.count else { throw truncated() }
    guard tape.count < limits.jsonValues else {
      throw limit("more than \(limits.jsonValues) JSON values in one file")
    }
    switch bytes[index] {
    case 0x22: try parseString()
    case 0x7B: try openContainer(isObject: true)
    case 0x5B: try openContainer(isObject: false)
    case 0x2D, 0x30...0x39: try parseNumber()
    case 0x74: try parseWord("true", .true)
    case 0x66: try parseWord("false", .false)
    case 0x6E: try parseWord("null", .null)
    case 0x4E: try parseUnusable("NaN", from: index)
    case 0x49: try parseUnusable("Infinity", from: index)
    default: throw malformed("not a JSON value")
    }
  }

  private mutating func openContainer(isObject: Bool) throws(VenueError) {
    guard open.count < limits.nestingDepth else {
      throw limit("nested deeper than \(limits.nestingDepth) levels")
    }
    open.append(OpenContainer(node: tape.count, count: 0, isObject: isObject))
    tape.append(JSONNode(isObject ? .object : .array, at: index))
    index += 1
  }

  private mutating func closeContainer() {
    guard let container = open.popLast() else { return }
    tape[container.node].payload = JSONNode.containerPayload(end: tape.count, count: Int(container.count))
    if container.isObject, container.count > 1 { findDuplicateKey(in: container.node, end: tape.count) }
  }

  private mutating func parseNumber() throws(VenueError) {
    let start = index
    if bytes[index] == 0x2D, index + 1 < bytes.count, bytes[index + 1] == 0x49 {
      index += 1
      try parseUnusable("Infinity", from: start)
      return
    }
    let (value, end) = JSONNumber.scan(bytes, from: index)
    index = end
    switch value {
    case .double(let double): tape.append(JSONNode(.number, at: start, payload: double.bitPattern))
    case .integer(let integer): tape.append(JSONNode(.integer, at: start, payload: UInt64(bitPattern: integer)))
    case .overflow:
      tape.append(JSONNode(.unusableNumber, at: start))
      remark(.unusableNumber, at: start)
    case nil: throw index >= bytes.count ? truncated() : malformed("not a JSON number")
    }
  }

  private mutating func parseWord(_ word: StaticString, _ kind: JSONNode.Kind) throws(VenueError) {
    let start = index
    try expect(word)
    tape.append(JSONNode(kind, at: start))
  }

  private mutating func parseUnusable(_ word: StaticString, from start: Int) throws(VenueError) {
    try expect(word)
    tape.append(JSONNode(.unusableNumber, at: start))
    remark(.unusableNumber, at: start)
  }

  private mutating func expect(_ word: StaticString) throws(VenueError) {
    for position in 0..<word.utf8CodeUnitCount {
      guard index < bytes.count else { throw truncated() }
      guard bytes[index] == word.utf8Start[position] else { throw malformed("not a JSON value") }
      index += 1
    }
  }

  @inline(__always)
  private mutating func parseString() throws(VenueError) {
    guard let base = bytes.baseAddress else { throw truncated() }
    let start = index + 1
    var position = start
    var isEscaped = false
    var isASCII = true
    while true {
      // Tests eight bytes at a time: none below 0x20 or above 0x7F, no quote and no backslash.
      while position + 8 <= bytes.count {
        let word = UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self)
        let high: UInt64 = 0x8080_8080_8080_8080
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let special =
          (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | word
        if special & high != 0 { break }
        position += 8
      }
      guard position < bytes.count else { throw truncated() }
      let byte = bytes[position]
      if byte == 0x22 { break }
      if byte < 0x20 {
        index = position
        throw malformed("a control character in a string")
      }
      if byte == 0x5C {
        isEscaped = true
        position += 1
        guard position < bytes.count else { throw truncated() }
      } else if byte >= 0x80 {
        isASCII = false
      }
      position += 1
    }
    let content = UnsafeBufferPointer(rebasing: bytes[start..<position])
    if !isASCII, let bad = UTF8Check.firstInvalidByte(in: content) {
      throw VenueError(
        code: "invalid-utf8", file: file, byteOffset: start + bad, message: "the text is not valid UTF-8")
    }
    if isEscaped, let bad = JSONEscapes.firstInvalidByte(in: content) {
      index = start + bad
      throw malformed("not a JSON escape")
    }
    tape.append(JSONNode(isEscaped ? .escapedString : .string, at: start, payload: UInt64(position - start)))
    index = position + 1
  }

  @inline(__always)
  private mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  private mutating func remark(_ kind: JSONRemark.Kind, at offset: Int) {
    // The first few remarks are enough for a file that has many.
    if remarks.count < limits.remarksPerFile { remarks.append(JSONRemark(kind: kind, offset: offset)) }
  }

  private func truncated() -> VenueError {
    VenueError(
      code: "truncated-json", file: file, byteOffset: bytes.count, message: "the JSON text ends in the middle")
  }

  private func malformed(_ message: String) -> VenueError {
    VenueError(code: "malformed-json", file: file, byteOffset: index, message: message)
  }

  private func limit(_ message: String) -> VenueError {
    VenueError(code: "limit-exceeded", file: file, byteOffset: index, message: message)
  }

  // Most objects have few keys, so a filter of 64 bits over cheap hashes usually excludes duplicates at once.
  private mutating func findDuplicateKey(in node: Int, end: Int) {
    var filter: UInt64 = 0
    var key = node + 1
    var isSuspect = false
    while key < end {
      let length = tape[key].byteCount
      let start = Int(tape[key].offset)
      var mix = UInt64(length) &* 0x9E37_79B9_7F4A_7C15
      if length > 0 {
        mix ^= UInt64(bytes[start]) &* 0xC2B2_AE3D_27D4_EB4F
        mix ^= UInt64(bytes[start + length - 1]) &* 0x1656_67B1_9E37_79F9
        mix ^= UInt64(bytes[start + length / 2]) &* 0xD6E8_FEB8_6659_FD93
      }
      let bit = UInt64(1) << (mix >> 58)
      // With escapes, one key can have several spellings.
      if filter & bit != 0 || tape[key].kind == .escapedString {
        isSuspect = true
        break
      }
      filter |= bit
      let value = key + 1
      key = tape[value].kind == .array || tape[value].kind == .object ? tape[value].end : value + 1
    }
    guard isSuspect else { return }
    var keys: Set<String> = []
    key = node + 1
    while key < end {
      let text = JSONEscapes.text(of: tape[key], in: bytes)
      if !keys.insert(text).inserted { remark(.duplicateKey, at: Int(tape[key].offset) - 1) }
      let value = key + 1
      key = tape[value].kind == .array || tape[value].kind == .object ? tape[value].end : value + 1
    }
  }
}
