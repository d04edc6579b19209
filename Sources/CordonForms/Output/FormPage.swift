import CFormPages
package import CordonSupport

/// A page on which people answer a form: one file without a server, which keeps records in the browser.
///
/// Conditions and formulas are evaluated in the page from their trees, as ``FormEvaluation`` does here. Answers leave the
/// browser only by the export: one JSON object on each line, which ``FormValidation`` accepts.
package struct FormPage {
  private let form: Form

  /// Creates the page of a form.
  package init(_ form: Form) { self.form = form }

  /// The HTML of the page.
  package var bytes: [UInt8] {
    let language = form.languages.first ?? "en"
    // The scripts contain none of the placeholders, and each is replaced in the template only.
    var result: [UInt8] = []
    var rest = embeddedFile(cordon_form_form_html)[...]
    let parts: [(name: String, value: [UInt8])] = [
      ("{{language}}", Array(MarkupText.escaped(language).utf8)),
      ("{{title}}", Array(MarkupText.escaped(form.title.text(in: language)).utf8)),
      ("{{style}}", embeddedFile(cordon_form_form_css)), ("{{form}}", Array(FormPage.data(of: form).text().utf8)),
      ("{{script}}", FormPage.script),
    ]
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
      result += rest[..<brace]
      rest = rest[brace...]
      guard let part = parts.first(where: { rest.starts(with: $0.name.utf8) }) else {
        result.append(rest.removeFirst())
        continue
      }
      result += part.value
      rest = rest.dropFirst(part.name.utf8.count)
    }
    return result + rest
  }

  /// The scripts in the order in which they depend on each other.
  static var script: [UInt8] {
    Array("\"use strict\";\n".utf8) + libraries + embeddedFile(cordon_form_form_js)
  }

  /// The scripts that the page and the app share.
  static var libraries: [UInt8] {
    [
      embeddedFile(cordon_form_expressions_js), embeddedFile(cordon_form_answers_js),
      embeddedFile(cordon_form_words_js),
      embeddedFile(cordon_form_records_js), embeddedFile(cordon_form_fields_js),
    ].reduce([]) { $0 + $1 }
  }

  /// The document of the form, with the trees of its conditions and formulas.
  package static func data(of form: Form) -> JSONValue {
    guard case .object(let members) = form.json else { return form.json }
    return .object(
      members.map { $0.key == "items" ? .init("items", .array(form.items.map(data))) : $0 })
  }

  private static func data(of item: FormItem) -> JSONValue {
    var members = item.json.members ?? []
    let (condition, formula): (FormExpression?, FormExpression?)
    switch item {
    case .field(let field): (condition, formula) = (field.condition, field.formula)
    case .group(let group):
      (condition, formula) = (group.condition, nil)
      members.removeAll { $0.key == "items" }
      members.append(.init("items", .array(group.items.map(data))))
    }
    members.removeAll { $0.key == "show_if" || $0.key == "calculate" }
    if let condition { members.append(.init("condition", condition.root.json)) }
    if let formula { members.append(.init("formula", formula.root.json)) }
    return .object(members)
  }
}

extension FormExpression.Node {
  /// The tree as lists: the kind of a part, then its values.
  var json: JSONValue {
    switch self {
    case .number(let number): ["number", .number(number)]
    case .text(let text): ["text", .string(text)]
    case .truth(let truth): ["truth", .bool(truth)]
    case .field(let names): ["field", .array(names.map(JSONValue.string))]
    case .not(let inner): ["not", inner.json]
    case .negative(let inner): ["negative", inner.json]
    case .binary(let sign, let one, let other): ["binary", .string(sign.rawValue), one.json, other.json]
    case .call(let function, let arguments): ["call", .string(function.rawValue), .array(arguments.map(\.json))]
    }
  }
}
