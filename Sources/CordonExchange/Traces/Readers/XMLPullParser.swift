internal import CordonCore
import CordonSupport

/// A pull parser for the part of XML 1.0 that files of positions use.
///
/// It is safe for untrusted files. Document types with declarations are errors, so no entity can expand; depth and size
/// are limited.
struct XMLPullParser {
  enum Event {
    case start(XMLElement)
    case end(name: String)
    case text(String)
  }

  /// A start tag; names are without their prefix.
  struct XMLElement {
    var name: String
    var attributes: [(name: String, value: String)]
    var line: Int

    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  private let bytes: [UInt8]
  private var position = 0
  private(set) var line = 1
  private var open: [String] = []
  private var pendingEnd: String?
  private var hasRoot = false
  private let maximumDepth: Int

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 with or without a byte order mark, or ISO 8859-1 if the declaration states it.
  ///   - maximumDepth: the maximum depth of nested elements.
  init(_ bytes: [UInt8], maximumDepth: Int) throws(TraceError) {
    self.maximumDepth = maximumDepth
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw TraceError(.malformed, "is UTF-16; convert it to UTF-8", line: 1)
    }
    let head = String(decoding: bytes[start..<min(bytes.count, start + 128)], as: UTF8.self).lowercased()
    // A file keeps its declaration when it is read as UTF-8.
    let isLatin = head.hasPrefix("<?xml") && (head.contains("iso-8859-1") || head.contains("latin1"))
    if isLatin, bytes.withUnsafeBufferPointer({ !TextDecoding.isUTF8($0) }) {
      var wide: [UInt8] = []
      wide.reserveCapacity(bytes.count)
      for byte in bytes {
        if byte < 0x80 {
          wide.append(byte)
        } else {
          wide.append(0xC0 | byte >> 6)
          wide.append(0x80 | byte & 0x3F)
        }
      }
      self.bytes = wide
    } else {
      self.bytes = bytes
      position = start
    }
  }

  private func fault(_ message: String) -> TraceError { TraceError(.malformed, message, line: line) }

  /// Returns the next event; `nil` at the end of a complete document.
  mutating func next() throws(TraceError) -> Event? {
    if let name = pendingEnd {
      pendingEnd = nil
      open.removeLast()
      return .end(name: name)
    }
    while true {
      guard position < bytes.count else {
        if let name = open.last { throw fault("ends inside of <\(Quotation.of(name))>") }
        if !hasRoot { throw fault("holds no XML element") }
        return nil
      }
      if bytes[position] != UInt8(ascii: "<") {
        let text = try text()
        if open.isEmpty {
          if text.contains(where: { !$0.isWhitespace }) { throw fault("has text outside of its element") }
          continue
        }
        return .text(text)
      }
      if starts(with: "<!--") {
        try skip(past: "-->", "a comment that does not end")
      } else if starts(with: "<![CDATA[") {
        position += 9
        let start = position
        try skip(past: "]]>", "CDATA that does not end")
        return .text(try decoded(start..<position - 3))
      } else if starts(with: "<?") {
        try skip(past: "?>", "an instruction that does not end")
      } else if starts(with: "<!") {
        try skipDocumentType()
      } else if starts(with: "</") {
        return try endTag()
      } else {
        return try startTag()
      }
    }
  }

  private func starts(with word: StaticString) -> Bool {
    guard position + word.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<word.utf8CodeUnitCount where bytes[position + index] != word.utf8Start[index] { return false }
    return true
  }

  private mutating func advance() {
    if bytes[position] == 0x0A { line += 1 }
    position += 1
  }

  private mutating func skip(past word: StaticString, _ message: String) throws(TraceError) {
    while position < bytes.count {
      if starts(with: word) {
        position += word.utf8CodeUnitCount
        return
      }
      advance()
    }
    throw fault(message)
  }

