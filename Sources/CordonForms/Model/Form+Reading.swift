package import CordonSupport
import CordonWire

extension Form {
  /// Reads the document of a form.
  /// - Parameter document: JSON in UTF-8, at most ``maximumBytes`` long.
  /// - Throws: ``FormError`` with the place of the first fault.
  package init(document: [UInt8]) throws(FormError) {
    guard document.count <= Form.maximumBytes else { throw FormError("", "the document is larger than 1 MiB") }
    let value: JSONValue
    do throws(WireError) {
      value = try JSONReader.value(of: document)
    } catch {
      let line = 1 + document.prefix(error.offset).count { $0 == 0x0A }
      throw FormError("", "line \(line): is not JSON: \(error.reason)")
    }
    try self.init(json: value)
  }

  /// Reads a form from its JSON value.
  /// - Throws: ``FormError`` with the place of the first fault.
  package init(json: JSONValue) throws(FormError) {
    let top = try FormNode(json, path: "", keys: ["form", "version", "languages", "title", "items"])
    id = try top.need("form").text()
    guard Form.isIdentifier(id, with: ["-"]) else {
      throw FormError("form", "has to be lower-case letters, digits, '_' and '-', beginning with a letter")
    }
    version = try top.need("version").whole(in: 1...1_000_000)
    languages = try top.list("languages")?.map { node throws(FormError) in try node.text() } ?? ["en"]
    guard !languages.isEmpty, Set(languages).count == languages.count else {
      throw FormError("languages", "has to name each language once")
    }
    var reader = ItemReader(languages: languages)
    title = try reader.text(try top.need("title"))
    guard let nodes = try top.list("items"), !nodes.isEmpty else {
      throw FormError("items", "needs at least one field")
    }
    items = try reader.items(nodes, depth: 1)
    try FormCheck(self).run()
  }

  static func isIdentifier(_ text: String, with others: Set<Character> = []) -> Bool {
    guard let first = text.first, first.isASCII, first.isLowercase, text.count <= 64 else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) || $0 == "_" || others.contains($0) }
  }
}

/// A value of a document with its path.
struct FormNode {
  let value: JSONValue
  let path: String

  init(_ value: JSONValue, path: String) {
    self.value = value
    self.path = path
  }

  /// An object with known keys only.
  init(_ value: JSONValue, path: String, keys: [String]) throws(FormError) {
    self.init(value, path: path)
    guard let members = value.members else { throw FormError(path, "has to be an object") }
    var seen: Set<String> = []
    for member in members {
      guard keys.contains(member.key) else {
        throw FormError(path, "'\(member.key)' is not a known key\(Suggestion.hint(for: member.key, among: keys))")
      }
      guard seen.insert(member.key).inserted else { throw FormError(path, "'\(member.key)' is there twice") }
    }
  }

