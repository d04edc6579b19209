/// Evaluates the conditions and formulas of a form for given answers.
///
/// A field that is not shown has no value for other expressions. A form that was read has no circles, so every evaluation
/// ends.
package struct FormEvaluation: Sendable {
  /// The day on which the form is answered.
  package var today: FormDate
  private let levels: [Level]

  /// The items and answers of a group in which an expression is evaluated.
  private struct Level: Sendable {
    var items: [String: FormItem]
    var answers: FormAnswers
  }

  /// Creates an evaluation of a whole form.
  package init(_ form: Form, answers: FormAnswers, today: FormDate) {
    self.today = today
    levels = [Level(items: FormEvaluation.byName(form.items), answers: answers)]
  }

  private init(_ levels: [Level], today: FormDate) {
    self.levels = levels
    self.today = today
  }

  private static func byName(_ items: [FormItem]) -> [String: FormItem] {
    Dictionary(items.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one })
  }

  /// Returns the evaluation within one repetition of a group.
  package func inside(_ group: FormGroup, answers: FormAnswers) -> FormEvaluation {
    FormEvaluation(levels + [Level(items: FormEvaluation.byName(group.items), answers: answers)], today: today)
  }

  /// The value of an expression.
  package enum Value: Hashable, Sendable {
    case missing
    case number(Double)
    case text(String)
    case truth(Bool)
    case date(FormDate)
    case choices([String])
    /// A place, a photo, or a group: only ``FormExpression/Function/answered`` and ``FormExpression/Function/count`` take it.
    case other(count: Int)
  }

  /// Checks a condition; a missing value counts as false.
  package func isTrue(_ condition: FormExpression?) -> Bool {
    condition.map { value(of: $0.root) == .truth(true) } ?? true
  }

  /// Returns the value of a formula as an answer to its field; `nil` if it is missing.
  package func answer(_ formula: FormExpression) -> AnswerValue? {
    switch value(of: formula.root) {
    case .missing, .other: nil
    case .number(let number): .number(number)
    case .text(let text): .text(text)
    case .truth(let truth): .truth(truth)
    case .date(let date): .date(date)
    case .choices(let options): .choices(options)
    }
  }

  /// Returns the value of a field or group that is visible from here.
  private func value(of names: [String]) -> Value {
    guard let first = names.first else { return .missing }
    for depth in levels.indices.reversed() {
      guard let item = levels[depth].items[first] else { continue }
      let outer = FormEvaluation(Array(levels[...depth]), today: today)
      switch item {
      case .field(let field): return names.count == 1 ? outer.value(of: field, in: levels[depth].answers) : .missing
      case .group(let group):
        guard outer.isTrue(group.condition) else { return .missing }
        return .other(count: levels[depth].answers.groups[first]?.count ?? 0)
      }
    }
    return .missing
  }

  private func value(of field: FormField, in answers: FormAnswers) -> Value {
    guard isTrue(field.condition) else { return .missing }
    if let formula = field.formula { return value(of: formula.root) }
    switch answers.fields[field.name] {
    case nil: return .missing
    case .text(let text): return .text(text)
    case .number(let number): return .number(number)
    case .truth(let truth): return .truth(truth)
    case .date(let date): return .date(date)
    case .choices(let options): return .choices(options)
    case .place, .photo: return .other(count: 1)
    }
  }

  /// Returns the values of a field in all repetitions of a group.
  private func values(of names: [String]) -> [Value] {
    guard names.count == 2 else { return [value(of: names)] }
    for depth in levels.indices.reversed() {
      guard case .group(let group)? = levels[depth].items[names[0]] else { continue }
      let outer = FormEvaluation(Array(levels[...depth]), today: today)
      guard outer.isTrue(group.condition) else { return [] }
      return (levels[depth].answers.groups[group.name] ?? []).map {
        outer.inside(group, answers: $0).value(of: [names[1]])
      }
    }
    return []
  }

  func value(of node: FormExpression.Node) -> Value {
    switch node {
    case .number(let number): return .number(number)
    case .text(let text): return FormDate(text).map(Value.date) ?? .text(text)
    case .truth(let truth): return .truth(truth)
    case .field(let names): return value(of: names)
    case .not(let inner):
      if case .truth(let truth) = value(of: inner) { return .truth(!truth) }
      return .missing
    case .negative(let inner):
      if case .number(let number) = value(of: inner) { return .number(-number) }
      return .missing
    case .binary(let sign, let one, let other): return binary(sign, one, other)
    case .call(let function, let arguments): return call(function, arguments)
    }
  }

  private func binary(_ sign: FormExpression.Operator, _ one: FormExpression.Node, _ other: FormExpression.Node)
    -> Value
  {
    switch sign {
    case .and: return .truth(value(of: one) == .truth(true) && value(of: other) == .truth(true))
    case .or: return .truth(value(of: one) == .truth(true) || value(of: other) == .truth(true))
    case .plus, .minus, .times, .dividedBy:
      return FormEvaluation.arithmetic(sign, value(of: one), value(of: other))
    case .equal, .unequal, .less, .atMost, .greater, .atLeast:
      return .truth(FormEvaluation.compare(sign, value(of: one), value(of: other)))
    }
  }

  private static func arithmetic(_ sign: FormExpression.Operator, _ one: Value, _ other: Value) -> Value {
    // A date plus or minus a number of days is a date.
    if case .date(let date) = one, case .number(let number) = other, sign == .plus || sign == .minus {
      guard let days = Int(exactly: number.rounded(.towardZero)), (-4_000_000...4_000_000).contains(days) else {
        return .missing
      }
      return .date(FormDate(days: sign == .plus ? date.days + days : date.days - days))
    }
    guard case .number(let a) = one, case .number(let b) = other else { return .missing }
    let result =
      switch sign {
      case .plus: a + b
      case .minus: a - b
      case .times: a * b
      default: a / b
      }
    return result.isFinite ? .number(result) : .missing
  }

  private static func compare(_ sign: FormExpression.Operator, _ one: Value, _ other: Value) -> Bool {
    if one == .missing || other == .missing { return false }
    switch sign {
    case .equal: return one == other
    case .unequal: return one != other
    default: break
    }
    let order: (isLess: Bool, isEqual: Bool)
    switch (one, other) {
    case (.number(let a), .number(let b)): order = (a < b, a == b)
    case (.date(let a), .date(let b)): order = (a < b, a == b)
    default: return false
    }
    switch sign {
    case .less: return order.isLess
    case .atMost: return order.isLess || order.isEqual
    case .greater: return !order.isLess && !order.isEqual
    default: return !order.isLess
    }
  }

  private func call(_ function: FormExpression.Function, _ arguments: [FormExpression.Node]) -> Value {
    switch function {
    case .today: return .date(today)
    case .answered: return .truth(value(of: arguments[0]) != .missing && value(of: arguments[0]) != .other(count: 0))
    case .count:
      switch value(of: arguments[0]) {
      case .choices(let options): return .number(Double(options.count))
      case .other(let count): return .number(Double(count))
      case .missing: return .number(0)
      default: return .number(1)
      }
    case .contains:
      guard case .choices(let options) = value(of: arguments[0]), case .text(let text) = value(of: arguments[1]) else {
        return .truth(false)
      }
      return .truth(options.contains(text))
    case .if: return value(of: arguments[0]) == .truth(true) ? value(of: arguments[1]) : value(of: arguments[2])
    case .round: return rounded(arguments)
    case .min, .max: return extreme(function, arguments.map { value(of: $0) }.filter { $0 != .missing })
    case .sum:
      guard case .field(let names) = arguments[0] else { return .missing }
      let numbers = values(of: names).compactMap { if case .number(let number) = $0 { number } else { nil } }
      return .number(numbers.reduce(0, +))
    case .length:
      guard case .text(let text) = value(of: arguments[0]) else { return .missing }
      return .number(Double(text.count))
    case .days:
      guard case .date(let from) = value(of: arguments[0]), case .date(let to) = value(of: arguments[1]) else {
        return .missing
      }
      return .number(Double(to.days - from.days))
    }
  }

  private func rounded(_ arguments: [FormExpression.Node]) -> Value {
    guard case .number(let number) = value(of: arguments[0]) else { return .missing }
    guard arguments.count == 2 else { return .number(number.rounded()) }
    guard case .number(let digits) = value(of: arguments[1]), (0...9).contains(digits) else { return .missing }
    let factor = (0..<Int(digits)).reduce(1.0) { product, _ in product * 10 }
    return .number((number * factor).rounded() / factor)
  }

  private func extreme(_ function: FormExpression.Function, _ values: [Value]) -> Value {
    guard var best = values.first else { return .missing }
    for one in values.dropFirst() where FormEvaluation.compare(function == .min ? .less : .greater, one, best) {
      best = one
    }
    return best
  }
}
