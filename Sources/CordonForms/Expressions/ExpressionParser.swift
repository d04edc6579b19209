import CordonSupport

/// Parses an expression by precedence climbing.
struct ExpressionParser {
  private let characters: [Character]
  private var position = 0
  private var depth = 0

  init(_ text: String) { characters = Array(text) }

  /// Parses the whole text.
  mutating func expression() throws(FormExpressionError) -> FormExpression.Node {
    let node = try operation(from: 1)
    skipSpace()
    guard position == characters.count else { throw fault("expected an operator or the end") }
    return node
  }

  private func fault(_ message: String, at place: Int? = nil) -> FormExpressionError {
    FormExpressionError(position: place ?? position, message)
  }

  private mutating func skipSpace() {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
  }

  private mutating func take(_ text: String) -> Bool {
    skipSpace()
    let wanted = Array(text)
    guard position + wanted.count <= characters.count,
      Array(characters[position..<(position + wanted.count)]) == wanted
    else { return false }
    position += wanted.count
    return true
  }

  private mutating func word() -> String? {
    skipSpace()
    let start = position
    while position < characters.count, let ascii = characters[position].asciiValue,
      ascii == UInt8(ascii: "_") || (ascii >= 0x61 && ascii <= 0x7A)
        || (ascii >= 0x30 && ascii <= 0x39 && position > start)
    {
      position += 1
    }
    return position > start ? String(characters[start..<position]) : nil
  }

  /// Takes the next operator of a precedence or greater.
  private mutating func nextOperator(from precedence: Int) -> FormExpression.Operator? {
    let start = position
    // Longer spellings first.
    for one: FormExpression.Operator in [
      .unequal, .atMost, .atLeast, .equal, .less, .greater, .plus, .minus, .times, .dividedBy,
    ]
    where take(one.rawValue) {
      if one.precedence >= precedence { return one }
      position = start
      return nil
    }
    if let word = word(), let one = FormExpression.Operator(rawValue: word), one.precedence >= precedence { return one }
    position = start
    return nil
  }

  private mutating func operation(from precedence: Int) throws(FormExpressionError) -> FormExpression.Node {
    depth += 1
    defer { depth -= 1 }
    guard depth <= FormExpression.maximumDepth else { throw fault("parts lie more than 50 deep") }
    var left = try operand()
    skipSpace()
    var place = position
    while let next = nextOperator(from: precedence) {
      let right = try operation(from: next.precedence + 1)
      if next.isComparison, case .binary(let inner, _, _) = left, inner.isComparison {
        throw fault("two comparisons in a row; join them with 'and'", at: place)
      }
      left = .binary(next, left, right)
      skipSpace()
      place = position
    }
    return left
  }

  private mutating func operand() throws(FormExpressionError) -> FormExpression.Node {
    skipSpace()
    guard position < characters.count else { throw fault("expected a value") }
    let start = position
    let first = characters[position]
    if take("(") {
      let inner = try operation(from: 1)
      guard take(")") else { throw fault("expected ')'") }
      return inner
    }
    if take("-") {
      depth += 1
      defer { depth -= 1 }
      guard depth <= FormExpression.maximumDepth else { throw fault("parts lie more than 50 deep") }
      return .negative(try operand())
    }
    if first == "'" { return .text(try quoted()) }
    if first.isNumber { return .number(try number()) }
    guard let word = word() else { throw fault("expected a value", at: start) }
    switch word {
    case "true": return .truth(true)
    case "false": return .truth(false)
    // `not` applies to a whole comparison: `not a = 1` is `not (a = 1)`.
    case "not": return .not(try operation(from: 3))
    case "and", "or": throw fault("expected a value before '\(word)'", at: start)
    default: break
    }
    if take("(") { return try call(word, at: start) }
    var names = [word]
    while take(".") {
      guard let next = self.word() else { throw fault("expected a name after '.'") }
      names.append(next)
    }
    return .field(names)
  }

  private mutating func call(_ word: String, at start: Int) throws(FormExpressionError) -> FormExpression.Node {
    guard let function = FormExpression.Function(rawValue: word) else {
      let hint = Suggestion.hint(for: word, among: FormExpression.Function.allCases.map(\.rawValue))
      throw fault("there is no function '\(word)'\(hint)", at: start)
    }
    var arguments: [FormExpression.Node] = []
    if !take(")") {
      repeat { arguments.append(try operation(from: 1)) } while take(",")
      guard take(")") else { throw fault("expected ',' or ')'") }
    }
    guard function.arguments.contains(arguments.count) else {
      let range = function.arguments
      let count =
        range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
      throw fault(
        "'\(word)' has \(count) \(range == 1...1 ? "argument" : "arguments"), not \(arguments.count)", at: start)
    }
    return .call(function, arguments)
  }

  private mutating func quoted() throws(FormExpressionError) -> String {
    let start = position
    position += 1
    var text = ""
    while position < characters.count {
      let character = characters[position]
      position += 1
      if character == "'" {
        // A quote within a text is written twice.
        guard position < characters.count, characters[position] == "'" else { return text }
        position += 1
      }
      text.append(character)
    }
    throw fault("the text has no closing quote", at: start)
  }

  private mutating func number() throws(FormExpressionError) -> Double {
    let start = position
    while position < characters.count, characters[position].isNumber || characters[position] == "." { position += 1 }
    guard let value = Double(String(characters[start..<position])), value.isFinite else {
      throw fault("is not a number", at: start)
    }
    return value
  }
}
