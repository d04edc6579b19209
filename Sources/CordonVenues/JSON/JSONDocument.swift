/// A parsed JSON file: its bytes and its tape.
package final class JSONDocument: Sendable {
  /// The name of the file inside the bundle.
  package let file: String
  package let bytes: [UInt8]
  let tape: [JSONNode]
  /// Deviations from the standard that the parser accepted.
  package let remarks: [JSONRemark]
  /// Whether the last of several equal keys must be found.
  private let hasDuplicateKeys: Bool

  /// Parses a file.
  /// - Throws: `VenueError` with the code `truncated-json`, `malformed-json`, `invalid-utf8` or `limit-exceeded`, and
  ///   the byte offset.
  package init(_ bytes: [UInt8], file: String, limits: VenueLimits) throws(VenueError) {
    self.file = file
    self.bytes = bytes
    let outcome = bytes.withUnsafeBufferPointer { buffer -> Result<JSONParser, VenueError> in
      var parser = JSONParser(buffer, file: file, limits: limits)
      do throws(VenueError) {
        try parser.parse()
        return .success(parser)
      } catch {
        return .failure(error)
      }
    }
    let parser = try outcome.get()
    tape = parser.tape
    remarks = parser.remarks
    hasDuplicateKeys = parser.remarks.contains { $0.kind == .duplicateKey }
  }

  /// The outermost value.
  package var root: JSONView { JSONView(document: self, index: 0) }

  /// Returns the index after the value at `index` and its subtree.
  @inline(__always)
  package func after(_ index: Int) -> Int {
    let node = tape[index]
    return node.kind == .array || node.kind == .object ? node.end : index + 1
  }

  /// Returns the index of the value of `key` in the object at `index`; `nil` if there is none.
  @inline(__always)
  package func member(_ key: StaticString, of index: Int) -> Int? {
    let node = tape[index]
    guard node.kind == .object else { return nil }
    var position = index + 1
    var found: Int?
    while position < node.end {
      if matches(position, key) {
        // Like JSON.parse and Python's json, the last value wins.
        if !hasDuplicateKeys { return position + 1 }
        found = position + 1
      }
      position = after(position + 1)
    }
    return found
  }

  /// Checks whether the string at `index` is `key`.
  @inline(__always)
  func matches(_ index: Int, _ key: StaticString) -> Bool {
    let node = tape[index]
    guard node.kind == .string else { return node.kind == .escapedString && text(at: index) == key.description }
    let count = key.utf8CodeUnitCount
    guard node.byteCount == count else { return false }
    return bytes.withUnsafeBufferPointer { buffer in
      let start = Int(node.offset)
      for position in 0..<count where buffer[start + position] != key.utf8Start[position] { return false }
      return true
    }
  }

  /// Returns the text of the string at `index`; `nil` for other values.
  package func text(at index: Int) -> String? {
    let node = tape[index]
    guard node.kind == .string || node.kind == .escapedString else { return nil }
    return bytes.withUnsafeBufferPointer { JSONEscapes.text(of: node, in: $0) }
  }

  /// Returns the number at `index`; `nil` for other values and for numbers without a finite value.
  @inline(__always)
  func double(at index: Int) -> Double? {
    let node = tape[index]
    switch node.kind {
    case .number: return Double(bitPattern: node.payload)
    case .integer: return Double(Int64(bitPattern: node.payload))
    default: return nil
    }
  }

  /// Returns the RFC 6901 pointer of the value at `index`. Complexity: linear in the size of the file.
  func pointer(to index: Int) -> String {
    var pointer = ""
    var current = 0
    while current < index {
      let node = tape[current]
      guard node.kind == .array || node.kind == .object, index < node.end else { break }
      var position = current + 1
      var ordinal = 0
      while position < node.end {
        let value = node.kind == .object ? position + 1 : position
        let next = after(value)
        if index < next {
          let step = node.kind == .object ? text(at: position) ?? "" : String(ordinal)
          pointer += "/" + JSONDocument.escape(step)
          // The pointer of a key is that of its value.
          current = value
          break
        }
        position = next
        ordinal += 1
      }
      if current >= index { break }
    }
    return pointer
  }

  private static func escape(_ step: String) -> String {
    var escaped = ""
    for character in step {
      switch character {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
