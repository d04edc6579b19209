import CordonSupport

extension FormValidation {
  /// Reads the answer to a field.
  /// - Returns: the answer, or the reason why it is not one.
  static func answer(
    _ value: JSONValue, to field: FormField, path: String, today: FormDate
  ) -> (AnswerValue?, FormIssue?) {
    func wrong(_ code: FormIssue.Code, _ message: String) -> (AnswerValue?, FormIssue?) {
      (nil, FormIssue(code: code, path: path, message: message))
    }
    switch field.kind {
    case .text, .longText:
      guard let text = value.stringValue else { return wrong(.type, "has to be a text") }
      if field.kind == .text, text.contains(where: \.isNewline) { return wrong(.type, "has to be one line") }
      guard text.count <= field.maximumLength else {
        return wrong(.length, "is longer than \(field.maximumLength) characters")
      }
      return (.text(text), nil)
    case .number, .integer, .scale: return number(value, field, path: path)
    case .date:
      guard let date = value.stringValue.flatMap(FormDate.init) else {
        return wrong(.type, "has to be a day such as 2026-01-31")
      }
      if let first = field.bounds.earliest?.date(today: today), date < first {
        return wrong(.range, "has to be \(first) or later")
      }
      if let last = field.bounds.latest?.date(today: today), date > last {
        return wrong(.range, "has to be \(last) or earlier")
      }
      return (.date(date), nil)
    case .toggle:
      guard case .bool(let truth) = value else { return wrong(.type, "has to be true or false") }
      return (.truth(truth), nil)
    case .choice:
      guard let text = value.stringValue else { return wrong(.type, "has to be the value of an option") }
      guard field.options.contains(where: { $0.value == text }) else {
        return wrong(.option, "has to be one of \(options(field))")
      }
      return (.text(text), nil)
    case .choices:
      guard let texts = value.elements?.compactMap(\.stringValue), texts.count == value.elements?.count else {
        return wrong(.type, "has to be a list of values of options")
      }
      guard texts.allSatisfy({ text in field.options.contains { $0.value == text } }) else {
        return wrong(.option, "has to contain only \(options(field))")
      }
      let chosen = Set(texts)
      return (.choices(field.options.map(\.value).filter(chosen.contains)), nil)
    case .place: return place(value, path: path)
    case .photo: return photo(value, path: path)
    }
  }

  private static func options(_ field: FormField) -> String {
    let values = field.options.prefix(6).map { "'\($0.value)'" }.joined(separator: ", ")
    return field.options.count > 6 ? "\(values) and \(field.options.count - 6) more" : values
  }

  private static func number(_ value: JSONValue, _ field: FormField, path: String) -> (AnswerValue?, FormIssue?) {
    let number: Double
    switch value {
    case .integer(let whole): number = Double(whole)
    case .number(let one) where one.isFinite: number = one
    default: return (nil, FormIssue(code: .type, path: path, message: "has to be a number"))
    }
    if field.kind != .number, number != number.rounded() || abs(number) > 9e15 {
      return (nil, FormIssue(code: .type, path: path, message: "has to be a whole number"))
    }
    let unit = field.unit.map { " \($0)" } ?? ""
    if let minimum = field.bounds.minimum, number < minimum {
      return (
        nil,
        FormIssue(code: .range, path: path, message: "has to be at least \(JSONValue.number(minimum).text())\(unit)")
      )
    }
    if let maximum = field.bounds.maximum, number > maximum {
      return (
        nil,
        FormIssue(code: .range, path: path, message: "has to be at most \(JSONValue.number(maximum).text())\(unit)")
      )
    }
    return (.number(number), nil)
  }

  private static func place(_ value: JSONValue, path: String) -> (AnswerValue?, FormIssue?) {
    func wrong(_ message: String) -> (AnswerValue?, FormIssue?) {
      (nil, FormIssue(code: .type, path: path, message: message))
    }
    let keys = (value.members ?? []).map(\.key)
    if keys == ["space"], let id = value["space"]?.stringValue, !id.isEmpty, id.count <= 200 {
      return (.place(.space(id)), nil)
    }
    func coordinate(_ key: String) -> Double? {
      switch value[key] {
      case .integer(let whole): Double(whole)
      case .number(let number) where number.isFinite: number
      default: nil
      }
    }
    guard keys.allSatisfy({ ["lon", "lat", "floor"].contains($0) }), let longitude = coordinate("lon"),
      let latitude = coordinate("lat"), value["floor"] == nil || coordinate("floor") != nil
    else { return wrong("has to be a space, or a position with lon and lat") }
    guard abs(longitude) <= 180, abs(latitude) <= 90 else { return wrong("has a longitude or latitude out of range") }
    return (.place(.position(longitude: longitude, latitude: latitude, floor: coordinate("floor"))), nil)
  }

  private static func photo(_ value: JSONValue, path: String) -> (AnswerValue?, FormIssue?) {
    guard let digest = value["sha256"]?.stringValue, digest.utf8.count == 64,
      digest.utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }),
      let type = value["type"]?.stringValue, ["image/jpeg", "image/png", "image/heic", "image/webp"].contains(type),
      let bytes = value["bytes"]?.integerValue, (1...50_000_000).contains(bytes), value.members?.count == 3
    else {
      return (
        nil, FormIssue(code: .type, path: path, message: "has to be the sha256, the type and the bytes of a photo")
      )
    }
    return (.photo(FormPhoto(digest: digest, type: type, bytes: Int(bytes))), nil)
  }
}
