package import CordonSupport

extension Form {
  /// The document of the form as JSON; reading it gives the same form.
  package var json: JSONValue {
    [
      "form": .string(id), "version": .integer(Int64(version)), "languages": .array(languages.map(JSONValue.string)),
      "title": title.json, "items": .array(items.map(\.json)),
    ]
  }
}

extension FormItem {
  /// The item as JSON.
  var json: JSONValue {
    switch self {
    case .field(let field): field.json
    case .group(let group): group.json
    }
  }
}

extension FormGroup {
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [.init("group", .string(name)), .init("label", label.json)]
    if let repeats {
      members.append(
        .init("repeat", ["min": .integer(Int64(repeats.lowerBound)), "max": .integer(Int64(repeats.upperBound))]))
    }
    if let condition { members.append(.init("show_if", .string(condition.text))) }
    members.append(.init("items", .array(items.map(\.json))))
    return .object(members)
  }
}

extension FormField {
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [.init("name", .string(name))]
    if let formerName { members.append(.init("was", .string(formerName))) }
    members += [.init("type", .string(kind.rawValue)), .init("label", label.json)]
    if let help { members.append(.init("help", help.json)) }
    if isRequired { members.append(.init("required", true)) }
    if let defaultValue { members.append(.init("default", defaultValue.json)) }
    if let unit { members.append(.init("unit", .string(unit))) }
    if let minimum = bounds.minimum { members.append(.init("min", .number(minimum))) }
    if let maximum = bounds.maximum { members.append(.init("max", .number(maximum))) }
    if let earliest = bounds.earliest { members.append(.init("min", .string(earliest.text))) }
    if let latest = bounds.latest { members.append(.init("max", .string(latest.text))) }
    if kind == .text || kind == .longText { members.append(.init("max_length", .integer(Int64(maximumLength)))) }
    if !options.isEmpty {
      members.append(.init("options", .array(options.map { ["value": .string($0.value), "label": $0.label.json] })))
    }
    if let condition { members.append(.init("show_if", .string(condition.text))) }
    if let formula { members.append(.init("calculate", .string(formula.text))) }
    return .object(members)
  }
}

extension FormField.Bounds.Day {
  var text: String { if case .date(let date) = self { date.description } else { "today" } }
}
