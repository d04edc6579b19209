internal import CordonCore
internal import CordonWire

/// A small JSON object of a request, read member by member. A member that is asked for must be of its kind; `null` is as good
/// as none. What is not asked for is ignored, unless ``only(_:)`` says otherwise.
struct ObjectReader {
  /// The members that are not `null`, in order.
  private var names: [String] = []
  private var texts: [String: String] = [:]
  private var numbers: [String: Int64] = [:]
  private var lists: [String: [String]] = [:]

  /// Reads an object. An empty body is an object without members when that is allowed.
  init(_ body: [UInt8], mayBeEmpty: Bool = false) throws(Problem) {
    if body.isEmpty, mayBeEmpty { return }
    do throws(WireError) {
      self = try JSONReader.read(body) { reader throws(WireError) in try ObjectReader(&reader) }
    } catch {
      throw Problem(400, .badJSON, error.reason, offset: error.offset)
    }
  }

  private init(_ reader: inout JSONReader) throws(WireError) {
    try reader.expect(UInt8(ascii: "{"))
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      let name = try key.string()
      switch reader.peek() {
      case UInt8(ascii: "\""): texts[name] = try reader.string()
      case UInt8(ascii: "["):
        var list: [String] = []
        let start = reader.position
        _ = reader.take(UInt8(ascii: "["))
        var isFirstElement = true
        var isText = true
        while try reader.nextElement(&isFirstElement) {
          guard reader.peek() == UInt8(ascii: "\"") else {
            isText = false
            break
          }
          list.append(try reader.string())
        }
        if isText {
          lists[name] = list
        } else {
          reader.position = start
          try reader.skipValue()
        }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let start = reader.position
        do throws(WireError) {
          numbers[name] = try reader.integer()
        } catch {
          reader.position = start
          try reader.skipValue()
        }
      case UInt8(ascii: "n"):
        try reader.skipValue()
        continue
      default: try reader.skipValue()
      }
      names.append(name)
    }
    try reader.expectEnd()
  }

  /// Refuses an object with members beside these: an order that is not understood is not done in part.
  func only(_ known: String...) throws(Problem) { try only(known) }

  private func only(_ known: [String]) throws(Problem) {
    guard let name = names.first(where: { !known.contains($0) }) else { return }
    let list = known.isEmpty ? "no members" : known.joined(separator: ", ")
    let shown = String(name.prefix(64))
    throw Problem(400, .unknownField, "\(shown): not known here; this address takes \(list)", field: shown)
  }

  /// The members as parameters, each a text or a whole number; only these are known.
  func parameters(_ known: [String]) throws(Problem) -> [String: String] {
    try only(known)
    var values: [String: String] = [:]
    for name in names {
      guard let value = texts[name] ?? numbers[name].map({ String($0) }) else {
        throw Problem(400, .badField, "\(name): a text or a whole number is needed", field: name)
      }
      values[name] = value
    }
    return values
  }

  /// A text that must be there, of at most so many bytes.
  func text(_ name: String, atMost limit: Int = 512) throws(Problem) -> String {
    guard let value = texts[name] else { throw Problem(400, .badField, "\(name): a text is needed", field: name) }
    guard value.utf8.count <= limit else {
      throw Problem(400, .badField, "\(name): at most \(limit) bytes", field: name)
    }
    return value
  }

  func optionalText(_ name: String, atMost limit: Int = 512) throws(Problem) -> String? {
    names.contains(name) ? try text(name, atMost: limit) : nil
  }

  /// A whole number in a range.
  func number(_ name: String, in range: ClosedRange<Int64>) throws(Problem) -> Int64 {
    guard let value = numbers[name], range.contains(value) else {
      throw Problem(
        400, .badField, "\(name): a whole number from \(range.lowerBound) to \(range.upperBound) is needed",
        field: name)
    }
    return value
  }

  func optionalNumber(_ name: String, in range: ClosedRange<Int64>) throws(Problem) -> Int64? {
    names.contains(name) ? try number(name, in: range) : nil
  }

  /// A list of texts.
  func list(_ name: String) throws(Problem) -> [String] {
    guard let value = lists[name] else {
      throw Problem(400, .badField, "\(name): a list of texts is needed", field: name)
    }
    return value
  }
}
