/// A difference between two versions of a form that answers notice.
package struct FormChange: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the difference.
  package enum Kind: String, Hashable, Sendable {
    /// A field or group that earlier answers do not have.
    case added
    /// A field or group that is no longer asked; its answers are lost.
    case removed
    /// A field with another name and the key `was`; its answers are kept.
    case renamed
    /// A field whose answers change their type and are kept, such as a number that becomes a text.
    case converted
    /// A field whose type changes so that its answers are lost.
    case retyped
    /// A list without one of its options; answers with it are lost.
    case optionRemoved = "option-removed"
    /// Narrower bounds, or a field that is required now; earlier answers may no longer be valid.
    case narrowed
  }

  /// The kind of the difference.
  package var kind: Kind
  /// The names of the groups and of the field in the new version, or in the old one if it was removed.
  package var names: [String]
  /// What changed.
  package var message: String

  /// Whether answers can be lost.
  package var losesAnswers: Bool { kind == .removed || kind == .retyped || kind == .optionRemoved }

  /// `contacts.age: was removed`.
  package var description: String { "\(names.joined(separator: ".")): \(message)" }
}

extension FormField {
  /// Whether answers of this type can become answers of another one without a loss.
  func converts(to kind: Kind) -> Bool {
    switch (self.kind, kind) {
    case (.text, .longText), (.integer, .number), (.scale, .number), (.scale, .integer), (.choice, .choices): true
    case (.number, .text), (.integer, .text), (.scale, .text), (.date, .text), (.choice, .text), (.toggle, .text): true
    case (.number, .longText), (.integer, .longText), (.scale, .longText), (.date, .longText): true
    default: false
    }
  }
}

extension Form {
  /// Returns the differences from an earlier version that answers notice, in the order of this version.
  package func changes(from earlier: Form) -> [FormChange] {
    Form.changes(from: earlier.items, to: items, in: [])
  }

  private static func changes(from old: [FormItem], to new: [FormItem], in groups: [String]) -> [FormChange] {
    var changes: [FormChange] = []
    var kept: Set<String> = []
    for item in new {
      let names = groups + [item.name]
      switch item {
      case .field(let field):
        guard let before = field.predecessor(in: old) else {
          changes.append(
            FormChange(
              kind: .added, names: names, message: field.isRequired ? "was added, and is required" : "was added"))
          continue
        }
        kept.insert(before.name)
        changes += field.changes(from: before, names: names)
      case .group(let group):
        guard case .group(let before)? = old.first(where: { $0.name == group.name }) else {
          changes.append(FormChange(kind: .added, names: names, message: "was added"))
          continue
        }
        kept.insert(before.name)
        if (before.repeats?.upperBound ?? 1) > (group.repeats?.upperBound ?? 1) {
          changes.append(FormChange(kind: .narrowed, names: names, message: "has a lower maximum of entries"))
        }
        changes += self.changes(from: before.items, to: group.items, in: names)
      }
    }
    for item in old where !kept.contains(item.name) {
      changes.append(FormChange(kind: .removed, names: groups + [item.name], message: "was removed"))
    }
    return changes
  }
}

extension FormField {
  /// The field of an earlier version whose answers this field takes over.
  func predecessor(in items: [FormItem]) -> FormField? {
    for name in [name] + (formerName.map { [$0] } ?? []) {
      if case .field(let field)? = items.first(where: { $0.name == name }) { return field }
    }
    return nil
  }

  fileprivate func changes(from before: FormField, names: [String]) -> [FormChange] {
    var changes: [FormChange] = []
    func add(_ kind: FormChange.Kind, _ message: String) {
      changes.append(FormChange(kind: kind, names: names, message: message))
    }
    if before.name != name { add(.renamed, "was named '\(before.name)'") }
    if before.kind != kind {
      let isKept = before.converts(to: kind)
      add(
        isKept ? .converted : .retyped,
        "was of type '\(before.kind.rawValue)', and is of type '\(kind.rawValue)'"
          + (isKept ? "" : "; its answers are lost"))
    }
    let values = Set(options.map(\.value))
    if kind == .choice || kind == .choices {
      for option in before.options where !values.contains(option.value) {
        add(.optionRemoved, "no longer has the option '\(option.value)'")
      }
    }
    if isRequired && !before.isRequired { add(.narrowed, "is required now") }
    let isNarrower =
      (bounds.minimum ?? -.infinity) > (before.bounds.minimum ?? -.infinity)
      || (bounds.maximum ?? .infinity) < (before.bounds.maximum ?? .infinity)
      || bounds.earliest != before.bounds.earliest && bounds.earliest != nil
      || bounds.latest != before.bounds.latest && bounds.latest != nil || maximumLength < before.maximumLength
    if isNarrower, before.kind == kind { add(.narrowed, "has narrower bounds") }
    return changes
  }
}
