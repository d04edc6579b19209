package import CordonSupport

/// A form as a Questionnaire of FHIR (R5; R4 with the type `choice`), and back.
///
/// Conditions and formulas stand as extensions in the language of forms, so that nothing is lost; simple conditions also stand as
/// `enableWhen`, which other programs evaluate. docs/reference/questionnaires.md lists every element.
package enum FormQuestionnaire {
  /// The version of FHIR.
  package enum Version: String, Hashable, Sendable, CaseIterable {
    case r4 = "R4"
    case r5 = "R5"
  }

  static let condition = "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-enableWhenExpression"
  static let formula = "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression"
  static let translation = "http://hl7.org/fhir/StructureDefinition/translation"
  static let unit = "http://hl7.org/fhir/StructureDefinition/questionnaire-unit"
  static let control = "http://hl7.org/fhir/StructureDefinition/questionnaire-itemControl"
  static let minimum = "http://hl7.org/fhir/StructureDefinition/minValue"
  static let maximum = "http://hl7.org/fhir/StructureDefinition/maxValue"
  static let minimumOccurs = "http://hl7.org/fhir/StructureDefinition/questionnaire-minOccurs"
  static let maximumOccurs = "http://hl7.org/fhir/StructureDefinition/questionnaire-maxOccurs"
  static let movingMinimum = "urn:cordon:form-min"
  static let movingMaximum = "urn:cordon:form-max"
  static let formerName = "urn:cordon:form-was"
  static let fieldType = "urn:cordon:form-type"
  static let language = "application/vnd.cordon.form-expression"

  /// The canonical address of a form.
  static func address(of form: Form) -> String { "urn:cordon:form:\(form.id)" }

  /// Returns the Questionnaire of a form.
  package static func json(of form: Form, version: Version = .r5) -> JSONValue {
    let writer = QuestionnaireWriter(form: form, version: version)
    return .object(
      [
        .init("resourceType", "Questionnaire"), .init("language", JSONValue(form.languages.first)),
        .init("url", .string(address(of: form))),
        .init("version", .string(String(form.version))), .init("name", .string(form.id)),
      ] + writer.text("title", form.title) + [
        .init("status", "active"), .init("item", .array(form.items.map { writer.item($0, in: []) })),
      ])
  }
}

/// Writes the items of a Questionnaire.
private struct QuestionnaireWriter {
  let form: Form
  let version: FormQuestionnaire.Version

  /// A text in the default language, with its translations.
  func text(_ key: String, _ text: LocalizedText) -> [JSONValue.Member] {
    var members = [JSONValue.Member(key, .string(text.texts.first?.text ?? ""))]
    let others = text.texts.dropFirst().map { entry -> JSONValue in
      [
        "url": .string(FormQuestionnaire.translation),
        "extension": [
          ["url": "lang", "valueCode": .string(entry.language)],
          ["url": "content", "valueString": .string(entry.text)],
        ],
      ]
    }
    if !others.isEmpty { members.append(.init("_" + key, ["extension": .array(others)])) }
    return members
  }

  func item(_ item: FormItem, in groups: [String]) -> JSONValue {
    switch item {
    case .field(let field): self.field(field, in: groups)
    case .group(let group): self.group(group, in: groups)
    }
  }

  private func group(_ group: FormGroup, in groups: [String]) -> JSONValue {
    var extensions: [JSONValue] = []
    if let repeats = group.repeats {
      if repeats.lowerBound > 0 {
        extensions.append(
          ["url": .string(FormQuestionnaire.minimumOccurs), "valueInteger": JSONValue(repeats.lowerBound)])
      }
      extensions.append(
        ["url": .string(FormQuestionnaire.maximumOccurs), "valueInteger": JSONValue(repeats.upperBound)])
    }
    if let condition = group.condition { extensions.append(expression(FormQuestionnaire.condition, condition)) }
    let path = groups + [group.name]
    var members: [JSONValue.Member] = extensions.isEmpty ? [] : [.init("extension", .array(extensions))]
    members.append(.init("linkId", .string(path.joined(separator: "."))))
    members += text("text", group.label)
    members.append(.init("type", "group"))
    members += enableWhen(group.condition, in: groups)
    if group.repeats != nil { members.append(.init("repeats", true)) }
    members.append(.init("item", .array(group.items.map { self.item($0, in: path) })))
    return .object(members)
  }

