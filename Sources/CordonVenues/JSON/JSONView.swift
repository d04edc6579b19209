/// A view of one value of a ``JSONDocument``. It copies nothing until a value is read.
package struct JSONView: Sendable {
  package let document: JSONDocument
  let index: Int

  private var node: JSONNode { document.tape[index] }

  /// The kind of the value.
  var kind: JSONNode.Kind { node.kind }

  /// Whether the value is `null`.
  var isNull: Bool { node.kind == .null }
  /// Whether the value is an object.
  var isObject: Bool { node.kind == .object }
  /// Whether the value is an array.
  package var isArray: Bool { node.kind == .array }

  /// The number of elements of an array or members of an object; 0 for other values.
  package var count: Int { isArray || isObject ? node.count : 0 }

  /// Returns the value of a key; `nil` if the view is not an object or has no such key. Complexity: linear in the
  /// number of keys.
  subscript(_ key: StaticString) -> JSONView? {
    document.member(key, of: index).map { JSONView(document: document, index: $0) }
  }

  /// Returns the value of a key that is known only at run time.
  func value(named key: String) -> JSONView? {
    var found: JSONView?
    for (name, value) in members where name == key { found = value }
    return found
  }

  /// The text of a string; `nil` for other values.
  var string: String? { document.text(at: index) }

  /// The value of a finite number; `nil` for other values.
  var double: Double? { document.double(at: index) }

  /// The value of a whole number, also if written as `3.0`; `nil` for other values.
  var int: Int? {
    switch node.kind {
    case .integer: Int(exactly: Int64(bitPattern: node.payload))
    case .number: double.flatMap { Int(exactly: $0) }
    default: nil
    }
  }

  /// The value `true` or `false`; `nil` for other values.
  var bool: Bool? {
    switch node.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// A string that is not empty, or a number as text, as maps use for identifiers; `nil` for other values.
  var identifier: String? {
    switch node.kind {
    case .string, .escapedString: string.flatMap { $0.isEmpty ? nil : $0 }
    case .integer: String(Int64(bitPattern: node.payload))
    case .number: double.map { $0.description }
    default: nil
    }
  }

  /// The elements of an array; empty for other values.
  var elements: JSONElements { JSONElements(document: document, index: index) }

  /// The members of an object in file order; empty for other values.
  var members: JSONMembers { JSONMembers(document: document, index: index) }

  /// The RFC 6901 pointer of the value.
  var pointer: String { document.pointer(to: index) }

  /// The bytes of the value as they are in the file.
  var sourceText: String {
    let start = Int(node.offset)
    switch node.kind {
    case .string, .escapedString: return string ?? ""
    default: break
    }
    // A value ends before the next token; the last value of a container ends before the container's end.
    var depth = 0
    var isInString = false
    var position = start
    while position < document.bytes.count {
      let byte = document.bytes[position]
      if isInString {
        if byte == 0x5C { position += 1 } else if byte == 0x22 { isInString = false }
      } else {
        switch byte {
        case 0x22: isInString = true
        case 0x7B, 0x5B: depth += 1
        case 0x7D, 0x5D:
          if depth == 0 { return text(start, position) }
          depth -= 1
          if depth == 0 { return text(start, position + 1) }
        case 0x2C, 0x20, 0x0A, 0x0D, 0x09: if depth == 0 { return text(start, position) }
        default: break
        }
      }
      position += 1
    }
    return text(start, min(position, document.bytes.count))
  }

  private func text(_ start: Int, _ end: Int) -> String {
    String(decoding: document.bytes[start..<end], as: UTF8.self)
  }
}

/// The elements of a JSON array.
struct JSONElements: Sequence, Sendable {
  let document: JSONDocument
  let index: Int
  /// Whether the value itself is the only element.
  var isSingle = false

  func makeIterator() -> Iterator {
    let node = document.tape[index]
    if isSingle { return Iterator(document: document, position: index, end: document.after(index)) }
    return node.kind == .array
      ? Iterator(document: document, position: index + 1, end: node.end)
      : Iterator(document: document, position: 0, end: 0)
  }

  struct Iterator: IteratorProtocol {
    let document: JSONDocument
    var position: Int
    let end: Int

    mutating func next() -> JSONView? {
      guard position < end else { return nil }
      defer { position = document.after(position) }
      return JSONView(document: document, index: position)
    }
  }
}

/// The members of a JSON object.
struct JSONMembers: Sequence, Sendable {
  let document: JSONDocument
  let index: Int

  func makeIterator() -> Iterator {
    let node = document.tape[index]
    return node.kind == .object
      ? Iterator(document: document, position: index + 1, end: node.end)
      : Iterator(document: document, position: 0, end: 0)
  }

  struct Iterator: IteratorProtocol {
    let document: JSONDocument
    var position: Int
    let end: Int

    mutating func next() -> (key: String, value: JSONView)? {
      guard position < end else { return nil }
      let value = JSONView(document: document, index: position + 1)
      let key = document.text(at: position) ?? ""
      position = document.after(position + 1)
      return (key, value)
    }
  }
}
