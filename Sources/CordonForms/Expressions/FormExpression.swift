/// A condition or a formula of a form, such as `temperature > 38 and count(symptoms) > 1`.
///
/// The parts are names of fields, numbers, texts in single quotes, `true`, `false`, the operators `+ - * /`,
/// `= != < <= > >=`, `and`, `or`, `not`, and the functions of ``Function``. The value of a field without an answer, or that
/// is not shown, is missing. Calculations with a missing value are missing, and comparisons with it are false.
package struct FormExpression: Hashable, Sendable {
  /// The text as written.
  package let text: String
  let root: Node

  /// A part of an expression.
  indirect enum Node: Hashable, Sendable {
    case number(Double)
    case text(String)
    case truth(Bool)
    /// A field by its name, or by the names of its group and its own.
    case field([String])
    case not(Node)
    case negative(Node)
    case binary(Operator, Node, Node)
    case call(Function, [Node])
  }

  /// An operator between two values.
  enum Operator: String, Hashable, Sendable {
    case or, and
    case equal = "="
    case unequal = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case dividedBy = "/"

    var isComparison: Bool {
      switch self {
      case .equal, .unequal, .less, .atMost, .greater, .atLeast: true
      default: false
      }
    }

    /// Operators of a greater precedence bind tighter.
    var precedence: Int {
      switch self {
      case .or: 1
      case .and: 2
      case .equal, .unequal, .less, .atMost, .greater, .atLeast: 3
      case .plus, .minus: 4
      case .times, .dividedBy: 5
      }
    }
  }

  /// The functions.
  package enum Function: String, Hashable, Sendable, CaseIterable {
    /// `answered(field)`: whether there is an answer.
    case answered
    /// `count(choices)`: the number of selected options; `count(group)`: the number of repetitions.
    case count
    /// `contains(choices, 'option')`: whether an option is selected.
    case contains
    /// `if(condition, value, otherwise)`.
    case `if`
    /// `round(number, digits)`: halves are rounded away from zero.
    case round
    /// `min(a, b, ...)`: the least of the values that are not missing.
    case min
    /// `max(a, b, ...)`: the greatest of the values that are not missing.
    case max
    /// `sum(group.field)`: the sum over all repetitions of a group.
    case sum
    /// `length(text)`: the number of characters.
    case length
    /// `days(from, to)`: the number of days between two dates.
    case days
    /// `today()`: the day on which the form is answered.
    case today

    /// The permitted numbers of arguments.
    var arguments: ClosedRange<Int> {
      switch self {
      case .today: 0...0
      case .answered, .count, .sum, .length: 1...1
      case .contains, .days: 2...2
      case .round: 1...2
      case .if: 3...3
      case .min, .max: 1...20
      }
    }
  }

  /// Maximum length of an expression in characters.
  package static let maximumLength = 1_000
  /// Maximum depth of parts in parts.
  static let maximumDepth = 50

  /// Parses an expression.
  /// - Throws: ``FormExpressionError`` with the position.
  package init(_ text: String) throws(FormExpressionError) {
    guard text.count <= FormExpression.maximumLength else {
      throw FormExpressionError(position: FormExpression.maximumLength, "is longer than 1000 characters")
    }
    var parser = ExpressionParser(text)
    root = try parser.expression()
    self.text = text
  }

  /// The fields and groups that the expression names, in order, each once.
  package var names: [[String]] {
    var found: [[String]] = []
    FormExpression.visit(root) { if !found.contains($0) { found.append($0) } }
    return found
  }

  private static func visit(_ node: Node, _ body: ([String]) -> Void) {
    switch node {
    case .number, .text, .truth: break
    case .field(let names): body(names)
    case .not(let one), .negative(let one): visit(one, body)
    case .binary(_, let one, let other):
      visit(one, body)
      visit(other, body)
    case .call(_, let arguments): for one in arguments { visit(one, body) }
    }
  }
}

/// An error in an expression.
package struct FormExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position in characters from 0.
  package var position: Int
  /// A description of the fault.
  package var message: String

  init(position: Int, _ message: String) {
    self.position = position
    self.message = message
  }

  /// `character 12: expected a value`.
  package var description: String { "character \(position + 1): \(message)" }
}