  private func expression(_ url: String, _ expression: FormExpression) -> JSONValue {
    [
      "url": .string(url),
      "valueExpression": [
        "language": .string(FormQuestionnaire.language), "expression": .string(expression.text),
      ],
    ]
  }

  private func field(_ field: FormField, in groups: [String]) -> JSONValue {
    let path = (groups + [field.name]).joined(separator: ".")
    var members: [JSONValue.Member] = []
    let extensions = extensions(of: field)
    if !extensions.isEmpty { members.append(.init("extension", .array(extensions))) }
    members.append(.init("linkId", .string(path)))
    members += text("text", field.label)
    members.append(.init("type", .string(type(of: field))))
    members += enableWhen(field.condition, in: groups)
    if field.isRequired { members.append(.init("required", true)) }
    if field.kind == .choices { members.append(.init("repeats", true)) }
    if field.formula != nil { members.append(.init("readOnly", true)) }
    if field.kind == .text || field.kind == .longText {
      members.append(.init("maxLength", JSONValue(field.maximumLength)))
    }
    if !field.options.isEmpty {
      members.append(
        .init(
          "answerOption",
          .array(
            field.options.map { option in
              [
                "valueCoding": .object(
                  [.init("system", .string(system)), .init("code", .string(option.value))]
                    + text("display", option.label))
              ]
            })))
    }
    if let preset = field.defaultValue {
      members.append(
        .init("initial", .array(FormQuestionnaire.values(of: preset, to: field, system: system).map { .object([$0]) })))
    }
    if let help = field.help {
      members.append(
        .init(
          "item",
          [
            .object(
              [
                .init(
                  "extension",
                  [
                    [
                      "url": .string(FormQuestionnaire.control),
                      "valueCodeableConcept": [
                        "coding": [
                          ["system": "http://hl7.org/fhir/questionnaire-item-control", "code": "help"]
                        ]
                      ],
                    ]
                  ]), .init("linkId", .string(path + "#help")),
              ] + text("text", help) + [.init("type", "display")])
          ]))
    }
    return .object(members)
  }

  private var system: String { FormQuestionnaire.address(of: form) }

  private func type(of field: FormField) -> String {
    switch field.kind {
    case .text: "string"
    case .longText: "text"
    case .number: "decimal"
    case .integer, .scale: "integer"
    case .date: "date"
    case .toggle: "boolean"
    case .choice, .choices: version == .r5 ? "coding" : "choice"
    case .place: "url"
    case .photo: "attachment"
    }
  }

  private func extensions(of field: FormField) -> [JSONValue] {
    var list: [JSONValue] = []
    func add(_ url: String, _ key: String, _ value: JSONValue) {
      list.append(.object([.init("url", .string(url)), .init(key, value)]))
    }
    if [.scale, .place].contains(field.kind) {
      add(FormQuestionnaire.fieldType, "valueCode", .string(field.kind.rawValue))
    }
    if let former = field.formerName { add(FormQuestionnaire.formerName, "valueString", .string(former)) }
    if let unit = field.unit {
      add(FormQuestionnaire.unit, "valueCoding", ["display": .string(unit)])
    }
    for (url, bound, day) in [
      (FormQuestionnaire.minimum, field.bounds.minimum, field.bounds.earliest),
      (FormQuestionnaire.maximum, field.bounds.maximum, field.bounds.latest),
    ] {
      if let bound {
        if field.kind == .number {
          add(url, "valueDecimal", .number(bound))
        } else {
          add(url, "valueInteger", .whole(bound))
        }
      }
      switch day {
      case .date(let date)?: add(url, "valueDate", .string(date.description))
      case .today?:
        // The bound moves with the day of the answers.
        let isFirst = url == FormQuestionnaire.minimum
        add(isFirst ? FormQuestionnaire.movingMinimum : FormQuestionnaire.movingMaximum, "valueCode", "today")
      case nil: break
      }
    }
    if let condition = field.condition { list.append(expression(FormQuestionnaire.condition, condition)) }
    if let formula = field.formula { list.append(expression(FormQuestionnaire.formula, formula)) }
    return list
  }

