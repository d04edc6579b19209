import CordonSupport

/// Answers of an earlier version of a form as answers of a later one.
///
/// Nothing is guessed: an answer is kept, converted where the conversion loses nothing, or named as lost.
package struct FormMigration: Hashable, Sendable {
  /// The answers for the later version; ``FormValidation`` decides whether they are complete.
  package private(set) var answers = FormAnswers()
  /// The paths of answers of the earlier version that the later one cannot hold.
  package private(set) var lost: [String] = []

  /// Migrates answers that are valid for the earlier version.
  package init(_ answers: FormAnswers, from earlier: Form, to later: Form) {
    self.answers = migrated(answers, from: earlier.items, to: later.items, path: "")
  }

  private mutating func migrated(
    _ old: FormAnswers, from before: [FormItem], to after: [FormItem], path: String
  ) -> FormAnswers {
    var result = FormAnswers()
    var used: Set<String> = []
    func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    for item in after {
      switch item {
      case .field(let field):
        guard let source = field.predecessor(in: before), let value = old.fields[source.name] else { continue }
        used.insert(source.name)
        // A calculated value is calculated again.
        guard field.formula == nil else { continue }
        let (kept, isWhole) = FormMigration.converted(value, from: source, to: field)
        result.fields[field.name] = kept
        if !isWhole { lost.append(place(source.name)) }
      case .group(let group):
        guard case .group(let source)? = before.first(where: { $0.name == group.name }),
          let entries = old.groups[group.name]
        else { continue }
        used.insert(group.name)
        let most = group.repeats?.upperBound ?? 1
        var kept: [FormAnswers] = []
        for (index, entry) in entries.enumerated() {
          let inner = "\(place(group.name))[\(index)]"
          guard index < most else {
            lost.append(inner)
            continue
          }
          kept.append(migrated(entry, from: source.items, to: group.items, path: inner))
        }
        result.groups[group.name] = kept
      }
    }
    for name in (Array(old.fields.keys) + Array(old.groups.keys)).sorted() where !used.contains(name) {
      // Nobody gave the calculated values of the earlier version.
      if case .field(let field)? = before.first(where: { $0.name == name }), field.formula != nil { continue }
      lost.append(place(name))
    }
    return result
  }

  /// Returns the value for the later field, and whether all of it was kept.
  private static func converted(
    _ value: AnswerValue, from source: FormField, to field: FormField
  ) -> (AnswerValue?, Bool) {
    let values = Set(field.options.map(\.value))
    guard source.kind != field.kind else {
      switch value {
      case .text(let text) where field.kind == .choice: return values.contains(text) ? (value, true) : (nil, false)
      case .choices(let options):
        let kept = options.filter(values.contains)
        return (.choices(kept), kept.count == options.count)
      default: return (value, true)
      }
    }
    guard source.converts(to: field.kind) else { return (nil, false) }
    switch (value, field.kind) {
    case (.text(let text), .choices): return values.contains(text) ? (.choices([text]), true) : (nil, false)
    case (.text, _), (.number, .number), (.number, .integer): return (value, true)
    case (.number(let number), _): return (.text(JSONValue.number(number).text()), true)
    case (.date(let date), _): return (.text(date.description), true)
    case (.truth(let truth), _): return (.text(truth ? "true" : "false"), true)
    default: return (nil, false)
    }
  }
}
