package import CordonSupport

/// Answers that were checked against a form.
///
/// Hidden fields are left out, and calculated fields hold their values.
package struct FormValidation: Hashable, Sendable {
  /// The valid answers, with defaults and calculated values.
  package private(set) var answers = FormAnswers()
  /// The reasons why the answers cannot be accepted, in the order of the form.
  package private(set) var issues: [FormIssue] = []

  /// Whether some value is faulty. What depends on it is not judged then.
  private var hasFaultyValues = false

  /// Whether the answers can be accepted.
  package var isValid: Bool { issues.isEmpty }

  /// Checks answers.
  ///
  /// Complexity: proportional to the number of answers times the length of the conditions.
  /// - Parameters:
  ///   - json: an object with a value for each field, and a list of such objects for each group.
  ///   - form: the form.
  ///   - today: the day of the answers, for bounds and for `today()`.
  package init(_ json: JSONValue, of form: Form, today: FormDate) {
    guard json.members != nil else {
      issues = [FormIssue(code: .type, path: "", message: "has to be an object")]
      return
    }
    // The values by themselves come first: conditions need those of later fields too.
    let typed = typed(json, items: form.items, path: "", today: today)
    hasFaultyValues = !issues.isEmpty
    let evaluation = FormEvaluation(form, answers: typed, today: today)
    answers = finish(typed, json, items: form.items, evaluation: evaluation, path: "")
    issues = FormValidation.ordered(issues, by: form)
  }

  private static func place(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  // MARK: Values

  private mutating func typed(_ json: JSONValue, items: [FormItem], path: String, today: FormDate) -> FormAnswers {
    var result = FormAnswers()
    let names = items.map(\.name)
    for member in json.members ?? [] where !names.contains(member.key) {
      let hint = Suggestion.hint(for: member.key, among: names)
      issues.append(
        FormIssue(
          code: .unknown, path: FormValidation.place(path, Quotation.of(member.key, limit: 64)),
          message: "is not a field of the form\(hint)"))
    }
    for item in items {
      let place = FormValidation.place(path, item.name)
      guard let value = json[item.name], value != .null else {
        if case .field(let field) = item, let preset = field.defaultValue { result.fields[field.name] = preset }
        continue
      }
      switch item {
      case .field(let field):
        guard field.formula == nil else { continue }
        let (answer, issue) = FormValidation.answer(value, to: field, path: place, today: today)
        if let issue { issues.append(issue) }
        result.fields[field.name] = answer
      case .group(let group):
        let list = value.elements ?? (group.repeats == nil && value.members != nil ? [value] : nil)
        guard let list, list.allSatisfy({ $0.members != nil }) else {
          issues.append(FormIssue(code: .type, path: place, message: "has to be a list of objects"))
          continue
        }
        let most = group.repeats?.upperBound ?? 1
        if list.count > most {
          issues.append(FormIssue(code: .repeats, path: place, message: "has more than \(most) entries"))
        }
        result.groups[group.name] = list.prefix(most).enumerated().map {
          typed($1, items: group.items, path: "\(place)[\($0)]", today: today)
        }
      }
    }
    return result
  }

  // MARK: Conditions

  private mutating func finish(
    _ typed: FormAnswers, _ json: JSONValue, items: [FormItem], evaluation: FormEvaluation, path: String
  ) -> FormAnswers {
    var result = FormAnswers()
    for item in items {
      let place = FormValidation.place(path, item.name)
      let isGiven = json[item.name].map { $0 != .null } ?? false
      switch item {
      case .field(let field):
        guard evaluation.isTrue(field.condition) else {
          if isGiven { refuseHidden(place) }
          continue
        }
        if let formula = field.formula {
          let value = evaluation.answer(formula)
          result.fields[field.name] = value
          // Answers that were checked before contain the calculated value.
          if isGiven, !hasFaultyValues,
            json[item.name].flatMap({ FormValidation.answer($0, to: field, path: place, today: evaluation.today).0 })
              != value
          {
            issues.append(FormIssue(code: .unexpected, path: place, message: "is calculated, and has another value"))
          }
          continue
        }
        result.fields[field.name] = typed.fields[field.name]
        if field.isRequired, typed.fields[field.name] == nil, !issues.contains(where: { $0.path == place }) {
          issues.append(FormIssue(code: .missing, path: place, message: "is required"))
        }
      case .group(let group):
        guard evaluation.isTrue(group.condition) else {
          if isGiven { refuseHidden(place) }
          continue
        }
        let values = json[item.name].map { $0.elements ?? [$0] } ?? []
        let least = group.repeats?.lowerBound ?? 1
        var entries = typed.groups[group.name] ?? []
        // A group that does not repeat exists even without answers, for its required fields.
        if group.repeats == nil, entries.isEmpty { entries = [FormAnswers()] }
        if entries.count < least {
          issues.append(FormIssue(code: .repeats, path: place, message: "has fewer than \(least) entries"))
        }
        result.groups[group.name] = entries.enumerated().map { index, entry in
          finish(
            entry, index < values.count ? values[index] : .object([]), items: group.items,
            evaluation: evaluation.inside(group, answers: entry), path: "\(place)[\(index)]")
        }
      }
    }
    return result
  }

  private mutating func refuseHidden(_ place: String) {
    guard !hasFaultyValues else { return }
    issues.append(FormIssue(code: .unexpected, path: place, message: "is not asked with these answers"))
  }

  /// Sorts issues by the order of the fields in the form.
  private static func ordered(_ issues: [FormIssue], by form: Form) -> [FormIssue] {
    var order: [String: Int] = [:]
    for (index, item) in form.items.enumerated() { order[item.name] = index }
    func position(_ issue: FormIssue) -> Int {
      order[String(issue.path.prefix { $0 != "." && $0 != "[" })] ?? .max
    }
    return issues.enumerated().sorted { (position($0.element), $0.offset) < (position($1.element), $1.offset) }
      .map(\.element)
  }
}
