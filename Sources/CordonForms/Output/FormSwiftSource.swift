import CordonSupport

/// Typed Swift source for the answers of a form: values that encode to the JSON that the form accepts, and a check of them.
///
/// The source needs Foundation only. It checks types, required fields, options and bounds; conditions and formulas are the
/// server's part, and hidden fields are `nil`.
package struct FormSwiftSource {
  private let form: Form
  private var lines: [String] = []

  /// Creates the generator for a form.
  package init(_ form: Form) { self.form = form }

  /// The source of one file.
  package var text: String {
    var copy = self
    return copy.generate()
  }

  private mutating func generate() -> String {
    let name = FormSwiftSource.typeName(form.id)
    lines = [
      "// Answers of the form \"\(form.id)\", version \(form.version). Made by `cordon form swift`; changes are lost.",
      "",
      "import Foundation", "",
      "/// The answers of \(FormSwiftSource.comment(form.title.text(in: form.languages[0]))).",
    ]
    structure(name, form.items, indent: 0, isTop: true)
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func add(_ indent: Int, _ text: String) {
    lines.append(text.isEmpty ? "" : String(repeating: "  ", count: indent) + text)
  }

  private mutating func structure(_ name: String, _ items: [FormItem], indent: Int, isTop: Bool) {
    add(indent, "public struct \(name): Codable, Hashable, Sendable {")
    if isTop {
      add(indent + 1, "/// The form and its version.")
      add(indent + 1, "public static let form = \(FormSwiftSource.quoted(form.id)), version = \(form.version)")
      add(0, "")
    }
    for item in items { property(item, indent: indent + 1) }
    if items.contains(where: { $0.name != FormSwiftSource.memberName($0.name) }) || !items.isEmpty {
      add(indent + 1, "private enum CodingKeys: String, CodingKey {")
      for item in items {
        add(
          indent + 2,
          "case \(FormSwiftSource.escaped(FormSwiftSource.memberName(item.name))) = \(FormSwiftSource.quoted(item.name))"
        )
      }
      add(indent + 1, "}")
    }
    add(0, "")
    add(indent + 1, "/// Answers to nothing yet.")
    add(indent + 1, "public init() {}")
    checks(items, indent: indent + 1, isTop: isTop)
    for item in items { nested(item, indent: indent + 1) }
    add(indent, "}")
  }

  private mutating func property(_ item: FormItem, indent: Int) {
    let member = FormSwiftSource.escaped(FormSwiftSource.memberName(item.name))
    switch item {
    case .field(let field):
      add(
        indent,
        "/// \(FormSwiftSource.comment(field.label.text(in: form.languages[0])))\(field.unit.map { " (\(FormSwiftSource.comment($0)))" } ?? "")"
      )
      add(indent, "public var \(member): \(type(of: field))?\(preset(of: field))")
    case .group(let group):
      add(indent, "/// \(FormSwiftSource.comment(group.label.text(in: form.languages[0])))")
      add(indent, "public var \(member): [\(FormSwiftSource.typeName(group.name))] = []")
    }
  }

  private func type(of field: FormField) -> String {
    switch field.kind {
    case .text, .longText, .date: "String"
    case .number: "Double"
    case .integer, .scale: "Int"
    case .toggle: "Bool"
    case .choice: FormSwiftSource.typeName(field.name)
    case .choices: "[\(FormSwiftSource.typeName(field.name))]"
    case .place: "\(FormSwiftSource.typeName(field.name))"
    case .photo: "\(FormSwiftSource.typeName(field.name))"
    }
  }

  private func preset(of field: FormField) -> String {
    switch field.defaultValue {
    case .text(let text)? where field.kind == .choice: " = .\(caseName(text, in: field))"
    case .text(let text)?: " = \(FormSwiftSource.quoted(text))"
    case .number(let number)?: " = \(JSONValue.number(number).text())"
    case .truth(let truth)?: " = \(truth)"
    case .date(let date)?: " = \(FormSwiftSource.quoted(date.description))"
    case .choices(let values)?: " = [\(values.map { ".\(caseName($0, in: field))" }.joined(separator: ", "))]"
    case .place?, .photo?, nil: ""
    }
  }

  // MARK: Checks

  private mutating func checks(_ items: [FormItem], indent: Int, isTop: Bool) {
    add(0, "")
    add(indent, "/// The reasons why the answers are not valid: the path of a field, and what is expected.")
    add(indent, "public func issues(at path: String = \"\") -> [(path: String, message: String)] {")
    add(indent + 1, "var found: [(path: String, message: String)] = []")
    add(
      indent + 1,
      "func add(_ name: String, _ message: String) { found.append((path.isEmpty ? name : path + \".\" + name, message)) }"
    )
    for item in items {
      let member = FormSwiftSource.escaped(FormSwiftSource.memberName(item.name))
      let name = FormSwiftSource.quoted(item.name)
      switch item {
      case .field(let field):
        if field.isRequired, field.condition == nil {
          add(indent + 1, "if \(member) == nil { add(\(name), \"is required\") }")
        }
        for (condition, message) in bounds(of: field) {
          add(indent + 1, "if let value = \(member), \(condition) { add(\(name), \(FormSwiftSource.quoted(message))) }")
        }
      case .group(let group):
        let (least, most) = (group.repeats?.lowerBound ?? 0, group.repeats?.upperBound ?? 1)
        if least > 0, group.condition == nil {
          add(indent + 1, "if \(member).count < \(least) { add(\(name), \"has fewer than \(least) entries\") }")
        }
        add(indent + 1, "if \(member).count > \(most) { add(\(name), \"has more than \(most) entries\") }")
        add(indent + 1, "for (index, entry) in \(member).enumerated() {")
        add(indent + 2, "found += entry.issues(at: (path.isEmpty ? \"\" : path + \".\") + \(name) + \"[\\(index)]\")")
        add(indent + 1, "}")
      }
    }
    add(indent + 1, "return found")
    add(indent, "}")
  }

  private func bounds(of field: FormField) -> [(String, String)] {
    var checks: [(String, String)] = []
    if field.kind == .text || field.kind == .longText {
      checks.append(("value.count > \(field.maximumLength)", "is longer than \(field.maximumLength) characters"))
    }
    if let minimum = field.bounds.minimum {
      let text = JSONValue.number(minimum).text()
      checks.append(("value < \(text)", "has to be at least \(text)"))
    }
    if let maximum = field.bounds.maximum {
      let text = JSONValue.number(maximum).text()
      checks.append(("value > \(text)", "has to be at most \(text)"))
    }
    // Days such as 2026-01-31 sort like their texts.
    if case .date(let date)? = field.bounds.earliest {
      checks.append(("value < \(FormSwiftSource.quoted(date.description))", "has to be \(date) or later"))
    }
    if case .date(let date)? = field.bounds.latest {
      checks.append(("value > \(FormSwiftSource.quoted(date.description))", "has to be \(date) or earlier"))
    }
    return checks
  }

  // MARK: Types in the type

  private mutating func nested(_ item: FormItem, indent: Int) {
    switch item {
    case .group(let group):
      add(0, "")
      add(indent, "/// One entry of \(FormSwiftSource.comment(group.label.text(in: form.languages[0]))).")
      structure(FormSwiftSource.typeName(group.name), group.items, indent: indent, isTop: false)
    case .field(let field):
      let name = FormSwiftSource.typeName(field.name)
      switch field.kind {
      case .choice, .choices:
        add(0, "")
        add(indent, "/// The options of \(FormSwiftSource.comment(field.label.text(in: form.languages[0]))).")
        add(indent, "public enum \(name): String, Codable, Hashable, Sendable, CaseIterable {")
        for option in field.options {
          add(
            indent + 1,
            "case \(FormSwiftSource.escaped(caseName(option.value, in: field))) = \(FormSwiftSource.quoted(option.value))"
          )
        }
        add(indent, "}")
      case .place:
        add(0, "")
        add(indent, "/// A space of a venue, or a position in degrees.")
        add(indent, "public struct \(name): Codable, Hashable, Sendable {")
        add(indent + 1, "public var space: String?, lon: Double?, lat: Double?, floor: Double?")
        add(indent + 1, "public init() {}")
        add(indent, "}")
      case .photo:
        add(0, "")
        add(indent, "/// A photo that is kept elsewhere.")
        add(indent, "public struct \(name): Codable, Hashable, Sendable {")
        add(indent + 1, "public var sha256: String, type: String, bytes: Int")
        add(indent + 1, "public init(sha256: String, type: String, bytes: Int) {")
        add(indent + 2, "(self.sha256, self.type, self.bytes) = (sha256, type, bytes)")
        add(indent + 1, "}")
        add(indent, "}")
      default: break
      }
    }
  }

  /// Returns the name of the case of an option; equal names get a number.
  private func caseName(_ value: String, in field: FormField) -> String {
    let names = field.options.map { FormSwiftSource.memberName($0.value) }
    guard let index = field.options.firstIndex(where: { $0.value == value }) else { return "option" }
    let isShared = names.filter { $0 == names[index] }.count > 1
    return isShared || names[index].isEmpty ? "option\(index + 1)" : names[index]
  }

  // MARK: Names

  private static func words(_ text: String) -> [String] {
    text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
  }

  /// `screening_form` becomes `ScreeningForm`.
  static func typeName(_ text: String) -> String {
    let name = words(text).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    let reserved = [
      "CodingKeys", "Type", "Self", "Protocol", "String", "Int", "Double", "Bool", "Codable", "Hashable", "Sendable",
    ]
    if reserved.contains(name) { return name + "Answer" }
    return name.first?.isNumber ?? true ? "Form" + name : name
  }

  /// `first_name` becomes `firstName`.
  static func memberName(_ text: String) -> String {
    let words = words(text)
    guard let first = words.first else { return "" }
    let name =
      first.prefix(1).lowercased() + first.dropFirst()
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return name.first?.isNumber ?? true ? "n" + name : name
  }

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// A text as a Swift literal.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.controlsTerminal:
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A text on one line, for a comment.
  private static func comment(_ text: String) -> String {
    String(text.map { $0.isNewline || $0.unicodeScalars.contains(where: \.controlsTerminal) ? " " : $0 })
  }
}
