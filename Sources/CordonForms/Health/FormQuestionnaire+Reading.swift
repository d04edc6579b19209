package import CordonSupport

extension FormQuestionnaire {
  /// Returns the document of a form for a Questionnaire (R4 or R5), and notes: one for each element that forms do not have.
  ///
  /// The document is then to be read with `Form(json:)`, which checks it.
  /// - Throws: ``FormError`` for another resource, and for an item without a counterpart, with its place.
  package static func document(of json: JSONValue) throws(FormError) -> (document: JSONValue, notes: [String]) {
    guard json["resourceType"] == "Questionnaire" else {
      throw FormError("resourceType", "has to be Questionnaire")
    }
    var reader = QuestionnaireReader(language: json["language"]?.stringValue ?? "en")
    let name = json["name"]?.stringValue ?? json["id"]?.stringValue ?? "form"
    let title = reader.text(json, "title") ?? .string(name)
    try reader.collect(json["item"]?.elements ?? [], place: "item")
    let items = try reader.items(json["item"]?.elements ?? [], place: "item")
    let version = Int(json["version"]?.stringValue?.filter(\.isNumber).prefix(6) ?? "") ?? 1
    return (
      [
        "form": .string(QuestionnaireReader.name(name, kept: ["-"])), "version": JSONValue(max(1, version)),
        "languages": .array(reader.languages.map(JSONValue.string)), "title": title, "items": .array(items),
      ], reader.notes
    )
  }
}

/// Reads the items of a Questionnaire.
private struct QuestionnaireReader {
  private(set) var languages: [String]
  private(set) var notes: [String] = []
  /// The name and the type in a form by the `linkId` of its item.
  private var names: [String: String] = [:]
  private var kinds: [String: FormField.Kind] = [:]

  init(language: String) { languages = [language] }

  /// A name as forms have it.
  static func name(_ text: String, kept: Set<Character> = []) -> String {
    var result = ""
    for character in text.lowercased() {
      let isPlain = character.isASCII && (character.isLetter || character.isNumber) || kept.contains(character)
      result.append(isPlain ? character : "_")
    }
    while result.first == "_" { result.removeFirst() }
    guard let first = result.first else { return "field" }
    return String((first.isLetter ? result : "field_" + result).prefix(64))
  }

  /// A text with its translations; `nil` when it is missing.
  mutating func text(_ node: JSONValue, _ key: String) -> JSONValue? {
    guard let text = node[key]?.stringValue, !text.isEmpty else { return nil }
    var members = [JSONValue.Member(languages[0], .string(text))]
    for one in node["_" + key]?["extension"]?.elements ?? [] {
      guard one["url"]?.stringValue == FormQuestionnaire.translation else { continue }
      let parts = one["extension"]?.elements ?? []
      guard let language = parts.first(where: { $0["url"] == "lang" })?["valueCode"]?.stringValue,
        let content = parts.first(where: { $0["url"] == "content" }).flatMap({
          $0["valueString"] ?? $0["valueMarkdown"]
        }),
        !members.contains(where: { $0.key == language })
      else { continue }
      members.append(.init(language, content))
      if !languages.contains(language) { languages.append(language) }
    }
    return members.count == 1 ? .string(text) : .object(members)
  }

  private func extended(_ node: JSONValue, _ url: String) -> JSONValue? {
    node["extension"]?.elements?.first { $0["url"]?.stringValue == url }
  }

  /// Names all items first: a condition may name a later one.
  mutating func collect(_ list: [JSONValue], place: String) throws(FormError) {
    var used: Set<String> = []
    for (index, one) in list.enumerated() {
      guard let link = one["linkId"]?.stringValue else { throw FormError("\(place)[\(index)].linkId", "is missing") }
      guard one["type"] != "display" else { continue }
      let last = link.split(separator: ".").last.map(String.init) ?? link
      let base = QuestionnaireReader.name(last)
      var (name, number) = (base, 2)
      while !used.insert(name).inserted { (name, number) = ("\(base.prefix(60))_\(number)", number + 1) }
      names[link] = name
      kinds[link] = try? kind(of: one, place: "")
      try collect(one["item"]?.elements ?? [], place: "\(place)[\(index)].item")
    }
  }

