package import CordonSupport

extension FormQuestionnaire {
  /// An answer as members `value[x]` of FHIR: one, or one for each selected option.
  static func values(of answer: AnswerValue, to field: FormField, system: String) -> [JSONValue.Member] {
    func coding(_ code: String) -> JSONValue.Member {
      let label = field.options.first { $0.value == code }?.label.texts.first?.text ?? code
      return .init(
        "valueCoding", ["system": .string(system), "code": .string(code), "display": .string(label)])
    }
    switch answer {
    case .text(let text): return [field.kind == .choice ? coding(text) : .init("valueString", .string(text))]
    case .number(let number):
      return [
        field.kind == .number
          ? .init("valueDecimal", .number(number)) : .init("valueInteger", .whole(number))
      ]
    case .truth(let truth): return [.init("valueBoolean", .bool(truth))]
    case .date(let date): return [.init("valueDate", .string(date.description))]
    case .choices(let codes): return codes.map(coding)
    case .place(.space(let id)): return [.init("valueUri", .string("urn:cordon:space:" + escaped(id)))]
    case .place(.position(let longitude, let latitude, let floor)):
      // A geo URI (RFC 5870) has the latitude first.
      let end = floor.map { ";floor=" + JSONValue.number($0).text() } ?? ""
      return [
        .init(
          "valueUri",
          .string("geo:\(JSONValue.number(latitude).text()),\(JSONValue.number(longitude).text())\(end)"))
      ]
    case .photo(let photo):
      return [
        .init(
          "valueAttachment",
          [
            "contentType": .string(photo.type), "url": .string("urn:cordon:photo:\(photo.digest):\(photo.bytes)"),
          ])
      ]
    }
  }

