import CordonCore

/// The members of a small JSON object, read by name. A member that is read must be of the requested kind; `null` counts
/// as missing. Members that are not read are ignored, unless ``only(_:)`` refuses them.
///
/// Values that no message has, such as lists of numbers, are skipped, so that a body takes little more memory than its text.
package struct JSONMembers {
  private enum Value {
    case text(String)
    case number(Int64)
    case list([String])
    case members(JSONMembers)
    case other
  }

  /// The most members of an object, and the most elements of a list.
  package static let maximumCount = 100
  /// How deep objects may lie in each other; deeper ones are skipped.
  private static let maximumDepth = 4

  private var names: [String] = []
  private var values: [String: Value] = [:]

  /// Reads an object. An empty body is an object without members when that is allowed.
  package init(_ body: [UInt8], mayBeEmpty: Bool = false) throws(WireError) {
    if body.isEmpty, mayBeEmpty { return }
    self = try JSONReader.read(body) { reader throws(WireError) in
      let members = try JSONMembers(&reader, depth: 1)
      try reader.expectEnd()
      return members
    }
  }

  private init(_ reader: inout JSONReader, depth: Int) throws(WireError) {
    try reader.expect(UInt8(ascii: "{"))
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      let name = try key.string()
      if try reader.takeNull() { continue }
      guard names.count < JSONMembers.maximumCount else {
        throw reader.fault("an object with more than \(JSONMembers.maximumCount) members")
      }
      values[name] = try JSONMembers.value(&reader, depth: depth)
      names.append(name)
    }
  }

  private static func value(_ reader: inout JSONReader, depth: Int) throws(WireError) -> Value {
    let start = reader.position
    switch reader.peek() {
    case UInt8(ascii: "\""): return .text(try reader.string())
    case UInt8(ascii: "{") where depth < maximumDepth: return .members(try JSONMembers(&reader, depth: depth + 1))
    case UInt8(ascii: "["):
      if let list = try list(&reader) { return .list(list) }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      if let number = try? reader.integer() { return .number(number) }
    default: break
    }
    reader.position = start
    try reader.skipValue()
    return .other
  }

  /// Consumes a list of texts; `nil` for other lists, which are not consumed to their end.
  private static func list(_ reader: inout JSONReader) throws(WireError) -> [String]? {
    try reader.expect(UInt8(ascii: "["))
    var list: [String] = []
    var isFirst = true
    while try reader.nextElement(&isFirst) {
      guard list.count < maximumCount, reader.peek() == UInt8(ascii: "\"") else { return nil }
      list.append(try reader.string())
    }
    return list
  }

  /// Whether the object has a member, of any kind.
  package func contains(_ name: String) -> Bool { values[name] != nil }

  /// Refuses an object with other members: a request that is not understood as a whole is not carried out in part.
  package func only(_ known: [String]) throws(WireError) {
    guard let name = names.first(where: { !known.contains($0) }) else { return }
    let list = known.isEmpty ? "no members" : known.joined(separator: ", ")
    let shown = String(name.prefix(64))
    throw WireError(
      .unknownMember, offset: 0, "\(shown): not known here; this address takes \(list)", field: shown)
  }

  /// The members as parameters, each a text or a whole number; no others than the known ones.
  package func parameters(_ known: [String]) throws(WireError) -> [String: String] {
    try only(known)
    var parameters: [String: String] = [:]
    for name in names {
      parameters[name] =
        switch values[name] {
        case .text(let text): text
        case .number(let number): String(number)
        default: throw JSONMembers.fault(name, "a text or a whole number is needed")
        }
    }
    return parameters
  }

  /// Returns a text that must be there.
  /// - Parameters:
  ///   - name: the key of the member.
  ///   - limit: the maximum length in bytes of UTF-8.
  package func text(_ name: String, atMost limit: Int = 512) throws(WireError) -> String {
    guard case .text(let text) = values[name] else { throw JSONMembers.fault(name, "a text is needed") }
    guard text.utf8.count <= limit else { throw JSONMembers.fault(name, "at most \(limit) bytes") }
    return text
  }

  /// Returns a text; `nil` if it is missing.
  package func optionalText(_ name: String, atMost limit: Int = 512) throws(WireError) -> String? {
    values[name] == nil ? nil : try text(name, atMost: limit)
  }

  /// Returns a whole number that must be there.
  package func number(_ name: String, in range: ClosedRange<Int64> = .min ... .max) throws(WireError) -> Int64 {
    guard case .number(let number) = values[name], range.contains(number) else {
      let bounds = range == .min ... .max ? "" : " from \(range.lowerBound) to \(range.upperBound)"
      throw JSONMembers.fault(name, "a whole number\(bounds) is needed")
    }
    return number
  }

  /// Returns a whole number; `nil` if it is missing.
  package func optionalNumber(
    _ name: String, in range: ClosedRange<Int64> = .min ... .max
  ) throws(WireError) -> Int64? {
    values[name] == nil ? nil : try number(name, in: range)
  }

  /// Returns a list of texts that must be there.
  package func list(_ name: String) throws(WireError) -> [String] {
    guard case .list(let list) = values[name] else { throw JSONMembers.fault(name, "a list of texts is needed") }
    return list
  }

  /// Returns the objects among the members of an object, by their keys; `nil` if there is no such object.
  package func objects(_ name: String) -> [String: JSONMembers]? {
    guard case .members(let members) = values[name] else { return nil }
    return members.values.compactMapValues { if case .members(let inner) = $0 { inner } else { nil } }
  }

  /// Returns the fault of a member.
  package static func fault(_ name: String, _ reason: String) -> WireError {
    WireError(.badMember, offset: 0, "\(name): \(reason)", field: name)
  }
}
