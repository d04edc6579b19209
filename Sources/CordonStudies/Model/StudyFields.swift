package import CordonCore
package import CordonSupport
internal import CordonWire

/// The members of a JSON object, read with their places in errors.
package struct StudyFields {
  private let members: [JSONValue.Member]
  private let path: String

  /// Reads a value that must be an object.
  /// - Parameter path: its place, such as `rewards`; empty for the document.
  package init(_ value: JSONValue, at path: String = "") throws(StudyError) {
    guard case .object(let members) = value else {
      throw StudyError(.badField, "an object is needed", field: path.isEmpty ? nil : path)
    }
    self.members = members
    self.path = path
  }

  /// Reads the body of a request or a file; an empty one is an object without members.
  package init(body: [UInt8]) throws(StudyError) {
    guard !body.isEmpty else {
      try self.init(.object([]))
      return
    }
    let value: JSONValue
    do throws(WireError) {
      value = try JSONReader.value(of: body)
    } catch {
      throw StudyError(.badField, "not JSON (\(error.description))")
    }
    try self.init(value)
  }

  /// The keys in order.
  package var names: [String] { members.map(\.key) }

  /// Returns the place of a member.
  package func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  /// Refuses members with other keys, and repeated ones.
  package func only(_ known: [String]) throws(StudyError) {
    var seen: Set<String> = []
    for member in members {
      guard known.contains(member.key) else {
        let hint = Suggestion.hint(for: member.key, among: known)
        throw StudyError(.badField, "not a known key\(hint)", field: place(String(member.key.prefix(64))))
      }
      guard seen.insert(member.key).inserted else {
        throw StudyError(.badField, "is there twice", field: place(member.key))
      }
    }
  }

  /// Returns a member; `nil` for a missing one and `null`.
  package func value(_ name: String) -> JSONValue? {
    guard let value = members.first(where: { $0.key == name })?.value, value != .null else { return nil }
    return value
  }

  private func needed<T>(_ name: String, _ value: T?) throws(StudyError) -> T {
    guard let value else { throw StudyError(.badField, "is missing", field: place(name)) }
    return value
  }

  /// Returns a text of a number of characters; `nil` for a missing one.
  package func optionalText(_ name: String, _ length: ClosedRange<Int>) throws(StudyError) -> String? {
    guard let value = value(name) else { return nil }
    guard case .string(let text) = value, length.contains(text.count) else {
      throw StudyError(
        .badField, "a text of \(length.lowerBound) to \(length.upperBound) characters", field: place(name))
    }
    return text
  }

  /// Returns a text.
  package func text(_ name: String, _ length: ClosedRange<Int>) throws(StudyError) -> String {
    try needed(name, try optionalText(name, length))
  }

  /// Returns a whole number; `nil` for a missing one.
  package func optionalInteger(_ name: String, _ range: ClosedRange<Int64>) throws(StudyError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .integer(let number) = value, range.contains(number) else {
      throw StudyError(
        .badField, "a whole number from \(range.lowerBound) to \(range.upperBound)", field: place(name))
    }
    return number
  }

  /// Returns a whole number.
  package func integer(_ name: String, _ range: ClosedRange<Int64>) throws(StudyError) -> Int64 {
    try needed(name, try optionalInteger(name, range))
  }

  /// Returns a number; `nil` for a missing one.
  package func optionalNumber(_ name: String, _ range: ClosedRange<Double>) throws(StudyError) -> Double? {
    guard let value = value(name) else { return nil }
    let number: Double? =
      switch value {
      case .integer(let whole): Double(whole)
      case .number(let number): number
      default: nil
      }
    guard let number, range.contains(number) else {
      throw StudyError(.badField, "a number from \(range.lowerBound) to \(range.upperBound)", field: place(name))
    }
    return number
  }

  /// Returns a number.
  package func number(_ name: String, _ range: ClosedRange<Double>) throws(StudyError) -> Double {
    try needed(name, try optionalNumber(name, range))
  }

  /// Returns a truth value; `nil` for a missing one.
  package func optionalFlag(_ name: String) throws(StudyError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let flag) = value else { throw StudyError(.badField, "true or false", field: place(name)) }
    return flag
  }

  /// Returns an instant: a text of RFC 3339, or whole milliseconds since 1970.
  package func time(_ name: String) throws(StudyError) -> Instant {
    switch try needed(name, value(name)) {
    case .integer(let milliseconds) where (-9_200_000_000_000...9_200_000_000_000).contains(milliseconds):
      return Instant(milliseconds: milliseconds)
    case .string(let text):
      if let time = try? Instant(rfc3339: text) { return time }
      fallthrough
    default: throw StudyError(.badField, "a time such as 2026-01-31T09:30:00Z", field: place(name))
    }
  }

  /// Returns a list of texts of 1 to 500 characters; empty for a missing one.
  package func texts(_ name: String) throws(StudyError) -> [String] {
    guard let value = value(name) else { return [] }
    let list = value.elements?.compactMap(\.stringValue) ?? []
    guard list.count == value.elements?.count, list.count <= 100, list.allSatisfy({ (1...500).contains($0.count) })
    else {
      throw StudyError(.badField, "a list of at most 100 texts of 1 to 500 characters", field: place(name))
    }
    return list
  }

  /// Returns a list of objects; empty for a missing one.
  package func list(_ name: String) throws(StudyError) -> [StudyFields] {
    guard let value = value(name) else { return [] }
    guard let elements = value.elements, elements.count <= 10_000 else {
      throw StudyError(.badField, "a list of at most 10000 objects", field: place(name))
    }
    var list: [StudyFields] = []
    for (index, element) in elements.enumerated() {
      list.append(try StudyFields(element, at: "\(place(name))[\(index)]"))
    }
    return list
  }

  /// Returns an object; `nil` for a missing one.
  package func optionalObject(_ name: String) throws(StudyError) -> StudyFields? {
    guard let value = value(name) else { return nil }
    return try StudyFields(value, at: place(name))
  }

  /// Returns an object.
  package func object(_ name: String) throws(StudyError) -> StudyFields { try needed(name, try optionalObject(name)) }
}
