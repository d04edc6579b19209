import CordonSupport

/// Checks the expressions of a form: names, types and circles.
struct ExpressionCheck {
  /// The type of a value.
  enum Kind: Hashable {
    case number, text, truth, date, choices, other
  }

  /// A group with its items, inside of others.
  struct Scope {
    var items: [FormItem]
    /// The path of the group as in answers.
    var path: [String]
  }

  /// The groups around the expression, the outermost first.
  let scopes: [Scope]

  /// Returns the type of an expression.
  /// - Throws: ``FormError`` for an unknown name, and for operands of a wrong type.
  func kind(of expression: FormExpression, at path: String) throws(FormError) -> Kind {
    do throws(Fault) { return try kind(of: expression.root) } catch { throw FormError(path, error.message) }
  }

  private struct Fault: Error { var message: String }

  /// The item that names refer to from here, and the path of its group.
  func item(_ names: [String]) -> (item: FormItem, path: [String])? {
    for scope in scopes.reversed() {
      guard let item = scope.items.first(where: { $0.name == names[0] }) else { continue }
      guard names.count > 1 else { return (item, scope.path + [item.name]) }
      guard case .group(let group) = item, names.count == 2,
        let inner = group.items.first(where: { $0.name == names[1] })
      else { return nil }
      return (inner, scope.path + names)
    }
    return nil
  }

  private func kind(ofField names: [String]) throws(Fault) -> Kind {
    guard let found = item(names) else {
      let all = scopes.flatMap { $0.items.map(\.name) }
      throw Fault(
        message: "there is no field '\(names.joined(separator: "."))'\(Suggestion.hint(for: names[0], among: all))")
    }
    guard case .field(let field) = found.item else { return .other }
    return ExpressionCheck.kind(of: field)
  }

  static func kind(of field: FormField) -> Kind {
    switch field.kind {
    case .text, .longText, .choice: .text
    case .number, .integer, .scale: .number
    case .date: .date
    case .toggle: .truth
    case .choices: .choices
    case .photo, .place: .other
    }
  }

  private func kind(of node: FormExpression.Node) throws(Fault) -> Kind {
    switch node {
    case .number: return .number
    // A quoted day is a date.
    case .text(let text): return FormDate(text) == nil ? .text : .date
    case .truth: return .truth
    case .field(let names):
      guard names.count == 1 else {
        throw Fault(message: "'\(names.joined(separator: "."))' has several values; only sum takes it")
      }
      return try kind(ofField: names)
    case .not(let inner):
      try expect(.truth, inner, "not")
      return .truth
    case .negative(let inner):
      try expect(.number, inner, "-")
      return .number
    case .binary(let sign, let one, let other): return try kind(of: sign, one, other)
    case .call(let function, let arguments): return try kind(of: function, arguments)
    }
  }

  private func expect(_ wanted: Kind, _ node: FormExpression.Node, _ name: String) throws(Fault) {
    let found = try kind(of: node)
    guard found == wanted else { throw Fault(message: "'\(name)' needs \(text(wanted)), not \(text(found))") }
  }

  private func kind(
    of sign: FormExpression.Operator, _ one: FormExpression.Node, _ other: FormExpression.Node
  ) throws(Fault) -> Kind {
    switch sign {
    case .and, .or:
      try expect(.truth, one, sign.rawValue)
      try expect(.truth, other, sign.rawValue)
      return .truth
    case .plus, .minus, .times, .dividedBy:
      if sign == .plus || sign == .minus, try kind(of: one) == .date {
        try expect(.number, other, sign.rawValue)
        return .date
      }
      try expect(.number, one, sign.rawValue)
      try expect(.number, other, sign.rawValue)
      return .number
    case .equal, .unequal, .less, .atMost, .greater, .atLeast:
      let (a, b) = (try kind(of: one), try kind(of: other))
      guard a == b else {
        throw Fault(message: "'\(sign.rawValue)' compares \(text(a)) with \(text(b))")
      }
      guard a != .other, a != .choices else {
        throw Fault(message: "'\(sign.rawValue)' cannot compare \(text(a)); use answered, count or contains")
      }
      if sign != .equal, sign != .unequal, a == .text || a == .truth {
        throw Fault(message: "'\(sign.rawValue)' needs numbers or dates, not \(text(a))")
      }
      try option(one, other)
      try option(other, one)
      return .truth
    }
  }

  /// Checks that a text that is compared with a choice is one of its options.
  private func option(_ field: FormExpression.Node, _ text: FormExpression.Node) throws(Fault) {
    guard case .field(let names) = field, case .text(let value) = text,
      case .field(let found)? = item(names)?.item, found.kind == .choice || found.kind == .choices
    else { return }
    guard !found.options.contains(where: { $0.value == value }) else { return }
    let hint = Suggestion.hint(for: value, among: found.options.map(\.value))
    throw Fault(message: "'\(found.name)' has no option '\(value)'\(hint)")
  }

  private func kind(
    of function: FormExpression.Function, _ arguments: [FormExpression.Node]
  ) throws(Fault) -> Kind {
    let name = function.rawValue
    switch function {
    case .today: return .date
    case .answered, .count:
      _ = try kind(of: arguments[0])
      return function == .answered ? .truth : .number
    case .contains:
      try expect(.choices, arguments[0], name)
      try expect(.text, arguments[1], name)
      try option(arguments[0], arguments[1])
      return .truth
    case .if:
      try expect(.truth, arguments[0], name)
      let (a, b) = (try kind(of: arguments[1]), try kind(of: arguments[2]))
      guard a == b else {
        throw Fault(message: "the values of 'if' are \(text(a)) and \(text(b))")
      }
      return a
    case .round:
      for one in arguments { try expect(.number, one, name) }
      return .number
    case .min, .max:
      var found: [Kind] = []
      for one in arguments { found.append(try kind(of: one)) }
      guard let first = found.first, Set(found).count == 1, first == .number || first == .date else {
        throw Fault(message: "'\(name)' needs numbers or dates")
      }
      return first
    case .sum:
      guard case .field(let names) = arguments[0], names.count == 2, try kind(ofField: names) == .number else {
        throw Fault(message: "'sum' needs a number of a group, such as sum(contacts.minutes)")
      }
      return .number
    case .length:
      try expect(.text, arguments[0], name)
      return .number
    case .days:
      for one in arguments { try expect(.date, one, name) }
      return .number
    }
  }

  private func text(_ kind: Kind) -> String {
    switch kind {
    case .number: "a number"
    case .text: "a text"
    case .truth: "a condition"
    case .date: "a date"
    case .choices: "a list of options"
    case .other: "a place, a photo or a group"
    }
  }
}