  /// The condition as `enableWhen` where it is a comparison of one field with a constant, or several joined by one word.
  private func enableWhen(_ condition: FormExpression?, in groups: [String]) -> [JSONValue.Member] {
    guard let condition else { return [] }
    var parts: [FormExpression.Node] = []
    var behaviour = "all"
    switch condition.root {
    case .binary(.and, _, _): parts = FormQuestionnaire.flattened(condition.root, .and)
    case .binary(.or, _, _): (parts, behaviour) = (FormQuestionnaire.flattened(condition.root, .or), "any")
    default: parts = [condition.root]
    }
    let tests = parts.compactMap { test($0, in: groups) }
    guard tests.count == parts.count else { return [] }
    return [.init("enableWhen", .array(tests))] + (tests.count > 1 ? [.init("enableBehavior", .string(behaviour))] : [])
  }

  private func test(_ node: FormExpression.Node, in groups: [String]) -> JSONValue? {
    switch node {
    case .field(let names):
      guard let (path, field) = find(names, in: groups), field.kind == .toggle else { return nil }
      return ["question": .string(path), "operator": "=", "answerBoolean": true]
    case .call(.answered, let arguments):
      guard case .field(let names)? = arguments.first, let (path, _) = find(names, in: groups) else { return nil }
      return ["question": .string(path), "operator": "exists", "answerBoolean": true]
    case .call(.contains, let arguments):
      guard case .field(let names)? = arguments.first, case .text(let option)? = arguments.last,
        let (path, _) = find(names, in: groups)
      else { return nil }
      return ["question": .string(path), "operator": "=", "answerCoding": coding(option)]
    case .binary(let sign, .field(let names), let constant) where sign.isComparison:
      guard let (path, field) = find(names, in: groups) else { return nil }
      let value: JSONValue.Member
      switch (constant, field.kind) {
      case (.number(let number), .number): value = .init("answerDecimal", .number(number))
      case (.number(let number), .integer), (.number(let number), .scale):
        guard number == number.rounded() else { return nil }
        value = .init("answerInteger", .whole(number))
      case (.text(let text), .choice): value = .init("answerCoding", coding(text))
      case (.text(let text), .text): value = .init("answerString", .string(text))
      case (.text(let text), .date): value = .init("answerDate", .string(text))
      case (.truth(let truth), .toggle): value = .init("answerBoolean", .bool(truth))
      default: return nil
      }
      return .object([
        .init("question", .string(path)), .init("operator", .string(sign.rawValue)), value,
      ])
    default: return nil
    }
  }

  private func coding(_ code: String) -> JSONValue { ["system": .string(system), "code": .string(code)] }

  /// The field that an expression in some groups names.
  private func find(_ names: [String], in groups: [String]) -> (path: String, field: FormField)? {
    guard names.count == 1 else { return nil }
    for depth in stride(from: groups.count, through: 0, by: -1) {
      let outer = Array(groups.prefix(depth))
      if let found = form.allFields.first(where: { $0.groups == outer && $0.field.name == names[0] }) {
        return ((outer + names).joined(separator: "."), found.field)
      }
    }
    return nil
  }
}

extension FormQuestionnaire {
  fileprivate static func flattened(
    _ node: FormExpression.Node, _ sign: FormExpression.Operator
  ) -> [FormExpression.Node] {
    if case .binary(let own, let one, let other) = node, own == sign {
      flattened(one, sign) + flattened(other, sign)
    } else {
      [node]
    }
  }
}