  private mutating func skipDocumentType() throws(TraceError) {
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
      if bytes[position] == UInt8(ascii: "[") {
        throw fault("declares entities or elements of its own; such files are not read")
      }
      advance()
    }
    guard position < bytes.count else { throw fault("a declaration that does not end") }
    position += 1
  }

  private mutating func text() throws(TraceError) -> String {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") { advance() }
    return try decoded(start..<position)
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...0xFF: true
    default: false
    }
  }

  private mutating func name() throws(TraceError) -> String {
    let start = position
    while position < bytes.count, isNameByte(bytes[position]) { position += 1 }
    guard position > start, position - start <= 256 else { throw fault("a tag without a name") }
    var local = start
    for index in start..<position where bytes[index] == UInt8(ascii: ":") { local = index + 1 }
    guard let name = String(validating: bytes[local..<position], as: UTF8.self), !name.isEmpty else {
      throw fault("a name that is not UTF-8")
    }
    return name
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] <= 0x20 { advance() }
  }

  private mutating func endTag() throws(TraceError) -> Event {
    position += 2
    let name = try name()
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: ">") else {
      throw fault("an end tag that does not end")
    }
    position += 1
    guard let last = open.popLast() else { throw fault("</\(Quotation.of(name))> closes nothing") }
    guard last == name else {
      throw fault("</\(Quotation.of(name, limit: 60))> where </\(Quotation.of(last, limit: 60))> belongs")
    }
    return .end(name: name)
  }

  private mutating func startTag() throws(TraceError) -> Event {
    let start = line
    position += 1
    let name = try name()
    if open.isEmpty, hasRoot { throw fault("has a second root element <\(Quotation.of(name))>") }
    hasRoot = true
    var element = XMLElement(name: name, attributes: [], line: start)
    while true {
      skipSpace()
      guard position < bytes.count else { throw fault("ends inside of a tag") }
      if bytes[position] == UInt8(ascii: ">") {
        position += 1
        break
      }
      if starts(with: "/>") {
        position += 2
        pendingEnd = name
        break
      }
      guard element.attributes.count < 64 else { throw fault("a tag with more than 64 attributes") }
      element.attributes.append(try attribute())
    }
    open.append(name)
    guard open.count <= maximumDepth else { throw fault("elements lie more than \(maximumDepth) deep") }
    return .start(element)
  }

  private mutating func attribute() throws(TraceError) -> (name: String, value: String) {
    let name = try name()
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
      throw fault("an attribute without a value")
    }
    position += 1
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") else {
      throw fault("an attribute without quotes")
    }
    let quote = bytes[position]
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != quote {
      if bytes[position] == UInt8(ascii: "<") { throw fault("a < in an attribute") }
      advance()
    }
    guard position < bytes.count else { throw fault("an attribute that does not end") }
    position += 1
    return (name, try decoded(start..<position - 1))
  }

  /// Returns text with its references resolved: the five of XML, and character numbers.
  private func decoded(_ range: Range<Int>) throws(TraceError) -> String {
    guard let raw = String(validating: bytes[range], as: UTF8.self) else { throw fault("text that is not UTF-8") }
    guard raw.utf8.contains(UInt8(ascii: "&")) else { return raw }
    // Scalars and not characters: a combining mark after a reference is a part of the character before it.
    var text = String.UnicodeScalarView()
    var rest = raw.unicodeScalars[...]
    while let mark = rest.firstIndex(of: "&") {
      text += rest[..<mark]
      guard let end = rest[mark...].prefix(12).firstIndex(of: ";") else { throw fault("a & that begins no reference") }
      let name = String(rest[rest.index(after: mark)..<end])
      switch name {
      case "lt": text.append("<")
      case "gt": text.append(">")
      case "amp": text.append("&")
      case "quot": text.append("\"")
      case "apos": text.append("'")
      default:
        let number =
          name.hasPrefix("#x")
          ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
        guard let number, let scalar = Unicode.Scalar(number) else {
          throw fault("a reference to the unknown entity \(Quotation.of(name))")
        }
        text.append(scalar)
      }
      rest = rest[rest.index(after: end)...]
    }
    return String(text + rest)
  }
}