  private static func escaped(_ text: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    return String(
      decoding: text.utf8.flatMap { plain.contains($0) ? [$0] : [0x25, digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns the QuestionnaireResponse of valid answers.
  package static func response(_ answers: FormAnswers, of form: Form) -> JSONValue {
    [
      "resourceType": "QuestionnaireResponse",
      "questionnaire": .string("\(address(of: form))|\(form.version)"), "status": "completed",
      "item": .array(items(answers, of: form.items, in: [], system: address(of: form))),
    ]
  }

  /// A Bundle of responses, of the type `collection`.
  package static func bundle(_ responses: [JSONValue]) -> JSONValue {
    [
      "resourceType": "Bundle", "type": "collection",
      "entry": .array(responses.map { ["resource": $0] }),
    ]
  }

  private static func items(
    _ answers: FormAnswers, of items: [FormItem], in groups: [String], system: String
  ) -> [JSONValue] {
    items.flatMap { item -> [JSONValue] in
      let path = groups + [item.name]
      let link = JSONValue.Member("linkId", .string(path.joined(separator: ".")))
      switch item {
      case .field(let field):
        guard let answer = answers.fields[field.name] else { return [] }
        let values = values(of: answer, to: field, system: system)
        guard !values.isEmpty else { return [] }
        return [.object([link, .init("answer", .array(values.map { .object([$0]) }))])]
      case .group(let group):
        return (answers.groups[group.name] ?? []).compactMap { entry in
          let inner = self.items(entry, of: group.items, in: path, system: system)
          // FHIR has no empty groups; an entry without answers would be none.
          return inner.isEmpty ? nil : .object([link, .init("item", .array(inner))])
        }
      }
    }
  }

  // MARK: Reading

  /// Returns the answers of a QuestionnaireResponse as JSON that ``FormValidation`` checks.
  /// - Throws: ``FormError`` for another resource, another form, and values of the wrong type.
  package static func answers(response json: JSONValue, of form: Form) throws(FormError) -> JSONValue {
    guard json["resourceType"] == "QuestionnaireResponse" else {
      throw FormError("resourceType", "has to be QuestionnaireResponse")
    }
    if let name = json["questionnaire"]?.stringValue, name.hasPrefix("urn:cordon:form:"),
      name.split(separator: "|").first.map(String.init) != address(of: form)
    {
      throw FormError("questionnaire", "is of another form")
    }
    return try read(json["item"]?.elements ?? [], of: form.items, in: [], place: "item")
  }

  private static func read(
    _ list: [JSONValue], of items: [FormItem], in groups: [String], place: String
  ) throws(FormError) -> JSONValue {
    var members: [JSONValue.Member] = []
    for (index, one) in list.enumerated() {
      let link = one["linkId"]?.stringValue ?? ""
      guard items.contains(where: { (groups + [$0.name]).joined(separator: ".") == link }) else {
        throw FormError("\(place)[\(index)].linkId", "\(Quotation.of(link, limit: 64)) is not an item of the form here")
      }
    }
    for item in items {
      let path = groups + [item.name]
      let found = list.enumerated().filter { $0.element["linkId"]?.stringValue == path.joined(separator: ".") }
      guard let first = found.first else { continue }
      switch item {
      case .field(let field):
        let values = first.element["answer"]?.elements ?? []
        var answers: [JSONValue] = []
        for value in values {
          guard let answer = answer(value, to: field) else {
            throw FormError("\(place)[\(first.offset)].answer", "is not an answer of the type '\(field.kind.rawValue)'")
          }
          answers.append(answer)
        }
        if field.kind == .choices {
          members.append(.init(field.name, .array(answers)))
        } else if let answer = answers.first {
          members.append(.init(field.name, answer))
        }
      case .group(let group):
        var entries: [JSONValue] = []
        for (index, one) in found {
          entries.append(
            try read(one["item"]?.elements ?? [], of: group.items, in: path, place: "\(place)[\(index)].item"))
        }
        members.append(.init(group.name, .array(entries)))
      }
    }
    return .object(members)
  }

  /// Returns an answer of FHIR as an answer of a form; `nil` for another type.
  static func answer(_ value: JSONValue, to field: FormField) -> JSONValue? {
    switch field.kind {
    case .text, .longText: return value["valueString"]
    case .number: return value["valueDecimal"] ?? value["valueInteger"] ?? value["valueQuantity"]?["value"]
    case .integer, .scale: return value["valueInteger"]
    case .date: return value["valueDate"]
    case .toggle: return value["valueBoolean"]
    case .choice, .choices: return value["valueCoding"]?["code"] ?? value["valueString"]
    case .place: return value["valueUri"]?.stringValue.flatMap(place)
    case .photo:
      guard let url = value["valueAttachment"]?["url"]?.stringValue else { return nil }
      let parts = url.split(separator: ":")
      guard parts.count == 5, url.hasPrefix("urn:cordon:photo:"), let bytes = Int64(parts[4]),
        let type = value["valueAttachment"]?["contentType"]
      else { return nil }
      return ["sha256": .string(String(parts[3])), "type": type, "bytes": .integer(bytes)]
    }
  }

  private static func place(_ address: String) -> JSONValue? {
    let space = "urn:cordon:space:"
    if address.hasPrefix(space) { return unescaped(address.dropFirst(space.count)).map { ["space": .string($0)] } }
    guard address.hasPrefix("geo:") else { return nil }
    let parts = address.dropFirst(4).split(separator: ";")
    let numbers = parts.first?.split(separator: ",").compactMap { Double($0) } ?? []
    guard numbers.count >= 2 else { return nil }
    var members: [JSONValue.Member] = [.init("lon", .number(numbers[1])), .init("lat", .number(numbers[0]))]
    if let floor = parts.first(where: { $0.hasPrefix("floor=") }).flatMap({ Double($0.dropFirst(6)) }) {
      members.append(.init("floor", .number(floor)))
    }
    return .object(members)
  }
}

extension JSONValue {
  /// A whole number as an integer, or as it is where no integer holds it: formulas and bounds have no limits.
  static func whole(_ number: Double) -> JSONValue { Int64(exactly: number).map(JSONValue.integer) ?? .number(number) }
}
