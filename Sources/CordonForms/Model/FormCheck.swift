/// Checks the conditions and formulas of a form: their names and types, and that they depend on each other without a circle.
struct FormCheck {
  private let form: Form
  /// What each item depends on, by the path of names.
  private var needs: [[String]: Set<[String]>] = [:]

  init(_ form: Form) { self.form = form }

  /// - Throws: ``FormError`` with the place of the first fault.
  func run() throws(FormError) {
    var check = self
    try check.visit(form.items, scopes: [.init(items: form.items, path: [])], at: "items")
    try check.findCircle()
  }

  private mutating func visit(
    _ items: [FormItem], scopes: [ExpressionCheck.Scope], at path: String
  ) throws(FormError) {
    let expressions = ExpressionCheck(scopes: scopes)
    let around = scopes.last?.path ?? []
    for (index, item) in items.enumerated() {
      let place = "\(path)[\(index)]"
      let own = around + [item.name]
      // Whatever hides a group hides its items.
      needs[own, default: []].formUnion(around.isEmpty ? [] : [around + ["?"]])
      switch item {
      case .field(let field):
        try need(field.condition, .truth, expressions, own, at: "\(place).show_if")
        try need(field.formula, ExpressionCheck.kind(of: field), expressions, own, at: "\(place).calculate")
      case .group(let group):
        try need(group.condition, .truth, expressions, own + ["?"], at: "\(place).show_if")
        try visit(group.items, scopes: scopes + [.init(items: group.items, path: own)], at: "\(place).items")
      }
    }
  }

  /// Checks an expression, and notes what it depends on.
  private mutating func need(
    _ expression: FormExpression?, _ wanted: ExpressionCheck.Kind, _ check: ExpressionCheck, _ own: [String],
    at path: String
  ) throws(FormError) {
    guard let expression else { return }
    let found = try check.kind(of: expression, at: path)
    guard found == wanted else {
      throw FormError(path, wanted == .truth ? "has to be a condition" : "has a value of another type than the field")
    }
    for names in expression.names {
      guard let target = check.item(names) else { continue }
      needs[own, default: []].insert(target.path)
      if case .group = target.item { needs[own, default: []].insert(target.path + ["?"]) }
    }
  }

  private func findCircle() throws(FormError) {
    var done: Set<[String]> = []
    var open: [[String]] = []
    func follow(_ item: [String]) throws(FormError) {
      guard !done.contains(item) else { return }
      if let first = open.firstIndex(of: item) {
        let names = open[first...].filter { $0.last != "?" }.map { $0.joined(separator: ".") }
        throw FormError("items", "the conditions and formulas form a circle: \(names.joined(separator: ", "))")
      }
      open.append(item)
      for next in (needs[item] ?? []).sorted(by: { $0.lexicographicallyPrecedes($1) }) { try follow(next) }
      open.removeLast()
      done.insert(item)
    }
    for item in needs.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) { try follow(item) }
  }
}