  mutating func items(_ list: [JSONValue], place: String) throws(FormError) -> [JSONValue] {
    var items: [JSONValue] = []
    for (index, one) in list.enumerated() {
      let here = "\(place)[\(index)]"
      switch one["type"]?.stringValue {
      case "display": notes.append("\(here): a text without a question is left out")
      case "group": items.append(try group(one, place: here))
      default: items.append(try field(one, place: here))
      }
    }
    return items
  }

  private mutating func group(_ node: JSONValue, place: String) throws(FormError) -> JSONValue {
    var members: [JSONValue.Member] = [.init("group", .string(names[node["linkId"]?.stringValue ?? ""] ?? "group"))]
    if let label = text(node, "text") { members.append(.init("label", label)) }
    if node["repeats"] == true {
      var range: [JSONValue.Member] = []
      if let least = extended(node, FormQuestionnaire.minimumOccurs)?["valueInteger"] {
        range.append(.init("min", least))
      }
      if let most = extended(node, FormQuestionnaire.maximumOccurs)?["valueInteger"] {
        range.append(.init("max", most))
      }
      members.append(.init("repeat", .object(range)))
    }
    if let condition = try condition(of: node, place: place) { members.append(.init("show_if", .string(condition))) }
    members.append(.init("items", .array(try items(node["item"]?.elements ?? [], place: place + ".item"))))
    return .object(members)
  }

  private func kind(of node: JSONValue, place: String) throws(FormError) -> FormField.Kind {
    if let kind = extended(node, FormQuestionnaire.fieldType)?["valueCode"]?.stringValue.flatMap(FormField.Kind.init) {
      return kind
    }
    let isMany = node["repeats"] == true
    switch node["type"]?.stringValue {
    case "string": return .text
    case "text": return .longText
    case "decimal", "quantity": return .number
    case "integer": return .integer
    case "date": return .date
    case "boolean": return .toggle
    case "coding", "choice", "open-choice": return isMany ? .choices : .choice
    case "attachment": return .photo
    case let other:
      throw FormError(place + ".type", "the type \(Quotation.of(other ?? "", limit: 32)) has no counterpart")
    }
  }

  private mutating func field(_ node: JSONValue, place: String) throws(FormError) -> JSONValue {
    let kind = try kind(of: node, place: place)
    var members: [JSONValue.Member] = [.init("name", .string(names[node["linkId"]?.stringValue ?? ""] ?? "field"))]
    if let was = extended(node, FormQuestionnaire.formerName)?["valueString"] { members.append(.init("was", was)) }
    members.append(.init("type", .string(kind.rawValue)))
    if let label = text(node, "text") { members.append(.init("label", label)) }
    for child in node["item"]?.elements ?? [] {
      guard child["type"] == "display" else {
        throw FormError(place + ".item", "questions below a question have no counterpart")
      }
      if let help = text(child, "text") { members.append(.init("help", help)) }
    }
    let formula = extended(node, FormQuestionnaire.formula)?["valueExpression"]
    let isOurs = formula?["language"]?.stringValue == FormQuestionnaire.language
    if let formula, !isOurs { notes.append("\(place): a formula in \(formula["language"]?.text() ?? "") is left out") }
    if node["required"] == true, !isOurs { members.append(.init("required", true)) }
    if let unit = extended(node, FormQuestionnaire.unit)?["valueCoding"] {
      if let text = unit["display"] ?? unit["code"] { members.append(.init("unit", text)) }
    }
    for (key, url, moving) in [
      ("min", FormQuestionnaire.minimum, FormQuestionnaire.movingMinimum),
      ("max", FormQuestionnaire.maximum, FormQuestionnaire.movingMaximum),
    ] {
      if extended(node, moving) != nil { members.append(.init(key, "today")) }
      guard let bound = extended(node, url) else { continue }
      if let value = bound["valueInteger"] ?? bound["valueDecimal"] ?? bound["valueDate"] {
        members.append(.init(key, value))
      }
    }
    if kind == .text || kind == .longText, let most = node["maxLength"] { members.append(.init("max_length", most)) }
    if kind == .choice || kind == .choices { members.append(.init("options", .array(try options(node, place: place)))) }
    if let condition = try condition(of: node, place: place) { members.append(.init("show_if", .string(condition))) }
    if isOurs, let text = formula?["expression"] { members.append(.init("calculate", text)) }
    if let presets = node["initial"]?.elements, !presets.isEmpty, let language = languages.first {
      let field = FormField(
        name: "x", kind: kind, label: LocalizedText("", language: language), isRequired: false,
        bounds: FormField.Bounds(), maximumLength: 1, options: [])
      let values = presets.compactMap { FormQuestionnaire.answer($0, to: field) }
      if let first = values.first { members.append(.init("default", kind == .choices ? .array(values) : first)) }
    }
    return .object(members)
  }