  private func inside(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  subscript(key: String) -> FormNode? { value[key].map { FormNode($0, path: inside(key)) } }

  func need(_ key: String) throws(FormError) -> FormNode {
    guard let node = self[key] else { throw FormError(path, "'\(key)' is missing") }
    return node
  }

  func text() throws(FormError) -> String {
    guard let text = value.stringValue else { throw FormError(path, "has to be a text") }
    guard text.count <= Form.maximumTextLength else { throw FormError(path, "is longer than 10 000 characters") }
    return text
  }

  func number() throws(FormError) -> Double {
    switch value {
    case .integer(let whole): return Double(whole)
    case .number(let number) where number.isFinite: return number
    default: throw FormError(path, "has to be a number")
    }
  }

  func whole(in range: ClosedRange<Int>) throws(FormError) -> Int {
    guard let whole = value.integerValue, let number = Int(exactly: whole), range.contains(number) else {
      throw FormError(path, "has to be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func truth() throws(FormError) -> Bool {
    guard case .bool(let truth) = value else { throw FormError(path, "has to be true or false") }
    return truth
  }

  /// The elements of a list; `nil` if there is no such key.
  func list(_ key: String) throws(FormError) -> [FormNode]? {
    guard let node = self[key] else { return nil }
    guard let elements = node.value.elements else { throw FormError(node.path, "has to be a list") }
    return elements.enumerated().map { FormNode($1, path: "\(node.path)[\($0)]") }
  }
}

/// Reads the fields and groups of a form.
struct ItemReader {
  let languages: [String]
  private var count = 0

  init(languages: [String]) { self.languages = languages }

  private static let fieldKeys = [
    "name", "was", "type", "label", "help", "required", "default", "unit", "min", "max", "max_length", "options",
    "show_if", "calculate",
  ]
  private static let groupKeys = ["group", "label", "repeat", "show_if", "items"]

  mutating func items(_ nodes: [FormNode], depth: Int) throws(FormError) -> [FormItem] {
    var items: [FormItem] = []
    for node in nodes {
      count += 1
      guard count <= Form.maximumItems else { throw FormError(node.path, "a form has at most 500 fields and groups") }
      let item: FormItem =
        node["group"] == nil ? .field(try field(node)) : .group(try group(node, depth: depth))
      guard !items.contains(where: { $0.name == item.name }) else {
        throw FormError(node.path, "the name '\(item.name)' is used twice")
      }
      items.append(item)
    }
    return items
  }

  /// Reads a text, or an object with a text for each language.
  func text(_ node: FormNode) throws(FormError) -> LocalizedText {
    guard let members = node.value.members else { return LocalizedText(try node.text(), language: languages[0]) }
    for member in members where !languages.contains(member.key) {
      throw FormError(node.path, "'\(member.key)' is not a language of the form (\(languages.joined(separator: ", ")))")
    }
    let entries = languages.compactMap { language in
      node.value[language]?.stringValue.map { LocalizedText.Entry(language: language, text: $0) }
    }
    guard entries.first?.language == languages[0] else {
      throw FormError(node.path, "needs a text in the first language, '\(languages[0])'")
    }
    return LocalizedText(entries: entries)
  }

  private func name(_ node: FormNode) throws(FormError) -> String {
    let name = try node.text()
    guard Form.isIdentifier(name) else {
      throw FormError(node.path, "has to be lower-case letters, digits and '_', beginning with a letter")
    }
    guard !["and", "or", "not", "true", "false"].contains(name) else {
      throw FormError(node.path, "'\(name)' is a word of conditions")
    }
    return name
  }

  private func expression(_ node: FormNode?) throws(FormError) -> FormExpression? {
    guard let node else { return nil }
    let text = try node.text()
    do throws(FormExpressionError) { return try FormExpression(text) } catch {
      throw FormError(node.path, error.description)
    }
  }

  private mutating func group(_ node: FormNode, depth: Int) throws(FormError) -> FormGroup {
    let node = try FormNode(node.value, path: node.path, keys: ItemReader.groupKeys)
    guard depth < Form.maximumDepth else { throw FormError(node.path, "groups lie more than 4 deep") }
    let name = try name(try node.need("group"))
    var repeats: ClosedRange<Int>?
    if let one = node["repeat"] {
      let one = try FormNode(one.value, path: one.path, keys: ["min", "max"])
      let least = try one["min"]?.whole(in: 0...Form.maximumRepeats) ?? 0
      let most = try one["max"]?.whole(in: 1...Form.maximumRepeats) ?? Form.maximumRepeats
      guard least <= most else { throw FormError(one.path, "min is greater than max") }
      repeats = least...most
    }
    guard let nodes = try node.list("items"), !nodes.isEmpty else {
      throw FormError(node.path, "a group needs at least one field")
    }
    return FormGroup(
      name: name,
      label: try node["label"].map { label throws(FormError) in try text(label) }
        ?? LocalizedText(name, language: languages[0]), repeats: repeats,
      condition: try expression(node["show_if"]), items: try items(nodes, depth: depth + 1))
  }

  private func field(_ node: FormNode) throws(FormError) -> FormField {
    let node = try FormNode(node.value, path: node.path, keys: ItemReader.fieldKeys)
    let name = try name(try node.need("name"))
    let typeNode = try node.need("type")
    let type = try typeNode.text()
    guard let kind = FormField.Kind(rawValue: type) else {
      let hint = Suggestion.hint(for: type, among: FormField.Kind.allCases.map(\.rawValue))
      throw FormError(typeNode.path, "'\(type)' is not a type of answers\(hint)")
    }
    var field = FormField(
      name: name, formerName: try node["was"].map { was throws(FormError) in try self.name(was) }, kind: kind,
      label: try node["label"].map { label throws(FormError) in try text(label) }
        ?? LocalizedText(name, language: languages[0]),
      help: try node["help"].map { help throws(FormError) in try text(help) },
      isRequired: try node["required"]?.truth() ?? false, unit: try node["unit"]?.text(),
      bounds: try bounds(node, kind: kind),
      maximumLength: try node["max_length"]?.whole(in: 1...Form.maximumTextLength)
        ?? (kind == .longText ? Form.maximumTextLength : 500),
      options: try options(node), condition: try expression(node["show_if"]),
      formula: try expression(node["calculate"]))
    try checkKeys(of: field, node)
    if let preset = node["default"] {
      let (answer, issue) = FormValidation.answer(preset.value, to: field, path: preset.path, today: FormDate(days: 0))
      guard let answer, issue == nil else { throw FormError(preset.path, issue?.message ?? "is not an answer") }
      field.defaultValue = answer
    }
    return field
  }

  /// Checks that a field has only keys that its type uses.
  private func checkKeys(of field: FormField, _ node: FormNode) throws(FormError) {
    let isNumber = [.number, .integer, .scale].contains(field.kind)
    let isList = field.kind == .choice || field.kind == .choices
    func refuse(_ key: String, unless isAllowed: Bool) throws(FormError) {
      if let one = node[key], !isAllowed {
        throw FormError(one.path, "does not go with the type '\(field.kind.rawValue)'")
      }
    }
    try refuse("unit", unless: isNumber)
    try refuse("min", unless: isNumber || field.kind == .date)
    try refuse("max", unless: isNumber || field.kind == .date)
    try refuse("max_length", unless: field.kind == .text || field.kind == .longText)
    try refuse("options", unless: isList)
    if isList, field.options.isEmpty { throw FormError(node.path, "a list needs options") }
    if field.kind == .scale, field.bounds.minimum == nil || field.bounds.maximum == nil {
      throw FormError(node.path, "a scale needs min and max")
    }
    guard field.formula != nil else { return }
    for key in ["required", "default", "options", "min", "max"] where node[key] != nil {
      throw FormError(node.path, "a calculated field has no '\(key)'")
    }
  }

  private func bounds(_ node: FormNode, kind: FormField.Kind) throws(FormError) -> FormField.Bounds {
    var bounds = FormField.Bounds()
    if kind == .date {
      func day(_ key: String) throws(FormError) -> FormField.Bounds.Day? {
        guard let one = node[key] else { return nil }
        let text = try one.text()
        if text == "today" { return .today }
        guard let date = FormDate(text) else {
          throw FormError(one.path, "has to be a day such as 2026-01-31, or today")
        }
        return .date(date)
      }
      (bounds.earliest, bounds.latest) = (try day("min"), try day("max"))
      if case .date(let first)? = bounds.earliest, case .date(let last)? = bounds.latest, first > last {
        throw FormError(node.path, "min is later than max")
      }
      return bounds
    }
    bounds.minimum = try node["min"]?.number()
    bounds.maximum = try node["max"]?.number()
    if let minimum = bounds.minimum, let maximum = bounds.maximum, minimum > maximum {
      throw FormError(node.path, "min is greater than max")
    }
    if kind == .integer || kind == .scale {
      for bound in [bounds.minimum, bounds.maximum].compactMap({ $0 }) where bound != bound.rounded() {
        throw FormError(node.path, "min and max have to be whole numbers")
      }
    }
    return bounds
  }

  private func options(_ node: FormNode) throws(FormError) -> [FormField.Option] {
    var options: [FormField.Option] = []
    for one in try node.list("options") ?? [] {
      guard options.count < Form.maximumOptions else { throw FormError(one.path, "a list has at most 2000 options") }
      let option: FormField.Option
      if one.value.stringValue != nil {
        let value = try one.text()
        option = .init(value: value, label: LocalizedText(value, language: languages[0]))
      } else {
        let pair = try FormNode(one.value, path: one.path, keys: ["value", "label"])
        let value = try pair.need("value").text()
        let label = try pair["label"].map { label throws(FormError) in try text(label) }
        option = .init(value: value, label: label ?? LocalizedText(value, language: languages[0]))
      }
      guard !option.value.isEmpty else { throw FormError(one.path, "the value of an option is empty") }
      guard !options.contains(where: { $0.value == option.value }) else {
        throw FormError(one.path, "the option '\(option.value)' is there twice")
      }
      options.append(option)
    }
    return options
  }
}