  private mutating func options(_ node: JSONValue, place: String) throws(FormError) -> [JSONValue] {
    guard let list = node["answerOption"]?.elements, !list.isEmpty else {
      throw FormError(place + ".answerOption", "is needed: value sets elsewhere have no counterpart")
    }
    var options: [JSONValue] = []
    for (index, one) in list.enumerated() {
      if let coding = one["valueCoding"], let code = coding["code"] ?? coding["display"] {
        options.append(.object([.init("value", code), .init("label", text(coding, "display") ?? code)]))
      } else if let text = one["valueString"] {
        options.append(text)
      } else {
        throw FormError("\(place).answerOption[\(index)]", "has to be a coding or a text")
      }
    }
    return options
  }

  /// The condition in the language of forms: as its extension states it, or made of `enableWhen`.
  private mutating func condition(of node: JSONValue, place: String) throws(FormError) -> String? {
    if let own = extended(node, FormQuestionnaire.condition)?["valueExpression"] {
      if own["language"]?.stringValue == FormQuestionnaire.language { return own["expression"]?.stringValue }
      notes.append("\(place): a condition in \(own["language"]?.text() ?? "another language") is left out")
    }
    guard let tests = node["enableWhen"]?.elements, !tests.isEmpty else { return nil }
    var parts: [String] = []
    for (index, test) in tests.enumerated() {
      let here = "\(place).enableWhen[\(index)]"
      guard let link = test["question"]?.stringValue, let name = names[link], let kind = kinds[link] else {
        throw FormError(here, "names no item of the Questionnaire")
      }
      let sign = test["operator"]?.stringValue ?? "="
      if sign == "exists" {
        parts.append(test["answerBoolean"] == true ? "answered(\(name))" : "not answered(\(name))")
        continue
      }
      guard ["=", "!=", "<", "<=", ">", ">="].contains(sign) else { throw FormError(here, "has an unknown operator") }
      if let code = test["answerCoding"]?["code"]?.stringValue ?? test["answerString"]?.stringValue {
        let quoted = "'\(code.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
        let contains = "contains(\(name), \(quoted))"
        parts.append(kind == .choices ? (sign == "!=" ? "not \(contains)" : contains) : "\(name) \(sign) \(quoted)")
      } else if let value = test["answerInteger"] ?? test["answerDecimal"] ?? test["answerBoolean"] {
        parts.append("\(name) \(sign) \(value.text())")
      } else if let date = test["answerDate"]?.stringValue {
        parts.append("\(name) \(sign) '\(date)'")
      } else {
        throw FormError(here, "has an answer of a type that forms do not compare")
      }
    }
    return parts.joined(separator: node["enableBehavior"] == "any" ? " or " : " and ")
  }
}
